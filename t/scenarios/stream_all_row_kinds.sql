-- Updates, deletes and truncates with every identity, filters that turn
-- updates into inserts and deletes, leaves through a root, in a stream.
--@ sees BCRIUDTSEc
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a int, b text);
CREATE TABLE f (id int, a int, b text);
ALTER TABLE f REPLICA IDENTITY FULL;
CREATE TABLE root (id int PRIMARY KEY, a int, b text) PARTITION BY RANGE (id);
CREATE TABLE leaf (b text, a int, id int NOT NULL);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (1000);
CREATE PUBLICATION pub FOR TABLE t (id, b), f WHERE (a > 5), root WITH (publish_via_partition_root);

--@ run
BEGIN;
INSERT INTO t SELECT i, i, repeat('t', 400) FROM generate_series(1, 60) i;
INSERT INTO f SELECT i, i, repeat('f', 400) FROM generate_series(1, 40) i;
INSERT INTO root SELECT i, i, repeat('r', 400) FROM generate_series(1, 40) i;
UPDATE t SET b = 'x' WHERE id % 7 = 0;
UPDATE t SET id = -id WHERE id % 9 = 0;
UPDATE f SET a = a - 6 WHERE id % 3 = 0;
UPDATE f SET a = a + 10 WHERE id % 5 = 0;
UPDATE root SET id = id + 100 WHERE id % 11 = 0;
DELETE FROM t WHERE id < 0;
DELETE FROM f WHERE id > 20;
DELETE FROM root WHERE id < 20;
TRUNCATE root, t;
COMMIT;
