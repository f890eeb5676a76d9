-- A streamed and prepared transaction is committed, or rolled back, by a
-- session with an origin.  To a client that wants no origins that end is not
-- sent; core aborts the stream instead, which the client has seen.
--@ sees BCRIUDTbPKrSEcAp
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;
SELECT pg_replication_origin_create('stream_diff origin');

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 250) i;
PREPARE TRANSACTION 'rolled back';
--@ session replay
SELECT pg_replication_origin_session_setup('stream_diff origin');
ROLLBACK PREPARED 'rolled back';
--@ session main
BEGIN;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 250) i;
PREPARE TRANSACTION 'committed';
--@ session replay
COMMIT PREPARED 'committed';
--@ session main
DELETE FROM t WHERE id > 200;
TRUNCATE t;
BEGIN;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(1, 250) i;
COMMIT;
UPDATE t SET a = 'y' WHERE id = 1;
BEGIN;
INSERT INTO t VALUES (1000, 'small');
PREPARE TRANSACTION 'also rolled back';
--@ session replay
ROLLBACK PREPARED 'also rolled back';
--@ session main
BEGIN;
INSERT INTO t VALUES (1001, 'small');
PREPARE TRANSACTION 'rolled back by no origin';
ROLLBACK PREPARED 'rolled back by no origin';
