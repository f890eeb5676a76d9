-- Twenty publications at once, that name a table over and over.
--@ sees BCRIUDT
--@ publications p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p20 | p20, p1
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE TABLE u (id int PRIMARY KEY, a int);
DO $$
BEGIN
	FOR i IN 1..20 LOOP
		EXECUTE format('CREATE PUBLICATION p%s FOR TABLE %s WHERE (id > %s) WITH (publish = %L)', i,
			CASE i % 2 WHEN 0 THEN 't' ELSE 'u' END, i % 5,
			(ARRAY['insert', 'update', 'delete, truncate', 'insert, delete'])[i % 4 + 1]);
	END LOOP;
END $$;

--@ run
INSERT INTO t SELECT i, i FROM generate_series(1, 6) i;
INSERT INTO u SELECT i, i FROM generate_series(1, 6) i;
UPDATE t SET a = -a;
UPDATE u SET a = -a;
DELETE FROM t WHERE id < 4;
DELETE FROM u WHERE id < 4;
TRUNCATE t, u;
