-- Names with quotes, capitals, spaces, dots, 63 bytes, reserved words, and
-- more than ASCII; pg_catalog is sent as an empty name.
--@ sees BCRI
CREATE SCHEMA "Schema . ""quoted""";
CREATE TABLE "Schema . ""quoted"""."Table 'x' \ y" ("select" int PRIMARY KEY, "Col""umn" text,
	"ünï©ode 表" text, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk" int, " " int);
CREATE TABLE abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk (id int);
CREATE PUBLICATION "Pub, ""one""" FOR TABLE "Schema . ""quoted"""."Table 'x' \ y";
CREATE PUBLICATION "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk" FOR ALL TABLES;

--@ publications "Pub, ""one""" | abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk | "Pub, ""one""", abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk
--@ run
INSERT INTO "Schema . ""quoted"""."Table 'x' \ y" VALUES (1, 'two', '三', 4, 5);
INSERT INTO abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk VALUES (1);
