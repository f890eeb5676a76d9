/*
 * Read a logical slot as fast as the server sends, and tell what that cost
 * the server process.
 *
 *   reader [options] LSN...
 *   reader [options] --latency N
 *
 * Makes a temporary copy of a slot for the plugin given, decodes from it, and
 * throws away what comes.  Whenever the stream first passes one of the LSNs it
 * prints a line of JSON; after the last one it ends.  It never confirms
 * anything, and waits for the server process to be gone.
 *
 * With --latency it commits N one-row transactions on a second connection, one
 * after the other, and tells how long each took to come by.
 *
 * It speaks the wire protocol by itself, to be so cheap that the server is
 * what is measured: one large buffer, no copy of a message, no allocation.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BUFFER_SIZE		(1 << 20)
#define PROTOCOL_3_0	(3 << 16)
#define FRAME_HEAD		25			/* 'w', start, end, time */
#define FNV_BASIS		UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME		UINT64_C(0x100000001b3)

/* What the server process has used so far. */
typedef struct Usage
{
	double		user;				/* seconds */
	double		system;
	double		total;
	long		peak_kb;			/* resident, ever */
	long		private_kb;			/* of its own, now */
} Usage;

/* Options. */
static const char *host = NULL;
static const char *dbname = "postgres";
static const char *user = "postgres";
static const char *plugin = "pgoutput";
static const char *source = "bench_source";
static int	port = 5432;
static bool use_sql = false;
static bool check = false;
static int	latency = 0;
static char settings[1024];			/* for the startup packet */
static char stream_options[4096];	/* for START_REPLICATION */
static char sql_options[4096];		/* for the SQL function */

/* The connection. */
static int	sock = -1;
static char buffer[BUFFER_SIZE];
static size_t begin = 0;
static size_t end = 0;
static int	server_pid = 0;

/* What came. */
static uint64_t messages = 0;
static uint64_t bytes = 0;
static uint64_t kinds[256];
static uint64_t hash = FNV_BASIS;

static void __attribute__((format(printf, 1, 2), noreturn))
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

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static uint32_t
get32(const char *p)
{
	const unsigned char *u = (const unsigned char *) p;

	return (uint32_t) u[0] << 24 | (uint32_t) u[1] << 16 | (uint32_t) u[2] << 8 | u[3];
}

static uint64_t
get64(const char *p)
{
	return (uint64_t) get32(p) << 32 | get32(p + 4);
}

static void
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

/* Have the next n bytes in one piece. */
static const char *
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

static void
hash_bytes(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char) p[i]) * FNV_PRIME;
}

/* Go past n bytes, however many. */
static void
skip(size_t n, bool hashed)
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
		if (hashed)
			hash_bytes(buffer + begin, part);
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

static void
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

	if (snprintf(addr.sun_path, sizeof(addr.sun_path), "%s/.s.PGSQL.%d", host, port)
		>= (int) sizeof(addr.sun_path))
		die("path of the socket is too long");
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	if (sock < 0 || connect(sock, (struct sockaddr *) &addr, sizeof(addr)) != 0)
		die("cannot connect to %s: %s", addr.sun_path, strerror(errno));
}

static void
open_tcp(void)
{
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((uint16_t) port)};
	int			on = 1;

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sock = socket(AF_INET, SOCK_STREAM, 0);
	if (sock < 0 || connect(sock, (struct sockaddr *) &addr, sizeof(addr)) != 0)
		die("cannot connect to port %d: %s", port, strerror(errno));
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

	at = add_pair(packet, at, sizeof(packet), "user", user);
	at = add_pair(packet, at, sizeof(packet), "database", dbname);
	if (settings[0] != '\0')
		at = add_pair(packet, at, sizeof(packet), "options", settings);
	if (!use_sql)
		at = add_pair(packet, at, sizeof(packet), "replication", "database");
	packet[at++] = '\0';
	put32(packet, (uint32_t) at);
	put32(packet + 4, PROTOCOL_3_0);
	send_all(packet, at);
}

/* Die of an error response, of which the body comes next. */
static void __attribute__((noreturn))
die_of_error(size_t size)
{
	const char *field = need(size);
	const char *stop = field + size;

	while (field < stop && *field != '\0')
	{
		if (*field == 'M')
			die("%s: the server says: %s", plugin, field + 1);
		field += strlen(field) + 1;
	}
	die("%s: the server reports an error", plugin);
}

/*
 * Take messages until the one of the type given, whose head and body are then
 * left in the buffer.
 */
static const char *
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
		skip(5 + *size, false);
	}
}

static void
send_query(const char *query)
{
	send_message('Q', query, strlen(query) + 1);
}

/* Take messages up to and with the one of the type given. */
static void
expect(char type)
{
	size_t		size;

	wait_for(type, &size);
	begin += 5 + size;
}

static void
open_connection(void)
{
	struct timeval patience = {.tv_sec = 300};

	if (host != NULL)
		open_unix();
	else
		open_tcp();
	setsockopt(sock, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	send_startup();
	expect('Z');
	if (server_pid == 0)
		die("the server did not tell its process id");
}

/* Wait until the server process has let go of the connection. */
static void
close_connection(void)
{
	send_message('X', "", 0);
	while (recv(sock, buffer, sizeof(buffer), 0) > 0)
		;
	close(sock);
}

/* ------------------------------------------------------------------------
 * The server process, seen from outside
 * ------------------------------------------------------------------------
 */
static size_t
read_proc(const char *file, char *text, size_t size)
{
	char		path[64];
	FILE	   *in;
	size_t		got;

	snprintf(path, sizeof(path), "/proc/%d/%s", server_pid, file);
	in = fopen(path, "r");
	if (in == NULL)
		die("cannot read %s: %s", path, strerror(errno));
	got = fread(text, 1, size - 1, in);
	fclose(in);
	text[got] = '\0';
	return got;
}

static long
status_kb(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line == NULL ? -1 : strtol(line + strlen(name), NULL, 10);
}

/* What its own clock says, which is finer than the ticks in /proc. */
static double
server_cpu(void)
{
	clockid_t	clock;
	struct timespec t;

	if (clock_getcpuclockid(server_pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		die("cannot read the CPU clock of process %d", server_pid);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static Usage
server_usage(void)
{
	Usage		u;
	char		text[4096];
	unsigned long utime,
				stime;
	double		tick = (double) sysconf(_SC_CLK_TCK);
	char	   *after_name;

	read_proc("stat", text, sizeof(text));
	after_name = strrchr(text, ')');
	if (after_name == NULL ||
		sscanf(after_name, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
			   &utime, &stime) != 2)
		die("cannot make out /proc/%d/stat", server_pid);
	u.user = (double) utime / tick;
	u.system = (double) stime / tick;
	u.total = server_cpu();

	read_proc("status", text, sizeof(text));
	u.peak_kb = status_kb(text, "\nVmHWM:");
	u.private_kb = status_kb(text, "\nRssAnon:");
	return u;
}

/* ------------------------------------------------------------------------
 * Reading
 * ------------------------------------------------------------------------
 */
static void
print_report(uint64_t lsn, double started, const Usage *before)
{
	double		wall = now() - started;
	Usage		u = server_usage();

	printf("{\"lsn\": \"%X/%X\", \"wall\": %.6f, \"user\": %.2f, \"system\": %.2f, \"cpu\": %.4f, "
		   "\"peak_kb\": %ld, \"private_kb\": %ld, \"messages\": %" PRIu64 ", \"bytes\": %" PRIu64,
		   (unsigned) (lsn >> 32), (unsigned) lsn, wall, u.user - before->user,
		   u.system - before->system, u.total - before->total,
		   u.peak_kb, u.private_kb, messages, bytes);
	if (check)
		printf(", \"hash\": \"%016" PRIx64 "\"", hash);
	fputs(", \"kinds\": {", stdout);
	for (int i = 0, n = 0; i < 256; i++)
	{
		if (kinds[i] == 0)
			continue;
		printf("%s\"%s%.*s\": %" PRIu64, n++ > 0 ? ", " : "",
			   isalpha(i) ? "" : "other", isalpha(i) ? 1 : 0, (char[]) {(char) i}, kinds[i]);
	}
	puts("}}");
	fflush(stdout);
}

/* A slot from here on, without what earlier runs wrote. */
static void
create_slot(void)
{
	char		query[512];

	snprintf(query, sizeof(query),
			 "SELECT pg_create_logical_replication_slot('bench_%d', '%s', true)",
			 server_pid, plugin);
	send_query(query);
	expect('Z');
}

static void
copy_slot(void)
{
	char		query[512];

	snprintf(query, sizeof(query),
			 "SELECT pg_copy_logical_replication_slot('%s', 'bench_%d', true, '%s')",
			 source, server_pid, plugin);
	send_query(query);
	expect('Z');
}

/* A status update that confirms nothing. */
static void
answer_keepalive(void)
{
	char		update[34] = {'r'};

	send_message('d', update, sizeof(update));
}

/*
 * Take one message and return how far the stream has come; 0 = not said.
 */
static uint64_t
take_message(void)
{
	const char *p = need(5);
	char		type = p[0];
	size_t		size = get32(p + 1) - 4;
	uint64_t	lsn = 0;

	if (type == 'd' && size >= FRAME_HEAD && need(6)[5] == 'w')
	{
		p = need(5 + FRAME_HEAD + (size > FRAME_HEAD)) + 5;
		lsn = get64(p + 1);
		messages++;
		bytes += size - FRAME_HEAD;
		if (size > FRAME_HEAD)
			kinds[(unsigned char) p[FRAME_HEAD]]++;
		if (check)
			hash_bytes(p, FRAME_HEAD - 8);
		begin += 5 + FRAME_HEAD;
		skip(size - FRAME_HEAD, check);
		return lsn;
	}
	begin += 5;
	if (type == 'E')
		die_of_error(size);
	if (type == 'd' && need(size)[0] == 'k')
	{
		lsn = get64(need(size) + 1);
		if (need(size)[17] != 0)
			answer_keepalive();
	}
	else if (type != 'S' && type != 'N')
		die("the server ends the stream (message '%c')", type);
	skip(size, false);
	return lsn;
}

static void
start_stream(void)
{
	char		query[6000];

	snprintf(query, sizeof(query), "START_REPLICATION SLOT \"bench_%d\" LOGICAL 0/0%s%s%s",
			 server_pid, stream_options[0] != '\0' ? " (" : "", stream_options,
			 stream_options[0] != '\0' ? ")" : "");
	send_query(query);
	expect('W');
}

static void
read_stream(uint64_t *lsns, int nlsns)
{
	Usage		before;
	double		started;

	copy_slot();
	before = server_usage();
	started = now();
	start_stream();
	for (int i = 0; i < nlsns;)
	{
		uint64_t	lsn = take_message();

		for (; i < nlsns && lsn >= lsns[i]; i++)
			print_report(lsns[i], started, &before);
	}
}

/* The same from the SQL function, where it is the server that counts. */
static void
read_sql(uint64_t lsn)
{
	char		query[6000];
	Usage		before;
	double		started;
	const char *row;
	size_t		size,
				length;
	char		count[64] = "",
				sum[64] = "";

	copy_slot();
	snprintf(query, sizeof(query),
			 "SELECT count(*), coalesce(%s, 0) FROM pg_logical_slot_peek_binary_changes("
			 "'bench_%d', '%X/%X', NULL%s)",
			 check ? "sum(length(data)) + sum(get_byte(data, length(data) - 1))" : "sum(length(data))",
			 server_pid, (unsigned) (lsn >> 32), (unsigned) lsn, sql_options);
	before = server_usage();
	started = now();
	send_query(query);
	row = wait_for('D', &size);
	length = get32(row + 2);
	if (length >= sizeof(count) || size < 2 + 4 + length + 4)
		die("cannot make out the answer");
	memcpy(count, row + 6, length);
	row += 6 + length;
	length = get32(row);
	if (length >= sizeof(sum))
		die("cannot make out the answer");
	memcpy(sum, row + 4, length);
	messages = strtoull(count, NULL, 10);
	bytes = strtoull(sum, NULL, 10);
	expect('Z');
	print_report(lsn, started, &before);
}

/* ------------------------------------------------------------------------
 * Latency
 * ------------------------------------------------------------------------
 */

/* In a process of its own: a transaction for each byte that is asked. */
static void __attribute__((noreturn))
write_when_asked(int ask)
{
	char		byte;

	sock = -1;
	begin = end = 0;
	server_pid = 0;
	open_connection();
	while (read(ask, &byte, 1) == 1)
	{
		send_query("INSERT INTO narrow SELECT coalesce(max(id), 0) + 1, 1, 2, 'a row' FROM narrow");
		expect('Z');
	}
	close_connection();
	exit(0);
}

/* From the time at which a transaction was asked for to its COMMIT. */
static double
measure_transaction(int ask)
{
	double		asked = now();
	uint64_t	seen = kinds['C'];

	if (write(ask, "", 1) != 1)
		die("the writer is gone");
	while (kinds['C'] == seen)
		take_message();
	return now() - asked;
}

static int
compare_doubles(const void *a, const void *b)
{
	double		x = *(const double *) a,
				y = *(const double *) b;

	return (x > y) - (x < y);
}

static void
read_latency(void)
{
	double	   *seconds = calloc(latency, sizeof(double));
	int			ask[2];
	pid_t		writer;

	if (seconds == NULL || pipe(ask) != 0)
		die("%s", strerror(errno));
	create_slot();
	start_stream();
	writer = fork();
	if (writer < 0)
		die("fork: %s", strerror(errno));
	if (writer == 0)
	{
		close(ask[1]);
		close(sock);
		write_when_asked(ask[0]);
	}
	close(ask[0]);
	measure_transaction(ask[1]);	/* connects, and describes the table */
	for (int i = 0; i < latency; i++)
		seconds[i] = measure_transaction(ask[1]);
	close(ask[1]);
	waitpid(writer, NULL, 0);

	qsort(seconds, latency, sizeof(double), compare_doubles);
	/* No bytes: the ids are others in each run. */
	printf("{\"median_us\": %.1f, \"p99_us\": %.1f, \"messages\": %" PRIu64 "}\n",
		   seconds[latency / 2] * 1e6, seconds[(int) (latency * 0.99)] * 1e6, messages);
	free(seconds);
}

/* ------------------------------------------------------------------------
 * Options
 * ------------------------------------------------------------------------
 */
static void __attribute__((format(printf, 3, 4)))
append(char *text, size_t size, const char *format, ...)
{
	size_t		used = strlen(text);
	va_list		args;
	int			wanted;

	va_start(args, format);
	wanted = vsnprintf(text + used, size - used, format, args);
	va_end(args);
	if (wanted < 0 || (size_t) wanted >= size - used)
		die("too many options");
}

static void
add_option(char *option)
{
	char	   *value = strchr(option, '=');

	if (value == NULL || strchr(option, '\'') != NULL)
		die("--option needs NAME=VALUE, without quotes: %s", option);
	*value++ = '\0';
	append(stream_options, sizeof(stream_options), "%s\"%s\" '%s'",
		   stream_options[0] != '\0' ? ", " : "", option, value);
	append(sql_options, sizeof(sql_options), ", '%s', '%s'", option, value);
}

static uint64_t
parse_lsn(const char *text)
{
	unsigned	high,
				low;

	if (sscanf(text, "%X/%X", &high, &low) != 2)
		die("not an LSN: %s", text);
	return (uint64_t) high << 32 | low;
}

int
main(int argc, char **argv)
{
	static const struct option options[] = {
		{"host", required_argument, NULL, 'h'},
		{"port", required_argument, NULL, 'p'},
		{"dbname", required_argument, NULL, 'd'},
		{"user", required_argument, NULL, 'U'},
		{"plugin", required_argument, NULL, 'P'},
		{"source", required_argument, NULL, 's'},
		{"set", required_argument, NULL, 'c'},
		{"option", required_argument, NULL, 'o'},
		{"sql", no_argument, NULL, 'q'},
		{"check", no_argument, NULL, 'k'},
		{"latency", required_argument, NULL, 'l'},
		{NULL, 0, NULL, 0}
	};
	uint64_t	lsns[16];
	int			nlsns = 0,
				c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1)
	{
		switch (c)
		{
			case 'h': host = optarg; break;
			case 'p': port = atoi(optarg); break;
			case 'd': dbname = optarg; break;
			case 'U': user = optarg; break;
			case 'P': plugin = optarg; break;
			case 's': source = optarg; break;
			case 'c': append(settings, sizeof(settings), " -c %s", optarg); break;
			case 'o': add_option(optarg); break;
			case 'q': use_sql = true; break;
			case 'k': check = true; break;
			case 'l': latency = atoi(optarg); break;
			default: return 2;
		}
	}
	for (; optind < argc && nlsns < 16; optind++)
		lsns[nlsns++] = parse_lsn(argv[optind]);
	if (latency > 0 ? nlsns > 0 : nlsns == 0 || optind < argc)
		die("say 1 to 16 LSNs to read to, or --latency and a number above 0");

	open_connection();
	if (latency > 0)
		read_latency();
	else if (use_sql)
		read_sql(lsns[nlsns - 1]);
	else
		read_stream(lsns, nlsns);
	close_connection();
	return 0;
}
