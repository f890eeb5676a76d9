/*
 * run.h
 *		Run a scenario, so that its WAL can be decoded.
 */
#ifndef RUN_H
#define RUN_H

#include "decode.h"

/* The database of the scenario that runs, or has run last. */
#define RUN_DATABASE "stream_diff"

/* For connections whose notices are nobody's business. */
extern void ignore_notice(void *arg, const PGresult *result);

/* A server, and the tool's connection to its database postgres. */
typedef struct Server
{
	const char *conninfo;
	PGconn	   *conn;
} Server;

/* Where scenarios run, and where the slots are: there too, or on a standby. */
typedef struct Servers
{
	Server		writer;
	Server		reader;
	bool		standby;		/* are these two? */
} Servers;

extern void servers_open(Servers *servers, const char *conninfo,
						 const char *standby);
extern void servers_close(Servers *servers);

/*
 * Run the scenario in a new database, with the slots of two sides made
 * between set-up and run; a statement that does not do what the scenario says
 * ends the program.  Returns the position up to which to decode, which the
 * reader has.
 */
extern uint64 run_scenario(const Servers *servers, const Scenario *scenario,
						   const Side *side);

/* Remove the database and all that would hold it, of this run or another. */
extern void run_clean_up(const Servers *servers);

#endif							/* RUN_H */
