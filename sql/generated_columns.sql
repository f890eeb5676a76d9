\i sql/include/start.psql
-- Stored generated columns are left out; from 18 on a column list or the
-- publication's option brings them in.
CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, v text);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (1, DEFAULT, 'one');
UPDATE t SET id = 2;
DELETE FROM t;
SELECT * FROM wire.show();
SELECT wire.compare();

-- The expression is dropped: now it is a column like any other.
CALL wire.skip();
ALTER TABLE t ALTER g DROP EXPRESSION;
INSERT INTO t VALUES (2, 5, 'two');
SELECT * FROM wire.show();
SELECT wire.compare();
