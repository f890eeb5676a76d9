# Core's subscriber with streaming = on: big transactions arrive in blocks
# while they run, are kept in files, and are applied at their commit.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

foreach my $node ($publisher, $subscriber)
{
	$node->safe_psql('postgres',
		q{CREATE TABLE big (id int PRIMARY KEY, body text, n numeric);
		  CREATE TABLE small (id int PRIMARY KEY, word text);});
}
$publisher->safe_psql('postgres', q{
	CREATE EXTENSION dblink;
	CREATE PUBLICATION pub FOR TABLE big, small;
	INSERT INTO small VALUES (0, 'before the slot');});

foreach my $route (routes())
{
	$publisher->safe_psql('postgres', 'TRUNCATE big; TRUNCATE small');
	$subscriber->safe_psql('postgres', 'TRUNCATE big; TRUNCATE small');
	create_subscription($publisher, $subscriber,
		route => $route,
		options => { streaming => 'on' });
	my $log = -s $subscriber->logfile;

	# One streamed transaction with every kind of change in it.
	$publisher->safe_psql('postgres', q{
		BEGIN;
		INSERT INTO big SELECT i, repeat(i::text, 20), i / 7.0
		  FROM generate_series(1, 5000) i;
		UPDATE big SET body = reverse(body) WHERE id % 3 = 0;
		UPDATE big SET id = -id WHERE id % 100 = 1;
		DELETE FROM big WHERE id % 5 = 0;
		COMMIT;});
	same_tables($publisher, $subscriber, 'sub', 'big');
	poll_ok($publisher,
		q{SELECT stream_txns > 0 AND stream_count > 1 AND stream_bytes > 65536
		  FROM pg_stat_replication_slots WHERE slot_name = 'sub'},
		"$route: the transaction was streamed in several blocks");
	ok($subscriber->log_contains(
			qr/replayed [1-9]\d* \(all\) changes from file/, $log),
		"$route: the subscriber applied it from its file");

	# Two big transactions and a small one, each changing in turn.
	$publisher->safe_psql('postgres', q{
		SELECT dblink_connect(s, 'dbname=postgres port=' || current_setting('port')
		  || ' host=' || current_setting('unix_socket_directories'))
		FROM unnest('{a,b,c}'::text[]) s;
		SELECT dblink_exec(s, 'BEGIN') FROM unnest('{a,b,c}'::text[]) s;
		SELECT dblink_exec('a', 'INSERT INTO big SELECT i, repeat(''a'', 99), i FROM generate_series(100001, 101000) i');
		SELECT dblink_exec('b', 'INSERT INTO big SELECT i, repeat(''b'', 99), i FROM generate_series(200001, 201000) i');
		SELECT dblink_exec('c', 'INSERT INTO small VALUES (1, ''plain'')');
		SELECT dblink_exec('c', 'COMMIT');
		SELECT dblink_exec('a', 'INSERT INTO big SELECT i, repeat(''A'', 99), i FROM generate_series(101001, 102000) i');
		SELECT dblink_exec('b', 'UPDATE big SET body = ''B'' WHERE id > 200000');
		SELECT dblink_exec('a', 'ROLLBACK');
		SELECT dblink_exec('b', 'COMMIT');
		SELECT dblink_disconnect(s) FROM unnest('{a,b,c}'::text[]) s;});
	same_tables($publisher, $subscriber, 'sub', 'big', 'small');
	is( $subscriber->safe_psql('postgres',
			'SELECT count(*), min(body), max(body) FROM big WHERE id > 100000'),
		'1000|B|B',
		"$route: of interleaved transactions the committed one arrived");

	# A truncate inside a streamed transaction.
	$publisher->safe_psql('postgres', q{
		BEGIN;
		TRUNCATE big, small;
		INSERT INTO big SELECT i, repeat('t', 99), i FROM generate_series(1, 2000) i;
		INSERT INTO small SELECT i, 'after truncate' FROM generate_series(1, 10) i;
		COMMIT;});
	same_tables($publisher, $subscriber, 'sub', 'big', 'small');
	is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM big'),
		'2000', "$route: truncate in a streamed transaction");

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
}

done_testing();
