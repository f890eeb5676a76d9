-- Output that looks at the catalogs and at search_path: regclass, regtype,
-- regproc of what is not in the path, of what was dropped or renamed since.
--@ sees BCRIU
--@ set search_path = hidden, public
--@ set search_path = ''
CREATE SCHEMA hidden;
CREATE TABLE hidden.target (id int);
CREATE FUNCTION hidden.f(int) RETURNS int LANGUAGE sql AS 'SELECT 1';
CREATE TYPE hidden.ty AS (a int);
CREATE TABLE public.t (id int PRIMARY KEY, c regclass, p regproc, pr regprocedure, ty regtype, n regnamespace, cfg regconfig, dic regdictionary, op regoper, opr regoperator);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 'hidden.target', 'hidden.f', 'hidden.f(int)', 'hidden.ty', 'hidden', 'english', 'simple', 'pg_catalog.||/', '+(int4,int4)');
BEGIN;
ALTER TABLE hidden.target RENAME TO "Renamed target";
INSERT INTO t VALUES (2, 'hidden."Renamed target"', 'hidden.f', 'hidden.f(int)', 'hidden.ty', 'hidden', 'english', 'simple', NULL, NULL);
DROP TABLE hidden."Renamed target";
UPDATE t SET id = 3 WHERE id = 1;
COMMIT;
ALTER SCHEMA hidden RENAME TO shown;
UPDATE t SET id = 4 WHERE id = 2;
