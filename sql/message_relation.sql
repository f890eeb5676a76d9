\i sql/include/start.psql
-- RELATION: schema, name, replica identity, columns with key flag, name,
-- type and type modifier.
CREATE SCHEMA s;
CREATE TABLE s.by_default (id int, "a B" varchar(10), n numeric(8,2), PRIMARY KEY (id, n));
CREATE TABLE s.no_key (id int, v text);
CREATE TABLE s.by_index (id int, v bigint NOT NULL);
CREATE UNIQUE INDEX by_index_v ON s.by_index (v);
ALTER TABLE s.by_index REPLICA IDENTITY USING INDEX by_index_v;
CREATE TABLE s.by_full (id int PRIMARY KEY, v text);
ALTER TABLE s.by_full REPLICA IDENTITY FULL;
CREATE TABLE s.by_nothing (id int PRIMARY KEY, v text);
ALTER TABLE s.by_nothing REPLICA IDENTITY NOTHING;
CREATE PUBLICATION pub FOR ALL TABLES;
CALL wire.start();

INSERT INTO s.by_default VALUES (1, 'x', 2);
INSERT INTO s.no_key VALUES (1);
INSERT INTO s.by_index VALUES (1, 2);
INSERT INTO s.by_full VALUES (1);
INSERT INTO s.by_nothing VALUES (1);
SELECT message FROM wire.hex() WHERE message LIKE '52%';
SELECT message FROM wire.show() WHERE message LIKE 'R%';
SELECT wire.compare();

-- The same relation again after it was changed, and not before.
CALL wire.skip();
INSERT INTO s.no_key VALUES (2);
INSERT INTO s.no_key VALUES (3);
ALTER TABLE s.no_key ADD c timestamptz(3);
INSERT INTO s.no_key VALUES (4);
ALTER TABLE s.no_key RENAME TO renamed;
INSERT INTO s.renamed VALUES (5);
ALTER TABLE s.renamed RENAME v TO w;
INSERT INTO s.renamed VALUES (6);
ALTER TABLE s.renamed SET SCHEMA public;
INSERT INTO renamed VALUES (7);
ALTER TABLE renamed REPLICA IDENTITY FULL;
INSERT INTO renamed VALUES (8);
SELECT * FROM wire.show();
SELECT wire.compare();
