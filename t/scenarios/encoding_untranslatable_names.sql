-- Names that the client's encoding does not have: of a column, a table, a
-- schema, a type, an enum's label, a message's prefix, a gid.
--@ sees BCRI
--@ matrix messages=false origin=any
--@ error 22P05
--@ publications col | good | tab | sch | typ | lab | good
--@ set client_encoding = LATIN1
CREATE SCHEMA "ж";
CREATE TYPE "тип" AS (a int);
CREATE TYPE label AS ENUM ('ярлык', 'x');
CREATE TABLE col (id int PRIMARY KEY, "столбец" int);
CREATE TABLE "таблица" (id int PRIMARY KEY);
CREATE TABLE "ж".sch (id int PRIMARY KEY);
CREATE TABLE typ (id int PRIMARY KEY, t "тип");
CREATE TABLE lab (id int PRIMARY KEY, l label);
CREATE TABLE good (id int PRIMARY KEY);
CREATE PUBLICATION col FOR TABLE col;
CREATE PUBLICATION tab FOR TABLE "таблица";
CREATE PUBLICATION sch FOR TABLE "ж".sch;
CREATE PUBLICATION typ FOR TABLE typ;
CREATE PUBLICATION lab FOR TABLE lab;
CREATE PUBLICATION good FOR TABLE good;

--@ run
INSERT INTO good VALUES (1);
INSERT INTO col VALUES (1, 1);
INSERT INTO "таблица" VALUES (1);
INSERT INTO "ж".sch VALUES (1);
INSERT INTO typ VALUES (1, '(1)');
INSERT INTO lab VALUES (1, 'x'), (2, 'ярлык');
INSERT INTO good VALUES (2);
