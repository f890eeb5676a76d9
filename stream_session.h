/*-------------------------------------------------------------------------
 *
 * stream_session.h
 *		What lives as long as a decoding of a slot, and as its transactions;
 *		and the messages that open a transaction or a stream block.
 *
 * A transaction is opened when there is something to send of it, not before.
 * What is sent in it is the callbacks' affair.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_SESSION_H
#define STREAM_SESSION_H

#include "replication/logical.h"
#include "replication/reorderbuffer.h"
#include "stream_options.h"
#include "stream_proto.h"
#include "stream_relation.h"
#include "stream_stats.h"
#include "stream_transport.h"
#include "utils/memutils.h"

/* One decoding of one slot; ctx->output_plugin_private. */
typedef struct StreamSession
{
	MemoryContext context;		/* holds the session; child of ctx->context */
	MemoryContext change_context;	/* reset after each callback */
	StreamOptions options;
	StreamTransport transport;
	StreamRelationCache *relations;
	StreamStats *stats;
	bool		in_block;		/* between stream start and stop callbacks */
	bool		block_sent;		/* is this block's STREAM START sent? */
} StreamSession;

/* A top transaction; txn->output_plugin_private.  In the session's context. */
typedef struct StreamTransaction
{
	bool		announced;		/* BEGIN, BEGIN PREPARE or STREAM START sent */
	StreamSentSchemas schemas;	/* sent in its stream blocks */
} StreamTransaction;

/*
 * Begin the session of ctx, or, with is_init, what stands for one while a slot
 * is created: nothing is known then of options, and nothing is sent, but 18
 * reports aborts of transactions that began before the slot does.  Raises what
 * the options raise.
 */
extern void stream_session_begin(LogicalDecodingContext *ctx, bool is_init);

/* End it, also where ctx lives on for a while. */
extern void stream_session_end(LogicalDecodingContext *ctx);

/*
 * A callback's first and last step: its memory is the change's, which ends
 * with it.  *old goes from the one to the other.
 */
static inline StreamSession *
stream_session_enter(LogicalDecodingContext *ctx, MemoryContext *old)
{
	StreamSession *session = ctx->output_plugin_private;

	*old = MemoryContextSwitchTo(session->change_context);
	return session;
}

static inline void
stream_session_leave(StreamSession *session, MemoryContext old)
{
	MemoryContextSwitchTo(old);
	MemoryContextReset(session->change_context);
}

/* What is known of a top transaction; made when first asked for. */
extern StreamTransaction *stream_session_get_transaction(StreamSession *session,
														 ReorderBufferTXN *txn);

/* Forget it.  There need not be one. */
extern void stream_session_end_transaction(ReorderBufferTXN *txn);

/* Has the client heard of the top transaction? */
static inline bool
stream_session_is_announced(const ReorderBufferTXN *txn)
{
	const StreamTransaction *transaction = txn->output_plugin_private;

	return transaction && transaction->announced;
}

/*
 * xid on the wire of something that (sub)transaction txn did; outside stream
 * blocks txn may be NULL.
 */
static inline TransactionId
stream_session_wire_xid(const StreamSession *session,
						const ReorderBufferTXN *txn)
{
	return session->in_block ? txn->xid : InvalidTransactionId;
}

/*
 * Send and count a message that is not one of a row.  For last_write see
 * stream_transport_begin_message.
 */
extern void stream_session_send(StreamSession *session, bool last_write,
								const StreamMessage *msg);

/*
 * Send the first message of a transaction, and after it ORIGIN, if the
 * transaction has one that is known by name.
 */
extern void stream_session_announce(StreamSession *session,
									ReorderBufferTXN *txn,
									const StreamMessage *msg,
									XLogRecPtr origin_lsn);

/* STREAM START (a transaction's first announces it) and STREAM STOP. */
extern void stream_session_start_block(StreamSession *session,
									   ReorderBufferTXN *txn);
extern void stream_session_stop_block(StreamSession *session);

/* See stream_session_open. */
extern void stream_session_send_begin(StreamSession *session,
									  ReorderBufferTXN *txn);

/* Something of txn will be sent: open its block, or it, if not yet done. */
static inline void
stream_session_open(StreamSession *session, ReorderBufferTXN *txn)
{
	if (session->in_block)
	{
		if (!session->block_sent)
			stream_session_start_block(session, txn);
	}
	else if (!stream_session_is_announced(txn))
		stream_session_send_begin(session, txn);
}

#endif							/* STREAM_SESSION_H */
