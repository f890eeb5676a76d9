# Messages that wait for each other in the walsender's send buffer: nothing is
# held back when a transaction is over, a client that does not read is waited
# for without the buffer growing, and timeouts, cancel, terminate, shutdown and
# synchronous replication work in the middle of a large transaction.

use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);
use StreamPgoutput;

my $timeout = $PostgreSQL::Test::Utils::timeout_default;
my $publisher = new_publisher('publisher',
	"logical_decoding_work_mem = 256MB\nmax_wal_size = 4GB\n");

$publisher->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;});

sub file_grows_to
{
	my ($file, $size) = @_;
	my $end = time() + $timeout;
	sleep 0.02 while (-s $file // 0) < $size && time() < $end;
	return (-s $file // 0) >= $size;
}

sub commits_in
{
	my ($client) = @_;
	return 0 unless -e $client->{file};
	return scalar(() = slurp_file($client->{file}) =~ /(?<=\n)C\0.{24}\n/gs);
}

sub inserts_in
{
	my ($client) = @_;
	return scalar(() = slurp_file($client->{file}) =~ /N\0\x02t/g);
}

# A COMMIT arrives though it fills no buffer, and nothing follows it.
foreach my $flush_size ('64MB', '64kB', '0')
{
	my $slot = new_slot($publisher, "commit_\L$flush_size");
	my $client = start_reader($publisher, $slot,
		settings => { 'stream_pgoutput.flush_size' => $flush_size });
	walsender_pid($publisher, $slot);
	foreach my $i (1 .. 5)
	{
		$publisher->safe_psql('postgres',
			"INSERT INTO t SELECT coalesce(max(id), 0) + 1, 'row' FROM t");
		my $end = time() + $timeout;
		sleep 0.02 while commits_in($client) < $i && time() < $end;
		is(commits_in($client), $i, "flush_size $flush_size: transaction $i arrives whole");
	}
	stop_reader($publisher, $client);
}

# A large transaction: about 100 MB on the wire.
my $large = 100_000;
my $slow = new_slot($publisher, 'slow');
my $core = new_slot($publisher, 'timeout');
my $ended = new_slot($publisher, 'ended');
my $down = new_slot($publisher, 'down');
$publisher->safe_psql('postgres', qq{
	TRUNCATE t;
	INSERT INTO t SELECT i, repeat('x', 1000) FROM generate_series(1, $large) i});
$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (0, 'last')});

# A client that stops reading in the middle.
{
	my $client = start_reader($publisher, $slow,
		settings => { wal_sender_timeout => 0 });
	my $pid = walsender_pid($publisher, $slow);
	ok(file_grows_to($client->{file}, 1_000_000), 'a large transaction begins to arrive');
	$client->{handle}->signal('STOP');
	sleep 1;
	my $before = process_memory($pid, 'RssAnon');
	my $lsn = "SELECT sent_lsn FROM pg_stat_replication WHERE pid = $pid";
	my $sent = $publisher->safe_psql('postgres', $lsn);
	sleep 2;
	is($publisher->safe_psql('postgres', $lsn), $sent, 'the walsender waits for a client that does not read');
	cmp_ok(process_memory($pid, 'RssAnon') - $before, '<', 4096 * 1024, 'its memory does not grow meanwhile');
	$client->{handle}->signal('CONT');
	ok(file_grows_to($client->{file}, $large * 1000), 'the client goes on');
	wait_until($publisher, q{
		SELECT confirmed_flush_lsn >= pg_current_wal_lsn() - 10000 FROM pg_replication_slots
		WHERE slot_name = '} . $slow . q{'}) or die 'the client does not get to the end';
	is(inserts_in($client), $large + 1, 'and gets every row once');
	stop_reader($publisher, $client);
}

# One that never comes back is given up after wal_sender_timeout.
{
	my $offset = -s $publisher->logfile;
	my $client = start_reader($publisher, $core,
		settings => { wal_sender_timeout => '2s' });
	my $pid = walsender_pid($publisher, $core);
	ok(file_grows_to($client->{file}, 1_000_000), 'a large transaction begins to arrive again');
	$client->{handle}->signal('STOP');
	ok(wait_until($publisher,
			"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid"),
		'a client that stopped is given up');
	like(slurp_file($publisher->logfile, $offset),
		qr/terminating walsender process due to replication timeout/, 'for the timeout');
	$client->{handle}->signal('CONT');
	stop_reader($publisher, $client);
}

# Cancel and terminate in the middle.
foreach my $call ('pg_cancel_backend', 'pg_terminate_backend')
{
	my $client = start_reader($publisher, $ended);
	my $pid = walsender_pid($publisher, $ended);
	ok(file_grows_to($client->{file}, 1_000_000), 'a large transaction begins to arrive');
	$publisher->safe_psql('postgres', "SELECT $call($pid)");
	ok(wait_until($publisher,
			"SELECT count(*) = 0 FROM pg_stat_activity WHERE pid = $pid AND state <> 'idle'"),
		"$call ends the walsender");
	stop_reader($publisher, $client);
	is($publisher->safe_psql('postgres', qq{
		SELECT count(*) FROM pg_logical_slot_peek_binary_changes('$ended', NULL, NULL,
		  'proto_version', '1', 'publication_names', 'pub')
		WHERE get_byte(data, 0) = ascii('I')}), $large + 1, 'nothing was lost');
}

# Synchronous replication waits for the rows, and not for ever.
{
	my $subscriber = new_subscriber('subscriber');
	$subscriber->safe_psql('postgres', 'CREATE TABLE t (id int PRIMARY KEY, body text)');
	create_subscription($publisher, $subscriber, route => 'slot', name => 'sync',
		options => { copy_data => 'false' });
	set_conf($publisher, synchronous_standby_names => 'sync', synchronous_commit => 'remote_apply');
	wait_until($publisher, q{SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'})
	  or die 'the subscriber is not synchronous';
	my @took;
	foreach my $i (1 .. 20)
	{
		my $start = time();
		$publisher->safe_psql('postgres', "INSERT INTO t VALUES (-$i, 'synchronous')");
		push @took, time() - $start;
		is($subscriber->safe_psql('postgres', "SELECT count(*) FROM t WHERE id = -$i"), 1,
			"row $i is there when its INSERT returns") if $i % 5 == 0;
	}
	note sprintf 'median of a synchronous INSERT: %.1f ms', 1000 * (sort { $a <=> $b } @took)[10];
	set_conf($publisher, synchronous_standby_names => undef, synchronous_commit => undef);
	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sync');
	$subscriber->stop;
}

# A fast shutdown in the middle waits for the client, as with pgoutput; what
# it does not wait for comes again.
{
	my $client = start_reader($publisher, $down);
	walsender_pid($publisher, $down);
	ok(file_grows_to($client->{file}, 1_000_000), 'a large transaction begins to arrive');
	$publisher->stop('fast');
	pass('the server shuts down in the middle of it');
	$client->{handle}->kill_kill;
	my $before = inserts_in($client);
	$publisher->start;
	$client = start_reader($publisher, $down);
	$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (-100, 'after the start')});
	my $end = time() + $timeout;
	sleep 0.1 until -e $client->{file} && slurp_file($client->{file}) =~ /after the start/ || time() > $end;
	my $after = inserts_in($client) - 1;
	ok($before >= $large || $after >= $large,
		"after its start the client has every row: $before before, $after again");
	stop_reader($publisher, $client);
}

done_testing();
