# Test results as TAP, for tests in perl.
#
#     report NAME, WRONG...    one test, passed if nothing is wrong; whether it did
#     skip NAME, WHY           one that cannot be run here
#     finish                   the plan, and out
package Tap;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(report skip finish);

use constant MOST_LINES => 20;

my $count = 0;
my $bad = 0;

sub report {
    my ($name, @wrong) = @_;

    $count++;
    $bad++ if @wrong;
    print @wrong ? 'not ' : '', "ok $count - $name\n";
    # prove shows what goes to stderr, and hides comments.
    if (@wrong) {
        @wrong = map { split /\n/ } @wrong;
        splice @wrong, MOST_LINES, @wrong, '...' if @wrong > MOST_LINES + 1;
        print STDERR "# failed: $name\n", map { "#   $_\n" } @wrong;
    }
    return !@wrong;
}

sub skip {
    my ($name, $why) = @_;

    $count++;
    print "ok $count # SKIP $name: $why\n";
}

sub finish {
    print "1..$count\n";
    exit($bad ? 1 : 0);
}

1;
