-- Columns added with a default after the rows were written: the old image
-- under full identity holds the default, not NULL.
--@ sees BCRIUD
CREATE DOMAIN score AS int DEFAULT 42 CHECK (VALUE > 0);
CREATE TABLE t (a int, b int, c int);
ALTER TABLE t REPLICA IDENTITY FULL;
INSERT INTO t SELECT i, i * 2, i * 3 FROM generate_series(1, 20) i;
ALTER TABLE t ADD COLUMN flag bool NOT NULL DEFAULT true,
	ADD COLUMN body text DEFAULT repeat('long default ', 250),
	ADD COLUMN n numeric DEFAULT 3.14159265358979,
	ADD COLUMN s score;
ALTER TABLE t DROP COLUMN b;
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION filtered FOR TABLE t WHERE (flag AND n > 3 AND length(body) > 10);
CREATE PUBLICATION listed FOR TABLE t (a, c, flag, s, n) WITH (publish = 'insert');

--@ publications pub | filtered | listed
--@ run
UPDATE t SET c = -c WHERE a <= 5;
UPDATE t SET flag = false WHERE a = 6;
UPDATE t SET s = 7 WHERE a = 7;
DELETE FROM t WHERE a BETWEEN 3 AND 8;
BEGIN;
ALTER TABLE t ADD COLUMN later int[] DEFAULT '{1,2,3}';
UPDATE t SET c = 0 WHERE a = 9;
DELETE FROM t WHERE a = 10;
COMMIT;
INSERT INTO t (a) VALUES (100);
