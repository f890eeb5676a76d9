/*-------------------------------------------------------------------------
 *
 * stream_stats.c
 *		Counters of what a slot's sessions do, and where others see them.
 *
 * Shared memory has a place for each slot that the server can have, found by
 * the slot's own place in the server's array.  A slot has one session at a
 * time, which alone adds to its counters.
 *
 * Tables are counted in a fixed number of places.  A table that finds none
 * takes the place, and the weight, of the lightest one there: so whatever has
 * more than its share of all the bytes is always there (the "space-saving"
 * way of finding what is frequent).  What is shown of a table is counted
 * since it came to its place.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_stats.h"

#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"

#define MEMORY_NAME		"stream_pgoutput statistics"

/* To be changed with the structs below, which a newer library may share. */
#define MEMORY_LAYOUT	2

typedef struct StreamSharedSlot
{
	LWLock		lock;			/* of the rest */
	bool		in_use;
	StreamSlotStats stats;
} StreamSharedSlot;

typedef struct StreamSharedStats
{
	int			tranche;
	StreamSharedSlot slots[FLEXIBLE_ARRAY_MEMBER];
} StreamSharedStats;

/* The process's view of the shared memory; NULL before it was asked for. */
static StreamSharedStats *shared_stats = NULL;

static shmem_request_hook_type next_request_hook = NULL;
static shmem_startup_hook_type next_startup_hook = NULL;

/* ----------------------------------------------------------------
 *		Shared memory
 * ----------------------------------------------------------------
 */

static Size
get_memory_size(void)
{
	return add_size(offsetof(StreamSharedStats, slots),
					mul_size(max_replication_slots, sizeof(StreamSharedSlot)));
}

STREAM_INIT_MEMORY_FUNCTION(init_memory)
{
	StreamSharedStats *stats = ptr;

	memset(stats, 0, get_memory_size());
	stats->tranche = stream_new_tranche("stream_pgoutput");
	for (int i = 0; i < max_replication_slots; i++)
		LWLockInitialize(&stats->slots[i].lock, stats->tranche);
}

/*
 * The name says how the memory is laid out, so that a library that was
 * replaced while the server ran does not meet what the old one left.
 */
static const char *
get_memory_name(void)
{
	return psprintf(MEMORY_NAME " %d.%zu", MEMORY_LAYOUT,
					sizeof(StreamSharedSlot));
}

/*
 * Where the memory is that the server set up for the preloaded library: other
 * copies of the library, which replaced its file since, use it, too.
 */
static StreamSharedStats **
get_preloaded_memory(void)
{
	return (StreamSharedStats **) find_rendezvous_variable(get_memory_name());
}

static void
request_hook(void)
{
	if (next_request_hook)
		next_request_hook();
	RequestAddinShmemSpace(get_memory_size());
}

static void
startup_hook(void)
{
	bool		found;

	if (next_startup_hook)
		next_startup_hook();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	*get_preloaded_memory() = ShmemInitStruct(get_memory_name(),
											  get_memory_size(), &found);
	if (!found)
		stream_call_init_memory(init_memory, *get_preloaded_memory());
	LWLockRelease(AddinShmemInitLock);
}

void
stream_stats_request_memory(void)
{
	if (STREAM_HAS_NAMED_MEMORY || !process_shared_preload_libraries_in_progress)
		return;
	next_request_hook = shmem_request_hook;
	shmem_request_hook = request_hook;
	next_startup_hook = shmem_startup_hook;
	shmem_startup_hook = startup_hook;
}

/*
 * Ask for memory by name.  Where there is none left, slots must be decoded all
 * the same: then this returns NULL, and nobody sees the counters.  Only locks
 * are to be undone after an error: without a resource owner, what was begun of
 * a segment is nobody's until the process ends.
 */
static StreamSharedStats *
get_named_memory(void)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	StreamSharedStats *volatile stats = NULL;

	CurrentResourceOwner = NULL;
	PG_TRY();
	{
		stats = stream_get_named_memory(get_memory_name(), get_memory_size(),
										init_memory);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		CurrentResourceOwner = owner;
		if (geterrcode() == ERRCODE_QUERY_CANCELED)
			PG_RE_THROW();
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		LWLockReleaseAll();
		ereport(LOG,
				errmsg("stream_pgoutput has no memory for its statistics: %s",
					   error->message));
	}
	PG_END_TRY();
	CurrentResourceOwner = owner;
	return stats;
}

static StreamSharedStats *
attach_memory(void)
{
	if (shared_stats)
		return shared_stats;

	if (STREAM_HAS_NAMED_MEMORY)
		shared_stats = get_named_memory();
	else
		shared_stats = *get_preloaded_memory();
	if (shared_stats)
		stream_register_tranche(shared_stats->tranche, "stream_pgoutput");
	return shared_stats;
}

bool
stream_stats_are_shared(void)
{
	return attach_memory() != NULL;
}

/* The place of a slot, NULL if there is no shared memory. */
static StreamSharedSlot *
get_shared_slot(int place)
{
	StreamSharedStats *stats = attach_memory();

	if (stats == NULL)
		return NULL;
	Assert(place >= 0 && place < max_replication_slots);
	return &stats->slots[place];
}

/* ----------------------------------------------------------------
 *		Sessions
 * ----------------------------------------------------------------
 */

/*
 * A slot that is created through the plugin makes it forget the one before.
 * A copy of a failover slot is not, so that it is told apart here.
 */
static bool
are_of_slot(const StreamSlotStats *stats, const ReplicationSlot *slot)
{
	return stats->database == slot->data.database &&
		stats->synced == stream_slot_is_synced(slot) &&
		strcmp(NameStr(stats->name), NameStr(slot->data.name)) == 0 &&
		strcmp(NameStr(stats->plugin), NameStr(slot->data.plugin)) == 0;
}

/* From zero, for whoever has the place. */
static void
clear_counters(StreamSlotStats *stats)
{
	memset(stats->counts, 0, sizeof(stats->counts));
	memset(stats->tables, 0, sizeof(stats->tables));
	stats->last_lsn = InvalidXLogRecPtr;
	stats->reset_time = GetCurrentTimestamp();
	stats->resets++;
}

static void
take_place(StreamSharedSlot *shared, const ReplicationSlot *slot)
{
	clear_counters(&shared->stats);
	shared->stats.name = slot->data.name;
	shared->stats.plugin = slot->data.plugin;
	shared->stats.database = slot->data.database;
	shared->stats.synced = stream_slot_is_synced(slot);
	shared->stats.entries = 0;
	shared->in_use = true;
}

static void
fill_buckets(StreamStats *stats)
{
	memset(stats->present, 0, sizeof(stats->present));
	for (int i = 0; i < STREAM_STATS_TABLES; i++)
	{
		if (OidIsValid(stats->tables[i].relid))
			stats->present[stats->tables[i].relid % STREAM_STATS_BUCKETS]++;
	}
}

/* Know the tables that have places, with nothing counted of them. */
static void
load_tables(StreamStats *stats, const StreamSlotStats *published)
{
	memcpy(stats->tables, published->tables, sizeof(stats->tables));
	for (int i = 0; i < STREAM_STATS_TABLES; i++)
		memset(stats->tables[i].counts, 0, sizeof(stats->tables[i].counts));
	fill_buckets(stats);
}

StreamStats *
stream_stats_begin(ReplicationSlot *slot)
{
	StreamStats *stats = palloc0(sizeof(StreamStats));
	StreamSharedSlot *shared = get_shared_slot(ReplicationSlotIndex(slot));

	stats->shared = shared;
	stats->now = GetCurrentTimestamp();
	if (shared)
	{
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		if (!shared->in_use || !are_of_slot(&shared->stats, slot))
			take_place(shared, slot);
		load_tables(stats, &shared->stats);
		stats->resets = shared->stats.resets;
		LWLockRelease(&shared->lock);
	}
	return stats;
}

StreamStats *
stream_stats_begin_creation(ReplicationSlot *slot)
{
	StreamSharedSlot *shared = get_shared_slot(ReplicationSlotIndex(slot));

	if (shared)
	{
		LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
		shared->in_use = false;
		LWLockRelease(&shared->lock);
	}
	return palloc0(sizeof(StreamStats));
}

static void
publish_table(StreamTableStats *table, StreamTableStats *published)
{
	if (published->relid != table->relid)
	{
		memset(published, 0, sizeof(*published));
		published->relid = table->relid;
		published->since = table->since;
	}
	published->weight = table->weight;
	for (int i = 0; i < STREAM_TABLE_COUNTERS; i++)
		published->counts[i] += table->counts[i];
	memset(table->counts, 0, sizeof(table->counts));
}

static void
publish_tables(StreamStats *stats, StreamSlotStats *published)
{
	while (stats->dirty != 0)
	{
		int			i = pg_rightmost_one_pos64(stats->dirty);

		publish_table(&stats->tables[i], &published->tables[i]);
		stats->dirty &= stats->dirty - 1;
	}
}

/* Somebody reset the counters: only what was counted just now has a place. */
static void
forget_tables(StreamStats *stats, const StreamSlotStats *published)
{
	for (int i = 0; i < STREAM_STATS_TABLES; i++)
	{
		StreamTableStats *table = &stats->tables[i];

		if (stats->dirty & (UINT64CONST(1) << i))
		{
			table->weight = table->counts[STREAM_TABLE_BYTES];
			table->since = published->reset_time;
		}
		else
			memset(table, 0, sizeof(*table));
	}
	fill_buckets(stats);
	stats->floor = 0;
	stats->resets = published->resets;
}

void
stream_stats_publish(StreamStats *stats)
{
	StreamSharedSlot *shared = stats->shared;
	StreamSlotStats *published;

	if (shared == NULL)
		return;
	published = &shared->stats;
	stats->now = GetCurrentTimestamp();

	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	if (published->resets != stats->resets)
		forget_tables(stats, published);
	for (int i = 0; i < STREAM_COUNTERS; i++)
		published->counts[i] += stats->counts[i];
	published->entries = stats->entries;
	if (stats->last_lsn != InvalidXLogRecPtr)
	{
		published->last_lsn = stats->last_lsn;
		published->last_commit_time = stats->last_commit_time;
		published->last_sent_time = stats->now;
	}
	publish_tables(stats, published);
	LWLockRelease(&shared->lock);

	memset(stats->counts, 0, sizeof(stats->counts));
	stats->last_lsn = InvalidXLogRecPtr;
}

/* ----------------------------------------------------------------
 *		Counting
 * ----------------------------------------------------------------
 */

/* The end of a transaction that the client can now see. */
static void
count_commit(StreamStats *stats, StreamCounter counter, XLogRecPtr lsn,
			 TimestampTz commit_time)
{
	stream_stats_count(stats, counter);
	stats->last_lsn = lsn;
	stats->last_commit_time = commit_time;
}

void
stream_stats_count_message(StreamStats *stats, const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_COMMIT:
			count_commit(stats, STREAM_COUNT_COMMITS,
						 msg->u.commit.commit_lsn, msg->u.commit.commit_time);
			break;
		case STREAM_MSG_STREAM_COMMIT:
			count_commit(stats, STREAM_COUNT_STREAM_COMMITS,
						 msg->u.stream_commit.commit_lsn,
						 msg->u.stream_commit.commit_time);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			count_commit(stats, STREAM_COUNT_COMMITS_PREPARED,
						 msg->u.commit_prepared.commit_lsn,
						 msg->u.commit_prepared.commit_time);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			stream_stats_count(stats, STREAM_COUNT_ROLLBACKS_PREPARED);
			break;
		case STREAM_MSG_PREPARE:
			stream_stats_count(stats, STREAM_COUNT_PREPARES);
			break;
		case STREAM_MSG_STREAM_PREPARE:
			stream_stats_count(stats, STREAM_COUNT_STREAM_PREPARES);
			break;
		case STREAM_MSG_STREAM_ABORT:
			stream_stats_count(stats,
							   msg->u.stream_abort.subxid == msg->u.stream_abort.xid ?
							   STREAM_COUNT_STREAM_ABORTS :
							   STREAM_COUNT_SUBXACT_ABORTS);
			break;
		case STREAM_MSG_STREAM_START:
			stream_stats_count(stats, STREAM_COUNT_BLOCKS);
			break;
		case STREAM_MSG_TRUNCATE:
			stream_stats_count(stats, STREAM_COUNT_TRUNCATES);
			break;
		case STREAM_MSG_MESSAGE:
			stream_stats_count(stats, STREAM_COUNT_LOGICAL_MESSAGES);
			break;
		case STREAM_MSG_RELATION:
			stream_stats_count(stats, STREAM_COUNT_RELATIONS);
			break;
		case STREAM_MSG_TYPE:
			stream_stats_count(stats, STREAM_COUNT_TYPES);
			break;
		default:
			break;
	}
}

/*
 * A place that no other weighs less than.  The hand goes round, and what it
 * passes is lifted above the floor; so a search seldom goes far.
 */
static int
find_lightest(StreamStats *stats)
{
	for (;;)
	{
		int64		lightest = PG_INT64_MAX;

		for (int i = 0; i < STREAM_STATS_TABLES; i++)
		{
			int64		weight;

			stats->hand = (stats->hand + 1) % STREAM_STATS_TABLES;
			weight = stats->tables[stats->hand].weight;
			if (weight <= stats->floor)
				return stats->hand;
			lightest = Min(lightest, weight);
		}
		stats->floor = lightest;
	}
}

/* Is the table there already?  Mostly one look at the buckets says no. */
static int
search_table(const StreamStats *stats, Oid relid)
{
	if (stats->present[relid % STREAM_STATS_BUCKETS] > 0)
	{
		for (int i = 0; i < STREAM_STATS_TABLES; i++)
		{
			if (stats->tables[i].relid == relid)
				return i;
		}
	}
	return -1;
}

int
stream_stats_find_table(StreamStats *stats, Oid relid)
{
	int			place = search_table(stats, relid);
	StreamTableStats *table;

	if (place >= 0)
		return place;

	place = find_lightest(stats);
	table = &stats->tables[place];
	if (OidIsValid(table->relid))
		stats->present[table->relid % STREAM_STATS_BUCKETS]--;
	stats->present[relid % STREAM_STATS_BUCKETS]++;
	memset(table->counts, 0, sizeof(table->counts));
	table->relid = relid;
	table->since = stats->now;
	return place;
}

/* ----------------------------------------------------------------
 *		Looking
 * ----------------------------------------------------------------
 */

/* Is it still the same slot that has the place? */
static bool
are_of_slot_now(const StreamSlotStats *stats, int place)
{
	const ReplicationSlot *slot = &ReplicationSlotCtl->replication_slots[place];
	bool		same;

	LWLockAcquire(ReplicationSlotControlLock, LW_SHARED);
	same = slot->in_use && are_of_slot(stats, slot);
	LWLockRelease(ReplicationSlotControlLock);
	return same;
}

bool
stream_stats_read(int place, StreamSlotStats *copy)
{
	StreamSharedSlot *shared = get_shared_slot(place);
	bool		found;

	if (shared == NULL)
		return false;
	LWLockAcquire(&shared->lock, LW_SHARED);
	found = shared->in_use;
	if (found)
		*copy = shared->stats;
	LWLockRelease(&shared->lock);
	return found && are_of_slot_now(copy, place);
}

bool
stream_stats_reset(int place)
{
	StreamSharedSlot *shared = get_shared_slot(place);
	bool		found;

	if (shared == NULL)
		return false;
	LWLockAcquire(&shared->lock, LW_EXCLUSIVE);
	found = shared->in_use;
	if (found)
		clear_counters(&shared->stats);
	LWLockRelease(&shared->lock);
	return found;
}
