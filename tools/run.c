/*
 * run.c
 *		Run a scenario, so that its WAL can be decoded.
 */
#include <time.h>

#include "run.h"

#define MAX_SESSIONS 10
#define REPLAY_NAPS 6000			/* of 10 ms */

typedef struct Run
{
	const Servers *servers;
	const Scenario *scenario;
	const Side *side;			/* two */
	PGconn	   *control;		/* the tool's own, to the writer */
	PGconn	   *slots;			/* ... and to the reader; may be the same */
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

static void
open_server(Server *server, const char *conninfo)
{
	server->conninfo = conninfo;
	server->conn = connect_or_die(conninfo, "postgres", "UTF8", false);
	PQsetNoticeReceiver(server->conn, ignore_notice, NULL);
}

void
servers_open(Servers *servers, const char *conninfo, const char *standby)
{
	servers->standby = standby != NULL;
	open_server(&servers->writer, conninfo);
	if (servers->standby)
		open_server(&servers->reader, standby);
	else
		servers->reader = servers->writer;
}

void
servers_close(Servers *servers)
{
	PQfinish(servers->writer.conn);
	if (servers->standby)
		PQfinish(servers->reader.conn);
}

static void
nap(void)
{
	nanosleep(&(struct timespec) {.tv_nsec = 10000000}, NULL);
}

/* Wait until the reader has what the writer has written. */
static void
wait_for_replay(const Servers *servers, const char *position)
{
	char	   *sql = format("SELECT 1 WHERE pg_last_wal_replay_lsn() >= '%s'",
							 position);

	for (int naps = 0; servers->standby &&
		 query(servers->reader.conn, sql) == NULL; naps++)
	{
		if (naps == REPLAY_NAPS)
			die("the standby did not come to %s", position);
		nap();
	}
	free(sql);
}

/* A connection to the scenario's database. */
static PGconn *
open_database(const Server *server)
{
	PGconn	   *conn = connect_or_die(server->conninfo, RUN_DATABASE, "UTF8",
									  false);

	PQsetNoticeReceiver(conn, ignore_notice, NULL);
	return conn;
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
	run->session[i].conn = open_database(&run->servers->writer);
	return run->session[i].conn;
}

/* The end of all WAL written so far, with everything where slots are read. */
static char *
flushed_position(const Servers *servers)
{
	char	   *position;

	query(servers->writer.conn, "COMMENT ON DATABASE " RUN_DATABASE
		  " IS 'flush'");
	position = query(servers->writer.conn,
					 "SELECT pg_current_wal_flush_lsn()");
	wait_for_replay(servers, position);
	return position;
}

/* Move all slots up to here, as clients do that have seen everything. */
static void
confirm(Run *run)
{
	char	   *position = flushed_position(run->servers);
	char	   *sql = format("SELECT pg_replication_slot_advance(slot_name, "
							 "'%s') FROM pg_replication_slots "
							 "WHERE database = '" RUN_DATABASE "'", position);

	query(run->slots, sql);
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
 * The first slot.  On a standby it waits for a list of running transactions,
 * which the writer logs on demand.
 */
static void
make_first_slot(const Run *run)
{
	const Side *side = &run->side[0];
	char	   *sql = format("SELECT pg_create_logical_replication_slot("
							 "'%s_off', '%s')", side->slot_prefix,
							 side->plugin);

	if (!run->servers->standby)
		query(run->slots, sql);
	else
	{
		PGresult   *result;

		if (!PQsendQuery(run->slots, sql))
			die("cannot send \"%s\": %s", sql, PQerrorMessage(run->slots));
		while (PQconsumeInput(run->slots) && PQisBusy(run->slots))
		{
			query(run->control, "SELECT pg_log_standby_snapshot()");
			nap();
		}
		while ((result = PQgetResult(run->slots)) != NULL)
		{
			if (PQresultStatus(result) != PGRES_TUPLES_OK)
				die("\"%s\" failed: %s", sql, PQerrorMessage(run->slots));
			PQclear(result);
		}
	}
	free(sql);
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
	char	   *sql;

	query(run->slots, "SELECT pg_create_physical_replication_slot('"
		  PHYSICAL_SLOT "')");
	make_first_slot(run);
	for (int i = 1; i < 4; i++)
	{
		const Side *side = &run->side[i / 2];
		const char *kind = i % 2 ? "on" : "off";

		sql = format("SELECT pg_copy_logical_replication_slot("
					 "'%s_off', '%s_%s', false, '%s')", first->slot_prefix,
					 side->slot_prefix, kind, side->plugin);
		query(run->slots, sql);
		if (i % 2 == 0)
			continue;
		sql = format("SELECT count(*) FROM pg_logical_slot_peek_binary_changes("
					 "'%s_on', NULL, NULL, 'proto_version', '3', "
					 "'publication_names', 'none', 'two_phase', 'on')",
					 side->slot_prefix);
		query(run->slots, sql);
	}
}

/* Prepared transactions would keep the database from being dropped. */
static void
roll_back_prepared(const Server *writer)
{
	PGconn	   *control = open_database(writer);
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
run_clean_up(const Servers *servers)
{
	PGconn	   *writer = servers->writer.conn;

	query(servers->reader.conn, "SELECT pg_drop_replication_slot(slot_name) "
		  "FROM pg_replication_slots WHERE database = '" RUN_DATABASE "' "
		  "OR slot_name = '" PHYSICAL_SLOT "'");
	query(writer, "SELECT pg_replication_origin_drop(roname) "
		  "FROM pg_replication_origin");
	if (query(writer, "SELECT gid FROM pg_prepared_xacts "
			  "WHERE database = '" RUN_DATABASE "'") != NULL)
		roll_back_prepared(&servers->writer);
	query(writer, "DROP DATABASE IF EXISTS " RUN_DATABASE " WITH (FORCE)");
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
run_scenario(const Servers *servers, const Scenario *scenario,
			 const Side *side)
{
	Run			run = {.servers = servers,.scenario = scenario,.side = side};
	char	   *sql = format("CREATE DATABASE " RUN_DATABASE
							 " TEMPLATE template0 %s", scenario->database);
	char	   *position;
	uint64		target;

	run_clean_up(servers);
	query(servers->writer.conn, sql);
	free(sql);
	run.control = open_database(&servers->writer);
	run_steps(&run, &scenario->setup);
	free(flushed_position(servers));
	run.slots = servers->standby ? open_database(&servers->reader) : run.control;
	make_slots(&run);
	run_steps(&run, &scenario->run);
	if (scenario->tolerant)
		printf("# %s: %d of %d statements failed\n", scenario->name,
			   run.nfailed, run.nstatements);
	position = flushed_position(servers);
	target = parse_position(position);
	free(position);
	for (int i = 0; i < run.nsessions; i++)
	{
		/* What is still open is rolled back now, not while one side decodes. */
		PQclear(PQexec(run.session[i].conn, "ROLLBACK"));
		PQfinish(run.session[i].conn);
	}
	PQfinish(run.control);
	if (servers->standby)
		PQfinish(run.slots);
	return target;
}
