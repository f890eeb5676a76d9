/*-------------------------------------------------------------------------
 *
 * stream_inspect_walk.h
 *		Walk over the messages of one connection, in order, and know at each
 *		where one stands: which transaction, which relation, whether it may
 *		stand there at all.
 *
 * Nothing of the server beyond palloc, so that it is fuzzed as it is.  All
 * that a walk keeps is palloc'd in the context that is current when it is
 * called, is bounded by the number of relations and types described, and goes
 * with stream_inspect_free_walk or with that context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_INSPECT_WALK_H
#define STREAM_INSPECT_WALK_H

#include "postgres.h"

#include "stream_proto.h"

/* ----------------------------------------------------------------
 *		Map from ids (xids, oids; never 0) to pointers
 * ----------------------------------------------------------------
 */

typedef struct StreamIdSlot
{
	uint32		id;				/* 0: free */
	void	   *value;
} StreamIdSlot;

/* All zero is an empty map.  The values are the owner's. */
typedef struct StreamIdMap
{
	uint32		nslots;			/* 0 or a power of 2 */
	uint32		used;
	StreamIdSlot *slots;
} StreamIdMap;

/* The value of an id, or NULL. */
extern void *stream_inspect_map_get(const StreamIdMap *map, uint32 id);

/* Set the value of an id, new or not. */
extern void stream_inspect_map_put(StreamIdMap *map, uint32 id, void *value);

/* Forget an id, which need not be there. */
extern void stream_inspect_map_delete(StreamIdMap *map, uint32 id);

/* Forget all; pfree every value first if so wanted. */
extern void stream_inspect_map_free(StreamIdMap *map, bool values_too);

/* ----------------------------------------------------------------
 *		The walk
 * ----------------------------------------------------------------
 */

typedef enum StreamInspectStreaming
{
	STREAM_INSPECT_OFF,			/* no stream blocks are expected */
	STREAM_INSPECT_ON,
	STREAM_INSPECT_PARALLEL,	/* STREAM ABORT has LSN and time */
} StreamInspectStreaming;

/*
 * A relation as the last RELATION with its oid described it.  The struct
 * stays where it is for the whole walk; its description is replaced.
 */
typedef struct StreamInspectRelation
{
	StreamRelationDesc desc;	/* own copy, in one chunk at desc.columns */
	void	   *derived;		/* whoever shows rows keeps something here */
} StreamInspectRelation;

/* A type as the last TYPE with its oid named it. */
typedef struct StreamInspectType
{
	const char *nspname;		/* empty for pg_catalog */
	char		typname[];
} StreamInspectType;

typedef struct StreamWalk
{
	/* after each message */
	int64		number;			/* how many there were; the first is 1 */
	StreamMessage msg;			/* strings and values point into the input */
	TransactionId xid;			/* top transaction it belongs to, or 0 */
	TransactionId subxid;		/* subtransaction, or 0 if the top one's */
	StreamInspectRelation *relation;	/* of a row or RELATION, or NULL */

	/* after one that could not be */
	char		error[128];		/* what is wrong there */
	int			error_offset;	/* at which byte of it */
	bool		wants_streaming;	/* wrong only because streaming is off */

	/* between messages */
	StreamInspectStreaming streaming;
	StreamReader reader;
	StreamProtoState state;
	TransactionId open_xid;		/* of what state.open opened */
	StreamIdMap relations;		/* oid to StreamInspectRelation */
	StreamIdMap types;			/* oid to StreamInspectType */
} StreamWalk;

/* Begin with a connection's first message. */
extern void stream_inspect_init_walk(StreamWalk *walk,
									 StreamInspectStreaming streaming);

/* Free all that the walk keeps, but not what "derived" points to. */
extern void stream_inspect_free_walk(StreamWalk *walk);

/*
 * Take the next message, which must fill data[0..len) exactly and outlive
 * walk->msg.  Returns false, with walk->error set, for bytes that are no
 * message and for messages that cannot stand here: against the order of
 * doc/protocol.md, rows of relations that were not described, or with another
 * number of columns.  The walk is over then.
 */
extern bool stream_inspect_walk(StreamWalk *walk, const char *data, int len);

#endif							/* STREAM_INSPECT_WALK_H */
