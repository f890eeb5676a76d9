# Tables and publications change while changes flow: the subscriber, changed
# in the same way, follows without a restart.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

foreach my $route (routes())
{
	$_->safe_psql('postgres', q{
		DROP TABLE IF EXISTS t, later, renamed;
		CREATE TABLE t (id int PRIMARY KEY, body text);
		CREATE TABLE later (id int PRIMARY KEY, body text);})
	  for $publisher, $subscriber;
	$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE t');
	create_subscription($publisher, $subscriber,
		route => $route,
		options => { streaming => 'on' });
	my $pid = walsender_pid($publisher, 'sub');

	# The subscriber is changed first, so that no row fails on it.
	$subscriber->safe_psql('postgres', q{
		ALTER TABLE t ADD COLUMN n int, ADD COLUMN d date DEFAULT '2001-02-03'});
	$publisher->safe_psql('postgres', q{
		INSERT INTO t VALUES (1, 'before');
		ALTER TABLE t ADD COLUMN n int;
		INSERT INTO t VALUES (2, 'with n', 22);
		BEGIN;
		INSERT INTO t SELECT i, repeat('o', 100), i FROM generate_series(100, 1100) i;
		ALTER TABLE t ADD COLUMN d date DEFAULT '2001-02-03';
		INSERT INTO t SELECT i, repeat('n', 100), i, '1999-09-09'
		  FROM generate_series(2000, 3000) i;
		UPDATE t SET d = '2020-02-20' WHERE id % 3 = 0;
		COMMIT;});
	same_tables($publisher, $subscriber, 'sub', 't');

	# A type is changed, a column is dropped and another of its name added.
	$_->safe_psql('postgres', q{
		ALTER TABLE t ALTER n TYPE bigint;
		ALTER TABLE t DROP COLUMN d;
		ALTER TABLE t ADD COLUMN d text;})
	  for $subscriber, $publisher;
	$publisher->safe_psql('postgres', q{
		UPDATE t SET n = n * 10000000000, d = 'now text' WHERE id < 500;
		ALTER TABLE t REPLICA IDENTITY FULL;
		UPDATE t SET body = body || '.' WHERE id < 200;
		ALTER TABLE t REPLICA IDENTITY DEFAULT;
		DELETE FROM t WHERE id BETWEEN 150 AND 160;});
	same_tables($publisher, $subscriber, 'sub', 't');

	# A renamed table keeps its place in the publication.
	$subscriber->safe_psql('postgres', 'ALTER TABLE t RENAME TO renamed');
	$publisher->safe_psql('postgres', q{
		ALTER TABLE t RENAME TO renamed;
		ALTER TABLE renamed RENAME COLUMN d TO dd;
		ALTER TABLE renamed RENAME COLUMN dd TO d;});
	$subscriber->safe_psql('postgres',
		'ALTER SUBSCRIPTION sub REFRESH PUBLICATION WITH (copy_data = false)');
	wait_ready($publisher, $subscriber, 'sub');
	$publisher->safe_psql('postgres', q{
		INSERT INTO renamed VALUES (-1, 'new name', 1, 'd')});
	same_tables($publisher, $subscriber, 'sub', 'renamed');

	# A table is added, dropped from the publication, and added again.
	$publisher->safe_psql('postgres', q{
		INSERT INTO later VALUES (1, 'before');
		ALTER PUBLICATION pub ADD TABLE later;
		INSERT INTO later VALUES (2, 'between');});
	$subscriber->safe_psql('postgres',
		'ALTER SUBSCRIPTION sub REFRESH PUBLICATION');
	wait_ready($publisher, $subscriber, 'sub');
	$publisher->safe_psql('postgres', q{INSERT INTO later VALUES (3, 'after')});
	same_tables($publisher, $subscriber, 'sub', 'later');
	$publisher->safe_psql('postgres', q{
		ALTER PUBLICATION pub DROP TABLE later;
		INSERT INTO later VALUES (4, 'not published');
		INSERT INTO renamed VALUES (-2, 'meanwhile');
		ALTER PUBLICATION pub ADD TABLE later WHERE (id > 5);
		INSERT INTO later VALUES (5, 'filtered out'), (6, 'kept');
		ALTER PUBLICATION pub SET TABLE renamed, later (id);
		INSERT INTO later VALUES (7, 'column not sent');
		ALTER PUBLICATION pub SET (publish = 'insert');
		DELETE FROM later WHERE id = 6;
		ALTER PUBLICATION pub SET (publish = 'insert, update, delete, truncate');
		UPDATE later SET id = 8 WHERE id = 7;});
	same_tables($publisher, $subscriber, 'sub', 'renamed');
	is( $subscriber->safe_psql('postgres', 'SELECT * FROM later ORDER BY id'),
		"1|before\n2|between\n3|after\n6|kept\n8|",
		"$route: the publication as it was at each row");

	# Rewrites send nothing; a table made and dropped with its rows neither.
	$publisher->safe_psql('postgres', q{
		VACUUM FULL renamed;
		CLUSTER renamed USING t_pkey;
		BEGIN;
		CREATE TABLE scratch AS SELECT * FROM renamed;
		DROP TABLE scratch;
		COMMIT;
		REINDEX TABLE renamed;
		INSERT INTO renamed VALUES (-3, 'after the rewrite');});
	same_tables($publisher, $subscriber, 'sub', 'renamed');
	is(walsender_pid($publisher, 'sub'),
		$pid, "$route: one connection served it all");

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	$publisher->safe_psql('postgres', 'DROP PUBLICATION pub');
}

done_testing();
