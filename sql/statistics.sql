\i sql/include/start.psql
-- What the views say of slots: counted, not read yet, gone; what a reset does.
-- Up to 16 the library must be preloaded for that, and here it is not.
CREATE EXTENSION stream_pgoutput;
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE t (id int PRIMARY KEY, a int, m mood DEFAULT 'good');
CREATE TABLE inserts_only (id int PRIMARY KEY);
CREATE TABLE dark (id int PRIMARY KEY);
CREATE TABLE parted (id int PRIMARY KEY, a int) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (10);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (10) TO (20);
CREATE PUBLICATION pub FOR TABLE t WHERE (id < 100);
CREATE PUBLICATION insert_pub FOR TABLE inserts_only WITH (publish = 'insert');
CREATE PUBLICATION root_pub FOR TABLE parted WITH (publish_via_partition_root = true);
\set options '''proto_version'', ''2'', ''publication_names'', ''pub,insert_pub,root_pub'', ''messages'', ''on'''
SELECT FROM pg_create_logical_replication_slot('slot', 'stream_pgoutput');
SELECT FROM pg_create_logical_replication_slot('other', 'pgoutput');
SELECT slot_name, datname, status, commits, inserts, cache_hits, encode_time, stats_reset FROM pg_stat_stream_pgoutput;

-- What is sent.
INSERT INTO t SELECT g FROM generate_series(1, 5) g;
BEGIN;
UPDATE t SET a = 1 WHERE id < 4;
DELETE FROM t WHERE id = 5;
SELECT FROM pg_logical_emit_message(true, 'prefix', 'content');
COMMIT;
SELECT FROM pg_logical_emit_message(false, 'prefix', 'content');
TRUNCATE t;
INSERT INTO parted VALUES (1), (11);
UPDATE parted SET a = 3 WHERE id = 1;
TRUNCATE parted;
-- What is held back: by the row filter, the action, the publications.
INSERT INTO t SELECT g FROM generate_series(98, 104) g;
INSERT INTO inserts_only VALUES (1);
UPDATE inserts_only SET id = 2;
DELETE FROM inserts_only;
TRUNCATE inserts_only;
INSERT INTO dark SELECT g FROM generate_series(1, 20) g;
TRUNCATE dark;
SELECT count(*) AS messages, sum(length(data)) AS bytes,
	sum(length(data)) FILTER (WHERE chr(get_byte(data, 0)) IN ('I', 'U', 'D')) AS row_bytes
	FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, :options) \gset
SELECT status, commits, stream_commits, empty_txns, inserts, updates, deletes, truncates, logical_messages, relations, types
	FROM pg_stat_stream_pgoutput;
SELECT held_unpublished, held_action, held_filter, held_origin, messages = :messages AS messages_right,
	encoded_bytes = :bytes AS bytes_right, sent_bytes = :bytes AS sent_right, flushes = :messages AS flushes_right, messages_per_flush
	FROM pg_stat_stream_pgoutput;
SELECT cache_builds >= cache_entries AS builds, cache_entries > 0 AS entries, cache_hits + cache_builds AS lookups, encode_time > 0 AS encoding, write_time > 0 AS writing,
	last_commit_time BETWEEN now() - interval '5 min' AND clock_timestamp() AS committed,
	last_sent_time BETWEEN last_commit_time AND clock_timestamp() AS sent,
	last_commit_lsn BETWEEN pg_current_wal_lsn() - 100000 AND pg_current_wal_lsn() AS lsn,
	stats_reset BETWEEN now() - interval '5 min' AND last_sent_time AS counted_since
	FROM pg_stat_stream_pgoutput;
SELECT schemaname, relname, inserts, updates, deletes, truncates, held_back, bytes, stats_since <= clock_timestamp() AS since
	FROM pg_stat_stream_pgoutput_tables ORDER BY relname;
SELECT sum(bytes) = :row_bytes AS row_bytes_right FROM pg_stat_stream_pgoutput_tables;

-- Read again: counted again, with the cache of another session.
SELECT count(*) = :messages AS same FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL, :options);
SELECT commits, inserts, held_unpublished, messages = 2 * :messages AS messages_twice, encoded_bytes = 2 * :bytes AS bytes_twice
	FROM pg_stat_stream_pgoutput;
SELECT relname, inserts, held_back FROM pg_stat_stream_pgoutput_tables ORDER BY relname;
-- An error on the way loses nothing that was counted before, and counts nothing twice.
INSERT INTO t VALUES (6);
SELECT count(*) FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub', 'nonsense', '1');
SELECT inserts FROM pg_stat_stream_pgoutput;

-- Origins.
SELECT FROM pg_replication_origin_create('somewhere');
SELECT FROM pg_replication_origin_session_setup('somewhere');
INSERT INTO t VALUES (7);
SELECT FROM pg_replication_origin_session_reset();
SELECT held_origin FROM pg_stat_stream_pgoutput;
\if :from_16
\set origin ', ''origin'', ''none'''
\else
\set origin
\endif
SELECT count(*) > 0 AS some FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, :options:origin);
-- the row and its COMMIT
SELECT held_origin FROM pg_stat_stream_pgoutput;

-- Reset, while the slot is idle.
SELECT stream_pgoutput_stat_reset('slot');
SELECT status, commits, inserts, held_origin, cache_hits, messages_per_flush, last_commit_lsn, last_commit_time, last_sent_time, stats_reset > now() - interval '1 min' AS reset
	FROM pg_stat_stream_pgoutput;
SELECT count(*) AS tables FROM pg_stat_stream_pgoutput_tables;
SELECT count(*) FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL, :options);
SELECT commits, inserts FROM pg_stat_stream_pgoutput;
SELECT relname, inserts FROM pg_stat_stream_pgoutput_tables ORDER BY relname;
SELECT stream_pgoutput_stat_reset();
SELECT commits, inserts FROM pg_stat_stream_pgoutput;
SELECT stream_pgoutput_stat_reset('nobody');
-- Of a slot that was never read with the library there is nothing to reset.
SELECT stream_pgoutput_stat_reset('other');

-- Streamed transactions.
CALL wire.stream_every_change();
BEGIN;
INSERT INTO t SELECT g FROM generate_series(10, 12) g;
SAVEPOINT s;
INSERT INTO t VALUES (13);
ROLLBACK TO s;
INSERT INTO t VALUES (14);
COMMIT;
SELECT count(*) > 0 AS some FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL, :options, 'streaming', 'on');
SELECT commits + stream_commits AS commits, stream_blocks > 3 AS blocks, inserts >= 4 AS inserts
	FROM pg_stat_stream_pgoutput;

-- The slot is dropped, and its name used again: nothing of the old one.
SELECT pg_drop_replication_slot('slot');
SELECT count(*) AS slots FROM pg_stat_stream_pgoutput;
SELECT count(*) AS tables FROM pg_stat_stream_pgoutput_tables;
SELECT FROM pg_create_logical_replication_slot('slot', 'stream_pgoutput');
SELECT slot_name, status, commits FROM pg_stat_stream_pgoutput;
SELECT pg_drop_replication_slot('slot');
-- ... by another plugin, in the same place
SELECT FROM pg_create_logical_replication_slot('slot', 'stream_pgoutput');
SELECT count(*) FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL, :options);
SELECT pg_drop_replication_slot('slot');
SELECT FROM pg_create_logical_replication_slot('slot', 'pgoutput');
SELECT count(*) AS slots FROM pg_stat_stream_pgoutput;
SELECT pg_drop_replication_slot('slot');
SELECT pg_drop_replication_slot('other');

-- Only so many tables are counted: the heavy ones stay.
SELECT FROM pg_create_logical_replication_slot('slot', 'stream_pgoutput');
CREATE PUBLICATION all_pub FOR ALL TABLES;
CREATE TABLE heavy (id int PRIMARY KEY, a text);
DO $$ BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('CREATE TABLE light_%s (id int)', i);
	END LOOP;
END $$;
DO $$ BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('INSERT INTO light_%s VALUES (1)', i);
		IF i % 20 = 0 THEN INSERT INTO heavy VALUES (i, repeat('x', 1000)); END IF;
	END LOOP;
END $$;
SELECT count(*) > 400 AS many FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL, 'proto_version', '1', 'publication_names', 'all_pub');
SELECT count(*), max(bytes) = max(bytes) FILTER (WHERE relname = 'heavy') AS heaviest, max(inserts) FILTER (WHERE relname = 'heavy') AS heavy,
	max(inserts) FILTER (WHERE relname <> 'heavy') AS light FROM pg_stat_stream_pgoutput_tables;
SELECT inserts FROM pg_stat_stream_pgoutput;
SELECT pg_drop_replication_slot('slot');
