-- A publication that does not exist at the time of a row: up to 17 core's
-- error, from 18 a warning; the next call with another one is right.
--@ sees BCRI
--@17- error 42704
--@ publications late | there | late, there | "Never, ""made""" | there, "Never, ""made"""
CREATE TABLE t (id int PRIMARY KEY);
CREATE TABLE u (id int PRIMARY KEY);
CREATE PUBLICATION there FOR TABLE u;

--@ run
INSERT INTO u VALUES (1);
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (2);
CREATE PUBLICATION late FOR TABLE t;
INSERT INTO t VALUES (3);
INSERT INTO u VALUES (3);
BEGIN;
INSERT INTO t VALUES (4);
DROP PUBLICATION late;
INSERT INTO t VALUES (5);
CREATE PUBLICATION late FOR ALL TABLES;
INSERT INTO t VALUES (6);
COMMIT;
INSERT INTO t VALUES (7);
