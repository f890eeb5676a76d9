# A transaction that the client was never told of has no abort to be told of
# either.  18 calls the plugin for transactions that it found rolled back, and
# threw away before the first block, even with streaming off.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $plugin = plugin();
my $major = server_major();
my $node = new_publisher('node');
$node->safe_psql('postgres', q{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;});

# Reads a slot to its end over a walsender, as pg_recvlogical writes it: a line
# feed after each message.
sub read_slot
{
	my ($slot, %option) = @_;

	my $end = $node->safe_psql('postgres', 'SELECT pg_current_wal_flush_lsn()');
	my $file = $node->basedir . "/$slot.out";
	$node->command_ok(
		[
			'pg_recvlogical', '--start', '--no-loop',
			'--dbname' => $node->connstr('postgres'),
			'--slot' => $slot,
			'--file' => $file,
			'--endpos' => $end,
			map { ('--option' => "$_=$option{$_}") }
			  'publication_names', grep { $_ ne 'publication_names' } sort keys %option
		],
		"read slot $slot");
	my $content = slurp_file($file);
	unlink $file;
	return $content;
}

# What is rolled back: rows under the top, in a released savepoint, at the top.
my %lost = (
	'released savepoint and top level' => q{
		INSERT INTO t VALUES (-1, 'lost');
		SAVEPOINT s;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(11, 15) i;
		RELEASE s;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(101, 6100) i;},
	'top level only' => q{
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(1, 6000) i;},
	'nested savepoints, some rolled back' => q{
		SAVEPOINT a;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(1, 2000) i;
		SAVEPOINT b;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(2001, 4000) i;
		ROLLBACK TO b;
		SAVEPOINT c;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(4001, 6000) i;
		RELEASE a;
		INSERT INTO t VALUES (-7000, 'lost');},
	'a table of its own' => q{
		SAVEPOINT s;
		CREATE TABLE own (id int PRIMARY KEY, body text);
		ALTER PUBLICATION pub ADD TABLE own;
		INSERT INTO own SELECT i, 'lost' FROM generate_series(1, 3000) i;
		RELEASE s;
		INSERT INTO t SELECT -i, 'lost' FROM generate_series(1, 3000) i;});

my %mode = (
	'protocol 1' => { proto_version => 1 },
	'streaming off' => { proto_version => $major < 16 ? 3 : 4 },
	'streaming on' => { proto_version => 2, streaming => 'on' },
	$major < 16
	? ()
	: ('parallel' => { proto_version => 4, streaming => 'parallel' }));

my $kept = 0;
foreach my $lost (sort keys %lost)
{
	foreach my $mode (sort keys %mode)
	{
		$node->safe_psql('postgres',
			"SELECT pg_create_logical_replication_slot('${_}_slot', '$plugin')")
		  for qw(sql walsender);
		$kept++;
		$node->safe_psql('postgres',
			"BEGIN; $lost{$lost} ROLLBACK; INSERT INTO t VALUES ($kept, 'kept')");

		my %option = (%{ $mode{$mode} }, publication_names => 'pub');
		my $options = join ', ', map { "'$_', '$option{$_}'" } sort keys %option;
		my $hex = $node->safe_psql('postgres',
			qq{SELECT encode(data, 'hex')
			FROM pg_logical_slot_get_binary_changes('sql_slot', NULL, NULL, $options)});
		my $letters = join '', map { chr hex substr $_, 0, 2 } split /\n/, $hex;

		if ($mode !~ /on|parallel/ || $mode eq 'streaming off' || $major >= 18)
		{
			is($letters, 'BRIC', "$lost, $mode: only the row that was kept");
		}
		else
		{
			# Streamed before it was found to be rolled back: in pairs.
			like($letters, qr/^(?:(?:S[^SEA]*E)+A+)*BRIC$/,
				"$lost, $mode: an abort only after a start");
			my %started;
			my @orphans;
			foreach my $message (split /\n/, $hex)
			{
				$started{$1} = 1 if $message =~ /^53(.{8})/;
				push @orphans, $message
				  if $message =~ /^41(.{8})/ && !$started{$1};
			}
			is("@orphans", '', "$lost, $mode: of the same transaction");
		}

		# pg_recvlogical ends each message with a line feed.
		my $raw = read_slot('walsender_slot', %option);
		is(join('', map { "${_}0a" } split /\n/, $hex),
			unpack('H*', $raw), "$lost, $mode: the same over a walsender");
		unlike($raw, qr/^A/, "$lost, $mode: not an abort first");

		$node->safe_psql('postgres',
			"SELECT pg_drop_replication_slot('${_}_slot')") for qw(sql walsender);
	}
}

done_testing();
