# pg_recvlogical: makes a slot of our plugin, or of pgoutput through the drop-in
# folder, and writes what it is sent to a file and to its standard output.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use IPC::Run;
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_publisher('node');
$node->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;});
my $oid_of_t = $node->safe_psql('postgres', q{SELECT 't'::regclass::oid});
my @connection = ('--dbname' => $node->connstr('postgres'), '--slot' => 'slot');

# The client puts a line feed after each message.
sub message
{
	my ($format, @values) = @_;

	return pack($format, @values) . "\n";
}

my $relation = message('a N Z* Z* a n C Z* N N C Z* N N',
	'R', $oid_of_t, 'public', 't', 'd', 2, 1, 'id', 23, 0xffffffff,
	0, 'body', 25, 0xffffffff);

sub insert
{
	my ($id, $body) = @_;

	return message('a N a n (a N/a*)2', 'I', $oid_of_t, 'N', 2, 't', $id, 't', $body);
}

foreach my $route (routes())
{
	my $plugin = $route eq 'drop-in' ? 'pgoutput' : plugin();
	take_route($node, $route);
	$node->safe_psql('postgres', 'DELETE FROM t');

	$node->command_ok(
		[ 'pg_recvlogical', @connection, '--create-slot', '--two-phase',
			'--plugin' => $plugin ],
		"$route: create a slot");
	is( $node->safe_psql('postgres',
			q{SELECT plugin, two_phase FROM pg_replication_slots}),
		"$plugin|t", "$route: it is there");

	$node->safe_psql('postgres', q{
		INSERT INTO t VALUES (1, 'plain');
		BEGIN;
		INSERT INTO t VALUES (2, 'prepared');
		PREPARE TRANSACTION 'gid one';
		BEGIN;
		INSERT INTO t VALUES (3, 'given up');
		PREPARE TRANSACTION 'gid two';
		COMMIT PREPARED 'gid one';
		ROLLBACK PREPARED 'gid two';
		BEGIN;
		INSERT INTO t SELECT i, repeat('x', 100) FROM generate_series(1001, 2500) i;
		PREPARE TRANSACTION 'gid three';
		COMMIT PREPARED 'gid three';});
	my $end = $node->safe_psql('postgres', 'SELECT pg_current_wal_flush_lsn()');

	# To a file, up to a position.
	my $file = $node->basedir . "/$route.out";
	$node->command_ok(
		[
			'pg_recvlogical', @connection, '--start', '--no-loop',
			'--endpos' => $end,
			'--file' => $file,
			'-o' => 'proto_version=3',
			'-o' => 'publication_names=pub',
			'-o' => 'streaming=on',
			'-o' => 'two_phase=on'
		],
		"$route: read to a file");
	my $got = slurp_file($file);
	my $rest = $got;
	my $begin = qr/B.{20}\n/s;
	my $commit = qr/C\0.{24}\n/s;
	foreach my $part (
		[ 'BEGIN', $begin ],
		[ 'RELATION', qr/\Q$relation\E/ ],
		[ 'INSERT', qr/\Q${\insert(1, 'plain')}\E/ ],
		[ 'COMMIT', $commit ],
		[ 'BEGIN PREPARE', qr/b.{28}gid one\0\n/s ],
		[ 'its INSERT', qr/\Q${\insert(2, 'prepared')}\E/ ],
		[ 'PREPARE', qr/P\0.{28}gid one\0\n/s ],
		[ 'second BEGIN PREPARE', qr/b.{28}gid two\0\n/s ],
		[ 'second INSERT', qr/\Q${\insert(3, 'given up')}\E/ ],
		[ 'second PREPARE', qr/P\0.{28}gid two\0\n/s ],
		[ 'COMMIT PREPARED', qr/K\0.{28}gid one\0\n/s ],
		[ 'ROLLBACK PREPARED', qr/r\0.{36}gid two\0\n/s ],
		[ 'STREAM START', qr/S.{4}\x01\n/s ],
		[ 'blocks', qr/R.*E\n/s ],
		[ 'STREAM PREPARE', qr/p\0.{28}gid three\0\n/s ],
		[ 'third COMMIT PREPARED', qr/K\0.{28}gid three\0\n/s ])
	{
		my ($what, $pattern) = @$part;
		ok($rest =~ s/^$pattern//, "$route: $what");
	}
	is($rest, '', "$route: and nothing else");
	my $streamed = () = $got =~ /I.{8}N\0\x02t\0\0\0\x04\d{4}t\0\0\0\x64x{100}\n/sg;
	is($streamed, 1500, "$route: all rows of the streamed transaction");

	# It has confirmed what it read, and goes on from there, to its output.
	my ($out, $err) = ('', '');
	my $client = IPC::Run::start(
		[
			'pg_recvlogical', @connection, '--start',
			'--file' => '-',
			'--status-interval' => 1,
			'--option' => 'proto_version=1',
			'--option' => 'publication_names=pub',
			'--option' => 'binary=true'
		],
		'>' => \$out,
		'2>' => \$err,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
	is(walsender_library($node, 'slot'), plugin() . '.so',
		"$route: library of its walsender");
	$node->safe_psql('postgres', q{INSERT INTO t VALUES (4, 'later')});
	$client->pump until $out =~ /$commit$/;
	my $later = message('a N a n (a N/a*)2', 'I', $oid_of_t, 'N', 2,
		'b', pack('N', 4), 'b', 'later');
	like($out, qr/^$begin\Q$relation\E\Q$later\E$commit$/,
		"$route: goes on after what was confirmed");
	my $lsn = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	poll_ok($node,
		"SELECT confirmed_flush_lsn >= '$lsn' FROM pg_replication_slots",
		"$route: confirms it");

	# The server restarts, and the client comes back by itself.
	$node->restart;
	$node->safe_psql('postgres', q{INSERT INTO t VALUES (5, 'after')});
	$client->pump until $out =~ /after\n$commit$/;
	like($out, qr/later\n$commit$begin\Q$relation\E.*after\n$commit$/s,
		"$route: again after a restart, described anew");
	$client->signal('INT');
	$client->finish;

	wait_until($node, 'SELECT NOT active FROM pg_replication_slots');
	$node->command_ok([ 'pg_recvlogical', @connection, '--drop-slot' ],
		"$route: drop the slot");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots'),
		'0', "$route: it is gone");
}

done_testing();
