\i sql/include/start.psql
-- FOR TABLE: the tables named, no others.
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE a;
CALL wire.start();
BEGIN;
INSERT INTO a VALUES (1);
INSERT INTO b VALUES (1);
INSERT INTO a VALUES (2);
COMMIT;
INSERT INTO b VALUES (2);
SELECT * FROM wire.show();
SELECT wire.compare();

-- Children by plain inheritance are published as themselves.
CALL wire.skip();
CREATE TABLE parent (id int PRIMARY KEY);
CREATE TABLE child (extra text) INHERITS (parent);
ALTER PUBLICATION pub ADD TABLE parent;
INSERT INTO parent VALUES (1);
INSERT INTO child VALUES (2, 'x');
SELECT * FROM wire.show();
SELECT wire.compare();
ALTER PUBLICATION pub SET TABLE ONLY parent;
INSERT INTO child VALUES (3, 'x');
INSERT INTO parent VALUES (4);
SELECT message FROM wire.show() WHERE message ~ '^I';
SELECT wire.compare() ~ '^the same' AS same;
