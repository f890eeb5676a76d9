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

#include "decode.h"
#include "stream_proto.h"

#define DATABASE "stream_diff"
#define SHOWN_DIFFERENCES 3		/* per scenario and interface */
#define SHOWN_LINES 12			/* per side and difference */
#define CONTEXT_LINES 3
#define SHOWN_WIDTH 250			/* of a decoded message */

/* ----------------------------------------------------------------
 *		The matrix
 * ----------------------------------------------------------------
 */

typedef enum AxisName
{
	AXIS_MEMORY,				/* changes least often: it needs a SET */
	AXIS_PROTO,
	AXIS_STREAMING,
	AXIS_TWO_PHASE,
	AXIS_ORIGIN,
	AXIS_BINARY,
	AXIS_MESSAGES,
	NUM_AXES
} AxisName;

#define MAX_VALUES 5

static const struct
{
	const char *name;
	const char *value[MAX_VALUES];	/* NULL ends the list */
}			axes[NUM_AXES] = {
	[AXIS_MEMORY] = {"memory", {"small", "immediate"}},
	[AXIS_PROTO] = {"proto", {"1", "2", "3", "4"}},
	[AXIS_STREAMING] = {"streaming", {"off", "on", "parallel"}},
	[AXIS_TWO_PHASE] = {"two_phase", {"off", "on", "slot"}},
	[AXIS_ORIGIN] = {"origin", {"any", "none"}},
	[AXIS_BINARY] = {"binary", {"false", "true"}},
	[AXIS_MESSAGES] = {"messages", {"false", "true"}},
};

/* One value of each axis, as an index. */
typedef struct Combination
{
	int			value[NUM_AXES];
} Combination;

static const char *
value_of(const Combination *combination, AxisName axis)
{
	return axes[axis].value[combination->value[axis]];
}

static bool
is_value(const Combination *combination, AxisName axis, const char *value)
{
	return strcmp(value_of(combination, axis), value) == 0;
}

/*
 * A combination that variants of publications and settings take part in:
 * messages and origin have nothing to do with them.
 */
static bool
is_basic(const Combination *combination)
{
	return is_value(combination, AXIS_ORIGIN, "any") &&
		is_value(combination, AXIS_MESSAGES, "false");
}

/*
 * True if the server's own plugin accepts the combination.  two_phase=slot
 * leaves the option out on a slot that has the property: one representative
 * for each protocol and kind of streaming is enough.
 */
static bool
combination_exists(const Combination *c, int version)
{
	int			proto = atoi(value_of(c, AXIS_PROTO));

	if (version < 16 && (proto > 3 || is_value(c, AXIS_MEMORY, "immediate") ||
						 is_value(c, AXIS_ORIGIN, "none")))
		return false;
	if (is_value(c, AXIS_STREAMING, "on") && proto < 2)
		return false;
	if (is_value(c, AXIS_STREAMING, "parallel") && proto < 4)
		return false;
	if (is_value(c, AXIS_TWO_PHASE, "on") && proto < 3)
		return false;
	if (is_value(c, AXIS_TWO_PHASE, "slot"))
		return is_basic(c) && is_value(c, AXIS_BINARY, "false");
	return true;
}

static bool
combination_wanted(const Combination *c, const Scenario *scenario)
{
	for (int i = 0; i < NUM_AXES; i++)
		if (!scenario_allows(scenario, axes[i].name, value_of(c, i)))
			return false;
	return true;
}

/* Step to the next combination of all; false after the last one. */
static bool
combination_next(Combination *c)
{
	for (int i = NUM_AXES - 1; i >= 0; i--)
	{
		if (axes[i].value[++c->value[i]] != NULL)
			return true;
		c->value[i] = 0;
	}
	return false;
}

static char *
combination_label(const Combination *c)
{
	char	   *label = format("%s", "");

	for (int i = 0; i < NUM_AXES; i++)
	{
		char	   *longer = format("%s%s%s=%s", label, i ? " " : "",
									axes[i].name, value_of(c, i));

		free(label);
		label = longer;
	}
	return label;
}

static void
combination_options(const Combination *c, const char *publications,
					int version, OptionList *options)
{
	option_add(options, "proto_version", value_of(c, AXIS_PROTO));
	option_add(options, "publication_names", publications);
	option_add(options, "binary", value_of(c, AXIS_BINARY));
	option_add(options, "messages", value_of(c, AXIS_MESSAGES));
	option_add(options, "streaming", value_of(c, AXIS_STREAMING));
	if (is_value(c, AXIS_TWO_PHASE, "on"))
		option_add(options, "two_phase", "on");
	if (version >= 16)
		option_add(options, "origin", value_of(c, AXIS_ORIGIN));
}

/* ----------------------------------------------------------------
 *		One scenario's comparison
 * ----------------------------------------------------------------
 */

static struct
{
	const char *conninfo;
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

	if (comparison->scenario->stream_abort)
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
	int			nvariants = is_basic(combination) ? variants->count : 1;
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
						 is_value(combination, AXIS_TWO_PHASE, "off") ?
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
		const char *wanted = value_of(&combination, AXIS_MEMORY);

		if (!combination_exists(&combination, tool.version) ||
			!combination_wanted(&combination, comparison->scenario) ||
			(*setting && !is_basic(&combination)))
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

/* A limit must name an axis: one that does not would limit nothing. */
static void
check_limits(const Scenario *scenario)
{
	for (int i = 0; i < scenario->matrix.count; i++)
	{
		const char *limit = scenario->matrix.item[i];
		bool		known = false;

		for (int j = 0; j < NUM_AXES; j++)
			known |= strncmp(limit, axes[j].name, strlen(axes[j].name)) == 0 &&
				limit[strlen(axes[j].name)] == '=';
		if (!known)
			die("%s: \"%s\" limits no axis", scenario->path, limit);
	}
}

/* Everything that the scenario asks for. */
static void
compare_all(Comparison *comparison)
{
	const Scenario *scenario = comparison->scenario;

	check_limits(scenario);
	for (int i = 0; i < scenario->settings.count; i++)
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
	for (int i = 0; i < outcome->errors.count; i++)
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

/* ----------------------------------------------------------------
 *		Running a scenario
 * ----------------------------------------------------------------
 */

#define MAX_SESSIONS 10

typedef struct Run
{
	const Scenario *scenario;
	Side	   *side;			/* two */
	PGconn	   *control;		/* the tool's own */
	struct
	{
		const char *name;
		PGconn	   *conn;
	}			session[MAX_SESSIONS];
	int			nsessions;
} Run;

static void
ignore_notice(void *arg, const PGresult *result)
{
	(void) arg;
	(void) result;
}

/* Run a command of the tool's own; returns the first value of its result. */
static char *
query(PGconn *conn, const char *sql)
{
	PGresult   *result = PQexec(conn, sql);
	char	   *value = NULL;

	if (PQresultStatus(result) == PGRES_TUPLES_OK)
		value = PQntuples(result) > 0 ?
			format("%s", PQgetvalue(result, 0, 0)) : NULL;
	else if (PQresultStatus(result) != PGRES_COMMAND_OK)
		die("\"%s\" failed: %s", sql, PQerrorMessage(conn));
	PQclear(result);
	return value;
}

static PGconn *
session(Run *run, const char *name)
{
	int			i;

	for (i = 0; i < run->nsessions; i++)
		if (strcmp(run->session[i].name, name) == 0)
			return run->session[i].conn;
	if (i == MAX_SESSIONS)
		die("%s: more than %d sessions", run->scenario->path, MAX_SESSIONS);
	run->nsessions++;
	run->session[i].name = name;
	run->session[i].conn = connect_or_die(tool.conninfo, DATABASE, "UTF8", false);
	PQsetNoticeReceiver(run->session[i].conn, ignore_notice, NULL);
	return run->session[i].conn;
}

/* The end of all WAL written so far, with everything flushed. */
static char *
flushed_position(PGconn *control)
{
	query(control, "COMMENT ON DATABASE " DATABASE " IS 'flush'");
	return query(control, "SELECT pg_current_wal_flush_lsn()");
}

/* Move all slots up to here, as clients do that have seen everything. */
static void
confirm(Run *run)
{
	char	   *position = flushed_position(run->control);
	char	   *sql = format("SELECT pg_replication_slot_advance(slot_name, "
							 "'%s') FROM pg_replication_slots "
							 "WHERE database = '" DATABASE "'", position);

	query(run->control, sql);
	free(sql);
	free(position);
}

static void
run_step(Run *run, const Step *step)
{
	PGconn	   *conn;
	PGresult   *result;
	bool		failed;

	if (step->kind == STEP_CONFIRM)
	{
		confirm(run);
		return;
	}
	conn = session(run, step->session);
	result = PQexec(conn, step->sql);
	failed = PQresultStatus(result) == PGRES_FATAL_ERROR;
	if (failed != (step->kind == STEP_SQL_FAILS))
		die("%s:%d: session %s: %s", run->scenario->path, step->line,
			step->session, failed ? PQerrorMessage(conn) :
			"the statement should have failed");
	PQclear(result);
}

static void
run_steps(Run *run, const StepList *steps)
{
	for (int i = 0; i < steps->count; i++)
		run_step(run, &steps->item[i]);
}

/*
 * Four slots with one start point.  two_phase sticks to a slot, so that two
 * are for calls with it and two for calls without; it cannot be copied, but
 * the first call gives it to them at the same position.
 */
static void
make_slots(Run *run)
{
	const Side *first = &run->side[0];
	char	   *sql = format("SELECT pg_create_logical_replication_slot("
							 "'%s_off', '%s')", first->slot_prefix,
							 first->plugin);

	query(run->control, "SELECT pg_create_physical_replication_slot('"
		  PHYSICAL_SLOT "')");
	query(run->control, sql);
	for (int i = 1; i < 4; i++)
	{
		const Side *side = &run->side[i / 2];
		const char *kind = i % 2 ? "on" : "off";

		sql = format("SELECT pg_copy_logical_replication_slot("
					 "'%s_off', '%s_%s', false, '%s')", first->slot_prefix,
					 side->slot_prefix, kind, side->plugin);
		query(run->control, sql);
		if (i % 2 == 0)
			continue;
		sql = format("SELECT count(*) FROM pg_logical_slot_peek_binary_changes("
					 "'%s_on', NULL, NULL, 'proto_version', '3', "
					 "'publication_names', 'none', 'two_phase', 'on')",
					 side->slot_prefix);
		query(run->control, sql);
	}
}

/* Prepared transactions would keep the database from being dropped. */
static void
roll_back_prepared(void)
{
	PGconn	   *control = connect_or_die(tool.conninfo, DATABASE, "UTF8",
										 false);
	char	   *gid;

	while ((gid = query(control, "SELECT quote_literal(gid) "
						"FROM pg_prepared_xacts "
						"WHERE database = current_database()")) != NULL)
	{
		char	   *sql = format("ROLLBACK PREPARED %s", gid);

		query(control, sql);
		free(sql);
		free(gid);
	}
	PQfinish(control);
}

/* Remove the database and all that would hold it, of this run or another. */
static void
drop_leftovers(PGconn *maintenance)
{
	query(maintenance, "SELECT pg_drop_replication_slot(slot_name) "
		  "FROM pg_replication_slots WHERE database = '" DATABASE "' "
		  "OR slot_name = '" PHYSICAL_SLOT "'");
	query(maintenance, "SELECT pg_replication_origin_drop(roname) "
		  "FROM pg_replication_origin");
	if (query(maintenance, "SELECT gid FROM pg_prepared_xacts "
			  "WHERE database = '" DATABASE "'") != NULL)
		roll_back_prepared();
	query(maintenance, "DROP DATABASE IF EXISTS " DATABASE " WITH (FORCE)");
}

static uint64
parse_position(const char *text)
{
	uint32		high;
	uint32		low;

	if (sscanf(text, "%X/%X", &high, &low) != 2)
		die("\"%s\" is no WAL position", text);
	return (uint64) high << 32 | low;
}

/* Run the scenario in a new database, and compare what the plugins make of it. */
static void
run_and_compare(PGconn *maintenance, Comparison *comparison)
{
	Run			run = {.scenario = comparison->scenario,
	.side = comparison->side};
	char	   *sql = format("CREATE DATABASE " DATABASE " TEMPLATE template0 %s",
							 comparison->scenario->database);
	char	   *position;

	query(maintenance, sql);
	free(sql);
	run.control = connect_or_die(tool.conninfo, DATABASE, "UTF8", false);
	PQsetNoticeReceiver(run.control, ignore_notice, NULL);
	run_steps(&run, &comparison->scenario->setup);
	make_slots(&run);
	run_steps(&run, &comparison->scenario->run);
	position = flushed_position(run.control);
	comparison->target = parse_position(position);
	free(position);
	for (int i = 0; i < run.nsessions; i++)
		PQfinish(run.session[i].conn);

	for (int i = 0; i < 2; i++)
		side_open(&comparison->side[i], tool.conninfo, DATABASE);
	compare_all(comparison);
	for (int i = 0; i < 2; i++)
		side_close(&comparison->side[i]);
	PQfinish(run.control);
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
do_scenario(PGconn *maintenance, const char *path, Counts *total)
{
	Comparison	comparison = {.scenario = scenario_read(path, tool.version),.side = {
			{.plugin = "pgoutput",.slot_prefix = "slot_a"},
			{.plugin = tool.plugin,.slot_prefix = "slot_b"}
	}};
	struct timespec start;
	struct timespec end;

	if (comparison.scenario->skip)
		return;
	clock_gettime(CLOCK_MONOTONIC, &start);
	drop_leftovers(maintenance);
	run_and_compare(maintenance, &comparison);
	drop_leftovers(maintenance);
	clock_gettime(CLOCK_MONOTONIC, &end);
	report(&comparison, total, (end.tv_sec - start.tv_sec) +
		   (end.tv_nsec - start.tv_nsec) / 1e9);
}

static const char usage[] =
"usage: stream_diff [OPTION]... SCENARIO...\n"
"Decode scenarios through pgoutput and through another plugin; compare.\n"
"  --connect CONNINFO  a superuser's connection to the server\n"
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
	PGconn	   *maintenance;

	parse_arguments(argc, argv);
	maintenance = connect_or_die(tool.conninfo, "postgres", "UTF8", false);
	PQsetNoticeReceiver(maintenance, ignore_notice, NULL);
	tool.version = PQserverVersion(maintenance) / 10000;
	for (int i = optind; i < argc; i++)
		do_scenario(maintenance, argv[i], &total);
	PQfinish(maintenance);
	printf("# PostgreSQL %d: %ld scenarios, %ld combinations, "
		   "%ld messages compared, %ld failures\n", tool.version,
		   total.scenarios, total.combinations, total.messages, total.failures);
	return total.failures == 0 ? 0 : 1;
}
