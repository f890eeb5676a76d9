/*-------------------------------------------------------------------------
 *
 * stream_relation.c
 *		The relation cache: find, rebuild, invalidate; and which transactions
 *		a relation's description was sent in.
 *
 * Invalidation callbacks can run inside any catalog access, so they only
 * mark: one relation by putting it on a list, all of them by a new
 * generation.  The next look-up, when no entry is in use, frees what is on
 * the list; entries of older generations are rebuilt when they are wanted and
 * swept when as many were built as there are.  An entry that is not valid
 * holds nothing worth keeping, since its description is sent again anyway; but
 * that it is there may say what pgoutput would not read again.
 *
 * Everything an entry owns is in a context of its own, and every rebuild
 * begins by deleting it, also after one that an error cut short.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_relation.h"

#include "access/sysattr.h"
#include "access/xact.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_type.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

struct StreamRelationCache
{
	MemoryContext context;
	const StreamOptions *options;
	StreamStats *stats;
	HTAB	   *entries;
	HTAB	   *ancestors;		/* set of Oid: what partitions are sent as */
	StreamRelation *last;		/* the last one looked up, or NULL */
	dlist_head	stale;			/* entries to free at the next look-up */
	uint64		generation;		/* moves on when everything is invalid */
	uint64		columns_generation; /* ... when all prepared columns are */
	uint64		names_generation;	/* ... when any relation may be named by
									 * other publications */
	uint64		last_version;
	int64		builds_until_sweep;

	MemoryContext publications_context;
	List	   *publications;
	bool		publications_valid;
};

typedef struct SentSchema
{
	Oid			relid;			/* hash key */
	uint64		version;
} SentSchema;

/* The cache that invalidations go to; NULL between sessions. */
static StreamRelationCache *current_cache = NULL;
static bool callbacks_registered = false;

/* ----------------------------------------------------------------
 *		Invalidation
 * ----------------------------------------------------------------
 */

static void
invalidate_all(StreamRelationCache *cache)
{
	cache->generation++;
	cache->columns_generation++;
}

/* A relation changed; relid 0 = any may have. */
static void
relation_changed_cb(Datum arg, Oid relid)
{
	StreamRelationCache *cache = current_cache;
	StreamRelation *entry;

	if (cache == NULL)
		return;
	if (!OidIsValid(relid))
	{
		invalidate_all(cache);
		return;
	}

	entry = hash_search(cache->entries, &relid, HASH_FIND, NULL);
	if (entry && !entry->is_stale)
	{
		entry->valid = false;
		entry->is_stale = true;
		dlist_push_tail(&cache->stale, &entry->stale_node);
	}

	/*
	 * Partitions that are sent as this one keep their decision and need not
	 * be described again, but they follow its replica identity.
	 */
	if (hash_search(cache->ancestors, &relid, HASH_FIND, NULL))
		cache->columns_generation++;
}

/*
 * A schema was changed, renamed perhaps; or, up to 17, a publication's list of
 * tables or schemas.
 */
static void
anything_changed_cb(Datum arg, StreamSysCacheId cacheid, uint32 hashvalue)
{
	if (current_cache)
		invalidate_all(current_cache);
}

/* A publication's list of tables or schemas was changed. */
static void
names_changed_cb(Datum arg, StreamSysCacheId cacheid, uint32 hashvalue)
{
	if (current_cache)
		current_cache->names_generation++;
}

/* A publication was changed.  From 18 on, relsync names the relations. */
static void
publication_changed_cb(Datum arg, StreamSysCacheId cacheid, uint32 hashvalue)
{
	if (current_cache == NULL)
		return;
	current_cache->publications_valid = false;
	if (!STREAM_HAS_RELSYNC)
		invalidate_all(current_cache);
}

/* A type or function was changed: its output may come from elsewhere. */
static void
type_changed_cb(Datum arg, StreamSysCacheId cacheid, uint32 hashvalue)
{
	if (current_cache)
		current_cache->columns_generation++;
}

static void
register_callbacks(void)
{
	if (callbacks_registered)
		return;
	CacheRegisterRelcacheCallback(relation_changed_cb, (Datum) 0);
	if (STREAM_HAS_SCHEMA_RENAME)
		CacheRegisterSyscacheCallback(NAMESPACEOID, anything_changed_cb, (Datum) 0);
	CacheRegisterSyscacheCallback(PUBLICATIONOID, publication_changed_cb, (Datum) 0);
	CacheRegisterSyscacheCallback(PUBLICATIONRELMAP, names_changed_cb, (Datum) 0);
	CacheRegisterSyscacheCallback(PUBLICATIONNAMESPACEMAP, names_changed_cb, (Datum) 0);
	CacheRegisterSyscacheCallback(TYPEOID, type_changed_cb, (Datum) 0);
	CacheRegisterSyscacheCallback(PROCOID, type_changed_cb, (Datum) 0);
	if (STREAM_HAS_RELSYNC)
		stream_register_relsync_callback(relation_changed_cb);
	else
	{
		CacheRegisterSyscacheCallback(PUBLICATIONRELMAP, anything_changed_cb, (Datum) 0);
		CacheRegisterSyscacheCallback(PUBLICATIONNAMESPACEMAP, anything_changed_cb, (Datum) 0);
	}
	callbacks_registered = true;
}

/* ----------------------------------------------------------------
 *		The cache's life
 * ----------------------------------------------------------------
 */

/* The context goes away, perhaps by an error: leave nothing dangling. */
static void
end_cache(void *arg)
{
	if (current_cache == arg)
		current_cache = NULL;
}

static HTAB *
make_table(MemoryContext context, const char *name, Size entrysize)
{
	HASHCTL		ctl = {
		.keysize = sizeof(Oid),
		.entrysize = entrysize,
		.hcxt = context,
	};

	return hash_create(name, 32, &ctl, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

static HTAB *
make_ancestors(MemoryContext context)
{
	return make_table(context, "stream_pgoutput ancestors", sizeof(Oid));
}

StreamRelationCache *
stream_relation_begin(const StreamOptions *options, StreamStats *stats)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "stream_pgoutput relations",
												  ALLOCSET_DEFAULT_SIZES);
	StreamRelationCache *cache = MemoryContextAllocZero(context, sizeof(*cache));
	MemoryContextCallback *callback = MemoryContextAlloc(context, sizeof(*callback));

	cache->context = context;
	cache->options = options;
	cache->stats = stats;
	cache->entries = make_table(context, "stream_pgoutput relations",
								sizeof(StreamRelation));
	cache->ancestors = make_ancestors(context);
	cache->publications_context = AllocSetContextCreate(context,
														"stream_pgoutput publications",
														ALLOCSET_SMALL_SIZES);
	cache->names_generation = 1;	/* new entries have 0 */
	dlist_init(&cache->stale);

	callback->func = end_cache;
	callback->arg = cache;
	MemoryContextRegisterResetCallback(context, callback);

	register_callbacks();
	current_cache = cache;
	return cache;
}

/* Free what the entry owns. */
static void
clear_entry(StreamRelation *entry)
{
	if (entry->context)
		MemoryContextDelete(entry->context);
	entry->context = NULL;
	entry->columns_context = NULL;
	entry->columns = NULL;
	entry->map = NULL;
	entry->filter = NULL;
	entry->old_slot = NULL;
	entry->new_slot = NULL;
	entry->valid = false;
	entry->schema_sent = false;
}

static void
remove_entry(StreamRelationCache *cache, StreamRelation *entry)
{
	if (entry->is_stale)
		dlist_delete(&entry->stale_node);
	if (cache->last == entry)
		cache->last = NULL;
	clear_entry(entry);
	hash_search(cache->entries, &entry->relid, HASH_REMOVE, NULL);
}

static void
remove_stale_entries(StreamRelationCache *cache)
{
	while (!dlist_is_empty(&cache->stale))
		remove_entry(cache, dlist_head_element(StreamRelation, stale_node,
											   &cache->stale));
}

static void
note_ancestor(StreamRelationCache *cache, const StreamRelation *entry)
{
	if (entry->decision.publish_as != entry->relid)
		hash_search(cache->ancestors, &entry->decision.publish_as,
					HASH_ENTER, NULL);
}

/*
 * Free what entries of older generations hold, and remove them unless they
 * know something that lasts longer; and the ancestors that no entry has.
 * Done once per as many builds as the table had entries, so that its cost is
 * a constant per build.
 */
static void
sweep_old_entries(StreamRelationCache *cache)
{
	HTAB	   *old_ancestors = cache->ancestors;
	HASH_SEQ_STATUS status;
	StreamRelation *entry;

	if (--cache->builds_until_sweep > 0)
		return;
	cache->builds_until_sweep = Max(hash_get_num_entries(cache->entries), 1024);

	/* Invalidations look into it, also after an error. */
	cache->ancestors = make_ancestors(cache->context);
	hash_destroy(old_ancestors);

	hash_seq_init(&status, cache->entries);
	while ((entry = hash_seq_search(&status)) != NULL)
	{
		if (entry->generation == cache->generation)
			note_ancestor(cache, entry);
		else if (entry->names_generation == cache->names_generation)
			clear_entry(entry);
		else
			remove_entry(cache, entry);
	}
}

/* ----------------------------------------------------------------
 *		Building an entry
 * ----------------------------------------------------------------
 */

static List *
get_publications(StreamRelationCache *cache)
{
	MemoryContext old;

	if (cache->publications_valid)
		return cache->publications;

	cache->publications = NIL;
	MemoryContextReset(cache->publications_context);
	old = MemoryContextSwitchTo(cache->publications_context);
	cache->publications = stream_publication_load(cache->options->publication_names);
	MemoryContextSwitchTo(old);
	cache->publications_valid = true;
	return cache->publications;
}

Relation
stream_relation_open(Oid relid)
{
	Relation	relation = RelationIdGetRelation(relid);

	if (!RelationIsValid(relation))
		elog(ERROR, "could not open relation with OID %u", relid);
	return relation;
}

static void
make_row_slots(StreamRelation *entry, Relation relation)
{
	/* A copy that keeps the values of columns added with a default. */
	TupleDesc	desc = CreateTupleDescCopyConstr(RelationGetDescr(relation));

	entry->old_slot = stream_make_slot(desc, &TTSOpsHeapTuple);
	entry->new_slot = stream_make_slot(desc, &TTSOpsHeapTuple);
}

/* The map from a partition's columns to those of what it is sent as. */
static AttrMap *
make_map(Relation relation, Oid publish_as)
{
	Relation	ancestor;
	AttrMap    *map;

	if (publish_as == RelationGetRelid(relation))
		return NULL;

	ancestor = stream_relation_open(publish_as);
	map = stream_build_map(RelationGetDescr(relation),
						   RelationGetDescr(ancestor));
	RelationClose(ancestor);
	return map;
}

static StreamFilter *
make_filter(const StreamDecision *decision, const AttrMap *map)
{
	List	   *filters[STREAM_ROW_ACTIONS];
	Relation	target;
	StreamFilter *filter;

	if (!stream_publication_get_filters(decision, filters))
		return NULL;

	target = stream_relation_open(decision->publish_as);
	filter = stream_filter_build(target, filters, map);
	RelationClose(target);
	return filter;
}

/* What is needed to send rows.  The current context is the entry's. */
static void
build_rows(StreamRelation *entry, Relation relation)
{
	make_row_slots(entry, relation);
	entry->map = make_map(relation, entry->decision.publish_as);
	entry->filter = make_filter(&entry->decision, entry->map);
	stream_publication_decide_columns(&entry->decision);
}

/*
 * Would pgoutput have to read the catalogs to learn who names the relation?
 * It always wants to know, and what it has read is kept until any publication's
 * list is changed.  Where a transaction can turn out to be aborted, we must
 * read them when it does.
 */
static bool
must_ask_names(const StreamRelationCache *cache, const StreamRelation *entry)
{
	return TransactionIdIsValid(CheckXidAlive) &&
		entry->names_generation != cache->names_generation;
}

/*
 * Decide about the relation.  What happens to be invalidated meanwhile by
 * other sessions' commits does not count: the catalogs are read as of the
 * change's time, and invalidations of that time come between changes.
 */
static void
build_entry(StreamRelationCache *cache, StreamRelation *entry,
			Relation relation)
{
	clear_entry(entry);
	stream_publication_decide(get_publications(cache), entry->relid,
							  must_ask_names(cache, entry), &entry->decision);
	entry->names_generation = cache->names_generation;

	if (stream_publication_has_row_actions(&entry->decision))
	{
		MemoryContext old;

		entry->context = AllocSetContextCreate(cache->context,
											   "stream_pgoutput relation",
											   ALLOCSET_SMALL_SIZES);
		MemoryContextCopyAndSetIdentifier(entry->context,
										  RelationGetRelationName(relation));
		old = MemoryContextSwitchTo(entry->context);
		build_rows(entry, relation);
		MemoryContextSwitchTo(old);
	}
	entry->decision.publications = NIL; /* not ours */

	note_ancestor(cache, entry);
	if (entry->is_stale)
		dlist_delete(&entry->stale_node);
	entry->is_stale = false;
	entry->generation = cache->generation;
	entry->version = ++cache->last_version;
	entry->valid = true;
}

/* Add the columns that are sent of target, whose columns map leads from. */
static void
add_columns(StreamRelation *entry, Relation target)
{
	TupleDesc	desc = RelationGetDescr(target);

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(desc, i);
		int			attnum = i + 1;

		if (!stream_publication_has_column(&entry->decision, att))
			continue;
		if (entry->map)
			attnum = i < entry->map->maplen ? entry->map->attnums[i] : 0;
		stream_tuple_add_column(entry->columns, attnum, att->atttypid,
								att->attlen);
	}
}

/* Prepare the columns by the current definition of what it is sent as. */
static void
build_columns(StreamRelationCache *cache, StreamRelation *entry)
{
	Relation	target = stream_relation_open(entry->decision.publish_as);
	MemoryContext old;

	entry->columns = NULL;
	if (entry->columns_context)
		MemoryContextReset(entry->columns_context);
	else
		entry->columns_context = AllocSetContextCreate(entry->context,
													   "stream_pgoutput columns",
													   ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(entry->columns_context);
	entry->columns = stream_tuple_make_columns(RelationGetDescr(target)->natts,
											   cache->options->binary);
	add_columns(entry, target);
	MemoryContextSwitchTo(old);

	entry->old_kind = target->rd_rel->relreplident == REPLICA_IDENTITY_FULL ?
		STREAM_TUPLE_OLD : STREAM_TUPLE_KEY;
	entry->natts = entry->columns->natts;
	if (entry->filter)
		entry->natts = Max(entry->natts, stream_filter_get_natts(entry->filter));
	entry->columns_generation = cache->columns_generation;
	RelationClose(target);
}

/* NULL = it is not known.  The same relation is often asked for in a row. */
static StreamRelation *
find_entry(StreamRelationCache *cache, Oid relid)
{
	if (cache->last == NULL || cache->last->relid != relid)
		cache->last = hash_search(cache->entries, &relid, HASH_FIND, NULL);
	return cache->last;
}

static StreamRelation *
add_entry(StreamRelationCache *cache, Oid relid)
{
	StreamRelation *entry = hash_search(cache->entries, &relid, HASH_ENTER, NULL);

	memset(entry, 0, sizeof(*entry));
	entry->relid = relid;
	cache->last = entry;
	return entry;
}

StreamRelation *
stream_relation_lookup(StreamRelationCache *cache, Relation relation)
{
	StreamRelation *entry;

	if (unlikely(!dlist_is_empty(&cache->stale)))
		remove_stale_entries(cache);

	entry = find_entry(cache, RelationGetRelid(relation));
	if (unlikely(entry == NULL || !entry->valid ||
				 entry->generation != cache->generation))
	{
		/* What this asks for cannot change without an invalidation. */
		if (!is_publishable_relation(relation))
			return NULL;
		if (entry == NULL)
			entry = add_entry(cache, RelationGetRelid(relation));
		build_entry(cache, entry, relation);
		sweep_old_entries(cache);
		stream_stats_count(cache->stats, STREAM_COUNT_BUILDS);
		cache->stats->entries = hash_get_num_entries(cache->entries);
	}
	if (entry->context &&
		unlikely(entry->columns == NULL ||
				 entry->columns_generation != cache->columns_generation))
		build_columns(cache, entry);
	stream_stats_count(cache->stats, STREAM_COUNT_LOOKUPS);
	return entry;
}

/* ----------------------------------------------------------------
 *		Rows
 * ----------------------------------------------------------------
 */

static StreamRow
deform_row(TupleTableSlot *slot, HeapTuple tuple, int natts)
{
	StreamRow	row = {NULL, NULL};

	if (tuple)
	{
		ExecStoreHeapTuple(tuple, slot, false);
		slot_getsomeattrs(slot, natts);
		row.values = slot->tts_values;
		row.isnull = slot->tts_isnull;
	}
	return row;
}

void
stream_relation_deform(StreamRelation *entry, HeapTuple oldtuple,
					   HeapTuple newtuple, StreamChange *change)
{
	change->natts = entry->natts;
	change->oldrow = deform_row(entry->old_slot, oldtuple, entry->natts);
	change->newrow = deform_row(entry->new_slot, newtuple, entry->natts);
}

/* ----------------------------------------------------------------
 *		Descriptions, and where they were sent
 * ----------------------------------------------------------------
 */

bool
stream_relation_is_sent(const StreamRelation *entry,
						const StreamSentSchemas *schemas)
{
	SentSchema *sent;

	if (schemas == NULL)
		return entry->schema_sent;
	if (schemas->versions == NULL)
		return false;
	sent = hash_search(schemas->versions, &entry->relid, HASH_FIND, NULL);
	return sent && sent->version == entry->version;
}

void
stream_relation_set_sent(StreamRelation *entry, StreamSentSchemas *schemas)
{
	SentSchema *sent;

	if (schemas == NULL)
	{
		entry->schema_sent = true;
		return;
	}
	if (schemas->versions == NULL)
		schemas->versions = make_table(schemas->context,
									   "stream_pgoutput sent schemas",
									   sizeof(SentSchema));
	sent = hash_search(schemas->versions, &entry->relid, HASH_ENTER, NULL);
	sent->version = entry->version;
}

void
stream_relation_commit_sent(StreamRelationCache *cache,
							StreamSentSchemas *schemas)
{
	HASH_SEQ_STATUS status;
	SentSchema *sent;

	if (schemas->versions == NULL)
		return;

	hash_seq_init(&status, schemas->versions);
	while ((sent = hash_seq_search(&status)) != NULL)
	{
		StreamRelation *entry = hash_search(cache->entries, &sent->relid,
											HASH_FIND, NULL);

		if (entry && entry->version == sent->version)
			entry->schema_sent = true;
	}
	stream_relation_forget_sent(schemas);
}

void
stream_relation_forget_sent(StreamSentSchemas *schemas)
{
	if (schemas->versions)
		hash_destroy(schemas->versions);
	schemas->versions = NULL;
}

static const char *
get_schema_on_wire(Oid nspid)
{
	char	   *name;

	if (nspid == PG_CATALOG_NAMESPACE)
		return "";
	name = get_namespace_name(nspid);
	if (name == NULL)
		elog(ERROR, "cache lookup failed for namespace %u", nspid);
	return name;
}

void
stream_relation_describe(const StreamRelation *entry, Relation relation,
						 StreamRelationDesc *desc)
{
	bool		is_full = relation->rd_rel->relreplident == REPLICA_IDENTITY_FULL;
	Bitmapset  *key = is_full ? NULL : RelationGetIdentityKeyBitmap(relation);
	const char *nspname = get_schema_on_wire(RelationGetNamespace(relation));

	/* No catalog access while this is in use. */
	TupleDesc	tupdesc = RelationGetDescr(relation);
	StreamRelationColumn *columns = palloc(sizeof(*columns) * Max(tupdesc->natts, 1));
	int			n = 0;

	for (int i = 0; i < tupdesc->natts; i++)
	{
		Form_pg_attribute att = TupleDescAttr(tupdesc, i);
		bool		in_key;

		if (!stream_publication_has_column(&entry->decision, att))
			continue;
		in_key = is_full ||
			bms_is_member(att->attnum - FirstLowInvalidHeapAttributeNumber, key);
		columns[n].flags = in_key ? STREAM_FLAG_KEY : 0;
		columns[n].name = pstrdup(NameStr(att->attname));
		columns[n].typid = att->atttypid;
		columns[n].typmod = att->atttypmod;
		n++;
	}

	desc->xid = InvalidTransactionId;
	desc->relid = RelationGetRelid(relation);
	desc->nspname = nspname;
	desc->relname = pstrdup(RelationGetRelationName(relation));
	desc->replident = relation->rd_rel->relreplident;
	desc->ncolumns = n;
	desc->columns = columns;
}

void
stream_relation_describe_type(Oid typid, StreamTypeDesc *desc)
{
	Oid			basetype = getBaseType(typid);
	HeapTuple	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(basetype));
	Form_pg_type type;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", basetype);
	type = (Form_pg_type) GETSTRUCT(tuple);

	desc->xid = InvalidTransactionId;
	desc->typid = typid;
	desc->nspname = get_schema_on_wire(type->typnamespace);
	desc->typname = pstrdup(NameStr(type->typname));
	ReleaseSysCache(tuple);
}
