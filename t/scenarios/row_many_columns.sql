-- 1,600 columns, most of them NULL; and a table as wide as that with half of
-- them dropped.
--@ sees BCRIUD
--@ matrix origin=any messages=false
DO $$
BEGIN
	EXECUTE (SELECT 'CREATE TABLE wide (' || string_agg('c' || i || ' int', ', ') || ')'
			 FROM generate_series(1, 1600) i);
	EXECUTE (SELECT 'CREATE TABLE half (' || string_agg('c' || i || ' int', ', ') || ')'
			 FROM generate_series(1, 400) i);
	EXECUTE (SELECT 'ALTER TABLE half ' || string_agg('DROP c' || i * 2, ', ')
			 FROM generate_series(1, 200) i);
END $$;
ALTER TABLE wide REPLICA IDENTITY FULL;
ALTER TABLE half REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE wide, half;

--@ run
INSERT INTO wide (c1, c800, c1600) VALUES (1, 800, 1600), (NULL, NULL, NULL);
UPDATE wide SET c1599 = 7;
DELETE FROM wide;
INSERT INTO half (c1, c399) VALUES (1, 399);
UPDATE half SET c3 = 3;
DELETE FROM half;
