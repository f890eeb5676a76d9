-- A type without a send function inside an array or a record: with binary
-- core raises an error instead of falling back.  The same error, and the
-- next call right.
--@ sees BCRI
--@ error 42883
--@ publications bad | good
CREATE TABLE arr (id int PRIMARY KEY, a aclitem[]);
CREATE TYPE rec AS (x int, a aclitem);
CREATE TABLE comp (id int PRIMARY KEY, r rec);
CREATE TABLE plain (id int PRIMARY KEY, a text);
CREATE PUBLICATION bad FOR TABLE arr, comp;
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO plain VALUES (1, 'before');
INSERT INTO arr VALUES (1, '{}');
INSERT INTO arr VALUES (2, '{postgres=r/postgres}');
INSERT INTO comp VALUES (1, '(1,postgres=r/postgres)');
INSERT INTO plain VALUES (2, 'after');
