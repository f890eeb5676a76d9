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

/*
 * Run the scenario in a new database, with the slots of two sides made
 * between set-up and run; a statement that does not do what the scenario says
 * ends the program.  Returns the position up to which to decode.
 */
extern uint64 run_scenario(PGconn *maintenance, const char *conninfo,
						   const Scenario *scenario, const Side *side);

/* Remove the database and all that would hold it, of this run or another. */
extern void run_clean_up(PGconn *maintenance, const char *conninfo);

#endif							/* RUN_H */
