-- Large values in leaves with another column order, published through the
-- root, with and without a row filter.
--@ sees BCRIUD
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE TABLE root (id int, n int, big text, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE leaf (big text, gone int, n int, id int NOT NULL);
ALTER TABLE leaf DROP gone, ALTER big SET STORAGE EXTERNAL;
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (10);
CREATE TABLE leaf2 PARTITION OF root FOR VALUES FROM (10) TO (20);
ALTER TABLE root REPLICA IDENTITY FULL;
ALTER TABLE leaf REPLICA IDENTITY FULL;
ALTER TABLE leaf2 REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION filtered FOR TABLE root WHERE (n > 0 AND big > '') WITH (publish_via_partition_root);

--@ publications pub | rooted | filtered
--@ run
INSERT INTO root SELECT i, i % 2, noise(80 + i) FROM generate_series(1, 2) i;
UPDATE root SET n = n + 1;
UPDATE root SET n = 0 WHERE id = 1;
UPDATE root SET n = 5 WHERE id = 1;
UPDATE root SET id = 11 WHERE id = 1;
UPDATE root SET big = NULL WHERE id = 2;
DELETE FROM root;
