\i sql/include/start.psql
-- What counts is the publication as it was at the time of the change.
CREATE TABLE a (id int PRIMARY KEY, v int);
CREATE TABLE b (id int PRIMARY KEY, v int);
CREATE PUBLICATION pub FOR TABLE a;
CALL wire.start();
INSERT INTO a VALUES (1, 1);
INSERT INTO b VALUES (1, 1);
ALTER PUBLICATION pub ADD TABLE b;
INSERT INTO a VALUES (2, 2);
INSERT INTO b VALUES (2, 2);
ALTER PUBLICATION pub DROP TABLE a;
INSERT INTO a VALUES (3, 3);
INSERT INTO b VALUES (3, 3);
ALTER PUBLICATION pub SET TABLE a WHERE (id > 4), b (id);
INSERT INTO a VALUES (4, 4), (5, 5);
INSERT INTO b VALUES (4, 4), (5, 5);
ALTER PUBLICATION pub SET (publish = 'update');
INSERT INTO a VALUES (6, 6);
INSERT INTO b VALUES (6, 6);
UPDATE a SET v = 0 WHERE id IN (4, 5);
ALTER PUBLICATION pub SET (publish = 'insert, update');
DROP TABLE b;
INSERT INTO a VALUES (7, 7);
SELECT message FROM wire.show() WHERE message ~ '^[IUD]';
SELECT wire.compare() ~ '^the same' AS same;

-- In one transaction.
CALL wire.skip();
CREATE TABLE c (id int PRIMARY KEY, v int);
BEGIN;
INSERT INTO c VALUES (1, 1);
ALTER PUBLICATION pub ADD TABLE c;
INSERT INTO c VALUES (2, 2);
ALTER PUBLICATION pub SET TABLE c (id);
INSERT INTO c VALUES (3, 3);
ALTER PUBLICATION pub SET TABLE a;
INSERT INTO c VALUES (4, 4);
COMMIT;
SELECT message FROM wire.show();
SELECT wire.compare();
