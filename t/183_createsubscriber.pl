# pg_createsubscriber makes a subscriber of a standby; through the drop-in it is
# fed by our plugin, although the tool asks for pgoutput.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'pg_createsubscriber came with 17' if server_major() < 17;

my $publisher = new_publisher('publisher');
my $subscriber = new_standby($publisher, 'subscriber', subscriber_conf());
take_route($publisher, plugin() eq 'pgoutput' ? 'slot' : 'drop-in');

$publisher->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	INSERT INTO t SELECT g, 'by the standby' FROM generate_series(1, 100) g;});
$subscriber->stop;
$publisher->safe_psql('postgres',
	q{INSERT INTO t SELECT g, 'while it is down' FROM generate_series(101, 200) g});

command_ok(
	[
		'pg_createsubscriber', '-D', $subscriber->data_dir,
		'-P', $publisher->connstr('postgres'), '-d', 'postgres',
		'-s', $subscriber->host, '-p', $subscriber->port,
		'--publication', 'pub', '--subscription', 'sub', '--replication-slot', 'sub'
	],
	'the standby is made a subscriber');
$publisher->safe_psql('postgres', q{
	INSERT INTO t SELECT g, 'before it is started' FROM generate_series(201, 300) g;
	UPDATE t SET body = 'changed' WHERE id % 50 = 0;});
$subscriber->start;
$publisher->safe_psql('postgres', q{
	INSERT INTO t SELECT g, repeat('x', 100) FROM generate_series(1001, 3000) g;
	DELETE FROM t WHERE id < 10;});

same_tables($publisher, $subscriber, 'sub', 't');
is($subscriber->safe_psql('postgres', 'SELECT count(*), count(*) FILTER (WHERE body = $$changed$$) FROM t'),
	'2291|6', 'the subscriber has every row');
is(walsender_library($publisher, 'sub'), plugin() . '.so',
	'the walsender runs the library under test');
is($publisher->safe_psql('postgres', q{SELECT plugin FROM pg_replication_slots WHERE slot_name = 'sub'}),
	'pgoutput', '... under the name pgoutput');

$subscriber->stop;
$publisher->stop;
done_testing();
