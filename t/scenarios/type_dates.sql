-- Dates and times at their bounds, under every DateStyle and IntervalStyle
-- and several time zones.
--@ sees BCRIUD
--@ matrix messages=false origin=any two_phase=off
--@ set DateStyle = 'SQL, DMY'; SET IntervalStyle = sql_standard; SET TimeZone = 'America/New_York'
--@ set DateStyle = 'German'; SET IntervalStyle = postgres_verbose; SET TimeZone = 'Asia/Kathmandu'
--@ set DateStyle = 'Postgres, MDY'; SET IntervalStyle = iso_8601; SET TimeZone = '<+0330>-3:30'
--@ set DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'
CREATE TABLE t (id int, d date, ti time(3), tz timetz, ts timestamp, tstz timestamptz, iv interval, iv2 interval year to month, ts0 timestamp(0));
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, '4713-01-01 BC', '00:00', '00:00+15:59', '4713-01-01 00:00:00 BC', '4713-01-02 00:00:00+00 BC', '-178000000 years', '-178000000 years', '1999-12-31 23:59:59.9');
INSERT INTO t VALUES (2, '5874897-12-31', '24:00', '24:00-15:59', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999+00', '178000000 years', '178000000 years', '2000-01-01');
INSERT INTO t VALUES (3, 'infinity', '23:59:59.9995', '12:00:00.000001+05:45', 'infinity', '-infinity', '1 year -2 mons 3 days -04:05:06.789', '1 mon', '-infinity');
INSERT INTO t VALUES (4, '-infinity', '12:34:56.789', '12:34-03:30', '-infinity', 'infinity', '0', '0', 'infinity');
INSERT INTO t VALUES (5, '2024-02-29', NULL, NULL, '2024-03-31 02:30', '2024-03-31 02:30+01', '-1 day', '11 mons', NULL), (6, '0001-01-01', '00:00:00.001', '01:02:03.4+00', '0001-01-01 BC', '1883-11-18 12:00+00', '100000:00:00.000001', NULL, NULL);
UPDATE t SET ts = ts + '1 microsecond' WHERE id > 2;
DELETE FROM t WHERE id = 2;
