# A peek of a million messages takes no more memory than one of a few, as rows
# and by transaction.  How fast it is, beside the server's own peek, is told.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

use Time::HiRes qw(time);

# What the tenfold may take more, in bytes.  20 bytes kept for each message
# would be twice as much.
my $limit = 10 * 1024 * 1024;

my $plugin = plugin();
my $node = new_publisher('node', q{
	logical_decoding_work_mem = 4MB
	max_wal_size = 2GB
	fsync = off});

$node->safe_psql('postgres', qq{
	CREATE EXTENSION stream_pgoutput;
	CREATE TABLE t (id int PRIMARY KEY, a text, b int, c numeric);
	CREATE PUBLICATION pub FOR TABLE t;
	CREATE PROCEDURE transactions(n int) LANGUAGE plpgsql AS \$\$
	BEGIN
	  FOR i IN 1 .. n LOOP
	    INSERT INTO t VALUES (-i, 'row', i, i / 8.0);
	    COMMIT;
	  END LOOP;
	END \$\$;
	SELECT pg_create_logical_replication_slot('rows', '$plugin');
	INSERT INTO t SELECT g, 'row number ' || g, g * 7, g / 8.0 FROM generate_series(1, 100000) g;
	INSERT INTO t SELECT g, 'row number ' || g, g * 7, g / 8.0 FROM generate_series(100001, 1000000) g;
	SELECT pg_create_logical_replication_slot('transactions', '$plugin');
	CALL transactions(30000);});

# Runs a query in a new backend, first with a tenth of the messages, then with
# all, and compares its sizes.  Returns the time of the latter.
sub check_flat
{
	my ($what, $few, $all, $expected) = @_;
	my $backend = $node->background_psql('postgres');
	my $pid = $backend->query_safe('SELECT pg_backend_pid()');

	$backend->query_safe($few);
	my $before = process_memory($pid, 'VmPeak');
	my $start = time;
	my $count = $backend->query_safe($all);
	my $seconds = time - $start;
	my $growth = process_memory($pid, 'VmPeak') - $before;
	$backend->quit;

	is($count, $expected, "$what: all of it came");
	cmp_ok($growth, '<', $limit, "$what: memory is flat");
	note sprintf '%s: %.2f s, %d kB at most, %d kB more than with a tenth',
	  $what, $seconds, ($before + $growth) / 1024, $growth / 1024;
	return $seconds;
}

# BEGIN, RELATION, rows, COMMIT, twice: the second time without RELATION.
my $messages = 1000000 + 5;
my $raw = q{FROM pg_logical_slot_peek_binary_changes('rows', NULL, %s,
	'proto_version', '1', 'publication_names', 'pub')};
my $seconds = check_flat('peek of the server',
	sprintf("SELECT count(*) $raw", 100000),
	sprintf("SELECT count(*) $raw", 1000000), $messages);
my $peek = check_flat('stream_pgoutput_peek',
	q{SELECT count(*) FROM stream_pgoutput_peek('rows', '{pub}', upto_nmessages => 100000)},
	q{SELECT count(*) FROM stream_pgoutput_peek('rows', '{pub}', upto_nmessages => 1000005)},
	$messages);
diag sprintf '%d messages: peek of the server %.2f s, stream_pgoutput_peek %.2f s, that is %.0f %% of its speed',
  $messages, $seconds, $peek, 100 * $seconds / $peek;
check_flat('stream_pgoutput_peek_summary',
	q{SELECT count(*) FROM stream_pgoutput_peek_summary('rows', '{pub}', upto_nmessages => 100000)},
	q{SELECT sum(messages) FROM stream_pgoutput_peek_summary('rows', '{pub}', upto_nmessages => 1000005)},
	$messages);
check_flat('stream_pgoutput_peek_summary of small transactions',
	q{SELECT count(*) FROM stream_pgoutput_peek_summary('transactions', '{pub}', upto_nmessages => 9000)},
	q{SELECT count(*) FROM stream_pgoutput_peek_summary('transactions', '{pub}')},
	30000);

$node->stop;
done_testing();
