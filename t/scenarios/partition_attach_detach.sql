-- Partitions are attached, detached, made and dropped between rows and in a
-- transaction.
--@ sees BCRIU
--@ publications pub | rooted
CREATE TABLE root (id int PRIMARY KEY, a text) PARTITION BY RANGE (id);
CREATE TABLE one PARTITION OF root FOR VALUES FROM (0) TO (10);
CREATE TABLE two (a text, id int NOT NULL PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);

--@ run
INSERT INTO root VALUES (1, 'one');
INSERT INTO two VALUES ('alone', 11);
ALTER TABLE root ATTACH PARTITION two FOR VALUES FROM (10) TO (20);
INSERT INTO root VALUES (12, 'attached');
BEGIN;
INSERT INTO two VALUES ('direct', 13);
ALTER TABLE root DETACH PARTITION two;
INSERT INTO two VALUES ('alone again', 14);
CREATE TABLE three PARTITION OF root FOR VALUES FROM (20) TO (30);
INSERT INTO root VALUES (21, 'three');
SAVEPOINT s;
ALTER TABLE root ATTACH PARTITION two FOR VALUES FROM (10) TO (20);
INSERT INTO root VALUES (15, 'lost');
ROLLBACK TO s;
INSERT INTO two VALUES ('still alone', 16);
DROP TABLE three;
COMMIT;
ALTER TABLE root ADD COLUMN b int DEFAULT 5;
INSERT INTO root VALUES (2, 'b', 2);
UPDATE root SET a = 'b' WHERE id = 1;
