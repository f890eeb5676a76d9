\i sql/include/start.psql
-- STREAM START, STOP and COMMIT.  A row that is larger than the memory for
-- decoding ends a block; first = 1 in the transaction's first block only.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
INSERT INTO t VALUES (2, repeat('y', 70000));
INSERT INTO t VALUES (3, 'short');
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT lsn, message FROM wire.hex('proto_version', '2', 'streaming', 'on')
	WHERE message ~ '^(53|45|63)';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- Each change inside a block has the xid in front.
CALL wire.skip();
BEGIN;
UPDATE t SET id = -id, big = NULL WHERE id IN (1, 3);
DELETE FROM t WHERE id = 2;
INSERT INTO t VALUES (4, repeat('z', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT message FROM wire.hex('proto_version', '2', 'streaming', 'on')
	WHERE message ~ '^(52|55|44)';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- Not asked for, the same transaction is an ordinary one.
SELECT * FROM wire.show('proto_version', '2');
SELECT wire.compare('proto_version', '2');
