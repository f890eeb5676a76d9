/*
 * decode.h
 *		Read a slot once, over the SQL interface or over a walsender, and keep
 *		every message with its position.
 *
 * Nothing is ever confirmed, so that a slot can be read any number of times.
 */
#ifndef DECODE_H
#define DECODE_H

#include <libpq-fe.h>

#include "postgres.h"

#include "scenario.h"

typedef enum Interface
{
	INTERFACE_SQL,
	INTERFACE_WALSENDER
} Interface;

#define NUM_INTERFACES 2

/* A physical slot, which has to exist. */
#define PHYSICAL_SLOT "stream_diff_physical"

extern const char *const interface_name[NUM_INTERFACES];

/* One message, and where it came from. */
typedef struct Message
{
	uint64		lsn;			/* column lsn, or start of the header */
	uint64		wal_end;		/* of the header; 0 over SQL */
	uint32		xid;			/* column xid; 0 over a walsender */
	const char *data;
	int			length;
	char	   *owned;			/* buffer to free, or NULL */
} Message;

/* All that one call gave. */
typedef struct Decoded
{
	Message    *message;
	int			count;
	char	   *error;			/* SQLSTATE and texts, or NULL */
	char		sqlstate[6];
	StringList	notices;		/* likewise, in order */
	PGresult   *result;			/* holds the data over SQL */
} Decoded;

/* A plugin, and the connections over which it is asked. */
typedef struct Side
{
	const char *plugin;
	const char *slot_prefix;	/* its slots are PREFIX_off and PREFIX_on */
	PGconn	   *conn[NUM_INTERFACES];
	Decoded		decoded;
} Side;

/* An option without a value has NULL for one. */
typedef struct Option
{
	const char *name;
	const char *value;
} Option;

#define MAX_OPTIONS 16

typedef struct OptionList
{
	Option		item[MAX_OPTIONS];
	int			count;
} OptionList;

extern void option_add(OptionList *options, const char *name,
					   const char *value);

/* The text in single quotes, for SQL and for replication commands. */
extern char *quote(const char *text);

/* Connect, or end the program.  No encoding means that of the database. */
extern PGconn *connect_or_die(const char *conninfo, const char *dbname,
							  const char *encoding, bool replication);

/* Open both connections of a side to a database; close them. */
extern void side_open(Side *side, const char *conninfo, const char *dbname);
extern void side_close(Side *side);

/*
 * Ask for everything of the slot up to the target; returns at once, so that
 * both sides can be asked before either is waited for.
 */
extern void decode_start(Side *side, Interface interface, const char *slot,
						 uint64 target, const OptionList *options);

/* Wait for the answer and leave it in side->decoded. */
extern void decode_finish(Side *side, Interface interface, uint64 target);

/* Forget the answer. */
extern void decode_free(Decoded *decoded);

#endif							/* DECODE_H */
