/*-------------------------------------------------------------------------
 *
 * stream_publication.h
 *		The decision, straight from the catalogs: is a relation published,
 *		which actions, as which relation, which columns, which row filters.
 *
 * Caches nothing and knows no session: every function looks at the catalogs
 * as the current snapshot shows them and allocates in the current context.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_PUBLICATION_H
#define STREAM_PUBLICATION_H

#include "catalog/pg_publication.h"
#include "nodes/bitmapset.h"
#include "stream_change.h"
#include "utils/rel.h"

typedef struct StreamDecision
{
	Oid			relid;			/* the relation that is decided about */
	Oid			publish_as;		/* itself, or the ancestor it is sent as */
	PublicationActions actions;
	List	   *publications;	/* of Publication *: those that publish it as
								 * publish_as, whose lists and filters count */

	/* stream_publication_decide_columns */
	bool		publish_generated;	/* stored ones too, where no list says */
	Bitmapset  *columns;		/* attnums of publish_as; NULL = no list */
} StreamDecision;

/* Is this action among those published? */
static inline bool
stream_publication_has_action(const PublicationActions *actions,
							  StreamAction action)
{
	switch (action)
	{
		case STREAM_ACTION_INSERT:
			return actions->pubinsert;
		case STREAM_ACTION_UPDATE:
			return actions->pubupdate;
		case STREAM_ACTION_DELETE:
			return actions->pubdelete;
		case STREAM_ACTION_TRUNCATE:
			return actions->pubtruncate;
	}
	return false;
}

/* Is any row action published? */
static inline bool
stream_publication_has_row_actions(const StreamDecision *decision)
{
	return decision->actions.pubinsert || decision->actions.pubupdate ||
		decision->actions.pubdelete;
}

/*
 * The publications of these names, as Publication *.  One that does not exist
 * raises UNDEFINED_OBJECT up to 17 and is left out with a warning from 18 on.
 */
extern List *stream_publication_load(List *names);

/*
 * Fill *decision, but for its columns.  relid must exist.  With ask_names the
 * catalogs are asked who names it also where nobody needs to know.
 */
extern void stream_publication_decide(List *publications, Oid relid,
									  bool ask_names, StreamDecision *decision);

/*
 * Does this publication have the relation, by name, by schema or through an
 * ancestor, whatever it publishes of it?
 */
extern bool stream_publication_covers(Publication *pub, Oid relid);

/*
 * Fill in the decision's columns.  When the decision's publications do not
 * agree, decide raises FEATURE_NOT_SUPPORTED, and find returns the format of
 * that error, which takes the names of schema and table; else NULL.
 */
extern void stream_publication_decide_columns(StreamDecision *decision);
extern const char *stream_publication_find_columns(StreamDecision *decision);

/*
 * The row filters of each row action, as lists of node strings that are to be
 * OR-ed; NIL = every row passes.  Returns whether any action has a filter.
 */
extern bool stream_publication_get_filters(const StreamDecision *decision,
										   List *filters[STREAM_ROW_ACTIONS]);

/*
 * Is this column sent?  att belongs to publish_as or, in the description of a
 * partition that is sent as its ancestor, to relid, where the column list
 * is (as in pgoutput) matched by attribute number all the same.
 */
extern bool stream_publication_has_column(const StreamDecision *decision,
										  Form_pg_attribute att);

#endif							/* STREAM_PUBLICATION_H */
