# Who may look: what a superuser, a role that replicates, a member of
# pg_monitor and a plain user get of each function; and that nothing is in the
# extension about which this was not decided.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Utils;
use StreamPgoutput;
use Test::More;

# Every function, and who may execute it as installed.  'all' is for what
# shows no more than what it was given, or definitions that everybody may
# read; 'monitors' for what members of pg_monitor see of others' work anyway;
# 'granted' for what shows data or changes something.
my %functions = (
	'stream_pgoutput_peek(name,text[],pg_lsn,integer,text[])' => 'granted',
	'stream_pgoutput_peek_summary(name,text[],pg_lsn,integer,text[])' => 'granted',
	'stream_pgoutput_decode(bytea[],text)' => 'all',
	'stream_pgoutput_decode_summary(bytea[],text)' => 'all',
	'stream_pgoutput_explain(text[],regclass)' => 'all',
	'stream_pgoutput_coverage(text[])' => 'all',
	'stream_pgoutput_stat_available()' => 'all',
	'stream_pgoutput_stat_get_slots()' => 'monitors',
	'stream_pgoutput_stat_get_tables()' => 'monitors',
	'stream_pgoutput_stat_reset(name)' => 'granted');

# Every table, view or sequence, and who may read it.
my %relations = (
	'pg_stat_stream_pgoutput' => 'monitors',
	'pg_stat_stream_pgoutput_tables' => 'monitors');

my $plugin = plugin();
my $node = new_publisher('node');

$node->safe_psql('postgres', qq{
	CREATE EXTENSION stream_pgoutput;
	CREATE TABLE t (id int PRIMARY KEY, secret text);
	REVOKE ALL ON t FROM PUBLIC;
	CREATE PUBLICATION pub FOR TABLE t (id, secret);
	SELECT pg_create_logical_replication_slot('slot', '$plugin');
	INSERT INTO t VALUES (1, 'the secret');
	CREATE ROLE superuser SUPERUSER LOGIN;
	CREATE ROLE replicates REPLICATION LOGIN;
	CREATE ROLE monitors LOGIN IN ROLE pg_monitor;
	CREATE ROLE plain LOGIN;});

# ---------------------------------------------------------------------------
# What each role gets
# ---------------------------------------------------------------------------

my %call = (
	peek => q{SELECT string_agg(message, ' ') FROM stream_pgoutput_peek('slot', '{pub}')},
	peek_summary => q{SELECT kind, rows FROM stream_pgoutput_peek_summary('slot', '{pub}')},
	decode => q{SELECT message, xid FROM stream_pgoutput_decode('{"\\\\x53000002ea01"}', 'on')},
	decode_summary => q{SELECT kind, outcome FROM stream_pgoutput_decode_summary('{"\\\\x53000002ea01"}', 'on')},
	explain => q{SELECT string_agg(action, ' ') FROM stream_pgoutput_explain('{pub}', 't') WHERE sent},
	coverage => q{SELECT relation, actions FROM stream_pgoutput_coverage('{pub}')});

my %answer = (
	peek => 'BEGIN RELATION INSERT COMMIT',
	peek_summary => 'plain|{"public.t": {"insert": 1}}',
	decode => 'STREAM START|746',
	decode_summary => 'streamed|open',
	explain => 'insert update delete truncate',
	coverage => 't|{insert,update,delete,truncate}');

# The answer, or the error with its SQLSTATE.
sub ask_as
{
	my ($role, $query) = @_;
	my ($code, $out, $error) = $node->psql('postgres', "\\set VERBOSITY verbose\n$query",
		extra_params => [ '-U', $role ], on_error_stop => 1);
	return $out if $code == 0;
	return join ' ', $error =~ /ERROR:  (\w{5}): (.*)/;
}

my $no_execute = qr/^42501 permission denied for function stream_pgoutput_/;
my $no_replication = qr/^42501 (permission denied to use replication slots|must be superuser or replication role)/;
my $no_server_function = qr/^42501 permission denied for function pg_logical_slot_peek_binary_changes/;

sub check_role
{
	my ($role, $error, $when) = @_;

	foreach my $function (sort keys %call)
	{
		my $got = ask_as($role, $call{$function});

		if ($error && $function =~ /^peek/)
		{
			like($got, $error, "$role, $function, $when: refused");
		}
		else
		{
			is($got, $answer{$function}, "$role, $function, $when: works");
		}
	}
	return;
}

my @roles = qw(superuser replicates monitors plain);
check_role($_, $_ eq 'superuser' ? undef : $no_execute, 'as installed') foreach @roles;

$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION stream_pgoutput_peek, '
	  . 'stream_pgoutput_peek_summary TO replicates, monitors, plain');
check_role($_, /^(superuser|replicates)$/ ? undef : $no_replication, 'granted') foreach @roles;

# The server's function is what is asked, by the same role.
$node->safe_psql('postgres', 'REVOKE EXECUTE ON FUNCTION pg_logical_slot_peek_binary_changes FROM PUBLIC');
check_role($_, $_ eq 'superuser' ? undef : $no_server_function, "without the server's function") foreach @roles;
$node->safe_psql('postgres', 'GRANT EXECUTE ON FUNCTION pg_logical_slot_peek_binary_changes TO replicates');
check_role('replicates', undef, "with the server's function");

# Statistics.
foreach my $view (sort keys %relations)
{
	my $query = "SELECT count(*) FROM $view";

	unlike(ask_as($_, $query), qr/^42501/, "$_, $view: may be read") foreach qw(superuser monitors);
	like(ask_as($_, $query), qr/^42501 permission denied for view $view/, "$_, $view: refused") foreach qw(replicates plain);
}

# Definitions are shown of a table whose rows are not.
like(ask_as('plain', 'SELECT secret FROM t'), qr/^42501 permission denied for table t/,
	'a plain user cannot read the table');
is(ask_as('plain', q{SELECT columns FROM stream_pgoutput_explain('{pub}', 't') WHERE action = 'insert'}),
	'{id,secret}', '... but may see what is published of it');

# ---------------------------------------------------------------------------
# What there is, from the catalog
# ---------------------------------------------------------------------------

sub members
{
	my ($catalog, $columns, $more) = @_;
	return split /\n/, $node->safe_psql('postgres', qq{
		SELECT $columns
		FROM pg_depend d JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid
		} . ($catalog ? "JOIN $catalog o ON d.classid = '$catalog'::regclass AND d.objid = o.oid" : '') . qq{
		WHERE e.extname = 'stream_pgoutput' AND d.deptype = 'e' } . ($more // '') . ' ORDER BY 1');
}

# Compare what there is with what was decided, both ways.
sub check_decisions
{
	my ($kind, $decisions, @found) = @_;
	my %found = map { split /\|/ } @found;

	foreach my $object (sort keys %found)
	{
		my $decision = $decisions->{$object};

		ok($decision, "$object: it is decided who may use it")
		  or diag "add this $kind to the list at the head of $0";
		is($found{$object}, $decision, "$object: for $decision") if $decision;
	}
	is(join(' ', grep { !exists $found{$_} } sort keys %$decisions), '', "every $kind that was decided about is there");
	return;
}

# Two roles that were granted nothing; who else may, needs a grant.
$node->safe_psql('postgres', 'CREATE ROLE anybody; CREATE ROLE watches IN ROLE pg_monitor');

sub for_whom
{
	my ($has_privilege, $privileges) = @_;
	return "CASE WHEN $has_privilege('anybody', o.oid, '$privileges') THEN 'all' "
	  . "WHEN $has_privilege('watches', o.oid, '$privileges') THEN 'monitors' ELSE 'granted' END";
}

check_decisions('function', \%functions,
	members('pg_proc', 'o.oid::regprocedure, ' . for_whom('has_function_privilege', 'EXECUTE')));
check_decisions('relation', \%relations,
	members('pg_class', 'o.oid::regclass, '
		  . for_whom('has_table_privilege', 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')));
is(join(' ', members('pg_proc', 'o.oid::regprocedure', 'AND o.prosecdef')), '',
	'no function lends the rights of its owner');
# A relation's row type goes with it.
my $no_row_type = q{AND d.objid NOT IN (SELECT reltype FROM pg_class WHERE reltype <> 0)
	AND d.objid NOT IN (SELECT typarray FROM pg_type WHERE typrelid <> 0)};
is(join(' ', members(undef, 'DISTINCT d.classid::regclass',
		qq{AND d.classid NOT IN ('pg_proc'::regclass, 'pg_class'::regclass) $no_row_type})),
	'', 'there is nothing but functions and relations');
is(join("\n", members(undef, 'pg_describe_object(d.classid, d.objid, 0)',
		"$no_row_type AND obj_description(d.objid, d.classid::regclass::name) IS NULL")),
	'', 'every object has a comment');
isnt($node->safe_psql('postgres',
		q{SELECT obj_description(oid, 'pg_extension') FROM pg_extension WHERE extname = 'stream_pgoutput'}),
	'', 'so has the extension');

$node->stop;
done_testing();
