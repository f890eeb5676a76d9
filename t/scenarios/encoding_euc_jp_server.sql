-- An EUC_JP database read in UTF8, SJIS and its own encoding.
--@ database ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCRIYM
--@ set client_encoding = UTF8
--@ set client_encoding = SJIS
CREATE TYPE "種" AS ENUM ('一', '二');
CREATE TABLE "表" ("鍵" int PRIMARY KEY, "値" text, k "種");
CREATE PUBLICATION pub FOR TABLE "表";

--@ run
INSERT INTO "表" VALUES (1, '日本語', '一'), (2, 'ascii', '二'), (3, repeat('漢', 1000), NULL);
UPDATE "表" SET "値" = 'カタカナ';
SELECT pg_logical_emit_message(true, '接頭', '内容');
