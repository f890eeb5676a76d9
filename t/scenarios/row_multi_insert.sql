-- Many rows in one WAL record: COPY, a multi-row insert, COPY into leaves,
-- with TOASTed rows between.  Several messages share one LSN.
--@ sees BCRI
--@ matrix messages=false
CREATE TABLE t (id int PRIMARY KEY, a text);
ALTER TABLE t ALTER a SET STORAGE EXTERNAL;
CREATE TABLE p (id int PRIMARY KEY, a text) PARTITION BY HASH (id);
CREATE TABLE p0 PARTITION OF p FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE p1 PARTITION OF p FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE p2 PARTITION OF p FOR VALUES WITH (MODULUS 3, REMAINDER 2);
CREATE PUBLICATION pub FOR TABLE t, p;

--@ run
COPY t FROM PROGRAM 'seq -f "%g	copied" 1 120';
COPY p FROM PROGRAM 'seq -f "%g	leaf" 1 60';
INSERT INTO t SELECT i, CASE WHEN i % 20 = 0 THEN repeat('toast', 1000) ELSE 'short' END
	FROM generate_series(1001, 1060) i;
INSERT INTO t VALUES (2001, 'x'), (2002, 'y');
INSERT INTO t VALUES (2003, 'x'), (2004, 'y');
