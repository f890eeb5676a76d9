-- A transaction that core throws away before it was ever announced: pgoutput
-- of 18 sends a STREAM ABORT for it, in every mode; ours does not.
--@ sees BCRI
--@18+ departure stream-abort
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'top');
SAVEPOINT s;
INSERT INTO t SELECT i, 'sub' FROM generate_series(2, 6) i;
RELEASE s;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(101, 350) i;
ROLLBACK;
INSERT INTO t VALUES (1, 'after');
