\i sql/include/start.psql
-- TRUNCATE of a root and of a partition, published through the root or not.
CREATE TABLE root (a int PRIMARY KEY) PARTITION BY LIST (a);
CREATE TABLE one PARTITION OF root FOR VALUES IN (1);
CREATE TABLE two PARTITION OF root FOR VALUES IN (2);
CREATE PUBLICATION pub FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION leaves FOR TABLE root;
CALL wire.start();
TRUNCATE root;
TRUNCATE one;
SELECT * FROM wire.show();
SELECT wire.compare();
SELECT * FROM wire.show('publication_names', 'leaves');
SELECT wire.compare('publication_names', 'leaves');
