-- Key columns that are not the first ones, in another order than the table's,
-- with NULLs around them: the old key tuple has every column, NULL outside
-- the key.
--@ sees BCRIUD
CREATE TABLE t (a text, k2 date, b int, k1 uuid, c text, PRIMARY KEY (k1, k2));
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES ('a', '2024-02-29', 1, '00000000-0000-0000-0000-000000000001', NULL);
INSERT INTO t VALUES (NULL, 'infinity', NULL, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'c');
UPDATE t SET k1 = '00000000-0000-0000-0000-000000000002' WHERE b = 1;
UPDATE t SET k2 = '-infinity' WHERE b IS NULL;
UPDATE t SET a = 'aa', c = 'cc';
DELETE FROM t;
