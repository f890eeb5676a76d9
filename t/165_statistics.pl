# The statistics of walsenders: streamed, prepared and rolled-back
# transactions, messages that shared a flush, several slots at once, resets and
# restarts, and who may look.

use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $plugin = plugin();
my $has_named_memory = server_major() >= 17;
my $preload = "shared_preload_libraries = 'stream_pgoutput'\n";

# Up to 16 without preloading: the view says so, and decoding goes on.
my $publisher = new_publisher('publisher');
$publisher->safe_psql('postgres', q{
	CREATE EXTENSION stream_pgoutput;
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE TABLE u (id int PRIMARY KEY);
	CREATE PUBLICATION pub FOR TABLE t;
	CREATE PUBLICATION two FOR TABLE t, u;});
new_slot($publisher, 'early');

sub view
{
	my ($columns, $slot) = @_;
	return $publisher->safe_psql('postgres',
		"SELECT $columns FROM pg_stat_stream_pgoutput WHERE slot_name = '$slot'");
}

# Waits for a condition on the view's row of a slot.
sub view_ok
{
	my ($condition, $slot, $what) = @_;
	poll_ok($publisher,
		"SELECT $condition FROM pg_stat_stream_pgoutput WHERE slot_name = '$slot'", $what)
	  or diag($publisher->safe_psql('postgres',
			"\\x\nSELECT * FROM pg_stat_stream_pgoutput WHERE slot_name = '$slot'"));
	return;
}

is( $publisher->safe_psql('postgres', q{
		INSERT INTO t VALUES (1, 'row');
		SELECT count(*) FROM pg_logical_slot_get_binary_changes('early', NULL, NULL,
			'proto_version', '1', 'publication_names', 'pub')}),
	4, 'a slot is read, with or without memory for statistics');
is( view('status, inserts', 'early'),
	$has_named_memory ? 'counted|1'
	: 'not counted: stream_pgoutput is not in shared_preload_libraries|',
	'the view says whether it was counted');
is($publisher->safe_psql('postgres', 'SELECT stream_pgoutput_stat_available()'),
	$has_named_memory ? 't' : 'f', '... and whether it can be');
is($publisher->safe_psql('postgres', 'SELECT count(*) FROM pg_stat_stream_pgoutput_tables'),
	$has_named_memory ? 1 : 0, '... as does the one of tables');

# From here on preloaded: the same on every version.
$publisher->append_conf('postgresql.conf', $preload);
$publisher->restart;
is(view('status, inserts, stats_reset', 'early'), 'not read since the server started||',
	'after a restart the counters are unknown');

# Messages of a large transaction share flushes.
new_slot($publisher, 'large');
my $client = start_reader($publisher, 'large');
$publisher->safe_psql('postgres',
	q{INSERT INTO t SELECT g, 'row ' || g FROM generate_series(2, 20001) g});
view_ok('inserts = 20000 AND commits = 1 AND relations = 1 AND messages = 20003', 'large',
	'a large transaction is counted');
is( view('sent_bytes - encoded_bytes = messages * 30, messages_per_flush > 100, flushes > 10,
		encode_time > 0, write_time > 0, cache_hits, cache_builds, cache_entries', 'large'),
	't|t|t|t|t|19999|1|1', 'its bytes, flushes, times and look-ups');
is( $publisher->safe_psql('postgres', q{
		SELECT relname, s.inserts, encoded_bytes - bytes BETWEEN 50 AND 200
		FROM pg_stat_stream_pgoutput_tables JOIN pg_stat_stream_pgoutput s USING (slot_name)
		WHERE slot_name = 'large'}),
	't|20000|t', 'and its table');

# A reset while it is being read.
$publisher->safe_psql('postgres', q{SELECT stream_pgoutput_stat_reset('large')});
is(view('commits, inserts, messages, encode_time, last_commit_lsn', 'large'), '0|0|0||',
	'a reset under a walsender');
is($publisher->safe_psql('postgres',
	q{SELECT count(*) FROM pg_stat_stream_pgoutput_tables WHERE slot_name = 'large'}),
	0, '... of tables, too');
$publisher->safe_psql('postgres', q{DELETE FROM t WHERE id <= 3});
view_ok('deletes = 3 AND commits = 1 AND messages = 5', 'large', 'it counts on from there');
is($publisher->safe_psql('postgres', q{
		SELECT relname, deletes, inserts FROM pg_stat_stream_pgoutput_tables WHERE slot_name = 'large'}),
	't|3|0', '... tables, too');
stop_reader($publisher, $client);

# No timing: unknown, not zero.
$client = start_reader($publisher, 'early',
	settings => { 'stream_pgoutput.track_timing' => 'off' });
view_ok('inserts = 20000', 'early', 'a session without timing');
is(view('encode_time, write_time, messages > 20000', 'early'), '||t', 'has no times');
stop_reader($publisher, $client);

# Streamed transactions, rolled back in parts and whole while they are decoded.
new_slot($publisher, 'streamed');
$client = start_reader($publisher, 'streamed',
	options => { proto_version => 2, streaming => 'on' });
my $session = $publisher->background_psql('postgres');
sub run
{
	$session->query_safe($_[0]);
	return;
}
my $rows = q{INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(%d, %d) g};
run('BEGIN');
run(sprintf $rows, 30001, 32000);
view_ok('stream_blocks > 0 AND inserts > 0', 'streamed', 'blocks are counted before the transaction ends');
is(view('commits + stream_commits, last_commit_lsn', 'streamed'), '0|', '... and no transaction yet');
run('SAVEPOINT s');
run(sprintf $rows, 33001, 35000);
view_ok('inserts > 3000', 'streamed', 'a subtransaction is streamed');
run('ROLLBACK TO s');
run(sprintf $rows, 36001, 37000);
run('COMMIT');
view_ok('stream_commits = 1', 'streamed', 'a streamed commit');
is(view('stream_subxact_aborts, stream_aborts, commits', 'streamed'), '1|0|0',
	'an aborted subtransaction');
run('BEGIN');
run(sprintf $rows, 38001, 40000);
my $blocks = view('stream_blocks', 'streamed');
view_ok("inserts > 6000 AND stream_blocks > $blocks - 1", 'streamed', 'another one is streamed');
run('ROLLBACK');
view_ok('stream_aborts = 1', 'streamed', 'a streamed transaction that is rolled back');
$publisher->safe_psql('postgres', q{INSERT INTO u VALUES (1)});
view_ok('empty_txns >= 1 AND held_unpublished >= 1', 'streamed', 'a transaction of which nothing is sent');
$session->quit;
stop_reader($publisher, $client);

# Prepared transactions.
$publisher->safe_psql('postgres',
	"SELECT pg_create_logical_replication_slot('prepared', '$plugin', false, true)");
$client = start_reader($publisher, 'prepared',
	options => { proto_version => 3, two_phase => 'on', streaming => 'on' });
$publisher->safe_psql('postgres', q{
	BEGIN; INSERT INTO t VALUES (-1, 'row'); PREPARE TRANSACTION 'a'; COMMIT PREPARED 'a';
	BEGIN; INSERT INTO t VALUES (-2, 'row'); PREPARE TRANSACTION 'b'; ROLLBACK PREPARED 'b';
	BEGIN; INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(50001, 52000) g;
	PREPARE TRANSACTION 'c'; COMMIT PREPARED 'c'});
view_ok('prepares + stream_prepares = 3 AND commits_prepared = 2 AND rollbacks_prepared = 1',
	'prepared', 'prepared transactions');
is(view('stream_prepares, inserts', 'prepared'), '1|2002', '... one of them streamed');
stop_reader($publisher, $client);

# Records that an origin holds back are seen although no transaction ends.
SKIP:
{
	skip '15 has no option origin', 1 if server_major() < 16;
	new_slot($publisher, 'origins');
	$client = start_reader($publisher, 'origins',
		options => { proto_version => 4, origin => 'none' });
	$publisher->safe_psql('postgres', q{
		SELECT pg_replication_origin_create('somewhere');
		SELECT pg_replication_origin_session_setup('somewhere');
		INSERT INTO t SELECT g, 'row' FROM generate_series(60001, 60250) g});
	view_ok('held_origin BETWEEN 200 AND 251 AND inserts = 0', 'origins', 'rows held back for their origin');
	stop_reader($publisher, $client);
}

# Several walsenders at once, each with a row of its own.
my @slots = map { new_slot($publisher, "many_$_") } 1 .. 5;
my @many = map { start_reader($publisher, $_,
		options => { publication_names => $_ =~ /[13]$/ ? 'pub' : 'two' }) } @slots;
my @writers = map {
	my $n = $_;
	IPC::Run::start([
		'psql', '-X', '-q', '-d', $publisher->connstr('postgres'), '-c', qq{
			DO \$\$ BEGIN FOR i IN 1 .. 200 LOOP
				INSERT INTO t VALUES (1000000 * $n + i, 'row'); INSERT INTO u VALUES (1000000 * $n + i);
				COMMIT;
			END LOOP; END \$\$}], '<', \undef);
} 1 .. 3;
$_->finish or die 'a writer failed' foreach @writers;
foreach my $slot (@slots)
{
	my $two = $slot !~ /[13]$/;
	my $inserts = $two ? 1200 : 600;
	my $held = $two ? 0 : 600;
	view_ok("commits = 600 AND inserts = $inserts AND held_unpublished = $held", $slot,
		"$slot: exact counts beside other walsenders");
}
stop_reader($publisher, $_) foreach @many;

# A name that is used again.
$publisher->safe_psql('postgres', q{SELECT pg_drop_replication_slot('large')});
is(view('slot_name', 'large'), '', 'a dropped slot has no row');
new_slot($publisher, 'large');
is(view('status, inserts', 'large'), 'not read since the server started|',
	'its name, used again, has no counters');

# Who may look.
$publisher->safe_psql('postgres', q{
	CREATE ROLE plain LOGIN; CREATE ROLE monitor LOGIN; GRANT pg_monitor TO monitor;
	CREATE ROLE reader LOGIN REPLICATION;});
my %may = (plain => 0, monitor => 1, reader => 0, $publisher->safe_psql('postgres', 'SELECT current_user') => 1);
foreach my $role (sort keys %may)
{
	foreach my $view ('pg_stat_stream_pgoutput', 'pg_stat_stream_pgoutput_tables',
		'stream_pgoutput_stat_get_slots()', 'stream_pgoutput_stat_get_tables()')
	{
		my ($code, $out, $err) = $publisher->psql('postgres', "SELECT count(*) > 0 FROM $view",
			extra_params => [ '-U', $role ]);
		my $kind = $view =~ /\(/ ? 'function' : 'view';
		if ($may{$role})
		{
			is("$code $out $err", '0 t ', "$role may read $view");
		}
		else
		{
			like($err, qr/permission denied for $kind \w*stream_pgoutput/, "$role may not read $view");
		}
	}
}
my ($code, $out, $err) = $publisher->psql('postgres', 'SELECT stream_pgoutput_stat_reset()',
	extra_params => [ '-U', 'monitor' ]);
like($err, qr/permission denied for function stream_pgoutput_stat_reset/, 'a monitor may not reset');

# Crash: unknown again.
$publisher->stop('immediate');
$publisher->start;
is(view('status, inserts', 'many_2'), 'not read since the server started|', 'after a crash, unknown');
$publisher->stop;

done_testing();
