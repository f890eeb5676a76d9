-- Logical messages, transactional and not: alone, between rows, in rolled
-- back transactions and savepoints; their LSNs in header and body.
--@ sees BCRIM
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
SELECT pg_logical_emit_message(false, 'non-transactional', 'alone');
SELECT pg_logical_emit_message(true, 'transactional', 'alone');
BEGIN;
INSERT INTO t VALUES (1);
SELECT pg_logical_emit_message(true, 'transactional', 'between rows');
SELECT pg_logical_emit_message(false, 'non-transactional', 'between rows');
INSERT INTO t VALUES (2);
SAVEPOINT s;
SELECT pg_logical_emit_message(true, 'transactional', 'lost');
SELECT pg_logical_emit_message(false, 'non-transactional', 'not lost');
INSERT INTO t VALUES (3);
ROLLBACK TO s;
SELECT pg_logical_emit_message(true, 'transactional', 'last');
COMMIT;
BEGIN;
SELECT pg_logical_emit_message(true, 'transactional', 'rolled back');
SELECT pg_logical_emit_message(false, 'non-transactional', 'of a rolled back transaction');
ROLLBACK;
BEGIN;
SELECT pg_logical_emit_message(true, 'a', 'one'), pg_logical_emit_message(true, 'b', 'two'), pg_logical_emit_message(false, 'c', 'three');
COMMIT;
--@ session other
BEGIN;
INSERT INTO t VALUES (10);
--@ session main
SELECT pg_logical_emit_message(false, 'between', 'transactions');
--@ session other
COMMIT;
