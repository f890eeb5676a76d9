\i sql/include/start.psql
-- Temporary, unlogged and system tables, sequences, materialized views and the
-- new heaps of rewritten tables are not for publication.
CREATE TABLE t (id int PRIMARY KEY, v int);
CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR ALL TABLES;
CALL wire.start();
INSERT INTO t VALUES (1, 1);
INSERT INTO unlogged VALUES (1);
CREATE TEMP TABLE passing (id int PRIMARY KEY);
INSERT INTO passing VALUES (1);
TRUNCATE passing, unlogged;
CREATE SEQUENCE s;
SELECT nextval('s');
ALTER TABLE t ALTER v TYPE bigint;
CREATE MATERIALIZED VIEW m AS SELECT * FROM t;
REFRESH MATERIALIZED VIEW m;
VACUUM FULL t;
CLUSTER t USING t_pkey;
COMMENT ON TABLE t IS 'a system table''s row';
ALTER TABLE unlogged SET LOGGED;
INSERT INTO unlogged VALUES (2);
INSERT INTO t VALUES (2, 2);
SELECT message FROM wire.show() WHERE message !~ '^[BC]';
SELECT wire.compare();
