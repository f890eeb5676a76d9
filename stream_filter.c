/*-------------------------------------------------------------------------
 *
 * stream_filter.c
 *		Row filters: built once per relation, applied to every change.
 *
 * Filters of several publications are OR-ed; NULL counts as false.  The
 * expressions hold only columns of one table and immutable built-in
 * functions (the server checks that when a publication is made), so that
 * neither range table nor executor state is needed to evaluate them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_filter.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"

struct StreamFilter
{
	ExprState  *states[STREAM_ROW_ACTIONS];	/* NULL = every row passes */
	ExprContext *econtext;
	TupleTableSlot *slot;		/* a row in the target's layout */
	AttrNumber *sources;		/* per target column: attribute of the row,
								 * or 0; NULL = the same layout */
	int			natts;			/* leading attributes looked at */
};

/*
 * All filters of one action as one expression.  The planner's preparation is
 * what folds constants and fills in default arguments.
 */
static Expr *
parse_filters(List *filters, Relation target)
{
	List	   *clauses = NIL;
	ListCell   *lc;

	foreach(lc, filters)
	{
		Node	   *node = stringToNode(lfirst(lc));

		clauses = lappend(clauses,
						  expand_generated_columns_in_expr(node, target, 1));
	}
	return expression_planner(make_orclause(clauses));
}

static int
get_source(const StreamFilter *filter, int target_attnum)
{
	return filter->sources ? filter->sources[target_attnum - 1] : target_attnum;
}

/* Note which of the row's attributes the expression looks at. */
static void
note_columns(StreamFilter *filter, Expr *expr, int target_natts)
{
	Bitmapset  *attrs = NULL;
	int			i = -1;

	pull_varattnos((Node *) expr, 1, &attrs);
	while ((i = bms_next_member(attrs, i)) >= 0)
	{
		int			attnum = i + FirstLowInvalidHeapAttributeNumber;
		int			first = attnum,
					last = attnum;

		if (attnum == InvalidAttrNumber)
		{
			/* a whole-row reference */
			first = 1;
			last = target_natts;
		}
		for (attnum = first; attnum <= last; attnum++)
			filter->natts = Max(filter->natts, get_source(filter, attnum));
	}
	bms_free(attrs);
}

StreamFilter *
stream_filter_build(Relation target, List *filters[STREAM_ROW_ACTIONS],
					const AttrMap *map)
{
	StreamFilter *filter = palloc0(sizeof(StreamFilter));
	TupleDesc	desc = CreateTupleDescCopy(RelationGetDescr(target));

	if (map)
	{
		filter->sources = palloc(sizeof(AttrNumber) * map->maplen);
		memcpy(filter->sources, map->attnums, sizeof(AttrNumber) * map->maplen);
	}
	filter->slot = stream_make_slot(desc, &TTSOpsVirtual);
	filter->econtext = CreateStandaloneExprContext();

	for (int i = 0; i < STREAM_ROW_ACTIONS; i++)
	{
		Expr	   *expr;

		if (filters[i] == NIL)
			continue;
		expr = parse_filters(filters[i], target);
		note_columns(filter, expr, desc->natts);
		filter->states[i] = ExecInitExpr(expr, NULL);
	}
	return filter;
}

int
stream_filter_get_natts(const StreamFilter *filter)
{
	return filter->natts;
}

/* Put the row into the slot, in the target's layout. */
static void
store_row(StreamFilter *filter, const StreamRow *row, int natts)
{
	TupleTableSlot *slot = filter->slot;
	int			ntargets = slot->tts_tupleDescriptor->natts;

	ExecClearTuple(slot);
	for (int i = 0; i < ntargets; i++)
	{
		int			source = get_source(filter, i + 1);
		bool		known = source > 0 && source <= natts;

		slot->tts_isnull[i] = known ? row->isnull[source - 1] : true;
		slot->tts_values[i] = known ? row->values[source - 1] : (Datum) 0;
	}
	ExecStoreVirtualTuple(slot);
}

static bool
row_passes(StreamFilter *filter, ExprState *state, const StreamRow *row,
		   int natts)
{
	Datum		result;
	bool		isnull;

	ResetExprContext(filter->econtext);
	store_row(filter, row, natts);
	filter->econtext->ecxt_scantuple = filter->slot;
	result = ExecEvalExprSwitchContext(state, filter->econtext, &isnull);
	return !isnull && DatumGetBool(result);
}

/*
 * Is attribute i (of a type with this attlen) a value that the new row only
 * points to, but the old row has?  Such a value was not changed and belongs
 * to the replica identity, which is why the old row was logged with it.
 */
static bool
is_known_by_old_row(const StreamChange *change, int16 attlen, int i)
{
	if (attlen != -1 ||
		change->newrow.isnull[i] || change->oldrow.isnull[i])
		return false;
	return VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(change->newrow.values[i])) &&
		!VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(change->oldrow.values[i]));
}

/*
 * The new row with such values filled in: the row itself if there are none,
 * else a copy of its arrays in the current context.
 */
static StreamRow
complete_new_row(const StreamFilter *filter, const StreamChange *change)
{
	TupleDesc	desc = filter->slot->tts_tupleDescriptor;
	StreamRow	row = change->newrow;

	for (int target = 1; target <= desc->natts; target++)
	{
		int			i = get_source(filter, target) - 1;

		if (i < 0 || i >= change->natts ||
			!is_known_by_old_row(change, TupleDescAttr(desc, target - 1)->attlen, i))
			continue;
		if (row.values == change->newrow.values)
		{
			row.values = palloc(sizeof(Datum) * change->natts);
			memcpy(row.values, change->newrow.values,
				   sizeof(Datum) * change->natts);
		}
		row.values[i] = change->oldrow.values[i];
	}
	return row;
}

/*
 * The four cases of an UPDATE, by what passes:
 *
 *		neither		nothing is sent
 *		new only	INSERT: the subscriber does not have the row, so that it
 *					needs the values that the new row only points to
 *		old only	DELETE: the row leaves the subscriber's set
 *		both		UPDATE
 */
static bool
apply_to_update(StreamFilter *filter, ExprState *state, StreamChange *change)
{
	StreamRow	newrow = complete_new_row(filter, change);
	bool		old_passes = row_passes(filter, state, &change->oldrow,
										change->natts);
	bool		new_passes = row_passes(filter, state, &newrow, change->natts);

	if (!old_passes && new_passes)
	{
		change->action = STREAM_ACTION_INSERT;
		change->newrow = newrow;
	}
	else if (old_passes && !new_passes)
		change->action = STREAM_ACTION_DELETE;

	return old_passes || new_passes;
}

bool
stream_filter_apply(StreamFilter *filter, StreamChange *change)
{
	ExprState  *state = filter->states[change->action];

	if (state == NULL)
		return true;

	/*
	 * With one row, that row decides: the only one of an INSERT or a DELETE,
	 * and the new one of an UPDATE that left the replica identity alone.
	 */
	if (change->oldrow.values == NULL)
		return row_passes(filter, state, &change->newrow, change->natts);
	if (change->newrow.values == NULL)
		return row_passes(filter, state, &change->oldrow, change->natts);

	return apply_to_update(filter, state, change);
}
