# Which programs a comparison of counts tests, and how much it compared.
#
#     is_chosen   whether this run tests a program: with words, if its name contains one; otherwise if it is a quick one,
#                 or in a full run if it belongs to this part
#     totals      print how much was compared, and how much was not, by reason. Test that it is not less than the minimum
#                 of its kind, which is given for a quarter of the full run and for the quick run
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
