-- A transaction that is rolled back makes all decisions invalid and goes on
-- with a partition: its abort is found by what the decision reads of the
-- catalogs, so that nothing may be read that this kind of publication does not
-- need.
--@ sees SEA
--@ matrix messages=false origin=any
--@ publications all | root | listed | all, root
CREATE TABLE t (id int, k int, a text, PRIMARY KEY (id, k)) PARTITION BY LIST (k);
CREATE TABLE t_1 PARTITION OF t DEFAULT;
CREATE PUBLICATION "all" FOR ALL TABLES;
CREATE PUBLICATION root FOR ALL TABLES WITH (publish_via_partition_root);
CREATE PUBLICATION listed FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 1, 'kept');
BEGIN;
CREATE SCHEMA lost;
INSERT INTO t SELECT i, i, repeat('x', 400) FROM generate_series(2, 330) i;
ROLLBACK;
INSERT INTO t VALUES (2, 1, 'kept');
