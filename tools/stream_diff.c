/*
 * stream_diff.c
 *		DIFF and DIFF-W: decode the same WAL through pgoutput and through
 *		another plugin, and compare message by message.
 *
 * Each scenario (scenario.h) runs once, in a database of its own.  What it
 * wrote is then read by both plugins over the SQL interface and over a
 * walsender, with every combination of options that the server knows.  One
 * TAP line comes out per scenario and interface; differences are shown
 * decoded on standard error.
 */
#include <getopt.h>
#include <time.h>

#include "matrix.h"
#include "run.h"
#include "stream_proto.h"

#define SHOWN_DIFFERENCES 3		/* per scenario and interface */
#define SHOWN_LINES 12			/* per side and difference */
#define CONTEXT_LINES 3
#define SHOWN_WIDTH 250			/* of a decoded message */

static struct
{
	const char *conninfo;
	const char *standby;		/* where the slots are, or NULL */
	const char *plugin;
	const char *against;		/* publications of the second side, or NULL */
	const char *spoil;			/* what to falsify on it, or NULL */
	bool		all;			/* show every difference */
	int			version;
}			tool = {.conninfo = "",.plugin = "stream_pgoutput"};

typedef struct Counts
{
	long		scenarios;
	long		combinations;
	long		messages;
	long		failures;
} Counts;

/* What one scenario has shown over one interface. */
typedef struct Outcome
{
	Counts		counts;
	bool		seen[256];		/* message types */
	StringList	errors;			/* SQLSTATEs */
	long		departures;		/* messages left out on the first side */
} Outcome;

typedef struct Comparison
{
	Scenario   *scenario;
	Side		side[2];		/* pgoutput, and the other one */
	uint64		target;			/* end of the run part */
	Outcome		outcome[NUM_INTERFACES];
} Comparison;

/* Print one line on standard error, as a TAP comment. */
static void __attribute__((format(printf, 1, 2)))
note(const char *fmt,...)
{
	va_list		args;

	fputs("# ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

/*
 * Leave out every STREAM ABORT of a transaction that was never announced:
 * the one departure from pgoutput's bytes that is always on.
 */
static long
drop_unannounced_aborts(Decoded *decoded)
{
	int			kept = 0;
	int			dropped;

	for (int i = 0; i < decoded->count; i++)
	{
		Message    *abort = &decoded->message[i];
		bool		announced = abort->data[0] != 'A';

		for (int j = 0; j < kept && !announced; j++)
			announced = decoded->message[j].data[0] == 'S' &&
				memcmp(decoded->message[j].data + 1, abort->data + 1, 4) == 0;
		if (announced)
			decoded->message[kept++] = *abort;
		else
			PQfreemem(abort->owned);
	}
	dropped = decoded->count - kept;
	decoded->count = kept;
	return dropped;
}

/* Falsify the answer, to prove that it would be noticed.  False if empty. */
static bool
spoil(Decoded *decoded, const char *how)
{
	Message    *last = &decoded->message[decoded->count - 1];

	if (decoded->count == 0)
		return false;
	if (strcmp(how, "lsn") == 0)
		last->lsn ^= 1;
	else if (strcmp(how, "wal_end") == 0)
		last->wal_end ^= 1;
	else if (strcmp(how, "xid") == 0)
		last->xid ^= 1;
	else if (strcmp(how, "data") == 0)
	{
		char	   *data = palloc(last->length);

		memcpy(data, last->data, last->length);
		data[last->length - 1] ^= 1;
		last->data = data;
	}
	else if (strcmp(how, "length") == 0)
		last->length--;
	else if (strcmp(how, "count") == 0)
		decoded->count--;
	else if (strcmp(how, "error") == 0)
		decoded->error = format("spoilt");
	else if (strcmp(how, "notice") == 0)
		string_list_add(&decoded->notices, "spoilt");
	else
		die("--spoil: no such kind: \"%s\"", how);
	return true;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool
same_message(const Message *a, const Message *b)
{
	return a->lsn == b->lsn && a->wal_end == b->wal_end && a->xid == b->xid &&
		a->length == b->length && memcmp(a->data, b->data, a->length) == 0;
}

static bool
same_notices(const StringList *a, const StringList *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++)
		if (strcmp(a->item[i], b->item[i]) != 0)
			return false;
	return true;
}

/* Number of messages that both answers have in common at their beginning. */
static int
common_messages(const Decoded *a, const Decoded *b)
{
	int			n = 0;

	while (n < a->count && n < b->count &&
		   same_message(&a->message[n], &b->message[n]))
		n++;
	return n;
}

/*
 * Read the whole answer with our own readers: every message must be
 * readable, in an order that the protocol allows, and our writers must make
 * the same bytes of it.  Returns the number of the first message that is
 * not, with the reason, or -1.
 */
static int
find_malformed(const Decoded *decoded, bool parallel, const char **reason)
{
	static StringInfoData bytes;
	StreamReader reader;
	StreamProtoState state;
	int			i;

	if (bytes.data == NULL)
		initStringInfo(&bytes);
	*reason = NULL;
	stream_proto_reader_init(&reader);
	stream_proto_state_init(&state, parallel);
	for (i = 0; i < decoded->count && *reason == NULL; i++)
	{
		const Message *message = &decoded->message[i];
		StreamMessage parsed;

		resetStringInfo(&bytes);
		if (!stream_proto_read(&reader, message->data, message->length,
							   state.mode, &parsed))
		{
			*reason = reader.expected;
			break;
		}
		*reason = stream_proto_track(&state, &parsed);
		stream_proto_write(&bytes, &parsed);
		if (bytes.len != message->length ||
			memcmp(bytes.data, message->data, bytes.len) != 0)
			*reason = "our writer makes other bytes of it";
	}
	stream_proto_reader_free(&reader);
	return *reason == NULL ? -1 : i;
}

/* Show messages first..last of an answer, decoded. */
static void
show_messages(const Decoded *decoded, bool parallel, int first, int last,
			  const char *mark)
{
	StreamReader reader;
	StreamProtoState state;
	StringInfoData line;

	initStringInfo(&line);
	stream_proto_reader_init(&reader);
	stream_proto_state_init(&state, parallel);
	for (int i = 0; i < decoded->count && i <= last; i++)
	{
		const Message *message = &decoded->message[i];
		StreamMessage parsed;

		resetStringInfo(&line);
		if (stream_proto_read(&reader, message->data, message->length,
							  state.mode, &parsed))
		{
			stream_proto_track(&state, &parsed);
			stream_proto_describe(&parsed, &line);
		}
		else
			stream_proto_describe_error(&reader, &line);
		if (i >= first)
			note("%s [%d] %X/%X %X/%X %u %.*s", mark, i,
				 (uint32) (message->lsn >> 32), (uint32) message->lsn,
				 (uint32) (message->wal_end >> 32), (uint32) message->wal_end,
				 message->xid, SHOWN_WIDTH, line.data);
	}
	stream_proto_reader_free(&reader);
	free(line.data);
}

static void
show_text(const char *mark, const char *what, const char *text)
{
	if (text != NULL)
		note("%s %s: %s", mark, what, text);
}

/* Show where two answers part. */
static void
show_difference(const Comparison *comparison, const char *label,
				Interface interface, bool parallel)
{
	const Decoded *decoded[2] = {&comparison->side[0].decoded,
	&comparison->side[1].decoded};
	int			first = common_messages(decoded[0], decoded[1]);

	note("%s over %s, %s", comparison->scenario->name,
		 interface_name[interface], label);
	note("  - is %s (%d messages), + is %s (%d messages)",
		 comparison->side[0].plugin, decoded[0]->count,
		 comparison->side[1].plugin, decoded[1]->count);
	show_messages(decoded[0], parallel, first - CONTEXT_LINES, first - 1, " ");
	for (int i = 0; i < 2; i++)
	{
		const char *mark = i == 0 ? "-" : "+";

		show_messages(decoded[i], parallel, first, first + SHOWN_LINES - 1,
					  mark);
		show_text(mark, "error", decoded[i]->error);
		for (int j = 0; j < decoded[i]->notices.count; j++)
			show_text(mark, "notice", decoded[i]->notices.item[j]);
	}
}

static void
record_seen(Outcome *outcome, const Decoded *decoded)
{
	outcome->counts.combinations++;
	outcome->counts.messages += decoded->count;
	for (int i = 0; i < decoded->count; i++)
		outcome->seen[(unsigned char) decoded->message[i].data[0]] = true;
	if (decoded->error != NULL &&
		!string_list_has(&outcome->errors, decoded->sqlstate))
		string_list_add(&outcome->errors, decoded->sqlstate);
}

/* Compare the two answers that are in. */
static void
compare_answers(Comparison *comparison, const char *label,
				Interface interface, bool parallel)
{
	Outcome    *outcome = &comparison->outcome[interface];
	Decoded    *reference = &comparison->side[0].decoded;
	Decoded    *other = &comparison->side[1].decoded;
	const char *reason;
	int			malformed;

	if (comparison->scenario->stream_abort || comparison->scenario->tolerant)
		outcome->departures += drop_unannounced_aborts(reference);
	if (tool.spoil != NULL && spoil(other, tool.spoil))
		note("spoilt: %s", tool.spoil);
	record_seen(outcome, reference);
	malformed = find_malformed(other, parallel, &reason);
	if (malformed < 0 && reference->count == other->count &&
		common_messages(reference, other) == other->count &&
		same_text(reference->error, other->error) &&
		same_notices(&reference->notices, &other->notices))
		return;
	if (++outcome->counts.failures > SHOWN_DIFFERENCES && !tool.all)
		return;
	show_difference(comparison, label, interface, parallel);
	if (malformed >= 0)
		note("+ message [%d] is malformed: %s", malformed, reason);
}

/* Ask both sides the same, over one interface, and compare. */
static void
compare_call(Comparison *comparison, const char *label, Interface interface,
			 const char *slot, const OptionList *options)
{
	bool		parallel = false;

	for (int i = 0; i < options->count; i++)
		if (strcmp(options->item[i].name, "streaming") == 0)
			parallel = same_text(options->item[i].value, "parallel");
	for (int i = 0; i < 2; i++)
	{
		OptionList	ours = *options;

		for (int j = 0; i == 1 && tool.against && j < ours.count; j++)
			if (strcmp(ours.item[j].name, "publication_names") == 0)
				ours.item[j].value = tool.against;
		decode_start(&comparison->side[i], interface, slot,
					 comparison->target, &ours);
	}
	for (int i = 0; i < 2; i++)
		decode_finish(&comparison->side[i], interface, comparison->target);
	compare_answers(comparison, label, interface, parallel);
	for (int i = 0; i < 2; i++)
		decode_free(&comparison->side[i].decoded);
}

/* Give every connection the settings of a variant and a kind of memory. */
static void
apply_settings(Comparison *comparison, const char *variant, const char *memory)
{
	char	   *command = format("RESET ALL; SET statement_timeout = '180s'; "
								 "SET logical_decoding_work_mem = '64kB'; "
								 "SET log_min_messages = fatal; "
								 "%s %s%s",
								 strcmp(memory, "immediate") != 0 ? "" :
								 "SET debug_logical_replication_streaming = "
								 "immediate;", *variant ? "SET " : "", variant);

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < NUM_INTERFACES; j++)
		{
			PGresult   *result = PQexec(comparison->side[i].conn[j], command);

			if (PQresultStatus(result) != PGRES_COMMAND_OK)
				die("%s: cannot set \"%s\": %s", comparison->scenario->path,
					variant, PQerrorMessage(comparison->side[i].conn[j]));
			PQclear(result);
		}
	free(command);
}

/* One combination, with each variant of publications, over each interface. */
static void
compare_combination(Comparison *comparison, const Combination *combination,
					const char *setting)
{
	const StringList *variants = &comparison->scenario->publications;
	int			nvariants = combination_is_basic(combination) ?
		variants->count : 1;
	char	   *label = combination_label(combination);

	for (int i = 0; i < nvariants; i++)
	{
		OptionList	options = {0};
		char	   *full_label = format("%s publications=%s%s%s", label,
										variants->item[i],
										*setting ? " set " : "", setting);

		combination_options(combination, variants->item[i], tool.version,
							&options);
		for (int j = 0; j < NUM_INTERFACES; j++)
			compare_call(comparison, full_label, j,
						 combination_has(combination, AXIS_TWO_PHASE, "off") ?
						 "off" : "on", &options);
		free(full_label);
	}
	free(label);
}

static void
compare_matrix(Comparison *comparison, const char *setting)
{
	Combination combination = {0};
	const char *memory = "";

	do
	{
		const char *wanted = combination_value(&combination, AXIS_MEMORY);

		if (!combination_exists(&combination, tool.version) ||
			!combination_wanted(&combination, comparison->scenario) ||
			(*setting && !combination_is_basic(&combination)))
			continue;
		if (strcmp(memory, wanted) != 0)
			apply_settings(comparison, setting, wanted);
		memory = wanted;
		compare_combination(comparison, &combination, setting);
	} while (combination_next(&combination));
}

/* Read "name 'value', name, ..." in place. */
static void
parse_options(char *text, OptionList *options)
{
	while (*text != '\0')
	{
		char	   *name = text;
		char	   *value = NULL;
		char		separator;

		text += strcspn(text, " ,");
		separator = *text;
		if (*text != '\0')
			*text++ = '\0';
		if (separator == ' ' && *text == '\'')
		{
			value = ++text;
			text = strchrnul(text, '\'');
			if (*text != '\0')
				*text++ = '\0';
		}
		option_add(options, name, value);
		text += strspn(text, " ,");
	}
}

/*
 * A literal list of options.  One that has an option without a value can be
 * written over a walsender only.
 */
static void
compare_literal(Comparison *comparison, const char *literal)
{
	char	   *text = format("%s", literal);
	char	   *label = format("call (%s)", literal);
	OptionList	options = {0};
	bool		valueless = false;

	parse_options(text, &options);
	for (int i = 0; i < options.count; i++)
		valueless |= options.item[i].value == NULL;
	if (!valueless)
		compare_call(comparison, label, INTERFACE_SQL, "off", &options);
	compare_call(comparison, label, INTERFACE_WALSENDER, "off", &options);
	free(label);
	free(text);
}

/* One combination with publications and settings of its own. */
static void
compare_try(Comparison *comparison, const char *text)
{
	char	   *copy = format("%s||", text);
	char	   *rest = copy;
	char	   *axes = strsep(&rest, "|");
	char	   *publications = strsep(&rest, "|");
	char	   *setting = strsep(&rest, "|");
	OptionList	options = {0};
	Combination combination;

	if (!combination_read(&combination, axes) ||
		!combination_exists(&combination, tool.version))
		die("%s: not for this server: \"%s\"", comparison->scenario->path,
			axes);
	if (*publications == '\0')
		publications = comparison->scenario->publications.item[0];
	apply_settings(comparison, setting,
				   combination_value(&combination, AXIS_MEMORY));
	combination_options(&combination, publications, tool.version, &options);
	for (int i = 0; i < NUM_INTERFACES; i++)
		compare_call(comparison, text, i,
					 combination_has(&combination, AXIS_TWO_PHASE, "off") ?
					 "off" : "on", &options);
	free(copy);
}

/* Everything that the scenario asks for. */
static void
compare_all(Comparison *comparison)
{
	const Scenario *scenario = comparison->scenario;

	matrix_check_limits(scenario);
	for (int i = 0; i < scenario->tries.count; i++)
		compare_try(comparison, scenario->tries.item[i]);
	for (int i = 0; i < scenario->settings.count &&
		 scenario->tries.count == 0; i++)
		compare_matrix(comparison, scenario->settings.item[i]);
	apply_settings(comparison, "", "small");
	for (int i = 0; i < scenario->calls.count; i++)
		compare_literal(comparison, scenario->calls.item[i]);
}

/* Did the scenario show what it claims to?  If not, it proves nothing. */
static void
check_claims(const Scenario *scenario, Outcome *outcome, Interface interface)
{
	const char *where = interface_name[interface];

	for (int i = 0; i < scenario->sees.count; i++)
		for (const char *type = scenario->sees.item[i]; *type != '\0'; type++)
			if (!outcome->seen[(unsigned char) *type])
			{
				note("%s over %s: no message '%c' was seen", scenario->name,
					 where, *type);
				outcome->counts.failures++;
			}
	/* A call that cannot be made over SQL may be the one that fails. */
	for (int i = 0; i < scenario->errors.count &&
		 interface == INTERFACE_WALSENDER; i++)
		if (!string_list_has(&outcome->errors, scenario->errors.item[i]))
		{
			note("%s over %s: no error %s was seen", scenario->name, where,
				 scenario->errors.item[i]);
			outcome->counts.failures++;
		}
	for (int i = 0; i < outcome->errors.count && !scenario->tolerant; i++)
		if (!string_list_has(&scenario->errors, outcome->errors.item[i]))
		{
			note("%s over %s: unexpected error %s", scenario->name, where,
				 outcome->errors.item[i]);
			outcome->counts.failures++;
		}
	if (scenario->stream_abort && outcome->departures == 0)
	{
		note("%s over %s: no unannounced STREAM ABORT was seen",
			 scenario->name, where);
		outcome->counts.failures++;
	}
}

/* Run the scenario, and compare what the plugins make of it. */
static void
run_and_compare(const Servers *servers, Comparison *comparison)
{
	comparison->target = run_scenario(servers, comparison->scenario,
									  comparison->side);
	for (int i = 0; i < 2; i++)
		side_open(&comparison->side[i], servers->reader.conninfo,
				  RUN_DATABASE);
	compare_all(comparison);
	for (int i = 0; i < 2; i++)
		side_close(&comparison->side[i]);
	run_clean_up(servers);
}

static void
report(Comparison *comparison, Counts *total, double seconds)
{
	for (int i = 0; i < NUM_INTERFACES; i++)
	{
		Outcome    *outcome = &comparison->outcome[i];

		check_claims(comparison->scenario, outcome, i);
		printf("%s - %s over %s: %ld combinations, %ld messages, "
			   "%ld failures (%.1f s for all)\n",
			   outcome->counts.failures ? "not ok" : "ok",
			   comparison->scenario->name, interface_name[i],
			   outcome->counts.combinations, outcome->counts.messages,
			   outcome->counts.failures, seconds);
		total->combinations += outcome->counts.combinations;
		total->messages += outcome->counts.messages;
		total->failures += outcome->counts.failures;
	}
	total->scenarios++;
	fflush(stdout);
}

static void
do_scenario(const Servers *servers, const char *path, Counts *total)
{
	Comparison	comparison = {.scenario = scenario_read(path, tool.version),
		.side = {
			{.plugin = "pgoutput",.slot_prefix = "slot_a"},
			{.plugin = tool.plugin,.slot_prefix = "slot_b"}
	}};
	struct timespec start;
	struct timespec end;

	if (comparison.scenario->skip)
		return;
	clock_gettime(CLOCK_MONOTONIC, &start);
	run_and_compare(servers, &comparison);
	clock_gettime(CLOCK_MONOTONIC, &end);
	report(&comparison, total, (end.tv_sec - start.tv_sec) +
		   (end.tv_nsec - start.tv_nsec) / 1e9);
}

static const char usage[] =
"usage: stream_diff [OPTION]... SCENARIO...\n"
"Decode scenarios through pgoutput and through another plugin; compare.\n"
"  --connect CONNINFO  a superuser's connection to the server\n"
"  --standby CONNINFO  ... to a standby of it: make and read the slots there\n"
"  --plugin NAME       the other plugin (default stream_pgoutput)\n"
"  --all               show every difference, not the first few\n"
"  --against NAMES     publications for the other plugin: must differ\n"
"  --spoil KIND        falsify the other plugin's answers: lsn, wal_end, xid,\n"
"                      data, length, count, error or notice\n"
"Exit code 0: all the same; 1: differences; 2: could not compare.\n";

static void
parse_arguments(int argc, char **argv)
{
	static const struct option options[] = {
		{"connect", required_argument, NULL, 'c'},
		{"standby", required_argument, NULL, 'b'},
		{"plugin", required_argument, NULL, 'p'},
		{"all", no_argument, NULL, 'a'},
		{"against", required_argument, NULL, 'g'},
		{"spoil", required_argument, NULL, 's'},
		{NULL, 0, NULL, 0}
	};
	int			opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (opt)
		{
			case 'c':
				tool.conninfo = optarg;
				break;
			case 'b':
				tool.standby = optarg;
				break;
			case 'p':
				tool.plugin = optarg;
				break;
			case 'a':
				tool.all = true;
				break;
			case 'g':
				tool.against = optarg;
				break;
			case 's':
				tool.spoil = optarg;
				break;
			default:
				fputs(usage, stderr);
				exit(2);
		}
	if (optind == argc)
	{
		fputs(usage, stderr);
		exit(2);
	}
}

int
main(int argc, char **argv)
{
	Counts		total = {0};
	Servers		servers;

	parse_arguments(argc, argv);
	servers_open(&servers, tool.conninfo, tool.standby);
	tool.version = PQserverVersion(servers.writer.conn) / 10000;
	for (int i = optind; i < argc; i++)
		do_scenario(&servers, argv[i], &total);
	servers_close(&servers);
	printf("# PostgreSQL %d: %ld scenarios, %ld combinations, "
		   "%ld messages compared, %ld failures\n", tool.version,
		   total.scenarios, total.combinations, total.messages, total.failures);
	return total.failures == 0 ? 0 : 1;
}
