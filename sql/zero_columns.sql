\i sql/include/start.psql
-- A table without columns, and one that has lost them all.
CREATE TABLE z ();
CREATE TABLE lost (a int, b text);
INSERT INTO lost VALUES (1, 'x');
ALTER TABLE lost DROP a, DROP b;
ALTER TABLE z REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE z, lost;
CALL wire.start();
INSERT INTO z DEFAULT VALUES;
INSERT INTO lost DEFAULT VALUES;
DELETE FROM z;
SELECT * FROM wire.hex();
SELECT wire.compare();
SELECT wire.compare('binary', 'true');

-- It gets one.
CALL wire.skip();
INSERT INTO z DEFAULT VALUES;
ALTER TABLE z ADD c int DEFAULT 3;
UPDATE z SET c = 4;
SELECT * FROM wire.show();
SELECT wire.compare();
