/*-------------------------------------------------------------------------
 *
 * stream_value.c
 *		Values: from a datum to a column's kind, length and bytes.
 *
 * A short cut formats straight into the buffer, with the server's own
 * formatting routines where it exports them, and allocates nothing.  Where a
 * value or a setting is out of the ordinary it hands over to the type's
 * function, which also is what raises errors.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_proto.h"
#include "stream_value.h"

#include "access/detoast.h"
#include "common/shortest_dec.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/bytea.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/float.h"
#include "utils/fmgroids.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#include "utils/uuid.h"

/* Kind and length, before the bytes. */
#define VALUE_HEAD	5

/* ----------------------------------------------------------------
 *		Any type
 * ----------------------------------------------------------------
 */

/* Text in the server's encoding; not NUL-terminated. */
static void
put_text(StringInfo out, StreamColumnKind kind, const char *text, int length)
{
	char	   *converted = pg_server_to_client(text, length);

	if (likely(converted == text))
	{
		stream_proto_put_value(out, kind, text, length);
		return;
	}
	stream_proto_put_value(out, kind, converted, strlen(converted));
	pfree(converted);
}

/* A row may have many large values: keep one copy of one at a time. */
static void
write_by_output_function(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = OutputFunctionCall(function, value);

	put_text(out, STREAM_COLUMN_TEXT, text, strlen(text));
	pfree(text);
}

static void
write_by_send_function(StringInfo out, FmgrInfo *function, Datum value)
{
	bytea	   *bytes = SendFunctionCall(function, value);

	stream_proto_put_value(out, STREAM_COLUMN_BINARY, VARDATA(bytes),
						   VARSIZE(bytes) - VARHDRSZ);
	pfree(bytes);
}

/* ----------------------------------------------------------------
 *		Formatting in place: begin_text makes room for at most max bytes and
 *		returns where they go, end_text takes the number that came.
 * ----------------------------------------------------------------
 */

static inline char *
begin_text(StringInfo out, int max)
{
	return stream_proto_reserve(out, VALUE_HEAD + max) + VALUE_HEAD;
}

static inline void
end_text(StringInfo out, char *text, int length)
{
	char	   *p = text - VALUE_HEAD;

	p = stream_proto_store_int8(p, STREAM_COLUMN_TEXT);
	stream_proto_store_int32(p, length);
	stream_proto_finish(out, text + length);
}

/* A binary value of fixed size. */
static inline char *
begin_binary(StringInfo out, int length)
{
	char	   *p = stream_proto_reserve(out, VALUE_HEAD + length);

	p = stream_proto_store_int8(p, STREAM_COLUMN_BINARY);
	return stream_proto_store_int32(p, length);
}

static void
write_binary_int8(StringInfo out, uint8 value)
{
	stream_proto_finish(out, stream_proto_store_int8(begin_binary(out, 1), value));
}

static void
write_binary_int16(StringInfo out, uint16 value)
{
	stream_proto_finish(out, stream_proto_store_int16(begin_binary(out, 2), value));
}

static void
write_binary_int32(StringInfo out, uint32 value)
{
	stream_proto_finish(out, stream_proto_store_int32(begin_binary(out, 4), value));
}

static void
write_binary_int64(StringInfo out, uint64 value)
{
	stream_proto_finish(out, stream_proto_store_int64(begin_binary(out, 8), value));
}

/* ----------------------------------------------------------------
 *		bool, integers, oid
 * ----------------------------------------------------------------
 */

static void
write_bool(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, 1);

	*text = DatumGetBool(value) ? 't' : 'f';
	end_text(out, text, 1);
}

static void
write_int2(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, 7);

	end_text(out, text, pg_itoa(DatumGetInt16(value), text));
}

static void
write_int4(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, 12);

	end_text(out, text, pg_ltoa(DatumGetInt32(value), text));
}

static void
write_int8(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, MAXINT8LEN + 1);

	end_text(out, text, pg_lltoa(DatumGetInt64(value), text));
}

static void
write_oid(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, 10);

	end_text(out, text, pg_ultoa_n(DatumGetObjectId(value), text));
}

static void
send_bool(StringInfo out, FmgrInfo *function, Datum value)
{
	write_binary_int8(out, DatumGetBool(value) ? 1 : 0);
}

static void
send_int2(StringInfo out, FmgrInfo *function, Datum value)
{
	write_binary_int16(out, (uint16) DatumGetInt16(value));
}

/* int4, oid and date */
static void
send_int4(StringInfo out, FmgrInfo *function, Datum value)
{
	write_binary_int32(out, DatumGetUInt32(value));
}

/* int8, timestamp and timestamptz */
static void
send_int8(StringInfo out, FmgrInfo *function, Datum value)
{
	write_binary_int64(out, (uint64) DatumGetInt64(value));
}

/* ----------------------------------------------------------------
 *		float4, float8: the shortest text that reads back as the same number,
 *		unless extra_float_digits asks for rounding
 * ----------------------------------------------------------------
 */

static void
write_float4(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text;

	if (extra_float_digits <= 0)
	{
		write_by_output_function(out, function, value);
		return;
	}
	text = begin_text(out, FLOAT_SHORTEST_DECIMAL_LEN);
	end_text(out, text, float_to_shortest_decimal_buf(DatumGetFloat4(value), text));
}

static void
write_float8(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text;

	if (extra_float_digits <= 0)
	{
		write_by_output_function(out, function, value);
		return;
	}
	text = begin_text(out, DOUBLE_SHORTEST_DECIMAL_LEN);
	end_text(out, text, double_to_shortest_decimal_buf(DatumGetFloat8(value), text));
}

static void
send_float4(StringInfo out, FmgrInfo *function, Datum value)
{
	float4		number = DatumGetFloat4(value);
	uint32		bits;

	memcpy(&bits, &number, sizeof(bits));
	write_binary_int32(out, bits);
}

static void
send_float8(StringInfo out, FmgrInfo *function, Datum value)
{
	float8		number = DatumGetFloat8(value);
	uint64		bits;

	memcpy(&bits, &number, sizeof(bits));
	write_binary_int64(out, bits);
}

/* ----------------------------------------------------------------
 *		date, timestamp, timestamptz: formatted here in ISO style, for years of
 *		four digits; anything else by the server's routines
 * ----------------------------------------------------------------
 */

/* Days from 2000-01-01 to 0001-01-01 and to 10000-01-01. */
#define FIRST_ISO_DAY	(-730119)
#define END_ISO_DAY		2921940

/* "YYYY-MM-DD HH:MM:SS.ffffff+HH:MM" */
#define MAX_ISO_LENGTH	32

static inline bool
is_iso_day(int64 day)
{
	return DateStyle == USE_ISO_DATES && day >= FIRST_ISO_DAY && day < END_ISO_DAY;
}

static inline char *
store_two_digits(char *p, int number)
{
	*p++ = '0' + number / 10;
	*p++ = '0' + number % 10;
	return p;
}

static char *
store_iso_date(char *p, int day)
{
	int			year,
				month,
				mday;

	j2date(day + POSTGRES_EPOCH_JDATE, &year, &month, &mday);
	p = store_two_digits(p, year / 100);
	p = store_two_digits(p, year % 100);
	*p++ = '-';
	p = store_two_digits(p, month);
	*p++ = '-';
	return store_two_digits(p, mday);
}

/* A decimal point and up to six digits, without the zeros at the end. */
static char *
store_fraction(char *p, int microseconds)
{
	*p++ = '.';
	for (int unit = 100000; microseconds > 0; unit /= 10)
	{
		*p++ = '0' + microseconds / unit;
		microseconds %= unit;
	}
	return p;
}

static char *
store_iso_time(char *p, int64 microseconds)
{
	int			seconds = (int) (microseconds / USECS_PER_SEC);
	int			fraction = (int) (microseconds % USECS_PER_SEC);

	p = store_two_digits(p, seconds / SECS_PER_HOUR);
	*p++ = ':';
	p = store_two_digits(p, seconds / SECS_PER_MINUTE % MINS_PER_HOUR);
	*p++ = ':';
	p = store_two_digits(p, seconds % SECS_PER_MINUTE);
	return fraction ? store_fraction(p, fraction) : p;
}

/* Returns NULL, with nothing stored, if it is not ours to format. */
static char *
store_iso_timestamp(char *p, int64 timestamp)
{
	int64		day = timestamp / USECS_PER_DAY;
	int64		time = timestamp % USECS_PER_DAY;

	if (time < 0)
	{
		time += USECS_PER_DAY;
		day--;
	}
	if (!is_iso_day(day))
		return NULL;
	p = store_iso_date(p, (int) day);
	*p++ = ' ';
	return store_iso_time(p, time);
}

static void
write_date(StringInfo out, FmgrInfo *function, Datum value)
{
	DateADT		date = DatumGetDateADT(value);
	char	   *text;

	if (!is_iso_day(date))
	{
		write_by_output_function(out, function, value);
		return;
	}
	text = begin_text(out, MAX_ISO_LENGTH);
	end_text(out, text, store_iso_date(text, date) - text);
}

static void
write_timestamp(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, MAX_ISO_LENGTH);
	char	   *end = store_iso_timestamp(text, DatumGetTimestamp(value));

	if (end)
		end_text(out, text, end - text);
	else
		write_by_output_function(out, function, value);
}

/*
 * Seconds east of UTC at this time in the session's time zone; false if the
 * zone's rules cannot tell.  Most rows are near each other in time, so the
 * span for which the last answer holds is remembered.  The server never frees
 * a zone, so that its address identifies it.
 */
static bool
get_zone_offset(pg_time_t time, long *offset)
{
	static const pg_tz *zone = NULL;
	static pg_time_t first,
				last;
	static long zone_offset;

	if (zone != session_timezone || time < first || time > last)
	{
		pg_time_t	boundary;
		long		after;
		int			is_dst,
					after_is_dst;
		int			found = pg_next_dst_boundary(&time, &zone_offset, &is_dst,
												 &boundary, &after,
												 &after_is_dst,
												 session_timezone);

		zone = found < 0 ? NULL : session_timezone;
		first = time;
		last = found > 0 ? boundary - 1 : PG_INT64_MAX;
	}
	*offset = zone_offset;
	return zone != NULL;
}

static char *
store_iso_offset(char *p, long offset)
{
	int			minutes = (int) (labs(offset) / SECS_PER_MINUTE);

	*p++ = offset < 0 ? '-' : '+';
	p = store_two_digits(p, minutes / MINS_PER_HOUR);
	if (minutes % MINS_PER_HOUR == 0)
		return p;
	*p++ = ':';
	return store_two_digits(p, minutes % MINS_PER_HOUR);
}

/* Returns NULL if it is not ours to format. */
static char *
store_iso_timestamptz(char *p, TimestampTz timestamp)
{
	int64		seconds = timestamp / USECS_PER_SEC;
	long		offset;

	/* Far from the ends, so that nothing below overflows. */
	if (seconds / SECS_PER_DAY <= FIRST_ISO_DAY ||
		seconds / SECS_PER_DAY >= END_ISO_DAY - 1)
		return NULL;

	if (timestamp % USECS_PER_SEC < 0)
		seconds--;
	seconds += ((int64) POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE) * SECS_PER_DAY;
	if (!get_zone_offset(seconds, &offset) || offset % SECS_PER_MINUTE != 0)
		return NULL;
	p = store_iso_timestamp(p, timestamp + offset * USECS_PER_SEC);
	return p ? store_iso_offset(p, offset) : NULL;
}

static void
write_timestamptz(StringInfo out, FmgrInfo *function, Datum value)
{
	char	   *text = begin_text(out, MAX_ISO_LENGTH);
	char	   *end = store_iso_timestamptz(text, DatumGetTimestampTz(value));

	if (end)
		end_text(out, text, end - text);
	else
		write_by_output_function(out, function, value);
}

/* ----------------------------------------------------------------
 *		Varlena types
 * ----------------------------------------------------------------
 */

/* The value with its length in front of it and out of TOAST. */
static inline struct varlena *
get_varlena(Datum value)
{
	return pg_detoast_datum_packed((struct varlena *) DatumGetPointer(value));
}

static inline void
free_varlena(struct varlena *varlena, Datum value)
{
	if (unlikely((Pointer) varlena != DatumGetPointer(value)))
		pfree(varlena);
}

/* text, varchar, bpchar */
static void
write_text(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *text = get_varlena(value);

	put_text(out, STREAM_COLUMN_TEXT, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
	free_varlena(text, value);
}

static void
send_text(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *text = get_varlena(value);

	put_text(out, STREAM_COLUMN_BINARY, VARDATA_ANY(text), VARSIZE_ANY_EXHDR(text));
	free_varlena(text, value);
}

/* Two digits for each value of a byte. */
#define HEX_ROW(d) \
	d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" \
	d "8" d "9" d "a" d "b" d "c" d "d" d "e" d "f"
static const char hex_pairs[] =
	HEX_ROW("0") HEX_ROW("1") HEX_ROW("2") HEX_ROW("3")
	HEX_ROW("4") HEX_ROW("5") HEX_ROW("6") HEX_ROW("7")
	HEX_ROW("8") HEX_ROW("9") HEX_ROW("a") HEX_ROW("b")
	HEX_ROW("c") HEX_ROW("d") HEX_ROW("e") HEX_ROW("f");

static inline char *
store_hex(char *p, const unsigned char *bytes, int length)
{
	for (int i = 0; i < length; i++, p += 2)
		memcpy(p, &hex_pairs[(size_t) 2 * bytes[i]], 2);
	return p;
}

static void
write_bytea(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *bytes;
	int			length;
	char	   *text;

	/* Beyond that the text does not fit; let the function say so. */
	if (bytea_output != BYTEA_OUTPUT_HEX ||
		toast_raw_datum_size(value) > MaxAllocSize / 2 - 64)
	{
		write_by_output_function(out, function, value);
		return;
	}
	bytes = get_varlena(value);
	length = VARSIZE_ANY_EXHDR(bytes);
	text = begin_text(out, 2 + 2 * length);
	text[0] = '\\';
	text[1] = 'x';
	store_hex(text + 2, (unsigned char *) VARDATA_ANY(bytes), length);
	end_text(out, text, 2 + 2 * length);
	free_varlena(bytes, value);
}

static void
send_bytea(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *bytes = get_varlena(value);

	stream_proto_put_value(out, STREAM_COLUMN_BINARY, VARDATA_ANY(bytes),
						   VARSIZE_ANY_EXHDR(bytes));
	free_varlena(bytes, value);
}

/* ----------------------------------------------------------------
 *		uuid
 * ----------------------------------------------------------------
 */

static void
write_uuid(StringInfo out, FmgrInfo *function, Datum value)
{
	const unsigned char *bytes = DatumGetUUIDP(value)->data;
	char	   *text = begin_text(out, 36);
	char	   *p = store_hex(text, bytes, 4);

	for (int i = 4; i < 10; i += 2)
	{
		*p++ = '-';
		p = store_hex(p, bytes + i, 2);
	}
	*p++ = '-';
	store_hex(p, bytes + 10, 6);
	end_text(out, text, 36);
}

static void
send_uuid(StringInfo out, FmgrInfo *function, Datum value)
{
	stream_proto_put_value(out, STREAM_COLUMN_BINARY,
						   (char *) DatumGetUUIDP(value)->data, UUID_LEN);
}

/* ----------------------------------------------------------------
 *		numeric: base 10000 digits, the first with the weight's power.  What
 *		is on disk is a header of 16 bits (short form: sign, scale and weight
 *		in it; long form: the weight follows) and the digits.
 * ----------------------------------------------------------------
 */

#define NUMERIC_FORM_MASK		0xC000
#define NUMERIC_FORM_SHORT		0x8000
#define NUMERIC_FORM_SPECIAL	0xC000	/* NaN and infinities */
#define NUMERIC_BASE_DIGITS		4

typedef struct NumericParts
{
	bool		negative;
	int			scale;			/* decimal digits behind the point */
	int			weight;
	int			ndigits;
	const char *digits;			/* int16 each, perhaps not aligned */
} NumericParts;

static inline uint16
load_uint16(const char *p)
{
	uint16		v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Returns false for what is not a number. */
static bool
take_numeric_apart(const struct varlena *numeric, NumericParts *parts)
{
	const char *data = VARDATA_ANY(numeric);
	uint16		header = load_uint16(data);
	int			head = sizeof(uint16);

	switch (header & NUMERIC_FORM_MASK)
	{
		case NUMERIC_FORM_SPECIAL:
			return false;
		case NUMERIC_FORM_SHORT:
			parts->negative = (header & 0x2000) != 0;
			parts->scale = (header & 0x1F80) >> 7;
			parts->weight = header & 0x003F;
			if (header & 0x0040)
				parts->weight -= 0x0040;
			break;
		default:
			parts->negative = (header & 0x4000) != 0;
			parts->scale = header & 0x3FFF;
			parts->weight = (int16) load_uint16(data + head);
			head += sizeof(uint16);
			break;
	}
	parts->digits = data + head;
	parts->ndigits = (VARSIZE_ANY_EXHDR(numeric) - head) / sizeof(uint16);
	return true;
}

static inline int
get_digit(const NumericParts *parts, int i)
{
	if (i < 0 || i >= parts->ndigits)
		return 0;
	return load_uint16(parts->digits + i * sizeof(uint16));
}

static inline char *
store_four_digits(char *p, int digit)
{
	p[0] = '0' + digit / 1000;
	p[1] = '0' + digit / 100 % 10;
	p[2] = '0' + digit / 10 % 10;
	p[3] = '0' + digit % 10;
	return p + NUMERIC_BASE_DIGITS;
}

static int
format_numeric(const NumericParts *parts, char *text)
{
	char	   *p = text;
	int			i;

	if (parts->negative)
		*p++ = '-';

	/* What is before the point, without leading zeros. */
	if (parts->weight < 0)
		*p++ = '0';
	else
	{
		p += pg_ultoa_n(get_digit(parts, 0), p);
		for (i = 1; i <= parts->weight; i++)
			p = store_four_digits(p, get_digit(parts, i));
	}

	/* What is behind it, cut off in the middle of a digit if need be. */
	if (parts->scale > 0)
	{
		char	   *end = p + 1 + parts->scale;

		*p++ = '.';
		for (i = parts->weight + 1; p < end; i++)
			p = store_four_digits(p, get_digit(parts, i));
		p = end;
	}
	return p - text;
}

static void
write_numeric(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *numeric = get_varlena(value);
	NumericParts parts;

	if (take_numeric_apart(numeric, &parts))
	{
		int			before = Max(parts.weight + 1, 1) * NUMERIC_BASE_DIGITS;
		char	   *text = begin_text(out, 2 + before + parts.scale +
									  NUMERIC_BASE_DIGITS);

		end_text(out, text, format_numeric(&parts, text));
	}
	else
		write_by_output_function(out, function, value);
	free_varlena(numeric, value);
}

static void
send_numeric(StringInfo out, FmgrInfo *function, Datum value)
{
	struct varlena *numeric = get_varlena(value);
	NumericParts parts;

	if (take_numeric_apart(numeric, &parts))
	{
		char	   *p = begin_binary(out, (4 + parts.ndigits) * sizeof(uint16));

		p = stream_proto_store_int16(p, parts.ndigits);
		p = stream_proto_store_int16(p, parts.weight);
		p = stream_proto_store_int16(p, parts.negative ? 0x4000 : 0);
		p = stream_proto_store_int16(p, parts.scale);
		for (int i = 0; i < parts.ndigits; i++)
			p = stream_proto_store_int16(p, get_digit(&parts, i));
		stream_proto_finish(out, p);
	}
	else
		write_by_send_function(out, function, value);
	free_varlena(numeric, value);
}

/* ----------------------------------------------------------------
 *		Which function has which short cut
 * ----------------------------------------------------------------
 */

typedef struct ShortCut
{
	Oid			function;
	StreamValueWriter write;
} ShortCut;

static const ShortCut short_cuts[] = {
	{F_BOOLOUT, write_bool},
	{F_INT2OUT, write_int2},
	{F_INT4OUT, write_int4},
	{F_INT8OUT, write_int8},
	{F_OIDOUT, write_oid},
	{F_FLOAT4OUT, write_float4},
	{F_FLOAT8OUT, write_float8},
	{F_NUMERIC_OUT, write_numeric},
	{F_DATE_OUT, write_date},
	{F_TIMESTAMP_OUT, write_timestamp},
	{F_TIMESTAMPTZ_OUT, write_timestamptz},
	{F_TEXTOUT, write_text},
	{F_VARCHAROUT, write_text},
	{F_BPCHAROUT, write_text},
	{F_BYTEAOUT, write_bytea},
	{F_UUID_OUT, write_uuid},

	{F_BOOLSEND, send_bool},
	{F_INT2SEND, send_int2},
	{F_INT4SEND, send_int4},
	{F_INT8SEND, send_int8},
	{F_OIDSEND, send_int4},
	{F_FLOAT4SEND, send_float4},
	{F_FLOAT8SEND, send_float8},
	{F_NUMERIC_SEND, send_numeric},
	{F_DATE_SEND, send_int4},
	{F_TIMESTAMP_SEND, send_int8},
	{F_TIMESTAMPTZ_SEND, send_int8},
	{F_TEXTSEND, send_text},
	{F_VARCHARSEND, send_text},
	{F_BPCHARSEND, send_text},
	{F_BYTEASEND, send_bytea},
	{F_UUID_SEND, send_uuid},
};

StreamValueWriter
stream_value_get_writer(Oid function, bool binary)
{
	for (int i = 0; i < (int) lengthof(short_cuts); i++)
	{
		if (short_cuts[i].function == function)
			return short_cuts[i].write;
	}
	return binary ? write_by_send_function : write_by_output_function;
}
