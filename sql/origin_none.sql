\i sql/include/start.psql
-- origin = none (from 16 on): nothing that came from an origin is sent.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start(two_phase => true);
SELECT FROM pg_replication_origin_create('north');
INSERT INTO t VALUES (1);
SELECT FROM pg_replication_origin_session_setup('north');
INSERT INTO t VALUES (2);
SELECT FROM pg_logical_emit_message(true, 'in', 'x');
SELECT FROM pg_logical_emit_message(false, 'out', 'x');
TRUNCATE t;
BEGIN;
INSERT INTO t VALUES (3);
PREPARE TRANSACTION 'three';
COMMIT PREPARED 'three';
BEGIN;
INSERT INTO t VALUES (4, repeat('x', 70000));
COMMIT;
SELECT FROM pg_replication_origin_session_reset();
INSERT INTO t VALUES (5);
\set VERBOSITY terse
SELECT * FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'messages', 'on', 'origin', 'none');
SELECT * FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'messages', 'on', 'origin', 'any');
SELECT wire.compare('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'messages', 'on', 'origin', 'none');
SELECT wire.compare('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'messages', 'on', 'origin', 'any');
