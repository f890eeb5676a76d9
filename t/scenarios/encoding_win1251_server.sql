-- A WIN1251 database read in UTF8, KOI8R, ISO_8859_5 and WIN866.
--@ database ENCODING 'WIN1251' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCRIUM
--@ set client_encoding = UTF8
--@ set client_encoding = KOI8R
--@ set client_encoding = ISO_8859_5
--@ set client_encoding = WIN866
CREATE TABLE "таблица" ("ключ" int PRIMARY KEY, "текст" text, b bytea);
CREATE PUBLICATION pub FOR TABLE "таблица";

--@ run
INSERT INTO "таблица" VALUES (1, 'Привет, мир', '\xcff0e8'), (2, 'plain', NULL);
UPDATE "таблица" SET "текст" = upper("текст");
SELECT pg_logical_emit_message(true, 'имя', 'содержание');
