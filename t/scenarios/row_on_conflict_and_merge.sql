-- Speculative inserts: those that win are rows, those that lose are nothing
-- or an update; MERGE, UPDATE FROM, INSERT ... SELECT of itself.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, n int, a text);
CREATE UNIQUE INDEX ON t (n);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 1, 'a') ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, 2, 'b') ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, 1, 'c') ON CONFLICT (id) DO UPDATE SET a = excluded.a;
INSERT INTO t VALUES (2, 1, 'd'), (3, 3, 'e') ON CONFLICT (n) DO UPDATE SET id = 20;
MERGE INTO t USING (VALUES (20, 'm'), (30, 'n'), (3, 'd')) v(id, a) ON t.id = v.id
	WHEN MATCHED AND v.a = 'd' THEN DELETE
	WHEN MATCHED THEN UPDATE SET a = v.a
	WHEN NOT MATCHED THEN INSERT VALUES (v.id, v.id, v.a);
INSERT INTO t SELECT id + 100, n + 100, a FROM t;
