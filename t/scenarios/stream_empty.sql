-- Large transactions with nothing to send: unpublished tables, rows cut by a
-- filter, truncates that are not published.  Plain they vanish, streamed
-- they are announced all the same.
--@ sees BCRISEc
--@ matrix messages=false
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE unpublished (id int PRIMARY KEY, a text);
CREATE PUBLICATION pub FOR TABLE t WHERE (id < 100) WITH (publish = 'insert');

--@ run
BEGIN;
INSERT INTO unpublished SELECT i, repeat('x', 400) FROM generate_series(1, 300) i;
COMMIT;
BEGIN;
INSERT INTO t SELECT i, repeat('x', 400) FROM generate_series(101, 300) i;
COMMIT;
BEGIN;
TRUNCATE unpublished;
TRUNCATE t;
COMMIT;
BEGIN;
INSERT INTO unpublished SELECT i, repeat('x', 400) FROM generate_series(1, 150) i;
INSERT INTO t VALUES (1, 'one row in the last block');
COMMIT;
BEGIN;
INSERT INTO unpublished SELECT i, repeat('x', 400) FROM generate_series(201, 350) i;
ROLLBACK;
INSERT INTO t VALUES (2, 'two');
