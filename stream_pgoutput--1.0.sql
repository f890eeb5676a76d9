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

-- These show only what they are given.  Text is in client_encoding, which parallel
-- workers do not know.

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
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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
LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;

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

-- Whoever may read all statistics may read these: pg_read_all_stats, and so
-- pg_monitor.  A slot's counters are those of the sessions that decoded it
-- with this library, and last until the server ends or the slot is dropped.

CREATE FUNCTION stream_pgoutput_stat_available()
RETURNS boolean
AS 'MODULE_PATHNAME', 'stream_pgoutput_stat_available'
LANGUAGE C VOLATILE;

COMMENT ON FUNCTION stream_pgoutput_stat_available() IS
	'whether counters are collected: from 17 on if the server has memory for them, on 15 and 16 if stream_pgoutput is in shared_preload_libraries';

CREATE FUNCTION stream_pgoutput_stat_get_slots(
	OUT slot_name name,
	OUT plugin name,
	OUT commits int8,
	OUT stream_commits int8,
	OUT stream_aborts int8,
	OUT stream_subxact_aborts int8,
	OUT prepares int8,
	OUT stream_prepares int8,
	OUT commits_prepared int8,
	OUT rollbacks_prepared int8,
	OUT empty_txns int8,
	OUT stream_blocks int8,
	OUT inserts int8,
	OUT updates int8,
	OUT deletes int8,
	OUT truncates int8,
	OUT logical_messages int8,
	OUT relations int8,
	OUT types int8,
	OUT held_unpublished int8,
	OUT held_action int8,
	OUT held_filter int8,
	OUT held_origin int8,
	OUT messages int8,
	OUT encoded_bytes int8,
	OUT sent_bytes int8,
	OUT flushes int8,
	OUT cache_lookups int8,
	OUT cache_builds int8,
	OUT encode_ns int8,
	OUT write_ns int8,
	OUT cache_entries int8,
	OUT last_commit_lsn pg_lsn,
	OUT last_commit_time timestamptz,
	OUT last_sent_time timestamptz,
	OUT stats_reset timestamptz
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_stat_get_slots'
LANGUAGE C VOLATILE;

REVOKE ALL ON FUNCTION stream_pgoutput_stat_get_slots() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stream_pgoutput_stat_get_slots() TO pg_read_all_stats;
COMMENT ON FUNCTION stream_pgoutput_stat_get_slots() IS
	'counters of each slot that was decoded since the server started; see the view pg_stat_stream_pgoutput';

CREATE FUNCTION stream_pgoutput_stat_get_tables(
	OUT slot_name name,
	OUT datid oid,
	OUT relid oid,
	OUT inserts int8,
	OUT updates int8,
	OUT deletes int8,
	OUT truncates int8,
	OUT held_back int8,
	OUT bytes int8,
	OUT stats_since timestamptz
)
RETURNS SETOF record
AS 'MODULE_PATHNAME', 'stream_pgoutput_stat_get_tables'
LANGUAGE C VOLATILE;

REVOKE ALL ON FUNCTION stream_pgoutput_stat_get_tables() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION stream_pgoutput_stat_get_tables() TO pg_read_all_stats;
COMMENT ON FUNCTION stream_pgoutput_stat_get_tables() IS
	'counters of up to 64 tables of each slot, those with the most bytes; see the view pg_stat_stream_pgoutput_tables';

CREATE FUNCTION stream_pgoutput_stat_reset(slot_name name DEFAULT NULL)
RETURNS void
AS 'MODULE_PATHNAME', 'stream_pgoutput_stat_reset'
LANGUAGE C VOLATILE;

REVOKE ALL ON FUNCTION stream_pgoutput_stat_reset(name) FROM PUBLIC;
COMMENT ON FUNCTION stream_pgoutput_stat_reset(name) IS
	'sets the counters of a slot, or of all slots, to zero';

CREATE VIEW pg_stat_stream_pgoutput AS
	SELECT r.slot_name, r.database AS datname,
		CASE WHEN s.slot_name IS NOT NULL THEN 'counted'
			WHEN stream_pgoutput_stat_available() THEN 'not read since the server started'
			WHEN pg_catalog.current_setting('server_version_num')::int4 >= 170000
				THEN 'not counted: no memory left, see the server''s log'
			ELSE 'not counted: stream_pgoutput is not in shared_preload_libraries'
		END AS status,
		s.commits, s.stream_commits, s.stream_aborts, s.stream_subxact_aborts,
		s.prepares, s.stream_prepares, s.commits_prepared, s.rollbacks_prepared,
		s.empty_txns, s.stream_blocks,
		s.inserts, s.updates, s.deletes, s.truncates, s.logical_messages,
		s.relations, s.types,
		s.held_unpublished, s.held_action, s.held_filter, s.held_origin,
		s.messages, s.encoded_bytes, s.sent_bytes, s.flushes,
		round(s.messages::numeric / nullif(s.flushes, 0), 1) AS messages_per_flush,
		s.cache_lookups - s.cache_builds AS cache_hits, s.cache_builds, s.cache_entries,
		nullif(s.encode_ns, 0) / 1e6::float8 AS encode_time,
		nullif(s.write_ns, 0) / 1e6::float8 AS write_time,
		s.last_commit_lsn, s.last_commit_time, s.last_sent_time, s.stats_reset
	FROM pg_catalog.pg_replication_slots r
		LEFT JOIN stream_pgoutput_stat_get_slots() s
			ON s.slot_name = r.slot_name AND s.plugin = r.plugin
	WHERE s.slot_name IS NOT NULL OR r.plugin ~ '^stream_pgoutput(/pgoutput)?$';

REVOKE ALL ON pg_stat_stream_pgoutput FROM PUBLIC;
GRANT SELECT ON pg_stat_stream_pgoutput TO pg_read_all_stats;
COMMENT ON VIEW pg_stat_stream_pgoutput IS
	'one row for each slot of stream_pgoutput: what was sent of it, what was held back and why, and what that took; null is unknown';

CREATE VIEW pg_stat_stream_pgoutput_tables AS
	SELECT s.slot_name, d.datname, s.relid, n.nspname AS schemaname, c.relname,
		s.inserts, s.updates, s.deletes, s.truncates, s.held_back, s.bytes,
		s.stats_since
	FROM stream_pgoutput_stat_get_tables() s
		LEFT JOIN pg_catalog.pg_database d ON d.oid = s.datid
		LEFT JOIN pg_catalog.pg_class c
			ON c.oid = s.relid AND d.datname = pg_catalog.current_database()
		LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace;

REVOKE ALL ON pg_stat_stream_pgoutput_tables FROM PUBLIC;
GRANT SELECT ON pg_stat_stream_pgoutput_tables TO pg_read_all_stats;
COMMENT ON VIEW pg_stat_stream_pgoutput_tables IS
	'up to 64 tables of each slot of stream_pgoutput, those with the most bytes: rows sent and held back; names only of tables of this database that are still there';
