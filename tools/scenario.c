/*
 * scenario.c
 *	  Reads a DIFF scenario from its SQL file.
 *
 * Statements end at a semicolon outside quotes, dollar quotes and comments.
 * Lines that begin with "--@" are directives.  Everything else of the file
 * goes to the server unchanged.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

/* Where the reader stands in the file. */
typedef struct Reader
{
	Scenario   *scenario;
	int			version;		/* major version of the server */
	char	   *pos;
	int			line;
	StepList   *part;			/* set-up or run */
	char	   *session;
	StepKind	next;			/* kind of the next statement */
} Reader;

void
die(const char *fmt,...)
{
	va_list		args;

	fflush(stdout);
	fputs("stream_diff: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

char *
format(const char *fmt,...)
{
	va_list		args;
	char	   *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		die("out of memory");
	va_end(args);
	return text;
}

void
string_list_add(StringList *list, const char *text)
{
	list->item = realloc(list->item, (list->count + 1) * sizeof(char *));
	if (list->item == NULL)
		die("out of memory");
	list->item[list->count++] = format("%s", text);
}

bool
string_list_has(const StringList *list, const char *text)
{
	for (int i = 0; i < list->count; i++)
		if (strcmp(list->item[i], text) == 0)
			return true;
	return false;
}

static void
add_step(Reader *reader, StepKind kind, char *sql)
{
	StepList   *part = reader->part;

	part->item = realloc(part->item, (part->count + 1) * sizeof(Step));
	if (part->item == NULL)
		die("out of memory");
	part->item[part->count++] = (Step) {
		.kind = kind,
		.line = reader->line,
		.session = reader->session,
		.sql = sql
	};
}

/* A copy of what stands between two places. */
static char *
cut_out(const char *start, const char *end)
{
	return format("%.*s", (int) (end - start), start);
}

/* The text without white space around it, cut in place. */
static char *
trim(char *text)
{
	char	   *end;

	while (isspace((unsigned char) *text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char) end[-1]))
		end--;
	*end = '\0';
	return text;
}

/* Adds the parts of a text between separators, trimmed. */
static void
add_parts(StringList *list, char *text, const char *separator)
{
	for (char *part = strtok(text, separator); part != NULL;
		 part = strtok(NULL, separator))
		string_list_add(list, trim(part));
}

/* The argument of a directive that cannot do without. */
static char *
need(Reader *reader, const char *word, char *argument)
{
	if (*argument == '\0')
		die("%s:%d: \"--@ %s\" needs an argument",
			reader->scenario->path, reader->line, word);
	return argument;
}

/* Carries out one directive: its first word, and what follows it. */
static void
apply_directive(Reader *reader, const char *word, char *argument)
{
	Scenario   *scenario = reader->scenario;

	if (strcmp(word, "run") == 0)
		reader->part = &scenario->run;
	else if (strcmp(word, "confirm") == 0)
		add_step(reader, STEP_CONFIRM, NULL);
	else if (strcmp(word, "tolerant") == 0)
		scenario->tolerant = true;
	else if (strcmp(word, "try") == 0)
		string_list_add(&scenario->tries, need(reader, word, argument));
	else if (strcmp(word, "fails") == 0)
		reader->next = STEP_SQL_FAILS;
	else if (strcmp(word, "session") == 0)
		reader->session = format("%s", need(reader, word, argument));
	else if (strcmp(word, "sees") == 0)
		string_list_add(&scenario->sees, need(reader, word, argument));
	else if (strcmp(word, "error") == 0)
		add_parts(&scenario->errors, need(reader, word, argument), " ");
	else if (strcmp(word, "skip") == 0)
		scenario->skip = true;
	else if (strcmp(word, "database") == 0)
		scenario->database = format("%s", need(reader, word, argument));
	else if (strcmp(word, "publications") == 0)
		add_parts(&scenario->publications, need(reader, word, argument), "|");
	else if (strcmp(word, "set") == 0)
		string_list_add(&scenario->settings, need(reader, word, argument));
	else if (strcmp(word, "matrix") == 0)
		add_parts(&scenario->matrix, need(reader, word, argument), " ");
	else if (strcmp(word, "call") == 0)
		string_list_add(&scenario->calls, argument);
	else if (strcmp(word, "departure") == 0 &&
			 strcmp(argument, "stream-abort") == 0)
		scenario->stream_abort = true;
	else
		die("%s:%d: no such directive: \"%s %s\"",
			scenario->path, reader->line, word, argument);
}

/*
 * Does a directive count on this server?  "--@16+" asks for 16 or later,
 * "--@17-" for 17 or earlier.  Moves *text behind that.
 */
static bool
version_matches(Reader *reader, char **text)
{
	int			wanted = strtol(*text, text, 10);

	if (wanted == 0)
		return true;
	switch (*(*text)++)
	{
		case '+':
			return reader->version >= wanted;
		case '-':
			return reader->version <= wanted;
		default:
			die("%s:%d: \"+\" or \"-\" is missing after the version",
				reader->scenario->path, reader->line);
	}
}

/* Reads the directive on the line at the reader's position. */
static void
read_directive(Reader *reader)
{
	char	   *end = strchrnul(reader->pos, '\n');
	char	   *line = cut_out(reader->pos + 3, end);
	char	   *word = line;
	char	   *argument;
	bool		counts = version_matches(reader, &word);

	word = trim(word);
	argument = word + strcspn(word, " \t");
	if (*argument != '\0')
		*argument++ = '\0';
	if (counts)
		apply_directive(reader, word, trim(argument));
	free(line);
	reader->pos = end;
}

/* The end of a quoted piece that begins at start: just behind the quote. */
static char *
skip_quoted(Reader *reader, char *start, const char *quote)
{
	char	   *end = strstr(start + strlen(quote), quote);

	if (end == NULL)
		die("%s:%d: %s is never closed", reader->scenario->path,
			reader->line, quote);
	return end + strlen(quote);
}

/* The end of a dollar-quoted piece, or start + 1 if it is none. */
static char *
skip_dollar_quoted(Reader *reader, char *start)
{
	char	   *tag_end = start + 1;
	char	   *tag;
	char	   *end;

	while (isalnum((unsigned char) *tag_end) || *tag_end == '_')
		tag_end++;
	if (*tag_end != '$')
		return start + 1;
	tag = cut_out(start, tag_end + 1);
	end = skip_quoted(reader, start, tag);
	free(tag);
	return end;
}

/* The position behind the next lexical piece of a statement. */
static char *
skip_piece(Reader *reader, char *pos)
{
	switch (*pos)
	{
		case '\'':
			return skip_quoted(reader, pos, "'");
		case '"':
			return skip_quoted(reader, pos, "\"");
		case '$':
			return skip_dollar_quoted(reader, pos);
		case '-':
			return pos[1] == '-' ? strchrnul(pos, '\n') : pos + 1;
		case '/':
			return pos[1] == '*' ? skip_quoted(reader, pos + 1, "*/") : pos + 1;
		default:
			return pos + 1;
	}
}

/* Reads the statement at the reader's position, up to its semicolon. */
static void
read_statement(Reader *reader)
{
	char	   *start = reader->pos;
	char	   *pos = start;

	while (*pos != ';')
	{
		if (*pos == '\0')
			die("%s:%d: statement without a semicolon",
				reader->scenario->path, reader->line);
		pos = skip_piece(reader, pos);
	}
	add_step(reader, reader->next, cut_out(start, pos));
	reader->next = STEP_SQL;
	for (; start < pos; start++)
		reader->line += *start == '\n';
	reader->pos = pos + 1;
}

static char *
read_file(const char *path)
{
	FILE	   *file = fopen(path, "r");
	char	   *text = NULL;
	size_t		size = 0;

	if (file == NULL)
		die("cannot open \"%s\": %m", path);
	if (getdelim(&text, &size, '\0', file) < 0)
		die("cannot read \"%s\"", path);
	fclose(file);
	return text;
}

/* Fills in what the file left to defaults, and rejects what makes no sense. */
static void
check_scenario(Scenario *scenario)
{
	if (scenario->skip)
		return;
	if (scenario->publications.count == 0)
		string_list_add(&scenario->publications, "pub");
	if (scenario->run.count == 0)
		die("%s: nothing after \"--@ run\"", scenario->path);
	if (scenario->sees.count == 0 && scenario->errors.count == 0 &&
		!scenario->tolerant)
		die("%s: neither \"--@ sees\" nor \"--@ error\": it could not fail",
			scenario->path);
}

Scenario *
scenario_read(const char *path, int version)
{
	Scenario   *scenario = calloc(1, sizeof(Scenario));
	const char *base = strrchr(path, '/');
	Reader		reader = {.scenario = scenario,.version = version};

	if (scenario == NULL)
		die("out of memory");
	base = base == NULL ? path : base + 1;
	scenario->path = path;
	scenario->name = cut_out(base, base + strcspn(base, "."));
	scenario->database = format("ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'");
	string_list_add(&scenario->settings, "");

	reader.pos = read_file(path);
	reader.line = 1;
	reader.part = &scenario->setup;
	reader.session = format("%s", "main");
	while (*reader.pos != '\0')
	{
		if (strncmp(reader.pos, "--@", 3) == 0)
			read_directive(&reader);
		else if (strncmp(reader.pos, "--", 2) == 0)
			reader.pos = strchrnul(reader.pos, '\n');
		else if (isspace((unsigned char) *reader.pos))
			reader.line += *reader.pos++ == '\n';
		else
			read_statement(&reader);
	}
	check_scenario(scenario);
	return scenario;
}

bool
scenario_allows(const Scenario *scenario, const char *axis, const char *value)
{
	size_t		axis_length = strlen(axis);

	for (int i = 0; i < scenario->matrix.count; i++)
	{
		const char *limit = scenario->matrix.item[i];
		char	   *values;
		char	   *wanted;
		bool		found;

		if (strncmp(limit, axis, axis_length) != 0 ||
			limit[axis_length] != '=')
			continue;
		values = format(",%s,", limit + axis_length + 1);
		wanted = format(",%s,", value);
		found = strstr(values, wanted) != NULL;
		free(values);
		free(wanted);
		if (!found)
			return false;
	}
	return true;
}
