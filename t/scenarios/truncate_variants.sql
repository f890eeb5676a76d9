-- TRUNCATE of one and many tables, with the flags, by cascade, of
-- partitioned tables and leaves, of tables that are not published or do not
-- publish truncates.
--@ sees BCRIT
--@ matrix messages=false
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a);
CREATE TABLE c (id serial PRIMARY KEY);
CREATE TABLE unpublished (id int PRIMARY KEY);
CREATE TABLE silent (id int PRIMARY KEY);
CREATE TABLE p (id int PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10);
CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20) PARTITION BY RANGE (id);
CREATE TABLE p2a PARTITION OF p2 FOR VALUES FROM (10) TO (15);
CREATE TABLE p2b PARTITION OF p2 FOR VALUES FROM (15) TO (20);
CREATE PUBLICATION pub FOR TABLE a, b, c, p;
CREATE PUBLICATION rooted FOR TABLE a, b, c, p WITH (publish_via_partition_root);
CREATE PUBLICATION no_truncate FOR TABLE silent, p WITH (publish = 'insert');
CREATE PUBLICATION leaf FOR TABLE p1, silent;

--@ publications pub | rooted | pub, no_truncate | rooted, leaf | no_truncate, leaf
--@ run
INSERT INTO a VALUES (1);
INSERT INTO b VALUES (1, 1);
INSERT INTO c DEFAULT VALUES;
TRUNCATE b;
TRUNCATE a CASCADE;
TRUNCATE a, b, c;
TRUNCATE c RESTART IDENTITY;
TRUNCATE a, c RESTART IDENTITY CASCADE;
TRUNCATE unpublished;
TRUNCATE unpublished, c, silent;
TRUNCATE silent;
INSERT INTO p VALUES (1), (11), (16);
TRUNCATE p;
TRUNCATE p1;
TRUNCATE p2;
TRUNCATE p2a, p1, c;
TRUNCATE ONLY p1;
BEGIN;
INSERT INTO c DEFAULT VALUES;
TRUNCATE c, p;
INSERT INTO c DEFAULT VALUES;
SAVEPOINT s;
TRUNCATE c;
ROLLBACK TO s;
TRUNCATE a, b;
COMMIT;
