-- Row filters compare by the database's collation: in German an umlaut sorts
-- beside its vowel, by bytes it would come after all letters.
--@ database ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'de'
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, name text, tags text[]);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t WHERE (name < 'b' AND name COLLATE "C" > 'b');
--@ run
INSERT INTO t VALUES (1, 'ähre', '{ä,Ö}'), (2, 'ahre', NULL), (3, 'ohr', '{}');
UPDATE t SET tags = '{ß}' WHERE id = 1;
UPDATE t SET name = 'öhr' WHERE id = 1;
UPDATE t SET name = 'äther' WHERE id = 3;
DELETE FROM t;
