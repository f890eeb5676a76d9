\i sql/include/start.psql
-- Row filter and column list are the ancestor's when rows go out as its, the
-- partition's own when they do not.
CREATE TABLE root (a int, b text, c int, PRIMARY KEY (a)) PARTITION BY RANGE (a);
CREATE TABLE leaf (c int, b text, a int NOT NULL);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
CREATE PUBLICATION pub FOR TABLE root (a, c) WHERE (a > 10), leaf (a, b) WHERE (a > 5)
	WITH (publish_via_partition_root);
CREATE PUBLICATION leaves FOR TABLE leaf (a, b) WHERE (a > 5);
CALL wire.start();
INSERT INTO root VALUES (1, 'one', 1), (7, 'seven', 7), (11, 'eleven', 11);
UPDATE root SET a = a + 20;
UPDATE root SET a = a - 17;
SELECT message FROM wire.show() WHERE message ~ '^[RIUD]';
SELECT wire.compare();
SELECT message FROM wire.show('publication_names', 'leaves') WHERE message ~ '^[RIUD]';
SELECT wire.compare('publication_names', 'leaves');
