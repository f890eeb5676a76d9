-- One publication sends generated columns and another does not: the error
-- of clashing lists, and the next call right.
--@17- skip
--@ sees BCRI
--@ error 0A000
--@ publications stored, none | stored | none
CREATE TABLE t (id int PRIMARY KEY, g int GENERATED ALWAYS AS (id * 2) STORED);
CREATE TABLE plain (id int PRIMARY KEY);
CREATE PUBLICATION stored FOR TABLE t, plain WITH (publish_generated_columns = stored);
CREATE PUBLICATION none FOR TABLE t, plain;

--@ run
INSERT INTO plain VALUES (1);
INSERT INTO t VALUES (1);
INSERT INTO plain VALUES (2);
