\i sql/include/start.psql
-- STREAM ABORT has an LSN and a time too, but only if streaming is parallel
-- (from 16 on), not if the protocol's version alone is high enough.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
CALL wire.stream_every_change();
\set VERBOSITY terse
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO t VALUES (2, repeat('x', 70000));
ROLLBACK TO s;
INSERT INTO t VALUES (3, repeat('x', 70000));
COMMIT;
BEGIN;
INSERT INTO t VALUES (4, repeat('x', 70000));
ROLLBACK;
INSERT INTO t VALUES (5, 'short');
SELECT * FROM wire.hex('proto_version', '4', 'streaming', 'parallel') WHERE message ~ '^41';
SELECT * FROM wire.show('proto_version', '4', 'streaming', 'parallel');
SELECT wire.compare('proto_version', '4', 'streaming', 'parallel');
SELECT * FROM wire.hex('proto_version', '4', 'streaming', 'on') WHERE message ~ '^41';
SELECT wire.compare('proto_version', '4', 'streaming', 'on');
