/*-------------------------------------------------------------------------
 *
 * stream_proto_read.c
 *		Readers of every message, the rules of order, one line per message.
 *
 * The input is foreign: no length, count or code in it is believed before it
 * was compared with the bytes that are there.  The first thing that is wrong
 * is kept in the reader and empties it, so that every later take of a field
 * fails quietly and the readers below need no branch per field.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_proto.h"

#define MIN_SPACE 1024

/* ----------------------------------------------------------------
 *		Taking fields.  "what" is the phrase for the error: the field's name
 *		and form.
 * ----------------------------------------------------------------
 */

/* Note what was expected at an offset, unless something failed before. */
static void
fail_at(StreamReader *in, int offset, const char *what)
{
	if (in->expected != NULL)
		return;
	in->expected = what;
	in->error_offset = offset;
	in->cursor = in->len;
}

/* Step over n bytes and return where they are, or NULL. */
static const char *
take_bytes(StreamReader *in, int n, const char *what)
{
	const char *p;

	if (in->expected != NULL || n > in->len - in->cursor)
	{
		fail_at(in, in->cursor, what);
		return NULL;
	}
	p = in->data + in->cursor;
	in->cursor += n;
	return p;
}

static uint8
take_int8(StreamReader *in, const char *what)
{
	const char *p = take_bytes(in, 1, what);

	return p ? (uint8) *p : 0;
}

static uint16
take_int16(StreamReader *in, const char *what)
{
	const char *p = take_bytes(in, sizeof(uint16), what);
	uint16		v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return stream_proto_swap16(v);
}

static uint32
take_int32(StreamReader *in, const char *what)
{
	const char *p = take_bytes(in, sizeof(uint32), what);
	uint32		v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return stream_proto_swap32(v);
}

static uint64
take_int64(StreamReader *in, const char *what)
{
	const char *p = take_bytes(in, sizeof(uint64), what);
	uint64		v = 0;

	if (p)
		memcpy(&v, p, sizeof(v));
	return stream_proto_swap64(v);
}

/* The string ends at the first NUL, which must be in the input. */
static const char *
take_string(StreamReader *in, const char *what)
{
	const char *start = in->data + in->cursor;
	const char *end = memchr(start, '\0', (size_t) (in->len - in->cursor));

	if (end == NULL)
	{
		fail_at(in, in->cursor, what);
		return "";
	}
	in->cursor += (int) (end - start) + 1;
	return start;
}

/* An xid or an oid, neither of which is ever zero on the wire. */
static uint32
take_id(StreamReader *in, const char *what)
{
	int			start = in->cursor;
	uint32		id = take_int32(in, what);

	if (id == 0)
		fail_at(in, start, what);
	return id;
}

/* An LSN that must be set. */
static uint64
take_lsn(StreamReader *in, const char *what)
{
	int			start = in->cursor;
	uint64		lsn = take_int64(in, what);

	if (lsn == 0)
		fail_at(in, start, what);
	return lsn;
}

/* A byte of which only the bits in mask may be set. */
static uint8
take_flags(StreamReader *in, uint8 mask, const char *what)
{
	int			start = in->cursor;
	uint8		flags = take_int8(in, what);

	if (flags & ~mask)
		fail_at(in, start, what);
	return flags;
}

/* A byte that must be one of those listed. */
static char
take_code(StreamReader *in, const char *codes, const char *what)
{
	int			start = in->cursor;
	char		code = (char) take_int8(in, what);

	if (code == '\0' || strchr(codes, code) == NULL)
		fail_at(in, start, what);
	return code;
}

/* How many things follow that take at least min_size bytes each. */
static int
take_count(StreamReader *in, int64 count, int min_size, const char *what)
{
	if (count < 0 || count > (in->len - in->cursor) / min_size)
	{
		fail_at(in, in->cursor, what);
		return 0;
	}
	return (int) count;
}

static TransactionId
take_stream_xid(StreamReader *in)
{
	return in->mode.in_stream ?
		take_id(in, "int32 xid of the change, not 0") : 0;
}

/*
 * Make sure the reader's space has that many bytes; what is in it is kept,
 * but may move.  Never NULL, so that an array of nothing has an address too.
 */
static void *
grow_space(StreamReader *in, size_t size)
{
	if (in->space == NULL || size > in->space_size)
	{
		if (size < MIN_SPACE)
			size = MIN_SPACE;
		in->space = in->space ? repalloc(in->space, size) : palloc(size);
		in->space_size = size;
	}
	return in->space;
}

/* ----------------------------------------------------------------
 *		Readers, in the order of the writers
 * ----------------------------------------------------------------
 */

void
stream_proto_read_begin(StreamReader *in, StreamMsgBegin *msg)
{
	msg->final_lsn = take_lsn(in, "int64 final LSN, not 0");
	msg->commit_time = (int64) take_int64(in, "int64 commit time");
	msg->xid = take_id(in, "int32 xid, not 0");
}

void
stream_proto_read_commit(StreamReader *in, StreamMsgCommit *msg)
{
	take_flags(in, 0, "int8 flags 0");
	msg->commit_lsn = take_int64(in, "int64 commit LSN");
	msg->end_lsn = take_int64(in, "int64 end LSN");
	msg->commit_time = (int64) take_int64(in, "int64 commit time");
}

void
stream_proto_read_origin(StreamReader *in, StreamMsgOrigin *msg)
{
	msg->lsn = take_int64(in, "int64 LSN at the origin");
	msg->name = take_string(in, "name of the origin, NUL-terminated");
}

void
stream_proto_read_message(StreamReader *in, StreamMsgMessage *msg)
{
	uint8		flags;

	msg->xid = take_stream_xid(in);
	flags = take_flags(in, STREAM_FLAG_TRANSACTIONAL, "int8 flags 0 or 1");
	msg->transactional = (flags & STREAM_FLAG_TRANSACTIONAL) != 0;
	msg->lsn = take_int64(in, "int64 LSN of the message");
	msg->prefix = take_string(in, "prefix, NUL-terminated");
	msg->length = (int32) take_int32(in, "int32 length of the content");
	msg->length = take_count(in, msg->length, 1, "as many bytes as announced");
	msg->content = take_bytes(in, msg->length, "content");
}

static void
read_relation_column(StreamReader *in, StreamRelationColumn *column)
{
	column->flags = take_flags(in, STREAM_FLAG_KEY, "int8 column flags 0 or 1");
	column->name = take_string(in, "column name, NUL-terminated");
	column->typid = take_id(in, "int32 oid of the column's type, not 0");
	column->typmod = (int32) take_int32(in, "int32 typmod");
}

void
stream_proto_read_relation(StreamReader *in, StreamRelationDesc *msg)
{
	StreamRelationColumn *columns;

	msg->xid = take_stream_xid(in);
	msg->relid = take_id(in, "int32 oid of the relation, not 0");
	msg->nspname = take_string(in, "schema name, NUL-terminated");
	msg->relname = take_string(in, "relation name, NUL-terminated");
	msg->replident = take_code(in, "dnfi", "replica identity d, n, f or i");
	msg->ncolumns = (int16) take_int16(in, "int16 number of columns");
	msg->ncolumns = take_count(in, msg->ncolumns, 1 + 1 + 4 + 4,
							   "as many columns as announced");
	columns = grow_space(in, (size_t) msg->ncolumns * sizeof(*columns));
	for (int i = 0; i < msg->ncolumns; i++)
		read_relation_column(in, &columns[i]);
	msg->columns = columns;
}

void
stream_proto_read_type(StreamReader *in, StreamTypeDesc *msg)
{
	msg->xid = take_stream_xid(in);
	msg->typid = take_id(in, "int32 oid of the type, not 0");
	msg->nspname = take_string(in, "schema name, NUL-terminated");
	msg->typname = take_string(in, "type name, NUL-terminated");
}

static void
read_column_value(StreamReader *in, StreamColumnValue *value)
{
	value->kind = take_code(in, "nutb", "column kind n, u, t or b");
	value->length = 0;
	value->data = NULL;
	if (value->kind == STREAM_COLUMN_TEXT ||
		value->kind == STREAM_COLUMN_BINARY)
	{
		value->length = (int32) take_int32(in, "int32 length of the value");
		value->length = take_count(in, value->length, 1,
								   "as many bytes as announced");
		value->data = take_bytes(in, value->length, "value");
	}
}

/*
 * The columns go into the reader's space behind the first "skip" ones.  The
 * space may still move, so the row sets the pointers when it is complete.
 */
static void
read_tuple(StreamReader *in, char kind, int skip, StreamTuple *tuple)
{
	StreamColumnValue *columns;
	int			ncolumns = (int16) take_int16(in, "int16 number of columns");

	ncolumns = take_count(in, ncolumns, 1, "as many columns as announced");
	columns = grow_space(in, ((size_t) skip + ncolumns) * sizeof(*columns));
	for (int i = 0; i < ncolumns; i++)
		read_column_value(in, &columns[skip + i]);
	tuple->kind = kind;
	tuple->ncolumns = ncolumns;
}

static void
read_row_head(StreamReader *in, StreamMsgRow *msg)
{
	memset(msg, 0, sizeof(*msg));
	msg->xid = take_stream_xid(in);
	msg->relid = take_id(in, "int32 oid of the relation, not 0");
}

void
stream_proto_read_insert(StreamReader *in, StreamMsgRow *msg)
{
	read_row_head(in, msg);
	read_tuple(in, take_code(in, "N", "new tuple (N)"), 0, &msg->newtuple);
	msg->newtuple.columns = in->space;
}

void
stream_proto_read_update(StreamReader *in, StreamMsgRow *msg)
{
	char		kind;

	read_row_head(in, msg);
	kind = take_code(in, "NKO", "tuple (N, K or O)");
	if (kind != STREAM_TUPLE_NEW)
	{
		read_tuple(in, kind, 0, &msg->oldtuple);
		kind = take_code(in, "N", "new tuple (N)");
	}
	read_tuple(in, kind, msg->oldtuple.ncolumns, &msg->newtuple);

	if (msg->oldtuple.kind != 0)
		msg->oldtuple.columns = in->space;
	msg->newtuple.columns =
		(const StreamColumnValue *) in->space + msg->oldtuple.ncolumns;
}

void
stream_proto_read_delete(StreamReader *in, StreamMsgRow *msg)
{
	read_row_head(in, msg);
	read_tuple(in, take_code(in, "KO", "old tuple (K or O)"), 0,
			   &msg->oldtuple);
	msg->oldtuple.columns = in->space;
}

void
stream_proto_read_truncate(StreamReader *in, StreamMsgTruncate *msg)
{
	uint8		flags;
	Oid		   *relids;

	msg->xid = take_stream_xid(in);
	msg->nrelids = (int32) take_int32(in, "int32 number of relations");
	flags = take_flags(in, STREAM_FLAG_CASCADE | STREAM_FLAG_RESTART,
					   "int8 flags 0 to 3");
	msg->cascade = (flags & STREAM_FLAG_CASCADE) != 0;
	msg->restart_identity = (flags & STREAM_FLAG_RESTART) != 0;
	msg->nrelids = take_count(in, msg->nrelids, 4,
							  "as many relations as announced");
	relids = grow_space(in, (size_t) msg->nrelids * sizeof(*relids));
	for (int i = 0; i < msg->nrelids; i++)
		relids[i] = take_id(in, "int32 oid of a relation, not 0");
	msg->relids = relids;
}

void
stream_proto_read_stream_start(StreamReader *in, StreamMsgStreamStart *msg)
{
	msg->xid = take_id(in, "int32 xid, not 0");
	msg->first = take_flags(in, 1, "int8 first, 0 or 1") != 0;
}

void
stream_proto_read_stream_commit(StreamReader *in, StreamMsgStreamCommit *msg)
{
	msg->xid = take_id(in, "int32 xid, not 0");
	take_flags(in, 0, "int8 flags 0");
	msg->commit_lsn = take_int64(in, "int64 commit LSN");
	msg->end_lsn = take_int64(in, "int64 end LSN");
	msg->commit_time = (int64) take_int64(in, "int64 commit time");
}

void
stream_proto_read_stream_abort(StreamReader *in, StreamMsgStreamAbort *msg)
{
	msg->xid = take_id(in, "int32 xid, not 0");
	msg->subxid = take_id(in, "int32 xid of what is rolled back, not 0");
	msg->has_info = in->mode.parallel;
	msg->abort_lsn = 0;
	msg->abort_time = 0;
	if (msg->has_info)
	{
		msg->abort_lsn = take_int64(in, "int64 abort LSN");
		msg->abort_time = (int64) take_int64(in, "int64 abort time");
	}
}

void
stream_proto_read_begin_prepare(StreamReader *in, StreamMsgPrepare *msg)
{
	msg->prepare_lsn = take_lsn(in, "int64 prepare LSN, not 0");
	msg->end_lsn = take_lsn(in, "int64 end LSN, not 0");
	msg->prepare_time = (int64) take_int64(in, "int64 prepare time");
	msg->xid = take_id(in, "int32 xid, not 0");
	msg->gid = take_string(in, "gid, NUL-terminated");
}

void
stream_proto_read_prepare(StreamReader *in, StreamMsgPrepare *msg)
{
	take_flags(in, 0, "int8 flags 0");
	stream_proto_read_begin_prepare(in, msg);
}

void
stream_proto_read_stream_prepare(StreamReader *in, StreamMsgPrepare *msg)
{
	stream_proto_read_prepare(in, msg);
}

void
stream_proto_read_commit_prepared(StreamReader *in,
								  StreamMsgCommitPrepared *msg)
{
	take_flags(in, 0, "int8 flags 0");
	msg->commit_lsn = take_lsn(in, "int64 commit LSN, not 0");
	msg->end_lsn = take_lsn(in, "int64 end LSN, not 0");
	msg->commit_time = (int64) take_int64(in, "int64 commit time");
	msg->xid = take_id(in, "int32 xid, not 0");
	msg->gid = take_string(in, "gid, NUL-terminated");
}

void
stream_proto_read_rollback_prepared(StreamReader *in,
									StreamMsgRollbackPrepared *msg)
{
	take_flags(in, 0, "int8 flags 0");
	msg->prepare_end_lsn = take_lsn(in, "int64 prepare end LSN, not 0");
	msg->rollback_end_lsn = take_lsn(in, "int64 rollback end LSN, not 0");
	msg->prepare_time = (int64) take_int64(in, "int64 prepare time");
	msg->rollback_time = (int64) take_int64(in, "int64 rollback time");
	msg->xid = take_id(in, "int32 xid, not 0");
	msg->gid = take_string(in, "gid, NUL-terminated");
}

/* ----------------------------------------------------------------
 *		A whole message
 * ----------------------------------------------------------------
 */

void
stream_proto_reader_init(StreamReader *in)
{
	memset(in, 0, sizeof(*in));
}

void
stream_proto_reader_free(StreamReader *in)
{
	if (in->space != NULL)
		pfree(in->space);
	stream_proto_reader_init(in);
}

/* What follows the message byte. */
static void
read_body(StreamReader *in, StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			stream_proto_read_begin(in, &msg->u.begin);
			break;
		case STREAM_MSG_COMMIT:
			stream_proto_read_commit(in, &msg->u.commit);
			break;
		case STREAM_MSG_ORIGIN:
			stream_proto_read_origin(in, &msg->u.origin);
			break;
		case STREAM_MSG_MESSAGE:
			stream_proto_read_message(in, &msg->u.message);
			break;
		case STREAM_MSG_RELATION:
			stream_proto_read_relation(in, &msg->u.relation);
			break;
		case STREAM_MSG_TYPE:
			stream_proto_read_type(in, &msg->u.typedesc);
			break;
		case STREAM_MSG_INSERT:
			stream_proto_read_insert(in, &msg->u.row);
			break;
		case STREAM_MSG_UPDATE:
			stream_proto_read_update(in, &msg->u.row);
			break;
		case STREAM_MSG_DELETE:
			stream_proto_read_delete(in, &msg->u.row);
			break;
		case STREAM_MSG_TRUNCATE:
			stream_proto_read_truncate(in, &msg->u.truncate);
			break;
		case STREAM_MSG_STREAM_START:
			stream_proto_read_stream_start(in, &msg->u.stream_start);
			break;
		case STREAM_MSG_STREAM_STOP:
			break;
		case STREAM_MSG_STREAM_COMMIT:
			stream_proto_read_stream_commit(in, &msg->u.stream_commit);
			break;
		case STREAM_MSG_STREAM_ABORT:
			stream_proto_read_stream_abort(in, &msg->u.stream_abort);
			break;
		case STREAM_MSG_BEGIN_PREPARE:
			stream_proto_read_begin_prepare(in, &msg->u.prepare);
			break;
		case STREAM_MSG_PREPARE:
			stream_proto_read_prepare(in, &msg->u.prepare);
			break;
		case STREAM_MSG_STREAM_PREPARE:
			stream_proto_read_stream_prepare(in, &msg->u.prepare);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			stream_proto_read_commit_prepared(in, &msg->u.commit_prepared);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			stream_proto_read_rollback_prepared(in, &msg->u.rollback_prepared);
			break;
	}
}

bool
stream_proto_read(StreamReader *in, const char *data, int len,
				  StreamReadMode mode, StreamMessage *msg)
{
	uint8		type;

	in->data = data;
	in->len = len;
	in->cursor = 0;
	in->mode = mode;
	in->expected = NULL;
	in->error_offset = 0;

	type = take_int8(in, "message byte");
	if (stream_proto_message_name(type) == NULL)
	{
		fail_at(in, 0, "message byte of protocol 1 to 4");
		return false;
	}
	msg->type = (StreamMessageType) type;
	read_body(in, msg);
	if (in->cursor != in->len)
		fail_at(in, in->cursor, "end of the message");
	return in->expected == NULL;
}

void
stream_proto_describe_error(const StreamReader *in, StringInfo out)
{
	appendStringInfo(out, "expected %s at byte %d of %d",
					 in->expected, in->error_offset, in->len);
}

/* ----------------------------------------------------------------
 *		Order
 * ----------------------------------------------------------------
 */

void
stream_proto_state_init(StreamProtoState *state, bool parallel)
{
	memset(state, 0, sizeof(*state));
	state->mode.parallel = parallel;
}

/* The rule that a message breaks where it stands, or NULL. */
static const char *
check_order(const StreamProtoState *state, const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_COMMIT:
			return state->open == STREAM_MSG_BEGIN ? NULL :
				"COMMIT without BEGIN";
		case STREAM_MSG_PREPARE:
			return state->open == STREAM_MSG_BEGIN_PREPARE ? NULL :
				"PREPARE without BEGIN PREPARE";
		case STREAM_MSG_STREAM_STOP:
			return state->open == STREAM_MSG_STREAM_START ? NULL :
				"STREAM STOP without STREAM START";
		case STREAM_MSG_ORIGIN:
			return state->origin_allowed ? NULL :
				"ORIGIN not right after BEGIN, BEGIN PREPARE or the first STREAM START";
		case STREAM_MSG_MESSAGE:
			return state->open != 0 || !msg->u.message.transactional ? NULL :
				"transactional MESSAGE outside a transaction";
		case STREAM_MSG_RELATION:
		case STREAM_MSG_TYPE:
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
		case STREAM_MSG_TRUNCATE:
			return state->open != 0 ? NULL :
				"change or schema outside a transaction";
		default:
			return state->open == 0 ? NULL :
				"start or end of a transaction inside another or inside a stream block";
	}
}

const char *
stream_proto_track(StreamProtoState *state, const StreamMessage *msg)
{
	const char *broken = check_order(state, msg);

	state->origin_allowed = false;
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
		case STREAM_MSG_BEGIN_PREPARE:
			state->open = (char) msg->type;
			state->origin_allowed = true;
			break;
		case STREAM_MSG_STREAM_START:
			state->open = (char) msg->type;
			state->origin_allowed = msg->u.stream_start.first;
			break;
		case STREAM_MSG_COMMIT:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_STOP:
			state->open = 0;
			break;
		default:
			break;
	}
	state->mode.in_stream = state->open == STREAM_MSG_STREAM_START;
	return broken;
}
