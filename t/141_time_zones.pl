# Timestamps around every change of a time zone's rules are what the type's own
# function makes of them: jumps of an hour, of half an hour and of a day, local
# times with seconds, rules given as POSIX strings; in order and in disorder.

use strict;
use warnings FATAL => 'all';

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use StreamPgoutput;

my @zones = qw(UTC America/New_York America/Sao_Paulo America/St_Johns
  Europe/Dublin Europe/Amsterdam Africa/Casablanca Africa/Monrovia
  Asia/Kathmandu Asia/Tehran Australia/Lord_Howe Pacific/Apia
  Pacific/Kiritimati Antarctica/Troll);
my @posix_zones = ('<+0330>-3:30', 'EST5EDT', 'CET-1CEST,M3.5.0,M10.5.0/3', '<-0245>2:45');

my $publisher = new_publisher('publisher');

# Instants: every half hour, and a microsecond before and after it, of the six
# hours in which a zone's offset changed.
my $zones = join ', ', map { "'$_'" } @zones;
$publisher->safe_psql('postgres', qq{
	SET TimeZone = 'UTC';
	CREATE TABLE instants (id serial PRIMARY KEY, at timestamptz, plain timestamp, day date);
	CREATE PUBLICATION pub FOR TABLE instants;
	SELECT pg_create_logical_replication_slot('core', 'pgoutput');
	SELECT pg_copy_logical_replication_slot('core', 'ours', false, '@{[plugin()]}');
	CREATE TEMP TABLE changes AS
	SELECT DISTINCT t
	FROM unnest(ARRAY[$zones]) zone,
	  generate_series('1840-01-01', '2045-01-01', interval '6 hours') t
	WHERE (t AT TIME ZONE zone) + interval '6 hours'
	  <> ((t + interval '6 hours') AT TIME ZONE zone);
	CREATE TEMP TABLE chosen AS
	SELECT DISTINCT t + half * interval '30 minutes' + around * interval '1 microsecond' AS at
	FROM changes, generate_series(0, 12) half, generate_series(-1, 1) around;
	INSERT INTO instants (at, plain, day) SELECT at, at, at FROM chosen
	WHERE extract(microsecond FROM at)::int % 1000000 = 0 ORDER BY at;
	INSERT INTO instants (at, plain, day) SELECT at, at, at FROM chosen ORDER BY random();
	INSERT INTO instants (at, plain, day) SELECT t, t, t
	FROM unnest('{infinity, -infinity, 4713-01-02 BC, 0001-01-01 BC, 0001-12-31 23:59:59.999999 BC,
	  0001-01-01, 0001-01-02, 0001-01-01 23:59:59.5, 9999-12-30, 9999-12-31, 9999-12-31 23:59:59.999999,
	  10000-01-01, 10000-01-02, 294276-12-31 23:59:59.999999}'::timestamptz[]) t;});

sub digest
{
	my ($zone, $slot) = @_;

	return $publisher->safe_psql('postgres', qq{
		SET TimeZone = '$zone';
		SELECT count(*), md5(string_agg(md5(data), '' ORDER BY n)) FROM
		  (SELECT data, row_number() OVER () n FROM
		   pg_logical_slot_peek_binary_changes('$slot', NULL, NULL,
		     'proto_version', '1', 'publication_names', 'pub')) m});
}

my %digests;
foreach my $zone (@zones, @posix_zones)
{
	my $core = digest($zone, 'core');

	is(digest($zone, 'ours'), $core, "TimeZone $zone");
	$digests{$core} = 1;
	cmp_ok((split /\|/, $core)[0], '>', 10000, "$zone: messages");
}
is(scalar keys %digests, @zones + @posix_zones, 'zones make a difference');

done_testing();
