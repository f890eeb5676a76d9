-- What is never published: temporary and unlogged tables, catalogs,
-- materialized views, sequences, and the heaps of a rewrite; under FOR ALL
-- TABLES.
--@ sees BCRIU
CREATE PUBLICATION pub FOR ALL TABLES;
CREATE TABLE t (id int PRIMARY KEY, a text, s serial);
CREATE UNLOGGED TABLE u (id int PRIMARY KEY);
CREATE MATERIALIZED VIEW m AS SELECT count(*) FROM t;

--@ run
CREATE TEMP TABLE tmp (id int);
INSERT INTO tmp VALUES (1);
INSERT INTO u VALUES (1);
INSERT INTO t VALUES (1, 'a'), (2, 'b');
REFRESH MATERIALIZED VIEW m;
BEGIN;
ALTER TABLE t ALTER a TYPE varchar(10);
ALTER TABLE t ADD COLUMN r float DEFAULT random() * 0;
INSERT INTO t VALUES (3, 'c');
CLUSTER t USING t_pkey;
UPDATE t SET a = 'cc' WHERE id = 3;
COMMIT;
VACUUM FULL t;
UPDATE t SET a = 'aa' WHERE id = 1;
ALTER TABLE u SET LOGGED;
INSERT INTO u VALUES (2);
ALTER TABLE u SET UNLOGGED;
INSERT INTO u VALUES (3);
CREATE TABLE created AS SELECT 1 AS one;
SELECT nextval('t_s_seq');
