/*-------------------------------------------------------------------------
 *
 * stream_stats_show.c
 *		SQL functions: the counters of all slots, and their reset.
 *
 * What is not known is null, never zero.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_stats.h"

#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/pg_lsn.h"
#include "utils/timestamp.h"

/* slot_name, plugin; counters; cache_entries, lsn, three times */
#define SLOT_COLUMNS	(2 + STREAM_COUNTERS + 5)

/* slot_name, datoid, relid; counters; stats_since */
#define TABLE_COLUMNS	(3 + STREAM_TABLE_COUNTERS + 1)

static void
put_time(Datum *value, bool *isnull, TimestampTz time)
{
	*value = TimestampTzGetDatum(time);
	*isnull = time == 0;
}

static void
put_slot(ReturnSetInfo *result, const StreamSlotStats *stats)
{
	Datum		values[SLOT_COLUMNS];
	bool		nulls[SLOT_COLUMNS] = {false};
	bool		none_sent = stats->last_lsn == InvalidXLogRecPtr;
	int			n = 0;

	values[n++] = NameGetDatum(&stats->name);
	values[n++] = NameGetDatum(&stats->plugin);
	for (int i = 0; i < STREAM_COUNTERS; i++)
		values[n++] = Int64GetDatum(stats->counts[i]);
	values[n++] = Int64GetDatum(stats->entries);

	nulls[n] = none_sent;
	values[n++] = LSNGetDatum(stats->last_lsn);
	put_time(&values[n], &nulls[n], none_sent ? 0 : stats->last_commit_time);
	n++;
	put_time(&values[n], &nulls[n], none_sent ? 0 : stats->last_sent_time);
	n++;
	put_time(&values[n], &nulls[n], stats->reset_time);

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

static void
put_table(ReturnSetInfo *result, const StreamSlotStats *stats,
		  const StreamTableStats *table)
{
	Datum		values[TABLE_COLUMNS];
	bool		nulls[TABLE_COLUMNS] = {false};
	int			n = 0;

	values[n++] = NameGetDatum(&stats->name);
	values[n++] = ObjectIdGetDatum(stats->database);
	values[n++] = ObjectIdGetDatum(table->relid);
	for (int i = 0; i < STREAM_TABLE_COUNTERS; i++)
		values[n++] = Int64GetDatum(table->counts[i]);
	put_time(&values[n], &nulls[n], table->since);

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* How many places there are to look at; asks for the memory only once. */
static int
count_places(void)
{
	return stream_stats_are_shared() ? max_replication_slots : 0;
}

STREAM_SQL_FUNCTION(stream_pgoutput_stat_available);
STREAM_SQL_FUNCTION(stream_pgoutput_stat_get_slots);
STREAM_SQL_FUNCTION(stream_pgoutput_stat_get_tables);
STREAM_SQL_FUNCTION(stream_pgoutput_stat_reset);

/* stream_pgoutput_stat_available() */
Datum
stream_pgoutput_stat_available(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(stream_stats_are_shared());
}

/* stream_pgoutput_stat_get_slots() */
Datum
stream_pgoutput_stat_get_slots(PG_FUNCTION_ARGS)
{
	int			nplaces = count_places();
	StreamSlotStats stats;

	InitMaterializedSRF(fcinfo, 0);
	for (int place = 0; place < nplaces; place++)
	{
		if (stream_stats_read(place, &stats))
			put_slot((ReturnSetInfo *) fcinfo->resultinfo, &stats);
	}
	return (Datum) 0;
}

/* stream_pgoutput_stat_get_tables() */
Datum
stream_pgoutput_stat_get_tables(PG_FUNCTION_ARGS)
{
	int			nplaces = count_places();
	StreamSlotStats stats;

	InitMaterializedSRF(fcinfo, 0);
	for (int place = 0; place < nplaces; place++)
	{
		if (!stream_stats_read(place, &stats))
			continue;
		for (int i = 0; i < STREAM_STATS_TABLES; i++)
		{
			if (OidIsValid(stats.tables[i].relid))
				put_table((ReturnSetInfo *) fcinfo->resultinfo, &stats,
						  &stats.tables[i]);
		}
	}
	return (Datum) 0;
}

static void
reset_slot(const char *name)
{
	ReplicationSlot *slot = SearchNamedReplicationSlot(name, true);

	if (slot == NULL)
		ereport(ERROR,
				errcode(ERRCODE_UNDEFINED_OBJECT),
				errmsg("replication slot \"%s\" does not exist", name));
	stream_stats_reset(ReplicationSlotIndex(slot));
}

/* stream_pgoutput_stat_reset(slot_name name); null = of all slots */
Datum
stream_pgoutput_stat_reset(PG_FUNCTION_ARGS)
{
	if (!PG_ARGISNULL(0))
		reset_slot(NameStr(*PG_GETARG_NAME(0)));
	else
	{
		int			nplaces = count_places();

		for (int place = 0; place < nplaces; place++)
			stream_stats_reset(place);
	}
	PG_RETURN_VOID();
}
