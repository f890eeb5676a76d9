-- A SQL_ASCII database: bytes of any kind go through to clients that ask for
-- no conversion; to others what is not valid is an error.
--@ database ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCRI
--@ matrix messages=false origin=any
--@ error 22021
--@ publications pub | good
--@ set client_encoding = UTF8
--@ set client_encoding = LATIN1
--@ set client_encoding = SJIS
CREATE TABLE "tâble" (id int PRIMARY KEY, "vâlue" text);
CREATE TABLE good (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE "tâble";
CREATE PUBLICATION good FOR TABLE good;

--@ run
INSERT INTO good VALUES (1);
INSERT INTO "tâble" VALUES (1, 'valid é');
INSERT INTO "tâble" SELECT 2, convert_from('\xff80'::bytea, 'SQL_ASCII');
INSERT INTO good VALUES (2);
