-- The origin is gone, or made again under its name, by the time of reading.
--@ sees BCRI
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
SELECT pg_replication_origin_create('stream_diff_gone');
SELECT pg_replication_origin_create('stream_diff_again');

--@ run
--@ session replay
SELECT pg_replication_origin_session_setup('stream_diff_gone');
INSERT INTO t VALUES (1);
SELECT pg_replication_origin_session_reset();
SELECT pg_replication_origin_drop('stream_diff_gone');
SELECT pg_replication_origin_session_setup('stream_diff_again');
INSERT INTO t VALUES (2);
SELECT pg_replication_origin_session_reset();
SELECT pg_replication_origin_drop('stream_diff_again');
SELECT pg_replication_origin_create('stream_diff_again');
INSERT INTO t VALUES (3);
