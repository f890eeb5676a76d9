\i sql/include/start.psql
-- A row filter that fails; the next call is none the worse for it.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION bad FOR TABLE t WHERE (1 / id > 0);
CREATE PUBLICATION good FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (0);
\set VERBOSITY terse
SELECT * FROM wire.show('publication_names', 'bad');
\echo :SQLSTATE
SELECT * FROM wire.show('publication_names', 'good');
SELECT * FROM wire.show('publication_names', 'bad');
SELECT * FROM wire.show('publication_names', 'good,bad');
