\i sql/include/start.psql
-- FOR ALL TABLES: those of later, too.
CREATE TABLE a (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR ALL TABLES;
CALL wire.start();
INSERT INTO a VALUES (1);
CREATE SCHEMA s;
CREATE TABLE s.b (id int PRIMARY KEY);
INSERT INTO s.b VALUES (2);
BEGIN;
CREATE TABLE c (id int PRIMARY KEY);
INSERT INTO c VALUES (3);
COMMIT;
SELECT * FROM wire.show();
SELECT wire.compare();
