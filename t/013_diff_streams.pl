# DIFF and DIFF-W, streamed and prepared transactions, messages and origins: both plugins
# decode the same WAL, in every combination of options.
use strict;
use warnings FATAL => 'all';

use FindBin;
use lib "$FindBin::RealBin/lib";
use StreamPgoutput;
use Test::More;

diff_families(qw(stream_ prepared_ message_ origin_));

done_testing();
