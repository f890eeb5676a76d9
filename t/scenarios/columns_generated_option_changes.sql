-- publish_generated_columns is changed between rows and in a transaction,
-- beside a row filter; leaves with a generated column under a root that
-- publishes.
--@17- skip
--@ sees BCRIUD
--@ publications pub | rooted
CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, a int);
CREATE TABLE root (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED) PARTITION BY RANGE (id);
CREATE TABLE leaf (g int GENERATED ALWAYS AS (id * 3) STORED, id int NOT NULL);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
CREATE PUBLICATION pub FOR TABLE t WHERE (id < 100), root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root, publish_generated_columns = stored);

--@ run
INSERT INTO t (id, a) VALUES (1, 1), (101, 1);
ALTER PUBLICATION pub SET (publish_generated_columns = stored);
INSERT INTO t (id, a) VALUES (2, 2);
BEGIN;
INSERT INTO t (id, a) VALUES (3, 3);
INSERT INTO root (id) VALUES (3);
ALTER PUBLICATION pub SET (publish_generated_columns = none);
ALTER PUBLICATION rooted SET (publish_generated_columns = none);
INSERT INTO t (id, a) VALUES (4, 4);
INSERT INTO root (id) VALUES (4);
COMMIT;
UPDATE t SET a = 5;
UPDATE root SET id = id + 10;
DELETE FROM root;
DELETE FROM t;
