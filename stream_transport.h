/*-------------------------------------------------------------------------
 *
 * stream_transport.h
 *		The way out: lends the buffer of the next message, takes it back.
 *
 * The only caller of OutputPluginPrepareWrite, OutputPluginWrite and
 * OutputPluginUpdateProgress.  Knows nothing of what is in a message.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_TRANSPORT_H
#define STREAM_TRANSPORT_H

#include "lib/stringinfo.h"
#include "datatype/timestamp.h"
#include "portability/instr_time.h"
#include "replication/logical.h"
#include "stream_stats.h"

/* Part of the session. */
typedef struct StreamTransport
{
	LogicalDecodingContext *ctx;
	StreamStats *stats;
	Size		flush_size;		/* bytes that may wait before a flush */
	Size		unflushed;		/* bytes that wait, at most */
	TimestampTz send_time;		/* of the messages that wait */
	int			clock_uses;		/* how many more may have that time */
	bool		last_write;		/* of the message being written */
	int			silent_changes; /* since the last sign of life */
	int			begun_at;		/* where the message begins in the buffer */

	bool		track_timing;
	int			until_timed;	/* messages until the next one that is timed */
	bool		timed;			/* is the message being written? */
	instr_time	begin_time;		/* ... and when was it begun? */
} StreamTransport;

/*
 * Start of a session; *t need not be initialized.  Up to flush_size bytes of
 * messages wait for each other in the walsender's send buffer; 0 flushes
 * after every message, as pgoutput does.  What is sent is counted in stats,
 * with the time it takes if track_timing is set.
 */
extern void stream_transport_begin(StreamTransport *t,
								   LogicalDecodingContext *ctx,
								   Size flush_size, bool track_timing,
								   StreamStats *stats);

/*
 * Begin a message and return the buffer to append it to.  last_write = false
 * makes the LSN in the walsender's frame 0/0, which is how pgoutput marks
 * messages that another one about the same change follows.
 *
 * An error before stream_transport_end_message drops the message.
 */
extern StringInfo stream_transport_begin_message(StreamTransport *t,
												 bool last_write);

/*
 * Send the message, and return its size.  It is on its way at the latest when
 * the WAL record that is being decoded (a commit, a message outside
 * transactions, or whatever made a stream block) has been dealt with.
 */
extern Size stream_transport_end_message(StreamTransport *t);

/*
 * Tell the server that a transaction ends here.  skipped = nothing of it was
 * sent, so that synchronous replication must not wait for the client.
 */
extern void stream_transport_end_transaction(StreamTransport *t, bool skipped);

/*
 * To be called for each change, sent or not: where the server leaves it to
 * the plugin, keeps the connection alive while nothing is sent for long.
 */
extern void stream_transport_keep_alive(StreamTransport *t);

#endif							/* STREAM_TRANSPORT_H */
