-- Large values in streamed transactions, in pieces, in savepoints that are
-- rolled back; a value of several hundred kilobytes.
--@ sees BCRIUSEcA
--@ matrix messages=false origin=any
CREATE FUNCTION noise(n int) RETURNS text LANGUAGE sql AS
	$$ SELECT string_agg(md5(i::text), '') FROM generate_series(1, n) i $$;
CREATE TABLE t (id int PRIMARY KEY, n int, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t SELECT i, i, noise(300) FROM generate_series(1, 15) i;
UPDATE t SET n = -n WHERE id < 5;
SAVEPOINT s;
INSERT INTO t SELECT i, i, noise(300) FROM generate_series(101, 115) i;
UPDATE t SET big = big || 'x' WHERE id = 5;
ROLLBACK TO s;
INSERT INTO t VALUES (200, 200, repeat('0123456789', 50000));
UPDATE t SET n = 1 WHERE id = 200;
COMMIT;
