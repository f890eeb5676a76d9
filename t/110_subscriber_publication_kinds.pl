# Core's subscriber and all that a publication can say: a partition root, row
# filters, column lists, full replica identity, schemas, all tables, and which
# actions are published.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = new_publisher('publisher');
my $subscriber = new_subscriber('subscriber');

# The subscriber has a plain table for the partition root, and keys in
# another order of columns.
$publisher->safe_psql('postgres', q{
	CREATE TABLE root (a int, b text, c int, PRIMARY KEY (a, c)) PARTITION BY LIST (c);
	CREATE TABLE leaf1 (c int NOT NULL, b text, a int NOT NULL);
	ALTER TABLE root ATTACH PARTITION leaf1 FOR VALUES IN (1);
	CREATE TABLE mid (x int, a int NOT NULL, b text, c int NOT NULL) PARTITION BY LIST (c);
	ALTER TABLE mid DROP COLUMN x;
	ALTER TABLE root ATTACH PARTITION mid FOR VALUES IN (2, 3);
	CREATE TABLE leaf2 PARTITION OF mid FOR VALUES IN (2);
	CREATE TABLE leaf3 PARTITION OF mid FOR VALUES IN (3);
	CREATE TABLE filtered (id int PRIMARY KEY, v int, body text);
	ALTER TABLE filtered REPLICA IDENTITY FULL;
	CREATE TABLE listed (id int PRIMARY KEY, secret text, shown text, other int);
	CREATE TABLE full_id (a int, b text, gone int, c text);
	ALTER TABLE full_id DROP COLUMN gone;
	ALTER TABLE full_id REPLICA IDENTITY FULL;
	CREATE TABLE by_index (a int, b text, k int NOT NULL);
	CREATE UNIQUE INDEX by_index_k ON by_index (k);
	ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_k;
	CREATE TABLE inserts_only (a int, b text);
	CREATE SCHEMA s;
	CREATE TABLE s.one (id int PRIMARY KEY, body text);
	CREATE TABLE s.two (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub_root FOR TABLE root
	  WITH (publish_via_partition_root = true);
	CREATE PUBLICATION pub_rows FOR TABLE filtered WHERE (v > 10 AND body <> 'x'),
	  listed (id, shown), full_id, by_index;
	CREATE PUBLICATION pub_inserts FOR TABLE inserts_only WITH (publish = 'insert');
	CREATE PUBLICATION pub_schema FOR TABLES IN SCHEMA s;});
$subscriber->safe_psql('postgres', q{
	CREATE TABLE root (c int, a int, b text, PRIMARY KEY (a, c));
	CREATE TABLE filtered (id int PRIMARY KEY, v int, body text);
	CREATE TABLE listed (shown text, id int PRIMARY KEY, secret text DEFAULT 'not sent');
	CREATE TABLE full_id (a int, b text, c text);
	CREATE TABLE by_index (k int PRIMARY KEY, a int, b text);
	CREATE TABLE inserts_only (a int, b text);
	CREATE SCHEMA s;
	CREATE TABLE s.one (id int PRIMARY KEY, body text);
	CREATE TABLE s.two (id int PRIMARY KEY, body text);});

my $tables = 'root, filtered, listed, full_id, by_index, inserts_only, s.one, s.two';

foreach my $route (routes())
{
	$_->safe_psql('postgres', "TRUNCATE $tables") for $publisher, $subscriber;
	create_subscription($publisher, $subscriber,
		route => $route,
		publication => 'pub_root, pub_rows, pub_inserts, pub_schema',
		options => { streaming => 'on' });

	# Small transactions first, then one big one that is streamed.
	foreach my $range ([ 1, 60 ], [ 1001, 3000 ])
	{
		my ($first, $last) = @$range;
		$publisher->safe_psql('postgres', qq{
			BEGIN;
			INSERT INTO root SELECT i, 'row ' || i, i % 3 + 1
			  FROM generate_series($first, $last) i;
			UPDATE root SET b = upper(b) WHERE a % 5 = 0 AND a >= $first;
			UPDATE root SET c = c % 3 + 1 WHERE a % 7 = 0 AND a >= $first;
			DELETE FROM root WHERE a % 11 = 0;
			COMMIT;
			BEGIN;
			INSERT INTO filtered SELECT i, i % 40, CASE WHEN i % 6 = 0 THEN 'x' ELSE 'y' END
			  FROM generate_series($first, $last) i;
			UPDATE filtered SET v = v + 7 WHERE id >= $first;
			UPDATE filtered SET v = v - 9, body = 'z' WHERE id % 3 = 0 AND id >= $first;
			UPDATE filtered SET v = NULL WHERE id % 13 = 0;
			DELETE FROM filtered WHERE id % 9 = 0;
			COMMIT;
			BEGIN;
			INSERT INTO listed SELECT i, 'secret', 'shown ' || i, i
			  FROM generate_series($first, $last) i;
			UPDATE listed SET secret = 'changed', shown = shown || '!' WHERE id % 2 = 0;
			UPDATE listed SET id = -id WHERE id % 17 = 0;
			COMMIT;
			BEGIN;
			INSERT INTO full_id SELECT i % 10, NULLIF(i % 4, 0)::text, repeat(i::text, 1000)
			  FROM generate_series($first, $first + 59) i;
			UPDATE full_id SET b = 'b' WHERE a = 3;
			DELETE FROM full_id WHERE a = 7;
			COMMIT;
			BEGIN;
			INSERT INTO by_index SELECT i, 'k' || i, -i
			  FROM generate_series($first, $last) i;
			UPDATE by_index SET k = k - 1000000, b = 'moved' WHERE a % 8 = 0 AND a >= $first;
			DELETE FROM by_index WHERE a % 10 = 1;
			COMMIT;
			INSERT INTO s.one SELECT i, 'one' FROM generate_series($first, $last) i;
			INSERT INTO s.two SELECT i, 'two' FROM generate_series($first, $last) i;
			UPDATE s.two SET body = 'two again' WHERE id % 2 = 0;
			INSERT INTO inserts_only VALUES ($first, 'kept');
			UPDATE inserts_only SET b = 'not published';
			DELETE FROM inserts_only;});
		same_tables($publisher, $subscriber, 'sub',
			[ 'root', '(SELECT a, b, c FROM root)' ],
			[ q{(SELECT * FROM filtered WHERE v > 10 AND body <> 'x')}, 'filtered' ],
			[ q{(SELECT id, shown, 'not sent' FROM listed)},
			  '(SELECT id, shown, secret FROM listed)' ],
			'full_id',
			[ 'by_index', '(SELECT a, b, k FROM by_index)' ],
			's.one', 's.two');
	}
	is( $subscriber->safe_psql('postgres',
			'SELECT * FROM inserts_only ORDER BY a'),
		"1|kept\n1001|kept", "$route: only inserts are published");

	# A table that joins the schema, and a partition that joins the root.
	$_->safe_psql('postgres', 'CREATE TABLE s.three (id int PRIMARY KEY)')
	  for $publisher, $subscriber;
	$publisher->safe_psql('postgres', q{
		CREATE TABLE leaf4 PARTITION OF root FOR VALUES IN (4);
		INSERT INTO root VALUES (1, 'fourth', 4);
		INSERT INTO s.three VALUES (1);});
	$subscriber->safe_psql('postgres',
		'ALTER SUBSCRIPTION sub REFRESH PUBLICATION');
	wait_ready($publisher, $subscriber, 'sub');
	$publisher->safe_psql('postgres', 'INSERT INTO s.three VALUES (2)');
	same_tables($publisher, $subscriber, 'sub', 's.three',
		[ 'root', '(SELECT a, b, c FROM root)' ]);

	# Truncate of the root, and of a leaf, which is not sent through a root.
	$publisher->safe_psql('postgres', q{TRUNCATE root, s.one, full_id});
	same_tables($publisher, $subscriber, 'sub', 's.one', 'full_id',
		[ 'root', '(SELECT a, b, c FROM root)' ]);

	$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION sub');
	$_->safe_psql('postgres', 'DROP TABLE s.three') for $publisher, $subscriber;
	$publisher->safe_psql('postgres', 'DROP TABLE leaf4');
}

# All tables in one publication.
$_->safe_psql('postgres', "TRUNCATE $tables") for $publisher, $subscriber;
$subscriber->safe_psql('postgres', q{
	ALTER TABLE root RENAME TO leaf1;
	CREATE TABLE leaf2 (LIKE leaf1 INCLUDING ALL);
	CREATE TABLE leaf3 (LIKE leaf1 INCLUDING ALL);
	ALTER TABLE listed ADD COLUMN other int;});
$publisher->safe_psql('postgres', 'CREATE PUBLICATION pub_all FOR ALL TABLES');
create_subscription($publisher, $subscriber,
	route => 'slot',
	publication => 'pub_all',
	options => { streaming => 'on' });
$publisher->safe_psql('postgres', q{
	INSERT INTO root SELECT i, 'leaf', i % 3 + 1 FROM generate_series(1, 300) i;
	UPDATE root SET c = c % 3 + 1 WHERE a % 7 = 0;
	INSERT INTO filtered VALUES (1, 1, 'x');
	INSERT INTO listed VALUES (1, 'sent now', 'shown', 2);});
same_tables($publisher, $subscriber, 'sub',
	(map { [ "(SELECT a, b, c FROM $_)", "(SELECT a, b, c FROM $_)" ] }
		  qw(leaf1 leaf2 leaf3)),
	'filtered',
	[ 'listed', '(SELECT id, secret, shown, other FROM listed)' ]);

done_testing();
