-- A value of a megabyte, text and bytea, inserted, changed beside, and
-- as an old row.
--@ sees BCRIUD
--@ matrix messages=false origin=any two_phase=off proto=1,2 memory=small
CREATE TABLE t (id int PRIMARY KEY, n int, tx text, b bytea);
ALTER TABLE t ALTER tx SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 1, repeat('0123456789', 100000), decode(repeat('00ff7f', 300000), 'hex'));
UPDATE t SET n = 2;
DELETE FROM t;
