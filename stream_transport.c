/*-------------------------------------------------------------------------
 *
 * stream_transport.c
 *		The way out: lends the buffer of the next message, takes it back.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_transport.h"

/* A clock is read at each sign of life, so not at every change. */
#define CHANGES_PER_KEEPALIVE	100

void
stream_transport_begin(StreamTransport *t, LogicalDecodingContext *ctx)
{
	t->ctx = ctx;
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

void
stream_transport_end_message(StreamTransport *t)
{
	OutputPluginWrite(t->ctx, t->last_write);
}

void
stream_transport_end_transaction(StreamTransport *t, bool skipped)
{
	OutputPluginUpdateProgress(t->ctx, skipped);
	t->silent_changes = 0;
}

void
stream_transport_keep_alive(StreamTransport *t)
{
	if (STREAM_HAS_CORE_KEEPALIVE)
		return;

	if (++t->silent_changes >= CHANGES_PER_KEEPALIVE)
		stream_transport_end_transaction(t, false);
}
