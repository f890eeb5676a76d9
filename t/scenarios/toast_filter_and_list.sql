-- Large values in a row filter and in a column list: the filter sees the old
-- row's value when the new row's did not change, and an update that becomes
-- an insert carries the value in full.
--@ sees BCRIUD
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE TABLE t (id int PRIMARY KEY, n int, big text, other text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL, ALTER other SET STORAGE EXTERNAL;
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE TABLE u (id int PRIMARY KEY, n int, big text, other text);
ALTER TABLE u ALTER big SET STORAGE EXTERNAL, ALTER other SET STORAGE EXTERNAL;
CREATE PUBLICATION filtered FOR TABLE t WHERE (length(big) > 2000 AND n > 0);
CREATE PUBLICATION listed FOR TABLE u (id, n), t;
CREATE PUBLICATION listed_big FOR TABLE u (big, id);

--@ publications filtered | listed | listed_big | filtered, listed
--@ run
INSERT INTO t SELECT i, i % 2, noise(80), noise(90) FROM generate_series(1, 4) i;
UPDATE t SET n = 1;
UPDATE t SET n = 0 WHERE id = 1;
UPDATE t SET n = 1 WHERE id = 1;
UPDATE t SET big = 'small' WHERE id = 2;
UPDATE t SET big = noise(100) WHERE id = 2;
UPDATE t SET other = other || 'x' WHERE id = 3;
DELETE FROM t WHERE id < 3;
INSERT INTO u SELECT i, i, noise(80), noise(90) FROM generate_series(1, 2) i;
UPDATE u SET n = -n;
UPDATE u SET other = noise(95);
UPDATE u SET big = big || 'y' WHERE id = 1;
DELETE FROM u;
