-- Lists that clash for a while in which no row is written, also inside a
-- transaction; and lists that agree in other words.
--@ sees BCRI
--@ publications one, two | one
CREATE TABLE t (a int PRIMARY KEY, b int, c int);
CREATE PUBLICATION one FOR TABLE t (a, b);
CREATE PUBLICATION two FOR TABLE t (b, a);

--@ run
INSERT INTO t VALUES (1, 1, 1);
ALTER PUBLICATION two SET TABLE t (a, c);
ALTER PUBLICATION one SET TABLE t (c, a);
INSERT INTO t VALUES (2, 2, 2);
BEGIN;
ALTER PUBLICATION two SET TABLE t;
ALTER PUBLICATION one SET TABLE t;
INSERT INTO t VALUES (3, 3, 3);
COMMIT;
BEGIN;
ALTER PUBLICATION two SET TABLE t (a, b, c);
INSERT INTO t VALUES (4, 4, 4);
COMMIT;
