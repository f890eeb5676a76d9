-- Contents and prefixes: empty, with zero bytes, of 1,000 bytes, of
-- 100 kB, beyond ASCII; in an otherwise filtered transaction.
--@ sees BCM
--@ matrix origin=any
CREATE TABLE t (id int PRIMARY KEY);
CREATE TABLE unpublished (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
SELECT pg_logical_emit_message(true, '', '');
SELECT pg_logical_emit_message(false, '', '');
SELECT pg_logical_emit_message(true, 'bytes', '\x000102ff00'::bytea);
SELECT pg_logical_emit_message(false, 'bytes', '\x00'::bytea);
SELECT pg_logical_emit_message(true, repeat('prefix ', 143), 'long prefix');
SELECT pg_logical_emit_message(true, 'ünï 表 €', 'cöntent 表');
SELECT pg_logical_emit_message(false, 'large', repeat('x', 100000));
BEGIN;
INSERT INTO unpublished VALUES (1);
SELECT pg_logical_emit_message(true, 'only', 'message');
INSERT INTO unpublished VALUES (2);
COMMIT;
