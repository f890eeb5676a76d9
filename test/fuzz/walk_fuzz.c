/*-------------------------------------------------------------------------
 *
 * walk_fuzz.c
 *		Fuzz target for a sequence of messages: readers, rules of order, memory
 *		of relations, counters per transaction.
 *
 * Input: a byte for the streaming mode (0 off, 1 on, 2 parallel; modulo 3),
 * then messages, each after its length in two bytes; what is left at the end,
 * if it is shorter than its length, is the last one.
 *
 * What must hold: whatever is taken writes back to the same bytes; an error
 * lies within its message; what belongs to a transaction is counted once; all
 * memory is given back.
 *
 *-------------------------------------------------------------------------
 */
#include "fuzz.h"

#include "lib/stringinfo.h"
#include "stream_inspect_summary.h"

/* What the messages so far add up to. */
typedef struct Totals
{
	int64		messages;
	int64		bytes;
	int64		rows;
} Totals;

static void
must(bool condition)
{
	if (!condition)
		abort();
}

/* A message that was taken. */
static void
check_message(const StreamWalk *walk, const char *data, int len,
			  StringInfo out)
{
	const StreamMessage *msg = &walk->msg;

	resetStringInfo(out);
	stream_proto_write(out, msg);
	must(out->len == len && memcmp(out->data, data, len) == 0);
	must(walk->subxid == 0 || (walk->xid != 0 && walk->subxid != walk->xid));
	must(walk->open_xid == 0 || walk->open_xid == walk->xid);
	must((walk->state.open != 0) == (walk->open_xid != 0));

	switch (msg->type)
	{
		case STREAM_MSG_RELATION:
			must(walk->relation->desc.relid == msg->u.relation.relid);
			must(walk->relation->desc.columns != msg->u.relation.columns);
			resetStringInfo(out);
			stream_proto_write_relation(out, &walk->relation->desc);
			must(out->len == len && memcmp(out->data, data, len) == 0);
			break;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
			must(walk->relation->desc.relid == msg->u.row.relid);
			must(msg->u.row.newtuple.kind == 0 ||
				 msg->u.row.newtuple.ncolumns == walk->relation->desc.ncolumns);
			must(msg->u.row.oldtuple.kind == 0 ||
				 msg->u.row.oldtuple.ncolumns == walk->relation->desc.ncolumns);
			break;
		default:
			must(walk->relation == NULL);
			break;
	}
}

/* Take what a transaction counted off the totals, and forget it. */
static void
settle(StreamInspectSummary *summary, StreamInspectTransaction *txn,
	   Totals *totals)
{
	totals->messages -= txn->messages;
	totals->bytes -= txn->bytes;
	for (uint32 i = 0; i < txn->tables.nslots; i++)
	{
		const StreamInspectTable *table = txn->tables.slots[i].value;

		if (txn->tables.slots[i].id == 0)
			continue;
		must(table->relid == txn->tables.slots[i].id);
		totals->rows -= table->inserts + table->updates + table->deletes +
			table->truncates;
	}
	must(txn->first_lsn <= txn->last_lsn);
	stream_inspect_drop(summary, txn);
}

/* How many rows, and tables truncated, a message has. */
static int
count_rows(const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
			return 1;
		case STREAM_MSG_TRUNCATE:
			return msg->u.truncate.nrelids;
		default:
			return 0;
	}
}

/* The next message of the input; false at its end. */
static bool
next_message(const uint8 **data, size_t *size, const char **msg, int *len)
{
	if (*size < 2)
		return false;
	*len = (*data)[0] << 8 | (*data)[1];
	*data += 2;
	*size -= 2;
	if ((size_t) *len > *size)
		*len = (int) *size;
	*msg = (const char *) *data;
	*data += *len;
	*size -= *len;
	return true;
}

/* A copy of its own, so that a read beyond its end is seen. */
static char *
copy_message(const char *msg, int len)
{
	char	   *copy = palloc(len > 0 ? len : 1);

	if (len > 0)
		memcpy(copy, msg, len);
	return copy;
}

int
LLVMFuzzerTestOneInput(const uint8 *data, size_t size)
{
	StreamWalk	walk;
	StreamInspectSummary summary = {0};
	StreamInspectTransaction *txn;
	StringInfoData out;
	Totals		totals = {0};
	const char *msg;
	int			len;
	bool		good = true;

	if (size == 0 || size > MAX_INPUT)
		return 0;
	initStringInfo(&out);
	stream_inspect_init_walk(&walk, (StreamInspectStreaming) (data[0] % 3));
	data++;
	size--;
	while (good && next_message(&data, &size, &msg, &len))
	{
		char	   *copy = copy_message(msg, len);

		good = stream_inspect_walk(&walk, copy, len);
		if (good)
		{
			check_message(&walk, copy, len, &out);
			totals.messages++;
			totals.bytes += len;
			totals.rows += count_rows(&walk.msg);
			txn = stream_inspect_count(&summary, &walk, len, walk.number);
			if (txn != NULL)
				settle(&summary, txn, &totals);
		}
		else
		{
			must(walk.error[0] != '\0');
			must(walk.error_offset >= 0 && walk.error_offset <= len);
		}
		free(copy);
	}
	while ((txn = stream_inspect_next_open(&summary)) != NULL)
		settle(&summary, txn, &totals);
	must(totals.messages == 0 && totals.bytes == 0 && totals.rows == 0);
	must(summary.transactions.used == 0);
	stream_inspect_map_free(&summary.transactions, false);
	stream_inspect_free_walk(&walk);
	free(out.data);
	return 0;
}
