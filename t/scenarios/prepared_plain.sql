-- Prepared transactions, committed and rolled back, with rows, with nothing
-- to send, interleaved with plain ones; gids of all kinds.
--@ sees BCRIbPKr
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE unpublished (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'one');
PREPARE TRANSACTION 'simple';
INSERT INTO t VALUES (2, 'two');
COMMIT PREPARED 'simple';
BEGIN;
INSERT INTO t VALUES (3, 'three');
SAVEPOINT s;
INSERT INTO t VALUES (4, 'four');
ROLLBACK TO s;
PREPARE TRANSACTION 'quote '' "double" \ slash';
ROLLBACK PREPARED 'quote '' "double" \ slash';
BEGIN;
INSERT INTO unpublished VALUES (1);
PREPARE TRANSACTION 'ünïcode 表';
COMMIT PREPARED 'ünïcode 表';
BEGIN;
INSERT INTO unpublished VALUES (2);
PREPARE TRANSACTION 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz1234567890abcdefg';
ROLLBACK PREPARED 'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz1234567890abcdefg';
BEGIN;
PREPARE TRANSACTION 'nothing at all';
COMMIT PREPARED 'nothing at all';
BEGIN;
SELECT pg_logical_emit_message(true, 'p', 'message only');
PREPARE TRANSACTION ' ';
COMMIT PREPARED ' ';
BEGIN;
INSERT INTO t VALUES (5, 'five');
PREPARE TRANSACTION 'simple';
ROLLBACK PREPARED 'simple';
