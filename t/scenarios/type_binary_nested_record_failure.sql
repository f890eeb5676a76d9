-- The same for a record alone, which fails at its first row.
--@ sees BCRI
--@ error 42883
--@ publications bad | good | bad, good
CREATE TYPE rec AS (x int, a aclitem);
CREATE TABLE comp (id int PRIMARY KEY, r rec);
CREATE TABLE plain (id int PRIMARY KEY, a text);
CREATE PUBLICATION bad FOR TABLE comp;
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO plain VALUES (1, 'before');
BEGIN;
INSERT INTO plain VALUES (2, 'same transaction');
INSERT INTO comp VALUES (1, '(1,postgres=r/postgres)');
INSERT INTO plain VALUES (3, 'never reached with binary');
COMMIT;
