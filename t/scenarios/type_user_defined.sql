-- Enums, domains, composites, arrays of each, domains over domains, over
-- arrays and over composites, composites in composites: TYPE right before
-- RELATION, none for built-in types.
--@ sees BCRIUDY
CREATE SCHEMA kinds;
CREATE TYPE kinds.mood AS ENUM ('sad', 'ok', 'very "glad"');
CREATE DOMAIN kinds.positive AS int CHECK (VALUE > 0);
CREATE DOMAIN email AS varchar(50) NOT NULL;
CREATE DOMAIN pos2 AS kinds.positive DEFAULT 7;
CREATE TYPE kinds.pair AS (a int, b text);
CREATE TYPE nested AS (p kinds.pair, m kinds.mood, l kinds.pair[]);
CREATE DOMAIN ints AS int[] CHECK (array_length(VALUE, 1) < 5);
CREATE DOMAIN dpair AS kinds.pair;
CREATE DOMAIN dmood AS kinds.mood;
CREATE TABLE base (x int, y kinds.mood);
CREATE TABLE t (id int PRIMARY KEY, m kinds.mood, p kinds.positive, e email, p2 pos2, pa kinds.pair, n nested, i ints, dp dpair, dm dmood, ma kinds.mood[], pas kinds.pair[], dpas dpair[], dis ints[], r base, plain text);
CREATE TABLE t2 (m kinds.mood, m2 kinds.mood, id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t, t2;

--@ run
INSERT INTO t VALUES (1, 'sad', 1, 'a@b', 2, '(1,"b c")', '("(1,x)",ok,"{""(2,y)"",NULL}")', '{1,2}', '(3,"")', 'very "glad"', '{sad,NULL,ok}', '{"(1,a)","(,)"}', '{"(5,e)"}', '{"{1,2}",NULL}', '(1,sad)', 'plain');
INSERT INTO t (id, e) VALUES (2, '');
INSERT INTO t2 VALUES ('ok', 'sad', 1);
UPDATE t SET m = 'ok', pa.b = 'quoted "b", \ and (parens)' WHERE id = 1;
UPDATE t2 SET id = 2;
DELETE FROM t;
