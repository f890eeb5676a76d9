-- Every replica identity: default with and without a primary key, a unique
-- index, full, nothing.  An update carries an old key only if the key
-- changed; a delete without an old row is not sent at all.
--@ sees BCRIUD
CREATE TABLE ident_default (id int PRIMARY KEY, a text, b int);
CREATE TABLE ident_nokey (id int, a text);
CREATE TABLE ident_index (id int NOT NULL, k1 text NOT NULL, k2 int NOT NULL, a text);
CREATE UNIQUE INDEX ident_index_key ON ident_index (k2, k1);
ALTER TABLE ident_index REPLICA IDENTITY USING INDEX ident_index_key;
CREATE TABLE ident_full (id int, a text, b int);
ALTER TABLE ident_full REPLICA IDENTITY FULL;
CREATE TABLE ident_full_key (id int PRIMARY KEY, a text);
ALTER TABLE ident_full_key REPLICA IDENTITY FULL;
CREATE TABLE ident_nothing (id int PRIMARY KEY, a text);
ALTER TABLE ident_nothing REPLICA IDENTITY NOTHING;
CREATE PUBLICATION pub FOR TABLE ident_default, ident_index, ident_full, ident_full_key;
CREATE PUBLICATION pub_inserts FOR TABLE ident_nokey, ident_nothing WITH (publish = 'insert, truncate');

--@ publications pub | pub, pub_inserts
--@ run
INSERT INTO ident_default VALUES (1, 'one', 1), (2, NULL, 2), (3, '', NULL);
UPDATE ident_default SET a = 'uno' WHERE id = 1;
UPDATE ident_default SET id = 10 WHERE id = 1;
UPDATE ident_default SET id = id, b = b WHERE id = 2;
DELETE FROM ident_default WHERE id = 2;
INSERT INTO ident_nokey VALUES (1, 'a'), (NULL, NULL);
UPDATE ident_nokey SET a = 'b' WHERE id = 1;
DELETE FROM ident_nokey;
INSERT INTO ident_index VALUES (1, 'k', 1, 'a'), (2, 'l', 2, 'b');
UPDATE ident_index SET a = 'c' WHERE id = 1;
UPDATE ident_index SET k1 = 'kk' WHERE id = 1;
UPDATE ident_index SET k2 = 22 WHERE id = 2;
DELETE FROM ident_index WHERE id = 1;
INSERT INTO ident_full VALUES (1, 'a', NULL), (1, 'a', NULL), (NULL, NULL, NULL);
UPDATE ident_full SET b = 1 WHERE id = 1;
UPDATE ident_full SET b = b;
DELETE FROM ident_full;
INSERT INTO ident_full_key VALUES (1, 'a');
UPDATE ident_full_key SET id = 2;
DELETE FROM ident_full_key;
INSERT INTO ident_nothing VALUES (1, 'a');
UPDATE ident_nothing SET id = 2;
DELETE FROM ident_nothing;
