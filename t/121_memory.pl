# Memory of a walsender, and of a backend that decodes again and again, does not
# grow with events: after a warm-up, thousands of rounds of everything that
# makes the plugin build, rebuild, forget or fail leave it as it was.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

use IPC::Run;

# What may be gained per round, in bytes, and in all: the allocator is no exact
# instrument.
my $per_round = 400;
my $in_all = 512 * 1024;

# A sanitizer's allocator keeps what is freed in a quarantine of 4 MB, and pads
# every allocation.
$in_all += 8 * 1024 * 1024 if ($ENV{LD_PRELOAD} // '') =~ /libasan/;

my $plugin = plugin();
my $node = new_publisher('node');

$node->safe_psql('postgres', q{
	CREATE EXTENSION dblink;
	CREATE TYPE mood AS ENUM ('sad', 'happy');
	CREATE TABLE root (a int, b text, m mood) PARTITION BY RANGE (a);
	CREATE TABLE leaf (m mood, x int, b text, a int);
	ALTER TABLE leaf DROP COLUMN x;
	ALTER TABLE root ATTACH PARTITION leaf DEFAULT;
	ALTER TABLE leaf REPLICA IDENTITY FULL;
	CREATE TABLE plain (id int PRIMARY KEY, b text, c int, m mood);
	CREATE TABLE listed (id int PRIMARY KEY, b text, c int);
	CREATE TABLE filtered (id int, b text);
	CREATE TABLE unpublished (id int, b text);
	CREATE SCHEMA s;
	CREATE PUBLICATION rooted FOR TABLE root WHERE (a > 0 AND b <> 'x')
	  WITH (publish_via_partition_root = true);
	CREATE PUBLICATION changing FOR TABLE plain;
	CREATE PUBLICATION cut FOR TABLE filtered WHERE (id < 0)
	  WITH (publish = 'insert, truncate');
	CREATE PUBLICATION schema_s FOR TABLES IN SCHEMA s;
	CREATE PUBLICATION list_b FOR TABLE listed (id, b);
	CREATE PUBLICATION list_c FOR TABLE listed (id, c);
	INSERT INTO plain VALUES (0, 'b', 0, 'sad');

	-- A table is altered, and used: its entry is built again.
	CREATE PROCEDURE round_altered(i int) LANGUAGE plpgsql AS $$
	BEGIN
	  EXECUTE format('ALTER TABLE leaf ALTER b SET STATISTICS %s', i % 100);
	  INSERT INTO root VALUES (i + 1, 'row', 'happy');
	  UPDATE root SET b = 'changed' WHERE a = i + 1;
	  DELETE FROM root;
	END $$;

	-- A publication is changed, and its table used.
	CREATE PROCEDURE round_publication(i int) LANGUAGE plpgsql AS $$
	BEGIN
	  CASE i % 3
	  WHEN 0 THEN ALTER PUBLICATION changing SET TABLE plain (id, b);
	  WHEN 1 THEN ALTER PUBLICATION changing SET TABLE plain WHERE (id <> 5);
	  ELSE ALTER PUBLICATION changing SET TABLE plain, TABLES IN SCHEMA s;
	  END CASE;
	  UPDATE plain SET c = i;
	END $$;

	-- Nothing of it is sent.
	CREATE PROCEDURE round_cut(i int) LANGUAGE plpgsql AS $$
	BEGIN
	  INSERT INTO filtered SELECT g, 'filtered' FROM generate_series(1, 20) g;
	  INSERT INTO unpublished SELECT g, 'unpublished' FROM generate_series(1, 20) g;
	  DELETE FROM filtered;
	  PERFORM pg_logical_emit_message(true, 'prefix', 'content');
	  PERFORM pg_logical_emit_message(false, 'prefix', 'content');
	  TRUNCATE unpublished;
	END $$;

	-- A table that is made, used and dropped.
	CREATE PROCEDURE round_dropped(i int) LANGUAGE plpgsql AS $$
	BEGIN
	  CREATE TABLE s.short_lived (a int, b text, m mood, c numeric);
	  INSERT INTO s.short_lived VALUES (i, 'b', 'sad', 1.5);
	  COMMIT;
	  DROP TABLE s.short_lived;
	END $$;

	-- Streamed, with parts rolled back, every other time as a whole.
	CREATE PROCEDURE round_streamed(i int) LANGUAGE plpgsql AS $$
	BEGIN
	  UPDATE plain SET c = i;
	  FOR part IN 1 .. 3 LOOP
	    BEGIN
	      INSERT INTO root SELECT g, repeat('s', 100), 'sad' FROM generate_series(1, 300) g;
	      ALTER TABLE plain SET (fillfactor = 90);
	      UPDATE plain SET c = -i;
	      RAISE EXCEPTION 'roll back';
	    EXCEPTION WHEN raise_exception THEN
	      INSERT INTO unpublished SELECT g, repeat('u', 100) FROM generate_series(1, 300) g;
	    END;
	  END LOOP;
	  TRUNCATE unpublished;
	  IF i % 2 = 0 THEN
	    ROLLBACK;
	  END IF;
	END $$;

	-- Rounds, each a transaction, or two.
	CREATE PROCEDURE rounds(kind text, n int) LANGUAGE plpgsql AS $$
	BEGIN
	  FOR i IN 1 .. n LOOP
	    CASE kind
	    WHEN 'altered' THEN CALL round_altered(i);
	    WHEN 'publication' THEN CALL round_publication(i);
	    WHEN 'cut' THEN CALL round_cut(i);
	    WHEN 'dropped' THEN CALL round_dropped(i);
	    WHEN 'streamed' THEN CALL round_streamed(i);
	    END CASE;
	    COMMIT;
	  END LOOP;
	END $$;

	-- For the backend: the same, done by another session, each round decoded
	-- twice here, and in between a call that fails.
	CREATE PROCEDURE decoded_rounds(kind text, n int) LANGUAGE plpgsql AS $$
	DECLARE
	  failed int := 0;
	BEGIN
	  FOR i IN 1 .. n LOOP
	    PERFORM dblink_exec('writer', format('CALL round_%s(%s)', kind, i));
	    PERFORM dblink_exec('writer', 'INSERT INTO listed VALUES (1); DELETE FROM listed');
	    PERFORM count(*) FROM pg_logical_slot_peek_binary_changes('backend', NULL, NULL,
	      'proto_version', '2', 'streaming', 'on',
	      'publication_names', 'rooted,changing,cut,schema_s,list_b');
	    COMMIT;
	    BEGIN
	      PERFORM count(*) FROM pg_logical_slot_peek_binary_changes('backend', NULL, NULL,
	        'proto_version', '2', 'streaming', 'on',
	        'publication_names', 'rooted,changing,cut,schema_s,list_b,list_c');
	    EXCEPTION WHEN feature_not_supported THEN
	      failed := failed + 1;
	    END;
	    COMMIT;
	    PERFORM count(*) FROM pg_logical_slot_get_binary_changes('backend', NULL, NULL,
	      'proto_version', '1', 'binary', 'true',
	      'publication_names', 'rooted,changing,cut,schema_s,list_c');
	    COMMIT;
	    -- Later calls need not begin where this one did.
	    IF i % 10 = 0 THEN
	      PERFORM dblink_exec('writer', 'CHECKPOINT');
	    END IF;
	  END LOOP;
	  IF failed <> n THEN
	    RAISE EXCEPTION '% of % calls failed', failed, n;
	  END IF;
	END $$;});

# Runs rounds until they are done and decoded, first a warm-up, then twice as
# many with their memory measured.
sub measure
{
	my ($what, $pid, $n, $run) = @_;

	$run->(int($n / 2));
	my $before = process_memory($pid, 'RssAnon');
	$run->($n);
	my $growth = process_memory($pid, 'RssAnon') - $before;
	my $limit = $in_all + $n * $per_round;
	note sprintf '%s: %d rounds, %d kB, growth %d kB', $what, $n,
	  $before / 1024, $growth / 1024;
	cmp_ok($growth, '<', $limit,
		sprintf '%s: growth over %d rounds', $what, $n);
	return;
}

my %rounds = (
	altered => 400,
	publication => 400,
	cut => 400,
	dropped => 400,
	streamed => 40);

# A walsender.
$node->safe_psql('postgres',
	"SELECT pg_create_logical_replication_slot('walsender', '$plugin')");
my $complaint = '';
my $client = IPC::Run::start(
	[
		'pg_recvlogical', '--start', '--no-loop',
		'--dbname' => $node->connstr('postgres'),
		'--slot' => 'walsender',
		'--file' => '/dev/null',
		'--status-interval' => 1,
		(map { ('--option' => $_) } 'proto_version=2', 'streaming=on',
			'publication_names=rooted,changing,cut,schema_s,list_b')
	],
	'2>' => \$complaint);
my $pid = walsender_pid($node, 'walsender');
foreach my $kind (sort keys %rounds)
{
	measure("walsender, $kind", $pid, $rounds{$kind}, sub {
		my ($n) = @_;
		for (my $done = 0; $done < $n; $done += 100)
		{
			# Dead rows of the catalogs would make all of it slow.
			$node->safe_psql('postgres',
				"CALL rounds('$kind', 100); CHECKPOINT; VACUUM");
		}
		my $lsn = $node->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
		wait_until($node,
			"SELECT confirmed_flush_lsn >= '$lsn' FROM pg_replication_slots "
			  . q{WHERE slot_name = 'walsender'})
		  or die 'the walsender did not come to the end';
	});
}
is(walsender_pid($node, 'walsender'), $pid, 'it was one process');
is($complaint, '', 'the client has no complaint');
$client->kill_kill;
wait_until($node,
	q{SELECT NOT active FROM pg_replication_slots WHERE slot_name = 'walsender'});
$node->safe_psql('postgres', q{SELECT pg_drop_replication_slot('walsender')});
$node->safe_psql('postgres', 'VACUUM');

# A backend.
$node->safe_psql('postgres',
	"SELECT pg_create_logical_replication_slot('backend', '$plugin')");
my $backend = $node->background_psql('postgres');
$backend->set_query_timer_restart;
$backend->query_safe(q{
	SELECT dblink_connect('writer', 'dbname=postgres port=' || current_setting('port')
	  || ' host=' || current_setting('unix_socket_directories'))});
$pid = $backend->query_safe('SELECT pg_backend_pid()');
foreach my $kind (sort keys %rounds)
{
	measure("backend, $kind", $pid, int($rounds{$kind} / 3), sub {
		my ($n) = @_;
		for (my $done = 0; $done < $n; $done += 10)
		{
			$backend->query_safe("CALL decoded_rounds('$kind', 10)");
			$node->safe_psql('postgres', 'VACUUM') if $done % 50 == 0;
		}
	});
}
$backend->quit;

done_testing();
