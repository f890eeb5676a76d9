/*-------------------------------------------------------------------------
 *
 * stream_options.c
 *		What the client and the settings ask for.
 *
 * Wording and SQLSTATEs follow the server's pgoutput, since clients match on
 * them.  What pgoutput reads unchecked (an option without a value) raises
 * here.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <limits.h>

#include "stream_compat.h"
#include "stream_options.h"

#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/varlena.h"

typedef struct StreamOption
{
	const char *name;
	void		(*read) (DefElem *def, StreamOptions *opts);
	bool		supported;		/* by this major */
} StreamOption;

/* The settings. */
static const bool *skip_empty_streams;
static const int *flush_size;
static const bool *track_timing;

static void
read_proto_version(DefElem *def, StreamOptions *opts)
{
	const char *value = defGetString(def);
	unsigned long parsed;
	char	   *end;

	errno = 0;
	parsed = strtoul(value, &end, 10);
	if (errno != 0 || *end != '\0' ||
		(end == value && stream_is_newest_minor()))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("invalid proto_version"));
	if (parsed > PG_UINT32_MAX)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("proto_version \"%s\" out of range", value));
	opts->proto_version = (uint32) parsed;
}

static void
read_publication_names(DefElem *def, StreamOptions *opts)
{
	/* The list points into the string, which the split cuts up. */
	if (!SplitIdentifierString(pstrdup(defGetString(def)), ',',
							   &opts->publication_names))
		ereport(ERROR,
				errcode(ERRCODE_INVALID_NAME),
				errmsg("invalid publication_names syntax"));
}

static void
read_binary(DefElem *def, StreamOptions *opts)
{
	opts->binary = defGetBoolean(def);
}

static void
read_messages(DefElem *def, StreamOptions *opts)
{
	opts->messages = defGetBoolean(def);
}

static void
read_streaming(DefElem *def, StreamOptions *opts)
{
	opts->streaming = stream_get_streaming_mode(def);
}

static void
read_two_phase(DefElem *def, StreamOptions *opts)
{
	opts->two_phase = defGetBoolean(def);
}

static void
read_origin(DefElem *def, StreamOptions *opts)
{
	const char *value = defGetString(def);

	if (pg_strcasecmp(value, LOGICALREP_ORIGIN_NONE) == 0)
		opts->origin_none = true;
	else if (pg_strcasecmp(value, LOGICALREP_ORIGIN_ANY) == 0)
		opts->origin_none = false;
	else
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("unrecognized origin value: \"%s\"", value));
}

static void
read_skip_empty_streams(DefElem *def, StreamOptions *opts)
{
	opts->skip_empty_streams = defGetBoolean(def);
}

static const StreamOption option_table[] = {
	{"proto_version", read_proto_version, true},
	{"publication_names", read_publication_names, true},
	{"binary", read_binary, true},
	{"messages", read_messages, true},
	{"streaming", read_streaming, true},
	{"two_phase", read_two_phase, true},
	{"origin", read_origin, STREAM_HAS_PARALLEL},
	{"skip_empty_streams", read_skip_empty_streams, true},
};

/*
 * Where to find a setting's value.  A process can come to hold two copies of
 * this library: it keeps the one that the server preloaded, and loads the
 * file that replaced it under its other name.  The first copy defines the
 * setting; all find its value under the setting's name.
 */
static const bool *
define_bool(const char *name, bool boot_value, GucContext context,
			const char *short_desc, const char *long_desc)
{
	bool	  **shared = (bool **) find_rendezvous_variable(name);

	if (*shared == NULL)
	{
		*shared = MemoryContextAlloc(TopMemoryContext, sizeof(bool));
		DefineCustomBoolVariable(name, short_desc, long_desc, *shared,
								 boot_value, context, 0, NULL, NULL, NULL);
	}
	return *shared;
}

static const int *
define_kb(const char *name, int boot_value, int max_value, GucContext context,
		  const char *short_desc, const char *long_desc)
{
	int		  **shared = (int **) find_rendezvous_variable(name);

	if (*shared == NULL)
	{
		*shared = MemoryContextAlloc(TopMemoryContext, sizeof(int));
		DefineCustomIntVariable(name, short_desc, long_desc, *shared,
								boot_value, 0, max_value, context,
								GUC_UNIT_KB, NULL, NULL, NULL);
	}
	return *shared;
}

void
stream_options_define_settings(void)
{
	skip_empty_streams =
		define_bool("stream_pgoutput.skip_empty_streams", false, PGC_USERSET,
					"Holds STREAM START back until a streamed transaction has something to send.",
					"A streamed transaction that sends nothing is left out altogether. "
					"The plugin option of the same name overrides this setting.");
	flush_size =
		define_kb("stream_pgoutput.flush_size", 64, 64 * 1024, PGC_USERSET,
				  "Sets how much a walsender may collect before it flushes to the client.",
				  "Nothing is held back past the end of a transaction or of a stream block. "
				  "Zero flushes after every message, as pgoutput does.");
	track_timing =
		define_bool("stream_pgoutput.track_timing", true, PGC_SUSET,
					"Collects how long encoding and writing of messages take.",
					"One message in 64, on average, is timed, and every flush.");
	MarkGUCPrefixReserved("stream_pgoutput");
}

static int
find_option(const char *name)
{
	for (int i = 0; i < (int) lengthof(option_table); i++)
	{
		if (option_table[i].supported &&
			strcmp(option_table[i].name, name) == 0)
			return i;
	}

	/* The SQLSTATE of a server's elog: pgoutput has no better one. */
	elog(ERROR, "unrecognized stream_pgoutput option: %s", name);
	return -1;					/* not reached */
}

static void
check_required(bool given, const char *name)
{
	if (!given)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("option \"%s\" missing", name));
}

void
stream_options_parse(List *options, StreamOptions *opts)
{
	bool		given[lengthof(option_table)] = {false};
	ListCell   *lc;

	opts->streaming = LOGICALREP_STREAM_OFF;
	opts->skip_empty_streams = *skip_empty_streams;
	opts->flush_size = *flush_size;
	opts->track_timing = *track_timing;

	foreach(lc, options)
	{
		DefElem    *def = lfirst_node(DefElem, lc);
		int			i = find_option(def->defname);

		if (given[i])
			ereport(ERROR,
					errcode(ERRCODE_SYNTAX_ERROR),
					errmsg("conflicting or redundant options"));
		given[i] = true;
		option_table[i].read(def, opts);
	}

	/* 15 and 16 notice what is missing by the values, when they negotiate. */
	if (STREAM_HAS_REQUIRED_OPTIONS)
	{
		check_required(given[0], option_table[0].name);
		check_required(given[1], option_table[1].name);
	}
}

static void
negotiate_version(const StreamOptions *opts)
{
	if (opts->proto_version > LOGICALREP_PROTO_MAX_VERSION_NUM)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("client sent proto_version=%d but " STREAM_SERVER_SUPPORTS " protocol %d or lower",
					   opts->proto_version, LOGICALREP_PROTO_MAX_VERSION_NUM));
	if (opts->proto_version < LOGICALREP_PROTO_MIN_VERSION_NUM)
		ereport(ERROR,
				errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				errmsg("client sent proto_version=%d but " STREAM_SERVER_SUPPORTS " protocol %d or higher",
					   opts->proto_version, LOGICALREP_PROTO_MIN_VERSION_NUM));
	if (!STREAM_HAS_REQUIRED_OPTIONS && opts->publication_names == NIL)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("publication_names parameter missing"));
}

/*
 * Is a mode that needs version "needed" allowed?  format takes the requested
 * and the needed one; whole, so that the server can translate it.
 */
static void
check_mode_version(const StreamOptions *opts, uint32 needed,
				   const char *format)
{
	if (opts->proto_version < needed)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg(format, opts->proto_version, needed));
}

static void
negotiate_streaming(const StreamOptions *opts, LogicalDecodingContext *ctx)
{
	if (opts->streaming == LOGICALREP_STREAM_OFF)
	{
		ctx->streaming = false;
		return;
	}

	if (opts->streaming == LOGICALREP_STREAM_PARALLEL)
		check_mode_version(opts, LOGICALREP_PROTO_STREAM_PARALLEL_VERSION_NUM,
						   "requested proto_version=%d does not support parallel streaming, need %d or higher");
	else
		check_mode_version(opts, LOGICALREP_PROTO_STREAM_VERSION_NUM,
						   "requested proto_version=%d does not support streaming, need %d or higher");
	if (!ctx->streaming)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("streaming requested, but not supported by output plugin"));
}

/* Two-phase stays on once the slot has it; the option can only add it. */
static void
negotiate_two_phase(const StreamOptions *opts, LogicalDecodingContext *ctx)
{
	if (!opts->two_phase)
	{
		ctx->twophase_opt_given = false;
		return;
	}

	check_mode_version(opts, LOGICALREP_PROTO_TWOPHASE_VERSION_NUM,
					   "requested proto_version=%d does not support two-phase commit, need %d or higher");
	if (!ctx->twophase)
		ereport(ERROR,
				errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				errmsg("two-phase commit requested, but not supported by output plugin"));
	ctx->twophase_opt_given = true;
}

void
stream_options_negotiate(const StreamOptions *opts,
						 LogicalDecodingContext *ctx)
{
	negotiate_version(opts);
	negotiate_streaming(opts, ctx);
	negotiate_two_phase(opts, ctx);
}
