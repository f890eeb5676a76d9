/*-------------------------------------------------------------------------
 *
 * stream_transport.c
 *		The way out: lends the buffer of the next message, takes it back.
 *
 * On a walsender, a flush per message costs more than all the rest of
 * decoding.  So messages, each in a copy-data frame of its own, wait for each
 * other in the send buffer until a size is passed; the one that passes it
 * goes through the walsender's write callback, which flushes, waits for a
 * slow client, answers replies and watches the timeout.  No other flush is
 * needed: the walsender's main loop flushes after each WAL record it has
 * decoded, and all messages of a transaction, of a stream block or of a
 * message outside transactions are made by the decoding of one record.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_proto.h"
#include "stream_transport.h"

#include "libpq/libpq.h"
#include "miscadmin.h"
#include "replication/walsender.h"
#include "utils/timestamp.h"

/* How many messages in the send buffer may carry one reading of the clock. */
#define MESSAGES_PER_CLOCK		16

/* In the head of a copy-data frame: 'w', two LSNs, then the send time. */
#define FRAME_TIME_OFFSET		(1 + 8 + 8)

/* A clock is read at each sign of life, so not at every change. */
#define CHANGES_PER_KEEPALIVE	100

/* Nothing waits: the next message begins a new lot. */
static void
begin_batch(StreamTransport *t)
{
	t->unflushed = 0;
	t->clock_uses = 0;
}

void
stream_transport_begin(StreamTransport *t, LogicalDecodingContext *ctx,
					   Size flush_size)
{
	t->ctx = ctx;
	t->flush_size = flush_size;
	begin_batch(t);
	t->last_write = true;
	t->silent_changes = 0;
}

StringInfo
stream_transport_begin_message(StreamTransport *t, bool last_write)
{
	t->last_write = last_write;
	OutputPluginPrepareWrite(t->ctx, last_write);
	return t->ctx->out;
}

/*
 * Does the context write to a walsender's connection?  The SQL functions set
 * a writer's private data and no progress callback, also when a walsender
 * runs them.
 */
static bool
writes_to_walsender(const LogicalDecodingContext *ctx)
{
	return am_walsender && ctx->update_progress != NULL &&
		ctx->output_writer_private == NULL;
}

/*
 * Put the message into the send buffer, which grows to hold it, as the
 * walsender's own write callback does before it flushes.
 */
static void
put_message(StreamTransport *t)
{
	LogicalDecodingContext *ctx = t->ctx;

	if (!ctx->prepared_write)
		elog(ERROR, "a message must be begun before it is sent");
	if (t->clock_uses-- == 0)
	{
		t->send_time = GetCurrentTimestamp();
		t->clock_uses = MESSAGES_PER_CLOCK - 1;
	}
	stream_proto_store_int64(ctx->out->data + FRAME_TIME_OFFSET, t->send_time);
	(void) pq_putmessage_noblock('d', ctx->out->data, ctx->out->len);
	ctx->prepared_write = false;
	CHECK_FOR_INTERRUPTS();
}

void
stream_transport_end_message(StreamTransport *t)
{
	Size		size = t->ctx->out->len;

	if (t->flush_size > 0 && writes_to_walsender(t->ctx))
	{
		if (!pq_is_send_pending())
			begin_batch(t);
		t->unflushed += size;
		if (t->unflushed < t->flush_size)
		{
			put_message(t);
			return;
		}
	}

	begin_batch(t);
	OutputPluginWrite(t->ctx, t->last_write);
}

static void
update_progress(StreamTransport *t, bool skipped)
{
	OutputPluginUpdateProgress(t->ctx, skipped);
	t->silent_changes = 0;
}

void
stream_transport_end_transaction(StreamTransport *t, bool skipped)
{
	update_progress(t, skipped);
}

void
stream_transport_keep_alive(StreamTransport *t)
{
	if (STREAM_HAS_CORE_KEEPALIVE)
		return;

	if (++t->silent_changes >= CHANGES_PER_KEEPALIVE)
		update_progress(t, false);
}
