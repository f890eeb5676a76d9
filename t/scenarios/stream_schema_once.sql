-- In a streamed transaction a RELATION is sent once for all its blocks,
-- again after an invalidation, and counts as sent for plain transactions
-- only once the streamed one has committed.
--@ sees BCRISEcY
--@ matrix messages=false origin=any
CREATE TYPE mood AS ENUM ('x');
CREATE TABLE t (id int PRIMARY KEY, m mood, a text);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t, u;

--@ run
--@ session long
BEGIN;
INSERT INTO t SELECT i, 'x', repeat('1', 400) FROM generate_series(1, 130) i;
--@ session short
INSERT INTO t VALUES (1001, 'x', 'not announced to plain ones yet');
INSERT INTO u VALUES (1, 'u');
--@ session long
INSERT INTO u SELECT i, repeat('1', 400) FROM generate_series(101, 230) i;
INSERT INTO t SELECT i, 'x', repeat('1', 400) FROM generate_series(301, 430) i;
COMMIT;
--@ session short
INSERT INTO t VALUES (1002, 'x', 'announced');
--@ session long
BEGIN;
INSERT INTO t SELECT i, 'x', repeat('1', 400) FROM generate_series(501, 630) i;
--@ session short
ALTER TABLE u ADD COLUMN b int;
--@ session long
INSERT INTO u SELECT i, repeat('1', 400) FROM generate_series(701, 830) i;
COMMIT;
--@ session short
INSERT INTO u VALUES (2, 'u');
