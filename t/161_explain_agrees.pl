# What stream_pgoutput_explain says is what the decoder does: for tables of all
# kinds and lists of publications, every action is performed and decoded, and
# what came, as which table and with which columns, is compared with what was
# said.  Where it says that the server refuses a statement, it must have.

use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Utils;
use StreamPgoutput;
use Test::More;

my $publisher = new_publisher('publisher', "max_replication_slots = 30\n");
my $from_18 = server_major() >= 18;
my $stored = $from_18 ? 'publish_generated_columns = stored, ' : '';
my $listed = $from_18 ? ' (id, b)' : ' (id)';
my $virtual = $from_18 ? 'VIRTUAL' : 'STORED';
my $long = 'p_' . 'n' x 61;

$publisher->safe_psql('postgres', qq{
	CREATE EXTENSION stream_pgoutput;
	CREATE SCHEMA other;
	CREATE TABLE keyed (id int PRIMARY KEY, a int, b int);
	CREATE TABLE keyless (id int, a int, b int);
	CREATE TABLE whole (id int, a int, b int);
	ALTER TABLE whole REPLICA IDENTITY FULL;
	CREATE TABLE nothing (id int PRIMARY KEY, a int, b int);
	ALTER TABLE nothing REPLICA IDENTITY NOTHING;
	CREATE TABLE other.elsewhere (id int PRIMARY KEY, a int, b int);
	CREATE TABLE computed (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (a + 1) STORED);
	CREATE TABLE root (id int PRIMARY KEY, a int, b int) PARTITION BY RANGE (id);
	CREATE TABLE leaf (b int, a int, id int NOT NULL);
	ALTER TABLE leaf ADD PRIMARY KEY (id);
	ALTER TABLE root ATTACH PARTITION leaf FOR VALUES FROM (0) TO (1000);
	CREATE TABLE seeming (id int PRIMARY KEY, b int GENERATED ALWAYS AS (a + 1) $virtual, a int);
	CREATE TABLE computed_key (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (1) STORED NOT NULL UNIQUE);
	ALTER TABLE computed_key REPLICA IDENTITY USING INDEX computed_key_b_key;
	CREATE TABLE computed_root (id int PRIMARY KEY, a int, b int GENERATED ALWAYS AS (a + 1) STORED) PARTITION BY RANGE (id);
	CREATE TABLE computed_leaf (b int GENERATED ALWAYS AS (a + 1) STORED, gone int, id int NOT NULL, a int);
	ALTER TABLE computed_leaf DROP COLUMN gone, ADD PRIMARY KEY (id);
	ALTER TABLE computed_root ATTACH PARTITION computed_leaf DEFAULT;
	CREATE UNLOGGED TABLE unlogged (id int PRIMARY KEY, a int, b int);
	CREATE PUBLICATION p_empty;
	CREATE PUBLICATION p_all FOR ALL TABLES WITH (publish = 'insert, update');
	CREATE PUBLICATION p_keyed FOR TABLE keyed;
	CREATE PUBLICATION p_list FOR TABLE keyed (id, b), whole WITH (publish = 'insert, truncate');
	CREATE PUBLICATION p_filter FOR TABLE keyed WHERE (id > 0), keyless WHERE (a > 0) WITH (publish = 'insert');
	CREATE PUBLICATION p_outside FOR TABLE nothing, whole WHERE (a > 0) WITH (publish = 'update, delete');
	CREATE PUBLICATION p_schema FOR TABLES IN SCHEMA other;
	CREATE PUBLICATION p_root FOR TABLE root WITH (publish_via_partition_root);
	CREATE PUBLICATION p_leaves FOR TABLE leaf WHERE (id > 0);
	CREATE PUBLICATION p_inserts FOR TABLE root, computed WITH (publish = 'insert');
	CREATE PUBLICATION p_generated FOR TABLE computed, seeming, computed_key WITH ($stored publish = 'insert, update, delete, truncate');
	CREATE PUBLICATION p_listed FOR TABLE computed$listed, computed_key$listed;
	CREATE PUBLICATION p_not_generated FOR TABLE seeming, computed_root WITH (publish_via_partition_root, publish = 'insert');
	CREATE PUBLICATION p_generated_root FOR TABLE computed_root WITH ($stored publish_via_partition_root);
	CREATE PUBLICATION p_generated_leaf FOR TABLE computed_leaf$listed;
	CREATE PUBLICATION $long FOR TABLE keyed;});

my @tables = qw(keyed keyless whole nothing other.elsewhere computed seeming computed_key root leaf
  computed_root computed_leaf unlogged);
# Partitioned tables, each with its partition.
my %leaf_of = (root => 'leaf', computed_root => 'computed_leaf');
my @lists = map { [ split ' ' ] } 'p_empty', 'p_all', 'p_keyed', 'p_list', 'p_filter',
  'p_outside', 'p_schema', 'p_root', 'p_leaves', 'p_inserts', 'p_generated',
  'p_keyed p_list', 'p_all p_root', 'p_root p_leaves', 'p_leaves p_inserts',
  'p_filter p_keyed', 'p_schema p_outside p_filter', 'p_generated p_inserts',
  'p_generated p_all', 'p_generated p_listed', 'p_listed p_inserts', 'p_not_generated', 'p_generated_root',
  'p_generated_leaf', 'p_not_generated p_generated_leaf', 'p_generated_root p_generated_leaf',
  'p_not_generated p_generated_root', 'p_generated p_not_generated', "${long}_and_more", "$long p_root",
  'p_keyed p_missing';

# A statement on the table itself, not on what is around it.
sub statement
{
	my ($table, $action) = @_;
	return {
		insert => "INSERT INTO $table (id, a) VALUES (5, 6)",
		update => "UPDATE $table SET a = 7",
		delete => "DELETE FROM $table",
		truncate => "TRUNCATE $table"
	}->{$action};
}

# Perform all, each in a transaction that begins with a message which names it.
my (%refused, %end);
foreach my $table (@tables)
{
	my $slot = $table =~ s/\W/_/gr;

	$publisher->safe_psql('postgres',
		"SELECT pg_create_logical_replication_slot('$slot', '@{[plugin()]}')");
	foreach my $action (qw(insert update delete truncate))
	{
		my ($code, undef, $error) = $publisher->psql('postgres',
			"BEGIN; SELECT pg_logical_emit_message(true, '$action', ''); "
			  . statement($table, $action) . '; COMMIT',
			on_error_stop => 1);
		$refused{$table}{$action} = $error if $code != 0;
		# What was refused must not hide the row from the next one.
		$publisher->safe_psql('postgres', "TRUNCATE $table; INSERT INTO $table (id, a) VALUES (5, 6)")
		  if $action ne 'insert' && $action ne 'update';
	}
	$end{$table} = $publisher->safe_psql('postgres', 'SELECT pg_current_wal_lsn()');
	$publisher->safe_psql('postgres', "TRUNCATE $table");
}

sub get_string
{
	my ($bytes) = @_;
	$$bytes =~ s/\A([^\0]*)\0//s or die 'no string';
	return $1;
}

# The columns of a RELATION message, whose relid is taken already.
sub read_columns
{
	my ($bytes) = @_;
	my @columns;

	get_string(\$bytes) for 1, 2;
	my $count = unpack 'n', substr $bytes, 1, 2;
	$bytes = substr $bytes, 3;
	foreach (1 .. $count)
	{
		$bytes = substr $bytes, 1;
		push @columns, get_string(\$bytes);
		$bytes = substr $bytes, 8;
	}
	return join ',', @columns;
}

# What came: {action}{'relid columns'} of each action's transaction.
sub decode
{
	my ($table, $list) = @_;
	my $slot = $table =~ s/\W/_/gr;
	my ($code, $rows, $error) = $publisher->psql('postgres', qq{
		SELECT encode(data, 'hex') FROM pg_logical_slot_peek_binary_changes('$slot', '$end{$table}', NULL,
		  'proto_version', '1', 'messages', 'on', 'publication_names', '@{[join ',', @$list]}')});
	return (undef, $error) if $code != 0;

	my (%sent, %columns, $action);
	foreach my $data (map { pack 'H*', $_ } split /\n/, $rows)
	{
		my $type = substr $data, 0, 1;

		if ($type eq 'M') { $action = get_string(\substr $data, 10) }
		elsif ($type eq 'C') { $action = undef }
		elsif ($type eq 'R') { $columns{ unpack 'N', substr $data, 1, 4 } = read_columns(substr $data, 5) }
		elsif ($action && $type =~ /[IUD]/)
		{
			my $relid = unpack 'N', substr $data, 1, 4;
			$sent{$action}{"$relid $columns{$relid}"} = 1;
		}
		elsif ($action && $type eq 'T')
		{
			my ($count) = unpack 'N', substr $data, 1, 4;
			$sent{$action}{"$_ "} = 1 foreach unpack "N$count", substr $data, 6;
		}
	}
	return \%sent;
}

sub ask_explain
{
	my ($table, $list) = @_;
	my $rows = $publisher->safe_psql('postgres', qq{
		SELECT action, sent, sent_as::oid, array_to_string(columns, ','), reason
		FROM stream_pgoutput_explain('{@{[join ',', @$list]}}', '$table')});
	return map { my @f = split /\|/, $_, -1; ($f[0] => \@f) } split /\n/, $rows;
}

my ($sent_count, $kept_count) = (0, 0);
foreach my $list (@lists)
{
	foreach my $table (@tables)
	{
		my %said = ask_explain($table, $list);
		my ($sent, $error) = decode($table, $list);
		my $what = "$table, @$list";

		is(scalar keys %said, 4, "$what: every action is explained");
		if ($error)
		{
			my ($text) = $error =~ /ERROR:  (.*)/;
			ok(!(grep { index($_->[4], $text) < 0 && $_->[4] !~ /WAL/ } values %said),
				"$what: fails as said: $text");
			next;
		}
		foreach my $action (sort keys %said)
		{
			my (undef, $is_sent, $as, $columns, $reason) = @{ $said{$action} };
			my @came = sort keys %{ $sent->{$action} // {} };

			if ($reason =~ /the server refuses it/)
			{
				like($refused{$table}{$action} // 'it did not', qr/ERROR:  cannot (update|delete from) table/,
					"$what, $action: refused by the server");
			}
			elsif ($leaf_of{$table} && $action ne 'truncate')
			{
				# Its rows are those of its partition.
				my %leaf = ask_explain($leaf_of{$table}, $list);
				my (undef, $leaf_sent, $leaf_as, $leaf_columns) = @{ $leaf{$action} };
				is("@came", $leaf_sent eq 't' && !$refused{$table}{$action} ? "$leaf_as $leaf_columns" : '',
					"$what, $action: by the partition");
				is($is_sent, $leaf_sent, "$what, $action: as the partition")
				  if $is_sent eq 't' && $leaf{$action}[4] !~ /refuses/;
			}
			elsif ($leaf_of{$table})
			{
				my $leaf_as = join ' ', grep { $_ ne '' } map { $_->[1] eq 't' ? "$_->[2] " : '' }
				  grep { $_ } { ask_explain($leaf_of{$table}, $list) }->{truncate};
				my $expected = join ' ', sort grep { $_ ne '' } ($is_sent eq 't' ? "$as " : ''), $leaf_as;
				is(join(' ', @came), $expected, "$what, $action: of it and its partition");
			}
			else
			{
				is("@came", $is_sent eq 't' ? "$as $columns" : '',
					"$what, $action: " . ($is_sent eq 't' ? 'sent' : $reason));
			}
			$is_sent eq 't' ? $sent_count++ : $kept_count++;
		}
	}
}
cmp_ok($sent_count, '>', 100, "$sent_count times it is sent");
cmp_ok($kept_count, '>', 100, "$kept_count times it is not");

# And the other way round: what the server refused, it said.
foreach my $table (sort keys %refused)
{
	foreach my $action (sort keys %{ $refused{$table} })
	{
		my %said = ask_explain($leaf_of{$table} // $table, ['p_all']);
		like($said{$action}[4], qr/the server refuses it|not published/, "$table, $action: foreseen");
	}
}

done_testing();
