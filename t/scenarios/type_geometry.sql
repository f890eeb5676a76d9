-- Geometric types, with infinities and NaN.
--@ sees BCRID
--@ set extra_float_digits = -3
CREATE TABLE t (p point, l line, s lseg, b box, pa path, po polygon, c circle);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES ('(1,2)', '{1,2,3}', '[(0,0),(1,1)]', '(3,4),(1,2)', '[(0,0),(1,1),(2,0)]', '((0,0),(1,1),(2,0))', '<(1,2),3>');
INSERT INTO t VALUES ('(Infinity,-Infinity)', '{0,-1,0.1}', '[(NaN,0),(1e300,-1e-300)]', '(0,0),(0,0)', '((0,0))', '((0.1,0.2))', '<(0,0),0>');
INSERT INTO t VALUES ('(NaN,0.30000000000000004)', NULL, NULL, NULL, NULL, NULL, NULL);
DELETE FROM t;
