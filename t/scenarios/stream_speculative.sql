-- Speculative inserts, won and lost, and TOAST, on both sides of block
-- limits.
--@ sees BCRIUSEc
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
ALTER TABLE t ALTER a SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 100) i ON CONFLICT DO NOTHING;
INSERT INTO t SELECT i, repeat('b', 3000) FROM generate_series(95, 120) i
	ON CONFLICT (id) DO UPDATE SET a = excluded.a;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(50, 150) i ON CONFLICT DO NOTHING;
UPDATE t SET id = -id WHERE id > 90;
COMMIT;
