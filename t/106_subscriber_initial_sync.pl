# The first copy of a table through the drop-in folder: the workers that copy
# have slots of their own, always of the plugin named pgoutput, and catch up by
# decoding what was written meanwhile.
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
	CREATE TABLE one (id int PRIMARY KEY, body text);
	CREATE TABLE two (id int PRIMARY KEY, body text);})
  for $publisher, $subscriber;
$publisher->safe_psql('postgres', q{
	CREATE PUBLICATION pub FOR TABLE one, two;
	INSERT INTO one SELECT i, 'copied' FROM generate_series(1, 1000) i;
	INSERT INTO two SELECT i, 'copied' FROM generate_series(1, 1000) i;});

foreach my $route (reverse routes())
{
	# A prepared transaction holds a key that will be copied: the copy waits.
	$subscriber->safe_psql('postgres', q{
		TRUNCATE one, two;
		BEGIN;
		INSERT INTO one VALUES (500, 'in the way');
		PREPARE TRANSACTION 'hold';});

	take_route($publisher, $route);
	my $option = 'streaming = on';
	if ($route eq 'slot')
	{
		my $plugin = plugin();
		$publisher->safe_psql('postgres',
			"SELECT pg_create_logical_replication_slot('sub', '$plugin')");
		$option .= ', create_slot = false';
	}
	$subscriber->safe_psql('postgres',
		    "CREATE SUBSCRIPTION sub CONNECTION '"
		  . $publisher->connstr
		  . " dbname=postgres' PUBLICATION pub WITH ($option)");

	# Table two is ready while one is still being copied.
	poll_ok($subscriber, q{
		SELECT count(*) = 1 FROM pg_subscription_rel
		WHERE srrelid = 'two'::regclass AND srsubstate = 'r'},
		"$route: one table is ready");
	poll_ok($publisher, q{
		SELECT count(*) = 1 FROM pg_stat_activity
		WHERE application_name LIKE 'pg\_%\_sync\_%'},
		"$route: the other is being copied");
	my $pid = $publisher->safe_psql('postgres', q{
		SELECT pid FROM pg_stat_activity
		WHERE application_name LIKE 'pg\_%\_sync\_%'});
	is(loaded_libraries($publisher, $pid),
		$route eq 'drop-in' ? 'stream_pgoutput.so' : 'pgoutput.so',
		"$route: library of the walsender of the copy");

	# Written during the copy: a small and a streamed transaction.
	$publisher->safe_psql('postgres', q{
		UPDATE one SET body = 'caught up' WHERE id % 10 = 0;
		DELETE FROM one WHERE id % 7 = 0;
		INSERT INTO one SELECT i, repeat('c', 100) FROM generate_series(2001, 5000) i;
		INSERT INTO two SELECT i, repeat('c', 100) FROM generate_series(2001, 5000) i;});
	poll_ok($subscriber, 'SELECT count(*) = 4000 FROM two',
		"$route: the table that is ready moves on");
	$subscriber->safe_psql('postgres', q{ROLLBACK PREPARED 'hold'});
	wait_ready($publisher, $subscriber, 'sub');
	same_tables($publisher, $subscriber, 'sub', 'one', 'two');

	# A table that joins later.
	$_->safe_psql('postgres',
		'CREATE TABLE three (id int PRIMARY KEY, body text)')
	  for $publisher, $subscriber;
	$publisher->safe_psql('postgres', q{
		INSERT INTO three SELECT i, 'early' FROM generate_series(1, 100) i;
		ALTER PUBLICATION pub ADD TABLE three;
		INSERT INTO three VALUES (101, 'late');});
	$subscriber->safe_psql('postgres',
		'ALTER SUBSCRIPTION sub REFRESH PUBLICATION');
	wait_ready($publisher, $subscriber, 'sub');
	$publisher->safe_psql('postgres', q{INSERT INTO three VALUES (102, 'later')});
	same_tables($publisher, $subscriber, 'sub', 'one', 'two', 'three');

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	$_->safe_psql('postgres', 'DROP TABLE three') for $publisher, $subscriber;
	$publisher->safe_psql('postgres', q{
		DELETE FROM one WHERE id > 1000;
		DELETE FROM two WHERE id > 1000;});
}

done_testing();
