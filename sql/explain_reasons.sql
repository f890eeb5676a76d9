-- Why an action is not sent: every reason, in words.
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS stream_pgoutput;
RESET client_min_messages;
CREATE EXTENSION stream_pgoutput;
CREATE TABLE keyed (id int PRIMARY KEY, a text, b int);
CREATE TABLE keyless (id int);
CREATE TABLE root (id int PRIMARY KEY, t text) PARTITION BY RANGE (id);
CREATE TABLE leaf PARTITION OF root FOR VALUES FROM (0) TO (10);
CREATE UNLOGGED TABLE unlogged (id int);
CREATE TEMP TABLE temporary (id int);
CREATE VIEW seen AS SELECT 1 AS id;
CREATE MATERIALIZED VIEW kept AS SELECT 1 AS id;
CREATE SEQUENCE counted;
CREATE PUBLICATION shop FOR TABLE keyed (id, a) WHERE (id > 10), keyless WITH (publish = 'insert, update');
CREATE PUBLICATION others FOR TABLE keyed (id, b);
CREATE PUBLICATION "More" FOR TABLE keyed (id, a) WHERE (id < 5) WITH (publish = 'insert');
CREATE PUBLICATION by_root FOR TABLE root WITH (publish_via_partition_root);
CREATE PUBLICATION by_leaf FOR TABLE root;

-- Not all actions; filters of several are alternatives.
SELECT * FROM stream_pgoutput_explain('{shop}', 'keyed');
SELECT * FROM stream_pgoutput_explain('{shop,More}', 'keyed');
-- One publication twice is one.
SELECT action, row_filter, publications_sending FROM stream_pgoutput_explain('{shop,More,shop}', 'keyed') WHERE sent;
SELECT action, reason FROM stream_pgoutput_explain('{shop,others}', 'keyed');
SELECT action, reason FROM stream_pgoutput_explain('{by_root,by_leaf}', 'keyed');
SELECT action, sent, sent_as, columns, reason FROM stream_pgoutput_explain('{shop}', 'keyless');

-- Partitions.
SELECT action, sent, sent_as, columns, reason FROM stream_pgoutput_explain('{by_root}', 'leaf');
SELECT action, sent, sent_as, columns, reason FROM stream_pgoutput_explain('{by_root}', 'root');
SELECT action, sent, sent_as, columns, reason FROM stream_pgoutput_explain('{by_leaf}', 'leaf');
SELECT action, sent, sent_as, columns, reason FROM stream_pgoutput_explain('{by_leaf}', 'root');

-- What is never sent.
SELECT r, e.reason FROM
	unnest('{unlogged,temporary,seen,kept,counted,pg_catalog.pg_class,keyed_pkey,information_schema.sql_features}'::regclass[]) r,
	LATERAL (SELECT DISTINCT reason FROM stream_pgoutput_explain('{shop}', r)) e;

-- What the server refuses.
CREATE TABLE bare (id int, t text) PARTITION BY RANGE (id);
CREATE TABLE bare_leaf PARTITION OF bare FOR VALUES FROM (0) TO (10);
ALTER PUBLICATION by_root ADD TABLE bare;
SELECT action, sent, publications_sending, reason FROM stream_pgoutput_explain('{by_leaf,by_root}', 'bare');
ALTER PUBLICATION by_leaf ADD TABLE bare;
SELECT action, sent, publications_sending, reason FROM stream_pgoutput_explain('{by_leaf,by_root}', 'bare');
DELETE FROM bare;
INSERT INTO bare VALUES (1);
DELETE FROM bare;
ALTER PUBLICATION shop SET TABLE keyed WHERE (b > 0), keyless;
SELECT action, reason FROM stream_pgoutput_explain('{shop}', 'keyed');
UPDATE keyed SET b = 1;
ALTER PUBLICATION shop SET TABLE keyed (a);
SELECT action, reason FROM stream_pgoutput_explain('{shop}', 'keyed');
UPDATE keyed SET b = 1;

-- Bad questions.
SELECT * FROM stream_pgoutput_explain('{}', 'keyed');
SELECT * FROM stream_pgoutput_explain(NULL, 'keyed');
SELECT * FROM stream_pgoutput_explain('{shop}', NULL);
SELECT * FROM stream_pgoutput_explain('{shop,NULL}', 'keyed');
SELECT * FROM stream_pgoutput_explain('{shop}', 'nowhere');

DROP PUBLICATION shop, others, "More", by_root, by_leaf;
DROP TABLE bare, keyed, keyless, root, unlogged, temporary;
DROP VIEW seen;
DROP MATERIALIZED VIEW kept;
DROP SEQUENCE counted;
DROP EXTENSION stream_pgoutput;
