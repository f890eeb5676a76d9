-- Prepared transactions that hold DDL: rows in a new shape, a new table, a
-- changed publication; committed and rolled back, read afterwards.
--@ sees BCRIYbPKr
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'one');
ALTER TABLE t ADD COLUMN b int DEFAULT 2;
INSERT INTO t VALUES (2, 'two', 2);
PREPARE TRANSACTION 'ddl';
COMMIT PREPARED 'ddl';
INSERT INTO t VALUES (3, 'three', 3);
BEGIN;
CREATE TYPE mood AS ENUM ('x');
CREATE TABLE u (id int, m mood);
INSERT INTO u VALUES (1, 'x');
ALTER TABLE t DROP COLUMN a;
INSERT INTO t VALUES (4, 4);
PREPARE TRANSACTION 'lost ddl';
ROLLBACK PREPARED 'lost ddl';
INSERT INTO t VALUES (5, 'five', 5);
BEGIN;
CREATE TYPE mood AS ENUM ('x');
CREATE TABLE u (id int, m mood);
INSERT INTO u VALUES (1, 'x');
PREPARE TRANSACTION 'kept ddl';
COMMIT PREPARED 'kept ddl';
INSERT INTO u VALUES (2, 'x');
