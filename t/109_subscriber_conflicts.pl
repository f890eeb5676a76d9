# The subscriber meets a conflict: it tries again and again, is sent the same
# transaction each time, and goes on once the conflict is out of the way, or
# the transaction is skipped by its end position.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

$_->safe_psql('postgres', 'CREATE TABLE t (id int PRIMARY KEY, body text)')
  for $publisher, $subscriber;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE t');

my $conflict =
  qr/duplicate key value violates unique constraint "t_pkey"|conflict=insert_exists/;

foreach my $route (routes())
{
	foreach my $streaming ('off', 'on', server_major() < 16 ? () : 'parallel')
	{
		my $case = "$route, streaming $streaming";

		$_->safe_psql('postgres', 'TRUNCATE t') for $publisher, $subscriber;
		create_subscription($publisher, $subscriber,
			route => $route,
			options => { streaming => $streaming });

		# Try, and try again; then the row in the way goes.
		$subscriber->safe_psql('postgres',
			q{INSERT INTO t VALUES (1500, 'in the way')});
		my $log = -s $subscriber->logfile;
		$publisher->safe_psql('postgres', q{
			BEGIN;
			INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1, 2000) i;
			COMMIT;});
		$subscriber->wait_for_log(qr/$conflict.*$conflict.*$conflict/s, $log);
		$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (9999, 'next')});
		is( $subscriber->safe_psql('postgres', 'SELECT * FROM t'),
			'1500|in the way', "$case: nothing of it was applied");
		$subscriber->safe_psql('postgres', 'DELETE FROM t');
		same_tables($publisher, $subscriber, 'sub', 't');
		is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM t'),
			'2001', "$case: applied once, after the conflict went");

		# Off at the first error, skipped by position, on again.
		$subscriber->safe_psql('postgres', q{
			ALTER SUBSCRIPTION sub SET (disable_on_error = true);
			INSERT INTO t VALUES (11500, 'in the way');});
		$log = -s $subscriber->logfile;
		$publisher->safe_psql('postgres', q{
			INSERT INTO t SELECT i, repeat('y', 100) FROM generate_series(11001, 13000) i});
		my $disabled = 'SELECT NOT subenabled FROM pg_subscription';
		poll_ok($subscriber, $disabled, "$case: disabled by the error");
		if ($streaming eq 'parallel')
		{
			# A parallel worker does not know the end yet.
			$subscriber->safe_psql('postgres', q{
				ALTER SUBSCRIPTION sub SET (streaming = on);
				ALTER SUBSCRIPTION sub ENABLE;});
			poll_ok($subscriber, $disabled, "$case: disabled once more");
		}
		my ($lsn) = slurp_file($subscriber->logfile, $log) =~
		  qr/"public.t" in transaction \d+,? finished at ([0-9A-F\/]+)/;
		ok(defined $lsn, "$case: the error names the end of the transaction");
		$subscriber->safe_psql('postgres',
			"ALTER SUBSCRIPTION sub SKIP (lsn = '$lsn')");
		$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub ENABLE');
		$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (19999, 'next')});
		same_tables($publisher, $subscriber, 'sub',
			[ '(SELECT * FROM t WHERE id NOT BETWEEN 11001 AND 13000)',
			  '(SELECT * FROM t WHERE id <> 11500)' ]);
		is( $subscriber->safe_psql('postgres',
				'SELECT * FROM t WHERE id > 11000 ORDER BY id'),
			"11500|in the way\n19999|next",
			"$case: the transaction was skipped, the next was not");

		$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	}
}

done_testing();
