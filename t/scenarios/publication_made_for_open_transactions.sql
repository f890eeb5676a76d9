-- Several writers are open while publications for all tables and for a
-- schema are made, renamed and dropped, and an enum gets a value.
--@ sees BCRIY
--@ matrix messages=false
--@18+ publications pub | pub, every
CREATE SCHEMA s;
CREATE TYPE mood AS ENUM ('a');
CREATE TABLE s.t (id int PRIMARY KEY, m mood);
CREATE PUBLICATION pub;

--@ run
--@ session one
BEGIN;
INSERT INTO s.t VALUES (1, 'a');
--@ session two
BEGIN;
INSERT INTO s.t VALUES (101, 'a');
--@ session ddl
ALTER PUBLICATION pub ADD TABLES IN SCHEMA s;
--@ session one
INSERT INTO s.t VALUES (2, 'a');
--@ session ddl
ALTER TYPE mood ADD VALUE 'b';
CREATE PUBLICATION every FOR ALL TABLES;
--@ session two
INSERT INTO s.t VALUES (102, 'b');
--@ session ddl
ALTER PUBLICATION pub DROP TABLES IN SCHEMA s;
--@ session one
INSERT INTO s.t VALUES (3, 'b');
--@ session ddl
ALTER PUBLICATION every SET (publish = 'delete');
--@ session two
INSERT INTO s.t VALUES (103, 'a');
COMMIT;
--@ session ddl
ALTER PUBLICATION pub SET TABLES IN SCHEMA s;
--@ session one
INSERT INTO s.t VALUES (4, 'a');
SAVEPOINT x;
INSERT INTO s.t VALUES (5, 'a');
ROLLBACK TO x;
COMMIT;
