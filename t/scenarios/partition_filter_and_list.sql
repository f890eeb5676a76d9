-- Row filters and column lists of the root, the middle and the leaf: which
-- one counts, with and without publishing through the root.
--@ sees BCRIUD
--@ publications root_f | root_fr | leaf_f | root_f, leaf_f | root_fr, leaf_f | root_l | leaf_l | root_l, leaf_l
CREATE TABLE root (id int PRIMARY KEY, a int, b text) PARTITION BY RANGE (id);
CREATE TABLE leaf (b text, a int, id int NOT NULL PRIMARY KEY);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
CREATE TABLE leaf2 PARTITION OF root FOR VALUES FROM (100) TO (200);
CREATE PUBLICATION root_f FOR TABLE root;
CREATE PUBLICATION root_fr FOR TABLE root WHERE (id <> 1) WITH (publish_via_partition_root);
CREATE PUBLICATION leaf_f FOR TABLE leaf WHERE (id < 3);
CREATE PUBLICATION root_l FOR TABLE root (id, b) WITH (publish_via_partition_root);
CREATE PUBLICATION leaf_l FOR TABLE leaf (a, id), leaf2 (id);

--@ run
INSERT INTO root SELECT i, i, 'row ' || i FROM unnest(ARRAY[1, 2, 3, 101]) i;
UPDATE root SET b = 'x';
UPDATE root SET id = id + 10 WHERE id = 3 AND a = 3;
UPDATE root SET id = 150 WHERE id = 1;
DELETE FROM root;
