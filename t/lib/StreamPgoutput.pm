# The one helper module of the TAP tests: how a publisher is configured, how a
# subscription is put on top of our plugin, and how both sides are compared.
#
# PLUGIN=pgoutput runs the same tests against the server's own plugin, which
# tells a mistake of a test from a mistake of ours.
package StreamPgoutput;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  plugin server_major allow_list_conf new_publisher new_subscriber
  routes take_route create_subscription
  walsender_pid walsender_library
  same_tables poll_ok set_conf
);

# Name of the plugin under test.
sub plugin
{
	return $ENV{PLUGIN} // 'stream_pgoutput';
}

# Major version of the servers under test, 15 or later.
sub server_major
{
	my ($out) = run_command([ 'pg_config', '--version' ]);
	my ($major) = $out =~ /^PostgreSQL (\d+)/
	  or die "cannot tell the server's version from \"$out\"";
	return $major;
}

# The configuration line that lets the plugin be loaded, empty on a server
# whose minor release has no list of allowed plugins.
sub allow_list_conf
{
	my ($settings) = run_command([ 'postgres', '--describe-config' ]);
	return '' unless $settings =~ /^output_plugin_libraries\t/m;
	return
	  "output_plugin_libraries = 'pgoutput, test_decoding, stream_pgoutput'\n";
}

# A started server from which a plugin can decode; $conf is added to its
# postgresql.conf.
sub new_publisher
{
	my ($name, $conf) = @_;

	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init(allows_streaming => 'logical');
	$node->append_conf('postgresql.conf',
		allow_list_conf()
		  . "logical_decoding_work_mem = 64kB\n"
		  . "max_prepared_transactions = 10\n"
		  . "autovacuum = off\n"
		  . ($conf // ''));
	$node->start;
	return $node;
}

# A started server that can subscribe.  Its log says at debug1 by which
# process and by which means a streamed transaction was applied.
sub new_subscriber
{
	my ($name, $conf) = @_;

	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf',
		    "log_min_messages = debug1\n"
		  . "max_prepared_transactions = 10\n"
		  . "max_worker_processes = 20\n"
		  . "max_logical_replication_workers = 12\n"
		  . "wal_retrieve_retry_interval = 100ms\n"
		  . "autovacuum = off\n"
		  . ($conf // ''));
	$node->start;
	return $node;
}

# Sets parameters on a running server, and reloads it.
sub set_conf
{
	my ($node, %setting) = @_;

	foreach my $name (sort keys %setting)
	{
		my $value = $setting{$name};
		$node->safe_psql('postgres',
			defined $value
			? "ALTER SYSTEM SET $name = $value"
			: "ALTER SYSTEM RESET $name");
	}
	$node->reload;
	return;
}

# The ways by which a subscriber comes to our plugin: a slot that names it,
# or the drop-in folder, from which the name pgoutput loads it.
sub routes
{
	return plugin() eq 'pgoutput' ? ('slot') : ('slot', 'drop-in');
}

# Makes walsenders started from now on take the route.
sub take_route
{
	my ($publisher, $route) = @_;

	set_conf($publisher,
		dynamic_library_path => $route eq 'drop-in'
		? q{'$libdir/stream_pgoutput:$libdir'}
		: undef);
	$publisher->poll_query_until(
		'postgres',
		q{SELECT current_setting('dynamic_library_path') LIKE '%/stream_pgoutput:%'},
		$route eq 'drop-in' ? 't' : 'f') or die 'reload did not happen';
	return;
}

# Subscribes to a publication by the given route, and waits until all tables
# are ready (two-phase and parallel apply are off before that).  Options are
# those of CREATE SUBSCRIPTION.
sub create_subscription
{
	my ($publisher, $subscriber, %arg) = @_;

	my $name = $arg{name} // 'sub';
	my $publication = $arg{publication} // 'pub';
	my %option = %{ $arg{options} // {} };

	take_route($publisher, $arg{route});
	if ($arg{route} eq 'slot')
	{
		my $plugin = plugin();
		$publisher->safe_psql('postgres',
			"SELECT pg_create_logical_replication_slot('$name', '$plugin')");
		$option{create_slot} = 'false';
	}
	my $options = join ', ', map { "$_ = $option{$_}" } sort keys %option;
	my $connstr = $publisher->connstr . ' dbname=postgres';
	$subscriber->safe_psql('postgres',
		    "CREATE SUBSCRIPTION $name CONNECTION '$connstr' "
		  . "PUBLICATION $publication"
		  . ($options ? " WITH ($options)" : ''));
	$subscriber->wait_for_subscription_sync($publisher, $name);
	$subscriber->poll_query_until('postgres',
		"SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate <> 'r'")
	  or die 'tables of the subscription did not get ready';
	is( walsender_library($publisher, $name),
		$arg{route} eq 'drop-in'
		? 'stream_pgoutput/pgoutput.so'
		: plugin() . '.so',
		"$arg{route}: the walsender runs the library under test");
	return;
}

# Process id of a client's walsender that has a slot in use.
sub walsender_pid
{
	my ($publisher, $name) = @_;

	$publisher->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_replication_slots "
		  . "WHERE slot_name = '$name' AND active_pid IS NOT NULL")
	  or die "no walsender for slot \"$name\"";
	return $publisher->safe_psql('postgres',
		"SELECT active_pid FROM pg_replication_slots "
		  . "WHERE slot_name = '$name'");
}

# Which output plugin the walsender of a slot has in its address space, as a
# path below the server's library directory.
sub walsender_library
{
	my ($publisher, $name) = @_;

	my $libdir = $publisher->config_data('--pkglibdir');
	my $maps = slurp_file('/proc/' . walsender_pid($publisher, $name) . '/maps');
	my %seen;
	$seen{$1} = 1
	  while $maps =~ m{\Q$libdir\E/((?:stream_pgoutput/)?(?:stream_)?pgoutput\.so)}g;
	return join ' ', sort keys %seen;
}

# Content of a table in one line: number of rows, and a digest of all of them.
sub table_content
{
	my ($node, $table) = @_;

	return $node->safe_psql('postgres',
		"SELECT count(*), md5(coalesce(string_agg(t::text, E'\\n' "
		  . "ORDER BY t::text COLLATE \"C\"), '')) FROM $table t");
}

# Waits for the subscription, then compares tables row by row by digest.
# Each table is a name, or a pair of expressions for the two sides.
sub same_tables
{
	my ($publisher, $subscriber, $name, @tables) = @_;

	$publisher->wait_for_catchup($name);
	foreach my $table (@tables)
	{
		my ($theirs, $ours) = ref $table ? @$table : ($table, $table);
		is( table_content($subscriber, $ours),
			table_content($publisher, $theirs),
			"$name: content of $ours is the same on both sides");
	}
	return;
}

# Polls a query until it returns true, as one test.
sub poll_ok
{
	my ($node, $query, $what) = @_;

	ok($node->poll_query_until('postgres', $query), $what);
	return;
}

1;
