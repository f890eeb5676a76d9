# The one helper module of the TAP tests: how a publisher is configured, how a
# subscription is put on top of our plugin, and how both sides are compared.
#
# PLUGIN=pgoutput runs the same tests against the server's own plugin, which
# tells a mistake of a test from a mistake of ours.
package StreamPgoutput;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Fcntl ':flock';
use FindBin;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(
  plugin server_major allow_list_conf new_publisher new_subscriber subscriber_conf
  new_standby wait_replayed new_slot_on_standby
  routes take_route create_subscription
  walsender_pid walsender_library process_memory
  new_slot start_reader stop_reader
  loaded_libraries table_content same_tables
  set_conf wait_until wait_applied wait_ready poll_ok
  new_diff_publisher stream_diff scenarios diff_families diff_scenarios
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

# A started standby of a publisher, which keeps for it what it decodes; $conf is
# added to its postgresql.conf.
sub new_standby
{
	my ($publisher, $name, $conf) = @_;

	$publisher->safe_psql('postgres',
		"SELECT pg_create_physical_replication_slot('$name', true)");
	$publisher->backup($name);
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init_from_backup($publisher, $name, has_streaming => 1);
	my $primary = $publisher->connstr('postgres') =~ s/'/''/gr;
	$node->append_conf('postgresql.conf',
		"primary_slot_name = '$name'\n"
		  . "primary_conninfo = '$primary'\n"
		  . "hot_standby_feedback = on\n"
		  . "wal_receiver_status_interval = 1s\n"
		  . ($conf // ''));
	$node->start;
	return $node;
}

# Waits until a standby has replayed all that was written.
sub wait_replayed
{
	my ($publisher, $standby) = @_;

	my $lsn = $publisher->safe_psql('postgres', 'SELECT pg_current_wal_flush_lsn()');
	wait_until($standby, "SELECT pg_last_wal_replay_lsn() >= '$lsn'")
	  or die "the standby did not come to $lsn";
	return;
}

# Creates a slot on a standby, of the plugin under test unless another is
# named, and returns its name.  The standby waits for a list of running
# transactions, which the primary logs on demand.
sub new_slot_on_standby
{
	my ($publisher, $standby, $slot, $plugin) = @_;

	$plugin //= plugin();
	wait_replayed($publisher, $standby);
	my $creation = $standby->background_psql('postgres');
	$creation->query_until(qr/begun/, qq{
		\\echo begun
		SELECT pg_create_logical_replication_slot('$slot', '$plugin');
	});
	$publisher->log_standby_snapshot($standby, $slot);
	$creation->quit;
	return $slot;
}

# What a subscriber needs in its configuration, with an apply worker that comes
# back soon after an error and reports soon what it has flushed.
sub subscriber_conf
{
	return "max_worker_processes = 20\n"
	  . "max_logical_replication_workers = 12\n"
	  . "wal_retrieve_retry_interval = 100ms\n"
	  . "wal_writer_delay = 10ms\n";
}

# A started server that can subscribe.  Its log says at debug1 by which
# process and by which means a streamed transaction was applied.
sub new_subscriber
{
	my ($name, $conf) = @_;

	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf',
		    subscriber_conf()
		  . "log_min_messages = debug1\n"
		  . "max_prepared_transactions = 10\n"
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
		# 15 knows a library's settings only when it is loaded.
		my $load = $name =~ /^(\w+)\./ ? "LOAD '$1';\n" : '';
		$node->safe_psql('postgres',
			$load
			  . (defined $value
				? "ALTER SYSTEM SET $name = $value"
				: "ALTER SYSTEM RESET $name"));
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
	my $not = $route eq 'drop-in' ? '' : 'NOT';
	# A session that runs does not see the new value, a new one does.
	$publisher->poll_query_until('postgres',
		"SELECT current_setting('dynamic_library_path') "
		  . "$not LIKE '%/stream_pgoutput:%'")
	  or die 'reload did not happen';
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
	wait_ready($publisher, $subscriber, $name);
	is( walsender_library($publisher, $name),
		plugin() . '.so',
		"$arg{route}: the walsender runs the library under test");
	return;
}

# Waits until all tables of a subscription are ready and it has caught up.
sub wait_ready
{
	my ($publisher, $subscriber, $name) = @_;

	wait_until($subscriber,
		"SELECT count(*) = 0 FROM pg_subscription_rel r JOIN pg_subscription s "
		  . "ON s.oid = r.srsubid WHERE subname = '$name' AND srsubstate <> 'r'")
	  or die 'tables of the subscription did not get ready';
	wait_applied($publisher, $name);
	return;
}

# Process id of a client's walsender that has a slot in use.
sub walsender_pid
{
	my ($publisher, $name) = @_;

	wait_until($publisher, "SELECT count(*) = 1 FROM pg_replication_slots "
		  . "WHERE slot_name = '$name' AND active_pid IS NOT NULL")
	  or die "no walsender for slot \"$name\"";
	return $publisher->safe_psql('postgres',
		"SELECT active_pid FROM pg_replication_slots "
		  . "WHERE slot_name = '$name'");
}

# A size from /proc/PID/status, in bytes: RssAnon is what the process shares
# with no other, VmData what its limit counts, VmPeak the greatest size it had.
sub process_memory
{
	my ($pid, $field) = @_;

	my ($kb) = slurp_file("/proc/$pid/status") =~ /^$field:\s+(\d+) kB$/m
	  or die "no $field for process $pid";
	return $kb * 1024;
}

# Creates a slot of the plugin under test, and returns its name.
sub new_slot
{
	my ($publisher, $slot) = @_;

	$publisher->safe_psql('postgres',
		"SELECT pg_create_logical_replication_slot('$slot', '" . plugin() . "')");
	return $slot;
}

# A client that reads a slot and writes what it gets to a file.  Settings are
# those of its walsender, options the plugin's.
my $clients = 0;

sub start_reader
{
	my ($publisher, $slot, %arg) = @_;

	my %setting = %{ $arg{settings} // {} };
	my %option = (proto_version => 1, publication_names => 'pub',
		%{ $arg{options} // {} });
	my $settings = join ' ', map { "-c$_=$setting{$_}" } sort keys %setting;
	my $connstr = $publisher->connstr('postgres') . " options='$settings'";
	my $file = PostgreSQL::Test::Utils::tempdir() . '/client' . ++$clients;
	my $handle = IPC::Run::start(
		[
			'pg_recvlogical', '-d', $connstr, '-S', $slot,
			'--start', '--no-loop', '-f', $file, '-s', '1', '-F', '0',
			map { ('-o', "$_=$option{$_}") } sort keys %option
		],
		'>', \my $out, '2>', \my $err,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	return { handle => $handle, file => $file, err => \$err, slot => $slot };
}

# Ends a client, and waits until its slot is free.
sub stop_reader
{
	my ($publisher, $client) = @_;

	$client->{handle}->kill_kill;
	wait_until($publisher,
		"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '$client->{slot}'")
	  or die 'slot stays active';
	return;
}

# Which of our and the server's output plugin a server process has in its
# address space; undefined if the process has ended.  The drop-in is a link, so
# it shows under our own name.
sub loaded_libraries
{
	my ($node, $pid) = @_;

	my $libdir = $node->config_data('--pkglibdir');
	open my $in, '<', "/proc/$pid/maps" or return;
	my $maps = do { local $/; <$in> };
	close $in;
	my %seen;
	$seen{$1} = 1
	  while $maps =~ m{\Q$libdir\E/((?:stream_)?pgoutput\.so)}g;
	return join ' ', sort keys %seen;
}

# The same of the walsender that has a slot in use.  A subscriber may begin
# anew at any time, with another one.
sub walsender_library
{
	my ($publisher, $name) = @_;
	my $libraries;

	foreach (1 .. 100)
	{
		$libraries = loaded_libraries($publisher, walsender_pid($publisher, $name));
		last if defined $libraries;
	}
	return $libraries;
}

# Content of tables, in one line each: number of rows, and a digest of all of
# them.  A table may be any expression that FROM takes.
sub table_content
{
	my ($node, @tables) = @_;

	return split /\n/, $node->safe_psql('postgres', join ";\n",
		map {
			"SELECT count(*), md5(coalesce(string_agg(t::text, E'\n' "
			  . "ORDER BY t::text COLLATE \"C\"), '')) FROM $_ t"
		} @tables);
}

# Waits until a query returns true, inside the server: much cheaper than one
# psql after the other.  Returns whether it did.
sub wait_until
{
	my ($node, $query) = @_;

	my $seconds = $PostgreSQL::Test::Utils::timeout_default;
	my ($code) = $node->psql('postgres', qq{
		DO \$wait\$
		BEGIN
		  WHILE clock_timestamp() < now() + interval '$seconds s' LOOP
		    PERFORM pg_stat_clear_snapshot();
		    IF ($query) THEN
		      RETURN;
		    END IF;
		    PERFORM pg_sleep(0.02);
		  END LOOP;
		  RAISE EXCEPTION 'timed out waiting for: %', \$query\$$query\$query\$;
		END \$wait\$});
	return $code == 0;
}

# The same, as one test.
sub poll_ok
{
	my ($node, $query, $what) = @_;

	ok(wait_until($node, $query), $what);
	return;
}

# Waits until a subscriber has applied and flushed all that was written.
sub wait_applied
{
	my ($publisher, $name) = @_;

	my $lsn = $publisher->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	wait_until($publisher,
		"SELECT count(*) = 1 FROM pg_stat_replication "
		  . "WHERE application_name = '$name' AND replay_lsn >= '$lsn'")
	  or die "\"$name\" did not come to $lsn";
	return;
}

# Waits for the subscription, then compares tables by a digest of all rows.
# Each table is a name, or a pair of expressions for the two sides.
sub same_tables
{
	my ($publisher, $subscriber, $name, @tables) = @_;

	wait_applied($publisher, $name);
	my @theirs = map { ref $_ ? $_->[0] : $_ } @tables;
	my @ours = map { ref $_ ? $_->[1] : $_ } @tables;
	my @their_content = table_content($publisher, @theirs);
	my @our_content = table_content($subscriber, @ours);
	foreach my $i (0 .. $#tables)
	{
		is($our_content[$i], $their_content[$i],
			"$name: content of $ours[$i] is the same on both sides");
	}
	return;
}

# A server on which tools/stream_diff can run its scenarios, quietly.
sub new_diff_publisher
{
	my ($name) = @_;

	return new_publisher(
		$name, q{
		max_prepared_transactions = 20
		max_wal_senders = 10
		max_replication_slots = 10
		max_connections = 30
		shared_buffers = 64MB
		max_wal_size = 2GB
		checkpoint_timeout = 1h
		log_statement = none
		log_replication_commands = off});
}

# The command that compares scenarios on a server.  Builds the tool first, if
# it is not there or older than its sources, one test at a time.
sub stream_diff
{
	my ($node, @arguments) = @_;
	my $tools = "$FindBin::RealBin/../tools";

	open my $lock, '<', "$tools/Makefile" or die "no Makefile in $tools: $!";
	flock $lock, LOCK_EX or die "cannot lock $tools/Makefile: $!";
	system_or_bail('make', '-s', '-C', $tools, 'stream_diff',
		"PG_CONFIG=" . ($ENV{PG_CONFIG} // 'pg_config'));
	close $lock;
	return ("$tools/stream_diff", '--connect', $node->connstr('postgres'),
		'--plugin', plugin(), @arguments);
}

# The files of all scenarios whose names begin with one of the words.
sub scenarios
{
	return map { glob "$FindBin::RealBin/scenarios/$_*.sql" } @_;
}

# Compares all scenarios of some families.
sub diff_families
{
	my @families = @_;
	my $node = new_diff_publisher('publisher');

	diff_scenarios(stream_diff($node, scenarios(@families)));
	$node->stop;
	return;
}

# Runs a comparison, one test for each scenario over each interface.
sub diff_scenarios
{
	my @command = @_;
	my $summary;

	open my $results, '-|', join(' ', map { quotemeta } @command) . ' 2>&1'
	  or die "cannot run @command: $!";
	while (my $line = <$results>)
	{
		if ($line =~ /^(not )?ok - (.*)/)
		{
			ok(!$1, $2);
		}
		elsif ($line =~ /^# (PostgreSQL.*)/)
		{
			$summary = $1;
		}
		else
		{
			diag $line =~ s/^# //r;
		}
	}
	close $results;
	ok($? == 0 || $? >> 8 == 1, 'the comparison came to its end');
	ok($summary && $summary =~ / [1-9]\d* messages compared/,
		'messages were compared');
	diag $summary // 'no summary';
	return;
}

1;
