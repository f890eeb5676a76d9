\i sql/include/start.psql
-- Of dropped columns there is no trace, in RELATION or in old and new rows.
CREATE TABLE t (first int, id int PRIMARY KEY, middle text, v text, last int);
ALTER TABLE t REPLICA IDENTITY FULL;
INSERT INTO t VALUES (1, 1, 'm', 'v', 9);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
ALTER TABLE t DROP first;
UPDATE t SET v = 'w';
ALTER TABLE t DROP middle, DROP last;
UPDATE t SET v = 'x';
ALTER TABLE t ADD middle int;
UPDATE t SET middle = 5;
DELETE FROM t;
SELECT * FROM wire.show();
SELECT wire.compare();

-- Inside one transaction.
CALL wire.skip();
BEGIN;
INSERT INTO t VALUES (2, 'y', 6);
ALTER TABLE t DROP v;
INSERT INTO t VALUES (3, 7);
COMMIT;
SELECT * FROM wire.show();
SELECT wire.compare();
