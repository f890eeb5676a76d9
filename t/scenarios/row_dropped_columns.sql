-- Dropped columns leave no trace: first, last, every other, all, and one
-- whose type was dropped as well; rows written before and after.
--@ sees BCRIUD
CREATE TYPE mood AS ENUM ('sad', 'glad');
CREATE TABLE first_gone (a int, b int, c text);
CREATE TABLE last_gone (a int, b int, c text);
CREATE TABLE others_gone (a int, b text, c int, d text, e int, f text);
CREATE TABLE type_gone (a int, m mood, b int);
INSERT INTO first_gone VALUES (1, 1, 'old');
INSERT INTO last_gone VALUES (1, 1, 'old');
INSERT INTO others_gone VALUES (1, 'b', 3, 'd', 5, 'f');
INSERT INTO type_gone VALUES (1, 'sad', 2);
ALTER TABLE first_gone DROP a;
ALTER TABLE last_gone DROP c;
ALTER TABLE others_gone DROP b, DROP d, DROP f;
DROP TYPE mood CASCADE;
ALTER TABLE first_gone REPLICA IDENTITY FULL;
ALTER TABLE last_gone REPLICA IDENTITY FULL;
ALTER TABLE others_gone REPLICA IDENTITY FULL;
ALTER TABLE type_gone REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR ALL TABLES;

--@ run
INSERT INTO first_gone VALUES (2, 'new');
UPDATE first_gone SET b = b + 10;
DELETE FROM first_gone;
INSERT INTO last_gone VALUES (2, 2);
UPDATE last_gone SET b = b + 10;
DELETE FROM last_gone;
INSERT INTO others_gone VALUES (2, 4, 6);
UPDATE others_gone SET c = NULL;
DELETE FROM others_gone;
INSERT INTO type_gone VALUES (3, 4);
UPDATE type_gone SET b = 5;
ALTER TABLE type_gone ADD COLUMN b2 text DEFAULT 'again';
UPDATE type_gone SET a = -a;
DELETE FROM type_gone;
