-- The four cases of an update under a row filter: both rows match, only the
-- old one (DELETE), only the new one (INSERT), none; NULL is false; inserts
-- and deletes; with full identity and with a key in the filter.
--@ sees BCRIUD
CREATE TABLE full_id (id int, a int, b text);
ALTER TABLE full_id REPLICA IDENTITY FULL;
CREATE TABLE keyed (id int PRIMARY KEY, b text);
CREATE TABLE inserts (id int PRIMARY KEY, a int, b text);
CREATE PUBLICATION pub FOR TABLE full_id WHERE (a > 10), keyed WHERE (id < 100);
CREATE PUBLICATION pub_inserts FOR TABLE inserts WHERE (a > 10 AND b IS DISTINCT FROM 'no') WITH (publish = 'insert');

--@ publications pub | pub, pub_inserts
--@ run
INSERT INTO full_id VALUES (1, 5, 'out'), (2, 15, 'in'), (3, NULL, 'null'), (4, 20, 'in');
UPDATE full_id SET b = b || '!' WHERE id IN (1, 2);
UPDATE full_id SET a = 11 WHERE id = 1;
UPDATE full_id SET a = 9 WHERE id = 2;
UPDATE full_id SET a = 50 WHERE id = 3;
UPDATE full_id SET a = NULL WHERE id = 4;
UPDATE full_id SET a = 12 WHERE id = 2;
DELETE FROM full_id WHERE id IN (1, 4);
DELETE FROM full_id;
INSERT INTO keyed VALUES (1, 'in'), (100, 'out');
UPDATE keyed SET b = 'same key';
UPDATE keyed SET id = id + 1;
UPDATE keyed SET id = 200 WHERE id = 2;
UPDATE keyed SET id = 50 WHERE id = 101;
UPDATE keyed SET id = 300 WHERE id = 200;
DELETE FROM keyed;
INSERT INTO inserts VALUES (1, 11, NULL), (2, 11, 'no'), (3, 10, 'yes'), (4, NULL, NULL);
UPDATE inserts SET a = 100;
DELETE FROM inserts;
