-- Rows, truncates and messages with an origin, with and without a position
-- and time of it; with origin none nothing of them is sent.
--@ sees BCORITM
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
SELECT pg_replication_origin_create('stream_diff "origin" ä');

--@ run
INSERT INTO t VALUES (1);
--@ session replay
SELECT pg_replication_origin_session_setup('stream_diff "origin" ä');
INSERT INTO t VALUES (2);
BEGIN;
SELECT pg_replication_origin_xact_setup('0/ABCDEF', '2020-02-29 12:00:00.123456+00');
INSERT INTO t VALUES (3), (4);
SELECT pg_logical_emit_message(true, 'with origin', 'transactional');
SELECT pg_logical_emit_message(false, 'with origin', 'non-transactional');
COMMIT;
BEGIN;
SELECT pg_replication_origin_xact_setup('FFFFFFFF/FFFFFFFE', '2000-01-01 00:00+00');
TRUNCATE t;
COMMIT;
BEGIN;
SELECT pg_replication_origin_xact_setup('0/1', '1999-12-31 23:59:59+00');
ALTER TABLE t ADD COLUMN a int;
INSERT INTO t VALUES (5, 5);
SAVEPOINT s;
INSERT INTO t VALUES (6, 6);
ROLLBACK TO s;
COMMIT;
SELECT pg_logical_emit_message(true, 'alone', 'with origin');
SELECT pg_logical_emit_message(false, 'alone', 'with origin');
SELECT pg_replication_origin_session_reset();
INSERT INTO t VALUES (7, 7);
