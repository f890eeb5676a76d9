# psycopg2 asks for every combination of options that the server's version
# allows, and is handed bytes: those that the SQL interface gives for the same
# options, and for known rows those written down here.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use IPC::Run;
use JSON::PP qw(encode_json);
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $plugin = plugin();
my $major = server_major();
my $node = new_publisher('node');

# One slot decodes at PREPARE, which stays so for good, the other does not.
my %slot = (false => 'plain', true => 'two_phase');
$node->safe_psql('postgres', qq{
	CREATE TABLE t (id int PRIMARY KEY, ok bool, body text);
	CREATE PUBLICATION pub FOR TABLE t;
	SELECT pg_replication_origin_create('elsewhere');
	SELECT pg_create_logical_replication_slot('plain', '$plugin');
	SELECT pg_create_logical_replication_slot('two_phase', '$plugin', false, true);
	INSERT INTO t VALUES (1, true, 'one');
	UPDATE t SET body = NULL;
	UPDATE t SET id = 2;
	SELECT pg_logical_emit_message(true, 'prefix', 'content');
	SELECT pg_replication_origin_session_setup('elsewhere');
	INSERT INTO t VALUES (3, false, 'from elsewhere');
	SELECT pg_replication_origin_session_reset();
	BEGIN;
	INSERT INTO t SELECT i, true, repeat('x', 100) FROM generate_series(100, 700) i;
	SAVEPOINT s;
	DELETE FROM t;
	ROLLBACK TO s;
	COMMIT;
	BEGIN;
	INSERT INTO t VALUES (4, true, 'prepared');
	PREPARE TRANSACTION 'gid';
	COMMIT PREPARED 'gid';
	BEGIN;
	INSERT INTO t SELECT i, true, repeat('x', 100) FROM generate_series(2000, 2600) i;
	PREPARE TRANSACTION 'large';
	COMMIT PREPARED 'large';
	DELETE FROM t WHERE id = 2;});

# Every combination.
my @combinations;
foreach my $version (1 .. ($major < 16 ? 3 : 4))
{
	foreach my $streaming ('off', $version >= 2 ? 'on' : (),
		$version >= 4 ? 'parallel' : ())
	{
		foreach my $two_phase ('false', $version >= 3 ? 'true' : ())
		{
			foreach my $binary (qw(false true))
			{
				foreach my $messages (qw(false true))
				{
					foreach my $origin ($major < 16 ? undef : qw(any none))
					{
						push @combinations,
						  {
							proto_version => $version,
							publication_names => 'pub',
							streaming => $streaming,
							two_phase => $two_phase,
							binary => $binary,
							messages => $messages,
							$origin ? (origin => $origin) : ()
						  };
					}
				}
			}
		}
	}
}

# What SQL gives for each, one line of hexadecimal a message.
my $script = '';
foreach my $options (@combinations)
{
	my $list = join ', ', map { "'$_', '$options->{$_}'" } sort keys %$options;
	$script .= "\\echo NEXT\n"
	  . qq{SELECT encode(data, 'hex')
	  FROM pg_logical_slot_peek_binary_changes('$slot{$options->{two_phase}}', NULL, NULL, $list);\n};
}
my @expected = map { [ split /\n/ ] } split /^NEXT\n/m,
  $node->safe_psql('postgres', $script) . "\n";
shift @expected;
is(scalar @expected, scalar @combinations,
	'SQL answers for all ' . @combinations . ' combinations');

# What the client gets, all in one run of it.
my $requests = '';
foreach my $i (0 .. $#combinations)
{
	my %options = map { ($_ => "$combinations[$i]{$_}") } keys %{ $combinations[$i] };
	$requests .= encode_json(
		[ $slot{ $options{two_phase} }, \%options, scalar @{ $expected[$i] } ]) . "\n";
}
my ($answers, $complaint) = ('', '');
ok(IPC::Run::run(
		[ 'python3', "$FindBin::RealBin/clients/read_all.py", $node->connstr('postgres') ],
		'<' => \$requests,
		'>' => \$answers,
		'2>' => \$complaint),
	'the client ended well');
is($complaint, '', 'it has no complaint');
my @answers = map {
	/^ERROR/ ? $_ : [ map { [ split /:/ ] } split / / ]
} split /\n/, $answers;
is(scalar @answers, scalar @combinations, 'it answers for all of them');

my $count = 0;
foreach my $i (0 .. $#combinations)
{
	my $what = join ' ', map { "$_=$combinations[$i]{$_}" } sort keys %{ $combinations[$i] };
	my $answer = $answers[$i];

	if (!ref $answer)
	{
		fail("$what: $answer");
		next;
	}
	$count += @$answer;
	is(join("\n", map { $_->[1] } @$answer),
		join("\n", @{ $expected[$i] }), "same bytes: $what");
}
note "$count messages";
cmp_ok($count, '>', 600 * @combinations, 'they were many');

# Known rows, byte by byte.
my $oid = pack 'N', $node->safe_psql('postgres', q{SELECT 't'::regclass::oid});
my $relation = 'R' . $oid . "public\0t\0" . 'd' . pack('n', 3)
  . "\1id\0" . pack('N2', 23, 0xffffffff)
  . "\0ok\0" . pack('N2', 16, 0xffffffff)
  . "\0body\0" . pack('N2', 25, 0xffffffff);

# A tuple of values, each packed with its kind.
sub tuple
{
	my ($kind, @values) = @_;

	return $kind . pack('n', scalar @values) . join '',
	  map { defined $_ ? substr($_, 0, 1) . pack('N/a*', substr $_, 1) : 'n' } @values;
}

my %row = (
	false => {
		one => tuple('N', 't1', 'tt', 'tone'),
		updated => tuple('N', 't1', 'tt', undef),
		key => tuple('K', 't1', undef, undef),
		moved => tuple('N', 't2', 'tt', undef),
		deleted => tuple('K', 't2', undef, undef)
	},
	true => {
		one => tuple('N', 'b' . pack('N', 1), "b\1", 'bone'),
		updated => tuple('N', 'b' . pack('N', 1), "b\1", undef),
		key => tuple('K', 'b' . pack('N', 1), undef, undef),
		moved => tuple('N', 'b' . pack('N', 2), "b\1", undef),
		deleted => tuple('K', 'b' . pack('N', 2), undef, undef)
	});
foreach my $i (grep { ref $answers[$_] } 0 .. $#combinations)
{
	my $binary = $combinations[$i]{binary};
	my $row = $row{$binary};
	my @messages = map { pack 'H*', $_->[1] } @{ $answers[$i] };
	my @known = grep { /^[RIUD]/ } @messages[ 0 .. 9 ];

	next unless $combinations[$i]{messages} eq 'true';
	is_deeply(
		[ map { unpack 'H*', $_ } @known[ 0 .. 3 ], $messages[-2] ],
		[
			map { unpack 'H*', $_ } $relation,
			"I$oid$row->{one}",
			"U$oid$row->{updated}",
			"U$oid$row->{key}$row->{moved}",
			"D$oid$row->{deleted}"
		],
		"known rows, combination $i, binary $binary");
	my ($message) = grep { /^M/ } @messages;
	like($message, qr/^M\x01.{8}prefix\0\0\0\0\x07content$/s,
		"known message, combination $i");
	my $from_elsewhere = grep { /from elsewhere/ } @messages;
	is($from_elsewhere, ($combinations[$i]{origin} // 'any') eq 'none' ? 0 : 1,
		"row with an origin, combination $i");
	my $letters = join '', map { substr $_, 0, 1 } @messages;
	like($letters,
		$combinations[$i]{two_phase} eq 'true' ? qr/bIPK/ : qr/BICB?/,
		"prepared transaction, combination $i");
	like($letters,
		$combinations[$i]{streaming} eq 'off' ? qr/^[^SEcA]*$/ : qr/S.*E.*c/,
		"streamed transaction, combination $i");
	# Positions in headers: none, or never going back within plain ones.
	ok(!(grep { $answers[$i][$_][0] != 0 && $messages[$_] =~ /^[RY]/ } 0 .. $#messages),
		"RELATION has no position, combination $i");
}

done_testing();
