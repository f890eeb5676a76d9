\i sql/include/start.psql
-- MESSAGE, only with the option "messages".
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();

-- A transactional one opens and closes its transaction.
SELECT FROM pg_logical_emit_message(true, 'prefix', 'content');
SELECT * FROM wire.hex('messages', 'true');
SELECT wire.compare('messages', 'true');

-- Without the option, nothing.
SELECT * FROM wire.hex();
SELECT * FROM wire.hex('messages', 'false');

-- One that is not transactional stands before its transaction, also if that
-- is rolled back; content may be empty and may contain NULs.
CALL wire.skip();
BEGIN;
INSERT INTO t VALUES (1);
SELECT FROM pg_logical_emit_message(true, 'in', ''::bytea);
SELECT FROM pg_logical_emit_message(false, 'out', '\x00ff00'::bytea);
COMMIT;
BEGIN;
INSERT INTO t VALUES (2);
SELECT FROM pg_logical_emit_message(true, 'lost', 'lost');
SELECT FROM pg_logical_emit_message(false, '', 'not lost');
ROLLBACK;
INSERT INTO t VALUES (3);
SELECT * FROM wire.hex('messages', 'true');
SELECT wire.compare('messages', 'true');

-- In a block of a streamed transaction a transactional one has the xid in
-- front; the other one never does, nor is it in a block.
CALL wire.skip();
BEGIN;
SELECT FROM pg_logical_emit_message(true, 'top', 'a');
SAVEPOINT s;
SELECT FROM pg_logical_emit_message(true, 'sub', 'b');
SELECT FROM pg_logical_emit_message(false, 'out', 'c');
RELEASE s;
INSERT INTO t VALUES (4, repeat('x', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on', 'messages', 'true');
SELECT wire.compare('proto_version', '2', 'streaming', 'on', 'messages', 'true');
SELECT message FROM wire.hex('proto_version', '2', 'streaming', 'on', 'messages', 'true') WHERE message LIKE '4d%';
