-- A transaction of nothing but a truncate: published or not, of a table
-- whose RELATION was never sent, of one made in the same transaction.
--@ sees BCRT
CREATE TABLE t (id int PRIMARY KEY);
CREATE TABLE u (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION everything FOR ALL TABLES;

--@ publications pub | everything
--@ run
TRUNCATE t;
TRUNCATE u;
BEGIN;
TRUNCATE u;
TRUNCATE t;
TRUNCATE t;
COMMIT;
BEGIN;
CREATE TABLE made (id int);
TRUNCATE made;
COMMIT;
TRUNCATE made, u;
