# Two nodes that replicate the same table to each other with origin = none:
# what came from the other node does not go back.  A server without the option
# has it refused by the plugin, as by its own.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $node_a = new_publisher('node_a');

$node_a->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;});

if (server_major() < 16)
{
	foreach my $plugin (plugin(), 'pgoutput')
	{
		$node_a->safe_psql('postgres',
			"SELECT pg_create_logical_replication_slot('slot', '$plugin')");
		my ($code, undef, $stderr) = $node_a->psql('postgres', q{
			SELECT * FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
			  'proto_version', '3', 'publication_names', 'pub', 'origin', 'none')});
		isnt($code, 0, "$plugin refuses the option");
		like($stderr, qr/ERROR:  unrecognized $plugin option: origin$/m,
			"$plugin: error");
		$node_a->safe_psql('postgres',
			q{SELECT pg_drop_replication_slot('slot')});
	}
	done_testing();
	exit;
}

$node_a->append_conf('postgresql.conf', subscriber_conf());
$node_a->restart;
my $node_b = new_publisher('node_b', subscriber_conf());
$node_b->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;});

# Both directions are still, and both nodes hold the same.
sub same_on_both
{
	my ($what) = @_;

	# A change that was sent back would need another round to show up.
	for (1 .. 2)
	{
		wait_applied($node_a, 'a_to_b');
		wait_applied($node_b, 'b_to_a');
	}
	is_deeply([ table_content($node_b, 't') ], [ table_content($node_a, 't') ], $what);
	return;
}

foreach my $route (routes())
{
	$_->safe_psql('postgres', 'TRUNCATE t') for $node_a, $node_b;
	my %how = (
		route => $route,
		options => {
			origin => 'none',
			copy_data => 'false',
			streaming => 'parallel',
			two_phase => 'true'
		});
	create_subscription($node_a, $node_b, name => 'a_to_b', %how);
	create_subscription($node_b, $node_a, name => 'b_to_a', %how);
	my %log = map { $_ => -s $_->logfile } $node_a, $node_b;

	# Small transactions on both sides at a time.
	$node_a->safe_psql('postgres',
		"INSERT INTO t VALUES ($_, 'from a')") for 1 .. 5;
	$node_b->safe_psql('postgres',
		"INSERT INTO t VALUES ($_, 'from b')") for 11 .. 15;
	same_on_both("$route: small transactions");
	is( $node_a->safe_psql('postgres',
			'SELECT body, count(*) FROM t GROUP BY 1 ORDER BY 1'),
		"from a|5\nfrom b|5", "$route: rows of both nodes");

	# The other node's rows changed here.
	$node_a->safe_psql('postgres',
		q{UPDATE t SET body = 'changed by a' WHERE body = 'from b'});
	wait_applied($node_a, 'a_to_b');
	$node_b->safe_psql('postgres',
		q{DELETE FROM t WHERE body = 'from a'});
	same_on_both("$route: changes of rows that came from the other node");

	# Large ones: streamed, and applied by parallel workers.
	$node_a->safe_psql('postgres', q{
		INSERT INTO t SELECT i, repeat('a', 60) FROM generate_series(1000, 3999) i});
	$node_b->safe_psql('postgres', q{
		BEGIN;
		INSERT INTO t SELECT i, repeat('b', 60) FROM generate_series(5000, 7999) i;
		SAVEPOINT s;
		DELETE FROM t WHERE id >= 5000;
		ROLLBACK TO s;
		COMMIT;});
	same_on_both("$route: streamed transactions");

	# Prepared ones.
	$node_a->safe_psql('postgres', q{
		BEGIN;
		UPDATE t SET body = 'prepared' WHERE id = 1000;
		PREPARE TRANSACTION 'here';});
	wait_applied($node_a, 'a_to_b');
	$node_a->safe_psql('postgres', q{COMMIT PREPARED 'here'});
	same_on_both("$route: a prepared transaction");
	is($node_b->safe_psql('postgres', 'SELECT body FROM t WHERE id = 1000'),
		'prepared', "$route: its row arrived");

	# Truncate goes there, not back: the row written next survives.
	$node_b->safe_psql('postgres', 'TRUNCATE t');
	wait_applied($node_b, 'b_to_a');
	$node_a->safe_psql('postgres', q{INSERT INTO t VALUES (1, 'last')});
	same_on_both("$route: truncate");
	is($node_b->safe_psql('postgres', 'SELECT * FROM t'),
		'1|last', "$route: rows after it");

	foreach my $node ($node_a, $node_b)
	{
		ok(!$node->log_contains(qr/ERROR:|conflict detected/, $log{$node}),
			"$route: no error and no conflict on " . $node->name);
	}
	$node_b->safe_psql('postgres', 'DROP SUBSCRIPTION a_to_b');
	$node_a->safe_psql('postgres', 'DROP SUBSCRIPTION b_to_a');
}

done_testing();
