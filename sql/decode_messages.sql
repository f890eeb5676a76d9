\i sql/include/start.psql
-- Every message, from literal bytes.
SET timezone = 'UTC';
CREATE EXTENSION stream_pgoutput;

-- A transaction.  The new row of the UPDATE has an unchanged TOASTed value, the
-- old one is its key; the old row of the first DELETE is whole.
CREATE TABLE plain (n serial, data bytea);
INSERT INTO plain (data) VALUES
	-- BEGIN: final LSN, time, xid
	('\x42 000000000152c3a0 0002c8b62bfc6ee5 000002e9'),
	-- ORIGIN: LSN, name
	('\x4f 00000001000000ff 6e6f64652061 00'),
	-- TYPE: oid, schema, name
	('\x59 00004005 7075626c6963 00 4d6f6f64 00'),
	-- RELATION: oid, schema, name, identity, columns (flags, name, type, typmod)
	('\x52 00004001 7075626c6963 00 54 00 64 0003
	  01 6964 00 00000017 ffffffff 00 62 00 00000413 0000000e 00 6d 00 00004005 ffffffff'),
	-- INSERT: relation, N, columns
	('\x49 00004001 4e 0003 74 00000001 31 74 00000003 616263 6e'),
	-- UPDATE with a key, with a whole old row, without
	('\x55 00004001 4b 0003 74 00000001 31 6e 6e 4e 0003 74 00000001 32 75 74 00000003 736164'),
	('\x55 00004001 4f 0003 74 00000001 32 74 00000000 6e 4e 0003 74 00000001 33 6e 6e'),
	('\x55 00004001 4e 0003 62 00000004 00000003 62 00000000 62 00000003 736164'),
	-- DELETE with a whole old row, with a key
	('\x44 00004001 4f 0003 74 00000001 33 6e 6e'),
	('\x44 00004001 4b 0003 74 00000001 34 6e 6e'),
	-- MESSAGE: flags, LSN, prefix, content
	('\x4d 01 000000000152c300 7078 00 00000005 68656c6c6f'),
	('\x4d 01 000000000152c308 00 00000003 00ff41'),
	('\x4d 00 000000000152c310 7078 00 00000000'),
	-- RELATION of a table in pg_catalog, without columns; TRUNCATE of both
	('\x52 00004002 00 6f64642022 00 6e 0000'),
	('\x54 00000002 03 00004001 00004002'),
	('\x54 00000000 00'),
	-- COMMIT: flags, commit LSN, end LSN, time
	('\x43 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5'),
	-- MESSAGE outside of transactions
	('\x4d 00 000000000152c400 7078 00 00000001 78');
SELECT * FROM stream_pgoutput_decode((SELECT array_agg(data ORDER BY n) FROM plain));
SELECT * FROM stream_pgoutput_decode_summary((SELECT array_agg(data ORDER BY n) FROM plain));

-- Stream blocks: two transactions, one with subtransactions.
CREATE TABLE streamed (n serial, data bytea);
INSERT INTO streamed (data) VALUES
	-- STREAM START: xid, first
	('\x53 000002ea 01'),
	('\x4f 0000000000000000 6e 00'),
	('\x59 000002eb 00004005 00 696e7434 00'),
	('\x52 000002eb 00004001 73 00 74 00 66 0001 01 6964 00 00004005 ffffffff'),
	('\x49 000002eb 00004001 4e 0001 74 00000001 31'),
	('\x4d 000002ea 01 0000000000000005 70 00 00000000'),
	('\x45'),
	('\x53 000002f0 01'),
	('\x55 000002f0 00004001 4e 0001 62 00000004 00000001'),
	('\x45'),
	-- STREAM ABORT of a subtransaction: xid, subxid
	('\x41 000002ea 000002eb'),
	('\x53 000002ea 00'),
	('\x54 000002ea 00000001 01 00004001'),
	('\x44 000002ec 00004001 4f 0001 74 00000001 31'),
	('\x45'),
	-- STREAM COMMIT: xid, flags, commit LSN, end LSN, time
	('\x63 000002ea 00 000000000152c3a0 000000000152c3d0 0002c8b62bfc6ee5'),
	-- STREAM ABORT of all
	('\x41 000002f0 000002f0');
SELECT * FROM stream_pgoutput_decode((SELECT array_agg(data ORDER BY n) FROM streamed), 'on');
SELECT * FROM stream_pgoutput_decode_summary((SELECT array_agg(data ORDER BY n) FROM streamed), streaming => 'on');

-- STREAM ABORT has more in it when streaming is parallel.
CREATE TABLE parallel AS
	SELECT n, CASE WHEN substr(data, 1, 1) = '\x41'
			  THEN data || '\x 0000000a00000010 0002c8b62bfc6ee5' ELSE data END AS data
	FROM streamed;
SELECT * FROM stream_pgoutput_decode((SELECT array_agg(data ORDER BY n) FROM parallel), 'parallel')
	WHERE message = 'STREAM ABORT';
SELECT xid, outcome, first_lsn, last_lsn
	FROM stream_pgoutput_decode_summary((SELECT array_agg(data ORDER BY n) FROM parallel), 'parallel');

-- Two-phase.
CREATE TABLE two_phase (n serial, data bytea);
INSERT INTO two_phase (data) VALUES
	-- BEGIN PREPARE: prepare LSN, end LSN, time, xid, gid
	('\x62 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 67696420 31 00'),
	-- PREPARE: flags, and the same
	('\x50 00 0000000000000010 0000000000000020 0002c8b62bfc6ee5 000002e9 67696420 31 00'),
	('\x62 0000000000000030 0000000000000040 0002c8b62bfc6ee5 000002ea 22 00'),
	('\x50 00 0000000000000030 0000000000000040 0002c8b62bfc6ee5 000002ea 22 00'),
	('\x53 000002eb 01'),
	('\x45'),
	-- STREAM PREPARE: likewise
	('\x70 00 0000000000000050 0000000000000060 0002c8b62bfc6ee5 000002eb 73 00'),
	-- COMMIT PREPARED: flags, commit LSN, end LSN, time, xid, gid
	('\x4b 00 0000000000000070 0000000000000080 0002c8b62bfc6ee5 000002e9 67696420 31 00'),
	-- ROLLBACK PREPARED: flags, end LSN of both, time of both, xid, gid
	('\x72 00 0000000000000040 0000000000000090 0002c8b62bfc6ee5 0002c8b62bfc6ee6 000002ea 22 00'),
	-- of one that was prepared before
	('\x4b 00 00000000000000a0 00000000000000b0 0002c8b62bfc6ee5 000002d0 6f 00');
SELECT * FROM stream_pgoutput_decode((SELECT array_agg(data ORDER BY n) FROM two_phase), 'on');
SELECT * FROM stream_pgoutput_decode_summary((SELECT array_agg(data ORDER BY n) FROM two_phase), 'on');

-- Times that are none, and the ends of the range.
SELECT time, detail->'commit_time' AS commit_time FROM
	(VALUES ('\x8000000000000000'::bytea), ('\x7fffffffffffffff'), ('\x7ffffffffffffffe'),
			('\x8000000000000001'), ('\xfcff7d4ddeb6d000'), ('\x0000000000000000'),
			('\x7fffffff00000000')) v (time),
	stream_pgoutput_decode(ARRAY['\x42 000000000152c3a0'::bytea || time || '\x000002e9']);

-- No messages, and the forms of "streaming".
SELECT count(*) FROM stream_pgoutput_decode('{}');
SELECT count(*) FROM stream_pgoutput_decode(NULL);
SELECT count(*) FROM stream_pgoutput_decode_summary('{}');
SELECT mode, count(*) FROM unnest('{off,false,0,on,TRUE,parallel,Parallel}'::text[]) mode,
	stream_pgoutput_decode(ARRAY['\x4d 00 000000000152c400 7078 00 00000001 78'::bytea], mode)
	GROUP BY mode ORDER BY mode COLLATE "C";
SELECT count(*) FROM stream_pgoutput_decode('{}', 'sometimes');
