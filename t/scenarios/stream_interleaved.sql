-- Two streamed transactions that take turns, with small plain ones between;
-- one of them rolled back, then two that both commit; tables in common.
--@ sees BCRISEcA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t, u;

--@ run
--@ session one
BEGIN;
INSERT INTO t SELECT i, repeat('1', 400) FROM generate_series(1, 120) i;
--@ session two
BEGIN;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('2', 400) FROM generate_series(1001, 1120) i;
--@ session plain
INSERT INTO u VALUES (1, 'plain');
--@ session one
INSERT INTO u SELECT i, repeat('1', 400) FROM generate_series(2001, 2110) i;
--@ session two
ROLLBACK TO s;
INSERT INTO u SELECT i, repeat('2', 400) FROM generate_series(3001, 3120) i;
--@ session plain
INSERT INTO u VALUES (2, 'plain');
ALTER TABLE t SET (fillfactor = 90);
--@ session one
ROLLBACK;
--@ session two
INSERT INTO t SELECT i, repeat('2', 400) FROM generate_series(4001, 4110) i;
COMMIT;
--@ session one
BEGIN;
INSERT INTO t SELECT i, repeat('3', 400) FROM generate_series(5001, 5120) i;
--@ session two
BEGIN;
INSERT INTO t SELECT i, repeat('4', 400) FROM generate_series(6001, 6120) i;
--@ session one
COMMIT;
--@ session two
INSERT INTO u SELECT i, repeat('4', 400) FROM generate_series(7001, 7120) i;
COMMIT;
INSERT INTO t VALUES (9999, 'last');
