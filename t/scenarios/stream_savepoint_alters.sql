-- A savepoint that alters the table and is rolled back in a streamed
-- transaction; then rows in the old shape, and another ALTER that stays.
--@ sees BCRI
--@16+ sees SEcA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t, u;

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 30) i;
SAVEPOINT s;
ALTER TABLE t ADD COLUMN b int DEFAULT 5;
INSERT INTO t SELECT i, repeat('b', 400), i FROM generate_series(201, 220) i;
INSERT INTO u VALUES (1, 'first in the lost part');
ROLLBACK TO s;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(301, 310) i;
INSERT INTO u VALUES (2, 'after');
SAVEPOINT k;
ALTER TABLE u ADD COLUMN c int DEFAULT 7;
INSERT INTO u VALUES (3, 'kept', 3);
RELEASE k;
INSERT INTO u VALUES (4, 'kept', 4);
COMMIT;
