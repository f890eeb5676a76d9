\i sql/include/start.psql
\i sql/include/peek.psql
-- Streamed transactions of a slot as rows: the same from our plugin and from
-- pgoutput, for every message of streaming.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE TABLE u (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t, u;
CALL wire.start(two_phase => true);
CALL wire.stream_every_change();
SELECT FROM pg_create_logical_replication_slot('reference', 'pgoutput', false, true);
BEGIN;
INSERT INTO t VALUES (20, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO t VALUES (21, repeat('x', 70000));
ROLLBACK TO s;
INSERT INTO t VALUES (22, repeat('x', 70000));
COMMIT;
BEGIN;
INSERT INTO t VALUES (23, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO t VALUES (24, repeat('x', 70000));
RELEASE s;
ROLLBACK;
BEGIN;
INSERT INTO t VALUES (25, repeat('x', 70000));
PREPARE TRANSACTION 'committed';
COMMIT PREPARED 'committed';
BEGIN;
INSERT INTO t VALUES (26, repeat('x', 70000));
PREPARE TRANSACTION 'rolled back';
ROLLBACK PREPARED 'rolled back';
BEGIN;
INSERT INTO t VALUES (27, repeat('x', 70000));
PREPARE TRANSACTION 'neither';

-- What differs between two runs is left out; long values are cut.
SELECT message, dense_rank() OVER (ORDER BY xid::text::bigint) AS xid, subxid::text::bigint - xid::text::bigint AS subxid,
	relation, action, short(old) AS old, short(new) AS new, size, detail - '{relid,end_lsn,commit_lsn,prepare_lsn,prepare_end_lsn,rollback_end_lsn,commit_time,prepare_time,rollback_time,columns}'::text[] AS detail
	FROM stream_pgoutput_peek('slot', '{pub}', options => '{proto_version,3,streaming,on,two_phase,on}') WITH ORDINALITY
	ORDER BY ordinality;
SELECT kind, outcome, gid, blocks, aborted_subxacts AS subxacts, messages, bytes, first_lsn < last_lsn AS lsns, rows
	FROM stream_pgoutput_peek_summary('slot', '{pub}', options => '{streaming,on,two_phase,on}');
-- cut within a transaction
SELECT kind, outcome, blocks, messages, rows
	FROM stream_pgoutput_peek_summary('slot', '{pub}', upto_nmessages => 5, options => '{streaming,on}');

-- Smaller changes, in blocks that depend on the server's version.
BEGIN;
INSERT INTO t VALUES (30, repeat('x', 70000));
UPDATE t SET id = 28 WHERE id = 20;
DELETE FROM t WHERE id = 22;
TRUNCATE u;
SELECT FROM pg_logical_emit_message(true, 'prefix', repeat('x', 70000));
COMMIT;
SELECT message, count(*) > 0 AS some FROM stream_pgoutput_peek('slot', '{pub}', options => '{streaming,on,two_phase,on,messages,on}')
	GROUP BY message ORDER BY message;

-- Both plugins, in all the ways that they can be asked.
SELECT options, compare(options) AS same FROM unnest(ARRAY['{streaming,on}', '{streaming,on,two_phase,on}',
	'{proto_version,3,binary,on,streaming,true,two_phase,on,messages,on}']) o,
	LATERAL (SELECT o::text[] AS options) c;
-- 15 has no streaming = parallel
SELECT compare(CASE WHEN :'from_16' THEN '{streaming,parallel,messages,on}' ELSE '{streaming,on,messages,on}' END::text[]) AS same;
SELECT count(*) = CASE WHEN :'from_16' THEN 3 ELSE 0 END AS aborts_have_more
	FROM stream_pgoutput_peek('slot', '{pub}', options => CASE WHEN :'from_16' THEN '{streaming,Parallel}' ELSE '{streaming,on}' END::text[])
	WHERE message = 'STREAM ABORT' AND detail ? 'abort_lsn' AND detail ? 'abort_time';

-- The same messages as an array.
SELECT compare_decoded('on', 'proto_version', '3', 'streaming', 'on', 'two_phase', 'on') AS same;
ROLLBACK PREPARED 'neither';
