-- One row changed many times by nested subtransactions: hot updates, key
-- changes there and back, update after delete and insert of the same key.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, n int);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 0);
UPDATE t SET n = n + 1;
SAVEPOINT a;
UPDATE t SET id = 2;
SAVEPOINT b;
UPDATE t SET id = 1;
ROLLBACK TO b;
UPDATE t SET n = 7;
RELEASE a;
DELETE FROM t;
INSERT INTO t VALUES (2, 8);
UPDATE t SET id = 3, n = 9;
COMMIT;
UPDATE t SET n = 10;
UPDATE t SET id = 4;
DELETE FROM t;
