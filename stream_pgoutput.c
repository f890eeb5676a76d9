/*-------------------------------------------------------------------------
 *
 * stream_pgoutput.c
 *		The plugin: callbacks, and the pipeline from a change to its messages.
 *
 * Every callback runs in the change's memory context, which is reset at its
 * end.  The server may end any callback with an error, notice that the
 * transaction was rolled back meanwhile, and go on with the next one without
 * telling; so nothing is kept half done across a catalog access, and where a
 * stream block begins, the state of the one before does not matter.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"

#include "stream_change.h"
#include "stream_options.h"
#include "stream_session.h"

#include "access/transam.h"
#include "replication/origin.h"

STREAM_MODULE_MAGIC("stream_pgoutput", STREAM_PGOUTPUT_VERSION);

extern PGDLLEXPORT void _PG_init(void);
extern PGDLLEXPORT void _PG_output_plugin_init(OutputPluginCallbacks *cb);

/* How many records that were held back for their origin may be uncounted. */
#define HELD_PER_PUBLISH	100

static void
startup_cb(LogicalDecodingContext *ctx, OutputPluginOptions *opt, bool is_init)
{
	opt->output_type = OUTPUT_PLUGIN_BINARY_OUTPUT;
	stream_session_begin(ctx, is_init);
}

static void
shutdown_cb(LogicalDecodingContext *ctx)
{
	stream_session_end(ctx);
}

static bool
filter_by_origin_cb(LogicalDecodingContext *ctx, StreamOriginId origin_id)
{
	StreamSession *session = ctx->output_plugin_private;

	if (!session->options.origin_none || origin_id == STREAM_NO_ORIGIN)
		return false;
	stream_stats_count(session->stats, STREAM_COUNT_HELD_ORIGIN);

	/* No end of a transaction tells of these. */
	if (session->stats->counts[STREAM_COUNT_HELD_ORIGIN] >= HELD_PER_PUBLISH)
		stream_stats_publish(session->stats);
	return true;
}

/* ----------------------------------------------------------------
 *		Changes
 * ----------------------------------------------------------------
 */

/* TYPE for each column whose type is not built in, then RELATION. */
static void
send_relation(StreamSession *session, TransactionId xid,
			  const StreamRelation *entry, Relation relation)
{
	StreamMessage msg = {.type = STREAM_MSG_RELATION};
	StreamRelationDesc *desc = &msg.u.relation;

	stream_relation_describe(entry, relation, desc);
	desc->xid = xid;

	for (int i = 0; i < desc->ncolumns; i++)
	{
		StreamMessage type = {.type = STREAM_MSG_TYPE};

		if (desc->columns[i].typid < FirstGenbkiObjectId)
			continue;
		stream_relation_describe_type(desc->columns[i].typid, &type.u.typedesc);
		type.u.typedesc.xid = xid;
		stream_session_send(session, false, &type);
	}
	stream_session_send(session, false, &msg);
}

/*
 * Describe the relation unless that was done already.  One that is sent as an
 * ancestor is described after the ancestor, as pgoutput does.
 */
static void
send_schema(StreamSession *session, ReorderBufferTXN *txn, TransactionId xid,
			StreamRelation *entry, Relation relation)
{
	StreamSentSchemas *schemas = session->in_block ?
		&stream_session_get_transaction(session, txn)->schemas : NULL;

	if (stream_relation_is_sent(entry, schemas))
		return;

	if (entry->decision.publish_as != entry->relid)
	{
		Relation	ancestor = stream_relation_open(entry->decision.publish_as);

		send_relation(session, xid, entry, ancestor);
		RelationClose(ancestor);
	}
	send_relation(session, xid, entry, relation);
	stream_relation_set_sent(entry, schemas);
}

static void
write_row(StringInfo out, TransactionId xid, StreamRelation *entry,
		  const StreamChange *change)
{
	Oid			relid = entry->decision.publish_as;
	StreamColumns *columns = entry->columns;

	switch (change->action)
	{
		case STREAM_ACTION_INSERT:
			stream_proto_begin_row(out, STREAM_MSG_INSERT, xid, relid);
			stream_tuple_write(out, columns, STREAM_TUPLE_NEW, &change->newrow);
			break;
		case STREAM_ACTION_UPDATE:
			stream_proto_begin_row(out, STREAM_MSG_UPDATE, xid, relid);
			if (change->oldrow.values)
				stream_tuple_write(out, columns, entry->old_kind, &change->oldrow);
			stream_tuple_write(out, columns, STREAM_TUPLE_NEW, &change->newrow);
			break;
		case STREAM_ACTION_DELETE:
			stream_proto_begin_row(out, STREAM_MSG_DELETE, xid, relid);
			stream_tuple_write(out, columns, entry->old_kind, &change->oldrow);
			break;
		case STREAM_ACTION_TRUNCATE:
			Assert(false);
			break;
	}
}

static StreamAction
get_action(const ReorderBufferChange *change)
{
	switch (change->action)
	{
		case REORDER_BUFFER_CHANGE_INSERT:
			return STREAM_ACTION_INSERT;
		case REORDER_BUFFER_CHANGE_UPDATE:
			return STREAM_ACTION_UPDATE;
		case REORDER_BUFFER_CHANGE_DELETE:
			return STREAM_ACTION_DELETE;
		default:
			elog(ERROR, "unexpected change of kind %d", (int) change->action);
	}
	return STREAM_ACTION_INSERT;	/* not reached */
}

/* The change is not sent.  Nothing published of the table is the first reason. */
static void
count_held(StreamSession *session, StreamRelation *entry, StreamCounter reason)
{
	if (!stream_relation_publishes_any(entry))
		reason = STREAM_COUNT_HELD_UNPUBLISHED;
	stream_stats_count(session->stats, reason);
	stream_stats_count_table(session->stats, entry->decision.publish_as,
							 &entry->stats_place, STREAM_TABLE_HELD, 0);
}

static void
count_row(StreamSession *session, StreamRelation *entry, StreamAction action,
		  Size size)
{
	stream_stats_count(session->stats, STREAM_COUNT_INSERTS + action);
	stream_stats_count_table(session->stats, entry->decision.publish_as,
							 &entry->stats_place, STREAM_TABLE_INSERTS + action,
							 size);
}

/* A published change of a row: filter it, and send what is left. */
static void
send_row(StreamSession *session, ReorderBufferTXN *txn,
		 StreamRelation *entry, Relation relation, StreamChange *row,
		 const ReorderBufferChange *change)
{
	TransactionId xid = stream_session_wire_xid(session, change->txn);

	stream_relation_deform(entry, stream_old_tuple(change),
						   stream_new_tuple(change), row);
	if (entry->filter && !stream_filter_apply(entry->filter, row))
	{
		count_held(session, entry, STREAM_COUNT_HELD_FILTER);
		return;
	}

	stream_session_open(session, txn);
	send_schema(session, txn, xid, entry, relation);
	write_row(stream_transport_begin_message(&session->transport, true),
			  xid, entry, row);
	count_row(session, entry, row->action,
			  stream_transport_end_message(&session->transport));
}

static void
change_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
		  Relation relation, ReorderBufferChange *change)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamRelation *entry;

	stream_transport_keep_alive(&session->transport);
	entry = stream_relation_lookup(session->relations, relation);
	if (entry)
	{
		StreamChange row = {.action = get_action(change)};

		/* A DELETE without an old row has nothing to tell. */
		if (stream_relation_publishes(entry, row.action) &&
			(row.action != STREAM_ACTION_DELETE || stream_old_tuple(change)))
			send_row(session, txn, entry, relation, &row, change);
		else
			count_held(session, entry, STREAM_COUNT_HELD_ACTION);
	}
	stream_session_leave(session, old);
}

/*
 * Is this relation part of a TRUNCATE message?  A partition that is sent as
 * its ancestor is not: only a TRUNCATE of the ancestor is.
 */
static bool
publishes_truncate(const StreamRelation *entry, Relation relation)
{
	if (!stream_relation_publishes(entry, STREAM_ACTION_TRUNCATE))
		return false;
	return !relation->rd_rel->relispartition ||
		entry->decision.publish_as == entry->relid;
}

static void
truncate_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
			int nrelations, Relation relations[], ReorderBufferChange *change)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	Oid		   *relids = palloc(nrelations * sizeof(Oid));
	TransactionId xid = stream_session_wire_xid(session, change->txn);
	StreamMessage msg = {
		.type = STREAM_MSG_TRUNCATE,
		.u.truncate = {
			.xid = xid,
			.cascade = change->data.truncate.cascade,
			.restart_identity = change->data.truncate.restart_seqs,
			.relids = relids,
		},
	};

	stream_transport_keep_alive(&session->transport);
	for (int i = 0; i < nrelations; i++)
	{
		StreamRelation *entry;

		entry = stream_relation_lookup(session->relations, relations[i]);
		if (entry == NULL)
			continue;
		if (!stream_relation_publishes(entry, STREAM_ACTION_TRUNCATE))
			count_held(session, entry, STREAM_COUNT_HELD_ACTION);
		if (!publishes_truncate(entry, relations[i]))
			continue;

		stream_stats_count_table(session->stats, entry->relid,
								 &entry->stats_place, STREAM_TABLE_TRUNCATES, 0);
		relids[msg.u.truncate.nrelids++] = entry->relid;
		stream_session_open(session, txn);
		send_schema(session, txn, xid, entry, relations[i]);
	}

	if (msg.u.truncate.nrelids > 0)
		stream_session_send(session, true, &msg);
	stream_session_leave(session, old);
}

/* A message outside transactions stands alone: no BEGIN before it. */
static void
message_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
		   XLogRecPtr message_lsn, bool transactional, const char *prefix,
		   Size size, const char *content)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);

	stream_transport_keep_alive(&session->transport);
	if (session->options.messages)
	{
		StreamMessage msg = {
			.type = STREAM_MSG_MESSAGE,
			.u.message = {
				.xid = stream_session_wire_xid(session, txn),
				.transactional = transactional,
				.lsn = message_lsn,
				.prefix = prefix,
				.length = (int) size,
				.content = content,
			},
		};

		if (transactional)
			stream_session_open(session, txn);
		stream_session_send(session, true, &msg);
		if (!transactional)
			stream_stats_publish(session->stats);
	}
	stream_session_leave(session, old);
}

/* ----------------------------------------------------------------
 *		Plain transactions.  One that sends nothing is not announced.
 * ----------------------------------------------------------------
 */

static void
begin_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn)
{
	stream_session_get_transaction(ctx->output_plugin_private, txn);
}

static void
commit_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
		  XLogRecPtr commit_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	bool		skipped = !stream_session_is_announced(txn);

	stream_session_end_transaction(txn);
	stream_transport_end_transaction(&session->transport, skipped);
	if (skipped)
		stream_stats_count(session->stats, STREAM_COUNT_EMPTY);
	else
	{
		StreamMessage msg = {
			.type = STREAM_MSG_COMMIT,
			.u.commit = {
				.commit_lsn = commit_lsn,
				.end_lsn = txn->end_lsn,
				.commit_time = stream_commit_time(txn),
			},
		};

		stream_session_send(session, true, &msg);
	}
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

/* ----------------------------------------------------------------
 *		Prepared transactions.  They are always announced: whether one was
 *		left out would be forgotten by the time of COMMIT PREPARED.
 * ----------------------------------------------------------------
 */

/* BEGIN PREPARE, PREPARE or STREAM PREPARE */
static StreamMessage
make_prepare(StreamMessageType type, const ReorderBufferTXN *txn,
			 XLogRecPtr prepare_lsn)
{
	StreamMessage msg = {
		.type = type,
		.u.prepare = {
			.prepare_lsn = prepare_lsn,
			.end_lsn = txn->end_lsn,
			.prepare_time = stream_prepare_time(txn),
			.xid = txn->xid,
			.gid = txn->gid,
		},
	};

	return msg;
}

static void
begin_prepare_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamMessage msg = make_prepare(STREAM_MSG_BEGIN_PREPARE, txn,
									 txn->final_lsn);

	stream_session_announce(session, txn, &msg, txn->origin_lsn);
	stream_session_leave(session, old);
}

static void
prepare_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
		   XLogRecPtr prepare_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamMessage msg = make_prepare(STREAM_MSG_PREPARE, txn, prepare_lsn);

	stream_session_end_transaction(txn);
	stream_transport_end_transaction(&session->transport, false);
	stream_session_send(session, true, &msg);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

static void
commit_prepared_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
				   XLogRecPtr commit_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamMessage msg = {
		.type = STREAM_MSG_COMMIT_PREPARED,
		.u.commit_prepared = {
			.commit_lsn = commit_lsn,
			.end_lsn = txn->end_lsn,
			.commit_time = stream_commit_time(txn),
			.xid = txn->xid,
			.gid = txn->gid,
		},
	};

	stream_transport_end_transaction(&session->transport, false);
	stream_session_send(session, true, &msg);
	stream_session_end_transaction(txn);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

static void
rollback_prepared_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
					 XLogRecPtr prepare_end_lsn, TimestampTz prepare_time)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamMessage msg = {
		.type = STREAM_MSG_ROLLBACK_PREPARED,
		.u.rollback_prepared = {
			.prepare_end_lsn = prepare_end_lsn,
			.rollback_end_lsn = txn->end_lsn,
			.prepare_time = prepare_time,
			.rollback_time = stream_commit_time(txn),
			.xid = txn->xid,
			.gid = txn->gid,
		},
	};

	stream_transport_end_transaction(&session->transport, false);
	stream_session_send(session, true, &msg);
	stream_session_end_transaction(txn);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

/* ----------------------------------------------------------------
 *		Streamed transactions.  Blocks do not nest; COMMIT, ABORT and PREPARE
 *		stand outside of them.
 * ----------------------------------------------------------------
 */

static void
stream_start_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);

	session->in_block = false;
	session->block_sent = false;
	if (!session->options.skip_empty_streams)
		stream_session_start_block(session, txn);
	session->in_block = true;
	stream_session_leave(session, old);
}

static void
stream_stop_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);

	if (session->block_sent)
		stream_session_stop_block(session);
	session->in_block = false;
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

/*
 * Of a transaction or a subtransaction.  18 also reports what it threw away
 * before any block was begun; the client has never heard of that and must not
 * now.
 */
static void
stream_abort_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
				XLogRecPtr abort_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	ReorderBufferTXN *toptxn = rbtxn_get_toptxn(txn);

	if (stream_session_is_announced(toptxn))
	{
		StreamTransaction *transaction = toptxn->output_plugin_private;
		StreamMessage msg = {
			.type = STREAM_MSG_STREAM_ABORT,
			.u.stream_abort = {
				.xid = toptxn->xid,
				.subxid = txn->xid,
				.has_info = session->options.streaming == LOGICALREP_STREAM_PARALLEL,
				.abort_lsn = abort_lsn,
				.abort_time = stream_abort_time(txn),
			},
		};

		stream_session_send(session, true, &msg);

		/* The client forgets what it learnt in the aborted part. */
		stream_relation_forget_sent(&transaction->schemas);
	}
	if (txn == toptxn)
		stream_session_end_transaction(txn);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

static void
stream_commit_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
				 XLogRecPtr commit_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	bool		skipped = !stream_session_is_announced(txn);

	stream_transport_end_transaction(&session->transport, skipped);
	if (skipped)
		stream_stats_count(session->stats, STREAM_COUNT_EMPTY);
	else
	{
		StreamMessage msg = {
			.type = STREAM_MSG_STREAM_COMMIT,
			.u.stream_commit = {
				.xid = txn->xid,
				.commit_lsn = commit_lsn,
				.end_lsn = txn->end_lsn,
				.commit_time = stream_commit_time(txn),
			},
		};

		stream_session_send(session, true, &msg);
		stream_relation_commit_sent(session->relations,
									&stream_session_get_transaction(session, txn)->schemas);
	}
	stream_session_end_transaction(txn);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

/*
 * Not skipped even if nothing was sent: whether it was would be forgotten by
 * the time of COMMIT PREPARED, as above.  It stays announced until then: if
 * the end of it is left out because of its origin, core aborts the stream.
 */
static void
stream_prepare_cb(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
				  XLogRecPtr prepare_lsn)
{
	MemoryContext old;
	StreamSession *session = stream_session_enter(ctx, &old);
	StreamMessage msg = make_prepare(STREAM_MSG_STREAM_PREPARE, txn,
									 prepare_lsn);

	if (!stream_session_is_announced(txn))
	{
		stream_session_start_block(session, txn);
		stream_session_stop_block(session);
	}
	stream_transport_end_transaction(&session->transport, false);
	stream_session_send(session, true, &msg);
	if (stream_is_newest_minor())
		stream_relation_commit_sent(session->relations,
									&stream_session_get_transaction(session, txn)->schemas);
	stream_stats_publish(session->stats);
	stream_session_leave(session, old);
}

/* ----------------------------------------------------------------
 *		Loading
 * ----------------------------------------------------------------
 */

void
_PG_init(void)
{
	stream_options_define_settings();
	stream_stats_request_memory();
}

void
_PG_output_plugin_init(OutputPluginCallbacks *cb)
{
	cb->startup_cb = startup_cb;
	cb->shutdown_cb = shutdown_cb;
	cb->filter_by_origin_cb = filter_by_origin_cb;

	cb->begin_cb = begin_cb;
	cb->change_cb = change_cb;
	cb->truncate_cb = truncate_cb;
	cb->message_cb = message_cb;
	cb->commit_cb = commit_cb;

	cb->begin_prepare_cb = begin_prepare_cb;
	cb->prepare_cb = prepare_cb;
	cb->commit_prepared_cb = commit_prepared_cb;
	cb->rollback_prepared_cb = rollback_prepared_cb;

	cb->stream_start_cb = stream_start_cb;
	cb->stream_stop_cb = stream_stop_cb;
	cb->stream_abort_cb = stream_abort_cb;
	cb->stream_commit_cb = stream_commit_cb;
	cb->stream_prepare_cb = stream_prepare_cb;
	cb->stream_change_cb = change_cb;
	cb->stream_message_cb = message_cb;
	cb->stream_truncate_cb = truncate_cb;
}
