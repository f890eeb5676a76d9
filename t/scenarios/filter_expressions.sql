-- Kinds of expressions: functions, casts, LIKE, IN, CASE, COALESCE,
-- comparison of rows, arrays, json, booleans, constants, system-free.
--@ sees BCRIUD
--@ matrix messages=false origin=any
--@ publications p1 | p2 | p3 | p4 | p5 | p6 | p7 | p8 | p1, p2, p3
CREATE TABLE t (id int, a int, b text, c bool, d numeric, j jsonb, ar int[], ts timestamptz);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION p1 FOR TABLE t WHERE (b LIKE 'x%' OR lower(b) = 'abc');
CREATE PUBLICATION p2 FOR TABLE t WHERE (a IN (1, 3) AND NOT c);
CREATE PUBLICATION p3 FOR TABLE t WHERE (CASE WHEN a > 1 THEN d > 1 ELSE coalesce(c, false) END);
CREATE PUBLICATION p4 FOR TABLE t WHERE (j @> '{"k": 2}');
CREATE PUBLICATION p5 FOR TABLE t WHERE (1 = ANY (ar));
CREATE PUBLICATION p6 FOR TABLE t WHERE ((a, d) > (1, 0.5));
CREATE PUBLICATION p7 FOR TABLE t WHERE (c);
CREATE PUBLICATION p8 FOR TABLE t WHERE (true);

--@ run
INSERT INTO t VALUES (1, 1, 'xa', true, 0.1, '{"k": 2}', '{1}', 'epoch'), (2, 2, 'ABC', false, 2, '{"k": "1"}', '{}', NULL),
	(3, 3, NULL, false, 3, NULL, '{NULL}', 'infinity'), (4, NULL, 'zz', NULL, NULL, '[]', NULL, NULL);
UPDATE t SET a = a + 1, c = NOT c, b = 'x' || b, ar = ar || 1;
UPDATE t SET j = '{"k": 2}', d = NULL;
DELETE FROM t;
