-- Two publications with different lists for a table: an error at its first
-- row, naming the table; the next call with one of them is right; and both
-- together work once the lists agree.
--@ sees BCRIU
--@ error 0A000
--@ publications one, two | one | two | two, every | every
CREATE TABLE t (a int PRIMARY KEY, b int, c int);
CREATE TABLE other (id int PRIMARY KEY);
CREATE PUBLICATION one FOR TABLE t (a, b), other;
CREATE PUBLICATION two FOR TABLE t (a, c);
CREATE PUBLICATION every FOR ALL TABLES;

--@ run
INSERT INTO other VALUES (1);
INSERT INTO t VALUES (1, 1, 1);
UPDATE t SET b = 2, c = 2;
INSERT INTO other VALUES (2);
