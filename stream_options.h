/*-------------------------------------------------------------------------
 *
 * stream_options.h
 *		What the client and the settings ask for.
 *
 * One table of options, the checks of protocol versions, and the settings
 * stream_pgoutput.*.  Knows nothing of relations or transactions.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_OPTIONS_H
#define STREAM_OPTIONS_H

#include "nodes/pg_list.h"
#include "replication/logical.h"

/* Lives in the session's context; read-only once negotiated. */
typedef struct StreamOptions
{
	uint32		proto_version;
	List	   *publication_names;	/* of char *, in the order given */
	bool		binary;
	bool		messages;
	bool		two_phase;
	bool		origin_none;	/* drop whatever carries an origin */
	bool		skip_empty_streams;
	char		streaming;		/* LOGICALREP_STREAM_* */
	int			flush_size;		/* kB; only a setting */
	bool		track_timing;	/* only a setting */
} StreamOptions;

/* Define the settings stream_pgoutput.*; once per process. */
extern void stream_options_define_settings(void);

/*
 * Fill *opts, whose memory is zeroed, from the client's list of DefElem, with
 * the settings as defaults.  Allocates in the current context.  Raises
 * SYNTAX_ERROR for a repeated option or a missing value, INVALID_NAME for a
 * bad list of publications, INVALID_PARAMETER_VALUE for a bad value or a
 * missing option, and INTERNAL_ERROR for an unknown option, as pgoutput does.
 */
extern void stream_options_parse(List *options, StreamOptions *opts);

/*
 * Check the requested protocol version and modes against each other and
 * against the server, and turn streaming and two-phase in ctx on or off.
 * Raises FEATURE_NOT_SUPPORTED or INVALID_PARAMETER_VALUE.
 */
extern void stream_options_negotiate(const StreamOptions *opts,
									 LogicalDecodingContext *ctx);

#endif							/* STREAM_OPTIONS_H */
