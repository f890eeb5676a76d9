# DIFF and DIFF-W, types of all kinds, and TOASTed values: both plugins
# decode the same WAL, in every combination of options.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use Test::More;

diff_families(qw(type_ toast_));

done_testing();
