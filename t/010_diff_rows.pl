# DIFF and DIFF-W, rows, relations, truncates and whole transactions: both plugins
# decode the same WAL, in every combination of options.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use Test::More;

diff_families(qw(row_ relation_ transaction_ truncate_));

done_testing();
