# Decoding in a backend that lives on: after a call that failed, in whatever
# way, the next one gives the right bytes, fifty times over.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

use IPC::Run;

my $plugin = plugin();
my $node = new_publisher('node');

$node->safe_psql('postgres', qq{
	CREATE TYPE mood AS ENUM ('sad', 'happy');
	CREATE TABLE listed (id int PRIMARY KEY, b text, c mood);
	CREATE TABLE divided (id int PRIMARY KEY, v int);
	CREATE TABLE many (id int PRIMARY KEY, body text);
	CREATE PUBLICATION list_b FOR TABLE listed (id, b);
	CREATE PUBLICATION list_c FOR TABLE listed (id, c);
	CREATE PUBLICATION division FOR TABLE divided WHERE (100 / v > 0);
	CREATE PUBLICATION no_division FOR TABLE divided WHERE (v <> 0);
	CREATE PUBLICATION rows FOR TABLE many;
	CREATE PUBLICATION slow FOR TABLE many
	  WHERE (length(repeat(body, 10000)) > 0);
	SELECT pg_create_logical_replication_slot('one', '$plugin');
	SELECT pg_create_logical_replication_slot('two', '$plugin');
	SELECT pg_create_logical_replication_slot('core', 'pgoutput');
	INSERT INTO listed SELECT i, 'b' || i, 'happy' FROM generate_series(1, 20) i;
	INSERT INTO divided VALUES (1, 5), (2, 7);
	INSERT INTO many SELECT i, repeat('m', 30) FROM generate_series(1, 2000) i;
	INSERT INTO divided VALUES (3, 0), (4, 200);
	UPDATE listed SET c = 'sad' WHERE id % 2 = 0;});

# One line for all that a call gives.
sub peek
{
	my ($slot, $publications, @options) = @_;

	my $options = join '', map { ", '$_'" } @options;
	return qq{SELECT count(*), md5(string_agg(lsn || ' ' || xid || ' ' || encode(data, 'hex'), ',' ORDER BY ordinality))
		FROM pg_logical_slot_peek_binary_changes('$slot', NULL, NULL,
		  'proto_version', '2', 'publication_names', '$publications'$options)
		WITH ORDINALITY;\n};
}

# What a good call gives, as a fresh session of the server's own plugin says.
my @good = (
	[ 'list_b' ],
	[ 'list_c,rows', 'streaming', 'on' ],
	[ 'no_division', 'binary', 'true' ],
	[ 'list_b,no_division,rows' ]);
my @expected = map { $node->safe_psql('postgres', peek('core', @$_)) } @good;

# Calls that fail, and how.  Publications of streamed rows come last in the
# WAL, so some fail inside a stream block.
my %bad = (
	'clashing column lists' => [
		peek('one', 'list_b,list_c,rows'),
		qr/cannot use different column lists for table "public.listed" in different publications/
	],
	'clashing column lists while streaming' => [
		peek('two', 'rows,list_b,list_c', 'streaming', 'on'),
		qr/cannot use different column lists for table "public.listed"/
	],
	'division by zero in a row filter' =>
	  [ peek('one', 'rows,division', 'streaming', 'on'), qr/division by zero/ ],
	'bad option' =>
	  [ peek('one', 'rows', 'streaming', 'perhaps'), qr/streaming requires/ ],
	'no publication names' => [
		peek('one', '"'),
		qr/invalid publication_names syntax/
	],
	'time-out in the middle' => [
		"SET statement_timeout = 30;\n"
		  . peek('two', 'slow', 'streaming', 'on')
		  . "RESET statement_timeout;\n",
		qr/canceling statement due to statement timeout/
	],
	'dropped slot' => [
		qq{SELECT count(*) FROM pg_create_logical_replication_slot('temp', '$plugin', true);
		SELECT pg_drop_replication_slot('temp');\n} . peek('temp', 'rows'),
		qr/replication slot "temp" does not exist/
	],
	'error while rows are fetched' => [
		q{SELECT 1 / (length(data) - length(data))
		FROM pg_logical_slot_peek_binary_changes('one', NULL, NULL,
		  'proto_version', '1', 'publication_names', 'rows');} . "\n",
		qr/division by zero/
	]);

# All in one session: a bad call, then a good one, on both slots in turn.
my ($script, @expect, @kinds) = ('', ());
for my $round (1 .. 50)
{
	my $kind = (sort keys %bad)[ $round % keys %bad ];
	my $choice = $round % @good;

	push @kinds, $kind;
	$script .= "\\echo round $round\n" . $bad{$kind}[0];
	$script .= "\\echo good\n" . peek(qw(one two)[ $round % 2 ], @{ $good[$choice] });
	push @expect, $expected[$choice];
}
$script .= "\\echo end\nSELECT pg_backend_pid() > 0;\n";

my ($stdout, $stderr);
my $code = $node->psql('postgres', $script,
	on_error_stop => 0,
	stdout => \$stdout,
	stderr => \$stderr);
is($code, 0, 'the session lived to its end');
my @rounds = split /^round \d+\n/m, $stdout;
shift @rounds;
is(scalar @rounds, 50, 'all rounds were run');
my @errors = grep { /ERROR/ } split /\n/, $stderr;
is(scalar @errors, 50, 'each bad call failed');
for my $i (0 .. 49)
{
	my ($answer) = $rounds[$i] =~ /^good\n(.*)$/m;
	like($errors[$i], $bad{ $kinds[$i] }[1], "error: $kinds[$i]");
	is($answer, $expect[$i], "right bytes after: $kinds[$i]");
}

# Cancelled by another session, again and again, at any moment.
my $canceller = $node->background_psql('postgres');
my $victim_script = "SET application_name = 'victim';\n";
for my $round (1 .. 30)
{
	$victim_script .= peek('one', 'slow', 'streaming', 'on')
	  . "\\echo good\n" . peek('two', @{ $good[1] });
}
my $script_file = $node->basedir . '/victim.sql';
append_to_file($script_file, $victim_script);
my $victim = IPC::Run::start(
	[
		'psql', '--no-psqlrc', '--tuples-only', '--no-align', '--quiet',
		'--file' => $script_file,
		'--dbname' => $node->connstr('postgres')
	],
	'<' => \undef,
	'>' => \$stdout,
	'2>' => \$stderr);
$canceller->query_safe(q{
	DO $do$
	DECLARE
	  cancelled int := 0;
	BEGIN
	  WHILE cancelled < 30 LOOP
	    PERFORM pg_sleep(0.01 + 0.03 * random());
	    PERFORM pg_stat_clear_snapshot();
	    IF (SELECT count(*) = 0 FROM pg_stat_activity
	        WHERE application_name = 'victim') AND cancelled > 0 THEN
	      RETURN;
	    END IF;
	    PERFORM pg_cancel_backend(pid) FROM pg_stat_activity
	    WHERE application_name = 'victim' AND state = 'active'
	      AND query LIKE '%''slow''%';
	    IF FOUND THEN
	      cancelled := cancelled + 1;
	    END IF;
	  END LOOP;
	END $do$});
$canceller->quit;
$victim->finish;
my $cancelled = () = $stderr =~ /canceling statement due to user request/g;
cmp_ok($cancelled, '>=', 15, "cancelled in the middle ($cancelled of 30 times)");
my @answers = $stdout =~ /^good\n(.*)$/mg;
is(scalar @answers, 30, 'a good call after each');
is_deeply(\@answers, [ ($expected[1]) x 30 ], 'right bytes after each');

done_testing();
