/*-------------------------------------------------------------------------
 *
 * stream_inspect_row.h
 *		A message as a row of SQL values.
 *
 * Text on the wire is in the client's encoding, and taken to be in that of
 * this session.  It is checked before it becomes a value: text that cannot be
 * is an error that names the message and the byte.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_INSPECT_ROW_H
#define STREAM_INSPECT_ROW_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "stream_inspect_jsonb.h"
#include "stream_inspect_walk.h"

/* Columns of the functions that show messages, in their order. */
typedef enum StreamRowColumn
{
	STREAM_ROW_LSN,
	STREAM_ROW_MESSAGE,
	STREAM_ROW_XID,
	STREAM_ROW_SUBXID,
	STREAM_ROW_RELATION,
	STREAM_ROW_ACTION,
	STREAM_ROW_KEY,
	STREAM_ROW_OLD,
	STREAM_ROW_NEW,
	STREAM_ROW_SIZE,
	STREAM_ROW_DETAIL,
	STREAM_ROW_COLUMNS
} StreamRowColumn;

/* What is the same for many rows, and buffers. */
typedef struct StreamRowMaker
{
	MemoryContext context;		/* holds all of it, and the views */
	int			encoding;		/* of text on the wire */
	bool		convert;		/* has that to be converted? */
	StreamJsonKeys unchanged_keys;
	StreamJsonKeys binary_keys;
	StringInfoData key;
	StringInfoData old;
	StringInfoData new;
	Datum		name[256];		/* of messages, by type; 0 if not yet used */
	Datum		action[256];
} StreamRowMaker;

/* Begin, in the context given, which has to outlive the maker. */
extern void stream_inspect_init_maker(StreamRowMaker *maker,
									  MemoryContext context);

/*
 * To be called for each message that the walk takes, before anything below.
 * Of a TYPE, check the names; of a RELATION, prepare what is shown of it and
 * its rows, instead of what was prepared before.
 */
extern void stream_inspect_take_schema(StreamRowMaker *maker,
									   StreamWalk *walk);

/* Name of a relation of the walk: schema.table, quoted where needed. */
extern const char *stream_inspect_relation_name(const StreamWalk *walk,
												Oid relid);

/*
 * A string of the walk's last message, NUL-terminated, in the database's
 * encoding; what is not itself in the message is palloc'd.
 */
extern const char *stream_inspect_string(const StreamRowMaker *maker,
										 const StreamWalk *walk,
										 const char *s);

/*
 * The walk's last message, of len bytes and with an LSN (0: none), as a row.
 * What the values point to is good until the next row, or palloc'd.
 */
extern void stream_inspect_make_row(StreamRowMaker *maker,
									const StreamWalk *walk, int len,
									uint64 lsn, Datum *values, bool *nulls);

/*
 * Name of a type: as TYPE said, or the catalog for types whose oid is the same
 * on every server, or else the oid.  Palloc'd.
 */
extern char *stream_inspect_type_name(const StreamRowMaker *maker,
									  const StreamWalk *walk, Oid typid);

/*
 * Those fields of the walk's last message that have no column of their own, as
 * jsonb; 0 if there are none.
 */
extern Datum stream_inspect_make_detail(const StreamRowMaker *maker,
										const StreamWalk *walk);

/*
 * Between begin and end, errors of the server's functions get the message's
 * number, and the offset in it, as their context.
 */
typedef struct StreamErrorPlace
{
	const StreamWalk *walk;
	int			offset;
	ErrorContextCallback callback;
} StreamErrorPlace;

extern void stream_inspect_begin_place(StreamErrorPlace *place,
									   const StreamWalk *walk, int offset);
extern void stream_inspect_end_place(const StreamErrorPlace *place);

/* Raise what stream_inspect_walk found in the message, of len bytes. */
extern void stream_inspect_raise(const StreamWalk *walk, int len);

#endif							/* STREAM_INSPECT_ROW_H */
