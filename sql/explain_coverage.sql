-- What publications send of a whole database.
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS stream_pgoutput;
RESET client_min_messages;
CREATE EXTENSION stream_pgoutput;
CREATE SCHEMA explained;
CREATE TABLE explained.orders (id int PRIMARY KEY, item text, price numeric);
CREATE TABLE explained.log (line text);
CREATE TABLE explained.part (id int PRIMARY KEY, t text) PARTITION BY RANGE (id);
CREATE TABLE explained.part_1 PARTITION OF explained.part FOR VALUES FROM (0) TO (10);
CREATE UNLOGGED TABLE explained.cache (id int);
CREATE PUBLICATION shop FOR TABLE explained.orders (id, item) WHERE (id > 10) WITH (publish = 'insert, update');
CREATE PUBLICATION parts FOR TABLE explained.part WITH (publish_via_partition_root);
SELECT * FROM stream_pgoutput_coverage('{shop,parts}') WHERE relation::text ~ '^explained\.';
SELECT relation, actions, reason FROM stream_pgoutput_coverage('{parts}') WHERE relation::text ~ '^explained\.';

-- Partitions may be more than locks: no lock is kept.
BEGIN;
SELECT count(*) FROM stream_pgoutput_coverage('{parts}') WHERE actions <> '{}';
SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND relation IN ('explained.part'::regclass, 'explained.part_1'::regclass);
COMMIT;

-- Nothing of the system is in it.
SELECT count(*) FROM stream_pgoutput_coverage('{shop}') WHERE relation::oid < 16384;
CREATE TEMP TABLE passing (id int);
SELECT count(*) FROM stream_pgoutput_coverage('{shop}') WHERE relation = 'passing'::regclass;

-- Everybody may ask.
GRANT USAGE ON SCHEMA public TO PUBLIC;
CREATE ROLE regress_explain_nobody;
SET ROLE regress_explain_nobody;
SELECT relation::oid::regclass::text ~ 'orders' AS orders, actions FROM stream_pgoutput_coverage('{shop}') WHERE actions <> '{}';
RESET ROLE;
DROP ROLE regress_explain_nobody;
SELECT * FROM stream_pgoutput_coverage('{}');

DROP PUBLICATION shop, parts;
DROP SCHEMA explained CASCADE;
DROP TABLE passing;
DROP EXTENSION stream_pgoutput;
