-- The same among streamed transactions that are announced and that abort
-- savepoints of their own: only the unannounced aborts are left out.
--@ sees BCRISEcA
--@ matrix messages=false origin=any
--@18+ departure stream-abort
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session keeps
BEGIN;
INSERT INTO t SELECT i, repeat('k', 400) FROM generate_series(1001, 1130) i;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('k', 400) FROM generate_series(1201, 1330) i;
--@ session loses
BEGIN;
SAVEPOINT a;
INSERT INTO t SELECT i, 'sub' FROM generate_series(2, 6) i;
SAVEPOINT b;
INSERT INTO t SELECT i, 'sub' FROM generate_series(7, 9) i;
RELEASE b;
RELEASE a;
SAVEPOINT c;
INSERT INTO t SELECT i, 'sub' FROM generate_series(12, 16) i;
ROLLBACK TO c;
INSERT INTO t SELECT i, repeat('l', 400) FROM generate_series(101, 350) i;
--@ session keeps
ROLLBACK TO s;
INSERT INTO t SELECT i, repeat('m', 400) FROM generate_series(1401, 1530) i;
--@ session loses
ROLLBACK;
--@ session keeps
COMMIT;
INSERT INTO t VALUES (1, 'after');
