/*
 * connection.c
 *		One connection to the server: startup, simple queries, bytes in and out.
 *
 * So cheap that the server is what is measured: one large buffer, no copy of a
 * message, no allocation.
 */
#include "connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define BUFFER_SIZE		(1 << 20)
#define PROTOCOL_3_0	(3 << 16)

ConnectionOptions connection = {.dbname = "postgres", .user = "postgres", .port = 5432};
int			server_pid = 0;

static int	sock = -1;
static char buffer[BUFFER_SIZE];
static size_t begin = 0;
static size_t end = 0;

void
die(const char *format, ...)
{
	va_list		args;

	fflush(stdout);
	fputs("reader: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

uint32_t
get32(const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	return (uint32_t) u[0] << 24 | (uint32_t) u[1] << 16 | (uint32_t) u[2] << 8 | u[3];
}

uint64_t
get64(const char *p)
{
	return (uint64_t) get32(p) << 32 | get32(p + 4);
}

void
put32(char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (char) (v >> (24 - 8 * i));
}

/* ------------------------------------------------------------------------
 * Bytes in and out
 * ------------------------------------------------------------------------
 */
static void
receive(void)
{
	ssize_t		got;

	do
		got = recv(sock, buffer + end, sizeof(buffer) - end, 0);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		die("cannot receive: %s",
			errno == EAGAIN ? "the server has said nothing for minutes" : strerror(errno));
	if (got == 0)
		die("the server closed the connection");
	end += (size_t) got;
}

bool
input_within(int milliseconds)
{
	struct pollfd input = {.fd = sock, .events = POLLIN};

	return begin < end || poll(&input, 1, milliseconds) > 0;
}

const char *
need(size_t n)
{
	if (n > sizeof(buffer))
		die("a message of %zu bytes where a short one was expected", n);
	if (begin == end)
		begin = end = 0;
	else if (begin + n > sizeof(buffer))
	{
		memmove(buffer, buffer + begin, end - begin);
		end -= begin;
		begin = 0;
	}
	while (end - begin < n)
		receive();
	return buffer + begin;
}

void
hash_bytes(uint64_t *hash, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*hash = (*hash ^ (unsigned char) p[i]) * FNV_PRIME;
}

void
skip(size_t n, uint64_t *hash)
{
	while (n > 0)
	{
		size_t		part;

		if (begin == end)
		{
			begin = end = 0;
			receive();
		}
		part = end - begin < n ? end - begin : n;
		if (hash != NULL)
			hash_bytes(hash, buffer + begin, part);
		begin += part;
		n -= part;
	}
}

static void
send_all(const char *data, size_t size)
{
	while (size > 0)
	{
		ssize_t		sent = send(sock, data, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			die("cannot send: %s", strerror(errno));
		data += sent;
		size -= (size_t) sent;
	}
}

void
send_message(char type, const char *body, size_t size)
{
	char		head[5] = {type};

	put32(head + 1, (uint32_t) size + 4);
	send_all(head, sizeof(head));
	send_all(body, size);
}

/* ------------------------------------------------------------------------
 * Connection and simple queries
 * ------------------------------------------------------------------------
 */
static void
open_unix(void)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	if (snprintf(addr.sun_path, sizeof(addr.sun_path), "%s/.s.PGSQL.%d",
				 connection.host, connection.port) >= (int) sizeof(addr.sun_path))
		die("path of the socket is too long");
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	if (sock < 0 || connect(sock, (struct sockaddr *) &addr, sizeof(addr)) != 0)
		die("cannot connect to %s: %s", addr.sun_path, strerror(errno));
}

static void
open_tcp(void)
{
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((uint16_t) connection.port)};
	int			on = 1;

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sock = socket(AF_INET, SOCK_STREAM, 0);
	if (sock < 0 || connect(sock, (struct sockaddr *) &addr, sizeof(addr)) != 0)
		die("cannot connect to port %d: %s", connection.port, strerror(errno));
	setsockopt(sock, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

static size_t
add_pair(char *packet, size_t at, size_t size, const char *name, const char *value)
{
	size_t		wanted = strlen(name) + strlen(value) + 2;

	if (at + wanted + 1 > size)
		die("the startup packet is too long");
	memcpy(packet + at, name, strlen(name) + 1);
	memcpy(packet + at + strlen(name) + 1, value, strlen(value) + 1);
	return at + wanted;
}

static void
send_startup(void)
{
	char		packet[4096];
	size_t		at = 8;

	at = add_pair(packet, at, sizeof(packet), "user", connection.user);
	at = add_pair(packet, at, sizeof(packet), "database", connection.dbname);
	if (connection.settings[0] != '\0')
		at = add_pair(packet, at, sizeof(packet), "options", connection.settings);
	if (connection.replication)
		at = add_pair(packet, at, sizeof(packet), "replication", "database");
	packet[at++] = '\0';
	put32(packet, (uint32_t) at);
	put32(packet + 4, PROTOCOL_3_0);
	send_all(packet, at);
}

void
die_of_error(size_t size)
{
	const char *field = need(size);
	const char *stop = field + size;
	const char *sqlstate = "";

	while (field < stop && *field != '\0')
	{
		if (*field == 'C')
			sqlstate = field + 1;
		if (*field == 'M')
			die("the server says: %s: %s", sqlstate, field + 1);
		field += strlen(field) + 1;
	}
	die("the server reports an error");
}

const char *
wait_for(char type, size_t *size)
{
	for (;;)
	{
		const char *head = need(5);
		char		got = head[0];

		*size = get32(head + 1) - 4;
		if (got == 'E')
		{
			begin += 5;
			die_of_error(*size);
		}
		if (got == 'R' && get32(need(9) + 5) != 0)
			die("the server asks for a password");
		if (got == 'K')
			server_pid = (int) get32(need(5 + *size) + 5);
		if (got == type)
			return need(5 + *size) + 5;
		skip(5 + *size, NULL);
	}
}

void
send_query(const char *query)
{
	send_message('Q', query, strlen(query) + 1);
}

void
expect(char type)
{
	size_t		size;

	wait_for(type, &size);
	begin += 5 + size;
}

void
open_connection(void)
{
	struct timeval patience = {.tv_sec = 300};

	if (connection.host != NULL)
		open_unix();
	else
		open_tcp();
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	send_startup();
	expect('Z');
	if (server_pid == 0)
		die("the server did not tell its process id");
}

void
close_connection(void)
{
	send_message('X', "", 0);
	while (recv(sock, buffer, sizeof(buffer), 0) > 0)
		;
	close(sock);
}

void
forget_connection(void)
{
	close(sock);
	sock = -1;
	begin = end = 0;
	server_pid = 0;
}
