/*
 * decode_frames.c
 *	  Shows the plugin's messages to people, one line each: its size in bytes,
 *	  and all of its fields.  Reads what pg_recvlogical writes:
 *
 *		pg_recvlogical --start -f - ... | decode_frames [--parallel] [--run N]
 *
 *	  --parallel	the client asked for streaming = parallel
 *	  --run N		of more than N messages of one kind in a row, show N and
 *					one line for the rest
 *
 * pg_recvlogical ends a message with a newline, and a message can have
 * newlines in it.  But no message is the beginning of another one, so the
 * first newline before which a whole message can be read is its end.
 *
 * Exits with 1 if bytes are left that are no message, or if messages came in
 * an order that the protocol forbids.
 */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "stream_proto.h"

typedef struct Decoder
{
	StreamReader reader;
	StreamProtoState state;
	StringInfoData input;		/* what was read and not yet shown */
	StringInfoData line;

	/* messages of one kind in a row */
	int			run_limit;
	int			run_type;
	int			run_count;
	int64		hidden_bytes;

	bool		broken;
} Decoder;

static void
print_line(int64 bytes, const char *text)
{
	printf("%9lld  %s\n", (long long) bytes, text);
}

/* One line for the messages of the run that were not shown. */
static void
end_run(Decoder *decoder)
{
	int			hidden = decoder->run_count - decoder->run_limit;

	if (hidden > 0)
	{
		resetStringInfo(&decoder->line);
		appendStringInfo(&decoder->line, "... %d more %s", hidden,
						 stream_proto_message_name(decoder->run_type));
		print_line(decoder->hidden_bytes, decoder->line.data);
	}
	decoder->run_type = 0;
	decoder->run_count = 0;
	decoder->hidden_bytes = 0;
}

static void
show_message(Decoder *decoder, const StreamMessage *msg, int length)
{
	const char *rule = stream_proto_track(&decoder->state, msg);

	if (msg->type != (StreamMessageType) decoder->run_type)
		end_run(decoder);
	decoder->run_type = msg->type;
	decoder->run_count++;
	if (decoder->run_count > decoder->run_limit)
		decoder->hidden_bytes += length;
	else
	{
		resetStringInfo(&decoder->line);
		stream_proto_describe(msg, &decoder->line);
		print_line(length, decoder->line.data);
	}
	if (rule != NULL)
	{
		fprintf(stderr, "decode_frames: %s: %s\n",
				stream_proto_message_name(msg->type), rule);
		decoder->broken = true;
	}
}

/* Show all messages that the input holds whole, and keep the rest. */
static void
show_whole_messages(Decoder *decoder)
{
	StringInfo	input = &decoder->input;
	char	   *start = input->data;
	char	   *end = input->data + input->len;
	char	   *scan = start;
	char	   *newline;
	StreamMessage msg;

	while ((newline = memchr(scan, '\n', end - scan)) != NULL)
	{
		int			length = (int) (newline - start);

		scan = newline + 1;
		if (stream_proto_read(&decoder->reader, start, length,
							  decoder->state.mode, &msg))
		{
			show_message(decoder, &msg, length);
			start = scan;
		}
	}
	input->len = (int) (end - start);
	memmove(input->data, start, input->len);
}

static void
complain_of_rest(Decoder *decoder)
{
	StreamMessage msg;
	int			length = decoder->input.len;

	if (decoder->input.data[length - 1] == '\n')
		length--;
	if (stream_proto_read(&decoder->reader, decoder->input.data, length,
						  decoder->state.mode, &msg))
		fprintf(stderr, "decode_frames: no newline after the last message\n");
	else
	{
		resetStringInfo(&decoder->line);
		stream_proto_describe_error(&decoder->reader, &decoder->line);
		fprintf(stderr, "decode_frames: the last %d bytes are no message: %s\n",
				length, decoder->line.data);
	}
	decoder->broken = true;
}

static void
decode_input(Decoder *decoder)
{
	StringInfo	input = &decoder->input;
	ssize_t		got;

	do
	{
		enlargeStringInfo(input, 65536);
		got = read(STDIN_FILENO, input->data + input->len, 65536);
		if (got > 0)
		{
			input->len += (int) got;
			show_whole_messages(decoder);
		}
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
	{
		perror("decode_frames: cannot read");
		decoder->broken = true;
	}
	end_run(decoder);
	if (input->len > 0)
		complain_of_rest(decoder);
}

static int
usage(void)
{
	fprintf(stderr, "usage: decode_frames [--parallel] [--run N]\n");
	return 2;
}

int
main(int argc, char **argv)
{
	Decoder		decoder = {.run_limit = INT_MAX};
	bool		parallel = false;

	for (int i = 1; i < argc; i++)
	{
		if (strcmp(argv[i], "--parallel") == 0)
			parallel = true;
		else if (strcmp(argv[i], "--run") == 0 && i + 1 < argc)
			decoder.run_limit = atoi(argv[++i]);
		else
			return usage();
	}
	if (decoder.run_limit < 1)
		return usage();
	setvbuf(stdout, NULL, _IOLBF, 0);
	stream_proto_reader_init(&decoder.reader);
	stream_proto_state_init(&decoder.state, parallel);
	initStringInfo(&decoder.input);
	initStringInfo(&decoder.line);

	decode_input(&decoder);

	free(decoder.line.data);
	free(decoder.input.data);
	stream_proto_reader_free(&decoder.reader);
	return decoder.broken ? 1 : 0;
}
