\i sql/include/start.psql
-- RELATION and rows have the columns of the list, in the table's order.
CREATE TABLE t (a int, b text, c int, d text, PRIMARY KEY (c));
CREATE PUBLICATION pub FOR TABLE t (d, c);
CALL wire.start();
INSERT INTO t VALUES (1, 'b', 3, 'd');
UPDATE t SET a = 2, b = 'bb';
UPDATE t SET c = 4;
DELETE FROM t;
SELECT * FROM wire.show();
SELECT wire.compare();

-- The list changes; RELATION comes again.
CALL wire.skip();
INSERT INTO t VALUES (1, 'b', 3, 'd');
ALTER PUBLICATION pub SET TABLE t (a, c);
INSERT INTO t VALUES (1, 'b', 4, 'd');
ALTER TABLE t RENAME a TO z;
INSERT INTO t VALUES (1, 'b', 5, 'd');
ALTER TABLE t ADD e int;
INSERT INTO t VALUES (1, 'b', 6, 'd', 7);
ALTER PUBLICATION pub SET TABLE t;
INSERT INTO t VALUES (1, 'b', 8, 'd', 9);
SELECT message FROM wire.show() WHERE message ~ '^[RI]';
SELECT wire.compare();
