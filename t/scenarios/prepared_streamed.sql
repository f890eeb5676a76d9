-- Large transactions that are prepared: committed, rolled back, with
-- savepoints rolled back before, with nothing to send.
--@ sees BCRISEpKrA
--@ matrix messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE unpublished (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
BEGIN;
INSERT INTO t SELECT i, repeat('a', 400) FROM generate_series(1, 150) i;
SAVEPOINT s;
INSERT INTO t SELECT i, repeat('b', 400) FROM generate_series(201, 350) i;
ROLLBACK TO s;
INSERT INTO t VALUES (999, 'end');
PREPARE TRANSACTION 'streamed ''one''';
INSERT INTO t VALUES (1000, 'plain');
COMMIT PREPARED 'streamed ''one''';
BEGIN;
INSERT INTO t SELECT i, repeat('c', 400) FROM generate_series(2001, 2150) i;
PREPARE TRANSACTION 'streamed two';
INSERT INTO t VALUES (1001, 'plain');
ROLLBACK PREPARED 'streamed two';
BEGIN;
INSERT INTO unpublished SELECT i, repeat('u', 400) FROM generate_series(1, 150) i;
PREPARE TRANSACTION 'empty';
COMMIT PREPARED 'empty';
INSERT INTO t VALUES (1002, 'plain');
