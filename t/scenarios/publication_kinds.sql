-- FOR TABLE, FOR TABLES IN SCHEMA, FOR ALL TABLES; the publish option's
-- actions alone and together; several publications whose actions add up.
--@ sees BCRIUDT
--@ matrix messages=false origin=any
--@ publications tab | sch | every | i | u | d | t | i, d | u, t, i | tab, sch | sch, every | nothing | nothing, i
CREATE SCHEMA s;
CREATE SCHEMA s2;
CREATE TABLE s.t (id int PRIMARY KEY, a int);
CREATE TABLE s2.t (id int PRIMARY KEY, a int);
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE PUBLICATION tab FOR TABLE t;
CREATE PUBLICATION sch FOR TABLES IN SCHEMA s;
CREATE PUBLICATION every FOR ALL TABLES;
CREATE PUBLICATION i FOR TABLE t, s.t WITH (publish = 'insert');
CREATE PUBLICATION u FOR TABLE t, s.t WITH (publish = 'update');
CREATE PUBLICATION d FOR TABLE t, s.t WITH (publish = 'delete');
CREATE PUBLICATION t FOR TABLE t, s.t WITH (publish = 'truncate');
CREATE PUBLICATION nothing WITH (publish = '');

--@ run
BEGIN;
INSERT INTO t VALUES (1, 1), (2, 2);
INSERT INTO s.t VALUES (1, 1), (2, 2);
INSERT INTO s2.t VALUES (1, 1), (2, 2);
COMMIT;
UPDATE t SET a = 3;
UPDATE s.t SET id = id + 10;
UPDATE s2.t SET a = 3;
DELETE FROM t WHERE id = 1;
DELETE FROM s.t WHERE id = 11;
TRUNCATE t, s.t, s2.t;
CREATE TABLE s.later (id int PRIMARY KEY);
INSERT INTO s.later VALUES (1);
ALTER TABLE s.later SET SCHEMA s2;
INSERT INTO s2.later VALUES (2);
