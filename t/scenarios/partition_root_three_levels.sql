-- Three levels, each with its own column order; publications of the root,
-- of the middle, of a leaf, with and without publishing through the root;
-- which of them is the topmost one that counts.
--@ sees BCRIUDT
--@ matrix messages=false origin=any
--@ publications top | top_rooted | mid_rooted | mid_rooted, top | top_rooted, leaf | leaf, mid | mid_rooted, top_rooted | every_rooted | every | sch_rooted
CREATE SCHEMA s;
CREATE TABLE top (id int, k int, v text) PARTITION BY RANGE (id);
CREATE TABLE s.mid (v text, id int, gone int, k int) PARTITION BY LIST (k);
ALTER TABLE s.mid DROP gone;
CREATE TABLE leaf1 (k int, v text, id int);
CREATE TABLE leaf2 (gone text, id int, k int, v text);
ALTER TABLE leaf2 DROP gone;
ALTER TABLE s.mid ATTACH PARTITION leaf1 FOR VALUES IN (1);
ALTER TABLE s.mid ATTACH PARTITION leaf2 FOR VALUES IN (2);
ALTER TABLE top ATTACH PARTITION s.mid FOR VALUES FROM (0) TO (100);
CREATE TABLE leaf3 PARTITION OF top FOR VALUES FROM (100) TO (200);
ALTER TABLE top REPLICA IDENTITY FULL;
ALTER TABLE s.mid REPLICA IDENTITY FULL;
ALTER TABLE leaf1 REPLICA IDENTITY FULL;
ALTER TABLE leaf2 REPLICA IDENTITY FULL;
ALTER TABLE leaf3 REPLICA IDENTITY FULL;
CREATE PUBLICATION top FOR TABLE top;
CREATE PUBLICATION top_rooted FOR TABLE top WITH (publish_via_partition_root);
CREATE PUBLICATION mid FOR TABLE s.mid;
CREATE PUBLICATION mid_rooted FOR TABLE s.mid WITH (publish_via_partition_root);
CREATE PUBLICATION leaf FOR TABLE leaf1;
CREATE PUBLICATION every FOR ALL TABLES;
CREATE PUBLICATION every_rooted FOR ALL TABLES WITH (publish_via_partition_root);
CREATE PUBLICATION sch_rooted FOR TABLES IN SCHEMA s WITH (publish_via_partition_root);

--@ run
INSERT INTO top VALUES (1, 1, 'a'), (2, 2, 'b'), (101, 1, 'c');
UPDATE top SET v = v || '!';
UPDATE top SET k = 3 - k WHERE id < 100;
UPDATE top SET id = id + 100 WHERE id = 1;
DELETE FROM top WHERE id = 2;
TRUNCATE s.mid;
TRUNCATE top;
TRUNCATE leaf1, leaf3;
