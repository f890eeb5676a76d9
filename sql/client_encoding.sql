\i sql/include/start.psql
-- Names, values, prefixes, gids and origin names are in the client's encoding,
-- lengths are counted in it; a message's content is sent as it is.
SELECT getdatabaseencoding();
SET client_encoding = UTF8;
CREATE TABLE t (id int PRIMARY KEY, v text);
CREATE PUBLICATION pub FOR ALL TABLES;
CALL wire.start(two_phase => true);
INSERT INTO t VALUES (1, U&'\00e4\00f6');
SELECT FROM pg_logical_emit_message(true, U&'\00fc', U&'\00fc');
BEGIN;
DELETE FROM t;
PREPARE TRANSACTION U&'\00e8';
COMMIT PREPARED U&'\00e8';
CREATE SCHEMA U&"\00df";
CREATE TYPE U&"\00df".U&"\00e6" AS ENUM (U&'\00f1');
CREATE TABLE U&"\00df".U&"\00e5" (U&"\00e7" U&"\00df".U&"\00e6" PRIMARY KEY);
INSERT INTO U&"\00df".U&"\00e5" VALUES (U&'\00f1');
SELECT to_hex(U&'"\00df"."\00e6"'::regtype::int) AS type \gset
SELECT replace(message, :'type', '{type}') AS message FROM wire.hex('messages', 'true', 'proto_version', '3', 'two_phase', 'true');

SET client_encoding = LATIN1;
SELECT replace(regexp_replace(message, '{.*}', '{}'), :'type', '{type}') AS message
	FROM wire.hex('messages', 'true', 'proto_version', '3', 'two_phase', 'true');
SELECT wire.compare('messages', 'true', 'proto_version', '3', 'two_phase', 'true');

-- A character that the client's encoding does not have.
SET client_encoding = WIN1251;
\set VERBOSITY terse
SELECT wire.compare('proto_version', '3', 'two_phase', 'true');
\echo :SQLSTATE
RESET client_encoding;
SELECT wire.compare('proto_version', '3', 'two_phase', 'true');
