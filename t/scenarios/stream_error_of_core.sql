-- Where core of 18 itself cannot read on when it streams every change: rows
-- after a savepoint that made a type and a column and was rolled back, with
-- more rewriting DDL behind.  The same error at the same message, and the next
-- call right.
--@ sees BCRIUY
--@18+ error XX000
--@ matrix messages=false origin=any
--@ publications pub | other
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE TABLE t (id int PRIMARY KEY, m mood);
CREATE TABLE t2 (id int PRIMARY KEY, m mood);
CREATE TABLE plain (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t, t2;
CREATE PUBLICATION other FOR TABLE plain;

--@ run
INSERT INTO plain VALUES (1);
BEGIN;
CREATE TYPE fresh AS ENUM ('new');
ALTER TABLE t ADD COLUMN f fresh;
INSERT INTO t VALUES (8, 'a', 'new');
SAVEPOINT s;
CREATE TYPE lost AS ENUM ('lost');
ALTER TABLE t ADD COLUMN l lost;
INSERT INTO t VALUES (9, 'a', 'new', 'lost');
ROLLBACK TO s;
INSERT INTO t VALUES (10, 'a', 'new');
ALTER TABLE t2 ALTER m TYPE fresh USING 'new';
INSERT INTO t2 VALUES (2, 'new');
ALTER TABLE t DROP COLUMN m;
DROP TYPE mood;
CREATE TYPE mood AS ENUM ('back', 'again');
ALTER TABLE t ADD COLUMN m mood DEFAULT 'again';
UPDATE t SET f = NULL WHERE id = 8;
COMMIT;
INSERT INTO plain VALUES (2);
