# Clients that may do little, and clients that do what they should not: the
# server lives, answers as with its own plugin, and serves the next one.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use RawClient;
use StreamPgoutput;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $plugin = plugin();
my $major = server_major();
# Statements of megabytes are better not logged.
my $node = new_publisher('node', q{
	max_wal_senders = 40
	listen_addresses = '127.0.0.1'
	wal_sender_timeout = 0
	log_statement = none
	log_replication_commands = off
	log_min_error_statement = panic
	log_error_verbosity = terse});
my %slot = (ours => $plugin, core => 'pgoutput');

# A few rows of all kinds, and a large transaction after them.
my $large = 20_000;
$node->safe_psql('postgres', qq{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE TABLE secret (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR ALL TABLES;
	CREATE ROLE replicator LOGIN REPLICATION;
	CREATE ROLE nobody LOGIN;
	CREATE DATABASE other;
	SELECT pg_create_logical_replication_slot('ours', '$plugin');
	SELECT pg_copy_logical_replication_slot('ours', 'core', false, 'pgoutput');
	INSERT INTO t VALUES (1, 'one'), (2, 'two');
	INSERT INTO secret VALUES (1, 'not for SELECT');
	UPDATE t SET id = 3 WHERE id = 2;
	DELETE FROM t WHERE id = 1;
	SELECT pg_logical_emit_message(true, 'bad clients', 'small end');
	INSERT INTO t SELECT i, repeat('x', 200) FROM generate_series(1000, 1000 + $large - 1) i;
	SELECT pg_logical_emit_message(true, 'bad clients', 'large end');});
$node->safe_psql('other',
	"SELECT pg_create_logical_replication_slot('other_$_', '$slot{$_}')")
  for keys %slot;

my @good = (proto_version => 1, publication_names => 'pub', messages => 'on');
my ($small_end, $large_end) = (qr/small end$/, qr/large end$/);

# A new connection that streams from a slot.
sub client
{
	my ($slot, %arg) = @_;
	my $client = RawClient->new($node, %arg);
	is($client->start($slot, @good), '', "slot $slot is streamed");
	return $client;
}

sub wait_inactive
{
	my ($what) = @_;
	poll_ok($node, 'SELECT count(*) = 0 FROM pg_replication_slots WHERE active', $what);
	return;
}

# An answer without the names of plugin and slot.
sub plain
{
	my ($answer) = @_;
	return $answer =~ s/\bstream_pgoutput\b/pgoutput/gr =~ s/"(?:other_)?(?:ours|core)"/"SLOT"/gr;
}

# The same of both slots, and as expected.
sub same
{
	my ($what, $expected, $ours, $core) = @_;
	is(plain($ours), plain($core), "$what: as with the server's own");
	like($ours, $expected, "$what: outcome");
	return;
}

my %expected;
foreach my $slot (qw(ours core))
{
	my $client = client($slot);
	$expected{$slot} = [ $client->messages_to($large_end) ];
	$client->close;
}
wait_inactive('the first clients have gone');
is(scalar @{ $expected{ours} }, $large + 22, 'all messages came');
ok(join("\0", @{ $expected{ours} }) eq join("\0", @{ $expected{core} }), 'same bytes as pgoutput');

# What every later client must get.
sub streams_well
{
	my ($what) = @_;
	my $client = RawClient->new($node);

	is($client->start('ours', @good), '', "$what: the slot is streamed");
	my @got = $client->messages_to($large_end);
	ok(join("\0", @got) eq join("\0", @{ $expected{ours} }), "$what: same bytes");
	$client->close;
	wait_inactive("$what: the slot is free again");
	return;
}

# The replication role reads what is published; more it may not.
{
	my $client = client('ours', user => 'replicator');
	my @got = $client->messages_to($small_end);
	is_deeply(\@got, [ @{ $expected{ours} }[ 0 .. $#got ] ], 'the replication role gets the same bytes');
	ok((grep { /not for SELECT/ } @got), 'also of a table that it may not select from');
	$client->close;
	wait_inactive('it has gone');

	my %refused = (
		'SELECT from a published table' => [ 'SELECT * FROM secret', qr/permission denied for table secret/ ],
		'the path of libraries' =>
		  [ q{SET dynamic_library_path = '/tmp'}, qr/permission denied to set parameter/ ],
		'the slot of another database' => [
			q{SELECT count(*) FROM pg_logical_slot_peek_binary_changes('other_ours', NULL, NULL,
			  'proto_version', '1', 'publication_names', 'pub')},
			qr/replication slot "other_ours" was not created in this database/
		],
		'a library by its path' => [ q{LOAD '/tmp/plugin.so'}, qr/access to library "\/tmp\/plugin.so" is not allowed/ ]);
	foreach my $what (sort keys %refused)
	{
		my ($sql, $error) = @{ $refused{$what} };
		my (undef, undef, $stderr) = $node->psql('postgres', $sql, extra_params => [ '-U', 'replicator' ]);
		like($stderr, $error, "the replication role is refused: $what");
	}
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM pg_logical_slot_peek_binary_changes('ours', NULL, NULL,
		  'proto_version', '1', 'publication_names', 'pub', 'messages', 'on')},
		extra_params => [ '-U', 'replicator' ]),
		$large + 23, 'the replication role may use the SQL functions');
}

# Somebody without it reads nothing.
{
	like(RawClient->new($node, user => 'nobody')->start('ours', @good),
		qr/^FATAL: 42501: /, 'no walsender without the replication role');
	foreach my $function ('pg_logical_slot_peek_binary_changes', 'pg_logical_slot_get_binary_changes')
	{
		my @stderr = map {
			($node->psql('postgres',
				"SELECT * FROM $function('$_', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')",
				extra_params => [ '-U', 'nobody' ]))[2]
		} qw(ours core);
		same("$function without the replication role", qr/permission denied to use replication slots|must be superuser or replication role/, @stderr);
	}
}

# A slot belongs to its database.
same('slot of another database',
	qr/55000: replication slot "other_ours" was not created in this database/,
	map { RawClient->new($node)->start("other_$_", @good) } qw(ours core));
same('slot of this database, from the other',
	qr/55000: replication slot "ours" was not created in this database/,
	map { RawClient->new($node, database => 'other')->start($_, @good) } qw(ours core));

# Options that nobody should send.  Accepted is what answers with a stream.
my $size = 10 * 1024 * 1024;
my $missing = $major < 18 ? qr/^ERROR: 42704: / : qr/^WARNING: 55000: skipped loading publication/;
my %hostile = (
	'10 MB of name' => [ $missing, proto_version => 1, publication_names => 'n' x $size ],
	'10 MB of commas' => [ qr/42602/, proto_version => 1, publication_names => ',' x $size ],
	'10 MB of blanks' => [ qr/22023|^$/, proto_version => 1, publication_names => ' ' x $size ],
	# The server's own reader of names takes the square of their number.
	'100 kB of quotes' => [ $missing, proto_version => 1, publication_names => '"' x 100_000 ],
	'10 MB of open quote' => [ qr/42602/, proto_version => 1, publication_names => '"' . 'n' x $size ],
	'10 MB of backslashes' => [ $missing, proto_version => 1, publication_names => '\\' x $size ],
	'10 MB of the same name' => [ qr/^$/, proto_version => 1, publication_names => 'pub,' x ($size / 4 - 1) . 'pub' ],
	'10 MB of version' => [ qr/22P02|22023/, proto_version => '1' x $size, publication_names => 'pub' ],
	'10 MB of boolean' => [ qr/42601/, @good, binary => 't' x $size ],
	'10 MB of streaming' => [ qr/42601/, @good, streaming => 'on' x ($size / 2) ],
	'10 MB of option name' => [ qr/XX000: unrecognized \w*pgoutput option: n+/, @good, 'n' x $size => 'on' ],
	'blank in an option name' => [ qr/XX000/, @good, 'binary ' => 'on' ],
	'quote in an option name' => [ qr/XX000/, @good, 'bin"ary' => 'on' ],
	'percent signs' => [ qr/XX000/, @good, '%s%n%d%s' => '%s%n' ],
	'percent signs in a value' => [ qr/42601/, @good, streaming => '%s%n%d%s' ],
	'percent signs in a publication' => [ $missing, proto_version => 1, publication_names => '%s%n%d%s' ],
	'half a character' => [ qr/22021/, proto_version => 1, publication_names => "p\xc3" ],
	'control characters' => [ $missing, proto_version => 1, publication_names => "\x01\x1b\x7f" ],
	'sign before the version' => [ qr/22P02|0A000|22023|^$/, proto_version => '+1', publication_names => 'pub' ],
	'version too large' => [ qr/22023|22P02/, proto_version => '99999999999999999999', publication_names => 'pub' ],
	'negative version' => [ qr/22023/, proto_version => '-1', publication_names => 'pub' ],
	'hexadecimal version' => [ qr/./, proto_version => '0x1', publication_names => 'pub' ],
	'unknown option 1,000 times' => [ qr/XX000/, @good, (nonsense => 'on') x 1000 ],
	map {
		("$_ 1,000 times" => [ qr/42601: conflicting or redundant options/, @good, ($_ => 'off') x 1000 ])
	} qw(binary streaming two_phase messages proto_version publication_names));
$hostile{'origin 1,000 times'} = [ qr/42601: conflicting/, @good, (origin => 'any') x 1000 ] if $major >= 16;
my $end = $node->lsn('flush') =~ s/(.+)\/(.+)/hex($1) << 32 | hex $2/er;
foreach my $case (sort keys %hostile)
{
	my ($outcome, @options) = @{ $hostile{$case} };
	my @answers;

	foreach my $slot (qw(ours core))
	{
		my $client = RawClient->new($node);
		my $answer = $client->start($slot, @options);
		# A publication is looked for at the first change.
		$answer = $client->first_change($end) if $answer eq '';
		push @answers, $answer eq '' ? $client->{notices} : $answer;
		$client->close;
	}
	same($case, $outcome, @answers);
}
wait_inactive('clients with bad options have gone');
streams_well('after bad options');

# Settings that are none are left at their defaults.
foreach my $options ('-cstream_pgoutput.flush_size=much', '-cstream_pgoutput.flush_size=-1',
	'-cstream_pgoutput.skip_empty_streams=perhaps', '-cstream_pgoutput.nonsense=' . 'x' x 5000)
{
	my $client = RawClient->new($node, user => 'replicator', options => $options);
	is($client->start('ours', @good), '', 'a bad setting is no obstacle: ' . substr $options, 0, 50);
	my @got = $client->messages_to($small_end);
	is_deeply(\@got, [ @{ $expected{ours} }[ 0 .. $#got ] ], 'nor does it change a byte');
	$client->close;
	wait_inactive('it has gone');
}

# One that never reads.
{
	my $client = client('ours');
	my $pid = walsender_pid($node, 'ours');
	poll_ok($node, "SELECT wait_event = 'WalSenderWriteData' FROM pg_stat_activity WHERE pid = $pid",
		'the walsender waits for a client that never reads');
	my $written = $node->safe_psql('postgres', q{
		INSERT INTO secret VALUES (2, 'meanwhile');
		SELECT count(*) FROM t;});
	is($written, $large + 1, 'others work meanwhile');
	# The first time it wants to say why it ends, and waits again.
	poll_ok($node,
		"SELECT count(pg_terminate_backend(pid)) = 0 FROM pg_stat_activity WHERE pid = $pid",
		'it can be ended though the client is still there');
	wait_inactive('its slot is free');
	$client->close;
}
streams_well('after one that never reads');

# One that floods the server with status replies, each of which asks for an
# answer, and reads as it likes.
{
	my $client = client('ours');
	my @got;
	my $flood = RawClient::reply(0, 1) x 1000;
	foreach (1 .. 20)
	{
		$client->write($flood);
		push @got, $client->messages_to(qr/^I/) if @got < 20;
	}
	push @got, $client->messages_to($large_end);
	ok(join("\0", @got) eq join("\0", @{ $expected{ours} }), 'a flood of replies changes no byte');
	$client->close;
	wait_inactive('the flood is over');
}

# Those that confirm what they never got, or talk nonsense.
my %nonsense = (
	'reply cut short' => [ 'd', substr RawClient::reply(), 5, 10 ],
	'unknown reply' => [ 'd', 'x' x 34 ],
	'empty reply' => [ 'd', '' ],
	'unknown message' => [ 'y', '' ],
	'query in a stream' => [ 'Q', "SELECT 1\0" ],
	'failed copy' => [ 'f', "no\0" ]);
foreach my $case (sort keys %nonsense)
{
	my @answers;
	foreach my $slot (qw(ours core))
	{
		my $client = RawClient->new($node);
		$client->start($slot, @good);
		$client->messages_to($small_end);
		$client->send_message(@{ $nonsense{$case} });
		my $answer = '';
		$answer = $client->skip_to(qr/Z/);
		push @answers, $answer;
		$client->close;
	}
	same($case, qr/./, @answers);
}
wait_inactive('those who talk nonsense have gone');

# One that goes after each n-th byte of the stream's start, and in the middle
# of its own words.
{
	my $start = 0;
	my $client = RawClient->new($node);
	$client->start('ours', @good);
	$start += 30 + length foreach @{ $expected{ours} }[ 0 .. 17 ];
	$client->close;
	wait_inactive('ready');
	for (my $count = 0; $count < $start; $count += 11)
	{
		$client = RawClient->new($node);
		my $error = $client->start('ours', @good);
		# The one before may still be there.
		redo if $error =~ /is active for PID/;
		is($error, '', "a client that goes after $count bytes") if $error;
		$client->fill($count) or fail("the server ends after $count bytes");
		$client->close;
	}
	my $words = RawClient::reply(0, 1);
	for (my $count = 1; $count < length $words; $count += 3)
	{
		$client = RawClient->new($node);
		redo if $client->start('ours', @good) =~ /is active for PID/;
		$client->write(substr $words, 0, $count);
		$client->close;
	}
	wait_inactive('all that went away have gone');
}
streams_well('after those that went away');

# Through TLS, a large transaction.
SKIP:
{
	skip 'the server was built without TLS', 4
	  unless check_pg_config('#define USE_OPENSSL 1');
	my $dir = $node->data_dir;
	system_or_bail('openssl', 'req', '-new', '-x509', '-nodes', '-newkey', 'rsa:2048', '-days', '10',
		'-subj', '/CN=127.0.0.1', '-keyout', "$dir/server.key", '-out', "$dir/server.crt");
	chmod 0600, "$dir/server.key";
	$node->append_conf('postgresql.conf', "\nssl = on\n");
	$node->restart;

	my $end = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	my %file;
	foreach my $slot (qw(ours core))
	{
		$file{$slot} = PostgreSQL::Test::Utils::tempdir() . "/$slot";
		my $receiver = IPC::Run::start(
			[
				'pg_recvlogical', '--start', '--no-loop', '--slot' => $slot, '--file' => $file{$slot},
				'--dbname' => 'host=127.0.0.1 port=' . $node->port . ' dbname=postgres sslmode=require',
				map { ('--option' => "$good[2 * $_]=$good[2 * $_ + 1]") } 0 .. $#good / 2
			],
			'>' => \my $out,
			'2>' => \my $complaint);
		my $pid = walsender_pid($node, $slot);
		is($node->safe_psql('postgres', "SELECT ssl FROM pg_stat_ssl WHERE pid = $pid"),
			't', "slot $slot is read through TLS");
		my $until = time + $PostgreSQL::Test::Utils::timeout_default;
		sleep 0.05 until -s $file{$slot} && slurp_file($file{$slot}) =~ /meanwhile.*\nC.*\n/s || time > $until;
		$receiver->kill_kill;
	}
	my ($ours, $core) = map { slurp_file($file{$_}) } qw(ours core);
	my @rows = $ours =~ /N\0\x02t/g;
	cmp_ok(scalar @rows, '>=', $large, 'the large transaction came through TLS');
	ok($ours eq $core, 'with the same bytes as pgoutput');
}

ok(!$node->log_contains(qr/PANIC|terminated by signal|TRAP:/), 'no process has died');

done_testing();
