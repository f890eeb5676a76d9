# A long transaction that sends nothing must not look like a dead connection:
# both ends drop it after two seconds of silence, and it takes longer than that
# to decode.  Before 16 it is the plugin that has to give signs of life.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

use IPC::Run;
use Time::HiRes qw(time);

my $timeout = '2s';
my $publisher = new_publisher('publisher', "wal_sender_timeout = $timeout\n");
my $subscriber =
  new_subscriber('subscriber', "wal_receiver_timeout = $timeout\n");

# The row filter costs much more than a row does.
$publisher->safe_psql('postgres', q{
	CREATE TABLE filtered (id int PRIMARY KEY, body text);
	CREATE TABLE unpublished (id int);
	CREATE SEQUENCE ids;
	CREATE PUBLICATION pub FOR TABLE filtered
	  WHERE (length(repeat(body, 20000)) = id) WITH (publish = 'insert');
	INSERT INTO filtered VALUES (20000, 'x');});
$subscriber->safe_psql('postgres',
	'CREATE TABLE filtered (id int PRIMARY KEY, body text)');
create_subscription($publisher, $subscriber, route => 'slot');

# A client of the other kind beside it.
my $plugin = plugin();
$publisher->safe_psql('postgres',
	"SELECT pg_create_logical_replication_slot('recv', '$plugin')");
my ($received, $complaint) = ('', '');
my $client = IPC::Run::start(
	[
		'pg_recvlogical', '--start', '--no-loop',
		'--dbname' => $publisher->connstr('postgres'),
		'--slot' => 'recv',
		'--file' => '-',
		'--status-interval' => 1,
		'--option' => 'proto_version=1',
		'--option' => 'publication_names=pub'
	],
	'>' => \$received,
	'2>' => \$complaint);
my @slots = qw(sub recv);
my %pid = map { $_ => walsender_pid($publisher, $_) } @slots;
my %log = map { $_ => -s $_->logfile } $publisher, $subscriber;

# Waits until both slots have confirmed all there is.  Returns the seconds it
# took.
sub wait_confirmed
{
	my ($what) = @_;

	my $start = time;
	my $lsn = $publisher->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	poll_ok($publisher,
		"SELECT count(*) = 2 FROM pg_replication_slots "
		  . "WHERE slot_name IN ('sub', 'recv') AND confirmed_flush_lsn >= '$lsn'",
		"$what: confirmed_flush_lsn moved on");
	return time - $start;
}

# What a transaction of a given size does; nothing of it is sent.
my %silent = (
	'unpublished rows' => [
		500_000,
		sub {
			"INSERT INTO unpublished SELECT generate_series(1, $_[0]);"
		}
	],
	'rows cut by the filter' => [
		4_000,
		sub {
			"INSERT INTO filtered SELECT -nextval('ids'), 'filtered' "
			  . "FROM generate_series(1, $_[0]);"
		}
	],
	'truncates and messages' => [
		4_000,
		sub {
			"DO \$do\$ BEGIN CREATE TABLE scratch (a int); FOR i IN 1 .. $_[0] LOOP "
			  . 'TRUNCATE scratch; '
			  . q{PERFORM pg_logical_emit_message(true, 'prefix', 'x') FROM generate_series(1, 20); }
			  . 'END LOOP; DROP TABLE scratch; END $do$;'
		}
	]);

wait_confirmed('start');
foreach my $case (sort keys %silent)
{
	my ($size, $statements) = @{ $silent{$case} };

	# On a fast machine a bigger one is needed to take long enough.
	while (1)
	{
		$publisher->safe_psql('postgres',
			'BEGIN;' . $statements->($size) . 'COMMIT;');
		my $seconds = wait_confirmed($case);
		note sprintf('%s: size %d took %.1f s to decode', $case, $size, $seconds);
		last if $seconds > 5;
		$size *= 2;
	}
	foreach my $slot (@slots)
	{
		is(walsender_pid($publisher, $slot),
			$pid{$slot}, "$case: the connection of slot $slot stayed up");
	}
}
ok(!$publisher->log_contains(qr/replication timeout/, $log{$publisher}),
	'no time-out at the publisher');
ok(!$subscriber->log_contains(qr/due to timeout|ERROR/, $log{$subscriber}),
	'no time-out at the subscriber');

# The link still works.
$publisher->safe_psql('postgres', q{
	INSERT INTO filtered VALUES (40000, 'xy'), (50000, 'not this')});
same_tables($publisher, $subscriber, 'sub',
	[ '(SELECT * FROM filtered WHERE id IN (20000, 40000))', 'filtered' ]);
wait_confirmed('end');
ok($client->pumpable, 'pg_recvlogical still runs');
$client->pump until $received =~ /C.*\n/s || !$client->pumpable;
like($received, qr/filtered.*40000.*xy/s, 'and has received the row');
unlike($received, qr/not this/, 'but not the one cut by the filter');
is($complaint, '', 'without a complaint');
$client->kill_kill;

done_testing();
