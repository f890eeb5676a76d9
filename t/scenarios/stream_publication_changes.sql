-- The publication is changed by another session, and by the transaction
-- itself, between the blocks of a streamed transaction.
--@ sees BCRISEc
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text, b int);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE u;

--@ run
--@ session writer
BEGIN;
INSERT INTO t SELECT i, repeat('1', 400), i FROM generate_series(1, 130) i;
--@ session ddl
ALTER PUBLICATION pub ADD TABLE t WHERE (id % 10 = 0);
--@ session writer
INSERT INTO t SELECT i, repeat('2', 400), i FROM generate_series(201, 330) i;
--@ session ddl
ALTER PUBLICATION pub SET TABLE t (id, b), u;
--@ session writer
INSERT INTO t SELECT i, repeat('3', 400), i FROM generate_series(401, 430) i;
INSERT INTO u SELECT i, repeat('3', 400) FROM generate_series(401, 500) i;
SAVEPOINT s;
ALTER PUBLICATION pub DROP TABLE u;
INSERT INTO u SELECT i, repeat('4', 400) FROM generate_series(501, 510) i;
INSERT INTO t SELECT i, repeat('4', 400), i FROM generate_series(501, 510) i;
ROLLBACK TO s;
INSERT INTO u SELECT i, repeat('5', 400) FROM generate_series(601, 610) i;
INSERT INTO t SELECT i, repeat('5', 400), i FROM generate_series(601, 610) i;
COMMIT;
--@ session ddl
INSERT INTO t VALUES (1001, 'plain', 1);
