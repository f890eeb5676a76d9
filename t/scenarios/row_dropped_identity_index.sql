-- The identity's index is dropped: deletes and updates lose their old row,
-- and what has none is not sent.
--@ sees BCRIUD
CREATE TABLE t (id int NOT NULL, a text);
CREATE UNIQUE INDEX t_key ON t (id);
ALTER TABLE t REPLICA IDENTITY USING INDEX t_key;
INSERT INTO t SELECT i, 'row ' || i FROM generate_series(1, 6) i;
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION inserts FOR TABLE t WITH (publish = 'insert');

--@ publications pub | inserts | inserts, pub
--@ run
UPDATE t SET a = 'x' WHERE id = 1;
DELETE FROM t WHERE id = 2;
ALTER PUBLICATION pub SET (publish = 'insert');
DROP INDEX t_key;
INSERT INTO t VALUES (7, 'seven');
UPDATE t SET a = 'y' WHERE id = 3;
DELETE FROM t WHERE id = 4;
ALTER TABLE t REPLICA IDENTITY FULL;
ALTER PUBLICATION pub SET (publish = 'insert, update, delete');
DELETE FROM t WHERE id = 5;
