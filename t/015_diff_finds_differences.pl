# The tool that compares pgoutput with ours does find differences, of every
# kind, and says so; and no scenario is left out.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = new_diff_publisher('publisher');
my $scenarios = "$FindBin::RealBin/scenarios";

# Runs the tool and expects an exit code, and what it prints.
sub check
{
	my ($name, $code, $arguments, @expected) = @_;
	my ($out, $err);

	IPC::Run::run([ stream_diff($node, @$arguments) ], '>', \$out, '2>', \$err);
	is($? >> 8, $code, "$name: exit code") or diag $out, $err;
	like("$out$err", $_, "$name: output") foreach @expected;
	return;
}

# Writes a scenario of few combinations.
sub scenario
{
	my ($name, $text) = @_;
	my $file = "$PostgreSQL::Test::Utils::tmp_check/$name.sql";

	append_to_file($file, $text);
	return $file;
}

# pgoutput compared with itself has no differences, in one scenario of rows
# and one of errors.
check('the same plugin twice', 0,
	[ '--plugin', 'pgoutput', "$scenarios/transaction_ten_steps.sql", "$scenarios/filter_that_fails.sql" ],
	qr/^ok - transaction_ten_steps over sql: [1-9]\d* combinations, [1-9]\d* messages, 0 failures/m,
	qr/^ok - transaction_ten_steps over walsender: [1-9]\d* combinations, [1-9]\d* messages, 0 failures/m,
	qr/^ok - filter_that_fails over walsender/m,
	qr/^# PostgreSQL \d+: 2 scenarios/m);

# It fails where ours departs from it, and only there.
if (server_major() >= 18)
{
	check('the departure of pgoutput', 1,
		[ '--plugin', 'pgoutput', "$scenarios/stream_abort_unannounced.sql" ],
		qr/^not ok - stream_abort_unannounced over sql/m,
		qr/^not ok - stream_abort_unannounced over walsender/m,
		qr/^# \+ .* STREAM ABORT /m);
}

# One falsified answer after another.
my $small = scenario('small', <<'END');
--@ sees BCRI
--@ matrix memory=small proto=1
CREATE TABLE t (id int);
CREATE PUBLICATION pub FOR TABLE t;
--@ run
INSERT INTO t VALUES (1);
END
check('nothing spoilt', 0, [ '--plugin', 'pgoutput', $small ]);
foreach my $kind (qw(lsn wal_end xid data length count error notice))
{
	check("spoilt: $kind", 1,
		[ '--plugin', 'pgoutput', '--spoil', $kind, $small ],
		qr/^not ok - small over sql/m,
		qr/^not ok - small over walsender/m,
		qr/^# small over sql, memory=small proto=1 streaming=off/m);
}

# Real output that differs: other publications for one side.
check('other column list', 1,
	[ '--against', 'keys', "$scenarios/columns_list.sql" ],
	qr/^not ok - columns_list over sql/m,
	qr/^# - .* RELATION .*\n# - .* INSERT /m,
	qr/^# \+ .* RELATION /m);
check('nothing published', 1,
	[ '--against', 'nothing', "$scenarios/publication_kinds.sql" ],
	qr/^not ok - publication_kinds over walsender/m,
	qr/\(\d+ messages\), \+ is \S+ \(0 messages\)/m);
check('an error on one side only', 1,
	[ '--against', 'bad', "$scenarios/type_output_raises.sql" ],
	qr/^# \+ error: 42704|^# \+ notice: /m);

# A scenario that does not show what it claims fails, however equal.
my $claims = scenario('claims', <<'END');
--@ sees BCRIT
--@ matrix memory=small proto=1
--@ error 22012
CREATE TABLE t (id int);
CREATE PUBLICATION pub FOR TABLE t;
--@ run
INSERT INTO t VALUES (1);
END
check('empty claims', 1, [$claims],
	qr/claims over sql: no message 'T' was seen/,
	qr/claims over walsender: no error 22012 was seen/);

# So does one that cannot be run, or has a mistake in it.
check('unknown directive', 2, [ scenario('mistake', "--\@ seees B\n") ],
	qr/no such directive/);
check('failing statement', 2,
	[ scenario('failing', "--\@ sees B\n--\@ run\nSELECT 1 / 0;\n") ],
	qr/failing\.sql:3: .*division by zero/);

# Every scenario belongs to a family that a test compares.
my %compared;
foreach my $test (glob "$FindBin::RealBin/01?_diff_*.pl")
{
	next unless slurp_file($test) =~ /^diff_families\(qw\((.*)\)\)/m;
	$compared{$_}++ foreach scenarios(split ' ', $1);
}
my @all = scenarios('');
cmp_ok(scalar @all, '>=', 100, 'there are a hundred scenarios');
is_deeply([ grep { ($compared{$_} // 0) != 1 } @all ],
	[], 'each is compared by one test');

$node->stop;
done_testing();
