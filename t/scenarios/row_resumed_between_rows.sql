-- Reading begins again behind each of several transactions, with tables that
-- changed meanwhile: descriptions are sent anew.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 'a'), (2, 'b');
--@ confirm
ALTER TABLE t ADD COLUMN b int DEFAULT 3;
UPDATE t SET a = 'c';
--@ confirm
--@ session open
BEGIN;
UPDATE t SET b = 4 WHERE id = 1;
--@ session main
INSERT INTO t VALUES (3, 'x', 3);
--@ confirm
--@ session main
INSERT INTO t VALUES (4, 'y', 4);
--@ session open
DELETE FROM t WHERE id = 2;
COMMIT;
