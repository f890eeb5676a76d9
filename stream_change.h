/*-------------------------------------------------------------------------
 *
 * stream_change.h
 *		What travels from the callback to the wire: one row change.
 *
 * A StreamChange lives on the callback's stack.  A room reads it, may change
 * it, and returns.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_CHANGE_H
#define STREAM_CHANGE_H

typedef enum StreamAction
{
	STREAM_ACTION_INSERT,
	STREAM_ACTION_UPDATE,
	STREAM_ACTION_DELETE,
	STREAM_ACTION_TRUNCATE,
} StreamAction;

/* INSERT, UPDATE and DELETE; the ones that row filters know. */
#define STREAM_ROW_ACTIONS	3

/*
 * A row, taken apart, in the layout of the table that was changed (which may
 * be a partition of the one it is published as).  Only the attributes that
 * somebody needs are there; see StreamRelation.  values = NULL: no such row.
 */
typedef struct StreamRow
{
	Datum	   *values;
	bool	   *isnull;
} StreamRow;

typedef struct StreamChange
{
	StreamAction action;		/* a row filter may change it */
	StreamRow	oldrow;
	StreamRow	newrow;
	int			natts;			/* how many attributes both rows have */
} StreamChange;

#endif							/* STREAM_CHANGE_H */
