# Savepoints rolled back inside streamed transactions, at the subscriber: only
# what was kept arrives, and a table's shape that was rolled back is forgotten.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

$_->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE TABLE shape (id int PRIMARY KEY, body text, extra text);})
  for $publisher, $subscriber;
$publisher->safe_psql('postgres', q{
	ALTER TABLE shape DROP COLUMN extra;
	CREATE PUBLICATION pub FOR TABLE t, shape;});

foreach my $route (routes())
{
	foreach my $streaming ('on', server_major() < 16 ? () : 'parallel')
	{
		my $case = "$route, streaming $streaming";

		$_->safe_psql('postgres', 'TRUNCATE t, shape')
		  for $publisher, $subscriber;
		create_subscription($publisher, $subscriber,
			route => $route,
			options => { streaming => $streaming });

		# 700 rows, 400 of a savepoint that is rolled back, 7 rows.  The
		# transaction waits, so that the abort is found while streaming.
		my $log = -s $subscriber->logfile;
		my $writer = $publisher->background_psql('postgres');
		$writer->query_safe(q{
			BEGIN;
			INSERT INTO t SELECT i, repeat('k', 100) FROM generate_series(1, 700) i;
			SAVEPOINT s;
			INSERT INTO t SELECT i, repeat('l', 100) FROM generate_series(701, 1100) i;});
		$subscriber->wait_for_log(
			qr/changes in the streaming chunk|for streamed changes/, $log);
		$writer->query_safe(q{
			ROLLBACK TO s;
			INSERT INTO t SELECT i, repeat('m', 100) FROM generate_series(1101, 1107) i;
			COMMIT;});
		same_tables($publisher, $subscriber, 'sub', 't');
		is($subscriber->safe_psql('postgres', 'SELECT count(*), max(id) FROM t'),
			'707|1107', "$case: 707 rows");

		# Five deep, the middle one rolled back, an outer one released.
		$writer->query_safe('BEGIN');
		foreach my $depth (1 .. 5)
		{
			my $first = 10000 * $depth;
			$writer->query_safe(qq{
				SAVEPOINT s$depth;
				INSERT INTO t SELECT i, repeat('d', 100)
				FROM generate_series($first, $first + 399) i;});
		}
		$writer->query_safe(q{
			ROLLBACK TO s3;
			INSERT INTO t SELECT i, 'after' FROM generate_series(60000, 60010) i;
			RELEASE s2;
			SAVEPOINT s6;
			UPDATE t SET body = 'lost' WHERE id < 20000;
			ROLLBACK TO s6;
			COMMIT;});
		same_tables($publisher, $subscriber, 'sub', 't');
		is( $subscriber->safe_psql('postgres',
				'SELECT count(*), max(id) FROM t WHERE id >= 10000'),
			'811|60010', "$case: five levels");

		# A column that lives only in a savepoint.
		$writer->query_safe(q{
			BEGIN;
			INSERT INTO shape SELECT i, repeat('x', 100) FROM generate_series(1, 500) i;
			SAVEPOINT s;
			ALTER TABLE shape ADD COLUMN extra text;
			INSERT INTO shape SELECT i, repeat('y', 50), repeat('z', 50)
			FROM generate_series(1001, 1500) i;
			ROLLBACK TO s;
			INSERT INTO shape SELECT i, repeat('x', 100) FROM generate_series(501, 1000) i;
			SAVEPOINT s2;
			ALTER TABLE shape ADD COLUMN extra text;
			UPDATE shape SET extra = 'new' WHERE id % 2 = 0;
			RELEASE s2;
			INSERT INTO shape VALUES (0, 'last', 'kept');
			COMMIT;});
		same_tables($publisher, $subscriber, 'sub', 'shape');
		is( $subscriber->safe_psql('postgres', q{
				SELECT count(*), count(extra), max(id) FROM shape}),
			'1001|501|1000', "$case: column of a savepoint");

		# All of it rolled back, in several ways; then life goes on.
		$writer->query_safe(q{
			BEGIN;
			SAVEPOINT a;
			INSERT INTO t SELECT i, repeat('r', 100) FROM generate_series(70000, 70999) i;
			RELEASE a;
			SAVEPOINT b;
			INSERT INTO t SELECT i, repeat('r', 100) FROM generate_series(71000, 71999) i;
			ROLLBACK TO b;
			ROLLBACK;
			INSERT INTO t VALUES (-1, 'after the rollback');});
		$writer->quit;
		same_tables($publisher, $subscriber, 'sub', 't', 'shape');

		$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
		$publisher->safe_psql('postgres', 'ALTER TABLE shape DROP COLUMN extra');
	}
}

done_testing();
