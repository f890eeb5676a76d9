-- A large value that did not change is 'u' in the new row, in full where it
-- changed, and in full in the old row of full identity; for text, jsonb,
-- bytea, arrays, domains and composites, external and extended.
--@ sees BCRIUDY
CREATE DOMAIN body AS text;
CREATE TYPE pair AS (a text, b text);
CREATE TABLE t (id int PRIMARY KEY, n int, tx text, j jsonb, b bytea, a text[], d body, c pair, small text);
ALTER TABLE t ALTER tx SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL, ALTER d SET STORAGE EXTERNAL;
CREATE TABLE f (LIKE t INCLUDING ALL);
ALTER TABLE f REPLICA IDENTITY FULL;
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE PUBLICATION pub FOR TABLE t, f;

--@ run
INSERT INTO t SELECT 1, 1, noise(100), jsonb_build_object('k', noise(120)), noise(100)::bytea, ARRAY[noise(100), 'x'], noise(100), ROW(noise(110), 'b')::pair, 'small';
INSERT INTO f SELECT * FROM t;
UPDATE t SET n = 2;
UPDATE t SET tx = tx, small = 'changed';
UPDATE t SET tx = tx || '.';
UPDATE t SET id = 2;
UPDATE f SET n = 2;
UPDATE f SET j = j || '{"new": 1}';
UPDATE f SET a = NULL, d = 'now small';
UPDATE t SET tx = NULL, b = '\x', c.b = 'bb';
DELETE FROM t;
DELETE FROM f;
