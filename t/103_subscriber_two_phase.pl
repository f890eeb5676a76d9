# Core's subscriber with two_phase = true: PREPARE arrives as a prepared
# transaction, streamed or not, and survives a restart of either side before
# its COMMIT PREPARED.  From 18 on it is switched on and off later, too.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

$_->safe_psql('postgres',
	'CREATE TABLE t (id int PRIMARY KEY, body text)')
  for $publisher, $subscriber;
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE t');

# How many prepared transactions the subscriber holds.
sub prepared_is
{
	my ($count, $what) = @_;

	poll_ok($subscriber, "SELECT count(*) = $count FROM pg_prepared_xacts",
		$what);
	return;
}

foreach my $route (routes())
{
	foreach my $streaming ('off', server_major() < 16 ? 'on' : 'parallel')
	{
		my $case = "$route, streaming $streaming";

		$_->safe_psql('postgres', 'TRUNCATE t') for $publisher, $subscriber;
		create_subscription($publisher, $subscriber,
			route => $route,
			options => { streaming => $streaming, two_phase => 'true' });
		poll_ok($subscriber,
			q{SELECT subtwophasestate = 'e' FROM pg_subscription},
			"$case: two_phase is enabled");
		poll_ok($publisher,
			q{SELECT two_phase FROM pg_replication_slots
			  WHERE slot_name = 'sub'},
			"$case: the slot decodes at PREPARE");

		my $log = -s $subscriber->logfile;

		# Small: prepared, seen as prepared, committed.
		$publisher->safe_psql('postgres', q{
			BEGIN;
			INSERT INTO t VALUES (1, 'one'), (2, 'two');
			SAVEPOINT s;
			INSERT INTO t VALUES (3, 'lost');
			ROLLBACK TO s;
			PREPARE TRANSACTION 'it''s small';});
		prepared_is(1, "$case: PREPARE arrived");
		is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM t'),
			'0', "$case: its rows are not visible");
		$publisher->safe_psql('postgres', q{COMMIT PREPARED 'it''s small'});
		prepared_is(0, "$case: COMMIT PREPARED arrived");
		is($subscriber->safe_psql('postgres', 'SELECT * FROM t ORDER BY id'),
			"1|one\n2|two", "$case: now its rows are");

		# Rolled back after PREPARE.
		$publisher->safe_psql('postgres', q{
			BEGIN;
			DELETE FROM t;
			PREPARE TRANSACTION 'never';});
		prepared_is(1, "$case: second PREPARE arrived");
		$publisher->safe_psql('postgres', q{ROLLBACK PREPARED 'never'});
		prepared_is(0, "$case: ROLLBACK PREPARED arrived");

		# Large, with a restart of both sides before the end.
		$publisher->safe_psql('postgres', q{
			BEGIN;
			INSERT INTO t SELECT i, repeat(i::text, 20) FROM generate_series(1000, 3999) i;
			SAVEPOINT s;
			UPDATE t SET body = 'lost' WHERE id % 2 = 0;
			ROLLBACK TO s;
			DELETE FROM t WHERE id % 7 = 0;
			PREPARE TRANSACTION 'large';
			BEGIN;
			INSERT INTO t SELECT i, repeat(i::text, 20) FROM generate_series(5000, 7999) i;
			PREPARE TRANSACTION 'large, rolled back';});
		prepared_is(2, "$case: two large PREPAREs arrived");
		ok( ($streaming eq 'off' xor $subscriber->log_contains(
					qr/changes in the streaming chunk|for streamed changes/, $log)),
			"$case: streamed when it should be");
		$_->stop('immediate') for $publisher, $subscriber;
		$_->start for $publisher, $subscriber;
		$publisher->safe_psql('postgres', q{
			INSERT INTO t VALUES (-1, 'between');
			COMMIT PREPARED 'large';
			ROLLBACK PREPARED 'large, rolled back';});
		prepared_is(0, "$case: both were finished after the restarts");
		same_tables($publisher, $subscriber, 'sub', 't');
		is( $subscriber->safe_psql('postgres',
				'SELECT count(*), min(id), max(id) FROM t'),
			'2574|-1|3999', "$case: rows of the committed one");

		# Empty: nothing published was changed.
		$publisher->safe_psql('postgres', q{
			BEGIN;
			CREATE TABLE unpublished (a int);
			PREPARE TRANSACTION 'empty';
			COMMIT PREPARED 'empty';
			DROP TABLE unpublished;});
		wait_applied($publisher, 'sub');
		prepared_is(0, "$case: an empty prepared transaction left nothing");

		$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	}
}

# Switches two_phase of the subscription, and with it the slot's.
sub alter_two_phase
{
	my ($value) = @_;

	$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub DISABLE');
	wait_until($subscriber, q{SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type ~ '^logical replication (apply|parallel)'})
	  or die 'the apply worker stays';
	wait_until($publisher, q{SELECT NOT active FROM pg_replication_slots WHERE slot_name = 'sub'})
	  or die 'the slot stays active';
	$subscriber->safe_psql('postgres', "ALTER SUBSCRIPTION sub SET (two_phase = $value)");
	$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION sub ENABLE');
	return;
}

if (server_major() >= 18)
{
	$_->safe_psql('postgres', 'TRUNCATE t') for $publisher, $subscriber;
	create_subscription($publisher, $subscriber, route => 'slot');
	$publisher->safe_psql('postgres', q{BEGIN; INSERT INTO t VALUES (1, 'before'); PREPARE TRANSACTION 'before'});
	wait_applied($publisher, 'sub');
	prepared_is(0, 'without two_phase no PREPARE arrives');
	alter_two_phase('true');
	$publisher->safe_psql('postgres', q{BEGIN; INSERT INTO t VALUES (2, 'on'); PREPARE TRANSACTION 'on'});
	prepared_is(1, 'switched on: it does');
	$publisher->safe_psql('postgres', q{COMMIT PREPARED 'before'; COMMIT PREPARED 'on'});
	same_tables($publisher, $subscriber, 'sub', 't');
	alter_two_phase('false');
	$publisher->safe_psql('postgres', q{BEGIN; INSERT INTO t VALUES (3, 'off'); PREPARE TRANSACTION 'off'});
	wait_applied($publisher, 'sub');
	prepared_is(0, 'switched off: no more');
	$publisher->safe_psql('postgres', q{COMMIT PREPARED 'off'});
	same_tables($publisher, $subscriber, 'sub', 't');
	is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM t'), 3, 'all rows arrived, once');
	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
}

done_testing();
