/*-------------------------------------------------------------------------
 *
 * stream_inspect_detail.c
 *		The fields of messages that have no column of their own, as jsonb.
 *
 * These messages are few beside rows: their fields become JSON text, and the
 * server makes jsonb of it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"

#include "stream_inspect_row.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/pg_lsn.h"
#include "utils/timestamp.h"

/* ----------------------------------------------------------------
 *		JSON text: {"name": value, ...
 * ----------------------------------------------------------------
 */

static void
add_key(StringInfo out, const char *key)
{
	appendStringInfo(out, "%s\"%s\": ", out->len == 0 ? "{" : ", ", key);
}

static void
add_string(StringInfo out, const char *key, const char *value)
{
	add_key(out, key);
	escape_json(out, value);
}

static void
add_bool(StringInfo out, const char *key, bool value)
{
	add_key(out, key);
	appendStringInfoString(out, value ? "true" : "false");
}

static void
add_id(StringInfo out, const char *key, uint32 id)
{
	add_key(out, key);
	appendStringInfo(out, "%u", id);
}

static void
add_lsn(StringInfo out, const char *key, uint64 lsn)
{
	add_string(out, key,
			   DatumGetCString(DirectFunctionCall1(pg_lsn_out,
												   LSNGetDatum(lsn))));
}

/* As timestamptz, or if it cannot be one, the microseconds since 2000. */
static void
add_time(StringInfo out, const char *key, int64 time)
{
	char		buf[MAXDATELEN + 1];

	if (TIMESTAMP_NOT_FINITE(time) || IS_VALID_TIMESTAMP(time))
	{
		JsonEncodeDateTime(buf, TimestampTzGetDatum(time), TIMESTAMPTZOID,
						   NULL);
		add_string(out, key, buf);
		return;
	}
	add_key(out, key);
	appendStringInfo(out, INT64_FORMAT, time);
}

/* ----------------------------------------------------------------
 *		Messages, field by field
 * ----------------------------------------------------------------
 */

static void
add_gid(StringInfo out, const StreamRowMaker *maker, const StreamWalk *walk,
		const char *gid)
{
	add_string(out, "gid", stream_inspect_string(maker, walk, gid));
}

static void
add_commit(StringInfo out, uint64 commit_lsn, uint64 end_lsn,
		   int64 commit_time)
{
	add_lsn(out, "commit_lsn", commit_lsn);
	add_lsn(out, "end_lsn", end_lsn);
	add_time(out, "commit_time", commit_time);
}

static void
add_prepare(StringInfo out, const StreamRowMaker *maker,
			const StreamWalk *walk)
{
	const StreamMsgPrepare *msg = &walk->msg.u.prepare;

	add_gid(out, maker, walk, msg->gid);
	add_lsn(out, "prepare_lsn", msg->prepare_lsn);
	add_lsn(out, "end_lsn", msg->end_lsn);
	add_time(out, "prepare_time", msg->prepare_time);
}

static void
add_rollback_prepared(StringInfo out, const StreamRowMaker *maker,
					  const StreamWalk *walk)
{
	const StreamMsgRollbackPrepared *msg = &walk->msg.u.rollback_prepared;

	add_gid(out, maker, walk, msg->gid);
	add_lsn(out, "prepare_end_lsn", msg->prepare_end_lsn);
	add_lsn(out, "rollback_end_lsn", msg->rollback_end_lsn);
	add_time(out, "prepare_time", msg->prepare_time);
	add_time(out, "rollback_time", msg->rollback_time);
}

static void
add_stream_abort(StringInfo out, const StreamMsgStreamAbort *msg)
{
	if (!msg->has_info)
		return;
	add_lsn(out, "abort_lsn", msg->abort_lsn);
	add_time(out, "abort_time", msg->abort_time);
}

static void
add_hex(StringInfo out, const char *key, const char *data, int length)
{
	if (length > STREAM_JSON_MAX_LENGTH / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a message's content is too large to be shown as jsonb")));
	add_key(out, key);
	appendStringInfoString(out, "{\"hex\": \"");
	enlargeStringInfo(out, 2 * length);
	out->len += (int) hex_encode(data, length, out->data + out->len);
	out->data[out->len] = '\0';
	appendStringInfoString(out, "\"}");
}

/*
 * The content is any bytes.  If they are text in the database's encoding, as
 * pg_logical_emit_message(..., text) leaves them, they are shown as such.
 */
static void
add_message(StringInfo out, const StreamRowMaker *maker,
			const StreamWalk *walk)
{
	const StreamMsgMessage *msg = &walk->msg.u.message;
	int			valid = pg_encoding_verifymbstr(GetDatabaseEncoding(),
												msg->content, msg->length);
	StreamErrorPlace place;

	add_bool(out, "transactional", msg->transactional);
	add_lsn(out, "lsn", msg->lsn);
	add_string(out, "prefix", stream_inspect_string(maker, walk, msg->prefix));

	stream_inspect_begin_place(&place, walk,
							   (int) (msg->content - walk->reader.data));
	if (valid == msg->length)
		add_string(out, "content", pnstrdup(msg->content, msg->length));
	else
		add_hex(out, "content", msg->content, msg->length);
	stream_inspect_end_place(&place);
}

static const char *
identity_name(char replident)
{
	switch (replident)
	{
		case 'n':
			return "nothing";
		case 'f':
			return "full";
		case 'i':
			return "index";
		default:
			return "default";
	}
}

static void
add_column(StringInfo out, const StreamRowMaker *maker,
		   const StreamWalk *walk, const StreamRelationColumn *column)
{
	appendStringInfoString(out, "{\"name\": ");
	escape_json(out, stream_inspect_string(maker, walk, column->name));
	add_string(out, "type",
			   stream_inspect_type_name(maker, walk, column->typid));
	add_id(out, "typid", column->typid);
	add_key(out, "typmod");
	appendStringInfo(out, "%d", column->typmod);
	add_bool(out, "key", (column->flags & STREAM_FLAG_KEY) != 0);
	appendStringInfoChar(out, '}');
}

static void
add_relation(StringInfo out, const StreamRowMaker *maker,
			 const StreamWalk *walk)
{
	const StreamRelationDesc *msg = &walk->msg.u.relation;

	add_id(out, "relid", msg->relid);
	add_string(out, "replica_identity", identity_name(msg->replident));
	add_key(out, "columns");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < msg->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoString(out, ", ");
		add_column(out, maker, walk, &msg->columns[i]);
	}
	appendStringInfoChar(out, ']');
}

static void
add_type(StringInfo out, const StreamRowMaker *maker, const StreamWalk *walk)
{
	const StreamTypeDesc *msg = &walk->msg.u.typedesc;

	add_id(out, "typid", msg->typid);
	add_string(out, "type", stream_inspect_type_name(maker, walk, msg->typid));
}

static void
add_truncate(StringInfo out, const StreamMsgTruncate *msg)
{
	add_key(out, "relids");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < msg->nrelids; i++)
		appendStringInfo(out, "%s%u", i > 0 ? ", " : "", msg->relids[i]);
	appendStringInfoChar(out, ']');
	add_bool(out, "cascade", msg->cascade);
	add_bool(out, "restart_identity", msg->restart_identity);
}

/* All fields that have no column of their own. */
static void
add_fields(StringInfo out, const StreamRowMaker *maker,
		   const StreamWalk *walk)
{
	const StreamMessage *msg = &walk->msg;

	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			add_lsn(out, "final_lsn", msg->u.begin.final_lsn);
			add_time(out, "commit_time", msg->u.begin.commit_time);
			break;
		case STREAM_MSG_COMMIT:
			add_commit(out, msg->u.commit.commit_lsn, msg->u.commit.end_lsn,
					   msg->u.commit.commit_time);
			break;
		case STREAM_MSG_ORIGIN:
			add_string(out, "origin",
					   stream_inspect_string(maker, walk, msg->u.origin.name));
			add_lsn(out, "origin_lsn", msg->u.origin.lsn);
			break;
		case STREAM_MSG_MESSAGE:
			add_message(out, maker, walk);
			break;
		case STREAM_MSG_RELATION:
			add_relation(out, maker, walk);
			break;
		case STREAM_MSG_TYPE:
			add_type(out, maker, walk);
			break;
		case STREAM_MSG_TRUNCATE:
			add_truncate(out, &msg->u.truncate);
			break;
		case STREAM_MSG_STREAM_START:
			add_bool(out, "first", msg->u.stream_start.first);
			break;
		case STREAM_MSG_STREAM_COMMIT:
			add_commit(out, msg->u.stream_commit.commit_lsn,
					   msg->u.stream_commit.end_lsn,
					   msg->u.stream_commit.commit_time);
			break;
		case STREAM_MSG_STREAM_ABORT:
			add_stream_abort(out, &msg->u.stream_abort);
			break;
		case STREAM_MSG_BEGIN_PREPARE:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_PREPARE:
			add_prepare(out, maker, walk);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			add_gid(out, maker, walk, msg->u.commit_prepared.gid);
			add_commit(out, msg->u.commit_prepared.commit_lsn,
					   msg->u.commit_prepared.end_lsn,
					   msg->u.commit_prepared.commit_time);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			add_rollback_prepared(out, maker, walk);
			break;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
		case STREAM_MSG_STREAM_STOP:
			break;
	}
}

Datum
stream_inspect_make_detail(const StreamRowMaker *maker, const StreamWalk *walk)
{
	StringInfoData out;
	StreamErrorPlace place;
	Datum		detail;

	initStringInfo(&out);
	add_fields(&out, maker, walk);
	if (out.len == 0)
		return (Datum) 0;
	appendStringInfoChar(&out, '}');

	stream_inspect_begin_place(&place, walk, 0);
	detail = DirectFunctionCall1(jsonb_in, CStringGetDatum(out.data));
	stream_inspect_end_place(&place);
	return detail;
}
