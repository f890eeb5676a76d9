-- Ranges and multiranges: empty, unbounded, of every built-in kind, and a
-- kind of the user's own with its TYPE message.
--@ sees BCRIUDY
CREATE TYPE floatrange AS RANGE (subtype = float8, subtype_diff = float8mi);
CREATE TABLE t (i4 int4range, i8 int8range, n numrange, d daterange, ts tsrange, tz tstzrange, mi int4multirange, mt tstzmultirange, f floatrange, mf floatmultirange, a floatrange[]);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES ('[1,10]', '(,5)', '[1.5,2.5]', '[2024-01-01,2024-02-01]', '[2024-01-01,infinity)', '(,)', '{[1,2],[4,5]}', '{}', '[0.1,0.2)', '{[0.1,0.2),(3,)}', '{"[1,2]",empty}');
INSERT INTO t VALUES ('empty', 'empty', '(,)', 'empty', 'empty', '[2024-01-01 00:00+02,2024-01-02]', '{}', '{(,)}', 'empty', '{}', '{}');
INSERT INTO t DEFAULT VALUES;
UPDATE t SET i4 = int4range(5, 6), f = '[NaN,NaN]' WHERE i4 IS NULL;
DELETE FROM t;
