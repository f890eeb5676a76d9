-- User-defined types that change between rows and inside a transaction:
-- values added, renamed, types renamed, moved, dropped and made again.
--@ sees BCRIUY
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE DOMAIN d AS int;
CREATE TYPE pair AS (x int, y int);
CREATE TABLE t (id int PRIMARY KEY, m mood, v d, p pair);
CREATE TABLE t2 (id int PRIMARY KEY, m mood);
CREATE PUBLICATION pub FOR TABLE t, t2;

--@ run
INSERT INTO t VALUES (1, 'a', 1, '(1,1)');
ALTER TYPE mood ADD VALUE 'c';
INSERT INTO t VALUES (2, 'c', 2, '(2,2)');
ALTER TYPE mood ADD VALUE 'ab' BEFORE 'b';
INSERT INTO t VALUES (3, 'ab', 3, NULL);
ALTER TYPE mood RENAME VALUE 'c' TO 'sea';
INSERT INTO t2 VALUES (1, 'sea');
UPDATE t SET v = 4 WHERE m = 'sea';
ALTER TYPE mood RENAME TO humour;
INSERT INTO t VALUES (4, 'a', 4, NULL);
CREATE SCHEMA moved;
ALTER TYPE humour SET SCHEMA moved;
ALTER DOMAIN d RENAME TO dd;
INSERT INTO t VALUES (5, 'a', 5, '(,)');
ALTER DOMAIN dd ADD CHECK (VALUE > 0);
INSERT INTO t VALUES (6, 'b', 6, '(,)');
ALTER TYPE pair ADD ATTRIBUTE z text;
INSERT INTO t VALUES (7, 'b', 7, '(1,2,three)');
BEGIN;
CREATE TYPE fresh AS ENUM ('new');
ALTER TABLE t ADD COLUMN f fresh;
INSERT INTO t VALUES (8, 'a', 8, NULL, 'new');
INSERT INTO t VALUES (10, 'a', 8, NULL, 'new');
ALTER TABLE t DROP COLUMN m;
ALTER TABLE t2 DROP COLUMN m;
DROP TYPE moved.humour;
CREATE TYPE mood AS ENUM ('back', 'again');
ALTER TABLE t ADD COLUMN m mood DEFAULT 'again';
UPDATE t SET v = 99 WHERE id = 1;
COMMIT;
UPDATE t SET v = 98, m = 'back' WHERE id < 3;
ALTER TABLE t2 ADD m mood DEFAULT 'back';
ALTER TABLE t2 ALTER m DROP DEFAULT;
INSERT INTO t2 VALUES (2, 'again');
ALTER TABLE t2 ALTER m TYPE fresh USING 'new';
INSERT INTO t2 VALUES (3, 'new');
