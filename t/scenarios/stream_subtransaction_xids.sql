-- Every change in a block names its own subtransaction: rows, RELATION,
-- TYPE, messages, truncates, in subtransactions of all depths, more than 64.
--@ sees BCRI
--@16+ sees SEcYMT
--@ matrix origin=any
CREATE TYPE mood AS ENUM ('x');
CREATE TABLE t (id int PRIMARY KEY, m mood);
CREATE TABLE u (id int PRIMARY KEY, m mood);
CREATE PUBLICATION pub FOR TABLE t, u;

--@ run
BEGIN;
SAVEPOINT a;
INSERT INTO t VALUES (1, 'x');
SELECT pg_logical_emit_message(true, 'prefix', 'in a');
SAVEPOINT b;
INSERT INTO u VALUES (1, 'x');
SELECT pg_logical_emit_message(true, 'prefix', 'in b');
TRUNCATE t;
RELEASE b;
INSERT INTO u VALUES (2, 'x');
RELEASE a;
SELECT pg_logical_emit_message(true, 'prefix', 'top');
INSERT INTO t VALUES (3, 'x');
DO $$
BEGIN
	FOR i IN 100..170 LOOP
		BEGIN
			INSERT INTO t VALUES (i, 'x');
			IF i % 10 = 0 THEN
				RAISE EXCEPTION 'roll back';
			END IF;
		EXCEPTION WHEN raise_exception THEN
			NULL;
		END;
	END LOOP;
END $$;
COMMIT;
