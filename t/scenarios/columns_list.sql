-- Column lists: in another order than the table's, with the key only,
-- without TOASTed and user-defined columns; RELATION, TYPE and rows agree.
--@ sees BCRIUDY
--@ publications pub | keys | twice, pub | full_inserts, keys
CREATE TYPE mood AS ENUM ('x', 'y');
CREATE TABLE t (a int, m mood, b text, id int PRIMARY KEY, c date, d mood);
CREATE TABLE fullid (a int, b int, c int);
ALTER TABLE fullid REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t (id, c, a, d);
CREATE PUBLICATION full_inserts FOR TABLE fullid (c, a) WITH (publish = 'insert');
CREATE PUBLICATION keys FOR TABLE t (id);
CREATE PUBLICATION twice FOR TABLE t (a, c, d, id);

--@ run
INSERT INTO t VALUES (1, 'x', 'b', 10, '2024-01-01', 'y');
UPDATE t SET b = 'not listed';
UPDATE t SET c = NULL;
UPDATE t SET id = 11;
INSERT INTO fullid VALUES (1, 2, 3);
UPDATE fullid SET b = 4;
DELETE FROM fullid;
DELETE FROM t;
