-- A publication is dropped and made again, and renamed, also in the middle
-- of a transaction, while no row is written that would meet its absence.
--@ sees BCRI
--@ publications pub | pub, other
CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION other FOR TABLE t WITH (publish = 'delete');

--@ run
INSERT INTO t VALUES (1, 1);
DROP PUBLICATION pub;
CREATE PUBLICATION pub FOR TABLE t WITH (publish = 'insert');
INSERT INTO t VALUES (2, 2);
UPDATE t SET a = 0;
BEGIN;
INSERT INTO t VALUES (3, 3);
ALTER PUBLICATION pub RENAME TO away;
CREATE PUBLICATION pub FOR TABLE t WHERE (id <> 4);
INSERT INTO t VALUES (4, 4), (40, 40);
DROP PUBLICATION pub;
ALTER PUBLICATION away RENAME TO pub;
INSERT INTO t VALUES (5, 5);
COMMIT;
DROP PUBLICATION other;
CREATE PUBLICATION other FOR ALL TABLES;
INSERT INTO t VALUES (6, 6);
DELETE FROM t WHERE id = 1;
