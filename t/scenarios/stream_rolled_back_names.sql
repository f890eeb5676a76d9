-- A transaction that is rolled back drops a table that a publication names,
-- makes all decisions invalid, and goes on with another table: its abort is
-- found where the decision asks who names that, though nobody needs to know.
--@ sees SEA
--@18+ departure stream-abort
--@ matrix messages=false origin=any
--@ publications all | all, root
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION "all" FOR ALL TABLES;
CREATE PUBLICATION root FOR ALL TABLES WITH (publish_via_partition_root);
CREATE PUBLICATION listed FOR TABLE u;

--@ run
INSERT INTO t VALUES (1, 'kept');
BEGIN;
SAVEPOINT s;
DROP TABLE u;
RELEASE s;
SAVEPOINT s;
CREATE SCHEMA lost;
RELEASE s;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(2, 330) i;
ROLLBACK;
INSERT INTO t VALUES (2, 'kept');
