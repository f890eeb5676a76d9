-- Transactions back to back: empty ones, ones that touch unpublished tables
-- only, ones with a single row; from several sessions, committed in another
-- order than begun.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE unpublished (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
DO $$
BEGIN
	FOR i IN 1..12 LOOP
		INSERT INTO t VALUES (i, 'row');
		COMMIT;
		INSERT INTO unpublished VALUES (i);
		COMMIT;
		PERFORM txid_current();
		COMMIT;
	END LOOP;
END $$;
--@ session one
BEGIN;
INSERT INTO t VALUES (101, 'one');
--@ session two
BEGIN;
INSERT INTO t VALUES (102, 'two');
--@ session three
BEGIN;
INSERT INTO unpublished VALUES (103);
UPDATE t SET a = 'three' WHERE id = 1;
--@ session two
DELETE FROM t WHERE id = 2;
COMMIT;
--@ session three
ROLLBACK;
--@ session one
UPDATE t SET a = 'one' WHERE id = 1;
COMMIT;
