# Test results as TAP, for tests in perl.
#
#     report NAME, WRONG...    report one test, which passes if WRONG is empty; true if it passes
#     skip NAME, WHY           report a test that cannot run here
#     finish                   print the plan and exit
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
    # prove shows stderr, and hides comments.
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
