# Plugin options: each bad one is refused with the same SQLSTATE and the same
# words as by the server's own plugin, over SQL and over a walsender; each good
# one gives the same bytes.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use PostgreSQL::Test::Utils;
use Test::More;

my $plugin = plugin();
my $major = server_major();
my $node = new_publisher('node');
my %slot = (ours => $plugin, core => 'pgoutput');

$node->safe_psql('postgres', qq{
	CREATE TABLE t (id int PRIMARY KEY, body text);
	CREATE PUBLICATION pub FOR TABLE t;
	CREATE PUBLICATION "odd, ""name""" FOR TABLE t;
	SELECT pg_create_logical_replication_slot('ours', '$plugin');
	SELECT pg_copy_logical_replication_slot('ours', 'core', false, 'pgoutput');
	INSERT INTO t VALUES (1, 'one');
	SELECT pg_logical_emit_message(true, 'prefix', 'content');});

# An error as a client sees it: severity, SQLSTATE and text of each line, with
# the plugin's and the slot's name taken out.
sub outcome
{
	my ($stdout, $stderr) = @_;

	$stderr =~ s/^psql:<stdin>:\d+: //mg;
	$stderr =~ s/^LOCATION: .*\n?//mg;
	$stderr =~ s/\bstream_pgoutput\b/pgoutput/g;
	$stderr =~ s/"(?:ours|core)"/"SLOT"/g;
	return "$stdout\n$stderr";
}

# Calls over SQL, all in one session of their own.  Each is a flat list of
# options.  Returns the outcome of each.
sub over_sql
{
	my ($slot, @calls) = @_;

	my $script = "\\set VERBOSITY verbose\n";
	foreach my $call (@calls)
	{
		my $options = join '',
		  map { ', ' . (defined $_ ? q{'} . s/'/''/gr . q{'} : 'NULL') } @$call;
		$script .= "\\echo NEXT\n\\warn NEXT\n"
		  . qq{SELECT encode(data, 'hex')
		  FROM pg_logical_slot_peek_binary_changes('$slot', NULL, NULL$options);\n};
	}
	my ($stdout, $stderr) = ('', '');
	$node->psql('postgres', $script,
		on_error_stop => 0,
		stdout => \$stdout,
		stderr => \$stderr);
	my @stdout = split /^NEXT\n/m, "$stdout\n", -1;
	my @stderr = split /^NEXT\n/m, "$stderr\n", -1;
	return map { outcome($stdout[$_], $stderr[$_]) } 1 .. @calls;
}

# One call over a walsender.  Each option is a name, or a pair; one that is
# accepted ends in psql's not knowing what to do with the stream.
sub over_walsender
{
	my ($slot, @options) = @_;

	my $options = join ', ', map {
		my ($name, $value) = ref $_ ? @$_ : $_;
		qq{"$name"} . (defined $value ? q{ '} . $value =~ s/'/''/gr . q{'} : '')
	} @options;
	my ($stdout, $stderr) = ('', '');
	$node->psql('postgres',
		"START_REPLICATION SLOT $slot LOGICAL 0/0 ($options)",
		replication => 'database',
		on_error_die => 0,
		extra_params => [ '--set' => 'VERBOSITY=verbose' ],
		stdout => \$stdout,
		stderr => \$stderr);
	return outcome($stdout, $stderr);
}

# Both plugins answer in the same, expected way.
sub same
{
	my ($what, $expected, $ours, $core) = @_;

	is($ours, $core, "$what: as the server's own");
	like($ours, $expected, "$what: outcome");
	return;
}

my @good = (proto_version => 1, publication_names => 'pub');
my $top = $major < 16 ? 3 : 4;
my $long = 'n' x 10000;

# Name of the case => what comes of it => options.
my @cases = (
	[ 'no options', qr/ERROR:  (?:22023: .*missing|0A000: .*proto_version=0)/ ],
	[ 'no publications', qr/ERROR:  22023: .*publication_names.* missing/,
		proto_version => 1 ],
	[ 'no version', $major < 16 ? qr/ERROR:  0A000:/ : qr/ERROR:  22023: .*proto_version.* missing/,
		publication_names => 'pub' ],
	[ 'proto_version twice', qr/ERROR:  42601: conflicting or redundant options/,
		proto_version => 1, @good ],
	[ 'publication_names twice', qr/ERROR:  42601: conflicting or redundant/,
		@good, publication_names => 'pub' ],
	(map { [ "$_ twice", qr/ERROR:  42601: conflicting or redundant/,
			@good, $_ => 'off', $_ => 'off' ] } qw(binary messages streaming two_phase)),
	[ 'unknown', qr/ERROR:  XX000: unrecognized pgoutput option: nonsense/,
		@good, nonsense => 1 ],
	[ 'name in capitals', qr/ERROR:  XX000: unrecognized pgoutput option: BINARY/,
		@good, BINARY => 'on' ],
	(map { [ "version $_", qr/ERROR:  (?:0A000|22023): /,
			proto_version => $_, publication_names => 'pub' ] }
		  0, $top + 1, 99, -1, '4x', 'x', 4294967295, 4294967296, 4294967297,
		  '99999999999999999999', '1 2'),
	(map { [ "version '$_'", qr/^4200/m,
			proto_version => $_, publication_names => 'pub' ] } ' 1', '+1', '01'),
	(map { my $option = $_; map { [ "$option '$_'", qr/ERROR:  42601: $option requires a Boolean value/,
			proto_version => 3, publication_names => 'pub', $option => $_ ] }
		  'perhaps', '', '2', 'o' } qw(binary messages two_phase)),
	[ "streaming 'perhaps'", qr/ERROR:  42601: streaming requires/,
		proto_version => 2, publication_names => 'pub', streaming => 'perhaps' ],
	[ 'streaming at 1', qr/ERROR:  22023: .*does not support streaming, need 2/,
		@good, streaming => 'on' ],
	[ 'streaming off at 1', qr/^4200/m, @good, streaming => 'off' ],
	[ 'two_phase at 2', qr/ERROR:  22023: .*does not support two-phase commit, need 3/,
		proto_version => 2, publication_names => 'pub', two_phase => 'on' ],
	[ 'parallel at 3', $major < 16 ? qr/ERROR:  42601: streaming requires a Boolean value/
		: qr/ERROR:  22023: .*does not support parallel streaming, need 4/,
		proto_version => 3, publication_names => 'pub', streaming => 'parallel' ],
	$major < 16
	? (map { [ "origin '$_'", qr/ERROR:  XX000: unrecognized pgoutput option: origin/,
			@good, origin => $_ ] } qw(any none x))
	: ([ 'origin x', qr/ERROR:  22023: unrecognized origin value: "x"/, @good, origin => 'x' ],
		[ 'empty origin', qr/ERROR:  22023: unrecognized origin value: ""/, @good, origin => '' ],
		[ 'origin twice', qr/ERROR:  42601:/, @good, origin => 'any', origin => 'any' ],
		(map { [ "origin $_", qr/^4200/m, @good, origin => $_ ] } qw(any none NONE Any))),
	(map { [ "publications '$_'", qr/ERROR:  42602: invalid publication_names syntax/,
			proto_version => 1, publication_names => $_ ] }
		  'pub pub', '"pub', 'pub,', ',pub', ',', '"pub"x'),
	[ "publications '\"\"'", $major < 18 ? qr/ERROR:  42704: publication "" does not exist/ : qr/WARNING/,
		proto_version => 1, publication_names => '""' ],
	[ 'empty list', $major < 16 ? qr/ERROR:  22023/ : qr/^\s*$/,
		proto_version => 1, publication_names => '' ],
	[ 'trailing backslash', $major < 18 ? qr/ERROR:  42704: publication "pub\\" does not exist/ : qr/WARNING/,
		proto_version => 1, publication_names => 'pub\\' ],
	[ 'two names, one missing', $major < 18 ? qr/ERROR:  42704: publication "gone" does not exist/ : qr/WARNING/,
		proto_version => 1, publication_names => 'pub,gone' ],
	[ 'name of 10 kB', $major < 18 ? qr/ERROR:  42704: publication "n{63}" does not exist/ : qr/WARNING/,
		proto_version => 1, publication_names => $long ],
	[ '10,000 names', qr/ERROR:  42704|WARNING|^4200/,
		proto_version => 1, publication_names => join(',', ('pub') x 10000) ],
	[ 'quoted name', qr/^4200/m,
		proto_version => 1, publication_names => '"odd, ""name"""' ],
	[ 'capitals are folded', qr/^4200/m,
		proto_version => 1, publication_names => 'PUB , Pub' ],
	[ 'all options', qr/^4200.*^4d/ms,
		proto_version => $top, publication_names => 'pub', binary => 'true',
		messages => 'on', streaming => $major < 16 ? 'on' : 'parallel', two_phase => 'false',
		$major < 16 ? () : (origin => 'any') ]);

# A value may be NULL here, and a name may lack its value.
push @cases,
  [ 'NULL value', qr/ERROR:  /, @good, binary => undef ],
  [ 'name without a value', qr/ERROR:  /, @good, 'binary' ];

my @calls = map { [ @$_[ 2 .. $#$_ ] ] } @cases;
my @ours = over_sql('ours', @calls);
my @core = over_sql('core', @calls);
is(scalar @ours, scalar @cases, 'all calls were answered');
same(@{ $cases[$_] }[ 0, 1 ], $ours[$_], $core[$_]) for 0 .. $#cases;

# The function that returns text has none for these bytes.
foreach my $slot (qw(ours core))
{
	my ($code, undef, $stderr) = $node->psql('postgres',
		"SELECT * FROM pg_logical_slot_peek_changes('$slot', NULL, NULL, "
		  . q{'proto_version', '1', 'publication_names', 'pub')});
	like($stderr,
		qr/logical decoding output plugin "$slot{$slot}" produces binary output, but function ".*" expects textual data/,
		"text function: slot $slot");
}

# Over a walsender an option may have no value.
my @pairs = ([ proto_version => 1 ], [ publication_names => 'pub' ]);
my $accepted = qr/unexpected PQresultStatus/;
foreach my $case (
	[ 'nothing', qr/ERROR:  (?:22023|42601): / ],
	[ 'bad version', qr/ERROR:  0A000: /, [ proto_version => 99 ], $pairs[1] ],
	[ 'unknown option', qr/ERROR:  XX000: unrecognized pgoutput option: nonsense/,
		@pairs, [ nonsense => 1 ] ],
	[ 'unknown option without a value', qr/ERROR:  XX000: unrecognized pgoutput option: nonsense/,
		@pairs, 'nonsense' ],
	[ 'binary without a value', $accepted, @pairs, 'binary' ],
	[ 'messages without a value', $accepted, @pairs, 'messages' ],
	[ 'streaming without a value', $accepted,
		[ proto_version => 2 ], $pairs[1], 'streaming' ],
	[ 'streaming without a value at 1', qr/ERROR:  22023: .*does not support streaming/,
		@pairs, 'streaming' ],
	[ 'two_phase without a value at 1', qr/ERROR:  22023: .*does not support two-phase/,
		@pairs, 'two_phase' ],
	[ 'binary twice', qr/ERROR:  42601: conflicting or redundant/,
		@pairs, 'binary', [ binary => 'off' ] ],
	$major < 16
	? ([ 'origin', qr/ERROR:  XX000: unrecognized pgoutput option: origin/, @pairs, [ origin => 'any' ] ])
	: ([ 'origin', $accepted, @pairs, [ origin => 'any' ] ]),
	[ 'good', $accepted, @pairs ])
{
	my ($what, $expected, @options) = @$case;
	same("walsender, $what", $expected,
		map { over_walsender($_, @options) } qw(ours core));
}

# A missing value where one is needed is an error; this minor release of the
# server itself may not survive it, so it is not asked.
my $log = -s $node->logfile;
foreach my $name ('proto_version', 'publication_names', $major < 16 ? () : 'origin')
{
	my @options = ((grep { $_->[0] ne $name } @pairs), $name);
	like(over_walsender('ours', @options),
		qr/ERROR:  42601: $name requires a parameter/,
		"walsender, $name without a value");
}
ok(!$node->log_contains(qr/terminated by signal/, $log), 'no process died');

done_testing();
