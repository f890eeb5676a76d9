-- Rolled-back savepoints in a streamed transaction: aborts name the
-- subtransaction, and what was sent of the schema in the lost part is sent
-- again.
--@ sees BCRISEcA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 150) i;
SAVEPOINT a;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(201, 320) i;
ROLLBACK TO a;
INSERT INTO t SELECT i, 'seven' FROM generate_series(401, 407) i;
SAVEPOINT n1;
INSERT INTO t VALUES (501, repeat('1', 400));
SAVEPOINT n2;
INSERT INTO t SELECT i, repeat('2', 400) FROM generate_series(502, 520) i;
SAVEPOINT n3;
INSERT INTO t SELECT i, repeat('3', 400) FROM generate_series(521, 640) i;
SAVEPOINT n4;
INSERT INTO t VALUES (641, '4');
SAVEPOINT n5;
INSERT INTO t VALUES (642, '5');
ROLLBACK TO n3;
INSERT INTO t VALUES (643, '2 again');
RELEASE n1;
INSERT INTO t VALUES (644, 'top');
COMMIT;
INSERT INTO t VALUES (1000, 'after');
