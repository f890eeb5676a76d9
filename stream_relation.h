/*-------------------------------------------------------------------------
 *
 * stream_relation.h
 *		The relation cache: find, rebuild, invalidate; and which transactions
 *		a relation's description was sent in.
 *
 * One cache per decoding session, and one session at a time per process:
 * invalidations reach the cache that was begun last.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_RELATION_H
#define STREAM_RELATION_H

#include "lib/ilist.h"
#include "stream_change.h"
#include "stream_filter.h"
#include "stream_options.h"
#include "stream_proto.h"
#include "stream_publication.h"
#include "stream_stats.h"
#include "stream_tuple.h"
#include "utils/hsearch.h"

typedef struct StreamRelationCache StreamRelationCache;

/*
 * What is known of a relation whose changes come by.  A pointer to it is good
 * until the next look-up; invalidations only mark it.
 */
typedef struct StreamRelation
{
	Oid			relid;			/* hash key */
	bool		valid;
	bool		schema_sent;	/* to the client, for good */
	uint64		generation;		/* of the cache, when this was built */
	uint64		names_generation;	/* likewise */
	uint64		version;		/* unique in the session; names this build */
	dlist_node	stale_node;		/* in the cache's list, if is_stale */
	bool		is_stale;
	uint8		stats_place;	/* for stream_stats_count_table */

	StreamDecision decision;

	/* The rest is there only if a row action is published. */
	MemoryContext context;		/* owns all that follows, and the decision's
								 * columns */
	AttrMap    *map;			/* to publish_as' columns; NULL = the same */
	StreamFilter *filter;		/* NULL = every row passes */
	TupleTableSlot *old_slot;	/* in the relation's own layout */
	TupleTableSlot *new_slot;

	/* Follows the definition of publish_as and the types. */
	MemoryContext columns_context;
	uint64		columns_generation;
	StreamColumns *columns;
	StreamTupleKind old_kind;	/* what an old row is sent as */
	int			natts;			/* leading attributes that anybody needs */
} StreamRelation;

/* Which descriptions were sent inside one streamed transaction. */
typedef struct StreamSentSchemas
{
	MemoryContext context;		/* where to put them; set by the owner */
	HTAB	   *versions;		/* NULL = none */
} StreamSentSchemas;

/*
 * Begin a session's cache, below the current context, and end it with that.
 * options and stats, where look-ups are counted, must live as long.
 */
extern StreamRelationCache *stream_relation_begin(const StreamOptions *options,
												  StreamStats *stats);

/* RelationIdGetRelation, for a relation that must be there; else raises. */
extern Relation stream_relation_open(Oid relid);

/*
 * Find or build what is known of a relation; NULL if it is of a kind that is
 * never published.  The current context must be the change's.  Raises what
 * stream_publication's functions raise.
 */
extern StreamRelation *stream_relation_lookup(StreamRelationCache *cache,
											  Relation relation);

/* Is this action published? */
static inline bool
stream_relation_publishes(const StreamRelation *entry, StreamAction action)
{
	return stream_publication_has_action(&entry->decision.actions, action);
}

/* Is any action published? */
static inline bool
stream_relation_publishes_any(const StreamRelation *entry)
{
	return stream_publication_has_row_actions(&entry->decision) ||
		entry->decision.actions.pubtruncate;
}

/*
 * Take a change's rows apart into change->oldrow and newrow, as far as anybody
 * needs them.  Either tuple may be NULL; they must outlive the change.
 */
extern void stream_relation_deform(StreamRelation *entry, HeapTuple oldtuple,
								   HeapTuple newtuple, StreamChange *change);

/*
 * Was the description sent already, to the client for good (schemas = NULL)
 * or within this streamed transaction?  And: it was now.
 */
extern bool stream_relation_is_sent(const StreamRelation *entry,
									const StreamSentSchemas *schemas);
extern void stream_relation_set_sent(StreamRelation *entry,
									 StreamSentSchemas *schemas);

/*
 * The streamed transaction ended.  A commit (and up to 17 a prepare) makes
 * its descriptions count as sent; after an abort, also of a subtransaction,
 * they do not.
 * Costs as much as there were.
 */
extern void stream_relation_commit_sent(StreamRelationCache *cache,
										StreamSentSchemas *schemas);
extern void stream_relation_forget_sent(StreamSentSchemas *schemas);

/*
 * Describe a relation as the RELATION message has it: entry's relation or the
 * ancestor it is sent as.  Names and columns are copies in the current
 * context, so that they stay good across catalog accesses.
 */
extern void stream_relation_describe(const StreamRelation *entry,
									 Relation relation,
									 StreamRelationDesc *desc);

/* Describe a type as the TYPE message has it. */
extern void stream_relation_describe_type(Oid typid, StreamTypeDesc *desc);

#endif							/* STREAM_RELATION_H */
