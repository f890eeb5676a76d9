/*-------------------------------------------------------------------------
 *
 * postgres.h
 *		Stand-in for the server's header of this name, so that stream_proto
 *		compiles without the server: just the types and calls it uses.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STANDALONE_POSTGRES_H
#define STANDALONE_POSTGRES_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t uint8;
typedef uint16_t uint16;
typedef uint32_t uint32;
typedef uint64_t uint64;
typedef int16_t int16;
typedef int32_t int32;
typedef int64_t int64;
typedef size_t Size;

typedef unsigned int Oid;
typedef uint32 TransactionId;
typedef uint64 XLogRecPtr;
typedef int64 TimestampTz;

#ifndef InvalidOid
#define InvalidOid ((Oid) 0)
#endif
#define InvalidTransactionId ((TransactionId) 0)

#define Assert(condition) assert(condition)
#define likely(x) __builtin_expect((x) != 0, 1)
#define unlikely(x) __builtin_expect((x) != 0, 0)
#define INT64CONST(x) ((int64) x##LL)
#define lengthof(array) (sizeof(array) / sizeof((array)[0]))
#define pg_attribute_printf(f, a) __attribute__((format(printf, f, a)))

/* The server never returns NULL from these; nor do we. */
static inline void *
must_allocate(void *pointer)
{
	if (pointer == NULL)
	{
		fprintf(stderr, "out of memory\n");
		abort();
	}
	return pointer;
}

static inline void *
palloc(Size size)
{
	return must_allocate(malloc(size));
}

static inline void *
repalloc(void *old, Size size)
{
	return must_allocate(realloc(old, size));
}

static inline void
pfree(void *pointer)
{
	free(pointer);
}

#endif							/* STANDALONE_POSTGRES_H */
