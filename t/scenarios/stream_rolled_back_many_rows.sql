-- A transaction that is rolled back makes all decisions invalid before each of
-- its blocks, which are many: who names its tables is read only once, so its
-- abort is not found before it is decoded.
--@ sees SEA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE t0 PARTITION OF t FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE t1 PARTITION OF t FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE t2 PARTITION OF t FOR VALUES WITH (MODULUS 3, REMAINDER 2);
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
INSERT INTO t SELECT generate_series(1, 30);
BEGIN;
CREATE SCHEMA lost;
INSERT INTO t SELECT generate_series(1001, 2500);
ROLLBACK;
INSERT INTO t SELECT generate_series(31, 60);
