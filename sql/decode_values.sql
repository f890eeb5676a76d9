\i sql/include/start.psql
-- Rows as jsonb: the same as what the server makes of the same values.
SET timezone = 'UTC';
CREATE EXTENSION stream_pgoutput;

-- A length and that many bytes, and so on: what row messages are made of.
CREATE FUNCTION i4(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT int4send(n) $$;
CREATE FUNCTION i2(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT int2send(n::int2) $$;
CREATE FUNCTION txt(s text) RETURNS bytea LANGUAGE sql AS $$ SELECT convert_to(s, 'UTF8') || '\x00'::bytea $$;
CREATE FUNCTION relation(names text[], typid oid DEFAULT 25, name text DEFAULT 't') RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x52 00004001' || txt('public') || txt(name) || '\x64' || i2(cardinality(names)) ||
		COALESCE((SELECT string_agg('\x00' || txt(n) || i4(typid::int) || '\xffffffff', '' ORDER BY i)
				  FROM unnest(names) WITH ORDINALITY u (n, i)), '')
$$;
CREATE FUNCTION insert(value_list text[]) RETURNS bytea LANGUAGE sql AS $$
	SELECT '\x49 00004001 4e' || i2(cardinality(value_list)) ||
		COALESCE((SELECT string_agg(CASE WHEN v IS NULL THEN '\x6e'
					ELSE '\x74' || i4(length(convert_to(v, 'UTF8'))) || convert_to(v, 'UTF8') END, '' ORDER BY i)
				  FROM unnest(value_list) WITH ORDINALITY u (v, i)), '')
$$;
CREATE FUNCTION decode_insert(names text[], value_list text[]) RETURNS jsonb LANGUAGE sql AS $$
	SELECT new FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
			relation(names), insert(value_list)]) WHERE message = 'INSERT'
$$;

-- Odd names, odd text.
SELECT decode_insert('{b,a,"",C d,"quote\"d",ä,aa,"\\\\"}', '{1,NULL,empty name,"","\"\\",€,"tab	",null}');
SELECT decode_insert('{}', '{}');
SELECT relation, new FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		relation('{a}', name => 'Odd "name"'), insert('{1}')]);

-- From 0 to 200 columns, in any order of names, every third value NULL: byte
-- for byte what json_build_object and the server's jsonb make of it.
SELECT count(*) AS cases, bool_and(ours = theirs) AS equal, bool_and(jsonb_send(ours) = jsonb_send(theirs)) AS same_text,
	bool_and(pg_column_size(ours) = pg_column_size(theirs)) AS same_size,
	bool_and(hash_is_same) AS same_keys
FROM (SELECT decode_insert(names, value_list) AS ours, jsonb_object(names, value_list) AS theirs,
			 (SELECT bool_and(decode_insert(names, value_list) -> name IS NOT DISTINCT FROM
							  jsonb_object(names, value_list) -> name) FROM unnest(names) name) IS NOT FALSE
				AS hash_is_same
	  FROM generate_series(0, 200, 8) ncolumns,
		   LATERAL (SELECT COALESCE(array_agg(md5(i::text) || repeat('x', i % 5) ORDER BY i), '{}') AS names,
						   COALESCE(array_agg(CASE WHEN i % 3 > 0 THEN repeat(i::text, i % 50) END ORDER BY i), '{}') AS value_list
					FROM generate_series(1, ncolumns) i) v) c;
SELECT ncolumns, jsonb_hash(ours) = jsonb_hash(theirs) AS same_hash, ours = theirs AS equal
FROM (SELECT ncolumns, decode_insert(names, value_list) AS ours, jsonb_object(names, value_list) AS theirs
	  FROM unnest('{15,16,17,31,32,33,63,64,65,1600}'::int[]) ncolumns,
		   LATERAL (SELECT array_agg('c' || i ORDER BY i) AS names, array_agg(i::text ORDER BY i) AS value_list
					FROM generate_series(1, ncolumns) i) v) c;

-- Unchanged and binary values, beside text that looks alike: only the former
-- are objects.  Whatever comes before them, jsonb can go on with them.
WITH message AS (
	SELECT k, '\x55 00004001 4e 0006 75 74' || i4(k) || convert_to(repeat('y', k), 'UTF8') ||
		'\x62 00000004 0000002a 6e 75 74' || i4(19) || convert_to('{"unchanged": true}', 'UTF8') AS data
	FROM generate_series(0, 4) k)
SELECT k, new, new -> 'c3' ->> 'hex' AS hex, new -> 'c5' -> 'unchanged' AS unchanged,
	jsonb_typeof(new -> 'c6') AS text, new::text::jsonb = new AS sound
FROM message, stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		relation('{c1,c2,c3,c4,c5,c6}', 23), data]) d WHERE d.message = 'UPDATE' ORDER BY k;

-- The type of a binary value: from the catalog if it is the same everywhere,
-- else as TYPE named it, else its oid.
SELECT typid::int, new FROM unnest('{23,1043,1007,20001,20002,20003,17}'::oid[]) typid,
	stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		'\x59 00004e21 00 696e7434 00', '\x59 00004e22 4d7920736368656d61 00 6d6f6f64 00',
		relation('{v}', typid), '\x49 00004001 4e 0001 62 00000002 00ff']) d
	WHERE d.message = 'INSERT' ORDER BY typid;

-- A key has the identity's columns only, NULL or not; unless others have values.
SELECT key, old FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		'\x52 00004001 73 00 74 00 69 0003 00 61 00 00000017 ffffffff 01 6262 00 00000017 ffffffff 01 63 00 00000017 ffffffff',
		'\x44 00004001 4b 0003 6e 74 00000001 31 6e',
		'\x44 00004001 4b 0003 74 00000000 74 00000001 31 6e',
		'\x44 00004001 4f 0003 6e 74 00000001 31 6e'])
	WHERE message = 'DELETE';

-- A table that is described again.
SELECT relation, new FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		relation('{a}'), insert('{1}'), relation('{a,b}'), insert('{1,2}'), relation('{}', name => 'u'), insert('{}')])
	WHERE message = 'INSERT';
SELECT messages, bytes, rows FROM stream_pgoutput_decode_summary(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		relation('{a}'), insert('{1}'), relation('{a,b}'), insert('{1,2}'), relation('{}', name => 'u'), insert('{}')]);

-- Text in another encoding than the database's.  A parallel worker does not
-- know which.
SELECT set_config(CASE WHEN :'from_16' THEN 'debug_parallel_query' ELSE 'force_parallel_mode' END, 'on', false);
SET client_encoding = LATIN1;
SELECT new = jsonb_build_object(U&'\00e4', U&'\00fc') AS converted, relation = U&'s."\00e4"' AS relation,
	detail -> 'columns' -> 0 ->> 'name' = U&'\00e4' AS name
	FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
		'\x52 00004001 73 00 e4 00 64 0001 00 e4 00 00000019 ffffffff',
		'\x49 00004001 4e 0001 74 00000001 fc']) WHERE message IN ('RELATION', 'INSERT');
SELECT gid = U&'\00e4' AS gid FROM stream_pgoutput_decode_summary(ARRAY[
		'\x4b 00 0000000000000070 0000000000000080 0002c8b62bfc6ee5 000002e9 e4 00'::bytea]);
RESET client_encoding;
SELECT set_config(CASE WHEN :'from_16' THEN 'debug_parallel_query' ELSE 'force_parallel_mode' END, 'off', false);

-- What jsonb cannot hold is an error that says where it is.
CREATE FUNCTION huge(n int) RETURNS bytea LANGUAGE sql AS $$ SELECT '\xff'::bytea || convert_to(repeat('x', n - 1), 'UTF8') $$;
SELECT count(*) FROM stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'::bytea,
	relation('{a,b}', 17), '\x49 00004001 4e 0002 6e 62' || i4(134217728) || huge(134217728)]);
SELECT count(*) FROM stream_pgoutput_decode(ARRAY['\x4d 00 0000000000000001 6100'::bytea || i4(134217728) || huge(134217728)]);
