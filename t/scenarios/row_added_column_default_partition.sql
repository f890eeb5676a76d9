-- The same for leaves of a partitioned table with another column order,
-- published through the root.
--@ sees BCRUD
CREATE TABLE root (a int, b int, c int) PARTITION BY RANGE (a);
CREATE TABLE leaf (c int, junk text, b int, a int);
ALTER TABLE leaf DROP COLUMN junk;
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
ALTER TABLE root REPLICA IDENTITY FULL;
ALTER TABLE leaf REPLICA IDENTITY FULL;
INSERT INTO root SELECT i, i, i FROM generate_series(1, 10) i;
ALTER TABLE root ADD COLUMN flag bool NOT NULL DEFAULT true,
	ADD COLUMN body text DEFAULT repeat('d', 3000);
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION filtered FOR TABLE root WHERE (flag) WITH (publish_via_partition_root);

--@ publications pub | rooted | filtered
--@ run
UPDATE root SET b = -1 WHERE a <= 3;
UPDATE root SET flag = false WHERE a = 4;
DELETE FROM root WHERE a IN (1, 4, 5);
