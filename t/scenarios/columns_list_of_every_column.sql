-- Up to 17 a list of every column agrees with no list.  15 counts dropped and
-- generated columns among them, which no list can name.  From 18 on lists are
-- compared as they are.
--@ sees BCRI
--@15- error 0A000
--@ publications dropped, every | every, dropped | generated, every | plain, every | dropped
CREATE TABLE d (junk text, a int, id int PRIMARY KEY);
ALTER TABLE d DROP COLUMN junk;
CREATE TABLE g (a int, id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED);
CREATE TABLE p (a int, id int PRIMARY KEY);
CREATE PUBLICATION dropped FOR TABLE d (a, id);
CREATE PUBLICATION generated FOR TABLE g (a, id);
CREATE PUBLICATION plain FOR TABLE p (a, id);
CREATE PUBLICATION every FOR ALL TABLES;

--@ run
INSERT INTO p VALUES (1, 1);
INSERT INTO g VALUES (1, 1);
INSERT INTO d VALUES (1, 1);
ALTER TABLE d DROP COLUMN a CASCADE;
INSERT INTO d VALUES (2);
