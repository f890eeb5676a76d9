-- Arrays: empty, of several dimensions, with other lower bounds, NULLs,
-- quoting; of most kinds of element; also toasted.
--@ sees BCRIUD
CREATE TABLE t (id int PRIMARY KEY, i int[], s text[], b bytea[], n numeric[][], bo bool[], j jsonb[], p point[], x box[], ts timestamptz[], v int2vector, ov oidvector, u uuid[], c "char"[], bits bit(3)[]);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '', '', '{}', '{}', '{}');
INSERT INTO t VALUES (2, '[-1:1]={1,NULL,3}', '{"a b","NULL",NULL,"","\"q\"","back\\slash","{x}","ä"}', '{"\\x00","\\xff"}', '{{1.5,NaN},{NULL,-1}}', '{t,f,NULL}', '{"{\"a\": [1, null]}",null}', '{"(1,2)"}', '{(1,1),(0,0);(2,2),(3,3)}', '{infinity,"2024-01-01 00:00+00"}', '1 2 3', '1 4294967295', '{00000000-0000-0000-0000-000000000000}', '{a,"\\377"}', '{101,000}');
INSERT INTO t (id, i) VALUES (3, '[2:3][0:1][5:5]={{{1},{2}},{{3},{4}}}');
INSERT INTO t (id, s) SELECT 4, array_agg(md5(i::text)) FROM generate_series(1, 200) i;
UPDATE t SET i = i || 7 WHERE id < 3;
DELETE FROM t;
