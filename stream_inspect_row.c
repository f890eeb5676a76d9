/*-------------------------------------------------------------------------
 *
 * stream_inspect_row.c
 *		A message as a row of SQL values; see stream_inspect_row.h.
 *
 * Rows are the many, so what is shown of their relation is prepared once, and
 * their columns are written straight into jsonb.  The other messages are few:
 * their fields become JSON text, and the server makes jsonb of it.
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
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/pg_lsn.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"

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

/* Where an error happens that is not ours and does not know. */
typedef struct ErrorPlace
{
	const StreamWalk *walk;
	int			offset;
	ErrorContextCallback callback;
} ErrorPlace;

static void
add_context(void *arg)
{
	const ErrorPlace *place = arg;

	errcontext("message " INT64_FORMAT " (%s), byte %d of %d",
			   place->walk->number,
			   stream_proto_message_name(place->walk->msg.type),
			   place->offset, place->walk->reader.len);
}

static void
begin_context(ErrorPlace *place, const StreamWalk *walk, int offset)
{
	place->walk = walk;
	place->offset = offset;
	place->callback.callback = add_context;
	place->callback.arg = place;
	place->callback.previous = error_context_stack;
	error_context_stack = &place->callback;
}

static void
end_context(const ErrorPlace *place)
{
	error_context_stack = place->callback.previous;
}

/* ----------------------------------------------------------------
 *		Text
 * ----------------------------------------------------------------
 */

/*
 * Text in the database's encoding; sets *len.  It is NUL-terminated only if
 * it was.
 */
static const char *
take_text(const StreamRowMaker *maker, const StreamWalk *walk,
		  const char *s, int *len)
{
	int			valid = pg_encoding_verifymbstr(maker->encoding, s, *len);
	int			offset = (int) (s - walk->reader.data);
	ErrorPlace	place;
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

	begin_context(&place, walk, offset);
	converted = pg_any_to_server(s, *len, maker->encoding);
	end_context(&place);
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
 *		JSON text: {"name": value, ...
 * ----------------------------------------------------------------
 */

static void
add_key(StringInfo out, const char *key)
{
	appendStringInfo(out, "%s\"%s\": ", out->len == 0 ? "{" : ", ", key);
}

static void
add_string(StringInfo out, const char *key, const char *value)
{
	add_key(out, key);
	escape_json(out, value);
}

static void
add_bool(StringInfo out, const char *key, bool value)
{
	add_key(out, key);
	appendStringInfoString(out, value ? "true" : "false");
}

static void
add_id(StringInfo out, const char *key, uint32 id)
{
	add_key(out, key);
	appendStringInfo(out, "%u", id);
}

static void
add_lsn(StringInfo out, const char *key, uint64 lsn)
{
	add_string(out, key,
			   DatumGetCString(DirectFunctionCall1(pg_lsn_out,
												   LSNGetDatum(lsn))));
}

/* As timestamptz, or if it cannot be one, the microseconds since 2000. */
static void
add_time(StringInfo out, const char *key, int64 time)
{
	char		buf[MAXDATELEN + 1];

	if (TIMESTAMP_NOT_FINITE(time) || IS_VALID_TIMESTAMP(time))
	{
		JsonEncodeDateTime(buf, TimestampTzGetDatum(time), TIMESTAMPTZOID,
						   NULL);
		add_string(out, key, buf);
		return;
	}
	add_key(out, key);
	appendStringInfo(out, INT64_FORMAT, time);
}

/* ----------------------------------------------------------------
 *		Relations
 * ----------------------------------------------------------------
 */

/*
 * Name of a type: as TYPE said, or the catalog for types whose oid is the
 * same on every server, or else the oid.
 */
static char *
make_type_name(const StreamRowMaker *maker, const StreamWalk *walk, Oid typid)
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
					walk->number, (int) (name - walk->reader.data),
					walk->reader.len)));
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
			make_type_name(maker, walk, desc->columns[i].typid);
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
			stream_inspect_put_string(object, text, len);
			break;
		case STREAM_COLUMN_BINARY:
			put_binary(object, maker, value, type_name);
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
 *		Detail of other messages
 * ----------------------------------------------------------------
 */

static void
add_gid(StringInfo out, const StreamRowMaker *maker, const StreamWalk *walk,
		const char *gid)
{
	add_string(out, "gid", stream_inspect_string(maker, walk, gid));
}

static void
add_commit(StringInfo out, uint64 commit_lsn, uint64 end_lsn,
		   int64 commit_time)
{
	add_lsn(out, "commit_lsn", commit_lsn);
	add_lsn(out, "end_lsn", end_lsn);
	add_time(out, "commit_time", commit_time);
}

static void
add_prepare(StringInfo out, const StreamRowMaker *maker,
			const StreamWalk *walk)
{
	const StreamMsgPrepare *msg = &walk->msg.u.prepare;

	add_gid(out, maker, walk, msg->gid);
	add_lsn(out, "prepare_lsn", msg->prepare_lsn);
	add_lsn(out, "end_lsn", msg->end_lsn);
	add_time(out, "prepare_time", msg->prepare_time);
}

static void
add_rollback_prepared(StringInfo out, const StreamRowMaker *maker,
					  const StreamWalk *walk)
{
	const StreamMsgRollbackPrepared *msg = &walk->msg.u.rollback_prepared;

	add_gid(out, maker, walk, msg->gid);
	add_lsn(out, "prepare_end_lsn", msg->prepare_end_lsn);
	add_lsn(out, "rollback_end_lsn", msg->rollback_end_lsn);
	add_time(out, "prepare_time", msg->prepare_time);
	add_time(out, "rollback_time", msg->rollback_time);
}

static void
add_stream_abort(StringInfo out, const StreamMsgStreamAbort *msg)
{
	if (!msg->has_info)
		return;
	add_lsn(out, "abort_lsn", msg->abort_lsn);
	add_time(out, "abort_time", msg->abort_time);
}

/*
 * The content is any bytes.  If they are text in the database's encoding, as
 * pg_logical_emit_message(..., text) leaves them, they are shown as such.
 */
static void
add_message(StringInfo out, const StreamRowMaker *maker,
			const StreamWalk *walk)
{
	const StreamMsgMessage *msg = &walk->msg.u.message;
	int			valid = pg_encoding_verifymbstr(GetDatabaseEncoding(),
												msg->content, msg->length);

	add_bool(out, "transactional", msg->transactional);
	add_lsn(out, "lsn", msg->lsn);
	add_string(out, "prefix", stream_inspect_string(maker, walk, msg->prefix));
	if (valid == msg->length)
	{
		add_string(out, "content", pnstrdup(msg->content, msg->length));
		return;
	}
	add_key(out, "content");
	appendStringInfoString(out, "{\"hex\": \"");
	if (msg->length > STREAM_JSON_MAX_LENGTH / 2)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a message's content is too large to be shown as jsonb")));
	enlargeStringInfo(out, 2 * msg->length);
	out->len += (int) hex_encode(msg->content, msg->length,
								 out->data + out->len);
	out->data[out->len] = '\0';
	appendStringInfoString(out, "\"}");
}

static const char *
identity_name(char replident)
{
	switch (replident)
	{
		case 'n':
			return "nothing";
		case 'f':
			return "full";
		case 'i':
			return "index";
		default:
			return "default";
	}
}

static void
add_column(StringInfo out, const StreamRowMaker *maker,
		   const StreamWalk *walk, const StreamRelationColumn *column,
		   const char *type_name)
{
	appendStringInfoString(out, "{\"name\": ");
	escape_json(out, stream_inspect_string(maker, walk, column->name));
	add_string(out, "type", type_name);
	add_id(out, "typid", column->typid);
	add_key(out, "typmod");
	appendStringInfo(out, "%d", column->typmod);
	add_bool(out, "key", (column->flags & STREAM_FLAG_KEY) != 0);
	appendStringInfoChar(out, '}');
}

static void
add_relation(StringInfo out, const StreamRowMaker *maker,
			 const StreamWalk *walk)
{
	const StreamRelationDesc *msg = &walk->msg.u.relation;
	const RelationView *view = walk->relation->derived;

	add_id(out, "relid", msg->relid);
	add_string(out, "replica_identity", identity_name(msg->replident));
	add_key(out, "columns");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < msg->ncolumns; i++)
	{
		if (i > 0)
			appendStringInfoString(out, ", ");
		add_column(out, maker, walk, &msg->columns[i], view->type_name[i]);
	}
	appendStringInfoChar(out, ']');
}

static void
add_type(StringInfo out, const StreamRowMaker *maker, const StreamWalk *walk)
{
	const StreamTypeDesc *msg = &walk->msg.u.typedesc;

	add_id(out, "typid", msg->typid);
	add_string(out, "type", make_type_name(maker, walk, msg->typid));
}

static void
add_truncate(StringInfo out, const StreamMsgTruncate *msg)
{
	add_key(out, "relids");
	appendStringInfoChar(out, '[');
	for (int i = 0; i < msg->nrelids; i++)
		appendStringInfo(out, "%s%u", i > 0 ? ", " : "", msg->relids[i]);
	appendStringInfoChar(out, ']');
	add_bool(out, "cascade", msg->cascade);
	add_bool(out, "restart_identity", msg->restart_identity);
}

/* All fields that have no column of their own. */
static void
add_fields(StringInfo out, const StreamRowMaker *maker,
		   const StreamWalk *walk)
{
	const StreamMessage *msg = &walk->msg;

	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			add_lsn(out, "final_lsn", msg->u.begin.final_lsn);
			add_time(out, "commit_time", msg->u.begin.commit_time);
			break;
		case STREAM_MSG_COMMIT:
			add_commit(out, msg->u.commit.commit_lsn, msg->u.commit.end_lsn,
					   msg->u.commit.commit_time);
			break;
		case STREAM_MSG_ORIGIN:
			add_string(out, "origin",
					   stream_inspect_string(maker, walk, msg->u.origin.name));
			add_lsn(out, "origin_lsn", msg->u.origin.lsn);
			break;
		case STREAM_MSG_MESSAGE:
			add_message(out, maker, walk);
			break;
		case STREAM_MSG_RELATION:
			add_relation(out, maker, walk);
			break;
		case STREAM_MSG_TYPE:
			add_type(out, maker, walk);
			break;
		case STREAM_MSG_TRUNCATE:
			add_truncate(out, &msg->u.truncate);
			break;
		case STREAM_MSG_STREAM_START:
			add_bool(out, "first", msg->u.stream_start.first);
			break;
		case STREAM_MSG_STREAM_COMMIT:
			add_commit(out, msg->u.stream_commit.commit_lsn,
					   msg->u.stream_commit.end_lsn,
					   msg->u.stream_commit.commit_time);
			break;
		case STREAM_MSG_STREAM_ABORT:
			add_stream_abort(out, &msg->u.stream_abort);
			break;
		case STREAM_MSG_BEGIN_PREPARE:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_PREPARE:
			add_prepare(out, maker, walk);
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			add_gid(out, maker, walk, msg->u.commit_prepared.gid);
			add_commit(out, msg->u.commit_prepared.commit_lsn,
					   msg->u.commit_prepared.end_lsn,
					   msg->u.commit_prepared.commit_time);
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			add_rollback_prepared(out, maker, walk);
			break;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
		case STREAM_MSG_STREAM_STOP:
			break;
	}
}

static void
fill_detail(const StreamRowMaker *maker, const StreamWalk *walk,
			Datum *values, bool *nulls)
{
	StringInfoData out;
	ErrorPlace	place;

	initStringInfo(&out);
	add_fields(&out, maker, walk);
	if (out.len == 0)
		return;
	appendStringInfoChar(&out, '}');

	begin_context(&place, walk, 0);
	values[STREAM_ROW_DETAIL] = DirectFunctionCall1(jsonb_in,
													CStringGetDatum(out.data));
	end_context(&place);
	nulls[STREAM_ROW_DETAIL] = false;
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
	fill_detail(maker, walk, values, nulls);
}
