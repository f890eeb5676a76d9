-- Leaves with other column orders and dropped columns, published through
-- the root and as themselves; rows move between leaves.
--@ sees BCRIUDT
--@ publications pub | rooted | pub, rooted | leaf | leaf, rooted
CREATE TABLE root (a int, b text, c int, PRIMARY KEY (a, c)) PARTITION BY RANGE (c);
CREATE TABLE reversed (c int NOT NULL, b text, a int NOT NULL);
CREATE TABLE dropped (x int, a int NOT NULL, y text, b text, c int NOT NULL);
ALTER TABLE dropped DROP x, DROP y;
ALTER TABLE root ATTACH PARTITION reversed FOR VALUES FROM (0) TO (10);
ALTER TABLE root ATTACH PARTITION dropped FOR VALUES FROM (10) TO (20);
CREATE TABLE same PARTITION OF root FOR VALUES FROM (20) TO (30);
CREATE TABLE other PARTITION OF root DEFAULT;
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION leaf FOR TABLE reversed, same;

--@ run
INSERT INTO root VALUES (1, 'one', 1), (11, 'eleven', 11), (21, 'twenty-one', 21), (31, NULL, 31);
UPDATE root SET b = b || '!';
UPDATE root SET a = a + 100;
UPDATE root SET c = c + 10 WHERE c < 20;
UPDATE root SET c = 5 WHERE c = 31;
INSERT INTO reversed VALUES (2, 'direct', 2);
DELETE FROM root WHERE a > 110;
TRUNCATE root;
