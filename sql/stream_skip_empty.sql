\i sql/include/start.psql
-- skip_empty_streams: a streamed transaction is announced by the first thing
-- of it that is sent, and otherwise not at all.
CREATE TABLE t (id int PRIMARY KEY, big text);
CREATE TABLE unpublished (LIKE t INCLUDING ALL);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
ALTER TABLE unpublished ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t WHERE (id > 0);
CALL wire.start(two_phase => true);
CALL wire.stream_every_change();
-- Nothing published.
BEGIN;
INSERT INTO unpublished VALUES (1, repeat('x', 70000));
INSERT INTO unpublished VALUES (2, repeat('x', 70000));
COMMIT;
-- All cut off by the row filter.
BEGIN;
INSERT INTO t VALUES (-1, repeat('x', 70000));
INSERT INTO t VALUES (-2, repeat('x', 70000));
COMMIT;
-- A rolled-back savepoint with nothing, then a row, then nothing.
BEGIN;
SAVEPOINT s;
INSERT INTO unpublished VALUES (3, repeat('x', 70000));
ROLLBACK TO s;
INSERT INTO t VALUES (1, repeat('x', 70000));
INSERT INTO unpublished VALUES (4, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO unpublished VALUES (5, repeat('x', 70000));
ROLLBACK TO s;
COMMIT;
-- Rolled back, with nothing.
BEGIN;
INSERT INTO unpublished VALUES (6, repeat('x', 70000));
ROLLBACK;
-- An empty one that is prepared: COMMIT PREPARED may come after a restart.
BEGIN;
INSERT INTO unpublished VALUES (7, repeat('x', 70000));
PREPARE TRANSACTION 'empty';
COMMIT PREPARED 'empty';

-- By default all of it is announced, as by pgoutput.
SELECT * FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on');
SELECT wire.compare('proto_version', '3', 'streaming', 'on', 'two_phase', 'on');

-- The option.
SELECT * FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'skip_empty_streams', 'on');

-- The setting does the same; the option wins.
SET stream_pgoutput.skip_empty_streams = on;
SELECT string_agg(left(message, 1), '') FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on');
SELECT string_agg(left(message, 1), '') FROM wire.show('proto_version', '3', 'streaming', 'on', 'two_phase', 'on', 'skip_empty_streams', 'off');

-- ORIGIN and messages with it.
CALL wire.skip();
SELECT FROM pg_replication_origin_create('north');
SELECT FROM pg_replication_origin_session_setup('north');
BEGIN;
INSERT INTO unpublished VALUES (8, repeat('x', 70000));
INSERT INTO t VALUES (2, repeat('x', 70000));
INSERT INTO unpublished VALUES (9, repeat('x', 70000));
INSERT INTO t VALUES (3, repeat('x', 70000));
COMMIT;
SELECT FROM pg_replication_origin_session_reset();
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
