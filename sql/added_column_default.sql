\i sql/include/start.psql
-- Rows from before a column was added with a default have that default, in the
-- old row too.
CREATE TABLE t (id int PRIMARY KEY, a int);
ALTER TABLE t REPLICA IDENTITY FULL;
INSERT INTO t VALUES (1, 1), (2, 2), (3, 3);
ALTER TABLE t ADD flag bool NOT NULL DEFAULT true, ADD v text DEFAULT 'default', DROP a;
CREATE PUBLICATION pub FOR TABLE t;
CREATE PUBLICATION filtered FOR TABLE t WHERE (v = 'default' AND flag);
CALL wire.start();
UPDATE t SET id = 11 WHERE id = 1;
UPDATE t SET v = 'new' WHERE id = 2;
DELETE FROM t WHERE id = 3;
SELECT message FROM wire.show() WHERE message ~ '^[RUD]';
SELECT wire.compare();
SELECT wire.compare('binary', 'true');
SELECT message FROM wire.show('publication_names', 'filtered') WHERE message ~ '^[IUD]';
SELECT wire.compare('publication_names', 'filtered');
