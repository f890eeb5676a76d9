-- Types of the extensions that come with the server: with and without a send
-- function, in arrays and domains, in a table made in the transaction.
--@ sees BCRIUDY
CREATE EXTENSION citext;
CREATE EXTENSION hstore;
CREATE EXTENSION ltree;
CREATE EXTENSION cube;
CREATE EXTENSION seg;
CREATE EXTENSION isn;
CREATE DOMAIN address AS citext CHECK (VALUE LIKE '%@%');
CREATE TABLE t (id int PRIMARY KEY, c citext, h hstore, l ltree, q lquery, cu cube, s seg, a address, ca citext[], ha hstore[]);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
INSERT INTO t VALUES (1, 'MiXed', 'a=>1, "b c"=>NULL', 'Top.Science', '*.Sci*{1,2}', '(1,2),(3,4)', '1.5 .. 2', 'A@b', '{Ab,"c d"}', '{"\"x\"=>\"y\""}');
INSERT INTO t VALUES (2, '', '', '', '*', '()', '~3', NULL, '{}', '{}');
UPDATE t SET h = h || 'new=>"\"quoted\""', c = upper(c);
DELETE FROM t;
BEGIN;
CREATE TABLE books (isbn isbn13 PRIMARY KEY);
INSERT INTO books VALUES ('978-0-393-04002-9');
COMMIT;
INSERT INTO books VALUES ('978-0-11-000222-4');
