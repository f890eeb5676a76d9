/*-------------------------------------------------------------------------
 *
 * bench_floor.c
 *		An output plugin that does nothing: what decoding costs without one.
 *
 * Its callbacks return at once, but for the benchmark's own markers, which it
 * sends, so that the reader knows how far it is.  It takes any option, and has
 * the server stream large transactions when the option streaming asks for it,
 * so that the server takes the same road as with the plugins it is compared
 * with.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "replication/logical.h"
#include "replication/output_plugin.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_output_plugin_init(OutputPluginCallbacks *cb);

static bool
wants_streaming(List *options)
{
	ListCell   *lc;

	foreach(lc, options)
	{
		DefElem    *option = lfirst_node(DefElem, lc);

		if (strcmp(option->defname, "streaming") == 0)
			return option->arg == NULL || strcmp(strVal(option->arg), "off") != 0;
	}
	return false;
}

static void
floor_startup(LogicalDecodingContext *ctx, OutputPluginOptions *opt, bool is_init)
{
	opt->output_type = OUTPUT_PLUGIN_BINARY_OUTPUT;
	ctx->streaming &= wants_streaming(ctx->output_plugin_options);
	ctx->twophase = false;
}

static void
floor_transaction(LogicalDecodingContext *ctx, ReorderBufferTXN *txn)
{
}

static void
floor_transaction_end(LogicalDecodingContext *ctx, ReorderBufferTXN *txn, XLogRecPtr lsn)
{
}

static void
floor_change(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
			 Relation relation, ReorderBufferChange *change)
{
}

static void
floor_truncate(LogicalDecodingContext *ctx, ReorderBufferTXN *txn,
			   int nrelations, Relation relations[], ReorderBufferChange *change)
{
}

static void
floor_message(LogicalDecodingContext *ctx, ReorderBufferTXN *txn, XLogRecPtr lsn,
			  bool transactional, const char *prefix, Size size, const char *message)
{
	if (strcmp(prefix, "bench") != 0)
		return;
	OutputPluginPrepareWrite(ctx, true);
	appendBinaryStringInfo(ctx->out, message, size);
	OutputPluginWrite(ctx, true);
}

void
_PG_output_plugin_init(OutputPluginCallbacks *cb)
{
	cb->startup_cb = floor_startup;
	cb->begin_cb = floor_transaction;
	cb->change_cb = floor_change;
	cb->truncate_cb = floor_truncate;
	cb->message_cb = floor_message;
	cb->commit_cb = floor_transaction_end;
	cb->stream_start_cb = floor_transaction;
	cb->stream_stop_cb = floor_transaction;
	cb->stream_abort_cb = floor_transaction_end;
	cb->stream_commit_cb = floor_transaction_end;
	cb->stream_change_cb = floor_change;
	cb->stream_message_cb = floor_message;
	cb->stream_truncate_cb = floor_truncate;
}
