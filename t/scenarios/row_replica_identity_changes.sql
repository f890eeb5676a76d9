-- The identity changes between rows and inside a transaction: a new RELATION
-- with other key flags before the next row, and the old rows to match.
--@ sees BCRUD
CREATE TABLE t (id int PRIMARY KEY, other int NOT NULL, a text);
CREATE UNIQUE INDEX t_other ON t (other);
INSERT INTO t SELECT i, -i, 'row ' || i FROM generate_series(1, 10) i;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
UPDATE t SET a = 'x', id = 101 WHERE id = 1;
ALTER TABLE t REPLICA IDENTITY FULL;
UPDATE t SET a = 'x', id = 102 WHERE id = 2;
ALTER TABLE t REPLICA IDENTITY USING INDEX t_other;
UPDATE t SET a = 'x', other = 103 WHERE id = 3;
BEGIN;
DELETE FROM t WHERE id = 4;
ALTER TABLE t REPLICA IDENTITY FULL;
DELETE FROM t WHERE id = 5;
ALTER TABLE t REPLICA IDENTITY DEFAULT;
DELETE FROM t WHERE id = 6;
SAVEPOINT s;
ALTER TABLE t REPLICA IDENTITY FULL;
DELETE FROM t WHERE id = 7;
ROLLBACK TO s;
DELETE FROM t WHERE id = 8;
COMMIT;
