/*
 * connection.h
 *		One connection to the server: startup, simple queries, bytes in and out.
 *
 * Whatever goes wrong ends the program with a message.
 */
#ifndef CONNECTION_H
#define CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FNV_BASIS		UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME		UINT64_C(0x100000001b3)

typedef struct ConnectionOptions
{
	const char *host;			/* folder of the socket; NULL = TCP loopback */
	const char *dbname;
	const char *user;
	int			port;
	bool		replication;	/* ask for a walsender */
	char		settings[1024];	/* " -c name=value ..." */
} ConnectionOptions;

extern ConnectionOptions connection;
extern int	server_pid;

extern void die(const char *format, ...)
			__attribute__((format(printf, 1, 2), noreturn));

extern uint32_t get32(const char *p);
extern uint64_t get64(const char *p);
extern void put32(char *p, uint32_t v);

extern void open_connection(void);

/* Wait until the server process has let go of the connection. */
extern void close_connection(void);

/* In a child: leave the connection to the parent. */
extern void forget_connection(void);

extern void send_message(char type, const char *body, size_t size);
extern void send_query(const char *query);

/* Has something come, or does it within this time? */
extern bool input_within(int milliseconds);

/* Have the next n bytes in one piece. */
extern const char *need(size_t n);

/* Go past n bytes, however many; hash: add them to it, unless NULL. */
extern void skip(size_t n, uint64_t *hash);
extern void hash_bytes(uint64_t *hash, const char *p, size_t n);

/*
 * Take messages until the one of the type given, whose head and body are then
 * left in the buffer; or up to and with it.
 */
extern const char *wait_for(char type, size_t *size);
extern void expect(char type);

/* Die of an error response, of which the body comes next. */
extern void die_of_error(size_t size) __attribute__((noreturn));

#endif							/* CONNECTION_H */
