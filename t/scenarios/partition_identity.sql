-- Replica identities that differ between root and leaves; an update through
-- the root of a leaf without one, deletes that have no old row.
--@ sees BCRIUD
--@ publications rooted | pub
CREATE TABLE root (id int, a text) PARTITION BY RANGE (id);
CREATE TABLE with_key (a text, id int NOT NULL PRIMARY KEY);
CREATE TABLE full_one (a text, id int);
CREATE TABLE by_index (id int NOT NULL, a text NOT NULL);
CREATE UNIQUE INDEX by_index_a ON by_index (a);
ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_a;
ALTER TABLE full_one REPLICA IDENTITY FULL;
ALTER TABLE root ATTACH PARTITION with_key FOR VALUES FROM (0) TO (10);
ALTER TABLE root ATTACH PARTITION full_one FOR VALUES FROM (10) TO (20);
ALTER TABLE root ATTACH PARTITION by_index FOR VALUES FROM (20) TO (30);
CREATE PUBLICATION pub FOR TABLE root;
CREATE PUBLICATION rooted FOR TABLE root WITH (publish_via_partition_root);

--@ run
INSERT INTO root VALUES (1, 'key'), (11, 'full'), (21, 'index');
UPDATE root SET a = a || '!';
UPDATE root SET id = id + 1;
UPDATE root SET id = 12 WHERE id = 2;
UPDATE root SET id = 22, a = 'moved' WHERE a = 'full!';
DELETE FROM root;
