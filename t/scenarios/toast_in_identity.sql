-- A large value that is part of the identity: old key in full when it
-- changed, and what core sends when it did not.
--@ sees BCRUD
CREATE TABLE t (id int, k text NOT NULL, n int);
ALTER TABLE t ALTER k SET STORAGE EXTERNAL;
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE UNIQUE INDEX t_k ON t (k);
ALTER TABLE t REPLICA IDENTITY USING INDEX t_k;
INSERT INTO t SELECT i, left(noise(80), 2500) || i, i FROM generate_series(1, 4) i;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
UPDATE t SET n = 10 WHERE id = 1;
UPDATE t SET k = k, n = 11 WHERE id = 2;
UPDATE t SET k = k || 'x' WHERE id = 3;
UPDATE t SET k = 'short' WHERE id = 4;
DELETE FROM t WHERE id = 1;
DELETE FROM t;
