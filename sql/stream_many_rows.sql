\i sql/include/start.psql
-- Many small rows: blocks as memory fills, every row once, in order.
CREATE TABLE t (id int PRIMARY KEY, v text);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
BEGIN;
INSERT INTO t SELECT i, 'value ' || i FROM generate_series(1, 3000) i;
UPDATE t SET v = v || '!' WHERE id <= 1000;
DELETE FROM t WHERE id > 2500;
COMMIT;
CREATE TEMP TABLE line AS
	SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on') WITH ORDINALITY AS m (message, n);
SELECT left(message, 1) AS code, count(*) FROM line WHERE message ~ '^[^SE]' GROUP BY 1 ORDER BY 1;
SELECT count(*) > 3 AS blocks, count(*) FILTER (WHERE message ~ '01$') AS first
	FROM line WHERE message ~ '^S';

-- START, rows, STOP, in turn, and COMMIT at the end.
SELECT string_agg(left(message, 1), '' ORDER BY n) ~ '^SR[IUD]+E(S[IUD]+E)+c$' AS in_order FROM line;

-- The bytes of each row, and their order.
SELECT count(*) FROM line, generate_series(1, 3000) i
	WHERE message = format('I X {t} N 0002 t''%s'' t''value %s''', i, i);
SELECT count(*) FROM line, generate_series(1, 1000) i
	WHERE message = format('U X {t} N 0002 t''%s'' t''value %s!''', i, i);
SELECT count(*) FROM line, generate_series(2501, 3000) i
	WHERE message = format('D X {t} K 0002 t''%s'' n', i);
SELECT bool_and(id > before) AS ascending FROM
	(SELECT id, lag(id, 1, 0) OVER (ORDER BY n) AS before FROM
		(SELECT n, substring(message, 't''(\d+)''')::int AS id FROM line WHERE message ~ '^I') i) i;
DROP TABLE line;
SELECT wire.compare('proto_version', '2', 'streaming', 'on') ~ '^the same' AS same;
