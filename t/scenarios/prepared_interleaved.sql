-- Several prepared transactions pending at once, finished in another order;
-- one that is never finished.
--@ sees BCRIUbPKr
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
--@ session a
BEGIN;
INSERT INTO t VALUES (1, 'a');
--@ session b
BEGIN;
INSERT INTO t VALUES (2, 'b');
PREPARE TRANSACTION 'b';
--@ session c
BEGIN;
INSERT INTO t VALUES (3, 'c');
PREPARE TRANSACTION 'c';
--@ session a
PREPARE TRANSACTION 'a';
--@ session plain
INSERT INTO t VALUES (4, 'plain');
ROLLBACK PREPARED 'c';
UPDATE t SET a = 'x' WHERE id = 4;
COMMIT PREPARED 'a';
BEGIN;
UPDATE t SET a = 'pending' WHERE id = 4;
PREPARE TRANSACTION 'never finished';
COMMIT PREPARED 'b';
INSERT INTO t VALUES (5, 'last');
