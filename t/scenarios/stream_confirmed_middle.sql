-- Reading begins in the middle of a large transaction.
--@ sees BCRISEc
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session long
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 150) i;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(201, 300) i;
--@ confirm
ROLLBACK TO s;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(301, 400) i;
COMMIT;
INSERT INTO t VALUES (1000, 'last');
