-- A gid and a message's prefix that the client's encoding does not have.
--@ sees BCRI
--@ error 22P05
--@ set client_encoding = LATIN1
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES (1);
BEGIN;
INSERT INTO t VALUES (2);
PREPARE TRANSACTION 'имя';
COMMIT PREPARED 'имя';
SELECT pg_logical_emit_message(true, 'имя', 'x');
INSERT INTO t VALUES (3);
