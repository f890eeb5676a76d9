# The row filter that stream_pgoutput_explain shows is the one that decides:
# its text, run as SQL over the old and new rows of what was done, tells which
# messages come.  And publications_sending are those that make it come: what
# they send alone, and what comes without them.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Utils;
use StreamPgoutput;
use Test::More;

my $plugin = plugin();
my $node = new_publisher('node');

# What is done is noted by triggers, where no publication can see it: old and
# new row, generated columns as well.
$node->safe_psql('postgres', q{
	CREATE EXTENSION stream_pgoutput;
	CREATE UNLOGGED TABLE history (n serial, xid xid, tab regclass, action text, old jsonb, new jsonb);
	CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
	  INSERT INTO history (xid, tab, action, old, new)
	    VALUES (pg_current_xact_id()::xid, TG_RELID, lower(TG_OP),
	            CASE WHEN TG_OP IN ('UPDATE', 'DELETE') THEN to_jsonb(OLD) END,
	            CASE WHEN TG_OP IN ('UPDATE', 'INSERT') THEN to_jsonb(NEW) END);
	  RETURN NULL;
	END $$;
	CREATE SCHEMA schema_of;
	CREATE TABLE plain (id int PRIMARY KEY, a int, b int, ok bool);
	CREATE TABLE schema_of.plain (id int PRIMARY KEY, a int, b int, ok bool);
	CREATE TABLE computed (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (a * 2) STORED, ok bool);
	CREATE TABLE root (id int, a int, b int, ok bool) PARTITION BY LIST (id);
	CREATE TABLE middle (ok bool, id int, b int, a int) PARTITION BY LIST (id);
	CREATE TABLE leaf (b int, gone text, ok bool, a int, id int);
	ALTER TABLE leaf DROP COLUMN gone;
	ALTER TABLE middle ATTACH PARTITION leaf DEFAULT;
	ALTER TABLE root ATTACH PARTITION middle DEFAULT;
	CREATE TABLE "Odd, ""name" (id int, "A b" int, "order" int);});
my @tables = ('plain', 'schema_of.plain', 'computed', 'leaf', '"Odd, ""name"');

foreach my $table (@tables)
{
	$node->safe_psql('postgres', qq{
		ALTER TABLE $table REPLICA IDENTITY FULL;
		CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON $table FOR EACH ROW EXECUTE FUNCTION note();
		CREATE TRIGGER note_all AFTER TRUNCATE ON $table EXECUTE FUNCTION note();});
}

# Publications whose filters overlap, exclude one another, are of one action
# only, or none.
my $with_generated = server_major() >= 18 ? ', publish_generated_columns = stored' : '';
my @publications = (
	q{positive FOR TABLE plain WHERE (a > 0)},
	q{negative FOR TABLE plain WHERE (a < 0) WITH (publish = 'insert, delete')},
	q{ok FOR TABLE plain WHERE (ok) WITH (publish = 'insert, update')},
	q{not_ok FOR TABLE plain WHERE (NOT ok OR b IS NULL)},
	q{both FOR TABLE plain WHERE (a > 0 AND b > 0)},
	q{none FOR TABLE plain WHERE (a > 0 AND a < 0)},
	q{updates FOR TABLE plain WITH (publish = 'update')},
	q{truncates FOR TABLE plain WITH (publish = 'truncate')},
	q{odd FOR TABLE "Odd, ""name" WHERE ("A b" > 0), schema_of.plain WHERE (CASE WHEN ok THEN a > 0 ELSE b > 0 END)},
	q{odd_deletes FOR TABLE "Odd, ""name" WHERE ("order" BETWEEN 0 AND 5 OR "order" IS NULL) WITH (publish = 'delete')},
	q{schema FOR TABLES IN SCHEMA schema_of WITH (publish = 'delete')},
	qq{everything FOR ALL TABLES WITH (publish = 'insert'$with_generated)},
	qq{everything_root FOR ALL TABLES WITH (publish = 'update', publish_via_partition_root$with_generated)},
	q{root FOR TABLE root WHERE (a > 1) WITH (publish_via_partition_root)},
	q{root_updates FOR TABLE root WHERE (a > 1) WITH (publish = 'update', publish_via_partition_root)},
	q{root_itself FOR TABLE root},
	q{middle FOR TABLE middle WHERE (b > 1) WITH (publish_via_partition_root)},
	q{middle_deletes FOR TABLE middle WHERE (b < 1) WITH (publish = 'delete', publish_via_partition_root)},
	q{leaf FOR TABLE leaf WHERE (ok) WITH (publish = 'insert, update')},
	q{leaf_too FOR TABLE leaf WHERE (a IN (0, 1)), root WHERE (b > 5) WITH (publish_via_partition_root)},
	qq{stored FOR TABLE computed WHERE (b > 4) WITH (publish = 'insert, update, delete'$with_generated)},
	qq{stored_inserts FOR TABLE computed WHERE (b < 0) WITH (publish = 'insert'$with_generated)});
$node->safe_psql('postgres', join ';', map { 'CREATE PUBLICATION ' . s/^(\w+)/"$1"/r } @publications);
my @names = map { /^(\w+)/ } @publications;
my @lists = (
	(map { [$_] } @names),
	map { [ split ' ' ] } 'positive negative', 'positive ok', 'ok both not_ok', 'negative updates', 'none updates',
	'positive negative ok not_ok both none updates truncates', 'none truncates', 'positive everything',
	'not_ok everything_root', 'odd odd_deletes', 'odd schema', 'odd everything', 'odd odd_deletes everything_root',
	'root leaf', 'root_updates leaf', 'root_itself leaf', 'root middle', 'middle leaf', 'middle root_itself',
	'middle middle_deletes leaf', 'root_updates middle leaf', 'leaf_too', 'leaf_too leaf', 'leaf_too root',
	'everything_root root', 'everything_root leaf', 'everything leaf', 'everything everything_root root middle leaf',
	'stored stored_inserts', 'stored everything_root', 'stored_inserts truncates', 'positive positive');

$node->safe_psql('postgres', "SELECT pg_create_logical_replication_slot('slot', '$plugin')");

# Every combination of values is written, changed to every other and deleted,
# each in a transaction of its own.
$node->safe_psql('postgres', q{
	CREATE PROCEDURE perform(tab text, cols text, old_row text, new_row text) LANGUAGE plpgsql AS $$
	BEGIN
	  EXECUTE format('INSERT INTO %s (%s) VALUES (%s)', tab, cols, old_row);
	  COMMIT;
	  EXECUTE format('UPDATE %s SET (%s) = ROW (%s)', tab, cols, new_row);
	  COMMIT;
	  EXECUTE format('DELETE FROM %s', tab);
	  COMMIT;
	END $$;});
my @values = ('-3, NULL, NULL', '0, 0, false', '1, -1, true', '3, 7, true', 'NULL, 3, false');
my %columns = (
	'computed' => 'id, a, ok',
	'"Odd, ""name"' => 'id, "A b", "order"');
foreach my $table (@tables)
{
	my @calls;

	foreach my $old (@values)
	{
		foreach my $new (@values)
		{
			my ($from, $to) = map {
				my ($a, $b, $ok) = split ', ';
				$table eq 'computed' ? "1, $a, $ok" : $table =~ /Odd/ ? "1, $a, $b" : "1, $a, $b, $ok"
			} $old, $new;
			push @calls, sprintf q{CALL perform('%s', '%s', '%s', '%s')}, $table, $columns{$table} // 'id, a, b, ok', $from, $to;
		}
	}
	$node->safe_psql('postgres', join ";\n", @calls, "TRUNCATE $table");
}
my $done = $node->safe_psql('postgres', 'SELECT count(*) FROM history');
is($done, @tables * (3 * @values**2 + 1), "$done changes were made");

# What explain says should come of the table: of each change, by the text of
# the filter.
$node->safe_psql('postgres', q{
	CREATE FUNCTION foresee(publications text[], tab regclass) RETURNS TABLE (n int, message text) LANGUAGE plpgsql AS $$
	DECLARE
	  said record;
	BEGIN
	  FOR said IN SELECT * FROM stream_pgoutput_explain(publications, tab) e WHERE e.sent LOOP
	    RETURN QUERY EXECUTE format(
	      'SELECT h.n, m.action || '' '' || %L
	       FROM history h
	       JOIN LATERAL (SELECT
	         (SELECT %2$s FROM jsonb_populate_record(NULL::%3$s, h.old)) IS TRUE AS was,
	         (SELECT %2$s FROM jsonb_populate_record(NULL::%3$s, h.new)) IS TRUE AS is) f ON true
	       JOIN LATERAL (SELECT CASE h.action
	         WHEN ''insert'' THEN CASE WHEN f.is THEN ''insert'' END
	         WHEN ''delete'' THEN CASE WHEN f.was THEN ''delete'' END
	         WHEN ''update'' THEN
	           CASE WHEN f.was AND f.is THEN ''update'' WHEN f.is THEN ''insert'' WHEN f.was THEN ''delete'' END
	         ELSE h.action END AS action) m ON m.action IS NOT NULL
	       WHERE h.tab = %4$L::regclass AND h.action = %5$L',
	      (SELECT format('%I.%I', nspname, relname) FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace
	       WHERE c.oid = said.sent_as),
	      coalesce(said.row_filter, 'true'), said.sent_as, tab::text, said.action);
	  END LOOP;
	END $$;
	CREATE FUNCTION see(publications text[]) RETURNS TABLE (n int, message text) LANGUAGE sql AS $$
	  SELECT h.n, p.action || ' ' || p.relation
	  FROM stream_pgoutput_peek('slot', publications) p JOIN history h ON h.xid = p.xid
	  WHERE p.action IS NOT NULL
	$$;});

sub as_array
{
	return "'{" . join(',', @_) . "}'";
}

my %seen;
foreach my $list (@lists)
{
	my $array = as_array(@$list);
	my $result = $node->safe_psql('postgres', qq{
		SELECT coalesce(sum((s.n IS NOT NULL)::int), 0), coalesce(string_agg(
		    format('%s %s %s -> %s: %s, not %s', h.tab, h.action, h.old, h.new, s.message, f.message), E'\\n')
		    FILTER (WHERE s.message IS DISTINCT FROM f.message), 'as said')
		FROM see($array) s
		FULL JOIN (SELECT f.* FROM unnest(ARRAY[@{[join ', ', map { "'$_'" } @tables]}]::regclass[]) t, foresee($array, t) f)
		  f USING (n)
		JOIN history h USING (n)});
	my ($count, $difference) = split /\|/, $result, 2;

	is($difference, 'as said', "@$list: $count messages are those that the filters tell");
	$seen{$_} += $count foreach @$list;
}
cmp_ok($seen{$_}, '>', 0, "$_: something of it came") foreach grep { $_ ne 'none' } sort keys %seen;

# ---------------------------------------------------------------------------
# publications_sending
# ---------------------------------------------------------------------------

# Which actions on which tables these publications really send: {table action}.
my %really;
sub really
{
	my @list = sort @_;

	return $really{"@list"} //= {
		map { $_ => 1 } @list ? split /\n/, $node->safe_psql('postgres', qq{
			SELECT DISTINCT h.tab || ' ' || h.action FROM see(@{[as_array(@list)]}) JOIN history h USING (n)}) : ()
	};
}

foreach my $list (grep { @$_ > 1 } @lists)
{
	my @wrong;
	my $rows = $node->safe_psql('postgres', qq{
		SELECT t, action, array_to_string(publications_sending, ',')
		FROM unnest(ARRAY[@{[join ', ', map { "'$_'" } @tables]}]::regclass[]) t,
		  stream_pgoutput_explain(@{[as_array(@$list)]}, t)});

	foreach my $row (split /\n/, $rows)
	{
		my ($table, $action, $names) = split /\|/, $row, -1;
		my @senders = split /,/, $names;
		my %sends = map { $_ => 1 } @senders;
		my @others = grep { !$sends{$_} } @$list;
		my $what = "$table $action";

		# A filter that no row passes sends nothing.
		next if $names eq 'none';
		push @wrong, "$what: nothing of @senders" if @senders && !really(@senders)->{$what};
		push @wrong, "$what: comes without @senders" if @senders && really(@others)->{$what};
		push @wrong, "$what: nothing of $_ alone" foreach grep { $_ ne 'none' && !really($_)->{$what} } @senders;
		push @wrong, "$what: comes, by nobody" if !@senders && really(@$list)->{$what};
		push @wrong, "$what: @senders, one of them twice" if keys %sends != @senders;
	}
	is(join("\n", @wrong), '', "@$list: publications_sending are those that send");
}

$node->stop;
done_testing();
