/*-------------------------------------------------------------------------
 *
 * stream_stats.h
 *		Counters of what a slot's sessions do, and where others see them.
 *
 * A session counts in plain integers of its own and publishes what it has at
 * the end of each transaction and of each stream block.  Published counters
 * belong to a slot; they are there as long as the slot and the server live.
 * Knows messages by their kind only.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_STATS_H
#define STREAM_STATS_H

#include "access/xlogdefs.h"
#include "datatype/timestamp.h"
#include "replication/slot.h"
#include "stream_proto.h"

/*
 * Of a slot.  In the order of the columns that
 * stream_pgoutput_stat_get_slots() shows.
 */
typedef enum StreamCounter
{
	/* Ends of transactions that were sent. */
	STREAM_COUNT_COMMITS,		/* COMMIT */
	STREAM_COUNT_STREAM_COMMITS,	/* STREAM COMMIT */
	STREAM_COUNT_STREAM_ABORTS, /* STREAM ABORT of a whole transaction */
	STREAM_COUNT_SUBXACT_ABORTS,	/* STREAM ABORT of a subtransaction */
	STREAM_COUNT_PREPARES,		/* PREPARE */
	STREAM_COUNT_STREAM_PREPARES,	/* STREAM PREPARE */
	STREAM_COUNT_COMMITS_PREPARED,
	STREAM_COUNT_ROLLBACKS_PREPARED,
	STREAM_COUNT_EMPTY,			/* nothing was sent, not even this */

	/* Messages that were sent. */
	STREAM_COUNT_BLOCKS,		/* STREAM START */
	STREAM_COUNT_INSERTS,		/* as StreamAction */
	STREAM_COUNT_UPDATES,
	STREAM_COUNT_DELETES,
	STREAM_COUNT_TRUNCATES,
	STREAM_COUNT_LOGICAL_MESSAGES,
	STREAM_COUNT_RELATIONS,
	STREAM_COUNT_TYPES,

	/* Rows (and TRUNCATEs, by table) that were not sent. */
	STREAM_COUNT_HELD_UNPUBLISHED,	/* in none of the publications */
	STREAM_COUNT_HELD_ACTION,	/* they do not publish the action */
	STREAM_COUNT_HELD_FILTER,	/* a row filter */
	STREAM_COUNT_HELD_ORIGIN,	/* WAL records; origin = none */

	/* The way out. */
	STREAM_COUNT_MESSAGES,		/* all of the above and their frames */
	STREAM_COUNT_ENCODED_BYTES, /* of messages alone */
	STREAM_COUNT_SENT_BYTES,	/* as the connection carries them */
	STREAM_COUNT_FLUSHES,		/* how many lots they were sent in */

	/* The relation cache. */
	STREAM_COUNT_LOOKUPS,
	STREAM_COUNT_BUILDS,

	/* Nanoseconds. */
	STREAM_COUNT_ENCODE_TIME,
	STREAM_COUNT_WRITE_TIME,
} StreamCounter;

#define STREAM_COUNTERS		(STREAM_COUNT_WRITE_TIME + 1)

/* Of a table of a slot; in the order of the columns shown. */
typedef enum StreamTableCounter
{
	STREAM_TABLE_INSERTS,		/* as StreamAction */
	STREAM_TABLE_UPDATES,
	STREAM_TABLE_DELETES,
	STREAM_TABLE_TRUNCATES,
	STREAM_TABLE_HELD,			/* not sent, whatever the reason */
	STREAM_TABLE_BYTES,			/* of its row messages */
} StreamTableCounter;

#define STREAM_TABLE_COUNTERS	(STREAM_TABLE_BYTES + 1)

/* How many tables of a slot are counted: the ones with the most bytes. */
#define STREAM_STATS_TABLES		64
#define STREAM_STATS_BUCKETS	1024

typedef struct StreamTableStats
{
	Oid			relid;			/* what it is sent as; 0 = nothing is here */
	TimestampTz since;			/* counted from here on */
	int64		weight;			/* bytes and rows, with those of the tables
								 * that had this place before */
	int64		counts[STREAM_TABLE_COUNTERS];
} StreamTableStats;

/* What others see of a slot. */
typedef struct StreamSlotStats
{
	NameData	name;
	NameData	plugin;
	Oid			database;
	bool		synced;			/* a copy of a failover slot, made here */
	TimestampTz reset_time;		/* counted from here on */
	uint64		resets;
	int64		counts[STREAM_COUNTERS];
	int64		entries;		/* in the relation cache of the last session */
	XLogRecPtr	last_lsn;		/* of the last transaction that was sent */
	TimestampTz last_commit_time;	/* ... when it was committed */
	TimestampTz last_sent_time; /* ... and when it was sent */
	StreamTableStats tables[STREAM_STATS_TABLES];
} StreamSlotStats;

/* A session's; private, but for counting. */
typedef struct StreamStats
{
	int64		counts[STREAM_COUNTERS];	/* since the last time published */
	int64		entries;
	XLogRecPtr	last_lsn;		/* 0 = none since the last time published */
	TimestampTz last_commit_time;

	/* The slot's, with what was counted since the last time published. */
	StreamTableStats tables[STREAM_STATS_TABLES];
	uint64		dirty;			/* bit i: something was, of tables[i] */
	uint8		present[STREAM_STATS_BUCKETS];	/* how many of tables[] have an
												 * OID that is this, modulo */
	int			hand;			/* where to look for a table to give up */
	int64		floor;			/* no table weighs less */
	TimestampTz now;			/* some reading of the clock, not long ago */

	struct StreamSharedSlot *shared;	/* NULL = nobody can see */
	uint64		resets;			/* of the shared ones, when last seen */
} StreamStats;

StaticAssertDecl(STREAM_STATS_TABLES <= 64, "a bit of dirty for each table");

/*
 * Ask for shared memory, where that can be done only while the server starts.
 * To be called by _PG_init; does nothing elsewhere.
 */
extern void stream_stats_request_memory(void);

/*
 * Begin a session's counters for the slot, in the current context.  Goes on
 * from what was published for it before.
 */
extern StreamStats *stream_stats_begin(ReplicationSlot *slot);

/*
 * Likewise, but of a slot that is being created: whoever had its place has
 * gone, and nobody will see what is counted.
 */
extern StreamStats *stream_stats_begin_creation(ReplicationSlot *slot);

/* Add what was counted to the slot's counters, for everybody to see. */
extern void stream_stats_publish(StreamStats *stats);

static inline void
stream_stats_count(StreamStats *stats, StreamCounter counter)
{
	stats->counts[counter]++;
}

static inline void
stream_stats_add(StreamStats *stats, StreamCounter counter, int64 n)
{
	stats->counts[counter] += n;
}

/* Count a message that was sent, unless it is one of a row. */
extern void stream_stats_count_message(StreamStats *stats,
									   const StreamMessage *msg);

/* See stream_stats_count_table. */
extern int	stream_stats_find_table(StreamStats *stats, Oid relid);

/*
 * Count something of a table, and so many bytes of it.  *place is where it was
 * found the last time, 0 to begin with; it is the caller's to keep.
 */
static inline void
stream_stats_count_table(StreamStats *stats, Oid relid, uint8 *place,
						 StreamTableCounter counter, int64 bytes)
{
	StreamTableStats *table = &stats->tables[*place];

	if (unlikely(table->relid != relid))
	{
		*place = stream_stats_find_table(stats, relid);
		table = &stats->tables[*place];
	}
	table->counts[counter]++;
	table->counts[STREAM_TABLE_BYTES] += bytes;
	table->weight += bytes + 1;
	stats->dirty |= UINT64CONST(1) << *place;
}

/* Can others see the counters, here and now? */
extern bool stream_stats_are_shared(void);

/*
 * Copy what is known of the slot at this place (0 to max_replication_slots
 * - 1); false = nothing, or no longer.
 */
extern bool stream_stats_read(int place, StreamSlotStats *copy);

/* Begin again from zero; the same answer. */
extern bool stream_stats_reset(int place);

#endif							/* STREAM_STATS_H */
