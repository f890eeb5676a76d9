-- Values compressed in the row, with pglz and lz4, and compressed and
-- outside; a column whose compression method changes.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, n int, p text COMPRESSION pglz, l text COMPRESSION lz4, m text);
ALTER TABLE t ALTER m SET STORAGE MAIN;
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 1, repeat('pglz ', 1000), repeat('lz4 ', 1000), repeat('main ', 1000));
INSERT INTO t VALUES (2, 1, repeat('p', 30000), repeat('l', 60000), repeat('m', 20000));
UPDATE t SET n = 2;
ALTER TABLE t ALTER p SET COMPRESSION lz4;
UPDATE t SET p = p || 'again';
DELETE FROM t;
