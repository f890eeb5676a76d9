# DIFF and DIFF-W, encodings and options: both plugins
# decode the same WAL, in every combination of options.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use Test::More;

diff_families(qw(encoding_ option_));

done_testing();
