-- Every kind of change in a prepared transaction, through a root, with row
-- filters, with truncates and messages, subtransactions included.
--@ sees BCRIUDTMYbPK
CREATE TYPE mood AS ENUM ('x', 'y');
CREATE TABLE t (id int PRIMARY KEY, a int, m mood);
CREATE TABLE root (id int PRIMARY KEY, a int) PARTITION BY RANGE (id);
CREATE TABLE leaf (a int, id int NOT NULL);
ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
CREATE PUBLICATION pub FOR TABLE t WHERE (id > 1), root WITH (publish_via_partition_root);

--@ run
INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'y');
BEGIN;
INSERT INTO t VALUES (3, 3, 'x');
SAVEPOINT s;
UPDATE t SET a = 5;
UPDATE t SET id = 10 WHERE id = 1;
SELECT pg_logical_emit_message(true, 'in prepared', 'transactional');
SELECT pg_logical_emit_message(false, 'in prepared', 'not transactional');
RELEASE s;
INSERT INTO root VALUES (1, 1);
UPDATE root SET id = 2;
DELETE FROM root;
DELETE FROM t WHERE id = 2;
TRUNCATE root;
PREPARE TRANSACTION 'all kinds';
COMMIT PREPARED 'all kinds';
