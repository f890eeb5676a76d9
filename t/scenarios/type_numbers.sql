-- Numbers at their bounds, as text and binary; floats under other settings
-- of extra_float_digits.
--@ sees BCRIUD
--@ set extra_float_digits = 0
--@ set extra_float_digits = 3; SET lc_monetary = 'C'
CREATE TABLE t (i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, n2 numeric(20,5), m money, b bool, o oid, x xid, x8 xid8, c cid);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (-32768, -2147483648, -9223372036854775808, -3.4028235e38, -1.7976931348623157e308, 'NaN', -99999.99999, '-92233720368547758.08', false, 0, '0', '0', '0');
INSERT INTO t VALUES (32767, 2147483647, 9223372036854775807, 3.4028235e38, 1.7976931348623157e308, 'Infinity', 0.1, '92233720368547758.07', true, 4294967295, '4294967295', '18446744073709551615', '4294967295');
INSERT INTO t VALUES (0, 0, 0, 'NaN', 'NaN', '-Infinity', 0, 0, NULL, 1, '3', '4294967296', '1');
INSERT INTO t VALUES (1, -1, 1, 'Infinity', '-Infinity', 0, 1, 1, true, 2147483648, '1', '1', '2');
INSERT INTO t VALUES (NULL, NULL, NULL, '-0', '-0', 1e-100, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO t (f4, f8, n) VALUES (0.1, 0.1, 0.1), ('1.5e-45', '5e-324', 1e1000), (1.1754944e-38, 1::float8 / 3, 12345678901234567890123456789012345678.000001), (16777217, 9007199254740993, -0.0001);
UPDATE t SET n = -n, f8 = f8 / 7 WHERE f8 BETWEEN 1e-300 AND 1e300;
DELETE FROM t WHERE i2 < 0;
