# Core's subscriber with binary = true: values of all kinds of types in their
# send form, text where a type has none.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

$_->safe_psql('postgres', q{
	CREATE TYPE mood AS ENUM ('sad', 'so so', 'happy');
	CREATE DOMAIN positive AS int CHECK (value > 0);
	CREATE TYPE pair AS (a int, b text);
	CREATE TABLE kinds (
	  id int PRIMARY KEY, i2 smallint, i8 bigint, f4 real, f8 float8,
	  n numeric, b bool, t text, v varchar(20), c char(5), ba bytea,
	  d date, ts timestamp, tz timestamptz, iv interval, u uuid, j json,
	  jb jsonb, ip inet, mac macaddr, bits bit varying, r int4range,
	  p point, ia int[], ta text[], m mood, dom positive, comp pair,
	  acl aclitem);
	CREATE TABLE narrow (id int PRIMARY KEY, v bigint);})
  for $publisher, $subscriber;
$subscriber->safe_psql('postgres', 'ALTER TABLE narrow ALTER v TYPE int');
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub FOR TABLE kinds, narrow');

foreach my $route (routes())
{
	$_->safe_psql('postgres', 'TRUNCATE kinds, narrow')
	  for $publisher, $subscriber;
	create_subscription($publisher, $subscriber,
		route => $route,
		# The initial copy would ask for binary too, and aclitem has none.
		options =>
		  { binary => 'true', streaming => 'on', copy_data => 'false' });

	$publisher->safe_psql('postgres', q{
		INSERT INTO kinds VALUES (1, -2, 9007199254740993, 1.5, 'NaN',
		  -1234567.000089, true, 'häßlich', 'v', 'c', '\x00ff10',
		  '2000-02-29', 'infinity', '1999-12-31 23:59:59.999999+00',
		  '1 year -3 days 04:05:06.7', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
		  '{"a": [1, null]}', '{"b": {"c": "\u00e9"}}', '192.168.0.0/24',
		  '08:00:2b:01:02:03', '10110', '[3,7)', '(1.5,-2)', '{{1,2},{3,NULL}}',
		  '{"a b",NULL,""}', 'so so', 7, '(8,"x, y")', 'postgres=r/postgres');
		INSERT INTO kinds (id) VALUES (2);
		INSERT INTO kinds SELECT i, i % 100, i * 1000000007::bigint, i / 3.0, i / 7.0,
		  i / 11.0, i % 2 = 0, md5(i::text), left(md5(i::text), 20), 'c',
		  sha256(i::text::bytea), date '2000-01-01' + i, now(), now(),
		  i * interval '1 minute', md5(i::text)::uuid, to_json(i), to_jsonb(i),
		  '10.0.0.1', NULL, i::bit(12)::varbit, int4range(i, i + 5), point(i, i),
		  ARRAY[i, NULL], ARRAY[i::text], 'happy', i, ROW(i, i::text)::pair, NULL
		FROM generate_series(3, 2000) i;
		UPDATE kinds SET m = 'sad', comp = ROW(1, NULL)::pair WHERE id % 5 = 0;
		UPDATE kinds SET id = -id WHERE id % 9 = 0;
		DELETE FROM kinds WHERE id % 11 = 0;});
	same_tables($publisher, $subscriber, 'sub', 'kinds');

	# The proof that values came in binary: a column that is narrower here
	# takes text, but no binary.
	my $log = -s $subscriber->logfile;
	$publisher->safe_psql('postgres', 'INSERT INTO narrow VALUES (1, 42)');
	$subscriber->wait_for_log(
		qr/incorrect binary data format in logical replication column 2/, $log);
	pass("$route: binary values were sent");
	$subscriber->safe_psql('postgres',
		'ALTER SUBSCRIPTION sub SET (binary = false)');
	same_tables($publisher, $subscriber, 'sub', 'narrow', 'kinds');
	is($subscriber->safe_psql('postgres', 'SELECT * FROM narrow'),
		'1|42', "$route: text after the option was changed");

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
}

done_testing();
