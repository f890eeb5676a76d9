/*-------------------------------------------------------------------------
 *
 * proto_fuzz.c
 *		Fuzz target for the readers of stream_proto.
 *
 * Input: a byte for the mode (bit 0 in a stream, bit 1 parallel), then one
 * message.  Whatever the readers accept must write back to the same bytes.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "lib/stringinfo.h"
#include "stream_proto.h"

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	StreamReader in;
	StreamMessage msg;
	StreamReadMode mode;
	StringInfoData out;
	const char *bytes;
	int			len;

	if (size == 0 || size > MAX_INPUT)
		return 0;
	mode.in_stream = (data[0] & 1) != 0;
	mode.parallel = (data[0] & 2) != 0;
	bytes = (const char *) data + 1;
	len = (int) size - 1;

	stream_proto_reader_init(&in);
	initStringInfo(&out);
	if (stream_proto_read(&in, bytes, len, mode, &msg))
	{
		stream_proto_write(&out, &msg);
		if (out.len != len || memcmp(out.data, bytes, len) != 0)
			abort();
		stream_proto_describe(&msg, &out);
	}
	else
	{
		if (in.error_offset < 0 || in.error_offset > len)
			abort();
		stream_proto_describe_error(&in, &out);
	}
	free(out.data);
	stream_proto_reader_free(&in);
	return 0;
}
