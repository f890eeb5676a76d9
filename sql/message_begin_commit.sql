\i sql/include/start.psql
-- BEGIN and COMMIT carry the same LSN and time; an INSERT stands between.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();

INSERT INTO t VALUES (1);
SELECT * FROM wire.hex();
SELECT wire.compare();

-- Two transactions; the table is described once.
INSERT INTO t VALUES (2);
SELECT * FROM wire.hex();

-- A transaction with nothing to send leaves no trace.
CALL wire.skip();
CREATE TABLE other (id int);
INSERT INTO other VALUES (1);
BEGIN;
ROLLBACK;
BEGIN;
INSERT INTO t VALUES (3);
ROLLBACK;
INSERT INTO t VALUES (4);
SELECT * FROM wire.hex();

-- BEGIN says when the transaction was committed, not when it began.
CALL wire.skip();
BEGIN;
INSERT INTO t VALUES (5);
SELECT FROM pg_sleep(0.01);
SELECT clock_timestamp() AS before \gset
COMMIT;
SELECT clock_timestamp() AS after \gset
SELECT substr(message, 1, 1) AS message, time BETWEEN :'before' AND :'after' AS committed_then
FROM (SELECT chr(get_byte(data, 0)) AS message,
			 '2000-01-01 00:00+00'::timestamptz + interval '1 microsecond' *
			 wire.number(substr(data, CASE WHEN get_byte(data, 0) = 66 THEN 10 ELSE 19 END, 8)) AS time
	  FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
				'proto_version', '1', 'publication_names', 'pub')
	  WHERE get_byte(data, 0) IN (66, 67)) AS ends;
