# Failover slots: a standby keeps copies of the slots, the primary ends, and
# core's subscribers go on with the promoted standby, one with a slot of our
# name and one with a slot of its own, through the drop-in.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'failover slots came with 17' if server_major() < 17;

my $plugin = plugin();
my %option = (sub => 'create_slot = false, ', dropped_in => '');

# A walsender sends nothing that the standby does not have.
my $primary = new_publisher('primary',
	"synchronized_standby_slots = 'standby'\n"
	  . ($plugin eq 'pgoutput' ? ''
		: "dynamic_library_path = '\$libdir/stream_pgoutput:\$libdir'\n"));
my $standby = new_standby($primary, 'standby',
	"sync_replication_slots = on\nsynchronized_standby_slots = ''\n");
my $subscriber = new_subscriber('subscriber');

$primary->safe_psql('postgres', 'CREATE EXTENSION stream_pgoutput');

# The standby has read a slot of its own, whose name and place come free.
new_slot_on_standby($primary, $standby, 'sub');
$standby->safe_psql('postgres', q{SELECT * FROM stream_pgoutput_peek('sub', '{}')});
is(statistics('sub', 'status'), 'counted', 'a slot of the standby is counted');
$standby->safe_psql('postgres', q{SELECT pg_drop_replication_slot('sub')});

$primary->safe_psql('postgres',
	"SELECT pg_create_logical_replication_slot('sub', '$plugin', false, false, true)");
my $connstr = $primary->connstr . ' dbname=postgres';
foreach my $sub (sort keys %option)
{
	$_->safe_psql('postgres', "CREATE TABLE ${sub}_t (id int PRIMARY KEY, body text)")
	  foreach $primary, $subscriber;
	$primary->safe_psql('postgres', "CREATE PUBLICATION $sub FOR TABLE ${sub}_t");
	$subscriber->safe_psql('postgres', qq{
		CREATE SUBSCRIPTION $sub CONNECTION '$connstr' PUBLICATION $sub
		WITH ($option{$sub}failover = true, streaming = parallel)});
	wait_ready($primary, $subscriber, $sub);
}

# Of the standby.
sub statistics
{
	my ($sub, $columns) = @_;
	return $standby->safe_psql('postgres',
		"SELECT $columns FROM pg_stat_stream_pgoutput WHERE slot_name = '$sub'");
}

# Rows on the server given, in the table of each subscription.
sub insert_rows
{
	my ($node, $first, $last, $body) = @_;

	$node->safe_psql('postgres', qq{
		INSERT INTO ${_}_t SELECT g, $body FROM generate_series($first, $last) g})
	  foreach sort keys %option;
	return;
}
insert_rows($primary, 1, 100, q{'early'});

# The standby's copies.
$primary->safe_psql('postgres', 'SELECT pg_log_standby_snapshot()');
poll_ok($standby, q{SELECT count(*) = 2 AND bool_and(synced AND NOT temporary AND failover)
	FROM pg_replication_slots WHERE slot_name IN ('sub', 'dropped_in')},
	'the slots are on the standby');
is($standby->safe_psql('postgres', q{SELECT plugin FROM pg_replication_slots ORDER BY slot_name}),
	"pgoutput\n$plugin", '... with their plugins');
is(statistics('sub', 'status, inserts'), 'not read since the server started|', '... where nobody has read them');
# The worker that brings the slots may have this one at hand.
my $error;
foreach (1 .. 100)
{
	(undef, undef, $error) = $standby->psql('postgres', q{SELECT * FROM stream_pgoutput_peek('sub', '{sub}')});
	last if $error !~ /is active for PID/;
}
like($error, qr/ERROR:  cannot use replication slot "sub" for logical decoding/,
	'... and nobody can');

# The primary ends with one transaction streamed halfway and others on their
# way.
my $writer = $primary->background_psql('postgres');
$writer->query_safe(q{BEGIN; INSERT INTO sub_t SELECT g, repeat('x', 100) FROM generate_series(1001, 3000) g});
poll_ok($primary, q{SELECT stream_count > 0 FROM pg_stat_replication_slots WHERE slot_name = 'sub'},
	'a transaction is streamed');
insert_rows($primary, $_ * 10000, $_ * 10000 + 1500, "'lot $_'") foreach 1 .. 5;
$primary->stop('immediate');
$writer->{run}->finish;

$standby->promote;
is(statistics('sub', 'status'), 'not read since the server started', 'after promotion they still were not read');
$connstr = $standby->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres', "ALTER SUBSCRIPTION $_ CONNECTION '$connstr'")
  foreach sort keys %option;
$standby->safe_psql('postgres', "UPDATE ${_}_t SET body = 'late' WHERE id <= 10")
  foreach sort keys %option;
insert_rows($standby, 100001, 102000, q{repeat('z', 100)});

foreach my $sub (sort keys %option)
{
	same_tables($standby, $subscriber, $sub, "${sub}_t");
	is(walsender_library($standby, $sub), "$plugin.so", "$sub: the walsender runs the library under test");
	is($subscriber->safe_psql('postgres', "SELECT count(*) FROM ${sub}_t WHERE body = 'late' OR body LIKE 'z%'"),
		2010, "$sub: with what the new primary has written");
	is(statistics($sub, 'status, updates, inserts >= 2000, stream_commits >= 1'), 'counted|10|t|t',
		"$sub: it is counted from now on");
}

$standby->stop;
$subscriber->stop;
done_testing();
