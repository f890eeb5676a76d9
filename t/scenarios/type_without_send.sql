-- Binary is chosen per column: types without a send function go as text,
-- types with one as binary.
--@ sees BCRIUDY
CREATE TYPE shell_less;
CREATE FUNCTION shell_less_in(cstring) RETURNS shell_less AS 'textin' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION shell_less_out(shell_less) RETURNS cstring AS 'textout' LANGUAGE internal STRICT IMMUTABLE;
CREATE TYPE shell_less (INPUT = shell_less_in, OUTPUT = shell_less_out, LIKE = text);
CREATE DOMAIN dom_less AS shell_less;
CREATE DOMAIN dom_acl AS aclitem;
CREATE TYPE mood AS ENUM ('x', 'y');
CREATE TABLE t (id int PRIMARY KEY, a aclitem, s shell_less, d dom_less, da dom_acl, g gtsvector, m mood, i int, tid tid, pl pg_lsn, snap txid_snapshot, ps pg_snapshot, rc regclass, rt regtype, rp regprocedure, rr regrole, rn regnamespace, rco regcollation);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 'postgres=arwdDxt/postgres', 'some', 'other', 'postgres=r/postgres', NULL, 'x', 5, '(1,2)', 'FFFFFFFF/FFFFFFFF', '10:20:10,14,15', '10:20:10,14,15', 't', 'mood', 'textin(cstring)', 'postgres', 'public', '"C"');
INSERT INTO t (id, rc, rt, rp, pl) VALUES (2, 0, 0, 0, '0/0'), (3, 999999, 999999, 999999, '1/0');
UPDATE t SET s = 'changed' WHERE id = 1;
DELETE FROM t;
