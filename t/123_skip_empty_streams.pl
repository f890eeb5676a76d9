# skip_empty_streams, as plugin option and as setting: what a streamed
# transaction would say before its first message that is really sent is left
# out, and a transaction without one altogether.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

use IPC::Run;
use Time::HiRes qw(time usleep);

my ($client, $received);
my $plugin = plugin();
my $node = new_publisher('node');
$node->safe_psql('postgres', qq{
	CREATE TABLE sent (id int PRIMARY KEY, body text);
	CREATE TABLE unpublished (id int, body text);
	CREATE TABLE filtered (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE sent, filtered WHERE (id < 0);
	SELECT pg_create_logical_replication_slot('slot', '$plugin', false, true);});

# Consumes the slot.  Returns its messages as one letter each.  The checkpoint
# makes the slot begin after what was consumed before: a server may stream a
# part of that once more, and take it back, as long as it has to read it again.
sub letters
{
	my (%option) = @_;

	my $setting = delete $option{setting};
	my $options = join '', map { ", '$_', '$option{$_}'" } sort keys %option;
	return $node->safe_psql('postgres',
		"CHECKPOINT;\n"
		  . ($setting ? "SET stream_pgoutput.skip_empty_streams = $setting;" : '')
		  . qq{SELECT string_agg(chr(get_byte(data, 0)), '' ORDER BY ordinality)
		FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL,
		  'proto_version', '3', 'publication_names', 'pub', 'streaming', 'on'
		  $options) WITH ORDINALITY});
}

# The same, in full, as hexadecimal lines with a transaction id replaced.
sub messages
{
	my ($xid, %option) = @_;

	my $options = join '', map { ", '$_', '$option{$_}'" } sort keys %option;
	my $hex = $node->safe_psql('postgres',
		qq{SELECT encode(data, 'hex')
		FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL,
		  'proto_version', '3', 'publication_names', 'pub', 'streaming', 'on'
		  $options)});
	my $xid_hex = sprintf '%08x', $xid;
	$hex =~ s/$xid_hex/<xid>/g;
	return split /\n/, $hex;
}

# Runs statements in one transaction.  Returns its id.
sub transaction
{
	my ($statements, $end) = @_;

	return $node->safe_psql('postgres',
		'BEGIN; SELECT pg_current_xact_id();'
		  . $statements . ';'
		  . ($end // 'COMMIT'));
}

# Starts pg_recvlogical, and collects what it writes in $received.
sub start_client
{
	my ($slot, @options) = @_;

	$received = '';
	my $run = IPC::Run::start(
		[
			'pg_recvlogical', '--start', '--no-loop',
			'--dbname' => $node->connstr('postgres'),
			'--slot' => $slot,
			'--file' => '-',
			(map { ('--option' => $_) } 'proto_version=2', 'streaming=on',
				'publication_names=pub', @options)
		],
		'>' => \$received);
	walsender_pid($node, $slot);
	return $run;
}

sub wait_received
{
	my ($what_comes, $what) = @_;

	my $end = time + $PostgreSQL::Test::Utils::timeout_default;
	while ($received !~ $what_comes && time < $end)
	{
		$client->pump_nb;
		usleep(10_000);
	}
	like($received, $what_comes, $what);
	return;
}

my $nothing = q{
	INSERT INTO unpublished SELECT i, repeat('u', 50) FROM generate_series(1, 3000) i;
	INSERT INTO filtered SELECT nextval('ids'), repeat('f', 50) FROM generate_series(1, 3000) i;};
$node->safe_psql('postgres', 'CREATE SEQUENCE ids');

# By default as the server does: empty blocks, and the end.
transaction($nothing);
like(letters(), qr/^(SE){5,}c$/, 'default: empty blocks');

# The option, the setting, and one against the other.
transaction($nothing);
is(letters(skip_empty_streams => 'true'), '', 'option: nothing');
transaction($nothing);
is(letters(setting => 'on'), '', 'setting: nothing');
transaction($nothing);
like(letters(setting => 'on', skip_empty_streams => 'false'),
	qr/^(SE){5,}c$/, 'the option wins over the setting: off');
transaction($nothing);
is(letters(setting => 'off', skip_empty_streams => 'on'),
	'', 'the option wins over the setting: on');

# The first block that is sent says that it is the first, and has just what
# is sent; empty blocks around it are left out.
my $xid = transaction(
	$nothing . q{INSERT INTO sent VALUES (1, 'row');} . $nothing);
my @got = messages($xid, skip_empty_streams => 'true');
my $oid = sprintf '%08x',
  $node->safe_psql('postgres', q{SELECT 'sent'::regclass::oid});
is( join("\n", @got[ 0 .. 3 ]),
	join("\n",
		'53<xid>01',
		"52<xid>${oid}7075626c69630073656e7400640002" . '01696400'
		  . '00000017ffffffff'
		  . '00626f647900' . '00000019ffffffff',
		"49<xid>${oid}4e0002" . '740000000131' . '7400000003726f77',
		'45'),
	'the first block that is sent: START with first = 1, RELATION, INSERT, STOP');
is(scalar @got, 5, 'then only one more message');
like($got[4], qr/^63<xid>00[0-9a-f]{48}$/, 'STREAM COMMIT');

# Two blocks that are sent: only one is the first.
$xid = transaction(q{INSERT INTO sent VALUES (2, 'row');}
	  . $nothing
	  . q{INSERT INTO sent VALUES (3, 'row');}
	  . $nothing);
@got = messages($xid, skip_empty_streams => 'true');
is(join(' ', map { substr $_, 0, 2 } @got),
	'53 52 49 45 53 49 45 63', 'two blocks with a row each');
is("$got[0] $got[4]", '53<xid>01 53<xid>00', 'only one is the first');

# Savepoints: an abort of what was never sent is not sent.
transaction('SAVEPOINT s;' . $nothing . 'ROLLBACK TO s;' . $nothing);
is(letters(skip_empty_streams => 'true'), '', 'rolled-back savepoint: nothing');

# Rolled back as a whole while a client is being sent it.
$client = start_client('slot', 'skip_empty_streams=true');
my $writer = $node->background_psql('postgres');
$writer->query_safe("BEGIN; $nothing");
$writer->query_safe('ROLLBACK');
$writer->query_safe(qq{BEGIN; $nothing INSERT INTO sent VALUES (4, 'row'); $nothing});
wait_received(qr/E\n$/, 'a block of an open transaction is sent');
$writer->query_safe('ROLLBACK');
$writer->query_safe(q{INSERT INTO sent VALUES (4, 'marker')});
wait_received(qr/C.{25}\n$/s, 'a plain one after it');
$writer->quit;
like($received,
	qr/^S.{4}\x01\nR.{4}.{4}public\0sent\0.*\nI.*row\nE\nA(.{4})\1\nB.{20}\nR.*\nI.*marker\nC.{25}\n$/s,
	'one block, its abort, a plain transaction');
$client->kill_kill;
$node->poll_query_until('postgres',
	q{SELECT NOT active FROM pg_replication_slots WHERE slot_name = 'slot'});
letters();

# Messages and truncates count as something that is sent.
transaction($nothing . q{SELECT pg_logical_emit_message(true, 'p', 'c');} . $nothing);
is(letters(skip_empty_streams => 'true', messages => 'true'),
	'SMEc', 'a message');
transaction($nothing . q{SELECT pg_logical_emit_message(true, 'p', 'c');} . $nothing);
is(letters(skip_empty_streams => 'true'), '', 'a message that is not asked for');
transaction($nothing . 'TRUNCATE sent;' . $nothing);
is(letters(skip_empty_streams => 'true'), 'SRTEc', 'a truncate');
transaction($nothing . 'TRUNCATE unpublished;' . $nothing);
is(letters(skip_empty_streams => 'true'),
	'', 'a truncate of an unpublished table');

# Prepared: COMMIT PREPARED may come after a restart, so it must be known.
my %two_phase = (skip_empty_streams => 'true', two_phase => 'true');
transaction($nothing, q{PREPARE TRANSACTION 'empty'});
is(letters(%two_phase), 'SEp', 'PREPARE of nothing is announced');
$node->restart;
$node->safe_psql('postgres', q{COMMIT PREPARED 'empty'});
is(letters(%two_phase), 'K', 'COMMIT PREPARED after a restart');
$xid = transaction($nothing, q{PREPARE TRANSACTION 'empty'});
@got = messages($xid, %two_phase);
is("$got[0] $got[1]", '53<xid>01 45', 'its START says first');
like($got[2], qr/^70.*<xid>656d70747900$/, 'STREAM PREPARE with the gid');
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'empty'});
is(letters(%two_phase), 'r', 'ROLLBACK PREPARED');
transaction($nothing . q{INSERT INTO sent VALUES (5, 'row');} . $nothing,
	q{PREPARE TRANSACTION 'full'});
is(letters(%two_phase), 'SRIEp', 'PREPARE of a row');
$node->safe_psql('postgres', q{COMMIT PREPARED 'full'});
is(letters(%two_phase), 'K', 'its COMMIT PREPARED');

# Plain transactions are as ever.
transaction(q{INSERT INTO sent VALUES (6, 'row')});
is(letters(skip_empty_streams => 'true'), 'BRIC', 'a plain transaction');

# Bad values.
my ($code, undef, $stderr) = $node->psql('postgres',
	q{\set VERBOSITY verbose
	SELECT * FROM pg_logical_slot_get_binary_changes('slot', NULL, NULL,
	  'proto_version', '3', 'publication_names', 'pub',
	  'skip_empty_streams', 'perhaps')});
like($stderr, qr/ERROR:  42601: skip_empty_streams requires a Boolean value/,
	'bad value of the option');
($code, undef, $stderr) = $node->psql('postgres',
	q{LOAD 'stream_pgoutput'; SET stream_pgoutput.skip_empty_streams = 'perhaps'});
like($stderr,
	qr/parameter "stream_pgoutput.skip_empty_streams" requires a Boolean value/,
	'bad value of the setting');

# Core's subscriber, which can only be served by the setting.
my $subscriber = new_subscriber('subscriber');
$subscriber->safe_psql('postgres', q{
	CREATE TABLE sent (id int PRIMARY KEY, body text);
	CREATE TABLE filtered (id int PRIMARY KEY, body text);});
$node->safe_psql('postgres', q{SELECT pg_drop_replication_slot('slot')});
set_conf($node, 'stream_pgoutput.skip_empty_streams' => 'on');
create_subscription($node, $subscriber,
	route => 'slot',
	options => { streaming => server_major() < 16 ? 'on' : 'parallel' });
my $log = -s $subscriber->logfile;
transaction($nothing);
wait_applied($node, 'sub');
ok(!$subscriber->log_contains(
		qr/for streamed changes|in the streaming chunk|STREAM COMMIT/, $log),
	'subscriber: nothing came of an empty transaction');
transaction($nothing . q{INSERT INTO sent VALUES (7, 'row');} . $nothing);
same_tables($node, $subscriber, 'sub', 'sent');
ok($subscriber->log_contains(
		qr/for streamed changes|in the streaming chunk/, $log),
	'subscriber: one that is not came streamed');

# A synchronous commit does not wait for a transaction that was skipped: the
# subscriber is told, and reports on its own only after an hour.
set_conf($subscriber, wal_receiver_status_interval => q{'1h'});
set_conf($node,
	synchronous_standby_names => 'sub',
	wal_sender_timeout => q{'2h'});
$node->poll_query_until('postgres',
	q{SELECT sync_state = 'sync' FROM pg_stat_replication
	  WHERE application_name = 'sub'})
  or die 'the subscriber is not synchronous';
foreach my $case (
	[ 'streamed and skipped', $nothing ],
	[ 'plain and skipped', 'INSERT INTO unpublished VALUES (0);' ],
	[ 'streamed', $nothing . q{INSERT INTO sent VALUES (8, 'row');} ])
{
	my ($what, $statements) = @$case;
	my $start = time;
	transaction($statements);
	cmp_ok(time - $start, '<', 20, "synchronous commit, $what: came back");
}
same_tables($node, $subscriber, 'sub', 'sent');

done_testing();
