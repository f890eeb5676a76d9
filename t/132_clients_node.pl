# Clients nobody here wrote: the npm packages pgwire, pg-logical-replication and
# postgres, each with its own parser of protocol 1.  The rows that they hand out
# are compared by value.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use IPC::Run;
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $clients = "$FindBin::RealBin/clients";
-d "$clients/node_modules"
  or die "the packages are missing: run tools/npm-packages t/clients";

my $node = new_publisher('node', "listen_addresses = '127.0.0.1'\n");
$ENV{PGUSER} = $node->safe_psql('postgres', 'SELECT current_user');

$node->safe_psql('postgres', q{
	CREATE TYPE mood AS ENUM ('sad', 'happy');
	CREATE TABLE kinds (id int PRIMARY KEY, ok bool, body text, amount numeric,
	  tags text[], m mood, raw bytea, big text);
	ALTER TABLE kinds ALTER big SET STORAGE EXTERNAL;
	CREATE TABLE whole (id int, body text);
	ALTER TABLE whole REPLICA IDENTITY FULL;
	CREATE TABLE finish (id int PRIMARY KEY);
	CREATE PUBLICATION pub FOR TABLE kinds, whole, finish;});

my $changes = q{
	INSERT INTO kinds VALUES (1, true, 'größer', 12.50, '{a,"b c",NULL}', 'happy',
	  '\x00ff', repeat('x', 5000));
	INSERT INTO kinds (id) VALUES (2);
	BEGIN;
	UPDATE kinds SET ok = false WHERE id = 1;
	UPDATE kinds SET id = 3 WHERE id = 2;
	DELETE FROM kinds WHERE id = 3;
	COMMIT;
	INSERT INTO whole VALUES (1, NULL);
	UPDATE whole SET body = 'now';
	DELETE FROM whole;
	SELECT pg_logical_emit_message(true, 'prefix', 'content');
	TRUNCATE kinds, whole CASCADE;
	INSERT INTO finish VALUES (1);};
my $big = 'x' x 5000;

# Starts a client that reads a slot.
sub start_client
{
	my ($out, $script, @arguments) = @_;

	local $ENV{PGPORT} = $node->port;
	return IPC::Run::start([ 'node', "$clients/$script.mjs", @arguments ],
		'<' => \undef,
		'>' => $out,
		IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
}

# Lets a client read all of it.  Returns its lines.
sub lines_of
{
	my ($script, $plugin, @mode) = @_;

	$node->safe_psql('postgres',
		"DELETE FROM finish; SELECT pg_create_logical_replication_slot('slot', '$plugin')");
	$node->safe_psql('postgres', $changes);
	my $out = '';
	my $client = start_client(\$out, $script, 'slot', 'pub', @mode);
	ok($client->finish, "$script: ended well");
	wait_until($node,
		q{SELECT NOT active FROM pg_replication_slots WHERE slot_name = 'slot'});
	$node->safe_psql('postgres', q{SELECT pg_drop_replication_slot('slot')});
	return split /\n/, $out;
}

# The description of tables, for clients that hand them out.
my $kinds_relation = q{["relation","public","kinds","default",[["id",null,1],}
  . q{["ok",null,0],["body",null,0],["amount",null,0],["tags",null,0],}
  . q{["m","mood",0],["raw",null,0],["big",null,0]]]};
my $whole_relation =
  q{["relation","public","whole","full",[["id",null,1],["body",null,1]]]};
my $finish_relation =
  q{["relation","public","finish","default",[["id",null,1]]]};

sub expected_lines
{
	my (%text) = @_;

	my $nulls = join ',', map { qq{"$_":null} } qw(ok body amount tags m raw big);
	return (
		'["type","public","mood"]',
		$kinds_relation,
		qq{["insert","kinds",null,{"id":$text{1},$text{row},"big":$text{big}}]},
		qq{["insert","kinds",null,{"id":$text{2},$nulls}]},
		qq{["update","kinds",null,{"id":$text{1},$text{row2},"big":"(absent)"}]},
		qq{["update","kinds",{"id":$text{2}$text{key_rest}},{"id":$text{3},$nulls}]},
		qq{["delete","kinds",{"id":$text{3}$text{key_rest}},null]},
		$whole_relation,
		qq{["insert","whole",null,{"id":$text{1},"body":null}]},
		qq{["update","whole",{"id":$text{1},"body":null},{"id":$text{1},"body":$text{now}}]},
		qq{["delete","whole",{"id":$text{1},"body":$text{now}},null]},
		'["message","prefix","\\\\x636f6e74656e74",true]',
		# Both tables got new files, so they are described again.
		'["type","public","mood"]',
		$kinds_relation,
		$whole_relation,
		'["truncate",["kinds","whole"],true,false]',
		$finish_relation,
		qq{["insert","finish",null,{"id":$text{1}}]});
}

# Text form as bytes, and the binary form, in the hexadecimal that lines show.
sub hex_of
{
	return '"\\\\x' . unpack('H*', $_[0]) . '"';
}

sub int4
{
	return hex_of(pack 'N', $_[0]);
}

my $groesser = "gr\xc3\xb6\xc3\x9fer";
my $array = pack 'N/a* N/a* N', 'a', 'b c', 0xffffffff;
$array = pack('N5', 1, 1, 25, 3, 1) . $array;
my $numeric = pack 'n6', 2, 0, 0, 2, 12, 5000;
my %binary = (
	row => join(',',
		'"ok":' . hex_of("\1"), '"body":' . hex_of($groesser),
		'"amount":' . hex_of($numeric), '"tags":' . hex_of($array),
		'"m":' . hex_of('happy'), '"raw":' . hex_of("\x00\xff")),
	big => hex_of($big),
	now => hex_of('now'),
	map { ($_ => int4($_)) } 1 .. 3);
$binary{row2} = $binary{row} =~ s/"ok":"\\\\x01"/"ok":"\\\\x00"/r;

my $plain_row =
  qq{"body":"$groesser","amount":"12.50","tags":["a","b c",null],"m":"happy","raw":"\\\\x00ff"};
my %text = (
	row => qq{"ok":true,$plain_row},
	row2 => qq{"ok":false,$plain_row},
	big => qq{"$big"},
	now => '"now"',
	map { ($_ => $_) } 1 .. 3);

# Neither tells of the values of other columns beside a key.
my $rest = join '', map { qq{,"$_":"(absent)"} } qw(ok body amount tags m raw big);

foreach my $route (routes())
{
	my $plugin = $route eq 'drop-in' ? 'pgoutput' : plugin();
	take_route($node, $route);

	is_deeply([ lines_of('pgwire', $plugin) ],
		[ expected_lines(%text, key_rest => $rest) ],
		"$route: pgwire, text");
	is_deeply([ lines_of('pgwire', $plugin, 'binary') ],
		[ expected_lines(%binary, key_rest => $rest) ],
		"$route: pgwire, binary");
	is_deeply([ lines_of('pg-logical-replication', $plugin) ],
		[ expected_lines(%text, key_rest => '') ],
		"$route: pg-logical-replication, text");
	is_deeply([ lines_of('pg-logical-replication', $plugin, 'binary') ],
		[ expected_lines(%binary, key_rest => '') ],
		"$route: pg-logical-replication, binary");
}

# The package postgres makes its own slot and names pgoutput: the drop-in.
my ($route) = reverse routes();
take_route($node, $route);
$node->safe_psql('postgres', 'DELETE FROM finish');
my $out = '';
my $client = start_client(\$out, 'postgres', '-', 'pub');
$client->pump until $out =~ /\n/;
my ($pid) = $out =~ /^\["subscribed",(\d+)\]\n/;
is(loaded_libraries($node, $pid),
	plugin() . '.so',
	'postgres: library of its walsender');
$node->safe_psql('postgres', $changes);
ok($client->finish, 'postgres: ended well');
my @lines = split /\n/, $out;
shift @lines;
my $nulls = join ',', map { qq{"$_":null} } qw(ok body amount tags m raw big);
# This one leaves arrays as they are.
$plain_row =~ s/\["a","b c",null\]/"{a,\\"b c\\",NULL}"/;
is_deeply(
	\@lines,
	[
		qq{["insert","kinds",null,{"id":1,"ok":true,$plain_row,"big":"$big"}]},
		qq{["insert","kinds",null,{"id":2,$nulls}]},
		qq{["update","kinds",null,{"id":1,"ok":false,$plain_row,"big":"(absent)"}]},
		qq{["update","kinds",{"id":2,$nulls},{"id":3,$nulls}]},
		qq{["delete","kinds",null,{"id":3,$nulls}]},
		'["insert","whole",null,{"id":1,"body":null}]',
		'["update","whole",{"id":1,"body":null},{"id":1,"body":"now"}]',
		'["delete","whole",null,{"id":1,"body":"now"}]',
		'["insert","finish",null,{"id":1}]'
	],
	'postgres: rows');

done_testing();
