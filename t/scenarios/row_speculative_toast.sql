-- A speculative insert of a TOASTed value that loses to another session:
-- its chunks belong to no row.
--@ sees BCRIU
CREATE TABLE t (id int PRIMARY KEY, a text);
ALTER TABLE t ALTER a SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, repeat('first', 1000));
SAVEPOINT s;
INSERT INTO t VALUES (2, repeat('gone', 1000));
ROLLBACK TO s;
INSERT INTO t VALUES (1, repeat('lost', 1000)) ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, repeat('won', 1000)) ON CONFLICT (id) DO UPDATE SET a = excluded.a;
INSERT INTO t VALUES (3, repeat('third', 1000)) ON CONFLICT DO NOTHING;
COMMIT;
