/*-------------------------------------------------------------------------
 *
 * lib/stringinfo.h
 *		Stand-in for the server's growing byte buffer, on malloc.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STANDALONE_STRINGINFO_H
#define STANDALONE_STRINGINFO_H

#include <stdarg.h>

#include "postgres.h"

typedef struct StringInfoData
{
	char	   *data;
	int			len;
	int			maxlen;
	int			cursor;
} StringInfoData;

typedef StringInfoData *StringInfo;

#define STANDALONE_MAX_LENGTH 0x3fffffff

static inline void
resetStringInfo(StringInfo str)
{
	str->data[0] = '\0';
	str->len = 0;
	str->cursor = 0;
}

static inline void
initStringInfo(StringInfo str)
{
	str->maxlen = 256;
	str->data = palloc(str->maxlen);
	resetStringInfo(str);
}

/* Make room for that many bytes and a NUL after them. */
static inline void
enlargeStringInfo(StringInfo str, int needed)
{
	int64		size = str->maxlen;

	if (needed < 0 || needed >= STANDALONE_MAX_LENGTH - str->len)
	{
		fprintf(stderr, "buffer of %d bytes cannot grow by %d\n",
				str->len, needed);
		abort();
	}
	while (size <= (int64) str->len + needed)
		size *= 2;
	if (size > STANDALONE_MAX_LENGTH)
		size = STANDALONE_MAX_LENGTH;
	if (size == str->maxlen)
		return;
	str->data = repalloc(str->data, (Size) size);
	str->maxlen = (int) size;
}

static inline void
appendBinaryStringInfo(StringInfo str, const void *data, int datalen)
{
	enlargeStringInfo(str, datalen);
	if (datalen > 0)
		memcpy(str->data + str->len, data, datalen);
	str->len += datalen;
	str->data[str->len] = '\0';
}

static inline void
appendStringInfoString(StringInfo str, const char *s)
{
	appendBinaryStringInfo(str, s, (int) strlen(s));
}

static inline void
appendStringInfoChar(StringInfo str, char ch)
{
	appendBinaryStringInfo(str, &ch, 1);
}

static inline void appendStringInfo(StringInfo str, const char *fmt,...)
			pg_attribute_printf(2, 3);

static inline void
appendStringInfo(StringInfo str, const char *fmt,...)
{
	va_list		args;
	int			need;

	va_start(args, fmt);
	need = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	enlargeStringInfo(str, need);
	va_start(args, fmt);
	vsnprintf(str->data + str->len, (size_t) need + 1, fmt, args);
	va_end(args);
	str->len += need;
}

#endif							/* STANDALONE_STRINGINFO_H */
