/*-------------------------------------------------------------------------
 *
 * stream_publication.c
 *		The decision, straight from the catalogs: is a relation published,
 *		which actions, as which relation, which columns, which row filters.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_publication.h"

#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_publication_rel.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

/* What is asked of the catalogs once for all publications. */
typedef struct Membership
{
	Oid			relid;
	List	   *by_name;		/* publications that name the relation */
	List	   *by_schema;		/* publications that name its schema */
	List	   *exclusions;		/* publications that except it or its root */
	List	   *ancestors;		/* nearest first; NIL if no partition, or if
								 * nobody needs them */
} Membership;

List *
stream_publication_load(List *names)
{
	List	   *result = NIL;
	ListCell   *lc;

	foreach(lc, names)
	{
		const char *name = lfirst(lc);
		Publication *pub = GetPublicationByName(name,
												STREAM_HAS_MISSING_PUBLICATION);

		if (pub)
			result = lappend(result, pub);
		else
			ereport(WARNING,
					errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("skipped loading publication \"%s\"", name),
					errdetail("The publication does not exist at this point in the WAL."),
					errhint("Create the publication if it does not exist."));
	}
	return result;
}

/* Does what this publication says of a partition depend on its ancestors? */
static bool
needs_ancestors(const Publication *pub)
{
	return !pub->alltables || pub->pubviaroot || STREAM_HAS_EXCLUSIONS;
}

/*
 * Where every publication is of all tables, nobody asks who names the
 * relation: the server's caches would remember for each relation ever seen,
 * dropped ones too, that nobody does.  With ask_names they are asked.
 *
 * Ancestors are read from the catalogs each time, where pgoutput does so: that
 * is where the abort of a transaction in progress is noticed.
 */
static void
find_membership(List *publications, Oid relid, bool ask_names,
				Membership *member)
{
	ListCell   *lc;
	bool		wants_ancestors = false;

	memset(member, 0, sizeof(*member));
	member->relid = relid;
	foreach(lc, publications)
	{
		const Publication *pub = lfirst(lc);

		ask_names |= !pub->alltables;
		wants_ancestors |= needs_ancestors(pub);
	}
	if (ask_names)
	{
		member->by_name = stream_relation_publications(relid);
		member->by_schema = GetSchemaPublications(get_rel_namespace(relid));
	}
	if (wants_ancestors && get_rel_relispartition(relid))
		member->ancestors = get_partition_ancestors(relid);
	member->exclusions =
		stream_relation_exclusions(member->ancestors ?
								   llast_oid(member->ancestors) : relid);
}

/*
 * Does this publication publish the relation, and as which?  *publish_as is
 * the topmost ancestor if the publication goes through its roots, *level that
 * ancestor's distance (0 = the relation itself).
 */
static bool
find_published_as(Publication *pub, const Membership *member,
				  Oid *publish_as, int *level)
{
	Oid			ancestor;
	int			ancestor_level = 0;

	*publish_as = member->relid;
	*level = 0;

	if (pub->alltables)
	{
		if (list_member_oid(member->exclusions, pub->oid))
			return false;
		if (pub->pubviaroot && member->ancestors != NIL)
		{
			*publish_as = llast_oid(member->ancestors);
			*level = list_length(member->ancestors);
		}
		return true;
	}

	ancestor = member->ancestors == NIL ? InvalidOid :
		GetTopMostAncestorInPublication(pub->oid, member->ancestors,
										&ancestor_level);
	if (OidIsValid(ancestor) && pub->pubviaroot)
	{
		*publish_as = ancestor;
		*level = ancestor_level;
	}

	return OidIsValid(ancestor) ||
		list_member_oid(member->by_name, pub->oid) ||
		list_member_oid(member->by_schema, pub->oid);
}

bool
stream_publication_covers(Publication *pub, Oid relid)
{
	Membership	member;
	Oid			publish_as;
	int			level;

	find_membership(list_make1(pub), relid, false, &member);
	return find_published_as(pub, &member, &publish_as, &level);
}

static void
add_actions(PublicationActions *actions, const PublicationActions *more)
{
	actions->pubinsert |= more->pubinsert;
	actions->pubupdate |= more->pubupdate;
	actions->pubdelete |= more->pubdelete;
	actions->pubtruncate |= more->pubtruncate;
}

/*
 * The actions add up over all publications that publish the relation, but it
 * is sent as the topmost relation that any of them names, and only those that
 * name this one have a say in columns and filters.
 */
void
stream_publication_decide(List *publications, Oid relid, bool ask_names,
						  StreamDecision *decision)
{
	Membership	member;
	bool		is_partitioned =
		get_rel_relkind(relid) == RELKIND_PARTITIONED_TABLE;
	int			top_level = 0;
	ListCell   *lc;

	memset(decision, 0, sizeof(*decision));
	decision->relid = relid;
	decision->publish_as = relid;
	find_membership(publications, relid, ask_names, &member);

	foreach(lc, publications)
	{
		Publication *pub = lfirst(lc);
		Oid			publish_as;
		int			level;

		if (!find_published_as(pub, &member, &publish_as, &level))
			continue;

		/* A partitioned table's changes are those of its partitions. */
		if (is_partitioned && !pub->pubviaroot)
			continue;

		add_actions(&decision->actions, &pub->pubactions);

		if (level < top_level)
			continue;
		if (level > top_level)
		{
			decision->publish_as = publish_as;
			decision->publications = NIL;
			top_level = level;
		}
		decision->publications = lappend(decision->publications, pub);
	}
}

/*
 * One column of this publication's entry for the relation.  Returns false if
 * there is no entry or the column is null.  The tuple must be released.
 */
static bool
get_publication_rel_attr(const Publication *pub, Oid relid,
						 AttrNumber attnum, HeapTuple *tuple, Datum *value)
{
	bool		isnull;

	*tuple = SearchSysCache2(PUBLICATIONRELMAP, ObjectIdGetDatum(relid),
							 ObjectIdGetDatum(pub->oid));
	if (!HeapTupleIsValid(*tuple))
		return false;

	*value = SysCacheGetAttr(PUBLICATIONRELMAP, *tuple, attnum, &isnull);
	if (isnull)
		ReleaseSysCache(*tuple);
	return !isnull;
}

/* Set *columns to the publication's column list; false if it has none. */
static bool
get_column_list(const Publication *pub, Oid relid, Bitmapset **columns)
{
	HeapTuple	tuple;
	Datum		value;

	*columns = NULL;
	if (pub->alltables ||
		!get_publication_rel_attr(pub, relid, Anum_pg_publication_rel_prattrs,
								  &tuple, &value))
		return false;

	*columns = pub_collist_to_bitmapset(NULL, value, CurrentMemoryContext);
	ReleaseSysCache(tuple);
	return true;
}

/* Is it sent when no column list says so? */
static bool
is_sent_by_default(Form_pg_attribute att, bool publish_generated)
{
	if (att->attisdropped)
		return false;
	return att->attgenerated == '\0' ||
		(publish_generated && att->attgenerated == ATTRIBUTE_GENERATED_STORED);
}

static Bitmapset *
get_default_columns(TupleDesc desc, bool publish_generated)
{
	Bitmapset  *result = NULL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		if (is_sent_by_default(att, publish_generated))
			result = bms_add_member(result, att->attnum);
	}
	return result;
}

static bool
has_generated_column(TupleDesc desc)
{
	for (int i = 0; i < desc->natts; i++)
	{
		if (TupleDescAttr(desc, i)->attgenerated != '\0')
			return true;
	}
	return false;
}

/*
 * How publications disagree.  The texts take schema and name; whole, so that
 * the server can translate them.
 */
static const char *const generated_clash =
"cannot use different values of publish_generated_columns for table \"%s.%s\" in different publications";
static const char *const list_clash =
"cannot use different column lists for table \"%s.%s\" in different publications";

/*
 * publish_generated: what the publications without a column list say.
 * Returns how they disagree, or NULL; so does decide_list.
 */
static const char *
decide_generated(StreamDecision *decision, Relation rel)
{
	bool		first = true;
	ListCell   *lc;

	decision->publish_generated = false;
	if (!STREAM_HAS_GENERATED || !has_generated_column(RelationGetDescr(rel)))
		return NULL;

	foreach(lc, decision->publications)
	{
		Publication *pub = lfirst(lc);
		Bitmapset  *columns;

		if (get_column_list(pub, decision->publish_as, &columns))
			continue;
		if (!first &&
			decision->publish_generated != stream_publishes_generated(pub))
			return generated_clash;
		decision->publish_generated = stream_publishes_generated(pub);
		first = false;
	}
	return NULL;
}

/*
 * How many columns does a list have that names every column?  15 knows none
 * for a table with dropped or generated columns, which no list can name.
 */
static int
count_every_column(Relation rel, const Bitmapset *default_columns)
{
	return STREAM_COUNTS_DROPPED_COLUMNS ?
		RelationGetNumberOfAttributes(rel) : bms_num_members(default_columns);
}

/*
 * The columns that one publication asks for, as comparable sets.  Up to 17 a
 * list of every column is the same as none and becomes NULL.  From 18 on no
 * list is compared as the set of default columns.
 */
static Bitmapset *
get_publication_columns(const StreamDecision *decision,
						const Publication *pub, Relation rel,
						Bitmapset *default_columns, bool *has_list)
{
	Bitmapset  *columns;

	*has_list = get_column_list(pub, decision->publish_as, &columns);

	if (STREAM_HAS_EXACT_COLUMN_LIST)
		return columns ? columns : default_columns;

	if (columns &&
		bms_num_members(columns) == count_every_column(rel, default_columns))
		return NULL;
	return columns;
}

static const char *
decide_list(StreamDecision *decision, Relation rel)
{
	Bitmapset  *default_columns =
		get_default_columns(RelationGetDescr(rel),
							decision->publish_generated);
	bool		any_list = false;
	ListCell   *lc;

	decision->columns = NULL;
	foreach(lc, decision->publications)
	{
		bool		has_list;
		Bitmapset  *columns = get_publication_columns(decision, lfirst(lc), rel,
													  default_columns,
													  &has_list);

		any_list |= has_list;
		if (foreach_current_index(lc) == 0)
			decision->columns = columns;
		else if (!bms_equal(decision->columns, columns))
			return list_clash;
	}

	/* Without a list, what is sent follows the table. */
	if (!any_list)
		decision->columns = NULL;
	return NULL;
}

const char *
stream_publication_find_columns(StreamDecision *decision)
{
	Relation	rel = RelationIdGetRelation(decision->publish_as);
	const char *clash;

	if (!RelationIsValid(rel))
		elog(ERROR, "could not open relation with OID %u", decision->publish_as);
	clash = decide_generated(decision, rel);
	if (clash == NULL)
		clash = decide_list(decision, rel);
	RelationClose(rel);
	return clash;
}

void
stream_publication_decide_columns(StreamDecision *decision)
{
	const char *clash = stream_publication_find_columns(decision);
	Oid			relid = decision->publish_as;

	if (clash)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg(clash, get_namespace_name(get_rel_namespace(relid)),
					   get_rel_name(relid)));
}

bool
stream_publication_has_column(const StreamDecision *decision,
							  Form_pg_attribute att)
{
	if (decision->columns == NULL)
		return is_sent_by_default(att, decision->publish_generated);

	/* Up to 17, generated columns are not sent even if a list names them. */
	if (att->attisdropped || (!STREAM_HAS_GENERATED && att->attgenerated))
		return false;
	return bms_is_member(att->attnum, decision->columns);
}

/* ALL TABLES and TABLES IN SCHEMA publish every row. */
static char *
get_filter(const Publication *pub, Oid relid)
{
	HeapTuple	tuple;
	Datum		value;
	char	   *filter;

	if (pub->alltables ||
		SearchSysCacheExists2(PUBLICATIONNAMESPACEMAP,
							  ObjectIdGetDatum(get_rel_namespace(relid)),
							  ObjectIdGetDatum(pub->oid)) ||
		!get_publication_rel_attr(pub, relid, Anum_pg_publication_rel_prqual,
								  &tuple, &value))
		return NULL;

	filter = TextDatumGetCString(value);
	ReleaseSysCache(tuple);
	return filter;
}

/*
 * A publication that publishes an action without a filter switches the
 * filters of all others off for that action.
 */
bool
stream_publication_get_filters(const StreamDecision *decision,
							   List *filters[STREAM_ROW_ACTIONS])
{
	bool		unfiltered[STREAM_ROW_ACTIONS] = {false};
	bool		any_filter = false;
	ListCell   *lc;

	memset(filters, 0, sizeof(List *) * STREAM_ROW_ACTIONS);
	foreach(lc, decision->publications)
	{
		Publication *pub = lfirst(lc);
		char	   *filter = get_filter(pub, decision->publish_as);

		for (int i = 0; i < STREAM_ROW_ACTIONS; i++)
		{
			if (!stream_publication_has_action(&pub->pubactions, i))
				continue;
			if (filter)
				filters[i] = lappend(filters[i], filter);
			else
				unfiltered[i] = true;
		}
	}

	for (int i = 0; i < STREAM_ROW_ACTIONS; i++)
	{
		if (unfiltered[i])
			filters[i] = NIL;
		any_filter |= filters[i] != NIL;
	}
	return any_filter;
}
