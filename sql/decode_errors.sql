\i sql/include/start.psql
-- Whatever the bytes are, there are rows or one error that says where.
CREATE EXTENSION stream_pgoutput;

-- The error, or how many rows there were; all functions agree.
CREATE FUNCTION try(streaming text, VARIADIC messages bytea[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	first text;
	second text;
	hint text;
BEGIN
	BEGIN
		first := 'rows: ' || count(*) FROM stream_pgoutput_decode(messages, streaming);
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
		first := SQLSTATE || ' ' || SQLERRM || COALESCE(' (' || NULLIF(hint, '') || ')', '');
	END;
	BEGIN
		PERFORM FROM stream_pgoutput_decode_summary(messages, streaming);
	EXCEPTION WHEN OTHERS THEN
		second := SQLSTATE || ' ' || SQLERRM;
	END;
	RETURN first || CASE WHEN second IS NOT NULL AND NOT starts_with(first, second)
					THEN ' but the summary: ' || second ELSE '' END;
END
$$;
CREATE FUNCTION opening() RETURNS bytea LANGUAGE sql AS $$ SELECT '\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea $$;
CREATE FUNCTION relation() RETURNS bytea LANGUAGE sql AS $$ SELECT '\x52 00004001 73 00 74 00 64 0002
	01 6964 00 00000017 ffffffff 00 62 00 00000019 ffffffff'::bytea $$;

-- Bytes that are no message.
SELECT try('on', '');
SELECT try('on', '\x00');
SELECT try('on', opening(), '\x7a');
SELECT try('on', '\x42 0000');
SELECT try('on', '\x42 0000000000000000 0002c8b62bfc6ee5 000002e9');
SELECT try('on', '\x42 000000000152c3a0 0002c8b62bfc6ee5 00000000');
SELECT try('on', opening() || '\x00');
SELECT try('on', opening(), '\x43 01 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5');
SELECT try('on', opening(), relation(), '\x49 00004001 4f 0002 6e 6e');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 6e 78');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 6e 74 ffffffff');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 6e 74 7fffffff 41');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 7fff 6e');
SELECT try('on', opening(), relation(), '\x49 00004001 4e ffff 6e');
SELECT try('on', opening(), '\x52 00004001 73 00 74 00 64 7fff');
SELECT try('on', opening(), '\x52 00004001 73 00 74 00 78 0000');
SELECT try('on', opening(), '\x52 00004001 73');
SELECT try('on', opening(), '\x54 7fffffff 00');
SELECT try('on', opening(), '\x4d 02 0000000000000000 00 00000000');

-- Order.
SELECT try('on', '\x43 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5');
SELECT try('on', opening(), opening());
SELECT try('on', opening(), relation(), '\x4f 00000001000000ff 6e00');
SELECT try('on', relation());
SELECT try('on', '\x49 00004001 4e 0000');
SELECT try('on', '\x45');
SELECT try('on', opening(), '\x53 000002ea 01');
SELECT try('on', '\x53 000002ea 01', '\x53 000002ea 00');
SELECT try('on', '\x53 000002ea 01', '\x63 000002ea 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5');
SELECT try('on', '\x50 00 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 00');
SELECT try('on', '\x62 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 00',
	'\x50 00 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002ea 00');
SELECT try('on', '\x4d 01 0000000000000000 00 00000000');

-- Rows and their relation.
SELECT try('on', opening(), '\x49 00004001 4e 0000');
SELECT try('on', opening(), relation(), '\x49 00004002 4e 0002 6e 6e');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0001 6e');
SELECT try('on', opening(), relation(), '\x55 00004001 4b 0003 6e 6e 6e 4e 0002 6e 6e');
SELECT try('on', opening(), relation(), '\x55 00004001 4b 0002 74 00000002 3132 6e 4e 0003 6e 6e 6e');
SELECT try('on', opening(), relation(), '\x54 00000002 00 00004001 00004002');
SELECT try('on', '\x53 000002ea 01', '\x49 000002ea 00004001 4e 0000');
SELECT try('on', opening(), '\x52 00004001 73 00 74 00 64 0002 00 61 00 00000017 ffffffff 00 61 00 00000019 ffffffff');

-- Streaming: whether a block may come, and the length of STREAM ABORT.
SELECT try('off', '\x53 000002ea 01');
SELECT try('off', '\x41 000002ea 000002ea');
SELECT try('on', '\x41 000002ea 000002ea 0000000a00000010 0002c8b62bfc6ee5');
SELECT try('parallel', '\x41 000002ea 000002ea');
SELECT try('parallel', '\x41 000002ea 000002ea 0000000a00000010 0002c8b62bfc6ee5');

-- Text that is none in the encoding: cut, overlong, a surrogate, NUL.
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 6e 74 00000003 61c3 28');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 6e 74 00000002 61c3');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 74 00000002 c080 6e');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 74 00000003 eda080 6e');
SELECT try('on', opening(), relation(), '\x49 00004001 4e 0002 74 00000003 610062 6e');
SELECT try('on', opening(), '\x52 00004001 ff 00 74 00 64 0000');
SELECT try('on', opening(), '\x52 00004001 73 00 74ff 00 64 0000');
SELECT try('on', opening(), '\x52 00004001 73 00 74 00 64 0001 00 61ff 00 00000017 ffffffff');
SELECT try('on', opening(), '\x59 00004005 73 00 ff 00');
SELECT try('on', opening(), '\x59 00004005 ff 00 73 00');
SELECT try('on', '\x62 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 67ff 00');
SELECT detail FROM stream_pgoutput_decode(ARRAY['\x4d 00 0000000000000000 00 00000002 c3 28'::bytea]);
SELECT * FROM stream_pgoutput_decode(ARRAY['\x4d 00 0000000000000000 ff 00 00000000'::bytea]);
SELECT * FROM stream_pgoutput_decode(ARRAY[opening(), '\x4f 0000000000000000 ff 00']);
-- and text that the database's encoding lacks nothing of, but for this
SET client_encoding = WIN1252;
SELECT * FROM stream_pgoutput_decode(ARRAY[opening(), '\x4f 0000000000000000 81 00']);
RESET client_encoding;

-- NULL among the messages.
SELECT try('on', opening(), NULL);

-- Control characters are text, and come back as such.
SELECT new ->> 'b' = E'\x01\x1f\x7f' AS same, new FROM stream_pgoutput_decode(ARRAY[opening(), relation(),
	'\x49 00004001 4e 0002 6e 74 00000003 01 1f 7f']) WHERE message = 'INSERT';

-- Every message, cut at every byte, is an error, and names the place.
CREATE TABLE message (name text, before bytea[], data bytea);
INSERT INTO message VALUES
	('BEGIN', '{}', opening()),
	('COMMIT', ARRAY[opening()], '\x43 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5'),
	('ORIGIN', ARRAY[opening()], '\x4f 00000001000000ff 6e6f6465 00'),
	('MESSAGE', '{}', '\x4d 00 000000000152c400 7078 00 00000001 78'),
	('RELATION', ARRAY[opening()], relation()),
	('TYPE', ARRAY[opening()], '\x59 00004005 7075626c6963 00 6d6f6f64 00'),
	('INSERT', ARRAY[opening(), relation()], '\x49 00004001 4e 0002 74 00000001 31 62 00000002 3132'),
	('UPDATE', ARRAY[opening(), relation()], '\x55 00004001 4b 0002 74 00000001 31 6e 4e 0002 74 00000001 31 75'),
	('DELETE', ARRAY[opening(), relation()], '\x44 00004001 4f 0002 74 00000001 31 6e'),
	('TRUNCATE', ARRAY[opening(), relation()], '\x54 00000002 00 00004001 00004001'),
	('STREAM START', '{}', '\x53 000002ea 01'),
	('STREAM STOP', '{"\\x53000002ea01"}', '\x45'),
	('STREAM COMMIT', '{}', '\x63 000002ea 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5'),
	('STREAM ABORT', '{}', '\x41 000002ea 000002ea'),
	('BEGIN PREPARE', '{}', '\x62 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 6769 00'),
	('PREPARE', '{"\\x62000000000000001000000000000000200002c8b62bfc6ee5000002e900"}',
		'\x50 00 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 6769 00'),
	('COMMIT PREPARED', '{}', '\x4b 00 0000000000000070 0000000000000080 0002c8b62bfc6ee5 000002e9 6769 00'),
	('ROLLBACK PREPARED', '{}', '\x72 00 0000000000000040 0000000000000090 0002c8b62bfc6ee5 0002c8b62bfc6ee6 000002ea 22 00'),
	('STREAM PREPARE', '{}', '\x70 00 0000000000000050 0000000000000060 0002c8b62bfc6ee5 000002eb 73 00');
SELECT name, try('on', VARIADIC before || data) AS whole,
	count(*) FILTER (WHERE error LIKE '08P01 cannot decode message ' || cardinality(before) + 1 || ': expected % at byte % of ' || cut)
		AS cut_errors, count(*) = length(data) AS all_of_them
	FROM message, LATERAL (SELECT cut, try('on', VARIADIC before || substr(data, 1, cut)) AS error
						   FROM generate_series(0, length(data) - 1) cut) c
	GROUP BY name, before, data ORDER BY name COLLATE "C";

-- Any one byte changed: rows or an error with a place, and never an invalid
-- value (it would not survive being printed and read).
CREATE FUNCTION survives(messages bytea[]) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE WHEN bool_and(d.detail IS NULL OR d.detail::text::jsonb = d.detail)
		AND bool_and(d.new IS NULL OR d.new::text::jsonb = d.new)
		AND bool_and(d.old IS NULL OR d.old::text::jsonb = d.old)
		AND bool_and(d.key IS NULL OR d.key::text::jsonb = d.key)
		THEN 'sound' ELSE 'unsound' END
	FROM stream_pgoutput_decode(messages, 'on') d;
EXCEPTION WHEN OTHERS THEN
	RETURN CASE WHEN SQLERRM ~ '^cannot decode message \d+: .* at byte \d+ of \d+$' THEN SQLSTATE ELSE SQLERRM END;
END
$$;
SELECT result, count(*) > 0 AS some FROM message, generate_series(0, length(data) - 1) place, unnest('{0,1,127,128,255}'::int[]) byte,
	LATERAL survives(before || set_byte(data, place, byte)) result GROUP BY result ORDER BY result;
