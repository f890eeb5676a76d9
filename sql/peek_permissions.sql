\i sql/include/start.psql
-- Who may look at a slot: who may call these functions, may call the server's,
-- and may replicate.  Nobody by default but superusers.
CREATE EXTENSION stream_pgoutput;
GRANT USAGE ON SCHEMA public TO PUBLIC;
CREATE TABLE t (id int PRIMARY KEY);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (1);
SET client_min_messages = warning;
DROP ROLE IF EXISTS plain_user, replication_user, granted_user, both_user;
RESET client_min_messages;
CREATE ROLE plain_user;
CREATE ROLE replication_user REPLICATION;
CREATE ROLE granted_user;
CREATE ROLE both_user REPLICATION;
GRANT EXECUTE ON FUNCTION stream_pgoutput_peek, stream_pgoutput_peek_summary TO granted_user, both_user;
SELECT proname, COALESCE(string_agg(DISTINCT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END, ', ')
	FILTER (WHERE a.grantee <> proowner), 'nobody') AS executable_by
	FROM pg_proc LEFT JOIN LATERAL aclexplode(COALESCE(proacl, acldefault('f', proowner))) a ON true
	WHERE proname ~ '^stream_pgoutput_(peek|decode)' GROUP BY proname ORDER BY proname;


-- Server versions word the want of REPLICATION differently.
CREATE FUNCTION try(function text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	count int;
BEGIN
	EXECUTE format('SELECT count(*) FROM %I(''slot'', ''{pub}'')', function) INTO count;
	RETURN 'rows: ' || count;
EXCEPTION WHEN insufficient_privilege THEN
	RETURN CASE WHEN SQLERRM ~ 'replication slots' THEN 'no replication role' ELSE SQLERRM END;
END
$$;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');
SET ROLE plain_user;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');
-- bytes at hand are free for all
SELECT message FROM stream_pgoutput_decode('{"\\x53000002ea01"}', 'on');
SELECT outcome FROM stream_pgoutput_decode_summary('{"\\x53000002ea01"}', 'on');
SET ROLE replication_user;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');
SET ROLE granted_user;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');
SET ROLE both_user;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');

-- Where the server's function is no longer for everyone, ours gives no way around.
RESET ROLE;
REVOKE EXECUTE ON FUNCTION pg_logical_slot_peek_binary_changes FROM PUBLIC;
SET ROLE both_user;
SELECT try('stream_pgoutput_peek'), try('stream_pgoutput_peek_summary');
RESET ROLE;
GRANT EXECUTE ON FUNCTION pg_logical_slot_peek_binary_changes TO PUBLIC;

-- Every function has a comment.
SELECT count(*) FROM pg_proc WHERE proname ~ '^stream_pgoutput_(peek|decode)' AND obj_description(oid, 'pg_proc') IS NULL;
DROP EXTENSION stream_pgoutput;
REVOKE USAGE ON SCHEMA public FROM PUBLIC;
DROP ROLE plain_user, replication_user, granted_user, both_user;
