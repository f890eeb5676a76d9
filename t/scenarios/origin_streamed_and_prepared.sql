-- Origins of streamed and of prepared transactions: ORIGIN only with the
-- first block, right after BEGIN PREPARE; with none nothing dangles.
--@ sees BCORISEcbPK
--@ matrix messages=false
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;
SELECT pg_replication_origin_create('stream_diff_large');

--@ run
--@ session replay
SELECT pg_replication_origin_session_setup('stream_diff_large');
BEGIN;
SELECT pg_replication_origin_xact_setup('0/5000', '2024-05-05 05:05+00');
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 200) i;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(301, 430) i;
ROLLBACK TO s;
COMMIT;
BEGIN;
SELECT pg_replication_origin_xact_setup('0/6000', '2024-06-06 06:06+00');
INSERT INTO t VALUES (1001, 'prepared');
PREPARE TRANSACTION 'origin';
COMMIT PREPARED 'origin';
BEGIN;
SELECT pg_replication_origin_xact_setup('0/8000', '2024-08-08 08:08+00');
INSERT INTO t SELECT i, repeat('p', 400) FROM generate_series(2001, 2150) i;
PREPARE TRANSACTION 'large origin';
ROLLBACK PREPARED 'large origin';
SELECT pg_replication_origin_session_reset();
INSERT INTO t VALUES (3000, 'local');
