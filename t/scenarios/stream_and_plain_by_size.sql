-- Transactions just below and above the memory limit, several open at once,
-- so that the largest is chosen, again and again.
--@ sees BCRISEc
--@ matrix messages=false origin=any memory=small
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session a
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 60) i;
--@ session b
BEGIN;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(1001, 1040) i;
--@ session c
BEGIN;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(2001, 2050) i;
--@ session a
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(101, 150) i;
--@ session b
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(1101, 1200) i;
SAVEPOINT s;
--@ session c
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(2101, 2180) i;
COMMIT;
--@ session b
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(1301, 1340) i;
ROLLBACK TO s;
COMMIT;
--@ session a
UPDATE t SET a = 'A' WHERE id < 100;
COMMIT;
