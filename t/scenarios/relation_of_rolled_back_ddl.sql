-- DDL that is rolled back in a savepoint or with its transaction: rows keep
-- the old shape.
--@ sees BCRI
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 'a');
BEGIN;
ALTER TABLE t ADD COLUMN b int;
INSERT INTO t VALUES (2, 'b', 2);
ROLLBACK;
INSERT INTO t VALUES (3, 'c');
BEGIN;
INSERT INTO t VALUES (4, 'd');
SAVEPOINT s;
ALTER TABLE t DROP COLUMN a;
INSERT INTO t VALUES (5);
ROLLBACK TO s;
INSERT INTO t VALUES (6, 'f');
SAVEPOINT s2;
ALTER TABLE t ADD COLUMN c int DEFAULT 3;
INSERT INTO t VALUES (7, 'g', 7);
RELEASE s2;
INSERT INTO t VALUES (8, 'h', 8);
COMMIT;
