\i sql/include/start.psql
-- What of the old row goes out, by replica identity.
CREATE TABLE by_default (id int PRIMARY KEY, k int NOT NULL, v text);
CREATE TABLE by_index (LIKE by_default INCLUDING ALL);
CREATE UNIQUE INDEX by_index_k ON by_index (k);
ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_k;
CREATE TABLE by_full (LIKE by_default INCLUDING ALL);
ALTER TABLE by_full REPLICA IDENTITY FULL;
CREATE TABLE by_nothing (LIKE by_default INCLUDING ALL);
ALTER TABLE by_nothing REPLICA IDENTITY NOTHING;
CREATE TABLE no_key (id int, k int NOT NULL, v text);
CREATE PUBLICATION pub FOR ALL TABLES;
CALL wire.start();
SELECT format('INSERT INTO %I VALUES (1, 1, ''v'');
	UPDATE %I SET v = NULL;
	UPDATE %I SET id = 2;
	UPDATE %I SET k = 2;
	DELETE FROM %I', t, t, t, t, t)
FROM unnest('{by_default,by_index,by_full}'::text[]) t \gexec
SELECT message FROM wire.show() WHERE message ~ '^[RIUD]';
SELECT wire.compare();

-- The server refuses what would have no identity ...
INSERT INTO by_nothing VALUES (1, 1, 'v');
INSERT INTO no_key VALUES (1, 1, 'v');
UPDATE by_nothing SET v = NULL;
DELETE FROM no_key;

-- ... unless it is not published; then a DELETE without an old row stays out.
CALL wire.skip();
ALTER PUBLICATION pub SET (publish = 'insert');
UPDATE by_nothing SET id = 2;
DELETE FROM no_key;
INSERT INTO by_nothing VALUES (3, 3, 'v');
ALTER PUBLICATION pub SET (publish = 'insert, update, delete');
BEGIN;
INSERT INTO no_key VALUES (4, 4, 'v');
COMMIT;
SELECT message FROM wire.show() WHERE message ~ '^[RIUD]';
SELECT wire.compare();

-- A published DELETE without an old row has nothing to tell.  The server is
-- led to believe that deletes were not published.
ALTER PUBLICATION pub SET (publish = 'insert');
INSERT INTO by_default VALUES (4, 4, 'v');
INSERT INTO no_key VALUES (5, 5, 'v');
CALL wire.skip();
DELETE FROM no_key WHERE id = 0;
SET allow_system_table_mods = on;
UPDATE pg_publication SET pubdelete = true;
RESET allow_system_table_mods;
DELETE FROM no_key;
DELETE FROM by_default;
SELECT message FROM wire.show() WHERE message ~ '^[IUD]';
SELECT wire.compare();
ALTER PUBLICATION pub SET (publish = 'insert, update, delete');

-- The identity changes between two rows.
CALL wire.skip();
INSERT INTO by_default VALUES (1, 1, 'v'), (2, 2, 'v');
ALTER TABLE by_default REPLICA IDENTITY FULL;
DELETE FROM by_default WHERE id = 1;
ALTER TABLE by_default REPLICA IDENTITY DEFAULT;
DELETE FROM by_default WHERE id = 2;
SELECT message FROM wire.show() WHERE message ~ '^[RIUD]';
SELECT wire.compare();
