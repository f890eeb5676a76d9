-- A send function and an output function that raise an error for some
-- values: the same error, and the next call right.
--@ sees BCRIY
--@ error 22P03
--@ publications no_send | good | no_text | good, no_send
CREATE TYPE fussy;
CREATE FUNCTION fussy_in(cstring) RETURNS fussy AS 'oidin' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION fussy_out(fussy) RETURNS cstring AS 'oidout' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION fussy_send(fussy) RETURNS bytea AS 'enum_send' LANGUAGE internal STRICT IMMUTABLE;
CREATE TYPE fussy (INPUT = fussy_in, OUTPUT = fussy_out, SEND = fussy_send, INTERNALLENGTH = 4, PASSEDBYVALUE, ALIGNMENT = int4);
CREATE TYPE fussier;
CREATE FUNCTION fussier_in(cstring) RETURNS fussier AS 'oidin' LANGUAGE internal STRICT IMMUTABLE;
CREATE FUNCTION fussier_out(fussier) RETURNS cstring AS 'enum_out' LANGUAGE internal STRICT IMMUTABLE;
CREATE TYPE fussier (INPUT = fussier_in, OUTPUT = fussier_out, INTERNALLENGTH = 4, PASSEDBYVALUE, ALIGNMENT = int4);
CREATE TABLE t (id int PRIMARY KEY, f fussy);
CREATE TABLE t2 (id int PRIMARY KEY, f fussier);
CREATE TABLE plain (id int PRIMARY KEY);
CREATE PUBLICATION no_send FOR TABLE t;
CREATE PUBLICATION no_text FOR TABLE t2;
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO t VALUES (1, NULL);
INSERT INTO plain VALUES (1);
INSERT INTO t2 VALUES (1, NULL);
BEGIN;
INSERT INTO plain VALUES (2);
INSERT INTO t VALUES (2, '12');
INSERT INTO plain VALUES (3);
COMMIT;
INSERT INTO t2 VALUES (2, '13');
INSERT INTO plain VALUES (4);
