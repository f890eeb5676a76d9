\i sql/include/start.psql
-- BEGIN PREPARE, PREPARE, COMMIT PREPARED, ROLLBACK PREPARED.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start(two_phase => true);
BEGIN;
INSERT INTO t VALUES (1);
PREPARE TRANSACTION 'gid one';
SELECT * FROM wire.hex('proto_version', '3', 'two_phase', 'true');
COMMIT PREPARED 'gid one';
BEGIN;
INSERT INTO t VALUES (2);
PREPARE TRANSACTION 'gid two';
ROLLBACK PREPARED 'gid two';
INSERT INTO t VALUES (3);
SELECT * FROM wire.hex('proto_version', '3', 'two_phase', 'true');
SELECT * FROM wire.show('proto_version', '3', 'two_phase', 'true');
SELECT wire.compare('proto_version', '3', 'two_phase', 'true');

-- One with nothing to send is announced all the same.
CALL wire.skip();
CREATE TABLE other (id int);
BEGIN;
INSERT INTO other VALUES (1);
PREPARE TRANSACTION 'empty';
COMMIT PREPARED 'empty';
SELECT * FROM wire.hex('proto_version', '3', 'two_phase', 'true');
SELECT wire.compare('proto_version', '3', 'two_phase', 'true');
