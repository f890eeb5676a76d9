# DIFF and DIFF-W, row filters, column lists, publications and partitions: both plugins
# decode the same WAL, in every combination of options.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use Test::More;

diff_families(qw(filter_ columns_ publication_ partition_));

done_testing();
