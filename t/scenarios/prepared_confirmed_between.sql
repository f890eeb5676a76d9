-- The client has confirmed the PREPARE, or part of the transaction, before
-- it reads on: COMMIT PREPARED comes to a plugin that never saw the rest.
--@ sees BCRIKr
--@ matrix messages=false
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t VALUES (1, 'one');
PREPARE TRANSACTION 'committed';
BEGIN;
INSERT INTO t VALUES (2, 'two');
PREPARE TRANSACTION 'rolled back';
BEGIN;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(2001, 2150) i;
PREPARE TRANSACTION 'large';
--@ session open
BEGIN;
INSERT INTO t VALUES (3, 'three');
--@ session main
INSERT INTO t VALUES (4, 'four');
--@ confirm
--@ session main
COMMIT PREPARED 'committed';
ROLLBACK PREPARED 'rolled back';
COMMIT PREPARED 'large';
--@ session open
INSERT INTO t VALUES (5, 'five');
PREPARE TRANSACTION 'open';
COMMIT PREPARED 'open';
