-- An output and a send function that raise errors of their own for some
-- values; the same error, and the next call right.
--@ sees BCRIY
--@ error 22012
--@ publications bad | good
CREATE TYPE fussy;
CREATE FUNCTION fussy_in(cstring) RETURNS fussy AS 'int4in' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION fussy_out(fussy) RETURNS cstring AS 'int4out' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION fussy_send(fussy) RETURNS bytea LANGUAGE sql STRICT IMMUTABLE AS
	$$ SELECT int4send(1 / (textin(fussy_out($1))::int - 13)) $$;
CREATE TYPE fussy (INPUT = fussy_in, OUTPUT = fussy_out, SEND = fussy_send, INTERNALLENGTH = 4, PASSEDBYVALUE, ALIGNMENT = int4);
CREATE TABLE t (id int PRIMARY KEY, f fussy);
CREATE TABLE plain (id int PRIMARY KEY);
CREATE PUBLICATION bad FOR TABLE t;
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO t VALUES (1, '12'), (2, NULL);
INSERT INTO plain VALUES (1);
INSERT INTO t VALUES (3, '13');
INSERT INTO plain VALUES (2);
