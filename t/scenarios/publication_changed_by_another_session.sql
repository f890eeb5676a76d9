-- One session has a table open in a transaction while another changes the
-- publication: what the first writes after that is decided anew.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, a int, b int);
CREATE TABLE u (id int PRIMARY KEY, a int);
ALTER TABLE u REPLICA IDENTITY FULL;
CREATE PUBLICATION pub;

--@ run
--@ session writer
BEGIN;
INSERT INTO t VALUES (1, 1, 1);
INSERT INTO u VALUES (1, 1);
--@ session ddl
ALTER PUBLICATION pub ADD TABLE t;
--@ session writer
INSERT INTO t VALUES (2, 2, 2);
INSERT INTO u VALUES (2, 2);
--@ session ddl
ALTER PUBLICATION pub ADD TABLE u WHERE (a > 2);
--@ session writer
INSERT INTO u VALUES (3, 3), (4, 1);
--@ session ddl
ALTER PUBLICATION pub SET TABLE t (id, b), u;
--@ session writer
INSERT INTO t VALUES (5, 5, 5);
UPDATE t SET b = 0 WHERE id = 1;
UPDATE u SET a = 7;
--@ session ddl
ALTER PUBLICATION pub DROP TABLE t;
ALTER PUBLICATION pub SET (publish = 'delete');
--@ session writer
INSERT INTO t VALUES (6, 6, 6);
DELETE FROM u WHERE id = 1;
COMMIT;
INSERT INTO u VALUES (9, 9);
