-- Large transactions that are rolled back: with savepoints, with DDL, alone
-- and between others; and one that commits after most of it was rolled back.
--@ sees BCRISEcA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session a
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 130) i;
ROLLBACK;
BEGIN;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(1, 130) i;
ALTER TABLE t ADD COLUMN b int;
INSERT INTO t SELECT i, repeat('b', 400), i FROM generate_series(201, 330) i;
ROLLBACK;
INSERT INTO t VALUES (1, 'plain');
BEGIN;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(201, 530) i;
ROLLBACK TO s;
INSERT INTO t VALUES (2, 'what is left');
COMMIT;
BEGIN;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('d', 400) FROM generate_series(201, 330) i;
ROLLBACK TO s;
COMMIT;
