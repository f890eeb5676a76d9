/*-------------------------------------------------------------------------
 *
 * stream_session.c
 *		What lives as long as a decoding of a slot, and as its transactions;
 *		and the messages that open a transaction or a stream block.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_session.h"

#include "replication/origin.h"

/* ----------------------------------------------------------------
 *		Sessions and transactions
 * ----------------------------------------------------------------
 */

static StreamSession *
make_session(LogicalDecodingContext *ctx)
{
	MemoryContext context = AllocSetContextCreate(ctx->context,
												  "stream_pgoutput session",
												  ALLOCSET_DEFAULT_SIZES);
	StreamSession *session = MemoryContextAllocZero(context,
													sizeof(StreamSession));

	session->context = context;
	session->change_context = AllocSetContextCreate(context,
													"stream_pgoutput change",
													ALLOCSET_DEFAULT_SIZES);
	return session;
}

void
stream_session_begin(LogicalDecodingContext *ctx, bool is_init)
{
	StreamSession *session = make_session(ctx);
	MemoryContext old = MemoryContextSwitchTo(session->context);

	ctx->output_plugin_private = session;
	if (is_init)
	{
		ctx->streaming = false;
		ctx->twophase = false;
		session->stats = stream_stats_begin_creation(ctx->slot);
	}
	else
	{
		stream_options_parse(ctx->output_plugin_options, &session->options);
		stream_options_negotiate(&session->options, ctx);
		session->stats = stream_stats_begin(ctx->slot);
		session->relations = stream_relation_begin(&session->options,
												   session->stats);
		stream_transport_begin(&session->transport, ctx,
							   (Size) session->options.flush_size * 1024,
							   session->options.track_timing, session->stats);
	}
	MemoryContextSwitchTo(old);
}

void
stream_session_end(LogicalDecodingContext *ctx)
{
	StreamSession *session = ctx->output_plugin_private;

	ctx->output_plugin_private = NULL;
	if (session == NULL)
		return;
	stream_stats_publish(session->stats);
	MemoryContextDelete(session->context);
}

StreamTransaction *
stream_session_get_transaction(StreamSession *session, ReorderBufferTXN *txn)
{
	StreamTransaction *transaction = txn->output_plugin_private;

	if (transaction == NULL)
	{
		transaction = MemoryContextAllocZero(session->context,
											 sizeof(StreamTransaction));
		transaction->schemas.context = session->context;
		txn->output_plugin_private = transaction;
	}
	return transaction;
}

void
stream_session_end_transaction(ReorderBufferTXN *txn)
{
	StreamTransaction *transaction = txn->output_plugin_private;

	if (transaction == NULL)
		return;
	stream_relation_forget_sent(&transaction->schemas);
	pfree(transaction);
	txn->output_plugin_private = NULL;
}

void
stream_session_send(StreamSession *session, bool last_write,
					const StreamMessage *msg)
{
	stream_proto_write(stream_transport_begin_message(&session->transport,
													  last_write),
					   msg);
	stream_transport_end_message(&session->transport);
	stream_stats_count_message(session->stats, msg);
}

/* ----------------------------------------------------------------
 *		Opening: BEGIN, STREAM START, and their ORIGIN
 * ----------------------------------------------------------------
 */

/* Name of the transaction's origin, NULL if it has none that is known. */
static char *
get_origin_name(const ReorderBufferTXN *txn)
{
	char	   *name;

	if (txn->origin_id == STREAM_NO_ORIGIN ||
		!replorigin_by_oid(txn->origin_id, true, &name))
		return NULL;
	return name;
}

/*
 * The name is looked up first: nothing is to be half done across a catalog
 * access.
 */
void
stream_session_announce(StreamSession *session, ReorderBufferTXN *txn,
						const StreamMessage *msg, XLogRecPtr origin_lsn)
{
	StreamMessage origin = {
		.type = STREAM_MSG_ORIGIN,
		.u.origin = {.lsn = origin_lsn,.name = get_origin_name(txn)},
	};

	stream_session_send(session, txn->origin_id == STREAM_NO_ORIGIN, msg);
	stream_session_get_transaction(session, txn)->announced = true;
	if (origin.u.origin.name)
		stream_session_send(session, true, &origin);
}

void
stream_session_send_begin(StreamSession *session, ReorderBufferTXN *txn)
{
	StreamMessage msg = {
		.type = STREAM_MSG_BEGIN,
		.u.begin = {
			.final_lsn = txn->final_lsn,
			.commit_time = stream_commit_time(txn),
			.xid = txn->xid,
		},
	};

	stream_session_announce(session, txn, &msg, txn->origin_lsn);
}

void
stream_session_start_block(StreamSession *session, ReorderBufferTXN *txn)
{
	bool		first = !stream_session_is_announced(txn);
	StreamMessage msg = {
		.type = STREAM_MSG_STREAM_START,
		.u.stream_start = {.xid = txn->xid,.first = first},
	};

	if (first)
		stream_session_announce(session, txn, &msg, InvalidXLogRecPtr);
	else
		stream_session_send(session, true, &msg);
	session->block_sent = true;
}

void
stream_session_stop_block(StreamSession *session)
{
	StreamMessage msg = {.type = STREAM_MSG_STREAM_STOP};

	stream_session_send(session, true, &msg);
	session->block_sent = false;
}
