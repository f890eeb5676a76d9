\i sql/include/start.psql
-- DELETE: the old key (K) or the whole old row (O).
CREATE TABLE t (id int PRIMARY KEY, v text);
CREATE PUBLICATION pub FOR TABLE t;
INSERT INTO t VALUES (1, 'one'), (2, 'two');
CALL wire.start();
DELETE FROM t WHERE id = 1;
SELECT message FROM wire.hex() WHERE message LIKE '44%';
ALTER TABLE t REPLICA IDENTITY FULL;
DELETE FROM t WHERE id = 2;
SELECT message FROM wire.hex() WHERE message LIKE '44%';
SELECT message FROM wire.show() WHERE message LIKE 'D%';
SELECT wire.compare();
