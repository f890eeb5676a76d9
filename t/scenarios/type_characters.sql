-- Character types: empty, padded, at their length, single bytes above 127 in
-- "char", control characters, long ones; citext's kind of cast is a domain.
--@ sees BCRIUD
CREATE TABLE t (t text, v varchar(5), bp char(5), c "char", n name, by bytea);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ set bytea_output = escape
--@ run
INSERT INTO t (t, v, bp, c, n, by) VALUES ('', '', '', '', '', '');
INSERT INTO t (t, v, bp, c, n, by) VALUES ('ä€𝄞', 'äöüß€', 'a', 'x', 'näme', '\x00ff80');
INSERT INTO t (t, v, bp, c, n, by) VALUES (E'tab\t newline\n back\\slash ''quote'' "double" \x01\x7f', ' a ', 'abcde', '\377', repeat('n', 63)::name, decode(repeat('00ff', 300), 'hex'));
INSERT INTO t (t, v, bp, c, n, by) VALUES (repeat('long ', 300), NULL, NULL, '\200', NULL, '\134\047');
INSERT INTO t VALUES (NULL, NULL, NULL, NULL, NULL, NULL);
UPDATE t SET t = t || '.';
DELETE FROM t WHERE v = '';
