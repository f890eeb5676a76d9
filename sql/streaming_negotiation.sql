\i sql/include/start.psql
-- Which protocol version allows which streaming, and what then comes: first
-- bytes of the messages, and the length of STREAM ABORT.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
CALL wire.stream_every_change();
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
SAVEPOINT s;
INSERT INTO t VALUES (2, repeat('x', 70000));
ROLLBACK TO s;
INSERT INTO t VALUES (3, repeat('x', 70000));
COMMIT;
\set VERBOSITY terse
SELECT format('SELECT string_agg(encode(substr(data, 1, 1), ''escape''), '''') AS sent,
	max(length(data)) FILTER (WHERE get_byte(data, 0) = 65) AS abort
	FROM pg_logical_slot_peek_binary_changes(''slot'', NULL, NULL, ''publication_names'', ''pub'',
		''proto_version'', ''%s'', ''streaming'', ''%s'')', version, streaming)
FROM generate_series(1, 4) version, unnest('{off,false,on,true,parallel}'::text[])
	WITH ORDINALITY AS s (streaming, n) ORDER BY version, n \gexec
