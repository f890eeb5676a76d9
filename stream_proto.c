/*-------------------------------------------------------------------------
 *
 * stream_proto.c
 *		Writers of every message; stream_proto_read.c has their readers.
 *
 * A writer appends one message in the order in which the header lists its
 * fields.  Nothing here decides anything, looks anything up or keeps anything.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "stream_proto.h"

/* A NUL-terminated string, in the client's encoding. */
static void
put_string(StringInfo out, const char *s)
{
	char	   *converted = pg_server_to_client(s, (int) strlen(s));

	stream_proto_put_bytes(out, converted, (int) strlen(converted) + 1);
	if (converted != s)
		pfree(converted);
}

/* Message byte and [xid]. */
static void
put_head(StringInfo out, StreamMessageType type, TransactionId xid)
{
	stream_proto_finish(out,
						stream_proto_store_head(stream_proto_reserve(out, 5),
												type, xid));
}

void
stream_proto_write_begin(StringInfo out, const StreamMsgBegin *msg)
{
	char	   *p = stream_proto_reserve(out, 21);

	p = stream_proto_store_int8(p, STREAM_MSG_BEGIN);
	p = stream_proto_store_int64(p, msg->final_lsn);
	p = stream_proto_store_int64(p, (uint64) msg->commit_time);
	p = stream_proto_store_int32(p, msg->xid);
	stream_proto_finish(out, p);
}

/* What COMMIT and STREAM COMMIT end with. */
static char *
store_commit(char *p, uint64 commit_lsn, uint64 end_lsn, int64 commit_time)
{
	p = stream_proto_store_int8(p, 0);
	p = stream_proto_store_int64(p, commit_lsn);
	p = stream_proto_store_int64(p, end_lsn);
	return stream_proto_store_int64(p, (uint64) commit_time);
}

void
stream_proto_write_commit(StringInfo out, const StreamMsgCommit *msg)
{
	char	   *p = stream_proto_reserve(out, 26);

	p = stream_proto_store_int8(p, STREAM_MSG_COMMIT);
	p = store_commit(p, msg->commit_lsn, msg->end_lsn, msg->commit_time);
	stream_proto_finish(out, p);
}

void
stream_proto_write_origin(StringInfo out, const StreamMsgOrigin *msg)
{
	stream_proto_put_int8(out, STREAM_MSG_ORIGIN);
	stream_proto_put_int64(out, msg->lsn);
	put_string(out, msg->name);
}

/*
 * The prefix is a string like any other; the content is bytes and goes out as
 * it is, since nobody knows what it means.
 */
void
stream_proto_write_message(StringInfo out, const StreamMsgMessage *msg)
{
	put_head(out, STREAM_MSG_MESSAGE, msg->xid);
	stream_proto_put_int8(out,
						  msg->transactional ? STREAM_FLAG_TRANSACTIONAL : 0);
	stream_proto_put_int64(out, msg->lsn);
	put_string(out, msg->prefix);
	stream_proto_put_int32(out, (uint32) msg->length);
	stream_proto_put_bytes(out, msg->content, msg->length);
}

void
stream_proto_write_relation(StringInfo out, const StreamRelationDesc *msg)
{
	put_head(out, STREAM_MSG_RELATION, msg->xid);
	stream_proto_put_int32(out, msg->relid);
	put_string(out, msg->nspname);
	put_string(out, msg->relname);
	stream_proto_put_int8(out, (uint8) msg->replident);
	stream_proto_put_int16(out, (uint16) msg->ncolumns);
	for (int i = 0; i < msg->ncolumns; i++)
	{
		const StreamRelationColumn *column = &msg->columns[i];

		stream_proto_put_int8(out, column->flags);
		put_string(out, column->name);
		stream_proto_put_int32(out, column->typid);
		stream_proto_put_int32(out, (uint32) column->typmod);
	}
}

void
stream_proto_write_type(StringInfo out, const StreamTypeDesc *msg)
{
	put_head(out, STREAM_MSG_TYPE, msg->xid);
	stream_proto_put_int32(out, msg->typid);
	put_string(out, msg->nspname);
	put_string(out, msg->typname);
}

static void
put_tuple(StringInfo out, const StreamTuple *tuple)
{
	stream_proto_begin_tuple(out, (StreamTupleKind) tuple->kind,
							 tuple->ncolumns);
	for (int i = 0; i < tuple->ncolumns; i++)
	{
		const StreamColumnValue *value = &tuple->columns[i];

		if (value->kind == STREAM_COLUMN_TEXT ||
			value->kind == STREAM_COLUMN_BINARY)
			stream_proto_put_value(out, (StreamColumnKind) value->kind,
								   value->data, value->length);
		else
			stream_proto_put_int8(out, (uint8) value->kind);
	}
}

void
stream_proto_write_insert(StringInfo out, const StreamMsgRow *msg)
{
	stream_proto_begin_row(out, STREAM_MSG_INSERT, msg->xid, msg->relid);
	put_tuple(out, &msg->newtuple);
}

void
stream_proto_write_update(StringInfo out, const StreamMsgRow *msg)
{
	stream_proto_begin_row(out, STREAM_MSG_UPDATE, msg->xid, msg->relid);
	if (msg->oldtuple.kind != 0)
		put_tuple(out, &msg->oldtuple);
	put_tuple(out, &msg->newtuple);
}

void
stream_proto_write_delete(StringInfo out, const StreamMsgRow *msg)
{
	stream_proto_begin_row(out, STREAM_MSG_DELETE, msg->xid, msg->relid);
	put_tuple(out, &msg->oldtuple);
}

void
stream_proto_write_truncate(StringInfo out, const StreamMsgTruncate *msg)
{
	uint8		flags = 0;

	if (msg->cascade)
		flags |= STREAM_FLAG_CASCADE;
	if (msg->restart_identity)
		flags |= STREAM_FLAG_RESTART;
	put_head(out, STREAM_MSG_TRUNCATE, msg->xid);
	stream_proto_put_int32(out, (uint32) msg->nrelids);
	stream_proto_put_int8(out, flags);
	for (int i = 0; i < msg->nrelids; i++)
		stream_proto_put_int32(out, msg->relids[i]);
}

void
stream_proto_write_stream_start(StringInfo out,
								const StreamMsgStreamStart *msg)
{
	char	   *p = stream_proto_reserve(out, 6);

	p = stream_proto_store_int8(p, STREAM_MSG_STREAM_START);
	p = stream_proto_store_int32(p, msg->xid);
	p = stream_proto_store_int8(p, msg->first ? 1 : 0);
	stream_proto_finish(out, p);
}

void
stream_proto_write_stream_stop(StringInfo out)
{
	stream_proto_put_int8(out, STREAM_MSG_STREAM_STOP);
}

void
stream_proto_write_stream_commit(StringInfo out,
								 const StreamMsgStreamCommit *msg)
{
	char	   *p = stream_proto_reserve(out, 30);

	p = stream_proto_store_int8(p, STREAM_MSG_STREAM_COMMIT);
	p = stream_proto_store_int32(p, msg->xid);
	p = store_commit(p, msg->commit_lsn, msg->end_lsn, msg->commit_time);
	stream_proto_finish(out, p);
}

void
stream_proto_write_stream_abort(StringInfo out,
								const StreamMsgStreamAbort *msg)
{
	char	   *p = stream_proto_reserve(out, 25);

	p = stream_proto_store_int8(p, STREAM_MSG_STREAM_ABORT);
	p = stream_proto_store_int32(p, msg->xid);
	p = stream_proto_store_int32(p, msg->subxid);
	if (msg->has_info)
	{
		p = stream_proto_store_int64(p, msg->abort_lsn);
		p = stream_proto_store_int64(p, (uint64) msg->abort_time);
	}
	stream_proto_finish(out, p);
}

/* All that the three prepare messages have in common. */
static void
put_prepare(StringInfo out, const StreamMsgPrepare *msg)
{
	char	   *p = stream_proto_reserve(out, 28);

	p = stream_proto_store_int64(p, msg->prepare_lsn);
	p = stream_proto_store_int64(p, msg->end_lsn);
	p = stream_proto_store_int64(p, (uint64) msg->prepare_time);
	p = stream_proto_store_int32(p, msg->xid);
	stream_proto_finish(out, p);
	put_string(out, msg->gid);
}

/* The only one of the family without flags. */
void
stream_proto_write_begin_prepare(StringInfo out, const StreamMsgPrepare *msg)
{
	stream_proto_put_int8(out, STREAM_MSG_BEGIN_PREPARE);
	put_prepare(out, msg);
}

void
stream_proto_write_prepare(StringInfo out, const StreamMsgPrepare *msg)
{
	stream_proto_put_int8(out, STREAM_MSG_PREPARE);
	stream_proto_put_int8(out, 0);
	put_prepare(out, msg);
}

void
stream_proto_write_stream_prepare(StringInfo out, const StreamMsgPrepare *msg)
{
	stream_proto_put_int8(out, STREAM_MSG_STREAM_PREPARE);
	stream_proto_put_int8(out, 0);
	put_prepare(out, msg);
}

void
stream_proto_write_commit_prepared(StringInfo out,
								   const StreamMsgCommitPrepared *msg)
{
	char	   *p = stream_proto_reserve(out, 30);

	p = stream_proto_store_int8(p, STREAM_MSG_COMMIT_PREPARED);
	p = store_commit(p, msg->commit_lsn, msg->end_lsn, msg->commit_time);
	p = stream_proto_store_int32(p, msg->xid);
	stream_proto_finish(out, p);
	put_string(out, msg->gid);
}

void
stream_proto_write_rollback_prepared(StringInfo out,
									 const StreamMsgRollbackPrepared *msg)
{
	char	   *p = stream_proto_reserve(out, 38);

	p = stream_proto_store_int8(p, STREAM_MSG_ROLLBACK_PREPARED);
	p = stream_proto_store_int8(p, 0);
	p = stream_proto_store_int64(p, msg->prepare_end_lsn);
	p = stream_proto_store_int64(p, msg->rollback_end_lsn);
	p = stream_proto_store_int64(p, (uint64) msg->prepare_time);
	p = stream_proto_store_int64(p, (uint64) msg->rollback_time);
	p = stream_proto_store_int32(p, msg->xid);
	stream_proto_finish(out, p);
	put_string(out, msg->gid);
}

void
stream_proto_write(StringInfo out, const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			stream_proto_write_begin(out, &msg->u.begin);
			break;
		case STREAM_MSG_COMMIT:
			stream_proto_write_commit(out, &msg->u.commit);
			break;
		case STREAM_MSG_ORIGIN:
			stream_proto_write_origin(out, &msg->u.origin);
			break;
		case STREAM_MSG_MESSAGE:
			stream_proto_write_message(out, &msg->u.message);
			break;
		case STREAM_MSG_RELATION:
			stream_proto_write_relation(out, &msg->u.relation);
			break;
		case STREAM_MSG_TYPE:
			stream_proto_write_type(out, &msg->u.typedesc);
			break;
		case STREAM_MSG_INSERT:
			stream_proto_write_insert(out, &msg->u.row);
			break;
		case STREAM_MSG_UPDATE:
			stream_proto_write_update(out, &msg->u.row);
			break;
		case STREAM_MSG_DELETE:
			stream_proto_write_delete(out, &msg->u.row);
			break;
		case STREAM_MSG_TRUNCATE:
			stream_proto_write_truncate(out, &msg->u.truncate);
			break;
		case STREAM_MSG_STREAM_START:
			stream_proto_write_stream_start(out, &msg->u.stream_start);
			break;
		case STREAM_MSG_STREAM_STOP:
			stream_proto_write_stream_stop(out);
			break;
		case STREAM_MSG_STREAM_COMMIT:
			stream_proto_write_stream_commit(out, &msg->u.stream_commit);
			break;
		case STREAM_MSG_STREAM_ABORT:
			stream_proto_write_stream_abort(out, &msg->u.stream_abort);
			break;
		case STREAM_MSG_BEGIN_PREPARE:
			stream_proto_write_begin_prepare(out, &msg->u.prepare);
			break;
		case STREAM_MSG_PREPARE:
			stream_proto_write_prepare(out, &msg->u.prepare);
			break;
		case STREAM_MSG_STREAM_PREPARE:
			stream_proto_write_stream_prepare(out, &msg->u.prepare);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			stream_proto_write_commit_prepared(out, &msg->u.commit_prepared);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			stream_proto_write_rollback_prepared(out,
												 &msg->u.rollback_prepared);
			break;
	}
}
