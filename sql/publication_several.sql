\i sql/include/start.psql
-- Several publications: tables and actions add up.
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY);
CREATE TABLE c (id int PRIMARY KEY);
CREATE PUBLICATION one FOR TABLE a WITH (publish = 'insert');
CREATE PUBLICATION two FOR TABLE a, b WITH (publish = 'delete, truncate');
CREATE PUBLICATION "Three, 3" FOR TABLE c;
CALL wire.start();
INSERT INTO a VALUES (1);
UPDATE a SET id = 2;
DELETE FROM a;
TRUNCATE a;
INSERT INTO b VALUES (1);
DELETE FROM b;
INSERT INTO c VALUES (1);
SELECT message FROM wire.show('publication_names', 'one') WHERE message ~ '^[IUDT]';
SELECT message FROM wire.show('publication_names', 'two') WHERE message ~ '^[IUDT]';
SELECT message FROM wire.show('publication_names', 'one,two') WHERE message ~ '^[IUDT]';
SELECT message FROM wire.show('publication_names', 'one, "Three, 3", Two') WHERE message ~ '^[IUDT]';
SELECT wire.compare('publication_names', 'one, "Three, 3", Two');
