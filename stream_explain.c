/*-------------------------------------------------------------------------
 *
 * stream_explain.c
 *		SQL functions: what a list of publications sends of a table, and why
 *		not.
 *
 * The decision is stream_publication's, on the catalogs as they are now; this
 * room only asks it and finds words for what it does not publish.  Whether
 * the server refuses an UPDATE or DELETE is answered from what the server
 * itself has in its relation cache for that check.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_publication.h"

#include "access/relation.h"
#include "access/table.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "funcapi.h"
#include "parser/scansup.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/relcache.h"

/* What is asked: a relation, and publications by name. */
typedef struct Question
{
	Relation	rel;
	List	   *missing;		/* char *: those that do not exist */
	List	   *covering;		/* Publication *: those that have the relation */
	StreamDecision decision;	/* of all that exist */
	const char *clash;			/* why its columns cannot be decided, or NULL */
	List	   *filters[STREAM_ROW_ACTIONS];
} Question;

static const char *const action_names[] = {
	[STREAM_ACTION_INSERT] = "insert",
	[STREAM_ACTION_UPDATE] = "update",
	[STREAM_ACTION_DELETE] = "delete",
	[STREAM_ACTION_TRUNCATE] = "truncate",
};

#define EXPLAIN_ACTIONS		((int) lengthof(action_names))
#define EXPLAIN_COLUMNS		7

/* ----------------------------------------------------------------
 *		Asking
 * ----------------------------------------------------------------
 */

static bool
has_name(List *names, const char *name)
{
	ListCell   *lc;

	foreach(lc, names)
	{
		if (strcmp(lfirst(lc), name) == 0)
			return true;
	}
	return false;
}

/* The names in the array, as char *: cut as the plugin's option is, and once. */
static List *
get_names(ArrayType *array)
{
	List	   *names = NIL;
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT,
					  &elements, &nulls, &count);
	if (count == 0)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("no publication is named"),
				errhint("Pass the names that the subscription has, as in ARRAY['pub1', 'pub2']."));
	for (int i = 0; i < count; i++)
	{
		char	   *name;

		if (nulls[i])
			ereport(ERROR,
					errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					errmsg("a publication's name must not be null"));
		name = TextDatumGetCString(elements[i]);
		truncate_identifier(name, (int) strlen(name), false);
		if (!has_name(names, name))
			names = lappend(names, name);
	}
	return names;
}

static void
ask(Question *question, List *names)
{
	Oid			relid = RelationGetRelid(question->rel);
	List	   *publications = NIL;
	ListCell   *lc;

	foreach(lc, names)
	{
		char	   *name = lfirst(lc);
		Publication *pub = GetPublicationByName(name, true);

		if (pub == NULL)
		{
			question->missing = lappend(question->missing, name);
			continue;
		}
		publications = lappend(publications, pub);
		if (stream_publication_covers(pub, relid))
			question->covering = lappend(question->covering, pub);
	}

	stream_publication_decide(publications, relid, false, &question->decision);
	if (stream_publication_has_row_actions(&question->decision))
	{
		question->clash = stream_publication_find_columns(&question->decision);
		stream_publication_get_filters(&question->decision, question->filters);
	}
}

/* ----------------------------------------------------------------
 *		Why not.  Each returns NULL if that is not the reason.
 * ----------------------------------------------------------------
 */

static char *
get_qualified_name(Oid relid)
{
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relid)),
									  get_rel_name(relid));
}

static char *
quote_names(List *publications)
{
	StringInfoData names;
	ListCell   *lc;

	initStringInfo(&names);
	foreach(lc, publications)
	{
		appendStringInfo(&names, "%s\"%s\"", names.len > 0 ? ", " : "",
						 ((Publication *) lfirst(lc))->name);
	}
	return names.data;
}

/* The relation is of a kind that is never sent. */
static const char *
why_not_publishable(Relation rel)
{
	if (is_publishable_relation(rel))
		return NULL;

	switch (rel->rd_rel->relkind)
	{
		case RELKIND_RELATION:
		case RELKIND_PARTITIONED_TABLE:
			break;
		case RELKIND_VIEW:
			return "a view has no changes of its own: the tables below it have";
		case RELKIND_MATVIEW:
			return "a materialized view is not sent: only tables are";
		case RELKIND_FOREIGN_TABLE:
			return "a foreign table's changes are made on another server";
		case RELKIND_SEQUENCE:
			return "a sequence is not sent: only tables are";
		default:
			return "it is not a table";
	}
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_TEMP)
		return "a temporary table's changes are not in the WAL";
	if (rel->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED)
		return "an unlogged table's changes are not in the WAL";
	return "a system table is never sent";
}

/* Up to 17 decoding fails; later such a publication is left out. */
static const char *
why_decoding_fails(const Question *question)
{
	if (question->missing != NIL && !STREAM_HAS_MISSING_PUBLICATION)
		return psprintf("decoding fails: publication \"%s\" does not exist",
						(char *) linitial(question->missing));
	if (question->clash)
	{
		Oid			relid = question->decision.publish_as;
		char	   *text = psprintf(question->clash,
									get_namespace_name(get_rel_namespace(relid)),
									get_rel_name(relid));

		return psprintf("decoding fails: %s", text);
	}
	return NULL;
}

static const char *
why_not_covered(const Question *question)
{
	if (question->covering != NIL)
		return NULL;
	if (question->missing != NIL)
		return psprintf("none of these publications has it, and \"%s\" does not exist",
						(char *) linitial(question->missing));
	return "none of these publications has it";
}

static const char *
why_action_not_sent(const Question *question, StreamAction action)
{
	const StreamDecision *decision = &question->decision;

	if (question->rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE &&
		!stream_publication_has_action(&decision->actions, action))
	{
		ListCell   *lc;

		foreach(lc, question->covering)
		{
			const Publication *pub = lfirst(lc);

			if (stream_publication_has_action(&pub->pubactions, action) &&
				!pub->pubviaroot)
				return "its partitions are sent, each as itself";
		}
	}
	if (!stream_publication_has_action(&decision->actions, action))
		return psprintf("not published by %s", quote_names(question->covering));
	if (action == STREAM_ACTION_TRUNCATE &&
		question->rel->rd_rel->relispartition &&
		decision->publish_as != decision->relid)
		return psprintf("only a TRUNCATE of %s itself is sent",
						get_qualified_name(decision->publish_as));
	return NULL;
}

/*
 * Why the server refuses such statements on the table.  It minds every
 * publication of the database, not only those asked about.
 */
static const char *
why_table_refused(Relation rel, StreamAction action)
{
	bool		is_update = action == STREAM_ACTION_UPDATE;
	PublicationDesc desc;

	RelationBuildPublicationDesc(rel, &desc);
	if (!stream_publication_has_action(&desc.pubactions, action))
		return NULL;

	if (!(is_update ? desc.rf_valid_for_update : desc.rf_valid_for_delete))
		return "the server refuses it: a row filter has a column outside the replica identity";
	if (!(is_update ? desc.cols_valid_for_update : desc.cols_valid_for_delete))
		return "the server refuses it: a column list leaves out columns of the replica identity";
	if (!stream_generated_identity_valid(&desc, is_update))
		return "the server refuses it: the replica identity has generated columns that are not published";
	if (rel->rd_rel->relreplident != REPLICA_IDENTITY_FULL &&
		!OidIsValid(RelationGetReplicaIndex(rel)))
		return "the server refuses it: the table has no replica identity";
	return NULL;
}

/*
 * A partitioned table's rows are refused by the partition they are in.  These
 * are locked one after the other, since there may be more than locks.
 */
static const char *
why_partition_refused(Relation rel, StreamAction action)
{
	List	   *relids = find_all_inheritors(RelationGetRelid(rel), NoLock, NULL);
	const char *reason = NULL;
	ListCell   *lc;

	foreach(lc, relids)
	{
		Relation	partition = try_relation_open(lfirst_oid(lc), AccessShareLock);

		if (partition == NULL)
			continue;
		if (partition->rd_rel->relkind == RELKIND_RELATION)
			reason = why_table_refused(partition, action);
		if (reason)
			reason = psprintf("partition %s: %s",
							  get_qualified_name(RelationGetRelid(partition)), reason);
		relation_close(partition, AccessShareLock);
		if (reason)
			break;
	}
	return reason;
}

static const char *
why_refused(Relation rel, StreamAction action)
{
	if (action != STREAM_ACTION_UPDATE && action != STREAM_ACTION_DELETE)
		return NULL;
	if (rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE)
		return why_partition_refused(rel, action);
	return why_table_refused(rel, action);
}

/* The first reason that applies; NULL = it is sent. */
static const char *
why_not(const Question *question, StreamAction action)
{
	const char *reason = why_not_publishable(question->rel);

	if (reason == NULL)
		reason = why_decoding_fails(question);
	if (reason == NULL)
		reason = why_not_covered(question);
	if (reason == NULL)
		reason = why_action_not_sent(question, action);
	if (reason == NULL)
		reason = why_refused(question->rel, action);
	return reason;
}

/* ----------------------------------------------------------------
 *		What is sent
 * ----------------------------------------------------------------
 */

static Datum
make_text_array(List *strings)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(list_length(strings), 1));
	ListCell   *lc;

	foreach(lc, strings)
		elements[foreach_current_index(lc)] = CStringGetTextDatum(lfirst(lc));
	return PointerGetDatum(construct_array(elements, list_length(strings), TEXTOID,
										   -1, false, TYPALIGN_INT));
}

/* Names of the columns, in the order in which they are sent. */
static Datum
get_columns(const StreamDecision *decision)
{
	Relation	rel = table_open(decision->publish_as, AccessShareLock);
	TupleDesc	desc = RelationGetDescr(rel);
	List	   *names = NIL;
	Datum		result;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);

		if (stream_publication_has_column(decision, att))
			names = lappend(names, NameStr(att->attname));
	}
	result = make_text_array(names);
	table_close(rel, AccessShareLock);
	return result;
}

/* The filters as SQL, of which one has to pass. */
static Datum
get_filter_text(List *filters, Oid relid)
{
	StringInfoData sql;
	ListCell   *lc;

	initStringInfo(&sql);
	foreach(lc, filters)
	{
		Datum		filter = DirectFunctionCall2(pg_get_expr,
												 CStringGetTextDatum(lfirst(lc)),
												 ObjectIdGetDatum(relid));

		appendStringInfo(&sql, "%s%s", sql.len > 0 ? " OR " : "",
						 TextDatumGetCString(filter));
	}
	return CStringGetTextDatum(sql.data);
}

/*
 * Publications that make the action be sent.  A partitioned table is sent by
 * those only that go through its root.
 */
static Datum
get_publishers(const Question *question, StreamAction action)
{
	bool		is_partitioned =
		question->rel->rd_rel->relkind == RELKIND_PARTITIONED_TABLE;
	List	   *names = NIL;
	ListCell   *lc;

	foreach(lc, question->covering)
	{
		Publication *pub = lfirst(lc);

		if (stream_publication_has_action(&pub->pubactions, action) &&
			(pub->pubviaroot || !is_partitioned))
			names = lappend(names, pub->name);
	}
	return make_text_array(names);
}

/* action, sent, sent_as, columns, row_filter, publications, reason */
static void
put_action(ReturnSetInfo *result, const Question *question, StreamAction action)
{
	const StreamDecision *decision = &question->decision;
	const char *reason = why_not(question, action);
	Datum		values[EXPLAIN_COLUMNS] = {0};
	bool		nulls[EXPLAIN_COLUMNS] = {false};

	values[0] = CStringGetTextDatum(action_names[action]);
	values[1] = BoolGetDatum(reason == NULL);
	nulls[2] = nulls[3] = nulls[4] = nulls[5] = nulls[6] = true;
	if (reason)
	{
		values[6] = CStringGetTextDatum(reason);
		nulls[6] = false;
	}
	else
	{
		values[2] = ObjectIdGetDatum(decision->publish_as);
		values[5] = get_publishers(question, action);
		nulls[2] = nulls[5] = false;
		if (action < STREAM_ROW_ACTIONS)
		{
			values[3] = get_columns(decision);
			nulls[3] = false;
			if (question->filters[action] != NIL)
			{
				values[4] = get_filter_text(question->filters[action],
											decision->publish_as);
				nulls[4] = false;
			}
		}
	}
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

STREAM_SQL_FUNCTION(stream_pgoutput_explain);

/* stream_pgoutput_explain(publications text[], "table" regclass) */
Datum
stream_pgoutput_explain(PG_FUNCTION_ARGS)
{
	Question	question = {0};
	List	   *names;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		ereport(ERROR,
				errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				errmsg("publications and table must not be null"));
	names = get_names(PG_GETARG_ARRAYTYPE_P(0));
	InitMaterializedSRF(fcinfo, 0);

	/* One that was dropped meanwhile has nothing to tell. */
	question.rel = try_relation_open(PG_GETARG_OID(1), AccessShareLock);
	if (question.rel == NULL)
		return (Datum) 0;

	ask(&question, names);
	for (int i = 0; i < EXPLAIN_ACTIONS; i++)
		put_action((ReturnSetInfo *) fcinfo->resultinfo, &question, i);

	relation_close(question.rel, AccessShareLock);
	return (Datum) 0;
}
