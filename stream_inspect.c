/*-------------------------------------------------------------------------
 *
 * stream_inspect.c
 *		SQL functions that show what a slot sends, or what messages say: one
 *		row per message, or one per transaction.
 *
 * Messages come from a slot, through the server's own function with its own
 * checks, or from an array.  They are taken one by one as they come, and what
 * is made of them goes into the result at once: memory does not grow with
 * their number.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"

#include "stream_inspect_row.h"
#include "stream_inspect_summary.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "tcop/dest.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"
#include "utils/pg_lsn.h"

STREAM_SQL_FUNCTION(stream_pgoutput_peek);
STREAM_SQL_FUNCTION(stream_pgoutput_peek_summary);
STREAM_SQL_FUNCTION(stream_pgoutput_decode);
STREAM_SQL_FUNCTION(stream_pgoutput_decode_summary);

/* Columns of the summaries, in their order. */
enum
{
	SUMMARY_XID,
	SUMMARY_KIND,
	SUMMARY_OUTCOME,
	SUMMARY_GID,
	SUMMARY_BLOCKS,
	SUMMARY_ABORTED_SUBXACTS,
	SUMMARY_MESSAGES,
	SUMMARY_BYTES,
	SUMMARY_FIRST_LSN,
	SUMMARY_LAST_LSN,
	SUMMARY_ROWS,
	SUMMARY_COLUMNS
};

/* One call of one of the functions. */
typedef struct Inspection
{
	ReturnSetInfo *result;
	bool		summarize;
	MemoryContext context;		/* of all that is here */
	MemoryContext message_context;	/* reset after each message */
	StreamWalk	walk;
	StreamRowMaker maker;
	StreamInspectSummary summary;
} Inspection;

/* Takes the rows that the slot's messages come in. */
typedef struct MessageReceiver
{
	DestReceiver pub;
	Inspection *inspection;
	int64		wanted;			/* so many more messages */
} MessageReceiver;

/* ----------------------------------------------------------------
 *		Result
 * ----------------------------------------------------------------
 */

static void
put_result(Inspection *inspection, Datum *values, bool *nulls)
{
	tuplestore_putvalues(inspection->result->setResult,
						 inspection->result->setDesc, values, nulls);
}

/* Rows of one table, for the summary. */
typedef struct NamedTable
{
	const char *name;
	StreamInspectTable counts;
} NamedTable;

static int
compare_tables(const void *a, const void *b)
{
	return strcmp(((const NamedTable *) a)->name,
				  ((const NamedTable *) b)->name);
}

/* Tables by name, those of one name (dropped and made again) in one. */
static int
list_tables(const Inspection *inspection, const StreamIdMap *map,
			NamedTable *tables)
{
	int			ntables = 0;
	int			last = 0;

	for (uint32 i = 0; i < map->nslots; i++)
	{
		const StreamInspectTable *table = map->slots[i].value;

		if (map->slots[i].id == 0)
			continue;
		tables[ntables].name =
			stream_inspect_relation_name(&inspection->walk, table->relid);
		tables[ntables++].counts = *table;
	}
	qsort(tables, ntables, sizeof(NamedTable), compare_tables);
	for (int i = 1; i < ntables; i++)
	{
		if (strcmp(tables[last].name, tables[i].name) != 0)
		{
			tables[++last] = tables[i];
			continue;
		}
		tables[last].counts.inserts += tables[i].counts.inserts;
		tables[last].counts.updates += tables[i].counts.updates;
		tables[last].counts.deletes += tables[i].counts.deletes;
		tables[last].counts.truncates += tables[i].counts.truncates;
	}
	return ntables > 0 ? last + 1 : 0;
}

static void
append_count(StringInfo out, const char *action, int64 count)
{
	if (count == 0)
		return;
	appendStringInfo(out, "%s\"%s\": " INT64_FORMAT,
					 out->data[out->len - 1] == '{' ? "" : ", ", action, count);
}

/* {"public.t": {"insert": 3, "delete": 1}, ...} */
static Datum
make_table_counts(const Inspection *inspection, const StreamIdMap *map)
{
	NamedTable *tables = palloc(sizeof(NamedTable) * (map->used + 1));
	int			ntables = list_tables(inspection, map, tables);
	StringInfoData out;

	initStringInfo(&out);
	appendStringInfoChar(&out, '{');
	for (int i = 0; i < ntables; i++)
	{
		if (i > 0)
			appendStringInfoString(&out, ", ");
		escape_json(&out, tables[i].name);
		appendStringInfoString(&out, ": {");
		append_count(&out, "insert", tables[i].counts.inserts);
		append_count(&out, "update", tables[i].counts.updates);
		append_count(&out, "delete", tables[i].counts.deletes);
		append_count(&out, "truncate", tables[i].counts.truncates);
		appendStringInfoChar(&out, '}');
	}
	appendStringInfoChar(&out, '}');
	return DirectFunctionCall1(jsonb_in, CStringGetDatum(out.data));
}

static const char *
kind_name(const StreamInspectTransaction *txn)
{
	if (txn->xid == 0)
		return "none";
	if (txn->streamed)
		return txn->prepared ? "streamed prepared" : "streamed";
	return txn->prepared ? "prepared" : "plain";
}

static const char *
outcome_name(StreamInspectOutcome outcome)
{
	switch (outcome)
	{
		case STREAM_INSPECT_OPEN:
			return "open";
		case STREAM_INSPECT_PREPARED:
			return "prepared";
		case STREAM_INSPECT_COMMITTED:
			return "committed";
		case STREAM_INSPECT_ABORTED:
			return "aborted";
	}
	return NULL;
}

static Datum
make_gid(const Inspection *inspection, const char *gid)
{
	/* Checked when its message came. */
	return CStringGetTextDatum(pg_any_to_server(gid, strlen(gid),
												inspection->maker.encoding));
}

/* In the message's context. */
static void
put_summary(Inspection *inspection, const StreamInspectTransaction *txn)
{
	Datum		values[SUMMARY_COLUMNS] = {0};
	bool		nulls[SUMMARY_COLUMNS] = {0};

	values[SUMMARY_XID] = TransactionIdGetDatum(txn->xid);
	nulls[SUMMARY_XID] = txn->xid == 0;
	values[SUMMARY_KIND] = CStringGetTextDatum(kind_name(txn));
	nulls[SUMMARY_OUTCOME] = txn->xid == 0;
	if (txn->xid != 0)
		values[SUMMARY_OUTCOME] =
			CStringGetTextDatum(outcome_name(txn->outcome));
	nulls[SUMMARY_GID] = txn->gid == NULL;
	if (txn->gid != NULL)
		values[SUMMARY_GID] = make_gid(inspection, txn->gid);
	values[SUMMARY_BLOCKS] = Int64GetDatum(txn->blocks);
	values[SUMMARY_ABORTED_SUBXACTS] = Int64GetDatum(txn->aborted_subxacts);
	values[SUMMARY_MESSAGES] = Int64GetDatum(txn->messages);
	values[SUMMARY_BYTES] = Int64GetDatum(txn->bytes);
	values[SUMMARY_FIRST_LSN] = LSNGetDatum(txn->first_lsn);
	nulls[SUMMARY_FIRST_LSN] = txn->first_lsn == 0;
	values[SUMMARY_LAST_LSN] = LSNGetDatum(txn->last_lsn);
	nulls[SUMMARY_LAST_LSN] = txn->last_lsn == 0;
	values[SUMMARY_ROWS] = make_table_counts(inspection, &txn->tables);
	put_result(inspection, values, nulls);
}

/* ----------------------------------------------------------------
 *		Messages
 * ----------------------------------------------------------------
 */

static Inspection *
begin_inspection(FunctionCallInfo fcinfo, bool summarize,
				 StreamInspectStreaming streaming)
{
	MemoryContext context;
	Inspection *inspection;

	InitMaterializedSRF(fcinfo, 0);
	context = AllocSetContextCreate(CurrentMemoryContext,
									"stream_pgoutput inspection",
									ALLOCSET_DEFAULT_SIZES);
	inspection = MemoryContextAllocZero(context, sizeof(*inspection));
	inspection->result = (ReturnSetInfo *) fcinfo->resultinfo;
	inspection->summarize = summarize;
	inspection->context = context;
	inspection->message_context =
		AllocSetContextCreate(context, "stream_pgoutput inspected message",
							  ALLOCSET_DEFAULT_SIZES);
	stream_inspect_init_walk(&inspection->walk, streaming);
	stream_inspect_init_maker(&inspection->maker, context);
	return inspection;
}

/* The LSN that a message itself has: of its end, where it has several. */
static uint64
own_lsn(const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			return msg->u.begin.final_lsn;
		case STREAM_MSG_COMMIT:
			return msg->u.commit.end_lsn;
		case STREAM_MSG_MESSAGE:
			return msg->u.message.lsn;
		case STREAM_MSG_STREAM_COMMIT:
			return msg->u.stream_commit.end_lsn;
		case STREAM_MSG_STREAM_ABORT:
			return msg->u.stream_abort.abort_lsn;
		case STREAM_MSG_BEGIN_PREPARE:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_PREPARE:
			return msg->u.prepare.end_lsn;
		case STREAM_MSG_COMMIT_PREPARED:
			return msg->u.commit_prepared.end_lsn;
		case STREAM_MSG_ROLLBACK_PREPARED:
			return msg->u.rollback_prepared.rollback_end_lsn;
		default:
			return 0;
	}
}

/* The gid of a message that has one, else NULL. */
static const char *
get_gid(const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN_PREPARE:
		case STREAM_MSG_PREPARE:
		case STREAM_MSG_STREAM_PREPARE:
			return msg->u.prepare.gid;
		case STREAM_MSG_COMMIT_PREPARED:
			return msg->u.commit_prepared.gid;
		case STREAM_MSG_ROLLBACK_PREPARED:
			return msg->u.rollback_prepared.gid;
		default:
			return NULL;
	}
}

static void
summarize_message(Inspection *inspection, int len, uint64 lsn)
{
	const char *gid = get_gid(&inspection->walk.msg);
	StreamInspectTransaction *ended;

	ended = stream_inspect_count(&inspection->summary, &inspection->walk,
								 len, lsn);
	MemoryContextSwitchTo(inspection->message_context);
	if (gid != NULL)
		stream_inspect_string(&inspection->maker, &inspection->walk, gid);
	if (ended == NULL)
		return;
	put_summary(inspection, ended);
	stream_inspect_drop(&inspection->summary, ended);
}

static void
show_message(Inspection *inspection, int len, uint64 lsn)
{
	Datum		values[STREAM_ROW_COLUMNS];
	bool		nulls[STREAM_ROW_COLUMNS];

	MemoryContextSwitchTo(inspection->message_context);
	stream_inspect_make_row(&inspection->maker, &inspection->walk, len, lsn,
							values, nulls);
	put_result(inspection, values, nulls);
}

/*
 * A message and where it was read; 0 for what was not read from a slot, which
 * is then where the message says.
 */
static void
take_message(Inspection *inspection, const char *data, int len, uint64 lsn)
{
	MemoryContext old = MemoryContextSwitchTo(inspection->context);

	CHECK_FOR_INTERRUPTS();
	if (!stream_inspect_walk(&inspection->walk, data, len))
		stream_inspect_raise(&inspection->walk, len);
	if (lsn == 0)
		lsn = own_lsn(&inspection->walk.msg);
	MemoryContextSwitchTo(inspection->message_context);
	stream_inspect_take_schema(&inspection->maker, &inspection->walk);

	MemoryContextSwitchTo(inspection->context);
	if (inspection->summarize)
		summarize_message(inspection, len, lsn);
	else
		show_message(inspection, len, lsn);
	MemoryContextSwitchTo(old);
	MemoryContextReset(inspection->message_context);
}

/* What has not ended comes last. */
static void
end_inspection(Inspection *inspection)
{
	StreamInspectTransaction *txn;

	while ((txn = stream_inspect_next_open(&inspection->summary)) != NULL)
	{
		MemoryContext old = MemoryContextSwitchTo(inspection->message_context);

		put_summary(inspection, txn);
		stream_inspect_drop(&inspection->summary, txn);
		MemoryContextSwitchTo(old);
		MemoryContextReset(inspection->message_context);
	}
	MemoryContextDelete(inspection->context);
}

/* ----------------------------------------------------------------
 *		From a slot
 * ----------------------------------------------------------------
 */

/* The value of an option in a list of names and values, or NULL. */
static char *
find_option(const Datum *options, const bool *nulls, int noptions,
			const char *name)
{
	for (int i = 0; i + 1 < noptions; i += 2)
	{
		if (!nulls[i] && !nulls[i + 1] &&
			strcmp(TextDatumGetCString(options[i]), name) == 0)
			return TextDatumGetCString(options[i + 1]);
	}
	return NULL;
}

static ArrayBuildState *
add_option(ArrayBuildState *list, const char *text)
{
	return accumArrayResult(list, CStringGetTextDatum(text), false, TEXTOID,
							CurrentMemoryContext);
}

/* As option publication_names wants it: identifiers, quoted where needed. */
static char *
join_publications(ArrayType *names)
{
	Datum	   *items;
	bool	   *nulls;
	int			nitems;
	StringInfoData out;

	deconstruct_array(names, TEXTOID, -1, false, TYPALIGN_INT,
					  &items, &nulls, &nitems);
	initStringInfo(&out);
	for (int i = 0; i < nitems; i++)
	{
		if (nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("publication names must not be null")));
		appendStringInfo(&out, "%s%s", i > 0 ? "," : "",
						 quote_identifier(TextDatumGetCString(items[i])));
	}
	return out.data;
}

/*
 * The plugin's options: those given, with the newest protocol unless they name
 * one, and the publications unless there are none.  *streaming tells how the
 * answer is to be read.
 */
static Datum
make_options(FunctionCallInfo fcinfo, StreamInspectStreaming *streaming)
{
	ArrayBuildState *list = initArrayResult(TEXTOID, CurrentMemoryContext,
											false);
	Datum	   *options = NULL;
	bool	   *nulls = NULL;
	int			noptions = 0;
	char	   *mode;

	if (!PG_ARGISNULL(4))
		deconstruct_array(PG_GETARG_ARRAYTYPE_P(4), TEXTOID, -1, false,
						  TYPALIGN_INT, &options, &nulls, &noptions);
	if (find_option(options, nulls, noptions, "proto_version") == NULL)
	{
		list = add_option(list, "proto_version");
		list = add_option(list, psprintf("%d", LOGICALREP_PROTO_MAX_VERSION_NUM));
	}
	if (!PG_ARGISNULL(1))
	{
		list = add_option(list, "publication_names");
		list = add_option(list, join_publications(PG_GETARG_ARRAYTYPE_P(1)));
	}
	for (int i = 0; i < noptions; i++)
		list = accumArrayResult(list, options[i], nulls[i], TEXTOID,
								CurrentMemoryContext);

	/* Some servers tell of aborted streams even if streaming is off. */
	mode = find_option(options, nulls, noptions, "streaming");
	*streaming = mode != NULL && pg_strcasecmp(mode, "parallel") == 0 ?
		STREAM_INSPECT_PARALLEL : STREAM_INSPECT_ON;
	return makeArrayResult(list, CurrentMemoryContext);
}

static bool
receive_message(TupleTableSlot *slot, DestReceiver *self)
{
	MessageReceiver *receiver = (MessageReceiver *) self;
	bytea	   *data;

	if (receiver->wanted-- <= 0)
		return false;
	slot_getallattrs(slot);
	data = DatumGetByteaPP(slot->tts_values[1]);
	take_message(receiver->inspection, VARDATA_ANY(data),
				 (int) VARSIZE_ANY_EXHDR(data),
				 DatumGetLSN(slot->tts_values[0]));
	return receiver->wanted > 0;
}

static void
startup_receiver(DestReceiver *self, int operation, TupleDesc desc)
{
}

static void
end_receiver(DestReceiver *self)
{
}

static void
set_param(ParamListInfo params, int number, Oid type, Datum value,
		  bool isnull)
{
	params->params[number].value = value;
	params->params[number].isnull = isnull;
	params->params[number].pflags = PARAM_FLAG_CONST;
	params->params[number].ptype = type;
}

/*
 * Ask the server's function, which checks who may call it and read slots.
 * The server stops only after a whole transaction, the receiver at once.
 */
static void
read_slot(FunctionCallInfo fcinfo, Datum options, MessageReceiver *receiver)
{
	SPIExecuteOptions how = {0};

	receiver->pub.receiveSlot = receive_message;
	receiver->pub.rStartup = startup_receiver;
	receiver->pub.rShutdown = end_receiver;
	receiver->pub.rDestroy = end_receiver;
	receiver->pub.mydest = DestTuplestore;	/* where rows end up */

	how.params = makeParamList(4);
	set_param(how.params, 0, NAMEOID, PG_GETARG_DATUM(0), PG_ARGISNULL(0));
	set_param(how.params, 1, PG_LSNOID, PG_GETARG_DATUM(2), PG_ARGISNULL(2));
	set_param(how.params, 2, INT4OID,
			  Int32GetDatum((int32) Max(receiver->wanted, 1)),
			  PG_ARGISNULL(3));
	set_param(how.params, 3, TEXTARRAYOID, options, false);
	how.read_only = true;
	how.dest = &receiver->pub;

	SPI_connect();
	if (SPI_execute_extended("SELECT lsn, data FROM"
							 " pg_catalog.pg_logical_slot_peek_binary_changes"
							 "($1, $2, $3, VARIADIC $4)", &how) != SPI_OK_SELECT)
		elog(ERROR, "could not read the slot");
	SPI_finish();
}

static void
peek_slot(FunctionCallInfo fcinfo, bool summarize)
{
	StreamInspectStreaming streaming;
	Datum		options = make_options(fcinfo, &streaming);
	MessageReceiver receiver;

	memset(&receiver, 0, sizeof(receiver));
	receiver.wanted = PG_INT64_MAX;
	if (!PG_ARGISNULL(3))
	{
		receiver.wanted = PG_GETARG_INT32(3);
		if (receiver.wanted < 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("number of messages must not be negative")));
	}
	receiver.inspection = begin_inspection(fcinfo, summarize, streaming);
	read_slot(fcinfo, options, &receiver);
	end_inspection(receiver.inspection);
}

Datum
stream_pgoutput_peek(PG_FUNCTION_ARGS)
{
	peek_slot(fcinfo, false);
	return (Datum) 0;
}

Datum
stream_pgoutput_peek_summary(PG_FUNCTION_ARGS)
{
	peek_slot(fcinfo, true);
	return (Datum) 0;
}

/* ----------------------------------------------------------------
 *		From an array
 * ----------------------------------------------------------------
 */

static StreamInspectStreaming
parse_streaming(const char *mode)
{
	bool		on;

	if (pg_strcasecmp(mode, "parallel") == 0)
		return STREAM_INSPECT_PARALLEL;
	if (!parse_bool(mode, &on))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid streaming mode: \"%s\"", mode),
				 errhint("It is off, on or parallel.")));
	return on ? STREAM_INSPECT_ON : STREAM_INSPECT_OFF;
}

static void
decode_array(FunctionCallInfo fcinfo, bool summarize)
{
	ArrayType  *messages = PG_GETARG_ARRAYTYPE_P(0);
	StreamInspectStreaming streaming =
		parse_streaming(text_to_cstring(PG_GETARG_TEXT_PP(1)));
	Inspection *inspection = begin_inspection(fcinfo, summarize, streaming);
	ArrayIterator iterator = array_create_iterator(messages, 0, NULL);
	Datum		value;
	bool		isnull;

	while (array_iterate(iterator, &value, &isnull))
	{
		bytea	   *data;

		if (isnull)
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("message " INT64_FORMAT " is null",
							inspection->walk.number + 1)));
		data = DatumGetByteaPP(value);
		take_message(inspection, VARDATA_ANY(data),
					 (int) VARSIZE_ANY_EXHDR(data), 0);
	}
	array_free_iterator(iterator);
	end_inspection(inspection);
}

Datum
stream_pgoutput_decode(PG_FUNCTION_ARGS)
{
	decode_array(fcinfo, false);
	return (Datum) 0;
}

Datum
stream_pgoutput_decode_summary(PG_FUNCTION_ARGS)
{
	decode_array(fcinfo, true);
	return (Datum) 0;
}
