\i sql/include/start.psql
-- A transaction that was rolled back before anything of it was sent is never
-- spoken of.  18 calls the plugin for it, and pgoutput sends STREAM ABORT,
-- even to clients that did not ask for streaming.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (0);
SAVEPOINT s;
INSERT INTO t SELECT generate_series(1, 5);
RELEASE s;
INSERT INTO t SELECT generate_series(10, 6000);
ROLLBACK;
INSERT INTO t VALUES (1);

SELECT * FROM wire.show('proto_version', '1');
SELECT * FROM wire.show('proto_version', '3');

-- Every STREAM ABORT is of a transaction that was announced.
\set version 2
\set streaming on
\if :from_16
\set version 4
\set streaming parallel
\endif
CREATE TEMP TABLE line AS
	SELECT n, get_byte(data, 0) AS code, substr(data, 2, 4) AS top
	FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'publication_names', 'pub',
		'proto_version', :'version', 'streaming', :'streaming') WITH ORDINALITY AS m (lsn, xid, data, n);
SELECT count(*) > 0 AS lines, count(*) FILTER (WHERE code = ascii('A') AND NOT EXISTS
	(SELECT FROM line b WHERE b.code = ascii('S') AND b.top = a.top AND b.n < a.n)) AS unannounced
FROM line a;
DROP TABLE line;
