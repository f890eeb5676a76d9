-- A LATIN1 database read in UTF8 (names and values grow), in its own
-- encoding, and without conversion.
--@ database ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCORIUDYMbPK
--@ set client_encoding = UTF8
--@ set client_encoding = SQL_ASCII
CREATE SCHEMA "schéma";
CREATE TYPE "schéma"."énum" AS ENUM ('été', 'x');
CREATE DOMAIN "dömain" AS text;
CREATE TABLE "schéma"."täble" ("ïd" int PRIMARY KEY, "é" "schéma"."énum", "dö" "dömain", v varchar(10), c char(6), j json, x xml, n name, "arr" text[], cc "char");
CREATE PUBLICATION pub FOR TABLE "schéma"."täble";
SELECT pg_replication_origin_create('örigin');

--@ run
INSERT INTO "schéma"."täble" VALUES (1, 'été', 'ÿ¤÷', 'ééééé', 'é', '{"ö": "ä"}', '<ü>ö</ü>', 'nämé', '{"ä b",ö}', 'x');
UPDATE "schéma"."täble" SET v = 'ascii';
SELECT pg_logical_emit_message(true, 'préfix', 'cöntent');
SELECT pg_logical_emit_message(false, 'préfix', 'cöntent');
BEGIN;
INSERT INTO "schéma"."täble" VALUES (2, 'x', repeat('é', 3000), 'plain', 'plain', NULL, NULL, '', '{}', NULL);
PREPARE TRANSACTION 'gïd';
COMMIT PREPARED 'gïd';
--@ session replay
SELECT pg_replication_origin_session_setup('örigin');
DELETE FROM "schéma"."täble";
