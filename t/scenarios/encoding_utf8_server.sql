-- A UTF8 database read in encodings that can hold what it has, some of them
-- for clients only: SJIS, GB18030, BIG5, UHC.
--@ sees BCRIUDYMbPK
--@ error 22P05
--@ publications pub, ascii | ascii
--@ set client_encoding = SJIS
--@ set client_encoding = GB18030
--@ set client_encoding = EUC_JP
--@ set client_encoding = LATIN1
--@ set client_encoding = SHIFT_JIS_2004
--@ set client_encoding = SQL_ASCII
CREATE SCHEMA "表";
CREATE TYPE "表"."種" AS ENUM ('一', '二');
CREATE TABLE "表"."名前" ("鍵" int PRIMARY KEY, "値" text, "種" "表"."種", n name, a text[]);
CREATE TABLE ascii (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE "表"."名前";
CREATE PUBLICATION ascii FOR TABLE ascii;

--@ run
INSERT INTO ascii VALUES (1, 'plain ascii');
INSERT INTO "表"."名前" VALUES (1, '日本語テキスト', '一', '名', '{日本,語}');
INSERT INTO "表"."名前" VALUES (2, 'ソ表能 backslash bytes in SJIS', '二', 'abc', '{}');
UPDATE "表"."名前" SET "値" = repeat('漢字', 2000);
SELECT pg_logical_emit_message(true, '接頭辞', '内容');
BEGIN;
DELETE FROM "表"."名前";
PREPARE TRANSACTION '名前付き';
COMMIT PREPARED '名前付き';
INSERT INTO ascii VALUES (2, 'end');
