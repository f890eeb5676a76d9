-- A row filter that raises an error for some rows: the same error, and the
-- next call in the same session right.
--@ sees BCRI
--@ error 22012
--@ publications bad | good | bad, good
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE TABLE plain (id int PRIMARY KEY);
CREATE PUBLICATION bad FOR TABLE t WHERE (10 / a > 1) WITH (publish = 'insert');
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO t VALUES (1, 1), (2, 100);
INSERT INTO plain VALUES (1);
BEGIN;
INSERT INTO plain VALUES (2);
INSERT INTO t VALUES (3, 5), (4, 0), (5, 1);
INSERT INTO plain VALUES (3);
COMMIT;
INSERT INTO t VALUES (6, 1);
