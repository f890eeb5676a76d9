\i sql/include/start.psql
-- A value in the TOAST table that did not change is sent as "u"; one that did,
-- or that was compressed in line, in full.
CREATE TABLE t (id int PRIMARY KEY, v int, big text, packed text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
INSERT INTO t VALUES (1, 1, repeat('x', 5000), repeat('p', 5000));
CALL wire.start();
UPDATE t SET v = 2;
UPDATE t SET big = big;
UPDATE t SET big = big || 'y';
UPDATE t SET id = 2;
SELECT message FROM wire.show() WHERE message ~ '^U';
SELECT wire.compare();
SELECT message FROM wire.show('binary', 'true') WHERE message ~ '^U.* u';

-- In full identity the old row has it.
CALL wire.skip();
ALTER TABLE t REPLICA IDENTITY FULL;
UPDATE t SET v = 3;
DELETE FROM t;
SELECT message FROM wire.show() WHERE message ~ '^[UD]';
SELECT wire.compare();

-- As a key.
CALL wire.skip();
CREATE TABLE k (big text PRIMARY KEY, v int);
ALTER TABLE k ALTER big SET STORAGE EXTERNAL;
ALTER PUBLICATION pub ADD TABLE k;
INSERT INTO k VALUES (repeat('k', 2500), 1);
UPDATE k SET v = 2;
DELETE FROM k;
SELECT message FROM wire.show() WHERE message ~ '^[IUD]';
SELECT wire.compare();
