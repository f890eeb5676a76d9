-- Children of plain inheritance are published as themselves, with their own
-- columns, whatever publish_via_partition_root says.
--@ sees BCRIUDT
--@ publications pub | rooted | only_parent | every
CREATE TABLE parent (id int PRIMARY KEY, a text);
CREATE TABLE child (extra int, more text) INHERITS (parent);
ALTER TABLE child ADD PRIMARY KEY (id);
CREATE TABLE grandchild (deep date) INHERITS (child);
ALTER TABLE grandchild REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE parent;
CREATE PUBLICATION rooted FOR TABLE parent WITH (publish_via_partition_root);
CREATE PUBLICATION only_parent FOR TABLE ONLY parent;
CREATE PUBLICATION every FOR ALL TABLES WITH (publish_via_partition_root);

--@ run
INSERT INTO parent VALUES (1, 'p');
INSERT INTO child VALUES (2, 'c', 2, 'more');
INSERT INTO grandchild VALUES (3, 'g', 3, 'more', '2024-01-01');
UPDATE parent SET a = a || '!';
UPDATE parent SET id = id + 10;
DELETE FROM parent WHERE id = 12;
TRUNCATE ONLY parent;
TRUNCATE parent;
