/*
 * run.c
 *		Run a scenario, so that its WAL can be decoded.
 */
#include "run.h"

#define MAX_SESSIONS 10

typedef struct Run
{
	const Scenario *scenario;
	const Side *side;			/* two */
	const char *conninfo;
	PGconn	   *control;		/* the tool's own */
	struct
	{
		const char *name;
		PGconn	   *conn;
	}			session[MAX_SESSIONS];
	int			nsessions;
	int			nstatements;
	int			nfailed;		/* which a tolerant scenario permits */
} Run;

void
ignore_notice(void *arg, const PGresult *result)
{
	(void) arg;
	(void) result;
}

/* Run a command of the tool's own; returns the first value of its result. */
static char *
query(PGconn *conn, const char *sql)
{
	PGresult   *result = PQexec(conn, sql);
	char	   *value = NULL;

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		value = PQntuples(result) > 0 ?
			format("%s", PQgetvalue(result, 0, 0)) : NULL;
	else if (PQresultStatus(result) != PGRES_COMMAND_OK)
		die("\"%s\" failed: %s", sql, PQerrorMessage(conn));
	PQclear(result);
	return value;
}

static PGconn *
session(Run *run, const char *name)
{
	int			i;

	for (i = 0; i < run->nsessions; i++)
		if (strcmp(run->session[i].name, name) == 0)
			return run->session[i].conn;
	if (i == MAX_SESSIONS)
		die("%s: more than %d sessions", run->scenario->path, MAX_SESSIONS);
	run->nsessions++;
	run->session[i].name = name;
	run->session[i].conn = connect_or_die(run->conninfo, RUN_DATABASE, "UTF8",
											   false);
	PQsetNoticeReceiver(run->session[i].conn, ignore_notice, NULL);
	return run->session[i].conn;
}

/* The end of all WAL written so far, with everything flushed. */
static char *
flushed_position(PGconn *control)
{
	query(control, "COMMENT ON DATABASE " RUN_DATABASE " IS 'flush'");
	return query(control, "SELECT pg_current_wal_flush_lsn()");
}

/* Move all slots up to here, as clients do that have seen everything. */
static void
confirm(Run *run)
{
	char	   *position = flushed_position(run->control);
	char	   *sql = format("SELECT pg_replication_slot_advance(slot_name, "
							 "'%s') FROM pg_replication_slots "
							 "WHERE database = '" RUN_DATABASE "'", position);

	query(run->control, sql);
	free(sql);
	free(position);
}

static void
run_step(Run *run, const Step *step)
{
	PGconn	   *conn;
	PGresult   *result;
	bool		failed;

	if (step->kind == STEP_CONFIRM)
	{
		confirm(run);
		return;
	}
	conn = session(run, step->session);
	result = PQexec(conn, step->sql);
	failed = PQresultStatus(result) == PGRES_FATAL_ERROR;
	run->nstatements++;
	run->nfailed += failed;
	if (PQstatus(conn) != CONNECTION_OK ||
		(failed != (step->kind == STEP_SQL_FAILS) &&
		 !run->scenario->tolerant))
		die("%s:%d: session %s: %s", run->scenario->path, step->line,
			step->session, failed ? PQerrorMessage(conn) :
			"the statement should have failed");
	PQclear(result);
}

static void
run_steps(Run *run, const StepList *steps)
{
	for (int i = 0; i < steps->count; i++)
		run_step(run, &steps->item[i]);
}

/*
 * Four slots with one start point.  two_phase sticks to a slot, so that two
 * are for calls with it and two for calls without; it cannot be copied, but
 * the first call gives it to them at the same position.
 */
static void
make_slots(Run *run)
{
	const Side *first = &run->side[0];
	char	   *sql = format("SELECT pg_create_logical_replication_slot("
							 "'%s_off', '%s')", first->slot_prefix,
							 first->plugin);

	query(run->control, "SELECT pg_create_physical_replication_slot('"
		  PHYSICAL_SLOT "')");
	query(run->control, sql);
	for (int i = 1; i < 4; i++)
	{
		const Side *side = &run->side[i / 2];
		const char *kind = i % 2 ? "on" : "off";

		sql = format("SELECT pg_copy_logical_replication_slot("
					 "'%s_off', '%s_%s', false, '%s')", first->slot_prefix,
					 side->slot_prefix, kind, side->plugin);
		query(run->control, sql);
		if (i % 2 == 0)
			continue;
		sql = format("SELECT count(*) FROM pg_logical_slot_peek_binary_changes("
					 "'%s_on', NULL, NULL, 'proto_version', '3', "
					 "'publication_names', 'none', 'two_phase', 'on')",
					 side->slot_prefix);
		query(run->control, sql);
	}
}

/* Prepared transactions would keep the database from being dropped. */
static void
roll_back_prepared(const char *conninfo)
{
	PGconn	   *control = connect_or_die(conninfo, RUN_DATABASE, "UTF8",
										 false);
	char	   *gid;

	while ((gid = query(control, "SELECT quote_literal(gid) "
						"FROM pg_prepared_xacts "
						"WHERE database = current_database()")) != NULL)
	{
		char	   *sql = format("ROLLBACK PREPARED %s", gid);

		query(control, sql);
		free(sql);
		free(gid);
	}
	PQfinish(control);
}

void
run_clean_up(PGconn *maintenance, const char *conninfo)
{
	query(maintenance, "SELECT pg_drop_replication_slot(slot_name) "
		  "FROM pg_replication_slots WHERE database = '" RUN_DATABASE "' "
		  "OR slot_name = '" PHYSICAL_SLOT "'");
	query(maintenance, "SELECT pg_replication_origin_drop(roname) "
		  "FROM pg_replication_origin");
	if (query(maintenance, "SELECT gid FROM pg_prepared_xacts "
			  "WHERE database = '" RUN_DATABASE "'") != NULL)
		roll_back_prepared(conninfo);
	query(maintenance, "DROP DATABASE IF EXISTS " RUN_DATABASE " WITH (FORCE)");
}

static uint64
parse_position(const char *text)
{
	uint32		high;
	uint32		low;

	if (sscanf(text, "%X/%X", &high, &low) != 2)
		die("\"%s\" is no WAL position", text);
	return (uint64) high << 32 | low;
}

uint64
run_scenario(PGconn *maintenance, const char *conninfo,
			 const Scenario *scenario, const Side *side)
{
	Run			run = {.scenario = scenario,.side = side,.conninfo = conninfo};
	char	   *sql = format("CREATE DATABASE " RUN_DATABASE
							 " TEMPLATE template0 %s", scenario->database);
	char	   *position;
	uint64		target;

	run_clean_up(maintenance, conninfo);
	query(maintenance, sql);
	free(sql);
	run.control = connect_or_die(conninfo, RUN_DATABASE, "UTF8", false);
	PQsetNoticeReceiver(run.control, ignore_notice, NULL);
	run_steps(&run, &scenario->setup);
	make_slots(&run);
	run_steps(&run, &scenario->run);
	if (scenario->tolerant)
		printf("# %s: %d of %d statements failed\n", scenario->name,
			   run.nfailed, run.nstatements);
	position = flushed_position(run.control);
	target = parse_position(position);
	free(position);
	for (int i = 0; i < run.nsessions; i++)
	{
		/* What is still open is rolled back now, not while one side decodes. */
		PQclear(PQexec(run.session[i].conn, "ROLLBACK"));
		PQfinish(run.session[i].conn);
	}
	PQfinish(run.control);
	return target;
}
