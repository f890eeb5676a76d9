\i sql/include/start.psql
-- UPDATE and a row filter: neither row matches, only the new one (an INSERT),
-- only the old one (a DELETE), both.
CREATE TABLE t (id int PRIMARY KEY, v int, other text);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t WHERE (v > 10);
INSERT INTO t VALUES (1, 5), (2, 5), (3, 15), (4, 15);
CALL wire.start();
UPDATE t SET v = 6 WHERE id = 1;
UPDATE t SET v = 16 WHERE id = 2;
UPDATE t SET v = 7 WHERE id = 3;
UPDATE t SET v = 17 WHERE id = 4;
UPDATE t SET other = 'x';
SELECT * FROM wire.show();
SELECT wire.compare();

-- INSERT and DELETE.
CALL wire.skip();
INSERT INTO t VALUES (5, 10), (6, 11);
DELETE FROM t WHERE id IN (5, 6);
SELECT * FROM wire.show();
SELECT wire.compare();

-- NULL is false, in either row.
CALL wire.skip();
INSERT INTO t VALUES (7, NULL), (8, NULL);
UPDATE t SET v = 20 WHERE id = 7;
UPDATE t SET v = NULL WHERE id = 7;
UPDATE t SET other = 'y' WHERE id = 8;
DELETE FROM t WHERE id IN (7, 8);
SELECT * FROM wire.show();
SELECT wire.compare();

-- The key as identity: without an old row, the new one has its key.
CALL wire.skip();
CREATE TABLE k (id int PRIMARY KEY, v text);
ALTER PUBLICATION pub SET TABLE k WHERE (id > 10);
INSERT INTO k VALUES (5, 'five'), (15, 'fifteen');
UPDATE k SET v = 'x';
UPDATE k SET id = 6 WHERE id = 5;
UPDATE k SET id = 16 WHERE id = 6;
UPDATE k SET id = 17 WHERE id = 16;
UPDATE k SET id = 7 WHERE id = 17;
DELETE FROM k;
SELECT message FROM wire.show() WHERE message ~ '^[IUD]';
SELECT wire.compare();
