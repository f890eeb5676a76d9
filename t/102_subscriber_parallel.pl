# Core's subscriber with streaming = parallel: a worker applies the blocks as
# they come, and the leader takes to a file when no worker is free.  On a
# server without it the plugin has to refuse, as the server's own does.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');

$publisher->safe_psql('postgres', q{
	CREATE EXTENSION dblink;
	CREATE TABLE big (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE big;});

if (server_major() < 16)
{
	foreach my $plugin (plugin(), 'pgoutput')
	{
		$publisher->safe_psql('postgres',
			"SELECT pg_create_logical_replication_slot('slot', '$plugin')");
		my ($code, undef, $stderr) = $publisher->psql('postgres', q{
			SELECT * FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
			  'proto_version', '3', 'publication_names', 'pub',
			  'streaming', 'parallel')});
		isnt($code, 0, "$plugin refuses parallel streaming");
		like($stderr, qr/ERROR:  streaming requires a Boolean value$/m,
			"$plugin: error");
		$publisher->safe_psql('postgres',
			q{SELECT pg_drop_replication_slot('slot')});
	}
	done_testing();
	exit;
}

my $subscriber = new_subscriber('subscriber', 'log_temp_files = 0');
$subscriber->safe_psql('postgres',
	'CREATE TABLE big (id int PRIMARY KEY, body text)');

my $parallel_apply = qr/applied [1-9]\d* changes in the streaming chunk/;
my $leader_file = qr/opening file ".*" for streamed changes/;

# A subscriber's first streamed transactions may still go to a file, although
# all tables are ready: send some until a parallel worker is there.
sub start_parallel_worker
{
	my $there = q{SELECT count(*) FROM pg_stat_subscription
		WHERE subname = 'sub' AND leader_pid IS NOT NULL};

	foreach my $try (1 .. 50)
	{
		$publisher->safe_psql('postgres', q{
			INSERT INTO big SELECT -i, 'first' FROM generate_series(1, 2000) i;
			DELETE FROM big;});
		wait_applied($publisher, 'sub');
		return 1 if $subscriber->safe_psql('postgres', $there);
	}
	return 0;
}

foreach my $route (routes())
{
	$_->safe_psql('postgres', 'TRUNCATE big') for $publisher, $subscriber;
	create_subscription($publisher, $subscriber,
		route => $route,
		options => { streaming => 'parallel' });
	ok(start_parallel_worker(), "$route: a parallel worker was started");

	# A worker applies, savepoints and all.
	my $log = -s $subscriber->logfile;
	$publisher->safe_psql('postgres', q{
		BEGIN;
		INSERT INTO big SELECT i, repeat(i::text, 20) FROM generate_series(1, 3000) i;
		SAVEPOINT s1;
		INSERT INTO big SELECT i, 'lost' FROM generate_series(3001, 6000) i;
		ROLLBACK TO s1;
		UPDATE big SET body = reverse(body) WHERE id % 3 = 0;
		SAVEPOINT s2;
		DELETE FROM big WHERE id % 5 = 0;
		RELEASE s2;
		COMMIT;});
	same_tables($publisher, $subscriber, 'sub', 'big');
	ok($subscriber->log_contains($parallel_apply, $log),
		"$route: a parallel worker applied the blocks");
	ok(!$subscriber->log_contains($leader_file, $log),
		"$route: the leader wrote no file");
	ok( $subscriber->log_contains(
			qr/rolling back to savepoint \S+ in logical replication parallel/,
			$log),
		"$route: the worker rolled back to the savepoint");
	poll_ok($subscriber,
		q{SELECT count(*) > 0 FROM pg_stat_subscription
		  WHERE subname = 'sub' AND leader_pid IS NOT NULL},
		"$route: the parallel worker is listed with its leader");

	# A rolled-back one: its abort, with place and time, reaches the worker.
	$log = -s $subscriber->logfile;
	$publisher->safe_psql('postgres', q{
		BEGIN;
		INSERT INTO big SELECT i, 'rolled back' FROM generate_series(10001, 15000) i;
		ROLLBACK;
		INSERT INTO big VALUES (20000, 'after the rollback');});
	same_tables($publisher, $subscriber, 'sub', 'big');

	# Rolled back while it is being streamed, so that the abort is sent.
	my $writer = $publisher->background_psql('postgres');
	$writer->query_safe(q{
		BEGIN;
		INSERT INTO big SELECT i, repeat('y', 50) FROM generate_series(30001, 33000) i;});
	$subscriber->wait_for_log($parallel_apply, $log);
	$writer->query_safe('ROLLBACK');
	$writer->quit;
	$subscriber->wait_for_log(qr/finished processing the STREAM ABORT command/,
		$log);
	same_tables($publisher, $subscriber, 'sub', 'big');

	# One worker only, and two transactions: the second goes into a file.
	$log = -s $subscriber->logfile;
	set_conf($subscriber, max_parallel_apply_workers_per_subscription => 1);
	$publisher->safe_psql('postgres', q{
		SELECT dblink_connect(s, 'dbname=postgres port=' || current_setting('port')
		  || ' host=' || current_setting('unix_socket_directories'))
		FROM unnest('{a,b}'::text[]) s;
		SELECT dblink_exec(s, 'BEGIN') FROM unnest('{a,b}'::text[]) s;
		SELECT dblink_exec('a', 'INSERT INTO big SELECT i, repeat(''a'', 99) FROM generate_series(100001, 102000) i');
		SELECT dblink_exec('b', 'INSERT INTO big SELECT i, repeat(''b'', 99) FROM generate_series(200001, 202000) i');
		SELECT dblink_exec('a', 'UPDATE big SET body = ''A'' WHERE id BETWEEN 100001 AND 102000');
		SELECT dblink_exec('b', 'UPDATE big SET body = ''B'' WHERE id > 200000');
		SELECT dblink_exec('b', 'COMMIT');
		SELECT dblink_exec('a', 'COMMIT');
		SELECT dblink_disconnect(s) FROM unnest('{a,b}'::text[]) s;});
	same_tables($publisher, $subscriber, 'sub', 'big');
	ok($subscriber->log_contains($parallel_apply, $log),
		"$route: one of two transactions went to the worker");
	ok($subscriber->log_contains($leader_file, $log),
		"$route: the other was written to a file");
	ok($subscriber->log_contains(
			qr/replayed [1-9]\d* \(all\) changes from file/, $log),
		"$route: and applied from there");
	set_conf($subscriber, max_parallel_apply_workers_per_subscription => undef);

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
}

done_testing();
