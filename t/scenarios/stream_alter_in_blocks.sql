-- DDL between the blocks of a streamed transaction: columns added, types
-- made, publications changed, tables made and dropped.
--@ sees BCRISEcY
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('1', 400) FROM generate_series(1, 130) i;
CREATE TYPE mood AS ENUM ('x', 'y');
ALTER TABLE t ADD COLUMN m mood;
INSERT INTO t SELECT i, repeat('2', 400), 'x' FROM generate_series(201, 330) i;
CREATE TABLE made AS SELECT i AS id, repeat('3', 400) AS a FROM generate_series(1, 100) i;
ALTER TABLE made REPLICA IDENTITY FULL;
DELETE FROM made WHERE id > 90;
DROP TABLE made;
UPDATE t SET m = 'y' WHERE id < 10;
TRUNCATE t;
INSERT INTO t VALUES (1, 'after truncate', 'x');
COMMIT;
