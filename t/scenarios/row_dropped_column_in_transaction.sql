-- Columns dropped and added between the rows of one transaction: each row is
-- read with the layout that it was written with.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, a text, b int);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'a', 1);
ALTER TABLE t DROP COLUMN a;
INSERT INTO t VALUES (2, 2);
UPDATE t SET b = 10 WHERE id = 1;
ALTER TABLE t ADD COLUMN a int DEFAULT 7;
INSERT INTO t VALUES (3, 3, 3);
ALTER TABLE t RENAME COLUMN b TO "B b";
UPDATE t SET a = 8 WHERE id = 1;
ALTER TABLE t ALTER COLUMN "B b" TYPE numeric(10,2);
UPDATE t SET "B b" = 1.5 WHERE id = 2;
ALTER TABLE t RENAME TO "T t";
DELETE FROM "T t" WHERE id = 3;
CREATE SCHEMA other;
ALTER TABLE "T t" SET SCHEMA other;
DELETE FROM other."T t" WHERE id = 1;
COMMIT;
