-- A type made in a savepoint that is rolled back, and a column of that type:
-- it is announced in a stream only, and the rows that follow have the old
-- shape.
--@ sees BCRIY
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE TABLE t (id int PRIMARY KEY, m mood);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'a');
CREATE TYPE fresh AS ENUM ('new');
ALTER TABLE t ADD COLUMN f fresh;
INSERT INTO t VALUES (2, 'a', 'new');
SAVEPOINT s;
CREATE TYPE lost AS ENUM ('lost');
ALTER TABLE t ADD COLUMN l lost;
INSERT INTO t VALUES (3, 'a', 'new', 'lost');
ROLLBACK TO s;
INSERT INTO t VALUES (4, 'a', 'new');
ALTER TABLE t DROP COLUMN m;
INSERT INTO t VALUES (5, 'new');
COMMIT;
INSERT INTO t VALUES (6, 'new');
