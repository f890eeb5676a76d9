\i sql/include/start.psql
-- A publication that did not exist at the time of the change: an error up to
-- 17, a warning from 18 on.
CREATE TABLE t (id int PRIMARY KEY);
CALL wire.start();
INSERT INTO t VALUES (1);
CREATE PUBLICATION pub FOR TABLE t;
INSERT INTO t VALUES (2);
\set VERBOSITY terse
SELECT * FROM wire.show();
\echo :SQLSTATE

-- One is there, the other is not.
CALL wire.skip();
INSERT INTO t VALUES (3);
SELECT * FROM wire.show('publication_names', 'pub,other');
\echo :SQLSTATE

-- A publication with a new name is not the one that was asked for.
CALL wire.skip();
ALTER PUBLICATION pub RENAME TO renamed;
INSERT INTO t VALUES (4);
ALTER PUBLICATION renamed RENAME TO pub;
SELECT * FROM wire.show();
SELECT * FROM wire.show('publication_names', 'renamed');

-- Nothing was published, nobody asks.
CALL wire.skip();
SELECT * FROM wire.show('publication_names', 'other');
INSERT INTO t VALUES (5);
SELECT * FROM wire.show();
