\i sql/include/start.psql
-- Column lists must agree; an error names the table, and the next call with
-- lists that do works.
CREATE TABLE t (id int PRIMARY KEY, a int, b int);
CREATE PUBLICATION one FOR TABLE t (id, a);
CREATE PUBLICATION same FOR TABLE t (a, id);
CREATE PUBLICATION two FOR TABLE t (id, b);
CREATE PUBLICATION none FOR TABLE t;
CREATE PUBLICATION every FOR TABLE t (id, a, b);
CREATE PUBLICATION all_tables FOR ALL TABLES;
CALL wire.start();
INSERT INTO t VALUES (1, 2, 3);
\set VERBOSITY terse
SELECT * FROM wire.show('publication_names', 'one,two');
\echo :SQLSTATE
SELECT * FROM wire.show('publication_names', 'one,same');
SELECT * FROM wire.show('publication_names', 'one,none');
\echo :SQLSTATE
SELECT * FROM wire.show('publication_names', 'one,all_tables');
\echo :SQLSTATE

-- A list of every column agrees with no list.
SELECT * FROM wire.show('publication_names', 'every,none,all_tables');
SELECT wire.compare('publication_names', 'every,none,all_tables');
