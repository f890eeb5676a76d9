-- When a RELATION is sent again: after DDL on the table, on its index, on the
-- publication, on its schema; not after DDL on another table.
--@ sees BCRIU
--@ matrix messages=false origin=any binary=false
CREATE SCHEMA s;
CREATE TABLE s.t (id int PRIMARY KEY, a text, b int);
CREATE TABLE other (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE s.t, other;
CREATE PUBLICATION pub2 FOR TABLE other;

--@ publications pub | pub, pub2
--@ run
INSERT INTO s.t VALUES (1, 'a', 1);
INSERT INTO s.t VALUES (2, 'a', 1);
ALTER TABLE other ADD COLUMN x int;
INSERT INTO s.t VALUES (3, 'a', 1);
CREATE INDEX ON s.t (b);
INSERT INTO s.t VALUES (4, 'a', 1);
ANALYZE s.t;
INSERT INTO s.t VALUES (5, 'a', 1);
ALTER TABLE s.t ALTER a SET STATISTICS 10;
INSERT INTO s.t VALUES (6, 'a', 1);
ALTER TABLE s.t SET (fillfactor = 50);
INSERT INTO s.t VALUES (7, 'a', 1);
GRANT SELECT ON s.t TO PUBLIC;
INSERT INTO s.t VALUES (8, 'a', 1);
COMMENT ON TABLE s.t IS 'comment';
INSERT INTO s.t VALUES (9, 'a', 1);
ALTER SCHEMA s RENAME TO s2;
INSERT INTO s2.t VALUES (10, 'a', 1);
ALTER PUBLICATION pub2 ADD TABLE s2.t;
INSERT INTO s2.t VALUES (11, 'a', 1);
ALTER PUBLICATION pub2 SET (publish = 'insert');
INSERT INTO s2.t VALUES (12, 'a', 1);
ALTER PUBLICATION pub2 OWNER TO CURRENT_USER;
INSERT INTO s2.t VALUES (12 + 100, 'a', 1);
VACUUM FULL s2.t;
UPDATE s2.t SET a = 'b' WHERE id = 1;
REINDEX TABLE s2.t;
UPDATE s2.t SET a = 'c' WHERE id = 1;
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER tr AFTER INSERT ON s2.t FOR EACH ROW EXECUTE FUNCTION f();
INSERT INTO s2.t VALUES (13, 'a', 1);
CREATE POLICY p ON s2.t USING (true);
INSERT INTO s2.t VALUES (14, 'a', 1);
