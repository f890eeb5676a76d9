# Processes, connections, disks, memory and slots that fail at a bad moment:
# each once.  The subscriber gets every row, and none twice; an SQL session goes
# on with the right bytes.  soak/run-faults does the same at random.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use IPC::Run;
use StreamPgoutput;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep);

my $plugin = plugin();
my $timeout = $PostgreSQL::Test::Utils::timeout_default;
my $conf = "restart_after_crash = on\nwal_sender_timeout = 3s\nwal_receiver_timeout = 3s\n";
my $publisher = new_publisher('publisher',
	"$conf max_wal_size = 64MB\nlisten_addresses = '127.0.0.1'\n");
my $subscriber = new_subscriber('subscriber', "$conf log_min_messages = warning\n");
my $streaming = server_major() < 16 ? 'on' : 'parallel';

# `twin` has no key, so a row that comes twice is seen.
my @tables = qw(keyed twin);
$_->safe_psql('postgres', q{
	CREATE TABLE keyed (id int PRIMARY KEY, body text);
	CREATE TABLE twin (id int, body text);}) for $publisher, $subscriber;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR ALL TABLES');

# The proxy through which the subscriber comes.
my ($to_proxy, $from_proxy) = ('', '');
my $proxy = IPC::Run::start(
	[ 'python3', "$FindBin::RealBin/../soak/proxy.py", $publisher->port ],
	'<' => \$to_proxy,
	'>' => \$from_proxy,
	IPC::Run::timeout(10 * $timeout));
$proxy->pump until $from_proxy =~ s/^(\d+)\n//;
my $port = $1;

# Waits for the proxy to say something.
sub proxy_says
{
	my ($word) = @_;
	$proxy->pump until $from_proxy =~ s/^$word\n//;
	return;
}

# Plans a failure of the proxy.
sub plan_failure
{
	my ($kind, $after, $seconds) = @_;
	$to_proxy .= "$kind $after " . ($seconds // 0) . "\n";
	proxy_says('planned');
	return;
}

sub wait_failed
{
	my ($what) = @_;
	proxy_says('failed');
	pass($what);
	return;
}

sub resume
{
	$to_proxy .= "\n";
	proxy_says('resumed');
	return;
}

my $last_id = 0;

# Statements for rows of both tables.
sub rows
{
	my ($count) = @_;
	my $first = $last_id + 1;
	$last_id += $count;
	return join '', map {
		"INSERT INTO $_ SELECT i, repeat('x', 100) FROM generate_series($first, $last_id) i;\n"
	} @tables;
}

# A large transaction of the kind that is streamed, if anything is, with a part
# that is rolled back.
sub large
{
	return "BEGIN;\n" . rows(1000) . "SAVEPOINT s;\n" . rows(500) . "ROLLBACK TO s;\n" . rows(500) . "COMMIT;\n";
}

sub write_large
{
	$publisher->safe_psql('postgres', large());
	return;
}

# Waits until a server has begun anew after one of its processes was killed.
sub kill_process
{
	my ($node, $pid) = @_;
	my $log = -s $node->logfile;
	kill 'KILL', $pid;
	$node->wait_for_log(
		qr/all server processes terminated; reinitializing.*database system is ready to accept connections/s,
		$log);
	return;
}

sub recovered
{
	my ($what) = @_;
	note "after: $what";
	same_tables($publisher, $subscriber, 'sub', @tables);
	return;
}

# Subscribes through the proxy.
sub subscribe
{
	my ($copy, %option) = @_;
	$publisher->safe_psql('postgres',
		"SELECT pg_create_logical_replication_slot('sub', '$plugin')");
	my $options = join ', ', map { "$_ = $option{$_}" } sort keys %option;
	$subscriber->safe_psql('postgres',
		"CREATE SUBSCRIPTION sub CONNECTION 'host=127.0.0.1 port=$port dbname=postgres' PUBLICATION pub "
		  . "WITH (create_slot = false, copy_data = $copy, $options)");
	wait_ready($publisher, $subscriber, 'sub');
	is(walsender_library($publisher, 'sub'), "$plugin.so", 'the walsender runs the library under test');
	return;
}

# Drops the subscription, whatever has become of its slot.
sub unsubscribe
{
	$subscriber->safe_psql('postgres', q{
		ALTER SUBSCRIPTION sub DISABLE;
		ALTER SUBSCRIPTION sub SET (slot_name = NONE);
		DROP SUBSCRIPTION sub;
		TRUNCATE keyed, twin;});
	return;
}

subscribe('false', streaming => $streaming, two_phase => 'true');
wait_until($subscriber, q{SELECT subtwophasestate = 'e' FROM pg_subscription})
  or die 'two-phase is not enabled';

# Processes that die in the middle of a stream.
foreach my $type ('checkpointer', 'client backend')
{
	plan_failure('nothing', 50_000);
	my $writer = $publisher->background_psql('postgres', on_error_stop => 0);
	$writer->query('BEGIN; ' . rows(1000));
	wait_failed('a stream is on its way');
	my $pid = $publisher->safe_psql('postgres',
		"SELECT pid FROM pg_stat_activity WHERE backend_type = '$type' AND pid <> pg_backend_pid() LIMIT 1");
	kill_process($publisher, $pid);
	$writer->{run}->finish;
	write_large();
	recovered("$type of the publisher killed");
}
{
	plan_failure('nothing', 50_000);
	write_large();
	wait_failed('a stream is on its way');
	my $pid = $subscriber->safe_psql('postgres',
		q{SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'logical replication%worker' LIMIT 1});
	kill_process($subscriber, $pid);
	recovered('apply worker killed');
}
{
	plan_failure('nothing', 50_000);
	write_large();
	wait_failed('a stream is on its way');
	poll_ok($publisher, q{SELECT count(pg_cancel_backend(active_pid)) > 0 FROM pg_replication_slots WHERE active},
		'the walsender is cancelled');
	recovered('walsender cancelled');
}

# Killed between PREPARE and COMMIT PREPARED.
$publisher->safe_psql('postgres',
	"BEGIN;\n" . rows(1000) . "PREPARE TRANSACTION 'kept';\nBEGIN;\n" . rows(3) . "PREPARE TRANSACTION 'dropped';");
kill_process($publisher, walsender_pid($publisher, 'sub'));
$publisher->safe_psql('postgres', q{COMMIT PREPARED 'kept'; ROLLBACK PREPARED 'dropped';});
recovered('killed between PREPARE and COMMIT PREPARED');

# Connections that break in the middle of a message.
foreach my $kind (qw(close reset silence stall))
{
	my $pid = walsender_pid($publisher, 'sub');
	plan_failure($kind, 77_777, 1);
	write_large();
	wait_failed("connection: $kind");
	ok(wait_until($publisher, "SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid"),
		"$kind: the walsender notices") unless $kind eq 'stall';
	resume();
	recovered("connection: $kind");
}

# A limit of a process of the publisher.
sub limit
{
	my ($pid, $which, $size) = @_;
	system_or_bail('prlimit', '--pid', $pid, "--$which=$size:");
	return;
}

# Makes the walsender fail so that it tells the subscriber, whose log has it; a
# process that may write no large file may not write to its own.  On a busy
# machine it may have ended before, for a timeout: then it is done again.
sub must_fail
{
	my ($what, $message, $fault) = @_;
	for (1 .. 10)
	{
		my $log = -s $subscriber->logfile;
		$fault->(walsender_pid($publisher, 'sub'));
		for (1 .. 100)
		{
			return pass($what) if slurp_file($subscriber->logfile, $log) =~ $message;
			sleep 0.1;
		}
	}
	return fail($what);
}

my $value = "INSERT INTO twin SELECT 0, string_agg(md5(i::text), '') FROM generate_series(1, 100000) i;";
# The address sanitizer ends the process instead of telling it.
my $survives = ($ENV{LD_PRELOAD} // '') !~ /asan/;
if ($survives)
{
	must_fail('walsender out of memory', qr/ERROR:  out of memory/, sub {
		my ($pid) = @_;
		limit($pid, 'data', process_memory($pid, 'VmData') + 100_000);
		$publisher->safe_psql('postgres', $value);
	});
	recovered('walsender out of memory');
}

# Disks that are full, when large transactions go to files.
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub SET (streaming = off)');
write_large();
recovered('streaming switched off');
my $spill_fails = qr/could not write to data file for XID/;
must_fail('disk full', qr/$spill_fails \d+: No space left on device/, sub {
	my $writer = $publisher->background_psql('postgres');
	my ($xid, $position) = split /\|/, $writer->query_safe(
		q{BEGIN; SELECT pg_current_xact_id(), pg_current_wal_insert_lsn() - '0/0'});
	my $size = $publisher->safe_psql('postgres',
		q{SELECT setting FROM pg_settings WHERE name = 'wal_segment_size'});
	# The transaction may go on in the next segment of the WAL.
	foreach my $i (0, 1)
	{
		my $start = $size * ($i + int($position / $size));
		my $link = sprintf '%s/pg_replslot/sub/xid-%u-lsn-%X-%X.spill',
		  $publisher->data_dir, $xid, $start >> 32, $start & 0xffffffff;
		# The walsender's next start removes it.
		symlink '/dev/full', $link or die "cannot make $link: $!";
	}
	$writer->query_safe(rows(3000) . 'COMMIT;');
	$writer->quit;
});
recovered('disk full');
must_fail('spill file too large', $spill_fails, sub {
	limit($_[0], 'fsize', 100_000);
	write_large();
});
recovered('spill file too large');

# An SQL session whose call fails; the next one in it must be right.
{
	$publisher->safe_psql('postgres', qq{
		SELECT pg_create_logical_replication_slot('core', 'pgoutput');
		SELECT pg_copy_logical_replication_slot('core', 'sql', false, '$plugin');});
	$publisher->safe_psql('postgres', large() . $value);
	my $peek = q{SELECT count(*), md5(string_agg(concat_ws(' ', lsn, xid, encode(data, 'hex')), ',' ORDER BY ordinality))
		FROM pg_logical_slot_peek_binary_changes('SLOT', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')
		WITH ORDINALITY};
	my $expected = $publisher->safe_psql('postgres', $peek =~ s/SLOT/core/r);
	my $session = $publisher->background_psql('postgres', on_error_stop => 0);
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	foreach my $case (
		([ 'data', process_memory($pid, 'VmData') + 1_000_000, qr/out of memory/ ]) x $survives,
		[ 'fsize', 100_000, qr/could not write/ ])
	{
		my ($which, $size, $error) = @$case;
		limit($pid, $which, $size);
		$session->query($peek =~ s/SLOT/sql/r);
		like($session->{stderr}, $error, "session: limit of $which");
		$session->{stderr} = '';
		limit($pid, $which, 'unlimited');
		is($session->query_safe($peek =~ s/SLOT/sql/r), $expected, "session: right bytes after it");
	}
	$session->quit;
	$publisher->safe_psql('postgres', q{SELECT pg_drop_replication_slot(unnest(ARRAY['core', 'sql']))});
	recovered('session');
}

# A slot that is dropped while it is read.
{
	plan_failure('nothing', 50_000);
	write_large();
	wait_failed('a stream is on its way');
	walsender_pid($publisher, 'sub');
	my (undef, undef, $stderr) = $publisher->psql('postgres', q{SELECT pg_drop_replication_slot('sub')});
	like($stderr, qr/replication slot "sub" is active for PID/, 'a slot that is read is not dropped');
	my $dropper = IPC::Run::start(
		[ 'psql', '-X', '-c', 'DROP_REPLICATION_SLOT sub WAIT', $publisher->connstr('postgres') . ' replication=database' ],
		'>' => \my $out, '2>' => \my $err, IPC::Run::timeout($timeout));
	ok(wait_until($publisher, q{
		SELECT count(pg_terminate_backend(active_pid)) = 0 AND count(*) = 0
		FROM pg_replication_slots WHERE slot_name = 'sub'}),
		'who waits for the slot drops it');
	$dropper->finish;
	unsubscribe();
	subscribe('true', streaming => $streaming);
	recovered('slot dropped');
}

# A slot that falls too far behind while its reader waits.
{
	plan_failure('stall', 50_000, 60);
	write_large();
	wait_failed('the subscriber stalls');
	set_conf($publisher, max_slot_wal_keep_size => q{'1MB'}, wal_sender_timeout => 0);
	$publisher->safe_psql('postgres', q{
		SELECT pg_logical_emit_message(false, 'faults', 'next');
		SELECT pg_switch_wal();}) for 1 .. 3;
	$publisher->safe_psql('postgres', 'CHECKPOINT');
	resume();
	ok(wait_until($publisher, q{SELECT wal_status = 'lost' FROM pg_replication_slots WHERE slot_name = 'sub'}),
		'the slot is lost');
	set_conf($publisher, max_slot_wal_keep_size => undef, wal_sender_timeout => undef);
	unsubscribe();
	$publisher->safe_psql('postgres', q{SELECT pg_drop_replication_slot('sub')});
	subscribe('true', streaming => $streaming);
	write_large();
	recovered('slot lost');
}

$proxy->kill_kill;
foreach my $node ($publisher, $subscriber)
{
	my $log = slurp_file($node->logfile);
	my @signals = grep { $_ != 9 } $log =~ /was terminated by signal (\d+)/g;
	is("@signals", '', $node->name . ': no process has died but those that were killed');
	unlike($log, qr/PANIC|TRAP:/, $node->name . ': no panic');
}

done_testing();
