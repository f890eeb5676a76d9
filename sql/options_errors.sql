\i sql/include/start.psql
-- Bad options, on a slot of ours and on one of pgoutput's: the same message,
-- then the same SQLSTATE.
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
SELECT FROM pg_create_logical_replication_slot('theirs', 'pgoutput');
INSERT INTO t VALUES (1);

CREATE TABLE attempt (n serial, options text[]);
INSERT INTO attempt (options) VALUES
	('{}'),
	('{proto_version,1}'),
	('{publication_names,pub}'),
	('{proto_version,0,publication_names,pub}'),
	('{proto_version,99,publication_names,pub}'),
	('{proto_version,-1,publication_names,pub}'),
	('{proto_version,1x,publication_names,pub}'),
	('{proto_version,4294967296,publication_names,pub}'),
	('{proto_version,99999999999999999999,publication_names,pub}'),
	('{proto_version," 1",publication_names,pub}'),
	('{proto_version,1,publication_names,""}'),
	('{proto_version,1,publication_names,"pub pub"}'),
	('{proto_version,1,publication_names,"pub,"}'),
	('{proto_version,1,publication_names,"\"pub"}'),
	('{proto_version,1,publication_names,"\"pub\""}'),
	('{proto_version,1,publication_names," PUB "}'),
	('{proto_version,1,publication_names,pub,proto_version,1}'),
	('{proto_version,1,publication_names,pub,publication_names,pub}'),
	('{proto_version,1,publication_names,pub,binary,on,binary,on}'),
	('{proto_version,1,publication_names,pub,messages,on,messages,on}'),
	('{proto_version,1,publication_names,pub,streaming,off,streaming,off}'),
	('{proto_version,1,publication_names,pub,two_phase,off,two_phase,off}'),
	('{proto_version,1,publication_names,pub,origin,any,origin,any}'),
	('{proto_version,1,publication_names,pub,color,red}'),
	('{proto_version,1,publication_names,pub,Binary,true}'),
	('{proto_version,1,publication_names,pub,binary,maybe}'),
	('{proto_version,1,publication_names,pub,binary,on}'),
	('{proto_version,1,publication_names,pub,messages,2}'),
	('{proto_version,1,publication_names,pub,streaming,sometimes}'),
	('{proto_version,1,publication_names,pub,streaming,on}'),
	('{proto_version,3,publication_names,pub,streaming,parallel}'),
	('{proto_version,2,publication_names,pub,two_phase,on}'),
	('{proto_version,3,publication_names,pub,two_phase,perhaps}'),
	('{proto_version,1,publication_names,pub,origin,north}'),
	('{proto_version,1,publication_names,pub,origin,NONE}'),
	('{proto_version,1,publication_names}'),
	('{proto_version,1,publication_names,NULL}');
\set VERBOSITY terse
SELECT format('SELECT count(*) FROM pg_logical_slot_peek_binary_changes(%L, NULL, NULL, VARIADIC %L)',
			  slot_name, options)
FROM attempt, pg_replication_slots ORDER BY n, slot_name \gexec

-- Their SQLSTATEs.
\set VERBOSITY sqlstate
\set ECHO none
\t
SELECT format('SELECT %L', n || ' ' || slot_name),
	   format('SELECT count(*) FROM pg_logical_slot_peek_binary_changes(%L, NULL, NULL, VARIADIC %L)',
			  slot_name, options)
FROM attempt, pg_replication_slots ORDER BY n, slot_name \gexec
\t
\set ECHO all

-- Options of our own.
\set VERBOSITY terse
SELECT * FROM wire.show('skip_empty_streams', 'maybe');
\echo :SQLSTATE
SELECT * FROM wire.show('skip_empty_streams', 'on', 'skip_empty_streams', 'on');
\echo :SQLSTATE

-- The output is binary.
SELECT * FROM pg_logical_slot_peek_changes('slot', NULL, NULL,
	'proto_version', '1', 'publication_names', 'pub');
\echo :SQLSTATE

-- After all that it works.
SELECT * FROM wire.show();
