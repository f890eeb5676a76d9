/*-------------------------------------------------------------------------
 *
 * stream_value.h
 *		Values: from a datum to a column's kind, length and bytes.
 *
 * Knows output and send functions of types; nothing of rows or relations.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_VALUE_H
#define STREAM_VALUE_H

#include "fmgr.h"
#include "lib/stringinfo.h"

/*
 * Append a column with a value that is neither NULL nor TOASTed on disk.
 * function is the type's own output or send function, looked up.  May leave
 * garbage in the current context; raises what the type's function raises.
 */
typedef void (*StreamValueWriter) (StringInfo out, FmgrInfo *function,
								   Datum value);

/*
 * The writer for values of a type with this output (or, if binary, send)
 * function: a short cut of ours where there is one, else one that calls it.
 *
 * Short cuts are chosen by the function, not by type or storage: a domain
 * shares its base type's function and so its short cut, and a type that only
 * looks like a built-in one has a function of its own and none.  A short cut
 * gives the function's bytes under every setting that the function reads, at
 * the time of the call.
 */
extern StreamValueWriter stream_value_get_writer(Oid function, bool binary);

#endif							/* STREAM_VALUE_H */
