-- Stored generated columns first, last, as a key and as the only column:
-- never sent before 18, from 18 by publication option or by list.
--@ sees BCRIUD
--@ publications pub | keyless
CREATE TABLE first (g int GENERATED ALWAYS AS (a * 2) STORED, a int PRIMARY KEY, b text);
CREATE TABLE last (a int PRIMARY KEY, b text, g text GENERATED ALWAYS AS (upper(b)) STORED);
CREATE TABLE only_one (g int GENERATED ALWAYS AS (7) STORED);
CREATE PUBLICATION pub FOR TABLE first, last;
CREATE PUBLICATION keyless FOR TABLE only_one, last WITH (publish = 'insert');

--@ run
INSERT INTO first (a, b) VALUES (1, 'one'), (2, NULL);
UPDATE first SET b = 'x';
UPDATE first SET a = a + 10;
DELETE FROM first;
INSERT INTO last VALUES (1, 'one'), (2, NULL);
UPDATE last SET b = 'two' WHERE a = 2;
ALTER TABLE last ALTER g DROP EXPRESSION;
INSERT INTO last VALUES (3, 'three', 'plain now');
DELETE FROM last;
INSERT INTO only_one DEFAULT VALUES;
