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


-- ----------------------------------------------------------------
-- Statistics: what was sent, and what it cost
-- ----------------------------------------------------------------

