# Either side goes away in the middle of a streamed transaction: nothing is
# lost, nothing comes twice.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher', "restart_after_crash = on\n");
my $subscriber = new_subscriber('subscriber');

$_->safe_psql('postgres', 'CREATE TABLE t (id int PRIMARY KEY, body text)')
  for $publisher, $subscriber;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE t');

# Opens a transaction on the publisher, and waits until a block of it has
# reached the subscriber.
sub begin_streamed
{
	my ($first) = @_;

	my $log = -s $subscriber->logfile;
	my $writer = $publisher->background_psql('postgres', on_error_stop => 0);
	my $last = $first + 1999;
	$writer->query_safe(qq{
		BEGIN;
		INSERT INTO t SELECT i, repeat('x', 100)
		FROM generate_series($first, $last) i;});
	$subscriber->wait_for_log(
		qr/changes in the streaming chunk|for streamed changes/, $log);
	return $writer;
}

sub finish
{
	my ($writer) = @_;

	$writer->query_safe(q{
		UPDATE t SET body = 'end' WHERE id % 10 = 0;
		COMMIT;});
	$writer->quit;
	return;
}

sub row_count_is
{
	my ($count, $what) = @_;

	is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM t'),
		$count, $what);
	return;
}

foreach my $route (routes())
{
	my $streaming = server_major() < 16 ? 'on' : 'parallel';
	$_->safe_psql('postgres', 'TRUNCATE t') for $publisher, $subscriber;
	create_subscription($publisher, $subscriber,
		route => $route,
		options => { streaming => $streaming });

	# The subscriber stops at once; the transaction ends after its return.
	my $writer = begin_streamed(1);
	$subscriber->stop('immediate');
	$subscriber->start;
	finish($writer);
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(2000, "$route: subscriber restarted in the middle");

	# ... or while it is away.
	$writer = begin_streamed(10001);
	$subscriber->stop('immediate');
	finish($writer);
	$subscriber->start;
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(4000, "$route: subscriber away at the commit");

	# The walsender is asked to end; the next one starts the stream again.
	$writer = begin_streamed(20001);
	my $pid = walsender_pid($publisher, 'sub');
	$publisher->safe_psql('postgres', "SELECT pg_terminate_backend($pid)");
	finish($writer);
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(6000, "$route: walsender terminated in the middle");
	isnt(walsender_pid($publisher, 'sub'), $pid, "$route: it is a new one");

	# The publisher stops at once: the open transaction is gone.
	$writer = begin_streamed(30001);
	$publisher->stop('immediate');
	$writer->{run}->finish;
	$publisher->start;
	$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (-1, 'after')});
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(6001, "$route: publisher restarted in the middle");

	# The walsender is killed the hard way, which restarts the publisher.
	$writer = begin_streamed(40001);
	my $log = -s $publisher->logfile;
	kill 'KILL', walsender_pid($publisher, 'sub');
	$writer->{run}->finish;
	$publisher->wait_for_log(
		qr/all server processes terminated; reinitializing.*database system is ready to accept connections/s,
		$log);
	$publisher->safe_psql('postgres', q{
		INSERT INTO t SELECT i, 'once more' FROM generate_series(40001, 42000) i});
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(8001, "$route: walsender killed in the middle");

	# Both stop with a committed transaction on its way.
	$subscriber->stop('immediate');
	$publisher->safe_psql('postgres', q{
		INSERT INTO t SELECT i, 'while away' FROM generate_series(50001, 52000) i});
	$publisher->stop('immediate');
	$_->start for $publisher, $subscriber;
	same_tables($publisher, $subscriber, 'sub', 't');
	row_count_is(10001, "$route: both restarted");

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
}

done_testing();
