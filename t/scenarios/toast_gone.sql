-- The TOAST rows are gone by the time of reading: table rewritten, dropped,
-- truncated.
--@ sees BCRIU
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE TABLE t (id int PRIMARY KEY, n int, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE TABLE dropped (LIKE t INCLUDING ALL);
CREATE PUBLICATION pub FOR TABLE t, dropped;

--@ run
INSERT INTO t SELECT i, i, noise(100 + i) FROM generate_series(1, 3) i;
INSERT INTO dropped SELECT * FROM t;
UPDATE t SET n = 0;
UPDATE dropped SET n = 0;
VACUUM FULL t;
UPDATE t SET n = 1;
BEGIN;
UPDATE t SET n = 2, big = noise(90) WHERE id = 1;
ALTER TABLE t ADD COLUMN z int DEFAULT random() * 0;
UPDATE t SET n = 3;
UPDATE dropped SET n = 1;
DROP TABLE dropped;
COMMIT;
TRUNCATE t;
