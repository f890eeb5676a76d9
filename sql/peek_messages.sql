\i sql/include/start.psql
\i sql/include/peek.psql
-- A slot's messages as rows: the same from our plugin and from pgoutput, for
-- every message there is; and the slot stays where it is.
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE t (id int PRIMARY KEY, big text, m mood, "n N" numeric);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE TABLE whole (id int, b text);
ALTER TABLE whole REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t, whole;
CREATE PUBLICATION "odd, Name" FOR TABLE whole;
CALL wire.start(two_phase => true);
SELECT FROM pg_create_logical_replication_slot('reference', 'pgoutput', false, true);
SELECT FROM pg_create_logical_replication_slot('other', 'test_decoding');
SELECT FROM pg_replication_origin_create('node a');

-- Plain, with every action.
INSERT INTO t VALUES (1, repeat('x', 5000), 'sad', 1.50), (2, NULL, NULL, NULL);
UPDATE t SET m = 'happy' WHERE id = 1;
UPDATE t SET id = 3 WHERE id = 2;
DELETE FROM t WHERE id = 3;
INSERT INTO whole VALUES (1, 'a "b"');
UPDATE whole SET b = NULL;
DELETE FROM whole;
TRUNCATE t, whole RESTART IDENTITY;
SELECT FROM pg_logical_emit_message(true, 'prefix', 'content');
SELECT FROM pg_logical_emit_message(false, 'prefix', '\x00ff'::bytea);
SELECT FROM pg_replication_origin_session_setup('node a');
BEGIN;
SELECT FROM pg_replication_origin_xact_setup('1/FF', '2020-01-01 00:00+00');
INSERT INTO t VALUES (10);
COMMIT;
SELECT FROM pg_replication_origin_session_reset();

-- Prepared: committed, rolled back, neither.
BEGIN;
INSERT INTO t VALUES (30, 'x');
PREPARE TRANSACTION 'one';
COMMIT PREPARED 'one';
BEGIN;
INSERT INTO t VALUES (31, 'x');
PREPARE TRANSACTION 'two';
ROLLBACK PREPARED 'two';
BEGIN;
INSERT INTO t VALUES (32, 'x');
PREPARE TRANSACTION 'three';

-- What differs between two runs is left out; long values are cut.
CREATE VIEW setting AS SELECT '{two_phase,on,messages,on}'::text[] AS options;

CREATE TABLE position_before AS SELECT slot_name, confirmed_flush_lsn FROM pg_replication_slots;
SELECT message, CASE WHEN xid IS NOT NULL THEN dense_rank() OVER (ORDER BY xid::text::bigint) END AS xid, subxid,
	relation, action, key, old, short(new) AS new, size
	FROM setting, stream_pgoutput_peek('slot', '{pub}', options => options) WITH ORDINALITY ORDER BY ordinality;
SELECT message, count(*), string_agg(DISTINCT (SELECT string_agg(k, ' ') FROM jsonb_object_keys(detail) k), ', ') AS detail
	FROM setting, stream_pgoutput_peek('slot', '{pub}', options => options) GROUP BY message ORDER BY message;
SELECT relation, jsonb_path_query_array(detail, '$.columns[*].name') AS name,
	jsonb_path_query_array(detail, '$.columns[*].type') AS type, jsonb_path_query_array(detail, '$.columns[*].key') AS key,
	detail -> 'replica_identity' AS replica_identity
	FROM stream_pgoutput_peek('slot', '{pub}') WHERE message = 'RELATION' ORDER BY relation;
SELECT detail - '{typid}'::text[] AS detail FROM stream_pgoutput_peek('slot', '{pub}') WHERE message = 'TYPE' LIMIT 1;
SELECT message, detail - '{lsn,typid}'::text[] AS detail
	FROM stream_pgoutput_peek('slot', '{pub}', options => '{messages,on}') WHERE message IN ('MESSAGE', 'ORIGIN');

-- Both plugins, in all the ways that they can be asked.
SELECT options, compare(options) AS same FROM unnest(ARRAY['{}', '{two_phase,on}', '{messages,on}', '{proto_version,1}',
	'{binary,on}', '{proto_version,3,binary,on,two_phase,on,messages,on}']) o,
	LATERAL (SELECT o::text[] AS options) c;

-- The columns are what the server's function says of the same messages.
SELECT count(*) AS messages, bool_and(o.lsn = p.lsn) AS lsn, bool_and(o.size = length(p.data)) AS size,
	bool_and(COALESCE(o.xid, '0') = p.xid) AS xid
	FROM stream_pgoutput_peek('slot', '{pub}', options => '{proto_version,2,messages,on}')
		WITH ORDINALITY AS o (lsn, message, xid, subxid, relation, action, key, old, new, size, detail, n)
	FULL JOIN pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'proto_version', '2',
		'publication_names', 'pub', 'messages', 'on')
		WITH ORDINALITY AS p (lsn, xid, data, n) USING (n);

-- The same messages as an array.
SELECT compare_decoded('off', 'proto_version', '3', 'two_phase', 'on', 'messages', 'on') AS same;

-- By transaction.
SELECT kind, outcome, gid, blocks, aborted_subxacts AS subxacts, messages, bytes, first_lsn < last_lsn AS lsns, rows
	FROM setting, stream_pgoutput_peek_summary('slot', '{pub}', options => options);
SELECT sum(s.messages) = (SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', options => options)) AS messages,
	sum(s.bytes) = (SELECT sum(size) FROM stream_pgoutput_peek('slot', '{pub}', options => options)) AS bytes
	FROM setting, stream_pgoutput_peek_summary('slot', '{pub}', options => options) s GROUP BY options;
SELECT count(*) FROM (
	SELECT * FROM setting, stream_pgoutput_peek_summary('slot', '{pub}', options => options)
	EXCEPT
	SELECT * FROM setting, stream_pgoutput_peek_summary('reference', '{pub}', options => options)) different;

-- Publications, by their names as they are.
SELECT string_agg(DISTINCT relation, ' ') FROM stream_pgoutput_peek('slot', '{"odd, Name"}');
SELECT string_agg(DISTINCT relation, ' ' ORDER BY relation) FROM stream_pgoutput_peek('slot', '{pub,"odd, Name"}');
SELECT string_agg(DISTINCT relation, ' ') FROM stream_pgoutput_peek('slot', NULL, options => '{publication_names,"\"odd, Name\""}');

-- Limits.  An LSN, as the server's function has it; a number, to the message.
SELECT n, (SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', upto_nmessages => n)) AS got,
	(SELECT sum(messages) FROM stream_pgoutput_peek_summary('slot', '{pub}', NULL, n)) AS summarized,
	(SELECT string_agg(outcome, ' ') FROM stream_pgoutput_peek_summary('slot', '{pub}', NULL, n)) AS outcomes
	FROM unnest('{0,1,2,3,4,5,6,7,8,9,10}'::int[]) n;
SELECT bool_and(ours = theirs) AS same, count(DISTINCT ours) > 5 AS several FROM (
	SELECT (SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', lsn)) AS ours,
		   (SELECT count(*) FROM pg_logical_slot_peek_binary_changes('slot', lsn, NULL,
				'proto_version', '1', 'publication_names', 'pub')) AS theirs
	FROM stream_pgoutput_peek('slot', '{pub}')) l;
SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', upto_nmessages => -1);

-- Errors are the server's or the plugin's.
\set VERBOSITY terse
SELECT count(*) FROM stream_pgoutput_peek('none', '{pub}');
SELECT count(*) FROM stream_pgoutput_peek(NULL, '{pub}');
SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub,NULL}');
SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', options => '{streaming}');
SELECT count(*) FROM stream_pgoutput_peek('slot', '{pub}', options => '{streaming,NULL}');
-- a slot of another plugin
SELECT count(*) FROM stream_pgoutput_peek('other', NULL, options => '{proto_version,1}');

-- In the client's encoding, the same.
INSERT INTO whole VALUES (5, U&'\00e4');
SET client_encoding = LATIN1;
SELECT new ->> 'b' = U&'\00e4' AS same FROM stream_pgoutput_peek('slot', '{pub}') WHERE new ->> 'id' = '5';
RESET client_encoding;

SELECT slot_name, p.confirmed_flush_lsn = s.confirmed_flush_lsn AS stays
	FROM pg_replication_slots s JOIN position_before p USING (slot_name) ORDER BY slot_name;
ROLLBACK PREPARED 'three';
