/*-------------------------------------------------------------------------
 *
 * stream_tuple.h
 *		Prepared columns: from rows to column kinds and bytes.
 *
 * Knows types and values.  Which columns are sent is decided elsewhere.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_TUPLE_H
#define STREAM_TUPLE_H

#include "lib/stringinfo.h"
#include "stream_change.h"
#include "stream_proto.h"
#include "stream_value.h"

typedef struct StreamColumn
{
	int			attnum;			/* of the row, from 1; 0 = always NULL */
	int16		typlen;
	Oid			typid;
	StreamValueWriter write;	/* NULL until the first value */
	FmgrInfo	function;		/* output or send function */
} StreamColumn;

/* Lives, with what its functions cache, in the context it was made in. */
typedef struct StreamColumns
{
	MemoryContext context;
	bool		binary;
	int			natts;			/* leading attributes of a row needed */
	int			ncolumns;
	StreamColumn columns[FLEXIBLE_ARRAY_MEMBER];
} StreamColumns;

/* Room for up to max_columns columns, in the current context. */
extern StreamColumns *stream_tuple_make_columns(int max_columns, bool binary);

/*
 * Add a column of this type whose values are in attribute attnum of the rows,
 * or NULL if attnum is 0.  Its functions are looked up at its first value.
 */
extern void stream_tuple_add_column(StreamColumns *columns, int attnum,
									Oid typid, int16 typlen);

/*
 * Append a tuple.  The current context must be the change's.  Raises whatever
 * the types' functions raise.
 */
extern void stream_tuple_write(StringInfo out, StreamColumns *columns,
							   StreamTupleKind kind, const StreamRow *row);

#endif							/* STREAM_TUPLE_H */
