\i sql/include/start.psql
-- The setting is there once the library is loaded, also if it was set before.
SET stream_pgoutput.skip_empty_streams = on;
LOAD 'stream_pgoutput';
SHOW stream_pgoutput.skip_empty_streams;
RESET stream_pgoutput.skip_empty_streams;
SHOW stream_pgoutput.skip_empty_streams;
SELECT name, setting, vartype, context, boot_val FROM pg_settings
	WHERE name = 'stream_pgoutput.skip_empty_streams';
SET stream_pgoutput.skip_empty_streams = maybe;
\echo :SQLSTATE
SET stream_pgoutput.other = on;
\echo :SQLSTATE
