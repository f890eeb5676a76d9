-- Filters of several publications are OR-ed per action; a publication
-- without one, for all tables, or for a schema switches them off.
--@ sees BCRIUDT
--@ matrix messages=false origin=any
CREATE SCHEMA s;
CREATE TABLE s.t (id int PRIMARY KEY, a int);
ALTER TABLE s.t REPLICA IDENTITY FULL;
CREATE PUBLICATION low FOR TABLE s.t WHERE (a < 10);
CREATE PUBLICATION high FOR TABLE s.t WHERE (a > 90);
CREATE PUBLICATION mid_inserts FOR TABLE s.t WHERE (a BETWEEN 40 AND 60) WITH (publish = 'insert');
CREATE PUBLICATION high_deletes FOR TABLE s.t WHERE (a > 80) WITH (publish = 'delete');
CREATE PUBLICATION plain_updates FOR TABLE s.t WITH (publish = 'update');
CREATE PUBLICATION every FOR ALL TABLES WITH (publish = 'insert');
CREATE PUBLICATION of_schema FOR TABLES IN SCHEMA s WITH (publish = 'delete, truncate');

--@ publications low | low, high | low, mid_inserts | high_deletes, mid_inserts | low, plain_updates | low, every | of_schema, high | of_schema, every, low
--@ run
INSERT INTO s.t SELECT i, i FROM unnest(ARRAY[5, 50, 85, 95]) i;
INSERT INTO s.t VALUES (1000, NULL);
UPDATE s.t SET a = a + 1;
UPDATE s.t SET a = 50 WHERE id = 5;
UPDATE s.t SET a = 5 WHERE id = 85;
UPDATE s.t SET a = 99 WHERE id = 1000;
DELETE FROM s.t;
TRUNCATE s.t;
