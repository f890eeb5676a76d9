# Values that are formatted by a short cut are what the type's own function
# makes of them, under every setting that it reads: boundary values and random
# ones of every such type, in text and in binary, decoded by the server's
# pgoutput and by the plugin and compared.  VALUES says how many random rows
# (2,000 if not given); each has one value of every type.

use strict;
use warnings FATAL => 'all';

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use StreamPgoutput;

my $rows = $ENV{VALUES} // 2000;

my $publisher = new_publisher('publisher', "max_wal_size = 8GB\n");

# Type of the column, boundary values, and an expression over random r, s in
# [0, 1) and the row's number i.
my @columns = (
	[ 'bool', [qw(true false)], 'r < 0.5' ],
	[
		'int2', [qw(-32768 -32767 -1 0 1 9 10 99 100 999 1000 9999 10000 32767)],
		'(trunc(r * 65536)::int - 32768) % (10 ^ (1 + i % 5))::int'
	],
	[
		'int4',
		[ qw(-2147483648 -2147483647 -1 0 1 2147483647),
			map { (10**$_, 10**$_ - 1, -10**$_) } 1 .. 9 ],
		'trunc((r - 0.5) * 2 ^ (1 + i % 32))::bigint'
	],
	[
		'int8',
		[ qw(-9223372036854775808 -9223372036854775807 -1 0 1 9223372036854775807),
			map { ("1" . "0" x $_, "9" x $_, "-1" . "0" x $_) } 1 .. 18 ],
		'trunc((r - 0.5) * 2 ^ (1 + i % 63))::numeric'
	],
	[ 'oid', [qw(0 1 9 10 16384 2147483647 2147483648 4294967295)],
		'trunc(r * 2 ^ (1 + i % 32))::bigint' ],
	[
		'float4',
		[ qw(0 -0 1 -1 0.1 1e-45 1.17549435e-38 3.4028235e38 NaN Infinity
			  -Infinity 16777216 16777217 1e15 1e16 123456 1234567 0.0001 0.00001) ],
		'CASE WHEN s < 0.5 THEN (r - 0.5) * 10 ^ (i % 70 - 35) ELSE (r * 1000)::int / 8.0 END'
	],
	[
		'float8',
		[ qw(0 -0 1 -1 0.1 4.9e-324 2.2250738585072014e-308
			  1.7976931348623157e308 NaN Infinity -Infinity 9007199254740992
			  9007199254740993 1e15 1e16 1e22 1e23 123456789012345678 0.0001 0.00001) ],
		'CASE WHEN s < 0.5 THEN (r - 0.5) * 10 ^ (i % 600 - 300) ELSE (r * 100000)::int / 64.0 END'
	],
	[
		'numeric',
		[ qw(0 0.0 0.0000 -0 1 -1 9999 10000 9999.9999 10000.0001 0.0001 0.00001
			  0.00000001 1e100 -1e100 1e-100 1e16383 1e-16383 99999999.99999999
			  NaN Infinity -Infinity 1.10 1.1000000 0.5 -0.5 10 100 1000 100000),
			"1" . "0" x 131071, "1" x 131071 . "." . "7" x 16383 ],
		q{round((r - 0.5)::numeric * 10::numeric ^ (i % 40 - 15), (s * 40)::int % 60)}
	],
	[ 'numeric(12,4)', [qw(0 0.00005 99999999.9999 -99999999.9999)],
		'(r - 0.5) * 10 ^ (i % 9)' ],
	[
		'date',
		[ map { "'$_'" } ('infinity', '-infinity', '4713-01-01 BC', '5874897-12-31',
				'0001-01-01', '0001-12-31 BC', '1999-12-31', '2000-01-01',
				'2000-02-29', '1900-02-28', '9999-12-31', '10000-01-01', '1582-10-15') ],
		q{CASE WHEN s < 0.5 THEN date '2000-01-01' + (r * 20000 - 10000)::int
		  ELSE date '4713-01-01 BC' + (r * 2000000000)::int END}
	],
	(
		map {
			[
				$_,
				[ map { "'$_'" } ('infinity', '-infinity', '4713-01-02 BC',
						'294276-12-30 23:59:59.999999', '2000-01-01', '1999-12-31 23:59:59.999999',
						'2000-01-01 00:00:00.000001', '2024-02-29 12:34:56.1',
						'2024-03-10 02:30:00', '2024-11-03 01:30:00', '1883-11-18 12:03:58',
						'0001-01-01', '0001-12-31 23:59:59 BC', '9999-12-31 23:59:59.5',
						'10000-01-01 00:00:00.12', '1900-01-01 00:00:00.123') ],
				qq{timestamp '2000-01-01' + CASE WHEN s < 0.6 THEN (r - 0.5) * interval '100 years'
				  WHEN s < 0.8 THEN (r * 1000000)::int * interval '1 second'
				  ELSE (r - 0.02) * interval '290000 years' END}
			]
		} qw(timestamp timestamptz)
	),
	[ 'timestamp(0)', ["'2024-02-29 12:34:56.7'"], q{timestamp '2000-01-01' + r * interval '50 years'} ],
	(
		map {
			[
				$_,
				[ map { "'$_'" } ('', 'a', ' ', '\\', 'it is', "\x{c3}\x{a9}\x{c3}\x{bc}", 'x' x 126, 'x' x 127,
						'y' x 3000, 'ab' x 10000) ],
				q{CASE WHEN s < 0.5 THEN md5(r::text) ELSE
				  (SELECT string_agg(chr(CASE WHEN random() < 0.9 THEN 32 + (random() * 94)::int
				                              ELSE 161 + (random() * 94)::int END), '')
				   FROM generate_series(0, i % 40) WHERE i IS NOT NULL) END}
			]
		} qw(text varchar)
	),
	[ 'char(12)', [ "''", "'a'", "'123456789012'" ], q{left(md5(r::text), i % 13)} ],
	[
		'bytea',
		[ map { "'$_'" } ('', '\\x00', '\\xff', '\\x00ff5c27', '\\x' . 'ab' x 126,
				'\\x' . 'ab' x 127, '\\x' . '5c00' x 5000) ],
		q{substr(decode(md5(r::text) || md5(s::text), 'hex'), 1, i % 33)}
	],
	[ 'uuid', [ map { "'$_'" } ('00000000-0000-0000-0000-000000000000',
				'ffffffff-ffff-ffff-ffff-ffffffffffff', '01234567-89ab-cdef-0123-456789abcdef') ],
		'gen_random_uuid()' ],
	# No short cut: a domain over one, a look-alike, and others in between.
	[ 'positive', [qw(1 2147483647)], '1 + trunc(r * 1000000)::int' ],
	[ 'label', [ "'one'", "'two'" ], q{CASE WHEN r < 0.5 THEN 'one' ELSE 'two' END::label} ],
	[ 'interval', [ "'1 year -2 days'", "'0'" ], q{r * interval '1000 days' - s * interval '100 months'} ],
	[ 'int4[]', [ "'{}'", "'{1,NULL,-2}'" ], 'ARRAY[(r * 100)::int, NULL, (s * -100000)::int]' ],
	[ 'jsonb', [ "'{}'", q{'{"a": [1, null]}'} ], q{jsonb_build_object('r', r, 'i', i)} ],
);

# Settings of decoding sessions, each tried with text and with binary.
my @settings = (
	{},
	{ DateStyle => 'SQL, DMY', TimeZone => 'America/New_York' },
	{ DateStyle => 'SQL, MDY', TimeZone => 'Asia/Kolkata', IntervalStyle => 'sql_standard' },
	{ DateStyle => 'German', TimeZone => 'Europe/Amsterdam' },
	{ DateStyle => 'Postgres, DMY', TimeZone => 'Australia/Lord_Howe', IntervalStyle => 'iso_8601' },
	{ DateStyle => 'Postgres, MDY', TimeZone => 'UTC', IntervalStyle => 'postgres_verbose' },
	{ DateStyle => 'ISO, YMD', TimeZone => 'America/New_York' },
	{ DateStyle => 'ISO, DMY', TimeZone => 'Europe/Dublin' },
	{ DateStyle => 'ISO, MDY', TimeZone => 'Africa/Monrovia' },
	{ extra_float_digits => 0 },
	{ extra_float_digits => 3, bytea_output => 'escape' },
	{ extra_float_digits => -15, bytea_output => 'escape', TimeZone => 'Asia/Tokyo' },
	{ client_encoding => 'LATIN1' },
	{ client_encoding => 'SQL_ASCII', bytea_output => 'hex' },
	{ client_encoding => 'WIN1252', bytea_output => 'escape' },
);

sub quoted
{
	my ($value) = @_;
	return $value =~ /^'/ ? $value : "'$value'";
}

$publisher->safe_psql('postgres',
	"CREATE DATABASE v TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'");
my $create = join ', ', map { "c$_ $columns[$_][0]" } 0 .. $#columns;
my $random = join ",\n", map { "$columns[$_][2]" } 0 .. $#columns;
$publisher->safe_psql('v', qq{
	CREATE DOMAIN positive AS int4 CHECK (VALUE > 0);
	CREATE TYPE label AS ENUM ('one', 'two');
	CREATE TABLE v (i int PRIMARY KEY, $create);
	ALTER TABLE v REPLICA IDENTITY FULL;
	CREATE PUBLICATION pub FOR TABLE v;
	SELECT pg_create_logical_replication_slot('core', 'pgoutput');
	SELECT pg_copy_logical_replication_slot('core', 'ours', false, '@{[plugin()]}');});

# Boundaries: one value of one type a row, the others NULL.
my @inserts;
foreach my $c (0 .. $#columns)
{
	my ($type, $values) = @{ $columns[$c] };
	push @inserts, map { "INSERT INTO v (i, c$c) VALUES (-nextval('n'), "
		  . quoted($_) . "::$type);" } @$values;
}
my $file = PostgreSQL::Test::Utils::tempdir() . '/values.sql';
append_to_file($file, join "\n", 'SET client_encoding = UTF8;',
	'SET DateStyle = ISO;', 'CREATE SEQUENCE n;', @inserts,
	qq{INSERT INTO v SELECT i, $random
	   FROM (SELECT i, random() r, random() s FROM generate_series(1, $rows) i) g;
	   UPDATE v SET i = i WHERE i % 10 = 0; DELETE FROM v WHERE i < 0;});
$publisher->command_ok(
	[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $publisher->connstr('v'), '-f', $file ],
	"$rows random rows and " . scalar(@inserts) . ' boundary values');

# Count of messages and a digest of all of them, in order.
sub digest_query
{
	my ($slot, $binary) = @_;
	return "SELECT count(*), md5(string_agg(md5(data), '' ORDER BY n)) FROM "
	  . '(SELECT data, row_number() OVER () n FROM '
	  . "pg_logical_slot_peek_binary_changes('$slot', NULL, NULL, "
	  . "'proto_version', '1', 'publication_names', 'pub', 'binary', '$binary')) m;";
}

my $compared = 0;
my %digests;
foreach my $setting (@settings)
{
	my $set = join ' ', map { "SET $_ = '$setting->{$_}';" } sort keys %$setting;
	foreach my $binary ('false', 'true')
	{
		my ($core, $ours) = split /\n/,
		  $publisher->safe_psql('v', $set . digest_query('core', $binary)
			  . digest_query('ours', $binary));
		is($ours, $core, "binary $binary: " . ($set || 'no setting'));
		$compared += (split /\|/, $core)[0];
		$digests{$core} = 1;
	}
}
cmp_ok(scalar(keys %digests), '>', 12, 'settings make a difference');
note "$compared messages compared, of ", scalar(@columns), ' types under ',
  scalar(@settings), ' settings';

# A setting changed while a walsender decodes counts from then on.
my @recvlogical = (
	'pg_recvlogical', '-d', $publisher->connstr('v'), '--no-loop', '--start',
	'-f', '-', '-o', 'proto_version=1', '-o', 'publication_names=pub2');
my %received = (core => '', ours => '');
my %client;
$publisher->safe_psql('v', qq{
	CREATE TABLE w (i int PRIMARY KEY, t timestamptz, f float8, b bytea);
	CREATE PUBLICATION pub2 FOR TABLE w;
	SELECT pg_replication_slot_advance(s, pg_current_wal_lsn()) FROM unnest(ARRAY['core', 'ours']) s;});
foreach my $slot (sort keys %received)
{
	$client{$slot} = IPC::Run::start([ @recvlogical, '-S', $slot ],
		'>', \$received{$slot}, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
}
my $i = 0;
foreach my $setting (
	{ TimeZone => 'UTC', DateStyle => 'ISO', extra_float_digits => 1, bytea_output => 'hex' },
	{ TimeZone => 'Asia/Tokyo', DateStyle => 'ISO', extra_float_digits => -10, bytea_output => 'escape' },
	{ TimeZone => 'America/New_York', DateStyle => 'SQL', extra_float_digits => 0, bytea_output => 'hex' })
{
	$i++;
	my %quoted = map { $_ => "'$setting->{$_}'" } keys %$setting;
	set_conf($publisher, %quoted);
	$publisher->poll_query_until('v', "SHOW TimeZone", $setting->{TimeZone});
	$publisher->safe_psql('v',
		"INSERT INTO w VALUES ($i, '2024-06-01 12:00:00.5Z', 0.1 + 0.2, '\\x615c00')");
	foreach my $slot (sort keys %client)
	{
		# whole, to its COMMIT
		$client{$slot}->pump
		  until (() = $received{$slot} =~ /I.{4}N.*?\nC\0.{24}\n/gs) >= $i;
	}
}
$_->kill_kill foreach values %client;
is(unpack('H*', $received{ours} =~ s/\n\z//r), unpack('H*', $received{core} =~ s/\n\z//r),
	'settings changed while walsenders decode');
like($received{ours}, qr/2024-06-01 12:00:00\.5\+00.*2024-06-01 21:00:00\.5\+09.*06\/01\/2024 08:00:00\.5 EDT/s,
	'each row under the setting of its time');

done_testing();
