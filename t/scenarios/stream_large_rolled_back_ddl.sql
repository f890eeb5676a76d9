-- In-progress transactions with DDL of their own that are rolled back, found
-- so by the reader in the middle of a block, again and again; the next ones
-- are right.
--@ sees BCRISEcA
--@18+ departure stream-abort
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
BEGIN;
CREATE TYPE made AS ENUM ('x');
CREATE TABLE lost (m made, a text);
INSERT INTO lost SELECT 'x', repeat('1', 400) FROM generate_series(1, 150) i;
ALTER TABLE lost ADD COLUMN b int;
INSERT INTO lost SELECT 'x', repeat('2', 400), i FROM generate_series(1, 150) i;
ROLLBACK;
INSERT INTO t SELECT i, repeat('k', 400) FROM generate_series(1, 150) i;
BEGIN;
SAVEPOINT a;
ALTER TABLE t ADD COLUMN b int;
INSERT INTO t SELECT i, repeat('3', 400), i FROM generate_series(201, 350) i;
ROLLBACK TO a;
SAVEPOINT b;
ALTER TABLE t ADD COLUMN c text;
INSERT INTO t SELECT i, repeat('4', 400), 'c' FROM generate_series(401, 450) i;
RELEASE b;
ROLLBACK;
BEGIN;
ALTER TABLE t ADD COLUMN d int DEFAULT 4;
INSERT INTO t SELECT i, repeat('5', 400), i FROM generate_series(501, 650) i;
COMMIT;
