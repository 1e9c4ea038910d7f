# What two ways of counting had in common, and which programs they are tried on.
#
#     is_chosen   whether a program is one of this run: with words those whose names contain one; else the quick ones, or in a
#                 full run those of this part
#     totals      how much was compared, and how much was not and why. What is compared must not dwindle unnoticed: of each
#                 kind, the least in a quarter of the full run, and in the quick run
package Compared;
use strict;
use warnings;
use Exporter qw(import);
use Oracle qw(report);

our @EXPORT_OK = qw(is_chosen totals);

sub is_chosen {
    my ($name, $number, $quick, $part, $parts) = @_;

    return grep { index($name, $_) >= 0 } @ARGV if @ARGV;
    return grep { $name eq $_ } @$quick if !$ENV{TROD_FULL};
    return $number % $parts == $part - 1;
}

sub totals {
    my ($least, $same, $not, $parts) = @_;

    for my $what (sort keys %$least) {
        my $left_out = 0;
        $same->{$what} //= 0;
        $left_out += $_ for values %{$not->{$what} // {}};
        print "# $what: $same->{$what} compared, $left_out not\n";
        print "#     $_: $not->{$what}{$_}\n" for sort keys %{$not->{$what} // {}};
        my $enough = $least->{$what}[$ENV{TROD_FULL} ? 0 : 1];
        $enough *= 4 / $parts if $ENV{TROD_FULL};
        report("enough $what were compared", $same->{$what} < $enough ? "$same->{$what}" : ())
            if !@ARGV;
    }
}

1;
