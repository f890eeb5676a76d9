# A standby as publisher: SQL functions and statistics there, slots that a
# conflict with recovery takes, and clients that go on reading while it is
# promoted.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => '15 cannot decode on a standby' if server_major() < 16;

my $has_named_memory = server_major() >= 17;
my $primary = new_publisher('primary');
$primary->safe_psql('postgres', q{
	CREATE EXTENSION stream_pgoutput;
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE TABLE root (id int PRIMARY KEY, body text) PARTITION BY RANGE (id);
	CREATE TABLE leaf (body text, id int PRIMARY KEY);
	ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (100);
	CREATE TABLE not_sent (id int);
	CREATE PUBLICATION pub FOR TABLE t WHERE (id > 0), root (id)
	  WITH (publish_via_partition_root = true);});
my $standby = new_standby($primary, 'standby');

# What a slot would send, by the types of messages.
sub messages
{
	my ($slot) = @_;
	return $standby->safe_psql('postgres', qq{
		SELECT string_agg(message, ' ') FROM stream_pgoutput_peek('$slot', '{pub}')});
}

# The error of a read on the standby, with its SQLSTATE.
sub read_error
{
	my ($slot) = @_;
	my ($code, $out, $error) = $standby->psql('postgres', qq{
		\\set VERBOSITY verbose
		SELECT count(*) FROM pg_logical_slot_get_binary_changes('$slot', NULL, NULL,
			'proto_version', '1', 'publication_names', 'pub')});
	my ($text) = $error =~ /ERROR:  (\w{5}: .*)/;
	return ($text // "none: $out") =~ s/"$slot"/"SLOT"/gr;
}

# The line of a slot in the view for terminals.
sub top_line
{
	my ($slot) = @_;
	my ($out, $error) = run_command([ "$FindBin::RealBin/../tools/stream_top", '-n', '1', '-i', '0.1',
			'-h', $standby->host, '-p', $standby->port, '-d', 'postgres' ]);
	return $error || ($out =~ /^(\Q$slot\E +postgres .*)/m)[0];
}

# A slot of ours and one of pgoutput that stand at the same place.
sub new_pair
{
	my ($ours, $theirs) = @_;

	new_slot_on_standby($primary, $standby, $ours);
	$standby->safe_psql('postgres',
		"SELECT pg_copy_logical_replication_slot('$ours', '$theirs', false, 'pgoutput')");
	return;
}

# ---------------------------------------------------------------------------
# What the extension shows there
# ---------------------------------------------------------------------------

new_pair('slot', 'core');
$primary->safe_psql('postgres', q{
	INSERT INTO t VALUES (1, 'one'), (-1, 'held'); INSERT INTO root VALUES (2, 'two');
	INSERT INTO not_sent VALUES (3)});
wait_replayed($primary, $standby);

foreach my $call (q{stream_pgoutput_explain('{pub}', 't')},
	q{stream_pgoutput_explain('{pub}', 'leaf')}, q{stream_pgoutput_coverage('{pub}')})
{
	is($standby->safe_psql('postgres', "SELECT * FROM $call"),
		$primary->safe_psql('postgres', "SELECT * FROM $call"),
		"$call says the same on both");
}
is(messages('slot'), 'BEGIN RELATION INSERT COMMIT BEGIN RELATION RELATION INSERT COMMIT', 'peek');
is( $standby->safe_psql('postgres', q{
		SELECT count(*) FROM pg_copy_logical_replication_slot('slot', 'look', true);
		SELECT string_agg(rows::text, ' ') FROM stream_pgoutput_peek_summary('look', '{pub}')}),
	qq(1\n{"public.t": {"insert": 1}} {"public.root": {"insert": 1}}), 'a summary, of a copy');

like(top_line('slot'), qr/^slot +postgres +(not read|idle) /, 'stream_top');

SKIP:
{
	skip '16 has no memory for statistics unless it is preloaded', 3 unless $has_named_memory;
	$standby->safe_psql('postgres', 'SELECT stream_pgoutput_stat_reset()');
	is( $standby->safe_psql('postgres', q{
			SELECT count(*) FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL,
				'proto_version', '1', 'publication_names', 'pub');
			SELECT status, commits, inserts, held_filter, held_unpublished
			FROM pg_stat_stream_pgoutput WHERE slot_name = 'slot'}),
		"9\ncounted|2|2|1|1", 'a read is counted');
	is( $standby->safe_psql('postgres', q{
			SELECT relname, inserts, held_back FROM pg_stat_stream_pgoutput_tables
			WHERE slot_name = 'slot' ORDER BY relname}),
		"not_sent|0|1\nroot|1|0\nt|1|1", '... by table');
	is($primary->safe_psql('postgres', 'SELECT count(*) FROM pg_stat_stream_pgoutput'),
		0, 'the primary knows nothing of it');
}

# ---------------------------------------------------------------------------
# Conflicts with recovery
# ---------------------------------------------------------------------------

# Rows of catalogs that the primary no longer keeps, under a reader.
my $reader = start_reader($standby, 'slot');
walsender_pid($standby, 'slot');
set_conf($standby, hot_standby_feedback => 'off');
$primary->poll_query_until('postgres',
	q{SELECT catalog_xmin IS NULL FROM pg_replication_slots WHERE slot_name = 'standby'})
  or die 'the primary still keeps catalog rows';
$primary->safe_psql('postgres', $_)
  foreach 'CREATE TABLE gone (id int)', 'DROP TABLE gone', 'VACUUM pg_class, pg_attribute';
wait_replayed($primary, $standby);
poll_ok($standby,
	q{SELECT bool_and(conflicting) AND bool_and(NOT active) FROM pg_replication_slots WHERE slot_name IN ('slot', 'core')},
	'both slots are lost in a conflict');
$reader->{handle}->finish;
like(${ $reader->{err} }, qr/canceling statement due to conflict with recovery|terminating connection due to conflict with recovery/,
	'the reader is told why');
like(read_error('slot'), qr/^55000: can no longer (access|get changes from) replication slot "SLOT"/,
	'... and so is the next one');
is(read_error('slot'), read_error('core'), '... as with pgoutput');
like(top_line('slot'), qr/^slot +postgres +lost /, '... which stream_top says');
if ($has_named_memory)
{
	is($standby->safe_psql('postgres',
			q{SELECT status, commits FROM pg_stat_stream_pgoutput WHERE slot_name = 'slot'}),
		'counted|2', 'what was counted of a lost slot is still shown');
}
$standby->safe_psql('postgres', q{SELECT pg_drop_replication_slot(s) FROM unnest('{slot,core}'::name[]) s});

# A primary that no longer logs what decoding needs.
set_conf($standby, hot_standby_feedback => 'on');
new_pair('slot', 'core');
if ($has_named_memory)
{
	is($standby->safe_psql('postgres',
			q{SELECT status, commits FROM pg_stat_stream_pgoutput WHERE slot_name = 'slot'}),
		'not read since the server started|', 'a slot of the same name has no counters');
}
set_conf($primary, wal_level => 'replica');
$primary->restart;
poll_ok($standby, q{SELECT bool_and(conflicting) FROM pg_replication_slots WHERE slot_name IN ('slot', 'core')},
	'both slots are lost to a lower wal_level');
like(read_error('slot'), qr/^55000: logical decoding on standby requires "?wal_level"? >= "?logical"? on the primary/,
	'... which the error says');
is(read_error('slot'), read_error('core'), '... as with pgoutput');
set_conf($primary, wal_level => undef);
$primary->restart;
wait_replayed($primary, $standby);
like(read_error('slot'), qr/^55000: can no longer (access|get changes from) replication slot "SLOT"/,
	'they stay lost when it is logical again');
is(read_error('slot'), read_error('core'), '... as with pgoutput');
$standby->safe_psql('postgres', q{SELECT pg_drop_replication_slot(s) FROM unnest('{slot,core}'::name[]) s});

# ---------------------------------------------------------------------------
# Promotion
# ---------------------------------------------------------------------------

my $streaming = { proto_version => 4, streaming => 'parallel' };
new_pair('slot', 'core');
my %reader = map { $_ => start_reader($standby, $_, options => $streaming) } 'slot', 'core';
my %pid = map { $_ => walsender_pid($standby, $_) } 'slot', 'core';

# One transaction is there as a whole, of another one blocks that have been
# sent, but never an end: it goes down with the primary.
my $writer = $primary->background_psql('postgres');
$writer->query_safe(q{BEGIN; INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(1000, 3000) g});
$primary->safe_psql('postgres', q{
	INSERT INTO t SELECT g, repeat('y', 100) FROM generate_series(10000, 12000) g});
wait_until($standby, qq{SELECT count(*) = 2 AND bool_and(stream_txns >= 2)
	FROM pg_stat_replication_slots WHERE slot_name IN ('slot', 'core')})
  or die 'nothing was streamed';
wait_replayed($primary, $standby);
$primary->stop('immediate');
$writer->{run}->finish;

$standby->promote;
$standby->safe_psql('postgres', q{INSERT INTO t VALUES (20000, 'promoted')});
$standby->safe_psql('postgres', q{SELECT pg_log_standby_snapshot()});
$standby->safe_psql('postgres', q{INSERT INTO root VALUES (50, 'promoted')});
my $end = $standby->safe_psql('postgres', 'SELECT pg_current_wal_flush_lsn()');
poll_ok($standby, qq{SELECT count(*) = 2 FROM pg_stat_replication WHERE flush_lsn >= '$end'},
	'both readers go on behind the promotion');
is(walsender_pid($standby, $_), $pid{$_}, "the walsender of \"$_\" is still the same") foreach sort keys %pid;
stop_reader($standby, $reader{$_}) foreach sort keys %reader;
my %file = map { $_ => slurp_file($reader{$_}{file}) } sort keys %reader;
cmp_ok(length $file{core}, '>', 400_000, 'much was sent');
ok($file{slot} eq $file{core}, 'the same bytes as of pgoutput');
like($file{core}, qr/20000.*promoted/s, '... up to the last row');

SKIP:
{
	skip '16 has no memory for statistics unless it is preloaded', 1 unless $has_named_memory;
	is( $standby->safe_psql('postgres', q{
			SELECT status, stream_commits, stream_aborts, commits, inserts > 2003
			FROM pg_stat_stream_pgoutput WHERE slot_name = 'slot'}),
		'counted|1|1|2|t', 'counted before and after, with the transaction that was lost');
}

$standby->stop;
done_testing();
