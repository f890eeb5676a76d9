\i sql/include/start.psql
-- STREAM ABORT, the short form: the top transaction, and what was rolled back.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();

CALL wire.stream_every_change();

-- Of a subtransaction.  What comes after it describes the table again.
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO t VALUES (2, repeat('x', 70000));
ROLLBACK TO s;
INSERT INTO t VALUES (3, repeat('x', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT * FROM wire.hex('proto_version', '2', 'streaming', 'on') WHERE message ~ '^41';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- Of a whole transaction: the same xid twice.
CALL wire.skip();
BEGIN;
INSERT INTO t VALUES (11, repeat('x', 70000));
ROLLBACK;
INSERT INTO t VALUES (12, repeat('x', 70000));
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT * FROM wire.hex('proto_version', '2', 'streaming', 'on') WHERE message ~ '^41';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- Streaming not asked for: nothing.
SELECT * FROM wire.show('proto_version', '2');
SELECT wire.compare('proto_version', '2');
