-- The ten-step transaction: rows before and after a savepoint, a column that
-- is added in the middle, and an update of it.  The RELATION is sent again
-- after the ALTER, and in a stream block each change names its own
-- subtransaction.
--@ sees BCRIUD
--@16+ sees SEc
CREATE TABLE ten (id int PRIMARY KEY, body text);
CREATE PUBLICATION pub FOR TABLE ten;

--@ run
BEGIN;
INSERT INTO ten VALUES (1, 'one');
INSERT INTO ten VALUES (2, 'two');
SAVEPOINT s;
INSERT INTO ten VALUES (3, 'three');
UPDATE ten SET body = 'TWO' WHERE id = 2;
DELETE FROM ten WHERE id = 1;
RELEASE s;
ALTER TABLE ten ADD COLUMN extra int;
UPDATE ten SET extra = 7 WHERE id = 3;
COMMIT;
