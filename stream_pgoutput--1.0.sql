/* stream_pgoutput--1.0.sql */

-- complain if script is sourced in psql, rather than via CREATE EXTENSION
\echo Use "CREATE EXTENSION stream_pgoutput" to load this file. \quit

-- ----------------------------------------------------------------
-- Decode: what a slot sends
-- ----------------------------------------------------------------

-- Reading a slot also takes what pg_logical_slot_peek_binary_changes takes:
-- EXECUTE on that function, and REPLICATION.

CREATE FUNCTION stream_pgoutput_peek(
	slot_name name,
	publication_names text[],
	upto_lsn pg_lsn DEFAULT NULL,
	upto_nmessages int4 DEFAULT NULL,
	options text[] DEFAULT '{}',
	OUT lsn pg_lsn,
	OUT message text,
	OUT xid xid,
	OUT subxid xid,
	OUT relation text,
	OUT action text,
	OUT key jsonb,
	OUT old jsonb,
	OUT new jsonb,
	OUT size int4,
	OUT detail jsonb
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_peek'
LANGUAGE C VOLATILE;

REVOKE ALL ON FUNCTION stream_pgoutput_peek(name, text[], pg_lsn, int4, text[])
	FROM PUBLIC;
COMMENT ON FUNCTION stream_pgoutput_peek(name, text[], pg_lsn, int4, text[]) IS
	'messages that a slot of stream_pgoutput or pgoutput would send, one row each; the slot stays where it is';

CREATE FUNCTION stream_pgoutput_peek_summary(
	slot_name name,
	publication_names text[],
	upto_lsn pg_lsn DEFAULT NULL,
	upto_nmessages int4 DEFAULT NULL,
	options text[] DEFAULT '{}',
	OUT xid xid,
	OUT kind text,
	OUT outcome text,
	OUT gid text,
	OUT blocks int8,
	OUT aborted_subxacts int8,
	OUT messages int8,
	OUT bytes int8,
	OUT first_lsn pg_lsn,
	OUT last_lsn pg_lsn,
	OUT rows jsonb
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_peek_summary'
LANGUAGE C VOLATILE;

REVOKE ALL ON FUNCTION stream_pgoutput_peek_summary(name, text[], pg_lsn, int4, text[])
	FROM PUBLIC;
COMMENT ON FUNCTION stream_pgoutput_peek_summary(name, text[], pg_lsn, int4, text[]) IS
	'transactions that a slot of stream_pgoutput or pgoutput would send, one row each; the slot stays where it is';

-- These show only what they are given.

CREATE FUNCTION stream_pgoutput_decode(
	messages bytea[],
	streaming text DEFAULT 'off',
	OUT lsn pg_lsn,
	OUT message text,
	OUT xid xid,
	OUT subxid xid,
	OUT relation text,
	OUT action text,
	OUT key jsonb,
	OUT old jsonb,
	OUT new jsonb,
	OUT size int4,
	OUT detail jsonb
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_decode'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION stream_pgoutput_decode(bytea[], text) IS
	'messages in the format of pgoutput, in the order in which they were sent, one row each';

CREATE FUNCTION stream_pgoutput_decode_summary(
	messages bytea[],
	streaming text DEFAULT 'off',
	OUT xid xid,
	OUT kind text,
	OUT outcome text,
	OUT gid text,
	OUT blocks int8,
	OUT aborted_subxacts int8,
	OUT messages int8,
	OUT bytes int8,
	OUT first_lsn pg_lsn,
	OUT last_lsn pg_lsn,
	OUT rows jsonb
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_decode_summary'
LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION stream_pgoutput_decode_summary(bytea[], text) IS
	'transactions in messages in the format of pgoutput, one row each';

-- ----------------------------------------------------------------
-- Explain: what would be sent, and why not
-- ----------------------------------------------------------------

-- These show definitions that everybody may read in the catalogs, no data.

CREATE FUNCTION stream_pgoutput_explain(
	publications text[],
	"table" regclass,
	OUT action text,
	OUT sent boolean,
	OUT sent_as regclass,
	OUT columns text[],
	OUT row_filter text,
	OUT publications_sending text[],
	OUT reason text
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_explain'
LANGUAGE C STABLE;

COMMENT ON FUNCTION stream_pgoutput_explain(text[], regclass) IS
	'whether each action on a table would be sent by these publications, as which table, with which columns and row filter, or why not; shows definitions that everybody may read, no data';

CREATE FUNCTION stream_pgoutput_coverage(
	publications text[],
	OUT relation regclass,
	OUT sent_as regclass,
	OUT actions text[],
	OUT columns text[],
	OUT has_filter boolean,
	OUT reason text
)
RETURNS SETOF record
LANGUAGE sql STABLE
BEGIN ATOMIC
	WITH answers AS MATERIALIZED (
		SELECT c.oid, e.action, e.sent, e.sent_as, e.columns, e.row_filter,
			e.reason, e.place
		FROM pg_catalog.pg_class c
			JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
			CROSS JOIN LATERAL stream_pgoutput_explain(publications, c.oid)
				WITH ORDINALITY AS e(action, sent, sent_as, columns,
					row_filter, publications_sending, reason, place)
		WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
			AND n.nspname NOT IN ('pg_catalog', 'information_schema')
	),
	reasons AS (
		SELECT r.oid, string_agg(r.text, '; ' ORDER BY r.place) AS text
		FROM (
			SELECT a.oid, min(a.place) AS place,
				CASE WHEN count(*) < 4
					THEN string_agg(a.action, ', ' ORDER BY a.place) || ': '
					ELSE '' END || a.reason AS text
			FROM answers a
			WHERE a.reason IS NOT NULL
			GROUP BY a.oid, a.reason
		) r
		GROUP BY r.oid
	)
	SELECT a.oid::regclass, max(a.sent_as::oid)::regclass,
		coalesce(array_agg(a.action ORDER BY a.place) FILTER (WHERE a.sent), '{}'),
		max(a.columns), bool_or(a.row_filter IS NOT NULL), min(r.text)
	FROM answers a LEFT JOIN reasons r ON r.oid = a.oid
	GROUP BY a.oid
	ORDER BY a.oid::regclass::text COLLATE "C";
END;

COMMENT ON FUNCTION stream_pgoutput_coverage(text[]) IS
	'what these publications send of every table of the database that is neither temporary nor a system table, and why not the rest; shows definitions that everybody may read, no data';

-- ----------------------------------------------------------------
-- Statistics: what was sent, and what it cost
-- ----------------------------------------------------------------

