/*-------------------------------------------------------------------------
 *
 * stream_filter.h
 *		Row filters: built once per relation, applied to every change.
 *
 * Knows expressions and rows; where the filters come from and what is done
 * with the change is none of its business.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_FILTER_H
#define STREAM_FILTER_H

#include "access/attmap.h"
#include "nodes/pg_list.h"
#include "stream_change.h"
#include "utils/rel.h"

typedef struct StreamFilter StreamFilter;

/*
 * Build the filters of each row action, given as lists of node strings over
 * target's columns.  map leads from target's columns to those of the rows
 * that will come, NULL if they are the same.  The filter lives in the current
 * context and is freed with it; it needs neither list, target nor map later.
 */
extern StreamFilter *stream_filter_build(Relation target,
										 List *filters[STREAM_ROW_ACTIONS],
										 const AttrMap *map);

/* How many leading attributes of a row the filters look at. */
extern int	stream_filter_get_natts(const StreamFilter *filter);

/*
 * Apply the filter of the change's action.  Returns false if nothing is to be
 * sent.  An UPDATE with both rows becomes an INSERT (of a new row in which
 * unchanged TOASTed values are taken from the old one) or a DELETE when only
 * one of them passes.  The current context must be the change's.
 */
extern bool stream_filter_apply(StreamFilter *filter, StreamChange *change);

#endif							/* STREAM_FILTER_H */
