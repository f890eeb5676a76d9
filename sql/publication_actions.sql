\i sql/include/start.psql
-- The publication's actions.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION i FOR TABLE t WITH (publish = 'insert');
CREATE PUBLICATION u FOR TABLE t WITH (publish = 'update');
CREATE PUBLICATION d FOR TABLE t WITH (publish = 'delete');
CREATE PUBLICATION tr FOR TABLE t WITH (publish = 'truncate');
CREATE PUBLICATION nothing FOR TABLE t WITH (publish = '');
CALL wire.start();
INSERT INTO t VALUES (1);
UPDATE t SET id = 2;
DELETE FROM t;
TRUNCATE t;
SELECT * FROM wire.show('publication_names', 'i');
SELECT * FROM wire.show('publication_names', 'u');
SELECT * FROM wire.show('publication_names', 'd');
SELECT * FROM wire.show('publication_names', 'tr');
SELECT * FROM wire.show('publication_names', 'nothing');
