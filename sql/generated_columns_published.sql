\i sql/include/start.psql
-- From 18 on: publish_generated_columns, column lists, virtual columns.
\if :from_18
\else
\quit
\endif
CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, v text);
CREATE TABLE w (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) VIRTUAL, v text);
CREATE PUBLICATION stored FOR ALL TABLES WITH (publish_generated_columns = stored);
CREATE PUBLICATION none FOR ALL TABLES WITH (publish_generated_columns = none);
CREATE PUBLICATION listed FOR TABLE t (id, g);
CREATE PUBLICATION plain FOR TABLE t (id, v);
CALL wire.start();
INSERT INTO t VALUES (1, DEFAULT, 'one');
INSERT INTO w VALUES (1, DEFAULT, 'one');
UPDATE t SET id = 2;
\set VERBOSITY terse
SELECT message FROM wire.show('publication_names', 'stored') WHERE message ~ '^[RIU]';
SELECT message FROM wire.show('publication_names', 'none') WHERE message ~ '^[RIU]';
SELECT message FROM wire.show('publication_names', 'listed') WHERE message ~ '^[RIU]';
SELECT message FROM wire.show('publication_names', 'plain') WHERE message ~ '^[RIU]';
SELECT message FROM wire.show('publication_names', 'stored,none') WHERE message ~ '^[RIU]';
\echo :SQLSTATE
SELECT wire.compare('publication_names', 'stored');
SELECT wire.compare('publication_names', 'none');
SELECT wire.compare('publication_names', 'listed');
SELECT wire.compare('publication_names', 'plain');
