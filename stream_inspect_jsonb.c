/*-------------------------------------------------------------------------
 *
 * stream_inspect_jsonb.c
 *		Objects in jsonb's storage format; see stream_inspect_jsonb.h.
 *
 * The format is that of utils/jsonb.h: a header with the number of pairs, an
 * entry for each key and then for each value, the keys' bytes, the values'
 * bytes.  Keys are sorted by length, then by bytes.  An entry has the length
 * of its item, and every 32nd one where its item ends instead.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_inspect_jsonb.h"

#include "utils/builtins.h"
#include "utils/jsonb.h"

StaticAssertDecl(STREAM_JSON_MAX_LENGTH == JENTRY_OFFLENMASK,
				 "what an entry of jsonb can describe");

/* ----------------------------------------------------------------
 *		Keys
 * ----------------------------------------------------------------
 */

typedef struct KeyName
{
	const char *name;
	int			length;
	int			number;
} KeyName;

static int
compare_names(const void *a, const void *b)
{
	const KeyName *left = a;
	const KeyName *right = b;

	if (left->length != right->length)
		return left->length < right->length ? -1 : 1;
	return memcmp(left->name, right->name, left->length);
}

static void
check_length(int64 length)
{
	if (length > STREAM_JSON_MAX_LENGTH)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a row is too large to be shown as jsonb"),
				 errdetail("jsonb can hold %d bytes.", STREAM_JSON_MAX_LENGTH)));
}

/* The entry with that number, of an item of that length. */
static JEntry
make_entry(uint32 type, int number, int64 length, int64 total)
{
	check_length(total);
	if (number % JB_OFFSET_STRIDE == 0)
		return type | JENTRY_HAS_OFF | (uint32) total;
	return type | (uint32) length;
}

/* Header, the keys' entries, zeros for the values' entries, the names. */
static void
lay_out_head(StreamJsonKeys *keys, const KeyName *sorted)
{
	uint32	   *head;
	char	   *names;
	int64		total = 0;
	int64		fixed = (1 + 2 * (int64) keys->nkeys) * sizeof(uint32);

	for (int i = 0; i < keys->nkeys; i++)
		total += sorted[i].length;
	check_length(total);

	head = palloc0(fixed + total);
	names = (char *) head + fixed;
	keys->head = (char *) head;
	keys->head_length = (int) (fixed + total);
	keys->names_length = (int) total;

	*head++ = (uint32) keys->nkeys | JB_FOBJECT;
	total = 0;
	for (int i = 0; i < keys->nkeys; i++)
	{
		memcpy(names + total, sorted[i].name, sorted[i].length);
		total += sorted[i].length;
		*head++ = make_entry(JENTRY_ISSTRING, i, sorted[i].length, total);
		keys->order[i] = sorted[i].number;
	}
}

int
stream_inspect_prepare_keys(StreamJsonKeys *keys, const char *const *names,
							int nnames)
{
	KeyName    *sorted = palloc(sizeof(KeyName) * (nnames + 1));
	int			twice = -1;

	for (int i = 0; i < nnames; i++)
	{
		sorted[i].name = names[i];
		sorted[i].length = (int) strlen(names[i]);
		sorted[i].number = i;
	}
	qsort(sorted, nnames, sizeof(KeyName), compare_names);
	for (int i = 1; i < nnames && twice < 0; i++)
	{
		if (compare_names(&sorted[i - 1], &sorted[i]) == 0)
			twice = Max(sorted[i - 1].number, sorted[i].number);
	}
	if (twice < 0)
	{
		keys->nkeys = nnames;
		keys->order = palloc(sizeof(int) * (nnames + 1));
		lay_out_head(keys, sorted);
	}
	pfree(sorted);
	return twice;
}

/* ----------------------------------------------------------------
 *		Objects
 * ----------------------------------------------------------------
 */

void
stream_inspect_begin_jsonb(StringInfo out)
{
	resetStringInfo(out);
	appendStringInfoSpaces(out, VARHDRSZ);
}

Datum
stream_inspect_end_jsonb(StringInfo out)
{
	SET_VARSIZE(out->data, out->len);
	return PointerGetDatum(out->data);
}

void
stream_inspect_begin_object(StreamJsonObject *object, StringInfo out,
							const StreamJsonKeys *keys)
{
	while (out->len % sizeof(uint32) != 0)
		appendStringInfoCharMacro(out, '\0');
	object->out = out;
	object->nkeys = keys->nkeys;
	object->entries = out->len + sizeof(uint32);
	object->next = keys->nkeys;
	object->length = keys->names_length;
	appendBinaryStringInfo(out, keys->head, keys->head_length);
}

/* Describe the item that the buffer now ends with. */
static void
add_entry(StreamJsonObject *object, uint32 type, int64 length)
{
	JEntry		entry;

	Assert(object->next < 2 * object->nkeys);
	object->length += length;
	entry = make_entry(type, object->next, length, object->length);
	memcpy(object->out->data + object->entries + object->next * sizeof(JEntry),
		   &entry, sizeof(entry));
	object->next++;
}

void
stream_inspect_put_null(StreamJsonObject *object)
{
	add_entry(object, JENTRY_ISNULL, 0);
}

void
stream_inspect_put_true(StreamJsonObject *object)
{
	add_entry(object, JENTRY_ISBOOL_TRUE, 0);
}

void
stream_inspect_put_string(StreamJsonObject *object, const char *data,
						  int length)
{
	check_length(object->length + length);
	appendBinaryStringInfo(object->out, data, length);
	add_entry(object, JENTRY_ISSTRING, length);
}

void
stream_inspect_put_hex(StreamJsonObject *object, const char *data, int length)
{
	int64		hex_length = 2 * (int64) length;
	StringInfo	out = object->out;

	check_length(object->length + hex_length);
	enlargeStringInfo(out, (int) hex_length);
	out->len += (int) hex_encode(data, length, out->data + out->len);
	add_entry(object, JENTRY_ISSTRING, hex_length);
}

/*
 * The padding before the inner object belongs to it.  What it is the distance
 * between its end and the end of what was there before tells.
 */
void
stream_inspect_put_object(StreamJsonObject *object,
						  const StreamJsonObject *inner)
{
	int64		begin = object->entries + object->length +
		2 * (int64) object->nkeys * sizeof(JEntry);

	Assert(inner->next == 2 * inner->nkeys);
	add_entry(object, JENTRY_ISCONTAINER, object->out->len - begin);
}
