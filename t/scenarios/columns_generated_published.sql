-- publish_generated_columns, lists that name a generated column, several
-- publications that agree, full identity and an identity on a generated
-- column; virtual ones are never sent.  Two that agree at first clash once a
-- column is added.
--@17- skip
--@ sees BCRIUD
--@ error 0A000
--@ publications stored | listed, listed_inserts | stored, listed_all | none | every
CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED, b text, v int GENERATED ALWAYS AS (id * 3) VIRTUAL);
CREATE TABLE f (a int, g text GENERATED ALWAYS AS ('g' || b) STORED, b int);
ALTER TABLE f REPLICA IDENTITY FULL;
CREATE TABLE k (a int, g int GENERATED ALWAYS AS (a + 1) STORED NOT NULL);
CREATE UNIQUE INDEX k_g ON k (g);
ALTER TABLE k REPLICA IDENTITY USING INDEX k_g;
CREATE PUBLICATION stored FOR TABLE t, f, k WITH (publish_generated_columns = stored);
CREATE PUBLICATION listed FOR TABLE t (id, g), k (g) WITH (publish_generated_columns = none);
CREATE PUBLICATION listed_inserts FOR TABLE f (g, a) WITH (publish = 'insert');
CREATE PUBLICATION listed_all FOR TABLE t (id, g, b) WITH (publish = 'insert');
CREATE PUBLICATION none FOR TABLE t WITH (publish_generated_columns = none);
CREATE PUBLICATION every FOR ALL TABLES WITH (publish_generated_columns = stored);

--@ run
INSERT INTO t (id, b) VALUES (1, 'one'), (2, 'two');
UPDATE t SET b = 'x';
UPDATE t SET id = id + 100;
INSERT INTO f (a, b) VALUES (1, 1), (2, NULL);
UPDATE f SET b = 5;
UPDATE f SET a = 7;
DELETE FROM f;
INSERT INTO k (a) VALUES (1);
UPDATE k SET a = 5;
DELETE FROM k;
ALTER TABLE t ALTER g DROP EXPRESSION;
INSERT INTO t VALUES (3, 33, 'three');
ALTER TABLE t ADD COLUMN g2 int GENERATED ALWAYS AS (id) STORED;
INSERT INTO t VALUES (4, 44, 'four');
DELETE FROM t;
