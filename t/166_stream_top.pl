# tools/stream_top, the view of slots for a terminal: what it shows while a
# slot is read, as a monitoring role, and what it says when it cannot.

use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $top = "$FindBin::RealBin/../tools/stream_top";
my $preload = server_major() < 17 ? "shared_preload_libraries = 'stream_pgoutput'\n" : '';
my $publisher = new_publisher('publisher', $preload);
my @connection = ('-h', $publisher->host, '-p', $publisher->port, '-d', 'postgres');

my ($out, $err) = run_command([ $top, '-n', '1', '-i', '0.1', @connection ]);
like($err, qr/relation "pg_stat_stream_pgoutput" does not exist/, 'without the extension it says what is missing');

$publisher->safe_psql('postgres', q{
	CREATE EXTENSION stream_pgoutput;
	CREATE ROLE monitor LOGIN; GRANT pg_monitor TO monitor;
	CREATE ROLE plain LOGIN;
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE TABLE dark (id int);
	CREATE PUBLICATION pub FOR TABLE t;});
($out, $err) = run_command([ $top, '-n', '1', '-i', '0.1', @connection ]);
like($out, qr/^No slot uses stream_pgoutput\.$/m, 'no slots');

new_slot($publisher, 'read');
new_slot($publisher, 'never');
my $client = start_reader($publisher, 'read');
walsender_pid($publisher, 'read');
$publisher->safe_psql('postgres', q{INSERT INTO t VALUES (0, 'first')});
wait_until($publisher, q{SELECT inserts = 1 FROM pg_stat_stream_pgoutput WHERE slot_name = 'read'})
  or die 'nothing is counted';

# Work goes on while it looks.
my $writer = IPC::Run::start(
	[ 'psql', '-X', '-q', @connection, '-c', q{
		DO $$ BEGIN FOR i IN 1 .. 1000000 LOOP
			INSERT INTO t VALUES (i, 'some text'); INSERT INTO dark VALUES (i); INSERT INTO dark VALUES (i);
			COMMIT; PERFORM pg_sleep(0.001);
		END LOOP; END $$} ], '<', \undef, '2>', \my $ignored);
($out, $err) = run_command([ $top, '-n', '2', '-i', '1', @connection, '-U', 'monitor' ]);
$writer->kill_kill;
is($err, '', 'a monitoring role can use it');
my @looks = split /^(?=stream_pgoutput on PostgreSQL)/m, $out;
is(scalar @looks, 2, 'it shows as often as it is told');

# Cells of a line by the heads above it.
sub cells
{
	my ($head, $first) = @_;
	my ($heads) = $looks[1] =~ /^($head\s.*)$/m or return {};
	my ($line) = $looks[1] =~ /^(\Q$first\E\s.*)$/m or return {};
	my @names = split /  +/, $heads;
	my @values = split /  +/, $line;
	my %cell;
	@cell{@names} = @values;
	return \%cell;
}

sub number
{
	my ($text) = @_;
	my ($n, $unit) = ($text // '') =~ /^([\d.]+)([kMG]?)B?$/ or return -1;
	return $n * { '' => 1, k => 1e3, M => 1e6, G => 1e9 }->{$unit};
}

my $slot = cells('slot', 'read');
is("$slot->{database} $slot->{state}", 'postgres active', 'the slot that is read');
cmp_ok(number($slot->{$_}), '>', 0, "... has $_") foreach 'lag', 'txn/s', 'rows/s', 'sent/s', 'msg/flush', 'held/s';
is($slot->{held}, '67 %', '... holds back two rows of three');
is($slot->{cache}, '100 %', '... finds its tables');
like($slot->{'last sent'}, qr/^\d s$/, '... has sent just now');
my $never = cells('slot', 'never');
is("$never->{state} $never->{'rows/s'}", 'not read -', 'the other slot is not read, which is not zero');
my $table = cells('table', 'public.t');
is($table->{slot}, 'read', 'the table');
cmp_ok(number($table->{$_}), '>', 0, "... has $_") foreach 'rows/s', 'bytes/s', 'rows', 'bytes';
cmp_ok(number(cells('table', 'public.dark')->{'held/s'}), '>', 0, 'the other table is held back');

($out, $err) = run_command([ $top, '-n', '1', '-i', '0.1', @connection, '-U', 'plain' ]);
like($err, qr/permission denied for view pg_stat_stream_pgoutput/, 'a plain role is told');
($out, $err) = run_command([ $top, '-i', '0', @connection ]);
like($err, qr/the interval must be above 0/, 'a bad interval is refused');
($out, $err) = run_command([ $top, '--help' ]);
like($out, qr/^usage: stream_top/m, 'it has a manual');

# Ctrl-C ends it quietly.
my $watch = IPC::Run::start([ $top, '-i', '0.1', @connection ], '>', \my $seen, '2>', \my $errors,
	IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
$watch->pump until $seen =~ /last sent.*last sent/s;
$watch->signal('INT');
$watch->finish;
is($watch->result(0), 0, 'Ctrl-C ends it');
is($errors, '', '... without a word');

stop_reader($publisher, $client);
done_testing();
