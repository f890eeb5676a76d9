\i sql/include/start.psql
-- publish_via_partition_root: rows go out as the topmost published ancestor's,
-- with its columns in its order.
CREATE TABLE root (a int, b text, c int, PRIMARY KEY (a, c)) PARTITION BY LIST (c);
CREATE TABLE middle (c int NOT NULL, a int NOT NULL, b text) PARTITION BY LIST (a);
CREATE TABLE leaf (dropped int, b text, c int NOT NULL, a int NOT NULL);
ALTER TABLE leaf DROP dropped;
CREATE TABLE plain PARTITION OF root FOR VALUES IN (1);
ALTER TABLE middle ATTACH PARTITION leaf FOR VALUES IN (1, 2);
ALTER TABLE root ATTACH PARTITION middle FOR VALUES IN (2);
CREATE PUBLICATION pub FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION leaves FOR TABLE root;
CREATE PUBLICATION from_middle FOR TABLE middle WITH (publish_via_partition_root);
CREATE PUBLICATION all_roots FOR ALL TABLES WITH (publish_via_partition_root);
CALL wire.start();
INSERT INTO root VALUES (1, 'plain', 1), (1, 'leaf', 2);
UPDATE root SET b = b || '!';
UPDATE root SET a = 2;
-- From one partition to another.
UPDATE root SET a = 1, c = 2 WHERE b = 'plain!';
DELETE FROM root;
SELECT * FROM wire.show();
SELECT wire.compare();

-- Without it, each partition as itself.
SELECT * FROM wire.show('publication_names', 'leaves');
SELECT wire.compare('publication_names', 'leaves');

-- The topmost of what several publications say.
SELECT message FROM wire.show('publication_names', 'from_middle') WHERE message ~ '^[RI]';
SELECT message FROM wire.show('publication_names', 'from_middle,leaves') WHERE message ~ '^[RI]';
SELECT message FROM wire.show('publication_names', 'from_middle,pub') WHERE message ~ '^[RI]';
SELECT message FROM wire.show('publication_names', 'all_roots') WHERE message ~ '^[RI]';
SELECT wire.compare('publication_names', 'from_middle');
SELECT wire.compare('publication_names', 'from_middle,leaves');
SELECT wire.compare('publication_names', 'from_middle,pub');
SELECT wire.compare('publication_names', 'all_roots');
