-- Subtransactions: nested, released, rolled back, in more numbers than a
-- transaction remembers (64), and by exception blocks.
--@ sees BCRI
--@ matrix messages=false
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
DO $$
BEGIN
	FOR i IN 1..80 LOOP
		BEGIN
			INSERT INTO t VALUES (i, 'sub');
			IF i % 7 = 0 THEN
				RAISE EXCEPTION 'roll back';
			END IF;
		EXCEPTION WHEN raise_exception THEN
			NULL;
		END;
	END LOOP;
END $$;
BEGIN;
INSERT INTO t VALUES (1000, 'top');
SAVEPOINT a;
INSERT INTO t VALUES (1001, 'a');
SAVEPOINT b;
INSERT INTO t VALUES (1002, 'b');
SAVEPOINT c;
INSERT INTO t VALUES (1003, 'c');
ROLLBACK TO b;
INSERT INTO t VALUES (1004, 'a again');
RELEASE a;
INSERT INTO t VALUES (1005, 'top again');
COMMIT;
