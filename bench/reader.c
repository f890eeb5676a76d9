/*
 * Read a logical slot as fast as the server sends, and tell what that cost
 * the server process.
 *
 *   reader [options] LSN...
 *   reader [options] --latency N
 *   reader [options] --follow
 *
 * Makes a temporary copy of a slot for the plugin given, decodes from it, and
 * throws away what comes.  Whenever the stream first passes one of the LSNs it
 * prints a line of JSON; after the last one it ends.  It never confirms
 * anything, and waits for the server process to be gone.
 *
 * With --latency it commits N one-row transactions on a second connection, one
 * after the other, and tells how long each took to come by.
 *
 * With --follow it reads from a slot of its own until it is ended, tells about
 * once a second how far it has come, and confirms that.
 */
#include "connection.h"
#include "survivors.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRAME_HEAD		25			/* 'w', start, end, time */

/* What the server process has used so far. */
typedef struct Usage
{
	double		user;				/* seconds */
	double		system;
	double		total;
	long		peak_kb;			/* resident, ever */
	long		resident_kb;		/* now */
	long		private_kb;			/* of its own, now */
} Usage;

/* Options. */
static const char *plugin = "pgoutput";
static const char *source = "bench_source";
static bool use_sql = false;
static bool check = false;
static bool rows = false;
static bool follow = false;
static int	latency = 0;
static char stream_options[4096];	/* for START_REPLICATION */
static char sql_options[4096];		/* for the SQL function */

/* What came. */
static uint64_t messages = 0;
static uint64_t bytes = 0;
static uint64_t kinds[256];			/* by type */
static uint64_t hash = FNV_BASIS;

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
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
	u.resident_kb = status_kb(text, "\nVmRSS:");
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

	printf("{\"pid\": %d, \"lsn\": \"%X/%X\", \"wall\": %.6f, \"user\": %.2f, \"system\": %.2f, \"cpu\": %.4f, "
		   "\"peak_kb\": %ld, \"resident_kb\": %ld, \"private_kb\": %ld, \"messages\": %" PRIu64 ", \"bytes\": %" PRIu64,
		   server_pid, (unsigned) (lsn >> 32), (unsigned) lsn, wall, u.user - before->user,
		   u.system - before->system, u.total - before->total,
		   u.peak_kb, u.resident_kb, u.private_kb, messages, bytes);
	if (check)
		printf(", \"hash\": \"%016" PRIx64 "\"", hash);
	if (rows)
		printf(", \"rows\": %" PRIu64, surviving_rows);
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

/* Run a short query and throw its result away. */
static void __attribute__((format(printf, 1, 2)))
run_query(const char *format, ...)
{
	char		query[512];
	va_list		args;

	va_start(args, format);
	vsnprintf(query, sizeof(query), format, args);
	va_end(args);
	send_query(query);
	expect('Z');
}

/* A slot from here on, without what earlier runs wrote. */
static void
create_slot(void)
{
	run_query("SELECT pg_create_logical_replication_slot('bench_%d', '%s', true)",
			  server_pid, plugin);
}

static void
copy_slot(void)
{
	run_query("SELECT pg_copy_logical_replication_slot('%s', 'bench_%d', true, '%s')",
			  source, server_pid, plugin);
}

/* A status update; lsn = 0 confirms nothing. */
static void
send_status(uint64_t lsn)
{
	char		update[34] = {'r'};

	for (int i = 0; i < 3; i++)	/* written, flushed, applied */
	{
		put32(update + 1 + 8 * i, (uint32_t) (lsn >> 32));
		put32(update + 5 + 8 * i, (uint32_t) lsn);
	}
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
		size_t		seen = size - FRAME_HEAD;

		if (seen > SURVIVORS_HEAD)
			seen = SURVIVORS_HEAD;
		p = need(5 + FRAME_HEAD + seen) + 5;
		lsn = get64(p + 1);
		messages++;
		bytes += size - FRAME_HEAD;
		if (seen > 0)
			kinds[(unsigned char) p[FRAME_HEAD]]++;
		if (seen > 0 && rows)
			count_survivors(p + FRAME_HEAD);
		if (check)
			hash_bytes(&hash, p, FRAME_HEAD - 8);
		skip(5 + FRAME_HEAD, NULL);
		skip(size - FRAME_HEAD, check ? &hash : NULL);
		return lsn;
	}
	skip(5, NULL);
	if (type == 'E')
		die_of_error(size);
	if (type == 'd' && need(size)[0] == 'k')
	{
		lsn = get64(need(size) + 1);
		if (need(size)[17] != 0)
			send_status(0);
	}
	else if (type != 'S' && type != 'N')
		die("the server ends the stream (message '%c')", type);
	skip(size, NULL);
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

/* Until somebody ends us. */
static void __attribute__((noreturn))
read_on(void)
{
	Usage		before;
	double		started,
				reported;
	uint64_t	reached = 0;

	create_slot();
	before = server_usage();
	start_stream();
	started = reported = now();
	for (;;)
	{
		if (input_within(1000))
		{
			uint64_t	lsn = take_message();

			if (lsn > reached)
				reached = lsn;
		}
		if (now() - reported < 1)
			continue;
		print_report(reached, started, &before);
		send_status(reached);
		reported = now();
	}
}

/* From the SQL function, where it is the server that counts. */
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

	forget_connection();
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
		{"rows", no_argument, NULL, 'r'},
		{"follow", no_argument, NULL, 'f'},
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
			case 'h': connection.host = optarg; break;
			case 'p': connection.port = atoi(optarg); break;
			case 'd': connection.dbname = optarg; break;
			case 'U': connection.user = optarg; break;
			case 'P': plugin = optarg; break;
			case 's': source = optarg; break;
			case 'c': append(connection.settings, sizeof(connection.settings), " -c %s", optarg); break;
			case 'o': add_option(optarg); break;
			case 'q': use_sql = true; break;
			case 'k': check = true; break;
			case 'r': rows = true; break;
			case 'f': follow = true; break;
			case 'l': latency = atoi(optarg); break;
			default: return 2;
		}
	}
	for (; optind < argc && nlsns < 16; optind++)
		lsns[nlsns++] = parse_lsn(argv[optind]);
	if (latency > 0 || follow ? nlsns > 0 : nlsns == 0 || optind < argc)
		die("say 1 to 16 LSNs to read to, --latency and a number above 0, or --follow");

	connection.replication = !use_sql;
	open_connection();
	if (latency > 0)
		read_latency();
	else if (follow)
		read_on();
	else if (use_sql)
		read_sql(lsns[nlsns - 1]);
	else
		read_stream(lsns, nlsns);
	close_connection();
	return 0;
}
