# The library's file is replaced while the server runs, as an update does, and
# loaded by its other name into processes that hold the old one.

use strict;
use warnings FATAL => 'all';

use File::Copy;
use FindBin;
use lib "$FindBin::RealBin/lib";
use PostgreSQL::Test::Utils;
use StreamPgoutput;
use Test::More;

my $folder = PostgreSQL::Test::Utils::tempdir() . '/lib';
mkdir $folder and mkdir "$folder/stream_pgoutput" or die "cannot make $folder: $!";
symlink '../stream_pgoutput.so', "$folder/stream_pgoutput/pgoutput.so" or die "cannot link: $!";

my $publisher = new_publisher('publisher');
my $installed = $publisher->config_data('--pkglibdir') . '/stream_pgoutput.so';

sub replace_library
{
	copy($installed, "$folder/new") && rename("$folder/new", "$folder/stream_pgoutput.so")
	  or die "cannot replace the library: $!";
	return;
}

replace_library();
$publisher->append_conf('postgresql.conf', qq{
	shared_preload_libraries = '$folder/stream_pgoutput.so'
	dynamic_library_path = '$folder/stream_pgoutput:\$libdir'
	stream_pgoutput.track_timing = off});
$publisher->restart;
$publisher->safe_psql('postgres', q{
	CREATE TABLE t (id int);
	CREATE PUBLICATION pub FOR TABLE t;
	SELECT pg_create_logical_replication_slot('slot', 'pgoutput');
	INSERT INTO t VALUES (1)});

# Statements of a session, after which it peeks at the slot.
sub peek
{
	return $publisher->safe_psql('postgres', join ";\n", @_, q{
		SELECT count(*) FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
			'proto_version', '1', 'publication_names', 'pub')});
}

# All libraries of ours that a session has loaded once it has peeked.
sub libraries
{
	return $publisher->safe_psql('postgres', q{
		CREATE TEMP TABLE messages AS SELECT * FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
			'proto_version', '1', 'publication_names', 'pub');
		SELECT count(DISTINCT inode) FROM (
			SELECT (regexp_match(line, '^\S+ \S+ \S+ \S+ (\d+) .*(?:stream_pgoutput|new)'))[1] AS inode
			FROM regexp_split_to_table(pg_read_file('/proc/self/maps'), '\n') line) AS mapped});
}

is(peek(), 4, 'the slot is read by the preloaded library');
is(libraries(), 1, '... which is the only copy');

replace_library();
is(peek(), 4, 'the slot is read by the library that replaced it');
is(libraries(), 2, '... beside the preloaded one');

# The extension's functions are a third copy.
$publisher->safe_psql('postgres', 'CREATE EXTENSION stream_pgoutput');
is(peek(q{LOAD '$libdir/stream_pgoutput'}), 4, 'and with a third copy in its session');

sub counted
{
	return $publisher->safe_psql('postgres', q{
		SELECT status, inserts, encode_time > 0
		FROM pg_stat_stream_pgoutput WHERE slot_name = 'slot'});
}

my $reset = q{SELECT stream_pgoutput_stat_reset('slot')};
$publisher->safe_psql('postgres', $reset);
peek();
is(counted(), 'counted|1|', 'every copy counts in the same place, and follows the configuration');
$publisher->safe_psql('postgres', 'TRUNCATE t; INSERT INTO t SELECT generate_series(1, 10000)');
peek('SET stream_pgoutput.track_timing = on');
is(counted(), 'counted|10002|t', '... and the session');
is($publisher->safe_psql('postgres', q{
		SELECT source, setting, boot_val FROM pg_settings WHERE name = 'stream_pgoutput.track_timing'}),
	'configuration file|off|on', 'the setting is defined once');

done_testing();
