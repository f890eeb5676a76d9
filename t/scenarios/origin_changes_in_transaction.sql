-- The origin is set, and reset, in the middle of a transaction.
--@ sees BCORI
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
SELECT pg_replication_origin_create('stream_diff_1');
SELECT pg_replication_origin_create('stream_diff_2');

--@ run
--@ session replay
BEGIN;
INSERT INTO t VALUES (1);
SELECT pg_replication_origin_session_setup('stream_diff_1');
INSERT INTO t VALUES (2);
SELECT pg_logical_emit_message(true, 'one', 'x');
COMMIT;
BEGIN;
INSERT INTO t VALUES (3);
SELECT pg_replication_origin_session_reset();
INSERT INTO t VALUES (4);
SELECT pg_replication_origin_session_setup('stream_diff_2');
INSERT INTO t VALUES (5);
SELECT pg_replication_origin_session_reset();
COMMIT;
BEGIN;
SELECT pg_replication_origin_session_setup('stream_diff_2');
INSERT INTO t VALUES (6);
SELECT pg_replication_origin_xact_setup('0/100', '2024-01-01 00:00+00');
COMMIT;
