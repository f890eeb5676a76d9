-- Messages in streamed and in prepared transactions, in subtransactions that
-- are rolled back, as all that a block holds; xid only inside a block.
--@ sees BCRIMSEcA
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
SELECT pg_logical_emit_message(true, 'first', repeat('m', 1000)) FROM generate_series(1, 20);
INSERT INTO t SELECT i, repeat('t', 400) FROM generate_series(1, 90) i;
SELECT pg_logical_emit_message(false, 'non-transactional', 'in between');
SAVEPOINT s;
SELECT pg_logical_emit_message(true, 'sub', repeat('s', 1000)) FROM generate_series(1, 80);
ROLLBACK TO s;
SELECT pg_logical_emit_message(true, 'last', repeat('m', 1000)) FROM generate_series(1, 20);
COMMIT;
BEGIN;
SELECT pg_logical_emit_message(true, 'only messages', repeat('m', 1000)) FROM generate_series(1, 90);
COMMIT;
BEGIN;
INSERT INTO t VALUES (1000, 'x');
SELECT pg_logical_emit_message(true, 'prepared', repeat('m', 1000)) FROM generate_series(1, 90);
PREPARE TRANSACTION 'messages';
COMMIT PREPARED 'messages';
