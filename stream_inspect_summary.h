/*-------------------------------------------------------------------------
 *
 * stream_inspect_summary.h
 *		Count what the messages of a walk do, transaction by transaction.
 *
 * Like the walk, nothing of the server beyond palloc.  Memory holds the
 * transactions that have not ended, and the tables that they touched.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_INSPECT_SUMMARY_H
#define STREAM_INSPECT_SUMMARY_H

#include "postgres.h"

#include "stream_inspect_walk.h"

typedef enum StreamInspectOutcome
{
	STREAM_INSPECT_OPEN,		/* its end was not seen */
	STREAM_INSPECT_PREPARED,
	STREAM_INSPECT_COMMITTED,
	STREAM_INSPECT_ABORTED,
} StreamInspectOutcome;

/* Rows by action, and TRUNCATEs, of one table. */
typedef struct StreamInspectTable
{
	Oid			relid;
	int64		inserts;
	int64		updates;
	int64		deletes;
	int64		truncates;
} StreamInspectTable;

/* Counters are of what was sent, rolled back later or not. */
typedef struct StreamInspectTransaction
{
	TransactionId xid;			/* 0: what belongs to no transaction */
	StreamInspectOutcome outcome;
	bool		streamed;		/* in stream blocks */
	bool		prepared;		/* sent at PREPARE, or its end said so */
	char	   *gid;			/* as on the wire, or NULL */
	int64		blocks;
	int64		aborted_subxacts;
	int64		messages;
	int64		bytes;
	uint64		first_lsn;		/* 0: none of its messages had one */
	uint64		last_lsn;
	StreamIdMap tables;			/* oid to StreamInspectTable */
	struct StreamInspectTransaction *prev;
	struct StreamInspectTransaction *next;
} StreamInspectTransaction;

/* All zero is an empty summary. */
typedef struct StreamInspectSummary
{
	StreamIdMap transactions;	/* xid to StreamInspectTransaction */
	StreamInspectTransaction *first;	/* those, in order of appearance */
	StreamInspectTransaction *last;
	StreamInspectTransaction *outside;	/* the one with xid 0, or NULL */
} StreamInspectSummary;

/*
 * Count the message that the walk has just taken, of len bytes, at an LSN (or
 * 0).  Returns its transaction if that has come to its end, else NULL; the
 * caller looks at it and then drops it.
 */
extern StreamInspectTransaction *stream_inspect_count(StreamInspectSummary *summary,
													  const StreamWalk *walk,
													  int len, uint64 lsn);

/*
 * The first of those that have not ended, in order of their appearance, and
 * last what belongs to none; NULL if nothing is left.
 */
extern StreamInspectTransaction *stream_inspect_next_open(StreamInspectSummary *summary);

/* Forget a transaction. */
extern void stream_inspect_drop(StreamInspectSummary *summary,
								StreamInspectTransaction *txn);

#endif							/* STREAM_INSPECT_SUMMARY_H */
