/*-------------------------------------------------------------------------
 *
 * stream_proto_describe.c
 *		One line for people per message.
 *
 * Every field is shown, and in a form that tells different bytes apart, so
 * that two lines can be compared instead of two messages.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_proto.h"

const char *
stream_proto_message_name(int type)
{
	switch (type)
	{
		case STREAM_MSG_BEGIN:
			return "BEGIN";
		case STREAM_MSG_COMMIT:
			return "COMMIT";
		case STREAM_MSG_ORIGIN:
			return "ORIGIN";
		case STREAM_MSG_MESSAGE:
			return "MESSAGE";
		case STREAM_MSG_RELATION:
			return "RELATION";
		case STREAM_MSG_TYPE:
			return "TYPE";
		case STREAM_MSG_INSERT:
			return "INSERT";
		case STREAM_MSG_UPDATE:
			return "UPDATE";
		case STREAM_MSG_DELETE:
			return "DELETE";
		case STREAM_MSG_TRUNCATE:
			return "TRUNCATE";
		case STREAM_MSG_STREAM_START:
			return "STREAM START";
		case STREAM_MSG_STREAM_STOP:
			return "STREAM STOP";
		case STREAM_MSG_STREAM_COMMIT:
			return "STREAM COMMIT";
		case STREAM_MSG_STREAM_ABORT:
			return "STREAM ABORT";
		case STREAM_MSG_BEGIN_PREPARE:
			return "BEGIN PREPARE";
		case STREAM_MSG_PREPARE:
			return "PREPARE";
		case STREAM_MSG_COMMIT_PREPARED:
			return "COMMIT PREPARED";
		case STREAM_MSG_ROLLBACK_PREPARED:
			return "ROLLBACK PREPARED";
		case STREAM_MSG_STREAM_PREPARE:
			return "STREAM PREPARE";
	}
	return NULL;
}

/* ----------------------------------------------------------------
 *		Fields.  Each starts with the blank that parts it from the last.
 * ----------------------------------------------------------------
 */

/* 'text', with \' \\ and \xHH inside */
static void
show_quoted(StringInfo out, const char *data, int length)
{
	appendStringInfoChar(out, '\'');
	for (int i = 0; i < length; i++)
	{
		unsigned char c = (unsigned char) data[i];

		if (c == '\'' || c == '\\')
			appendStringInfo(out, "\\%c", c);
		else if (c < 0x20 || c > 0x7e)
			appendStringInfo(out, "\\x%02x", c);
		else
			appendStringInfoChar(out, (char) c);
	}
	appendStringInfoChar(out, '\'');
}

/* \x00ff */
static void
show_hex(StringInfo out, const char *data, int length)
{
	static const char digits[] = "0123456789abcdef";

	appendStringInfoString(out, "\\x");
	for (int i = 0; i < length; i++)
	{
		unsigned char c = (unsigned char) data[i];

		appendStringInfoChar(out, digits[c >> 4]);
		appendStringInfoChar(out, digits[c & 15]);
	}
}

static void
show_string(StringInfo out, const char *label, const char *s)
{
	appendStringInfo(out, " %s=", label);
	show_quoted(out, s, (int) strlen(s));
}

static void
show_id(StringInfo out, const char *label, uint32 id)
{
	appendStringInfo(out, " %s=%u", label, id);
}

static void
show_stream_xid(StringInfo out, TransactionId xid)
{
	if (xid != 0)
		show_id(out, "xid", xid);
}

static void
show_lsn(StringInfo out, const char *label, uint64 lsn)
{
	appendStringInfo(out, " %s=%X/%X", label,
					 (uint32) (lsn >> 32), (uint32) lsn);
}

/*
 * Year, month and day of a day counted from 0000-03-01 (not negative), in
 * years that start in March, so that the leap day comes last.
 */
static void
split_day(int64 day, int64 *year, int *month, int *mday)
{
	int64		era = day / 146097; /* 400 years */
	int			doe = (int) (day % 146097);
	int			yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int			doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	int			mp = (5 * doy + 2) / 153;

	*mday = doy - (153 * mp + 2) / 5 + 1;
	*month = mp < 10 ? mp + 3 : mp - 9;
	*year = era * 400 + yoe + (*month <= 2 ? 1 : 0);
}

/* Microseconds since 2000 as UTC; the plain number for times before year 0. */
static void
show_time(StringInfo out, const char *label, int64 time)
{
	const int64 day_usecs = INT64CONST(86400000000);
	const int64 epoch_day = 730425; /* 2000-01-01 from 0000-03-01 */
	int64		day = time / day_usecs;
	int64		usecs = time % day_usecs;
	int64		year;
	int			month;
	int			mday;
	int			secs;

	if (usecs < 0)
	{
		usecs += day_usecs;
		day--;
	}
	if (day + epoch_day < 0)
	{
		appendStringInfo(out, " %s=%lld", label, (long long) time);
		return;
	}
	split_day(day + epoch_day, &year, &month, &mday);
	secs = (int) (usecs / 1000000);
	appendStringInfo(out, " %s=%04lld-%02d-%02dT%02d:%02d:%02d.%06dZ", label,
					 (long long) year, month, mday,
					 secs / 3600, secs / 60 % 60, secs % 60,
					 (int) (usecs % 1000000));
}

/* ----------------------------------------------------------------
 *		Messages with a list in them
 * ----------------------------------------------------------------
 */

static void
show_value(StringInfo out, const StreamColumnValue *value)
{
	switch (value->kind)
	{
		case STREAM_COLUMN_NULL:
			appendStringInfoString(out, "null");
			break;
		case STREAM_COLUMN_UNCHANGED:
			appendStringInfoString(out, "unchanged");
			break;
		case STREAM_COLUMN_TEXT:
			show_quoted(out, value->data, value->length);
			break;
		case STREAM_COLUMN_BINARY:
			show_hex(out, value->data, value->length);
			break;
	}
}

static void
show_tuple(StringInfo out, const StreamTuple *tuple)
{
	if (tuple->kind == 0)
		return;
	appendStringInfo(out, " %c(", tuple->kind);
	for (int i = 0; i < tuple->ncolumns; i++)
	{
		appendStringInfo(out, "%s%d:", i > 0 ? ", " : "", i + 1);
		show_value(out, &tuple->columns[i]);
	}
	appendStringInfoChar(out, ')');
}

static void
show_row(StringInfo out, const StreamMsgRow *msg)
{
	show_stream_xid(out, msg->xid);
	show_id(out, "rel", msg->relid);
	show_tuple(out, &msg->oldtuple);
	show_tuple(out, &msg->newtuple);
}

static void
show_relation(StringInfo out, const StreamRelationDesc *msg)
{
	show_stream_xid(out, msg->xid);
	show_id(out, "rel", msg->relid);
	show_string(out, "schema", msg->nspname);
	show_string(out, "name", msg->relname);
	appendStringInfo(out, " identity=%c (", msg->replident);
	for (int i = 0; i < msg->ncolumns; i++)
	{
		const StreamRelationColumn *column = &msg->columns[i];

		appendStringInfo(out, "%s%d:", i > 0 ? ", " : "", i + 1);
		show_quoted(out, column->name, (int) strlen(column->name));
		show_id(out, "type", column->typid);
		appendStringInfo(out, " typmod=%d", column->typmod);
		if (column->flags & STREAM_FLAG_KEY)
			appendStringInfoString(out, " key");
	}
	appendStringInfoChar(out, ')');
}

static void
show_truncate(StringInfo out, const StreamMsgTruncate *msg)
{
	show_stream_xid(out, msg->xid);
	appendStringInfo(out, " cascade=%d restart_identity=%d (",
					 msg->cascade, msg->restart_identity);
	for (int i = 0; i < msg->nrelids; i++)
		appendStringInfo(out, "%s%u", i > 0 ? ", " : "", msg->relids[i]);
	appendStringInfoChar(out, ')');
}

static void
show_message(StringInfo out, const StreamMsgMessage *msg)
{
	show_stream_xid(out, msg->xid);
	appendStringInfo(out, " transactional=%d", msg->transactional);
	show_lsn(out, "lsn", msg->lsn);
	show_string(out, "prefix", msg->prefix);
	appendStringInfo(out, " length=%d ", msg->length);
	show_quoted(out, msg->content, msg->length);
}

static void
show_type(StringInfo out, const StreamTypeDesc *msg)
{
	show_stream_xid(out, msg->xid);
	show_id(out, "type", msg->typid);
	show_string(out, "schema", msg->nspname);
	show_string(out, "name", msg->typname);
}

/* ----------------------------------------------------------------
 *		Messages that open and close transactions and stream blocks
 * ----------------------------------------------------------------
 */

static void
show_commit(StringInfo out, uint64 commit_lsn, uint64 end_lsn,
			int64 commit_time)
{
	show_lsn(out, "lsn", commit_lsn);
	show_lsn(out, "end", end_lsn);
	show_time(out, "time", commit_time);
}

static void
show_begin(StringInfo out, const StreamMsgBegin *msg)
{
	show_id(out, "xid", msg->xid);
	show_lsn(out, "final", msg->final_lsn);
	show_time(out, "time", msg->commit_time);
}

static void
show_stream_abort(StringInfo out, const StreamMsgStreamAbort *msg)
{
	show_id(out, "xid", msg->xid);
	show_id(out, "subxid", msg->subxid);
	if (msg->has_info)
	{
		show_lsn(out, "lsn", msg->abort_lsn);
		show_time(out, "time", msg->abort_time);
	}
}

static void
show_prepare(StringInfo out, const StreamMsgPrepare *msg)
{
	show_id(out, "xid", msg->xid);
	show_string(out, "gid", msg->gid);
	show_commit(out, msg->prepare_lsn, msg->end_lsn, msg->prepare_time);
}

static void
show_rollback_prepared(StringInfo out, const StreamMsgRollbackPrepared *msg)
{
	show_id(out, "xid", msg->xid);
	show_string(out, "gid", msg->gid);
	show_lsn(out, "prepare_end", msg->prepare_end_lsn);
	show_lsn(out, "end", msg->rollback_end_lsn);
	show_time(out, "prepare_time", msg->prepare_time);
	show_time(out, "time", msg->rollback_time);
}

void
stream_proto_describe(const StreamMessage *msg, StringInfo out)
{
	appendStringInfoString(out, stream_proto_message_name(msg->type));
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			show_begin(out, &msg->u.begin);
			break;
		case STREAM_MSG_COMMIT:
			show_commit(out, msg->u.commit.commit_lsn, msg->u.commit.end_lsn,
						msg->u.commit.commit_time);
			break;
		case STREAM_MSG_ORIGIN:
			show_string(out, "name", msg->u.origin.name);
			show_lsn(out, "lsn", msg->u.origin.lsn);
			break;
		case STREAM_MSG_MESSAGE:
			show_message(out, &msg->u.message);
			break;
		case STREAM_MSG_RELATION:
			show_relation(out, &msg->u.relation);
			break;
		case STREAM_MSG_TYPE:
			show_type(out, &msg->u.typedesc);
			break;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
			show_row(out, &msg->u.row);
			break;
		case STREAM_MSG_TRUNCATE:
			show_truncate(out, &msg->u.truncate);
			break;
		case STREAM_MSG_STREAM_START:
			show_id(out, "xid", msg->u.stream_start.xid);
			appendStringInfo(out, " first=%d", msg->u.stream_start.first);
			break;
		case STREAM_MSG_STREAM_STOP:
			break;
		case STREAM_MSG_STREAM_COMMIT:
			show_id(out, "xid", msg->u.stream_commit.xid);
			show_commit(out, msg->u.stream_commit.commit_lsn,
						msg->u.stream_commit.end_lsn,
						msg->u.stream_commit.commit_time);
			break;
		case STREAM_MSG_STREAM_ABORT:
			show_stream_abort(out, &msg->u.stream_abort);
			break;
		case STREAM_MSG_BEGIN_PREPARE:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_PREPARE:
			show_prepare(out, &msg->u.prepare);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			show_id(out, "xid", msg->u.commit_prepared.xid);
			show_string(out, "gid", msg->u.commit_prepared.gid);
			show_commit(out, msg->u.commit_prepared.commit_lsn,
						msg->u.commit_prepared.end_lsn,
						msg->u.commit_prepared.commit_time);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			show_rollback_prepared(out, &msg->u.rollback_prepared);
			break;
	}
}
