\i sql/include/start.psql
-- Row filters of several publications are OR-ed, action by action; one that
-- publishes without a filter switches them off.
CREATE TABLE t (id int PRIMARY KEY, v text);
CREATE PUBLICATION low FOR TABLE t WHERE (id < 10);
CREATE PUBLICATION high FOR TABLE t WHERE (id > 20);
CREATE PUBLICATION middle FOR TABLE t WHERE (id BETWEEN 10 AND 20) WITH (publish = 'insert');
CREATE PUBLICATION whole FOR TABLE t WITH (publish = 'delete');
CREATE PUBLICATION all_tables FOR ALL TABLES;
CREATE PUBLICATION of_schema FOR TABLES IN SCHEMA public;
CALL wire.start();
INSERT INTO t VALUES (5), (15), (25);
UPDATE t SET v = 'x';
DELETE FROM t;

-- What is left of it all, each as action and id.
CREATE FUNCTION rows_of(publications text) RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(left(message, 1) || substring(message, 't''(\d+)'''), ' ')
	FROM wire.show('publication_names', publications) WHERE message ~ '^[IUD]'
$$;
SELECT rows_of('low');
SELECT rows_of('low,high');
SELECT rows_of('low,high,middle');
SELECT rows_of('middle');
SELECT rows_of('low,whole');
SELECT rows_of('low,all_tables');
SELECT rows_of('low,of_schema');
SELECT wire.compare('publication_names', 'low,high,middle');
SELECT wire.compare('publication_names', 'low,whole');
SELECT wire.compare('publication_names', 'low,of_schema');
