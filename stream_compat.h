/*-------------------------------------------------------------------------
 *
 * stream_compat.h
 *		What differs between the majors of PostgreSQL, 15 to 19.
 *
 * The only file that mentions PG_VERSION_NUM.  Everything else asks for a
 * STREAM_HAS_* constant, calls one of the functions or uses one of the names
 * below.  A constant stands in plain if statements, so that every major's
 * compiler sees every branch, except where a branch needs a name that the
 * older server does not declare.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_COMPAT_H
#define STREAM_COMPAT_H

#include "access/attmap.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_subscription.h"
#include "commands/defrem.h"
#include "executor/tuptable.h"
#include "fmgr.h"
#include "replication/logicalproto.h"
#include "replication/output_plugin.h"
#include "replication/reorderbuffer.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/rel.h"

#if PG_VERSION_NUM >= 160000
#include "commands/subscriptioncmds.h"
#endif
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif

/*
 * Modules are built with hidden symbols; 15's headers do not know how to
 * show one all the same.
 */
#if PG_VERSION_NUM < 160000
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
#endif

/* A function that SQL can call; 15 does not show it by itself either. */
#define STREAM_SQL_FUNCTION(name_) \
	extern PGDLLEXPORT Datum name_(PG_FUNCTION_ARGS); \
	PG_FUNCTION_INFO_V1(name_)

/* Options "origin" and streaming = parallel, time and LSN in STREAM ABORT. */
#define STREAM_HAS_PARALLEL				(PG_VERSION_NUM >= 160000)

/* A renamed schema makes its relations be described again. */
#define STREAM_HAS_SCHEMA_RENAME		(PG_VERSION_NUM >= 160000)

/* A missing option is noticed as such, not by the value that it leaves. */
#define STREAM_HAS_REQUIRED_OPTIONS		(PG_VERSION_NUM >= 170000)

/* The reorder buffer asks for keepalives itself in silent stretches. */
#define STREAM_HAS_CORE_KEEPALIVE		(PG_VERSION_NUM >= 160000)

/* A publication that does not exist is skipped with a warning. */
#define STREAM_HAS_MISSING_PUBLICATION	(PG_VERSION_NUM >= 180000)

/* Stored generated columns can be published. */
#define STREAM_HAS_GENERATED			(PG_VERSION_NUM >= 180000)

/* Publication changes name the relations they touch. */
#define STREAM_HAS_RELSYNC				(PG_VERSION_NUM >= 180000)

/*
 * A column list that names every column counts as no list; from 18 on the
 * list is compared as it is.
 */
#define STREAM_HAS_EXACT_COLUMN_LIST	(PG_VERSION_NUM >= 180000)

/* Before, are dropped and generated columns among "every column"? */
#define STREAM_COUNTS_DROPPED_COLUMNS	(PG_VERSION_NUM < 160000)

/* FOR ALL TABLES can leave tables out, and with them their partitions. */
#define STREAM_HAS_EXCLUSIONS			(PG_VERSION_NUM >= 190000)

/* How the server's pgoutput speaks of itself when a version is refused. */
#if PG_VERSION_NUM >= 160000
#define STREAM_SERVER_SUPPORTS	"server only supports"
#else
#define STREAM_SERVER_SUPPORTS	"we only support"
#endif

/*
 * Shared memory that can be asked for by name while the server runs.  Where
 * there is none, only a library that the server preloads can have some.
 */
#define STREAM_HAS_NAMED_MEMORY			(PG_VERSION_NUM >= 170000)

/* Was the slot copied to this standby, as a failover slot of its primary? */
#if PG_VERSION_NUM >= 170000
#define stream_slot_is_synced(slot_)	((slot_)->data.synced)
#else
#define stream_slot_is_synced(slot_)	false
#endif

/* Head of a function that initializes such memory, at ptr. */
#if PG_VERSION_NUM >= 190000
#define STREAM_INIT_MEMORY_FUNCTION(name_) \
	static void name_(void *ptr, void *arg)
#define stream_call_init_memory(func_, ptr_)	func_(ptr_, NULL)
#else
#define STREAM_INIT_MEMORY_FUNCTION(name_) \
	static void name_(void *ptr)
#define stream_call_init_memory(func_, ptr_)	func_(ptr_)
#endif

#if PG_VERSION_NUM >= 190000
#define stream_get_named_memory(name_, size_, init_) \
	GetNamedDSMSegment(name_, size_, init_, &(bool) {false}, NULL)
#elif PG_VERSION_NUM >= 170000
#define stream_get_named_memory(name_, size_, init_) \
	GetNamedDSMSegment(name_, size_, init_, &(bool) {false})
#else
#define stream_get_named_memory(name_, size_, init_)	NULL
#endif

#if PG_VERSION_NUM >= 190000
#define stream_new_tranche(name_)				LWLockNewTrancheId(name_)
#define stream_register_tranche(id_, name_)		((void) 0)
#else
#define stream_new_tranche(name_)				LWLockNewTrancheId()
#define stream_register_tranche(id_, name_)		LWLockRegisterTranche(id_, name_)
#endif

#ifdef PG_MODULE_MAGIC_EXT
#define STREAM_MODULE_MAGIC(name_, version_) \
	PG_MODULE_MAGIC_EXT(.name = (name_), .version = (version_))
#else
#define STREAM_MODULE_MAGIC(name_, version_) \
	PG_MODULE_MAGIC
#endif

#if PG_VERSION_NUM >= 190000
typedef ReplOriginId StreamOriginId;
typedef SysCacheIdentifier StreamSysCacheId;
#define stream_commit_time(txn)		((txn)->commit_time)
#define stream_prepare_time(txn)	((txn)->prepare_time)
#define STREAM_NO_ORIGIN			InvalidReplOriginId
#else
typedef RepOriginId StreamOriginId;
typedef int StreamSysCacheId;
#define stream_commit_time(txn)		((txn)->xact_time.commit_time)
#define stream_prepare_time(txn)	((txn)->xact_time.prepare_time)
#define STREAM_NO_ORIGIN			InvalidRepOriginId
#endif

/* Streaming modes, by the names that the server uses from 16 on. */
#ifndef LOGICALREP_STREAM_OFF
#define LOGICALREP_STREAM_OFF		'f'
#define LOGICALREP_STREAM_ON		't'
#define LOGICALREP_STREAM_PARALLEL	'p'
#endif
#ifndef LOGICALREP_PROTO_STREAM_PARALLEL_VERSION_NUM
#define LOGICALREP_PROTO_STREAM_PARALLEL_VERSION_NUM 4
#endif
#ifndef LOGICALREP_ORIGIN_NONE
#define LOGICALREP_ORIGIN_NONE		"none"
#define LOGICALREP_ORIGIN_ANY		"any"
#endif

#ifndef rbtxn_get_toptxn
#define rbtxn_get_toptxn(txn)	((txn)->toptxn ? (txn)->toptxn : (txn))
#endif

/* When was it rolled back?  Only asked where the wire has a place for it. */
static inline TimestampTz
stream_abort_time(const ReorderBufferTXN *txn)
{
#if PG_VERSION_NUM >= 190000
	return txn->abort_time;
#elif PG_VERSION_NUM >= 160000
	return txn->xact_time.abort_time;
#else
	return 0;
#endif
}

/*
 * Has the running server the minor release in which pgoutput began to refuse
 * an empty proto_version, and to count what it described in a streamed
 * transaction as sent at its PREPARE?  It may be of another minor release
 * than the one compiled for.
 */
static inline bool
stream_is_newest_minor(void)
{
	static const int first_minor[] = {20, 16, 12, 7};	/* of 15 to 18 */
	int			version = atoi(GetConfigOption("server_version_num", false, false));
	int			major = version / 10000;

	return major > 18 || version % 10000 >= first_minor[major - 15];
}

/* Value of option "streaming": one of LOGICALREP_STREAM_*. */
static inline char
stream_get_streaming_mode(DefElem *def)
{
#if PG_VERSION_NUM >= 160000
	return defGetStreamingMode(def);
#else
	return defGetBoolean(def) ? LOGICALREP_STREAM_ON : LOGICALREP_STREAM_OFF;
#endif
}

/* The tuples of a change, NULL where there is none. */
static inline HeapTuple
stream_old_tuple(const ReorderBufferChange *change)
{
#if PG_VERSION_NUM >= 170000
	return change->data.tp.oldtuple;
#else
	return change->data.tp.oldtuple ? &change->data.tp.oldtuple->tuple : NULL;
#endif
}

static inline HeapTuple
stream_new_tuple(const ReorderBufferChange *change)
{
#if PG_VERSION_NUM >= 170000
	return change->data.tp.newtuple;
#else
	return change->data.tp.newtuple ? &change->data.tp.newtuple->tuple : NULL;
#endif
}

/* Map of columns by name, NULL if the layouts are the same. */
static inline AttrMap *
stream_build_map(TupleDesc indesc, TupleDesc outdesc)
{
#if PG_VERSION_NUM >= 160000
	return build_attrmap_by_name_if_req(indesc, outdesc, false);
#else
	return build_attrmap_by_name_if_req(indesc, outdesc);
#endif
}

/* A row slot over desc, which must outlive it. */
static inline TupleTableSlot *
stream_make_slot(TupleDesc desc, const TupleTableSlotOps *ops)
{
#if PG_VERSION_NUM >= 190000
	return MakeSingleTupleTableSlot(desc, ops, 0);
#else
	return MakeSingleTupleTableSlot(desc, ops);
#endif
}

/* Does the publication send stored generated columns without a list? */
static inline bool
stream_publishes_generated(const Publication *pub)
{
#if PG_VERSION_NUM >= 180000
	return pub->pubgencols_type == PUBLISH_GENCOLS_STORED;
#else
	return false;
#endif
}

/* Are all generated columns of the replica identity published? */
static inline bool
stream_generated_identity_valid(const PublicationDesc *desc, bool is_update)
{
#if PG_VERSION_NUM >= 180000
	return is_update ? desc->gencols_valid_for_update :
		desc->gencols_valid_for_delete;
#else
	return true;
#endif
}

/* A row filter's expression with generated columns replaced, where needed. */
#if PG_VERSION_NUM >= 180000
#include "rewrite/rewriteHandler.h"
#else
static inline Node *
expand_generated_columns_in_expr(Node *node, Relation rel, int rt_index)
{
	return node;
}
#endif

/* Call func(arg, relid) when a publication change touches a relation. */
static inline void
stream_register_relsync_callback(RelcacheCallbackFunction func)
{
#if PG_VERSION_NUM >= 180000
	CacheRegisterRelSyncCallback(func, (Datum) 0);
#endif
}

/* Publications that name the relation itself. */
static inline List *
stream_relation_publications(Oid relid)
{
#if PG_VERSION_NUM >= 190000
	return GetRelationIncludedPublications(relid);
#else
	return GetRelationPublications(relid);
#endif
}

/* FOR ALL TABLES publications that leave the relation out. */
static inline List *
stream_relation_exclusions(Oid relid)
{
#if PG_VERSION_NUM >= 190000
	return GetRelationExcludedPublications(relid);
#else
	return NIL;
#endif
}

#endif							/* STREAM_COMPAT_H */
