# No shared memory is left when statistics want some: slots are decoded all the
# same, the log and the view say so, and later sessions ask again.

use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'memory is asked for when the server starts' if server_major() < 17;
plan skip_all => 'no prlimit to run out of memory with' if system('prlimit --version >/dev/null 2>&1') != 0;

# The registry of named memory takes 1 MB, what the slots need some more.  The
# sessions below must not have to write buffers to files.
my $publisher = new_publisher('publisher', "max_replication_slots = 1000\nshared_buffers = 64MB\n");
$publisher->safe_psql('postgres', q{
	CREATE EXTENSION stream_pgoutput;
	CREATE TABLE t (id int);
	CREATE PUBLICATION pub FOR TABLE t});
new_slot($publisher, 'slot');
$publisher->safe_psql('postgres', 'INSERT INTO t VALUES (1)');

my $peek = q{SELECT count(*) FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
	'proto_version', '1', 'publication_names', 'pub')};
my $view = 'SELECT status, inserts FROM pg_stat_stream_pgoutput';
my $missing = q{not counted: no memory left, see the server's log};

# What the statements return in a session that can make no larger files, which
# is what shared memory is.
sub query_without_memory
{
	my ($largest, @statements) = @_;

	my $session = $publisher->background_psql('postgres');
	my $pid = $session->query_safe('SELECT pg_backend_pid()');
	system('prlimit', "--pid=$pid", "--fsize=$largest:unlimited") == 0 or die 'prlimit failed';
	my @results = map { $session->query_safe($_) } @statements;
	$session->quit;
	return \@results;
}

foreach my $largest (500_000, 1_200_000)
{
	$publisher->restart;
	is_deeply(
		query_without_memory($largest, $peek, $peek, $view,
			'SELECT count(*) FROM pg_stat_stream_pgoutput_tables',
			'SELECT count(stream_pgoutput_stat_reset())'),
		[ 4, 4, "$missing|", 0, 1 ],
		"files of up to $largest bytes: the slot is read, and not counted");
	is($publisher->safe_psql('postgres', $peek), 4, '... and so in the next session');
}
like(slurp_file($publisher->logfile),
	qr/LOG:  stream_pgoutput has no memory for its statistics: could not resize shared memory/,
	'the log says why');

$publisher->restart;
query_without_memory(500_000, $peek);
$publisher->safe_psql('postgres', $peek);
is($publisher->safe_psql('postgres', $view), 'counted|1', 'what is read with memory is counted');

done_testing();
