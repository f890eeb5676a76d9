/*-------------------------------------------------------------------------
 *
 * mb/pg_wchar.h
 *		Stand-in for the server's encodings: client and server agree.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STANDALONE_PG_WCHAR_H
#define STANDALONE_PG_WCHAR_H

#include "postgres.h"

/* Like the server's, returns the argument itself if nothing is converted. */
static inline char *
pg_server_to_client(const char *s, int len)
{
	(void) len;
	return (char *) (uintptr_t) s;
}

#endif							/* STANDALONE_PG_WCHAR_H */
