/*
 * scenario.h
 *	  A DIFF scenario: one SQL file, read into statements and directives.
 *
 * t/scenarios/README.md is the manual of the format.  This file and
 * scenario.c know the file only; they never talk to a server.
 */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <stdbool.h>

/* A growing list of strings, which it owns. */
typedef struct StringList
{
	char	  **item;
	int			count;
} StringList;

extern void string_list_add(StringList *list, const char *text);
extern bool string_list_has(const StringList *list, const char *text);

/* Formats like printf into a new string. */
extern char *format(const char *fmt,...)
			__attribute__((format(printf, 1, 2)));

/* Ends the program with a message and exit code 2. */
extern void die(const char *fmt,...)
			__attribute__((format(printf, 1, 2), noreturn));

/* What happens next in a run: a statement, or a step of the tool's own. */
typedef enum StepKind
{
	STEP_SQL,					/* must succeed */
	STEP_SQL_FAILS,				/* must fail */
	STEP_CONFIRM				/* move all slots up to here */
} StepKind;

typedef struct Step
{
	StepKind	kind;
	int			line;			/* in the file, for messages */
	char	   *session;		/* which connection sends it */
	char	   *sql;
} Step;

typedef struct StepList
{
	Step	   *item;
	int			count;
} StepList;

typedef struct Scenario
{
	const char *path;
	char	   *name;			/* file name without directory and suffix */
	bool		skip;			/* not for this version */
	char	   *database;		/* options of CREATE DATABASE */
	StringList	sees;			/* message types that must occur */
	StringList	errors;			/* SQLSTATEs that must occur, no others may */
	StringList	publications;	/* variants of publication_names */
	StringList	settings;		/* variants of "name = value; ..." */
	StringList	matrix;			/* "axis=value,value" limits */
	StringList	calls;			/* literal option lists */
	StringList	tries;			/* "axis=value ... | publications | settings" */
	bool		stream_abort;	/* pgoutput aborts what it never announced */
	bool		tolerant;		/* statements and decoding may fail */
	StepList	setup;			/* before the slots are made */
	StepList	run;			/* what is decoded */
} Scenario;

/*
 * Reads a scenario as it is for servers of a major version; a mistake in the
 * file ends the program.
 */
extern Scenario *scenario_read(const char *path, int version);

/* True if the scenario's limits let this value of an axis take part. */
extern bool scenario_allows(const Scenario *scenario, const char *axis,
							const char *value);

#endif							/* SCENARIO_H */
