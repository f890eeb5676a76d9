\i sql/include/start.psql
-- UPDATE: with no old row, with the old key (K), with the whole old row (O).
CREATE TABLE t (id int PRIMARY KEY, v text);
CREATE PUBLICATION pub FOR TABLE t;
INSERT INTO t VALUES (1, 'one');
CALL wire.start();

-- The key did not change: the new row alone.
UPDATE t SET v = 'uno';
SELECT message FROM wire.hex() WHERE message LIKE '55%';

-- It did: the old key, NULL elsewhere.
CALL wire.skip();
UPDATE t SET id = 2, v = NULL;
SELECT message FROM wire.hex() WHERE message LIKE '55%';

-- Replica identity full: always the old row.
CALL wire.skip();
ALTER TABLE t REPLICA IDENTITY FULL;
UPDATE t SET v = 'two';
UPDATE t SET v = 'two';
SELECT message FROM wire.hex() WHERE message LIKE '55%';
SELECT message FROM wire.show() WHERE message LIKE 'U%';
SELECT wire.compare();
