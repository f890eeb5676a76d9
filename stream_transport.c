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

#include "common/pg_prng.h"
#include "libpq/libpq.h"
#include "miscadmin.h"
#include "replication/walsender.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"

/* How many messages in the send buffer may carry one reading of the clock. */
#define MESSAGES_PER_CLOCK		16

/* Before a copy-data frame's head: 'd' and its length. */
#define FRAME_BEGIN				(1 + 4)

/* In the head of a copy-data frame: 'w', two LSNs, then the send time. */
#define FRAME_TIME_OFFSET		(1 + 8 + 8)

/*
 * Reading a clock costs about what a small message does.  So one message in
 * so many, on average, is timed and stands for all.
 */
#define MESSAGES_PER_TIMED		64

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
					   Size flush_size, bool track_timing, StreamStats *stats)
{
	t->ctx = ctx;
	t->stats = stats;
	t->flush_size = flush_size;
	begin_batch(t);
	t->last_write = true;
	t->silent_changes = 0;
	t->track_timing = track_timing;
	t->until_timed = 1;
	t->timed = false;
}

/* Choose at random, so that no pattern of messages is always missed. */
static bool
is_to_be_timed(StreamTransport *t)
{
	if (!t->track_timing || --t->until_timed > 0)
		return false;
	t->until_timed = 1 + pg_prng_uint32(&pg_global_prng_state) %
		(2 * MESSAGES_PER_TIMED - 1);
	return true;
}

/* Count a time that stands for those of "weight" messages. */
static void
count_time(StreamTransport *t, StreamCounter counter, instr_time begin,
		   instr_time end, int weight)
{
	INSTR_TIME_SUBTRACT(end, begin);
	stream_stats_add(t->stats, counter,
					 (int64) (INSTR_TIME_GET_DOUBLE(end) * 1e9) * weight);
}

StringInfo
stream_transport_begin_message(StreamTransport *t, bool last_write)
{
	t->last_write = last_write;
	OutputPluginPrepareWrite(t->ctx, last_write);
	t->begun_at = t->ctx->out->len;
	t->timed = is_to_be_timed(t);
	if (unlikely(t->timed))
		INSTR_TIME_SET_CURRENT(t->begin_time);
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

/*
 * The send buffer can grow to one allocation, as the message itself can: one
 * that large is not to find others there.  This waits for the client.
 */
static void
make_room(StreamTransport *t, bool to_walsender)
{
	if (to_walsender && unlikely(t->ctx->out->len > (int) (MaxAllocSize / 2)))
		(void) pq_flush();
}

/*
 * May the message wait in the send buffer?  Counts it as the first of a lot
 * if none waits before it.
 */
static bool
join_batch(StreamTransport *t, bool to_walsender)
{
	make_room(t, to_walsender);
	if (!to_walsender || !pq_is_send_pending())
		begin_batch(t);
	if (t->unflushed == 0)
		stream_stats_count(t->stats, STREAM_COUNT_FLUSHES);
	t->unflushed += t->ctx->out->len;
	return to_walsender && t->unflushed < t->flush_size;
}

static void
write_message(StreamTransport *t, bool waits)
{
	if (waits)
		put_message(t);
	else
	{
		begin_batch(t);
		OutputPluginWrite(t->ctx, t->last_write);
	}
}

/* weight: how many messages this one stands for. */
static void
write_message_timed(StreamTransport *t, bool waits, int weight)
{
	instr_time	begin,
				end;

	INSTR_TIME_SET_CURRENT(begin);
	if (t->timed)
		count_time(t, STREAM_COUNT_ENCODE_TIME, t->begin_time, begin,
				   MESSAGES_PER_TIMED);
	write_message(t, waits);
	INSTR_TIME_SET_CURRENT(end);
	count_time(t, STREAM_COUNT_WRITE_TIME, begin, end, weight);
}

Size
stream_transport_end_message(StreamTransport *t)
{
	bool		to_walsender = writes_to_walsender(t->ctx);
	Size		sent = t->ctx->out->len;
	Size		size = sent - t->begun_at;
	bool		waits = join_batch(t, to_walsender);

	/* A flush may wait for the client; so each one is timed for itself. */
	if (to_walsender && !waits && t->track_timing)
		write_message_timed(t, waits, 1);
	else if (unlikely(t->timed))
		write_message_timed(t, waits, MESSAGES_PER_TIMED);
	else
		write_message(t, waits);

	stream_stats_count(t->stats, STREAM_COUNT_MESSAGES);
	stream_stats_add(t->stats, STREAM_COUNT_ENCODED_BYTES, size);
	stream_stats_add(t->stats, STREAM_COUNT_SENT_BYTES,
					 to_walsender ? sent + FRAME_BEGIN : sent);
	return size;
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
