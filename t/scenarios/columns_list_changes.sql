-- The list changes between rows and inside a transaction; listed columns are
-- renamed, dropped (with the list) and added again.
--@ sees BCRIUD
CREATE TABLE t (a int PRIMARY KEY, b int, c int, d int, e int, f int);
CREATE PUBLICATION pub FOR TABLE t (a, c, e);

--@ run
INSERT INTO t VALUES (1, 2, 3, 4, 5, 6);
ALTER PUBLICATION pub SET TABLE t (a, b);
INSERT INTO t VALUES (2, 2, 3, 4, 5, 6);
ALTER TABLE t RENAME b TO "B";
INSERT INTO t VALUES (3, 2, 3, 4, 5, 6);
BEGIN;
INSERT INTO t VALUES (4, 2, 3, 4, 5, 6);
ALTER PUBLICATION pub SET TABLE t (f, a);
INSERT INTO t VALUES (5, 2, 3, 4, 5, 6);
ALTER TABLE t DROP COLUMN "B", ADD COLUMN b text DEFAULT 'b';
INSERT INTO t VALUES (6, 3, 4, 5, 6, 'new b');
SAVEPOINT s;
ALTER PUBLICATION pub SET TABLE t;
INSERT INTO t VALUES (7, 3, 4, 5, 6, 'all');
ROLLBACK TO s;
UPDATE t SET b = 'x' WHERE a = 1;
ALTER PUBLICATION pub SET TABLE t (a, b);
UPDATE t SET b = 'y' WHERE a = 2;
COMMIT;
ALTER TABLE t ADD COLUMN g int DEFAULT 9;
UPDATE t SET f = 0 WHERE a = 3;
DELETE FROM t WHERE a = 4;
