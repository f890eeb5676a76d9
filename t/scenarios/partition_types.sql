-- Leaves whose columns have the root's types by other means: domains and
-- enums (TYPE messages), a root of a composite type, defaults added to a
-- leaf only.
--@ sees BCRIUDY
--@ publications pub | rooted
CREATE TYPE mood AS ENUM ('a', 'b');
CREATE DOMAIN d AS text;
CREATE TABLE root (id int, m mood, v d, n numeric(10, 3)) PARTITION BY LIST (m);
CREATE TABLE leaf_a (n numeric(10, 3), v d DEFAULT 'leaf default', m mood, id int);
ALTER TABLE root ATTACH PARTITION leaf_a FOR VALUES IN ('a');
CREATE TABLE leaf_b PARTITION OF root FOR VALUES IN ('b', NULL);
ALTER TABLE root REPLICA IDENTITY FULL;
ALTER TABLE leaf_a REPLICA IDENTITY FULL;
ALTER TABLE leaf_b REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);

--@ run
INSERT INTO root VALUES (1, 'a', 'x', 1.5), (2, 'b', NULL, NULL), (3, NULL, 'z', 0);
INSERT INTO leaf_a (id, m) VALUES (4, 'a');
UPDATE root SET m = 'b' WHERE id = 1;
UPDATE root SET m = 'a', n = -1 WHERE id = 3;
UPDATE root SET n = n + 1;
DELETE FROM root;
