-- Rare built-in types: refcursor, pg_node_tree is not usable, int2vector,
-- name arrays, bpchar without length, xid8 arrays, multidimensional text.
--@ sees BCRIU
CREATE TABLE t (id int PRIMARY KEY, r refcursor, na name[], bp bpchar, ca char(3)[], va varchar[], x8 xid8[], la pg_lsn[], ia interval[], ma money[], tz timetz[], ba bytea[], da date[], mac macaddr[], ci cidr[]);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, 'cursor', '{a,b}', 'trailing  ', '{a,bc}', '{x,NULL}', '{1,18446744073709551615}', '{0/0,1/1}', '{1 day,-2 mons}', '{1.5}', '{00:00+01}', '{"\\x01"}', '{infinity}', '{00:00:00:00:00:01}', '{10/8}');
UPDATE t SET bp = '   ', ca = '{}';
