\i sql/include/start.psql
-- Without two_phase, a prepared transaction is sent when it is committed.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (1);
PREPARE TRANSACTION 'one';
SELECT * FROM wire.show('proto_version', '3');
COMMIT PREPARED 'one';
BEGIN;
INSERT INTO t VALUES (2);
PREPARE TRANSACTION 'two';
ROLLBACK PREPARED 'two';
INSERT INTO t VALUES (3);
SELECT * FROM wire.show('proto_version', '3');
SELECT wire.compare('proto_version', '3');

-- The option switches it on for a slot that has it not, from here on.
CALL wire.skip();
BEGIN;
INSERT INTO t VALUES (4);
PREPARE TRANSACTION 'four';
SELECT * FROM wire.show('proto_version', '3', 'two_phase', 'true');
SELECT two_phase FROM pg_replication_slots;

-- There it stays, also if it is not asked for any more.
SELECT * FROM wire.show('proto_version', '3');
COMMIT PREPARED 'four';
SELECT * FROM wire.show('proto_version', '3');

-- What was prepared before is sent whole at its commit.
SELECT FROM (SELECT pg_drop_replication_slot('slot')) dropped;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (5);
PREPARE TRANSACTION 'five';
CALL wire.skip();
COMMIT PREPARED 'five';
SELECT * FROM wire.show('proto_version', '3', 'two_phase', 'true');
SELECT wire.compare('proto_version', '3', 'two_phase', 'true');
