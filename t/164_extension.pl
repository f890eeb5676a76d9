# The extension as an object of the database: in a schema of choice, moved,
# dropped, dumped and restored; and whatever the search_path is.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Utils;
use StreamPgoutput;
use Test::More;

my $plugin = plugin();
my $node = new_publisher('node');

$node->safe_psql('postgres', qq{
	CREATE TABLE t (id int PRIMARY KEY, v text);
	CREATE TABLE log (line text);
	CREATE PUBLICATION pub FOR TABLE t WHERE (id > 0);
	SELECT pg_create_logical_replication_slot('slot', '$plugin');
	INSERT INTO t VALUES (1, 'one');
	CREATE ROLE operator LOGIN;});

# Every function works, called by its schema; with no search_path at all, and
# with one that has something of the same name first.
my $messages = join ',', map { qq{"\\\\x$_"} } split /\n/, $node->safe_psql('postgres', q{
	SELECT encode(data, 'hex')
	FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')});

# Only the call itself is made with that search_path.
sub call
{
	my ($database, $search_path, $call, $columns) = @_;

	return $node->safe_psql($database, qq{
		SET search_path = $search_path;
		CREATE TEMP TABLE result AS SELECT * FROM $call;
		RESET search_path;
		SELECT $columns;});
}

sub check_functions
{
	my ($database, $schema, $search_path, $what) = @_;
	my $function = "$schema.stream_pgoutput";
	my $in_order = q{string_agg(message, ' ' ORDER BY ctid) FROM result};

	is(call($database, $search_path, "${function}_explain('{pub}', 'public.t')",
			q{string_agg(action, ' ' ORDER BY ctid) FROM result WHERE sent AND row_filter = '(id > 0)'}),
		'insert update delete', "$what: explain");
	is(call($database, $search_path, "${function}_coverage('{pub}')",
			q{relation, actions, reason FROM result WHERE relation IN ('t'::regclass, 'log'::regclass) ORDER BY relation::text}),
		"log|{}|none of these publications has it\nt|{insert,update,delete,truncate}|", "$what: coverage");
	is(call($database, $search_path, "${function}_decode('{$messages}')", $in_order),
		'BEGIN RELATION INSERT COMMIT', "$what: decode");
	is(call($database, $search_path, "${function}_decode_summary('{$messages}')", 'rows FROM result'),
		'{"public.t": {"insert": 1}}', "$what: decode_summary");
	return if $database ne 'postgres';
	is(call($database, $search_path, "${function}_peek('slot', '{pub}')", $in_order),
		'BEGIN RELATION INSERT COMMIT', "$what: peek");
	is(call($database, $search_path, "${function}_peek_summary('slot', '{pub}')", 'rows FROM result'),
		'{"public.t": {"insert": 1}}', "$what: peek_summary");
	return;
}

# What would be called instead, were the search_path asked.
$node->safe_psql('postgres', q{
	CREATE SCHEMA trap;
	CREATE FUNCTION trap.differ(name, name) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
	CREATE FUNCTION trap.same(oid, oid) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
	CREATE OPERATOR trap.<> (LEFTARG = name, RIGHTARG = name, FUNCTION = trap.differ);
	CREATE OPERATOR trap.= (LEFTARG = oid, RIGHTARG = oid, FUNCTION = trap.same);
	CREATE FUNCTION trap.stream_pgoutput_explain(publications text[], "table" oid,
	  OUT action text, OUT sent boolean, OUT sent_as regclass, OUT columns text[], OUT row_filter text,
	  OUT publications_sending text[], OUT reason text)
	  RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
	CREATE FUNCTION trap.pg_logical_slot_peek_binary_changes(name, pg_lsn, int, VARIADIC text[],
	  OUT lsn pg_lsn, OUT xid xid, OUT data bytea)
	  RETURNS SETOF record LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
	CREATE VIEW trap.pg_class AS SELECT 1 AS oid;
	CREATE VIEW trap.pg_namespace AS SELECT 1 AS oid;
	CREATE DOMAIN trap.text AS pg_catalog.int4;});
my $trapped = 'trap, pg_catalog, public';

$node->safe_psql('postgres', 'CREATE EXTENSION stream_pgoutput');
check_functions('postgres', 'public', 'public', 'as usual');
check_functions('postgres', 'public', q{''}, 'no search_path');
check_functions('postgres', 'public', $trapped, 'a hostile search_path');
$node->safe_psql('postgres', 'DROP EXTENSION stream_pgoutput');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_proc WHERE proname ~ '^stream_pgoutput' AND pronamespace = 'public'::regnamespace}),
	'0', 'dropped');
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')}),
	'4', 'the plugin does not need the extension');

# In a schema of choice, even if the search_path is hostile then.
$node->safe_psql('postgres', qq{
	CREATE SCHEMA "Tools";
	SET search_path = $trapped;
	CREATE EXTENSION stream_pgoutput SCHEMA "Tools";});
check_functions('postgres', '"Tools"', q{''}, 'in a schema');
check_functions('postgres', '"Tools"', $trapped, 'in a schema, a hostile search_path');
$node->safe_psql('postgres', 'CREATE SCHEMA moved; ALTER EXTENSION stream_pgoutput SET SCHEMA moved');
check_functions('postgres', 'moved', q{''}, 'moved');
check_functions('postgres', 'moved', $trapped, 'moved, a hostile search_path');
is($node->safe_psql('postgres', q{SELECT extversion = (SELECT default_version FROM pg_available_extensions WHERE name = 'stream_pgoutput')
	FROM pg_extension WHERE extname = 'stream_pgoutput'}), 't', 'its version is the one that the control file says');

# Dumped and restored, with what was granted and what depends on it.
$node->safe_psql('postgres', q{
	GRANT EXECUTE ON FUNCTION moved.stream_pgoutput_peek TO operator;
	CREATE VIEW not_sent AS SELECT relation FROM moved.stream_pgoutput_coverage('{pub}') WHERE actions = '{}' AND relation::text !~ '^trap\.';});
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', '--no-sync', '-f', $dump, $node->connstr('postgres') ], 'dumped');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr('restored') ], 'restored');
check_functions('restored', 'moved', q{''}, 'restored');
is($node->safe_psql('restored', 'SELECT relation FROM not_sent'), 'log', 'restored: a view over coverage');
is($node->safe_psql('restored', q{SELECT proname FROM pg_proc WHERE has_function_privilege('operator', oid, 'EXECUTE')
	AND proname ~ '^stream_pgoutput_peek'}), 'stream_pgoutput_peek', 'restored: what was granted, and no more');

# What depends on it is said before it goes.
my (undef, undef, $error) = $node->psql('postgres', 'DROP EXTENSION stream_pgoutput');
like($error, qr/other objects depend on it.*view not_sent depends on function moved\.stream_pgoutput_coverage/s,
	'a view over it keeps it');
$node->safe_psql('postgres', 'DROP EXTENSION stream_pgoutput CASCADE; CREATE EXTENSION stream_pgoutput');
check_functions('postgres', 'public', 'public', 'made again');

$node->stop;
done_testing();
