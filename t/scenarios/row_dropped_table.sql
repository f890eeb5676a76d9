-- Tables that are gone, or have another name, by the time of reading; a
-- table made, filled and dropped in one transaction.
--@ sees BCRI
CREATE PUBLICATION pub FOR ALL TABLES;
CREATE TABLE t (id int PRIMARY KEY, a text);

--@ run
INSERT INTO t VALUES (1, 'a');
DROP TABLE t;
CREATE TABLE t (id int PRIMARY KEY, other int);
INSERT INTO t VALUES (1, 1);
ALTER TABLE t RENAME TO t2;
INSERT INTO t2 VALUES (2, 2);
BEGIN;
CREATE TABLE brief (id int PRIMARY KEY, b text DEFAULT 'brief');
INSERT INTO brief VALUES (1);
DROP TABLE brief;
CREATE TABLE brief (id int);
INSERT INTO brief VALUES (2);
COMMIT;
DROP TABLE brief, t2;
