-- Reading begins in the middle of a transaction that others overtook: it
-- comes whole, what was committed before does not.
--@ sees BCRI
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session long
BEGIN;
INSERT INTO t VALUES (1, 'before');
--@ session short
INSERT INTO t VALUES (2, 'not seen again');
--@ confirm
--@ session long
INSERT INTO t VALUES (3, 'after');
ALTER TABLE t ADD COLUMN b int;
INSERT INTO t VALUES (4, 'altered', 4);
COMMIT;
--@ session short
INSERT INTO t VALUES (5, 'last', 5);
