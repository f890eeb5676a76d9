# A walsender that falls behind the queue of invalidations has all its caches
# reset, in the middle of a transaction too: the subscriber gets every row, by
# one connection.
#
# The way there: the subscriber's worker is stopped until the walsender waits
# for it in the middle of a transaction; meanwhile another database changes
# more definitions than the queue has room for (4,096).
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my @tables = ((map { "t_$_" } 1 .. 5), 'root', 'filtered', 'listed');

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

# What tells that it happened is logged at debug4.
$publisher->safe_psql('postgres', q{
	CREATE DATABASE storm;
	ALTER DATABASE postgres SET log_min_messages = debug4;});
$publisher->safe_psql('storm', q{
	SELECT format('CREATE TABLE t_%s ()', i) FROM generate_series(1, 3000) i \gexec});

foreach my $node ($publisher, $subscriber)
{
	$node->safe_psql('postgres', qq{
		CREATE TYPE mood AS ENUM ('sad', 'happy');
		CREATE TABLE root (id int, body text, m mood) PARTITION BY HASH (id);
		CREATE TABLE filtered (id int PRIMARY KEY, body text, m mood);
		CREATE TABLE listed (id int PRIMARY KEY, body text, m mood);
		SELECT format('CREATE TABLE t_%s (id int PRIMARY KEY, body text, m mood)', i)
		  FROM generate_series(1, 5) i \\gexec
		SELECT format('CREATE TABLE leaf_%s PARTITION OF root FOR VALUES WITH (MODULUS 3, REMAINDER %s)', i, i)
		  FROM generate_series(0, 2) i \\gexec});
}
$publisher->safe_psql('postgres', q{
	ALTER TABLE t_1 REPLICA IDENTITY FULL;
	CREATE PUBLICATION pub FOR TABLE t_1, t_2, t_3, t_4, t_5, root, filtered WHERE (id % 2 = 0), listed (id, m)
	  WITH (publish_via_partition_root = true);});

# Rows for all tables in turn, from $first on; many transactions' worth of them
# in one, with parts of it rolled back.
sub write_rows
{
	my ($first, $rounds) = @_;
	my $tables = join ', ', map { "'$_'" } @tables;

	$publisher->safe_psql('postgres', qq{
		DO \$\$
		DECLARE
		  name text;
		BEGIN
		  FOR round IN 1 .. $rounds LOOP
		    FOREACH name IN ARRAY ARRAY[$tables] LOOP
		      EXECUTE format('INSERT INTO %I SELECT $first + \$1 * 100 + g, repeat(''x'', 100), ''sad''
		        FROM generate_series(1, 60) g', name) USING round;
		    END LOOP;
		    BEGIN
		      UPDATE t_1 SET m = 'happy' WHERE id > $first + round * 100;
		      DELETE FROM t_2 WHERE id > $first + round * 100 + 30;
		      IF round % 3 = 0 THEN
		        RAISE EXCEPTION 'undo';
		      END IF;
		    EXCEPTION WHEN raise_exception THEN NULL;
		    END;
		  END LOOP;
		END \$\$});
	return;
}

# More invalidations than the queue takes, all at once.
sub make_storm
{
	$publisher->safe_psql('storm', q{
		GRANT SELECT ON ALL TABLES IN SCHEMA public TO PUBLIC;
		REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM PUBLIC;});
	return;
}

my $first = 0;
foreach my $streaming ('off', 'on', server_major() >= 16 ? 'parallel' : ())
{
	create_subscription($publisher, $subscriber,
		route => 'slot',
		options => { streaming => $streaming, copy_data => 'false' });
	my $pid = walsender_pid($publisher, 'sub');

	# The walsender knows all tables before.
	write_rows($first, 1);
	wait_applied($publisher, 'sub');

	my $worker = $subscriber->safe_psql('postgres',
		q{SELECT pid FROM pg_stat_subscription WHERE subname = 'sub' AND relid IS NULL ORDER BY pid LIMIT 1});
	my $logged = -s $publisher->logfile;
	kill 'STOP', $worker;
	write_rows($first + 1000, 50);
	my $lsn = $publisher->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	my $waits = wait_until($publisher,
		"SELECT wait_event LIKE 'WalSender%' AND sent_lsn < '$lsn' "
		  . "FROM pg_stat_activity JOIN pg_stat_replication USING (pid) WHERE pid = $pid");
	make_storm();
	kill 'CONT', $worker;
	ok($waits, "streaming=$streaming: the walsender waited in the middle of a transaction");
	write_rows($first + 20000, 1);

	same_tables(
		$publisher, $subscriber, 'sub',
		(grep { !/filtered|listed/ } @tables),
		[ '(SELECT * FROM filtered WHERE id % 2 = 0)', 'filtered' ],
		[ '(SELECT id, m FROM listed)', '(SELECT id, m FROM listed)' ]);
	ok(slurp_file($publisher->logfile, $logged) =~ /\[$pid\].*cache state reset/,
		"streaming=$streaming: its caches were reset");
	is(walsender_pid($publisher, 'sub'), $pid, "streaming=$streaming: one connection served it all");

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	$first += 100000;
}

done_testing();
