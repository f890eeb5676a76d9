-- Tables without columns, made so or made empty: RELATION with 0 columns,
-- rows with a column count of 0, deletes under full identity.
--@ sees BCRID
CREATE TABLE z ();
CREATE TABLE emptied (a int, b text);
ALTER TABLE emptied DROP a, DROP b;
CREATE TABLE refilled (a int);
ALTER TABLE z REPLICA IDENTITY FULL;
ALTER TABLE emptied REPLICA IDENTITY FULL;
ALTER TABLE refilled REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE z, emptied, refilled;

--@ run
INSERT INTO z DEFAULT VALUES;
INSERT INTO emptied DEFAULT VALUES;
DELETE FROM z;
DELETE FROM emptied;
BEGIN;
INSERT INTO refilled VALUES (1);
ALTER TABLE refilled DROP a;
INSERT INTO refilled DEFAULT VALUES;
ALTER TABLE refilled ADD b text DEFAULT 'b';
UPDATE refilled SET b = 'c';
DELETE FROM refilled;
COMMIT;
