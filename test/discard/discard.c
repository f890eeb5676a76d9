/*-------------------------------------------------------------------------
 *
 * discard.c
 *		Discard all caches before each look of the plugin into the catalogs.
 *
 * An invalidation can come in any catalog access.  With this in the library
 * (VARIANT=discard, see tools/pg) one for everything comes in each: what
 * debug_discard_caches does in a server that was built with it, which packaged
 * ones are not.  The linker puts __wrap_NAME where the plugin calls NAME.
 *
 * Descriptions of relations are sent more often so; rows must be the same.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/relation.h"
#include "access/table.h"
#include "catalog/partition.h"
#include "catalog/pg_publication.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/relcache.h"
#include "utils/syscache.h"

#define WRAP(name, result, parameters, arguments) \
	extern result __real_##name parameters; \
	extern result __wrap_##name parameters; \
	result \
	__wrap_##name parameters \
	{ \
		InvalidateSystemCaches(); \
		return __real_##name arguments; \
	}

WRAP(GetPublicationByName, Publication *, (const char *name, bool missing_ok), (name, missing_ok))
WRAP(GetRelationPublications, List *, (Oid relid), (relid))
WRAP(GetSchemaPublications, List *, (Oid schemaid), (schemaid))
WRAP(GetTopMostAncestorInPublication, Oid, (Oid pubid, List *ancestors, int *level),
	 (pubid, ancestors, level))
WRAP(RelationGetIdentityKeyBitmap, Bitmapset *, (Relation rel), (rel))
WRAP(RelationGetReplicaIndex, Oid, (Relation rel), (rel))
WRAP(RelationIdGetRelation, Relation, (Oid relid), (relid))
WRAP(SearchSysCache1, HeapTuple, (int cache, Datum key), (cache, key))
WRAP(SearchSysCache2, HeapTuple, (int cache, Datum key1, Datum key2), (cache, key1, key2))
WRAP(SearchSysCacheExists, bool, (int cache, Datum key1, Datum key2, Datum key3, Datum key4),
	 (cache, key1, key2, key3, key4))
WRAP(getBaseType, Oid, (Oid type), (type))
WRAP(get_namespace_name, char *, (Oid schemaid), (schemaid))
WRAP(get_partition_ancestors, List *, (Oid relid), (relid))
WRAP(get_rel_name, char *, (Oid relid), (relid))
WRAP(get_rel_namespace, Oid, (Oid relid), (relid))
WRAP(get_rel_relispartition, bool, (Oid relid), (relid))
WRAP(get_rel_relkind, char, (Oid relid), (relid))
WRAP(table_open, Relation, (Oid relid, LOCKMODE lock), (relid, lock))
