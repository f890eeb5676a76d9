-- A list with a filter on a column that is not in it, by several
-- publications, through a root.
--@ sees BCRIUD
--@ publications one | rooted | one, two
CREATE TABLE t (id int PRIMARY KEY, a int, b text, c text);
CREATE TABLE root (id int PRIMARY KEY, a int, b text) PARTITION BY RANGE (id);
CREATE TABLE leaf (b text, id int NOT NULL, a int);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
CREATE PUBLICATION one FOR TABLE t (id, b) WHERE (id < 10);
CREATE PUBLICATION two FOR TABLE t (b, id) WHERE (a > 0) WITH (publish = 'insert');
CREATE PUBLICATION rooted FOR TABLE root (b, id) WHERE (id <> 3) WITH (publish_via_partition_root);

--@ run
INSERT INTO t VALUES (1, 0, 'b', 'c'), (11, 1, 'b', 'c'), (12, 0, 'b', 'c');
UPDATE t SET b = 'bb';
UPDATE t SET id = id + 5;
DELETE FROM t;
INSERT INTO root VALUES (1, 1, 'one'), (3, 3, 'three'), (60, 60, 'sixty');
UPDATE root SET a = -a;
UPDATE root SET id = id + 20 WHERE id < 50;
DELETE FROM root;
