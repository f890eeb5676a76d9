\i sql/include/start.psql
-- ORIGIN follows BEGIN: the LSN at the origin, and the origin's name.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
SELECT FROM pg_replication_origin_create('north');
SELECT FROM pg_replication_origin_session_setup('north');
BEGIN;
SELECT FROM pg_replication_origin_xact_setup('ABC/DEF01234', '2024-02-29 12:00+00');
INSERT INTO t VALUES (1);
COMMIT;
SELECT FROM pg_replication_origin_session_reset();
INSERT INTO t VALUES (2);

-- The time is the origin's; the transaction without an origin has none.
SELECT * FROM wire.hex();
SELECT wire.compare();

-- An origin without its own LSN and time.
CALL wire.skip();
SELECT FROM pg_replication_origin_session_setup('north');
INSERT INTO t VALUES (3);
SELECT FROM pg_replication_origin_session_reset();
SELECT * FROM wire.hex();
SELECT wire.compare();

-- A streamed transaction: after the first STREAM START only, with LSN 0.
CALL wire.skip();
SELECT FROM pg_replication_origin_session_setup('north');
BEGIN;
SELECT FROM pg_replication_origin_xact_setup('ABC/DEF01234', '2024-02-29 12:00+00');
INSERT INTO t VALUES (4, repeat('x', 70000)), (5, repeat('x', 70000));
COMMIT;
SELECT FROM pg_replication_origin_session_reset();
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- Nothing is said of an origin that has lost its name.
SELECT FROM pg_replication_origin_drop('north');
SELECT * FROM wire.show();
SELECT wire.compare();
