/*-------------------------------------------------------------------------
 *
 * stream_inspect_summary.c
 *		Counters per transaction; see stream_inspect_summary.h.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_inspect_summary.h"

/* ----------------------------------------------------------------
 *		Transactions and their tables
 * ----------------------------------------------------------------
 */

static StreamInspectTransaction *
make_transaction(TransactionId xid)
{
	StreamInspectTransaction *txn = palloc(sizeof(*txn));

	memset(txn, 0, sizeof(*txn));
	txn->xid = xid;
	return txn;
}

static StreamInspectTransaction *
find_transaction(StreamInspectSummary *summary, TransactionId xid)
{
	StreamInspectTransaction *txn;

	if (xid == 0)
	{
		if (summary->outside == NULL)
			summary->outside = make_transaction(0);
		return summary->outside;
	}
	txn = stream_inspect_map_get(&summary->transactions, xid);
	if (txn != NULL)
		return txn;

	txn = make_transaction(xid);
	txn->prev = summary->last;
	if (summary->last != NULL)
		summary->last->next = txn;
	else
		summary->first = txn;
	summary->last = txn;
	stream_inspect_map_put(&summary->transactions, xid, txn);
	return txn;
}

static StreamInspectTable *
find_table(StreamInspectTransaction *txn, Oid relid)
{
	StreamInspectTable *table = stream_inspect_map_get(&txn->tables, relid);

	if (table == NULL)
	{
		table = palloc(sizeof(*table));
		memset(table, 0, sizeof(*table));
		table->relid = relid;
		stream_inspect_map_put(&txn->tables, relid, table);
	}
	return table;
}

static void
set_gid(StreamInspectTransaction *txn, const char *gid)
{
	size_t		size = strlen(gid) + 1;

	if (txn->gid != NULL)
		pfree(txn->gid);
	txn->gid = palloc(size);
	memcpy(txn->gid, gid, size);
	txn->prepared = true;
}

/* ----------------------------------------------------------------
 *		Counting
 * ----------------------------------------------------------------
 */

static void
count_message(StreamInspectTransaction *txn, int len, uint64 lsn)
{
	txn->messages++;
	txn->bytes += len;
	if (lsn == 0)
		return;
	if (txn->first_lsn == 0)
		txn->first_lsn = lsn;
	txn->last_lsn = lsn;
}

/* What the message says about its transaction as a whole. */
static void
note_transaction(StreamInspectTransaction *txn, const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_STREAM_START:
			txn->streamed = true;
			txn->blocks++;
			break;
		case STREAM_MSG_COMMIT:
			txn->outcome = STREAM_INSPECT_COMMITTED;
			break;
		case STREAM_MSG_STREAM_COMMIT:
			txn->streamed = true;
			txn->outcome = STREAM_INSPECT_COMMITTED;
			break;
		case STREAM_MSG_STREAM_ABORT:
			txn->streamed = true;
			if (msg->u.stream_abort.subxid == txn->xid)
				txn->outcome = STREAM_INSPECT_ABORTED;
			else
				txn->aborted_subxacts++;
			break;
		case STREAM_MSG_BEGIN_PREPARE:
			set_gid(txn, msg->u.prepare.gid);
			break;
		case STREAM_MSG_STREAM_PREPARE:
			txn->streamed = true;
			/* FALLTHROUGH */
		case STREAM_MSG_PREPARE:
			set_gid(txn, msg->u.prepare.gid);
			txn->outcome = STREAM_INSPECT_PREPARED;
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			set_gid(txn, msg->u.commit_prepared.gid);
			txn->outcome = STREAM_INSPECT_COMMITTED;
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			set_gid(txn, msg->u.rollback_prepared.gid);
			txn->outcome = STREAM_INSPECT_ABORTED;
			break;
		default:
			break;
	}
}

static void
count_rows(StreamInspectTransaction *txn, const StreamMessage *msg)
{
	switch (msg->type)
	{
		case STREAM_MSG_INSERT:
			find_table(txn, msg->u.row.relid)->inserts++;
			break;
		case STREAM_MSG_UPDATE:
			find_table(txn, msg->u.row.relid)->updates++;
			break;
		case STREAM_MSG_DELETE:
			find_table(txn, msg->u.row.relid)->deletes++;
			break;
		case STREAM_MSG_TRUNCATE:
			for (int i = 0; i < msg->u.truncate.nrelids; i++)
				find_table(txn, msg->u.truncate.relids[i])->truncates++;
			break;
		default:
			break;
	}
}

StreamInspectTransaction *
stream_inspect_count(StreamInspectSummary *summary, const StreamWalk *walk,
					 int len, uint64 lsn)
{
	StreamInspectTransaction *txn = find_transaction(summary, walk->xid);

	count_message(txn, len, lsn);
	note_transaction(txn, &walk->msg);
	count_rows(txn, &walk->msg);
	return txn->outcome == STREAM_INSPECT_COMMITTED ||
		txn->outcome == STREAM_INSPECT_ABORTED ? txn : NULL;
}

StreamInspectTransaction *
stream_inspect_next_open(StreamInspectSummary *summary)
{
	return summary->first != NULL ? summary->first : summary->outside;
}

void
stream_inspect_drop(StreamInspectSummary *summary,
					StreamInspectTransaction *txn)
{
	if (txn == summary->outside)
		summary->outside = NULL;
	else
	{
		stream_inspect_map_delete(&summary->transactions, txn->xid);
		if (txn->prev != NULL)
			txn->prev->next = txn->next;
		else
			summary->first = txn->next;
		if (txn->next != NULL)
			txn->next->prev = txn->prev;
		else
			summary->last = txn->prev;
	}
	stream_inspect_map_free(&txn->tables, true);
	if (txn->gid != NULL)
		pfree(txn->gid);
	pfree(txn);
}
