/*-------------------------------------------------------------------------
 *
 * stream_inspect_row.c
 *		A message as a row of SQL values; see stream_inspect_row.h.
 *
 * Rows are the many, so what is shown of their relation is prepared once, and
 * their columns are written straight into jsonb.  The other messages are few:
 * stream_inspect_detail.c takes its time for their fields.
 *
 * A column's text value is a JSON string, NULL is null.  What is neither is
 * an object, which no value of a column can be: {"unchanged": true} for TOAST
 * that was not sent, {"hex": ..., "type": ...} for a binary value.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"

#include "stream_inspect_row.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/pg_lsn.h"
#include "utils/syscache.h"

/* What is shown of a relation; derived of its StreamInspectRelation. */
typedef struct RelationView
{
	MemoryContext context;		/* of its own: the view goes with it */
	char	   *name;			/* schema.table */
	Datum		name_text;
	Datum		detail;			/* of its rows' messages */
	StreamJsonKeys all;			/* every column */
	StreamJsonKeys identity;	/* those of the replica identity */
	int		   *identity_column;	/* their numbers */
	char	  **type_name;		/* of each column */
} RelationView;

/* ----------------------------------------------------------------
 *		Errors
 * ----------------------------------------------------------------
 */

void
stream_inspect_raise(const StreamWalk *walk, int len)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROTOCOL_VIOLATION),
			 errmsg("cannot decode message " INT64_FORMAT ": %s at byte %d of %d",
					walk->number, walk->error, walk->error_offset, len),
			 walk->wants_streaming ?
			 errhint("Say streaming => 'on', or 'parallel' if that is what the sender was asked for.") : 0));
}

static void
add_context(void *arg)
{
	const StreamErrorPlace *place = arg;

	errcontext("message " INT64_FORMAT " (%s), byte %d of %d",
			   place->walk->number,
			   stream_proto_message_name(place->walk->msg.type),
			   place->offset, place->walk->reader.len);
}

void
stream_inspect_begin_place(StreamErrorPlace *place, const StreamWalk *walk,
						   int offset)
{
	place->walk = walk;
	place->offset = offset;
	place->callback.callback = add_context;
	place->callback.arg = place;
	place->callback.previous = error_context_stack;
	error_context_stack = &place->callback;
}

void
stream_inspect_end_place(const StreamErrorPlace *place)
{
	error_context_stack = place->callback.previous;
}

/* ----------------------------------------------------------------
 *		Text
 * ----------------------------------------------------------------
 */

/* Where in the walk's last message something is. */
static int
get_offset(const StreamWalk *walk, const char *data)
{
	return (int) (data - walk->reader.data);
}

/*
 * Text in the database's encoding; sets *len.  It is NUL-terminated only if
 * it was.
 */
static const char *
take_text(const StreamRowMaker *maker, const StreamWalk *walk,
		  const char *s, int *len)
{
	int			valid = pg_encoding_verifymbstr(maker->encoding, s, *len);
	int			offset = get_offset(walk, s);
	StreamErrorPlace place;
	char	   *converted;

	if (valid != *len)
		ereport(ERROR,
				(errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
				 errmsg("cannot decode message " INT64_FORMAT ": invalid byte sequence for encoding \"%s\" at byte %d of %d",
						walk->number, pg_encoding_to_char(maker->encoding),
						offset + valid, walk->reader.len),
				 errhint("Text is expected in client_encoding.")));
	if (!maker->convert)
		return s;

	stream_inspect_begin_place(&place, walk, offset);
	converted = pg_any_to_server(s, *len, maker->encoding);
	stream_inspect_end_place(&place);
	if (converted != s)
		*len = (int) strlen(converted);
	return converted;
}

const char *
stream_inspect_string(const StreamRowMaker *maker, const StreamWalk *walk,
					  const char *s)
{
	int			len = (int) strlen(s);

	return take_text(maker, walk, s, &len);
}

static Datum
make_text(MemoryContext context, const char *s)
{
	MemoryContext old = MemoryContextSwitchTo(context);
	Datum		text = CStringGetTextDatum(s);

	MemoryContextSwitchTo(old);
	return text;
}

/* schema.table, quoted where needed; an empty schema is pg_catalog. */
static char *
qualify(const char *nspname, const char *name)
{
	return quote_qualified_identifier(nspname[0] ? nspname : "pg_catalog",
									  name);
}

/* ----------------------------------------------------------------
 *		Relations
 * ----------------------------------------------------------------
 */

char *
stream_inspect_type_name(const StreamRowMaker *maker, const StreamWalk *walk,
						 Oid typid)
{
	StreamInspectType *type = stream_inspect_map_get(&walk->types, typid);
	HeapTuple	tuple = NULL;
	char	   *name;

	/* Its strings were checked by stream_inspect_take_schema. */
	if (type != NULL && type->nspname[0])
		return qualify(pg_any_to_server(type->nspname, strlen(type->nspname),
										maker->encoding),
					   pg_any_to_server(type->typname, strlen(type->typname),
										maker->encoding));
	if (type != NULL)
		return pstrdup(pg_any_to_server(type->typname, strlen(type->typname),
										maker->encoding));

	if (typid < FirstGenbkiObjectId)
		tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(typid));
	if (!HeapTupleIsValid(tuple))
		return psprintf("%u", typid);
	name = pstrdup(NameStr(((Form_pg_type) GETSTRUCT(tuple))->typname));
	ReleaseSysCache(tuple);
	return name;
}

static void
refuse_column(const StreamWalk *walk, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROTOCOL_VIOLATION),
			 errmsg("cannot decode message " INT64_FORMAT ": the relation has that column already at byte %d of %d",
					walk->number, get_offset(walk, name), walk->reader.len)));
}

static void
prepare_columns(RelationView *view, const StreamRowMaker *maker,
				const StreamWalk *walk)
{
	const StreamRelationDesc *desc = &walk->msg.u.relation;
	const char **names = palloc(sizeof(char *) * (desc->ncolumns + 1));
	int			nidentity = 0;
	int			twice;

	view->type_name = palloc(sizeof(char *) * (desc->ncolumns + 1));
	view->identity_column = palloc(sizeof(int) * (desc->ncolumns + 1));
	for (int i = 0; i < desc->ncolumns; i++)
	{
		CHECK_FOR_INTERRUPTS();
		names[i] = stream_inspect_string(maker, walk, desc->columns[i].name);
		view->type_name[i] =
			stream_inspect_type_name(maker, walk, desc->columns[i].typid);
	}
	twice = stream_inspect_prepare_keys(&view->all, names, desc->ncolumns);
	if (twice >= 0)
		refuse_column(walk, desc->columns[twice].name);

	for (int i = 0; i < desc->ncolumns; i++)
	{
		if ((desc->columns[i].flags & STREAM_FLAG_KEY) == 0)
			continue;
		names[nidentity] = names[i];
		view->identity_column[nidentity++] = i;
	}
	stream_inspect_prepare_keys(&view->identity, names, nidentity);
}

/* All but the context, in that context. */
static void
fill_view(RelationView *view, const StreamRowMaker *maker,
		  const StreamWalk *walk)
{
	const StreamRelationDesc *desc = &walk->msg.u.relation;

	prepare_columns(view, maker, walk);
	view->name = qualify(stream_inspect_string(maker, walk, desc->nspname),
						 stream_inspect_string(maker, walk, desc->relname));
	view->name_text = CStringGetTextDatum(view->name);
	view->detail =
		DirectFunctionCall1(jsonb_in,
							CStringGetDatum(psprintf("{\"relid\": %u}",
													 desc->relid)));
}

/* In place of the view that there was. */
static void
make_view(const StreamRowMaker *maker, const StreamWalk *walk)
{
	RelationView *view = walk->relation->derived;
	MemoryContext context;
	MemoryContext old;

	if (view != NULL)
		MemoryContextDelete(view->context);
	walk->relation->derived = NULL;

	context = AllocSetContextCreate(maker->context, "stream_pgoutput relation view",
									ALLOCSET_SMALL_SIZES);
	old = MemoryContextSwitchTo(context);
	view = palloc0(sizeof(*view));
	view->context = context;
	fill_view(view, maker, walk);
	MemoryContextSwitchTo(old);
	walk->relation->derived = view;
}

void
stream_inspect_take_schema(StreamRowMaker *maker, StreamWalk *walk)
{
	if (walk->msg.type == STREAM_MSG_RELATION)
		make_view(maker, walk);
	else if (walk->msg.type == STREAM_MSG_TYPE)
	{
		stream_inspect_string(maker, walk, walk->msg.u.typedesc.nspname);
		stream_inspect_string(maker, walk, walk->msg.u.typedesc.typname);
	}
}

const char *
stream_inspect_relation_name(const StreamWalk *walk, Oid relid)
{
	StreamInspectRelation *relation =
		stream_inspect_map_get(&walk->relations, relid);
	RelationView *view = relation->derived;

	return view->name;
}

/* ----------------------------------------------------------------
 *		Row values
 * ----------------------------------------------------------------
 */

static void
put_unchanged(StreamJsonObject *object, const StreamRowMaker *maker)
{
	StreamJsonObject marker;

	stream_inspect_begin_object(&marker, object->out, &maker->unchanged_keys);
	stream_inspect_put_true(&marker);
	stream_inspect_put_object(object, &marker);
}

static void
put_binary(StreamJsonObject *object, const StreamRowMaker *maker,
		   const StreamColumnValue *value, const char *type_name)
{
	StreamJsonObject binary;

	stream_inspect_begin_object(&binary, object->out, &maker->binary_keys);
	stream_inspect_put_hex(&binary, value->data, value->length);
	stream_inspect_put_string(&binary, type_name, (int) strlen(type_name));
	stream_inspect_put_object(object, &binary);
}

static void
put_value(StreamJsonObject *object, const StreamRowMaker *maker,
		  const StreamWalk *walk, const StreamColumnValue *value,
		  const char *type_name)
{
	StreamErrorPlace place;
	const char *text;
	int			len;

	switch (value->kind)
	{
		case STREAM_COLUMN_NULL:
			stream_inspect_put_null(object);
			break;
		case STREAM_COLUMN_UNCHANGED:
			put_unchanged(object, maker);
			break;
		case STREAM_COLUMN_TEXT:
			len = value->length;
			text = take_text(maker, walk, value->data, &len);
			stream_inspect_begin_place(&place, walk, get_offset(walk, value->data));
			stream_inspect_put_string(object, text, len);
			stream_inspect_end_place(&place);
			break;
		case STREAM_COLUMN_BINARY:
			stream_inspect_begin_place(&place, walk, get_offset(walk, value->data));
			put_binary(object, maker, value, type_name);
			stream_inspect_end_place(&place);
			break;
	}
}

/*
 * A K row has the columns of the replica identity, and n in place of all
 * others.  These are left out, since that does not mean NULL.
 */
static bool
is_identity_only(const StreamTuple *tuple, const StreamRelationDesc *desc)
{
	if (tuple->kind != STREAM_TUPLE_KEY)
		return false;
	for (int i = 0; i < tuple->ncolumns; i++)
	{
		if (tuple->columns[i].kind != STREAM_COLUMN_NULL &&
			(desc->columns[i].flags & STREAM_FLAG_KEY) == 0)
			return false;
	}
	return true;
}

static Datum
make_row(const StreamRowMaker *maker, const StreamWalk *walk,
		 const StreamTuple *tuple, StringInfo out)
{
	const RelationView *view = walk->relation->derived;
	bool		identity = is_identity_only(tuple, &walk->relation->desc);
	const StreamJsonKeys *keys = identity ? &view->identity : &view->all;
	StreamJsonObject object;

	stream_inspect_begin_jsonb(out);
	stream_inspect_begin_object(&object, out, keys);
	for (int i = 0; i < keys->nkeys; i++)
	{
		int			column = keys->order[i];

		if (identity)
			column = view->identity_column[column];
		put_value(&object, maker, walk, &tuple->columns[column],
				  view->type_name[column]);
	}
	return stream_inspect_end_jsonb(out);
}

static void
fill_row(StreamRowMaker *maker, const StreamWalk *walk, Datum *values,
		 bool *nulls)
{
	const StreamMsgRow *row = &walk->msg.u.row;
	const RelationView *view = walk->relation->derived;

	values[STREAM_ROW_RELATION] = view->name_text;
	values[STREAM_ROW_DETAIL] = view->detail;
	nulls[STREAM_ROW_RELATION] = nulls[STREAM_ROW_DETAIL] = false;
	if (row->oldtuple.kind == STREAM_TUPLE_KEY)
	{
		values[STREAM_ROW_KEY] = make_row(maker, walk, &row->oldtuple,
										  &maker->key);
		nulls[STREAM_ROW_KEY] = false;
	}
	if (row->oldtuple.kind == STREAM_TUPLE_OLD)
	{
		values[STREAM_ROW_OLD] = make_row(maker, walk, &row->oldtuple,
										  &maker->old);
		nulls[STREAM_ROW_OLD] = false;
	}
	if (row->newtuple.kind != 0)
	{
		values[STREAM_ROW_NEW] = make_row(maker, walk, &row->newtuple,
										  &maker->new);
		nulls[STREAM_ROW_NEW] = false;
	}
}

/* ----------------------------------------------------------------
 *		The row
 * ----------------------------------------------------------------
 */

void
stream_inspect_init_maker(StreamRowMaker *maker, MemoryContext context)
{
	static const char *const unchanged[] = {"unchanged"};
	static const char *const binary[] = {"hex", "type"};
	MemoryContext old = MemoryContextSwitchTo(context);

	memset(maker, 0, sizeof(*maker));
	maker->context = context;
	maker->encoding = pg_get_client_encoding();
	if (maker->encoding == PG_SQL_ASCII)
		maker->encoding = GetDatabaseEncoding();
	maker->convert = maker->encoding != GetDatabaseEncoding();
	stream_inspect_prepare_keys(&maker->unchanged_keys, unchanged, 1);
	stream_inspect_prepare_keys(&maker->binary_keys, binary, 2);
	initStringInfo(&maker->key);
	initStringInfo(&maker->old);
	initStringInfo(&maker->new);
	MemoryContextSwitchTo(old);
}

/* Tables of a TRUNCATE, in one text. */
static Datum
make_table_list(const StreamWalk *walk)
{
	const StreamMsgTruncate *msg = &walk->msg.u.truncate;
	StringInfoData out;

	initStringInfo(&out);
	for (int i = 0; i < msg->nrelids; i++)
		appendStringInfo(&out, "%s%s", i > 0 ? ", " : "",
						 stream_inspect_relation_name(walk, msg->relids[i]));
	return CStringGetTextDatum(out.data);
}

static const char *
action_name(StreamMessageType type)
{
	switch (type)
	{
		case STREAM_MSG_INSERT:
			return "insert";
		case STREAM_MSG_UPDATE:
			return "update";
		case STREAM_MSG_DELETE:
			return "delete";
		case STREAM_MSG_TRUNCATE:
			return "truncate";
		default:
			return NULL;
	}
}

static void
fill_names(StreamRowMaker *maker, StreamMessageType type, Datum *values,
		   bool *nulls)
{
	const char *action = action_name(type);

	if (maker->name[type] == 0)
	{
		maker->name[type] = make_text(maker->context,
									  stream_proto_message_name(type));
		if (action != NULL)
			maker->action[type] = make_text(maker->context, action);
	}
	values[STREAM_ROW_MESSAGE] = maker->name[type];
	values[STREAM_ROW_ACTION] = maker->action[type];
	nulls[STREAM_ROW_MESSAGE] = false;
	nulls[STREAM_ROW_ACTION] = action == NULL;
}

void
stream_inspect_make_row(StreamRowMaker *maker, const StreamWalk *walk,
						int len, uint64 lsn, Datum *values, bool *nulls)
{
	memset(values, 0, sizeof(Datum) * STREAM_ROW_COLUMNS);
	memset(nulls, true, sizeof(bool) * STREAM_ROW_COLUMNS);

	fill_names(maker, walk->msg.type, values, nulls);
	values[STREAM_ROW_LSN] = LSNGetDatum(lsn);
	nulls[STREAM_ROW_LSN] = lsn == 0;
	values[STREAM_ROW_XID] = TransactionIdGetDatum(walk->xid);
	nulls[STREAM_ROW_XID] = walk->xid == 0;
	values[STREAM_ROW_SUBXID] = TransactionIdGetDatum(walk->subxid);
	nulls[STREAM_ROW_SUBXID] = walk->subxid == 0;
	values[STREAM_ROW_SIZE] = Int32GetDatum(len);
	nulls[STREAM_ROW_SIZE] = false;

	if (walk->relation != NULL && walk->msg.type != STREAM_MSG_RELATION)
	{
		fill_row(maker, walk, values, nulls);
		return;
	}
	if (walk->relation != NULL)
	{
		const RelationView *view = walk->relation->derived;

		values[STREAM_ROW_RELATION] = view->name_text;
		nulls[STREAM_ROW_RELATION] = false;
	}
	else if (walk->msg.type == STREAM_MSG_TRUNCATE)
	{
		values[STREAM_ROW_RELATION] = make_table_list(walk);
		nulls[STREAM_ROW_RELATION] = false;
	}
	values[STREAM_ROW_DETAIL] = stream_inspect_make_detail(maker, walk);
	nulls[STREAM_ROW_DETAIL] = values[STREAM_ROW_DETAIL] == 0;
}
