\i sql/include/start.psql
-- Slots made by SQL, copied from and to pgoutput.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
SELECT slot_name, lsn IS NOT NULL AS has_lsn
	FROM pg_create_logical_replication_slot('slot', 'stream_pgoutput');
SELECT FROM pg_create_logical_replication_slot('passing', 'stream_pgoutput', true);
SELECT FROM pg_create_logical_replication_slot('prepared', 'stream_pgoutput', false, true);
SELECT FROM pg_create_logical_replication_slot('theirs', 'pgoutput');
SELECT slot_name, plugin, temporary, two_phase FROM pg_replication_slots ORDER BY 1;

INSERT INTO t VALUES (1);
SELECT FROM pg_copy_logical_replication_slot('theirs', 'ours', false, 'stream_pgoutput');
SELECT FROM pg_copy_logical_replication_slot('slot', 'back', false, 'pgoutput');
SELECT slot_name, plugin, encode(substr(data, 6), 'escape') AS row FROM pg_replication_slots,
	pg_logical_slot_get_binary_changes(slot_name, NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')
	WHERE get_byte(data, 0) = ascii('I') AND slot_name <> 'prepared' ORDER BY 1;

-- Reading moved them on.
SELECT * FROM wire.show();
INSERT INTO t VALUES (2), (3);
INSERT INTO t VALUES (4);

-- A limit on the number of changes ends with a transaction.
SELECT count(*) FROM pg_logical_slot_get_binary_changes('slot', NULL, 1,
	'proto_version', '1', 'publication_names', 'pub');
SELECT * FROM wire.show();
SELECT FROM (SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots) dropped;
SELECT count(*) FROM pg_replication_slots;
