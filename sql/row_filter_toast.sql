\i sql/include/start.psql
-- A row filter and unchanged TOASTed values: the new row gets them from the
-- old one, so that an UPDATE that becomes an INSERT has them in full.
CREATE TABLE t (id int PRIMARY KEY, v int, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t WHERE (v > 10);
INSERT INTO t VALUES (1, 5, repeat('x', 5000)), (2, 15, repeat('y', 5000));
CALL wire.start();
UPDATE t SET v = v + 10;
SELECT * FROM wire.show();
SELECT wire.compare();

-- The filter looks at the TOASTed column itself.
CALL wire.skip();
ALTER PUBLICATION pub SET TABLE t WHERE (length(big) > 4000 AND v > 16);
UPDATE t SET v = v + 10;
SELECT * FROM wire.show();
SELECT wire.compare();
