/*-------------------------------------------------------------------------
 *
 * stream_inspect_jsonb.h
 *		jsonb objects whose keys are known beforehand.
 *
 * Rows of one table have the same keys again and again.  So the keys are
 * sorted and laid out once, in jsonb's own storage format, and an object is
 * that head, copied, with its values behind it: a fraction of the work of
 * building it from pairs.
 *
 *			StreamJsonKeys keys;
 *			StreamJsonObject object;
 *
 *			stream_inspect_prepare_keys(&keys, names, n);
 *			...
 *			stream_inspect_begin_jsonb(out);
 *			stream_inspect_begin_object(&object, out, &keys);
 *			for (i = 0; i < keys.nkeys; i++)
 *				... a value for key number keys.order[i], by one of put_* ...
 *			datum = stream_inspect_end_jsonb(out);
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_INSPECT_JSONB_H
#define STREAM_INSPECT_JSONB_H

#include "postgres.h"

#include "lib/stringinfo.h"

/* Keys of an object, and how it begins. */
typedef struct StreamJsonKeys
{
	int			nkeys;
	int		   *order;			/* place in the object to number of the name */
	char	   *head;
	int			head_length;
	int			names_length;	/* of all names, which the head ends with */
} StreamJsonKeys;

/* An object being written. */
typedef struct StreamJsonObject
{
	StringInfo	out;
	int			nkeys;
	int			entries;		/* offset in out of the first entry */
	int			next;			/* number of the next value's entry */
	int64		length;			/* of what the entries so far describe */
} StreamJsonObject;

/* What one jsonb can hold. */
#define STREAM_JSON_MAX_LENGTH	0x0fffffff

/*
 * Lay out keys, which are in the database's encoding, in palloc'd memory.
 * Returns -1, or the number of a name that is there twice: then there are no
 * keys.  Raises program_limit_exceeded if the names are too long for jsonb.
 */
extern int	stream_inspect_prepare_keys(StreamJsonKeys *keys,
										const char *const *names, int nnames);

/* Empty the buffer and make room for the datum's header. */
extern void stream_inspect_begin_jsonb(StringInfo out);

/* The buffer as a datum, good until it is used again. */
extern Datum stream_inspect_end_jsonb(StringInfo out);

/* Begin the object at the end of the buffer. */
extern void stream_inspect_begin_object(StreamJsonObject *object,
										StringInfo out,
										const StreamJsonKeys *keys);

/*
 * The next value.  Strings are in the database's encoding.  Put an object
 * within an object by beginning it on the same buffer, filling it, and saying
 * put_object of it to the outer one.  These raise program_limit_exceeded if
 * the whole grows too large.
 */
extern void stream_inspect_put_null(StreamJsonObject *object);
extern void stream_inspect_put_true(StreamJsonObject *object);
extern void stream_inspect_put_string(StreamJsonObject *object,
									  const char *data, int length);
extern void stream_inspect_put_hex(StreamJsonObject *object,
								   const char *data, int length);
extern void stream_inspect_put_object(StreamJsonObject *object,
									  const StreamJsonObject *inner);

#endif							/* STREAM_INSPECT_JSONB_H */
