/*
 * decode.c
 *		Read a slot once, over the SQL interface or over a walsender.
 */
#include <endian.h>
#include <poll.h>
#include <time.h>

#include "decode.h"

/* Give up on a call that is silent for so long. */
#define TIMEOUT_SECONDS 180

const char *const interface_name[NUM_INTERFACES] = {"sql", "walsender"};

static uint64
read_int64(const char *bytes)
{
	uint64		value;

	memcpy(&value, bytes, sizeof(value));
	return be64toh(value);
}

static uint32
read_int32(const char *bytes)
{
	uint32		value;

	memcpy(&value, bytes, sizeof(value));
	return be32toh(value);
}

char *
quote(const char *text)
{
	char	   *quoted = malloc(2 * strlen(text) + 3);
	char	   *out = quoted;

	if (quoted == NULL)
		die("out of memory");
	*out++ = '\'';
	for (; *text != '\0'; text++)
	{
		if (*text == '\'')
			*out++ = '\'';
		*out++ = *text;
	}
	*out++ = '\'';
	*out = '\0';
	return quoted;
}

void
option_add(OptionList *options, const char *name, const char *value)
{
	if (options->count == MAX_OPTIONS)
		die("more than %d options", MAX_OPTIONS);
	options->item[options->count++] = (Option) {name, value};
}

PGconn *
connect_or_die(const char *conninfo, const char *dbname, const char *encoding,
			   bool replication)
{
	const char *keywords[] = {"dbname", "dbname", "client_encoding",
		"replication", NULL};
	const char *values[] = {conninfo, dbname, encoding,
		replication ? "database" : NULL, NULL};
	PGconn	   *conn = PQconnectdbParams(keywords, values, 1);

	if (PQstatus(conn) != CONNECTION_OK)
		die("cannot connect to database \"%s\": %s", dbname,
			PQerrorMessage(conn));
	return conn;
}

/* Put a word in place of each occurrence of another one, which is longer. */
static void
replace_name(char *text, const char *name, const char *word)
{
	size_t		length = strlen(word);

	while ((text = strstr(text, name)) != NULL)
	{
		memmove(text + length, text + strlen(name),
				strlen(text + strlen(name)) + 1);
		memcpy(text, word, length);
		text += length;
	}
}

/* All texts of an error or notice, in one string that tells no sides apart. */
static char *
describe_result(const PGresult *result, const Side *side)
{
	static const int fields[] = {PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY,
		PG_DIAG_MESSAGE_DETAIL, PG_DIAG_MESSAGE_HINT, PG_DIAG_CONTEXT};
	char	   *text = format("%s", "");

	for (size_t i = 0; i < lengthof(fields); i++)
	{
		const char *field = PQresultErrorField(result, fields[i]);
		char	   *longer = format("%s%s%s", text, *text ? " | " : "",
									field != NULL ? field : "-");

		free(text);
		text = longer;
	}
	replace_name(text, side->plugin, "PLUGIN");
	replace_name(text, side->slot_prefix, "SLOT");
	return text;
}

static void
receive_notice(void *arg, const PGresult *result)
{
	Side	   *side = arg;
	char	   *text = describe_result(result, side);

	string_list_add(&side->decoded.notices, text);
	free(text);
}

static void
keep_error(Side *side, const PGresult *result)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);

	side->decoded.error = describe_result(result, side);
	snprintf(side->decoded.sqlstate, sizeof(side->decoded.sqlstate), "%s",
			 sqlstate != NULL ? sqlstate : "-----");
}

void
side_open(Side *side, const char *conninfo, const char *dbname)
{
	for (int i = 0; i < NUM_INTERFACES; i++)
	{
		side->conn[i] = connect_or_die(conninfo, dbname, NULL,
									   i == INTERFACE_WALSENDER);
		PQsetNoticeReceiver(side->conn[i], receive_notice, side);
	}
}

void
side_close(Side *side)
{
	for (int i = 0; i < NUM_INTERFACES; i++)
		PQfinish(side->conn[i]);
}

static void
keep_message(Decoded *decoded, Message message)
{
	if ((decoded->count & (decoded->count - 1)) == 0)
		decoded->message = repalloc(decoded->message, sizeof(Message) *
									(decoded->count ? 2 * decoded->count : 1));
	decoded->message[decoded->count++] = message;
}

void
decode_free(Decoded *decoded)
{
	for (int i = 0; i < decoded->count; i++)
		PQfreemem(decoded->message[i].owned);
	for (int i = 0; i < decoded->notices.count; i++)
		free(decoded->notices.item[i]);
	free(decoded->notices.item);
	free(decoded->message);
	free(decoded->error);
	PQclear(decoded->result);
	memset(decoded, 0, sizeof(*decoded));
}

/* The options as elements of an SQL array, or as a replication command's. */
static char *
options_text(const OptionList *options, Interface interface)
{
	char	   *text = format("%s", "");

	for (int i = 0; i < options->count; i++)
	{
		const Option *option = &options->item[i];
		char	   *value = option->value ? quote(option->value) : format(" ");
		char	   *longer;

		if (interface == INTERFACE_SQL)
			longer = format("%s%s'%s', %s", text, i ? ", " : "", option->name,
							value);
		else
			longer = format("%s%s\"%s\" %s", text, i ? ", " : "", option->name,
							value);
		free(text);
		free(value);
		text = longer;
	}
	return text;
}

void
decode_start(Side *side, Interface interface, const char *slot,
			 uint64 target, const OptionList *options)
{
	char	   *text = options_text(options, interface);
	char	   *command;
	int			sent;

	if (interface == INTERFACE_SQL)
		command = format("SELECT lsn, xid, data "
						 "FROM pg_logical_slot_peek_binary_changes('%s_%s', "
						 "'%X/%X', NULL, VARIADIC ARRAY[%s]::text[])",
						 side->slot_prefix, slot, (uint32) (target >> 32),
						 (uint32) target, text);
	else
		command = format("START_REPLICATION SLOT \"%s_%s\" LOGICAL 0/0%s%s%s",
						 side->slot_prefix, slot, *text ? " (" : "", text,
						 *text ? ")" : "");
	if (interface == INTERFACE_SQL)
		sent = PQsendQueryParams(side->conn[interface], command, 0, NULL, NULL,
								 NULL, NULL, 1);
	else
		sent = PQsendQuery(side->conn[interface], command);
	if (!sent)
		die("cannot send \"%s\": %s", command,
			PQerrorMessage(side->conn[interface]));
	free(text);
	free(command);
}

/* A connection that is gone means that the server crashed or hangs. */
static void
check_connection(Side *side, Interface interface)
{
	if (PQstatus(side->conn[interface]) != CONNECTION_OK)
		die("plugin %s broke the connection (%s): %s", side->plugin,
			interface_name[interface], PQerrorMessage(side->conn[interface]));
}

static void
finish_sql(Side *side)
{
	PGconn	   *conn = side->conn[INTERFACE_SQL];
	Decoded    *decoded = &side->decoded;
	PGresult   *extra;

	decoded->result = PQgetResult(conn);
	while ((extra = PQgetResult(conn)) != NULL)
		PQclear(extra);
	if (PQresultStatus(decoded->result) != PGRES_TUPLES_OK)
	{
		keep_error(side, decoded->result);
		return;
	}
	for (int row = 0; row < PQntuples(decoded->result); row++)
		keep_message(decoded, (Message) {
			.lsn = read_int64(PQgetvalue(decoded->result, row, 0)),
			.xid = read_int32(PQgetvalue(decoded->result, row, 1)),
			.data = PQgetvalue(decoded->result, row, 2),
			.length = PQgetlength(decoded->result, row, 2)
		});
}

/* Tell the server nothing but that we would like a keepalive. */
static void
request_keepalive(PGconn *conn)
{
	char		status[34] = {'r'};

	status[33] = 1;
	if (PQputCopyData(conn, status, sizeof(status)) != 1 || PQflush(conn) < 0)
		die("cannot send to the walsender: %s", PQerrorMessage(conn));
}

/*
 * Wait for bytes from the server; ask for a sign of life when none come, unless
 * the stream was ended.
 */
static void
wait_for_input(PGconn *conn, bool ended, const char *plugin)
{
	struct pollfd fd = {.fd = PQsocket(conn),.events = POLLIN};
	int			ready = 0;

	for (int i = 0; i < TIMEOUT_SECONDS * 10 && ready == 0; i++)
	{
		ready = poll(&fd, 1, 100);
		if (ready == 0 && !ended)
			request_keepalive(conn);
	}
	if (ready <= 0)
		die("plugin %s: no byte from the walsender in %d s", plugin,
			TIMEOUT_SECONDS);
	PQconsumeInput(conn);
}

/*
 * Take one copy-data frame.  Returns true if it was a keepalive that says
 * that the target has been reached.
 */
static bool
take_frame(Decoded *decoded, char *frame, int length, uint64 target)
{
	bool		done = false;

	if (frame[0] == 'w' && length >= 25)
	{
		keep_message(decoded, (Message) {
			.lsn = read_int64(frame + 1),
			.wal_end = read_int64(frame + 9),
			.data = frame + 25,
			.length = length - 25,
			.owned = frame
		});
		return false;
	}
	if (frame[0] == 'k' && length == 18)
		done = read_int64(frame + 1) >= target;
	else
		die("the walsender sent a frame of unknown kind 0x%02x",
			(unsigned char) frame[0]);
	PQfreemem(frame);
	return done;
}

/* Send a command that must fail with the SQLSTATE given. */
static void
provoke(PGconn *conn, const char *command, const char *sqlstate)
{
	PGresult   *result;
	char	   *frame;
	bool		failed = false;

	PQsendQuery(conn, command);
	while ((result = PQgetResult(conn)) != NULL)
	{
		const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);

		if (PQresultStatus(result) == PGRES_COPY_BOTH &&
			PQgetCopyData(conn, &frame, false) >= 0)
			die("\"%s\" did not fail", command);
		failed |= code != NULL && strcmp(code, sqlstate) == 0;
		PQclear(result);
	}
	if (!failed)
		die("\"%s\" did not fail with %s: %s", command, sqlstate,
			PQerrorMessage(conn));
}

/*
 * Make a walsender that has streamed as good as new, since a new connection
 * for each stream takes many times as long as the stream itself.
 *
 * It remembers that its client has ended the stream, and would end the next
 * logical one before it begins.  The start of a physical one makes it
 * forget; from where there is no WAL, that fails.  And its catalog caches are
 * those of the end of the stream, but are expected to be those of a session
 * that has never decoded.  Decoding by SQL function throws them away, even if
 * it fails because the slot is a physical one.
 */
static void
renew_walsender(PGconn *conn)
{
	provoke(conn, "START_REPLICATION PHYSICAL FFFFFFFF/0", "XX000");
	provoke(conn, "SELECT pg_logical_slot_peek_changes('" PHYSICAL_SLOT
			"', NULL, NULL)", "55000");
}

static void
finish_walsender(Side *side, uint64 target)
{
	PGconn	   *conn = side->conn[INTERFACE_WALSENDER];
	PGresult   *result = PQgetResult(conn);
	bool		ended = false;
	char	   *frame;
	int			length;

	while (PQresultStatus(result) == PGRES_COPY_BOTH &&
		   (length = PQgetCopyData(conn, &frame, true)) >= 0)
	{
		if (length == 0)
			wait_for_input(conn, ended, side->plugin);
		else if (take_frame(&side->decoded, frame, length, target) && !ended)
		{
			ended = true;
			if (PQputCopyEnd(conn, NULL) != 1 || PQflush(conn) < 0)
				die("cannot end the stream: %s", PQerrorMessage(conn));
		}
	}
	do
	{
		if (PQresultStatus(result) == PGRES_FATAL_ERROR)
			keep_error(side, result);
		PQclear(result);
	} while ((result = PQgetResult(conn)) != NULL);
	renew_walsender(conn);
}

void
decode_finish(Side *side, Interface interface, uint64 target)
{
	if (interface == INTERFACE_SQL)
		finish_sql(side);
	else
		finish_walsender(side, target);
	check_connection(side, interface);
}
