# Decoding on a standby: both plugins read there what the primary has written,
# with the same bytes as if they did so on the primary.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => '15 cannot decode on a standby' if server_major() < 16;

my $primary = new_diff_publisher('primary');
my $standby = new_standby($primary, 'standby');

# As long as this slot is there, the primary keeps the catalogs for those that
# come and go; feedback takes a moment to say so.
new_slot_on_standby($primary, $standby, 'keeper');
poll_ok($primary,
	q{SELECT catalog_xmin IS NOT NULL FROM pg_replication_slots WHERE slot_name = 'standby'},
	'the primary keeps catalog rows for the standby');

# A row filter, a column list and partitions, sent as their root and as
# themselves, plain and streamed.
my $rows = PostgreSQL::Test::Utils::tempdir() . '/rows.sql';
append_to_file($rows, <<'END');
--@ sees BCRIUDTScE
--@ publications root | leaves | part
--@ matrix proto=1,4 streaming=off,parallel binary=false messages=false origin=any
CREATE TABLE t (id int PRIMARY KEY, a text, b int) PARTITION BY RANGE (id);
CREATE TABLE low (b int, gone int, a text, id int PRIMARY KEY);
ALTER TABLE low DROP COLUMN gone;
ALTER TABLE t ATTACH PARTITION low FOR VALUES FROM (0) TO (1000);
CREATE TABLE high PARTITION OF t FOR VALUES FROM (1000) TO (9000);
CREATE TABLE u (id int PRIMARY KEY, a text);
CREATE PUBLICATION root FOR TABLE t (id, a) WHERE (id % 3 > 0), u
  WITH (publish_via_partition_root = true);
CREATE PUBLICATION leaves FOR TABLE t;
CREATE PUBLICATION part FOR TABLE high (id, a) WHERE (id > 2000), u;
--@ run
INSERT INTO t SELECT g, 'row', g FROM generate_series(1, 20) g;
UPDATE t SET id = id + 100 WHERE id IN (15, 20);
UPDATE t SET id = 2001 WHERE id = 1;
TRUNCATE u;
ALTER TABLE t ADD c int DEFAULT 7;
INSERT INTO t SELECT g, repeat('x', 100), g FROM generate_series(3001, 3600) g;
DELETE FROM t WHERE id < 10;
END

# All there are: prove t/180_standby_diff.pl :: t/scenarios/*.sql
my @scenarios = @ARGV ? @ARGV
  : ($rows, map { scenarios($_) } qw(prepared_streamed stream_confirmed_middle));
diff_scenarios(stream_diff($primary, '--standby', $standby->connstr('postgres'),
		@scenarios));

$standby->stop;
$primary->stop;
done_testing();
