-- A value that the client's encoding does not have: an error at its row, and
-- the next call in the same session right.
--@ sees BCRI
--@ matrix messages=false origin=any
--@ error 22P05
--@ publications bad | good | bad, good
--@ set client_encoding = LATIN1
--@ set client_encoding = WIN1251
--@ set client_encoding = EUC_JP
CREATE TABLE t (id int PRIMARY KEY, a text);
CREATE TABLE plain (id int PRIMARY KEY, a text);
CREATE PUBLICATION bad FOR TABLE t;
CREATE PUBLICATION good FOR TABLE plain;

--@ run
INSERT INTO plain VALUES (1, 'x');
INSERT INTO t VALUES (1, 'ascii'), (2, 'é'), (3, 'ж'), (4, '日'), (5, '𝄞');
INSERT INTO plain VALUES (2, 'y');
