\i sql/include/start.psql
-- TRUNCATE: how many tables, flags (1 cascade, 2 restart identity), tables.
CREATE TABLE a (id serial PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY REFERENCES a);
CREATE TABLE c (id int);
CREATE TABLE unpublished (id int);
CREATE PUBLICATION pub FOR TABLE a, b, c;
CALL wire.start();
TRUNCATE c;
TRUNCATE a CASCADE;
TRUNCATE c RESTART IDENTITY;
TRUNCATE a RESTART IDENTITY CASCADE;
TRUNCATE a, b, c, unpublished;
TRUNCATE unpublished;
SELECT message FROM wire.hex() WHERE message LIKE '54%';
SELECT wire.compare();

-- In a stream block, with the xid in front; a RELATION goes before.
CALL wire.skip();
ALTER TABLE c ADD big text;
ALTER TABLE c ALTER big SET STORAGE EXTERNAL;
BEGIN;
TRUNCATE a, b, c;
INSERT INTO c VALUES (1, repeat('x', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT message FROM wire.hex('proto_version', '2', 'streaming', 'on') WHERE message LIKE '54%';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- A publication that leaves TRUNCATE out.
ALTER PUBLICATION pub SET (publish = 'insert, update, delete');
CALL wire.skip();
TRUNCATE a, b, c;
SELECT * FROM wire.show();
