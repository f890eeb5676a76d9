\i sql/include/start.psql
-- STREAM PREPARE ends a streamed transaction that is prepared.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start(two_phase => true);
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
PREPARE TRANSACTION 'streamed';
COMMIT PREPARED 'streamed';
SELECT * FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'true');
SELECT lsn, message FROM wire.hex('proto_version', '3', 'streaming', 'on', 'two_phase', 'true') WHERE message ~ '^(70|4b)';
SELECT wire.compare('proto_version', '3', 'streaming', 'on', 'two_phase', 'true');
