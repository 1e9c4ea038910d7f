#!/usr/bin/perl
# Print the results of bench/hottest for a subject as one line of JSON.
#
#     perl bench/hottest.pl NAME INPUT BLOCKS SECONDS COUNTING FOLDER      BLOCKS: of the large input, estimated
use strict;
use warnings;
use JSON::PP;

my ($name, $input, $field, $seconds, $counting, $folder) = @ARGV;

sub file {
    my ($path) = @_;
    open my $in, '<', $path or return;
    local $/;
    return decode_json(<$in>);
}

sub sampled { my $r = file("$folder/$_[0].json"); return $r ? $r->{programs}[0] : undef }

# Ranks in a sample of the five most frequent subpaths; 0: not in the sample.
sub ranks {
    my ($exact, $rows) = @_;
    my %rank = map { ("$_->{length} $_->{subpath}" => $_->{rank}) } @$rows;
    return [] unless @$exact;
    return [map { $rank{"$_->{length} $_->{subpath}"} // 0 } @$exact[0 .. ($#$exact < 4 ? $#$exact : 4)]];
}

# The rows of a sample in the order of `trod sample subpaths`: by estimate minus one standard error.
sub ranked {
    my $score = sub { my ($x) = @_; return $x->{samples} > 1 ? $x->{estimate} * (1 - 1 / sqrt $x->{samples}) : 0 };
    my @rows = sort { $score->($b) <=> $score->($a) } @{$_[0]};
    return [map { +{%{$rows[$_]}, rank => $_ + 1} } 0 .. $#rows];
}

# How many of the first five of a sample ran nearly as often as the fifth most frequent one. A sample cannot distinguish
# these from the five hottest, so they are as good.
sub near {
    my ($exact, $rows, $part) = @_;
    my %rank = map { ("$_->{length} $_->{subpath}" => $_->{rank}) } @$rows;
    my $fifth = $exact->[$#$exact < 4 ? $#$exact : 4] or return 0;
    my %as_hot = map { ("$_->{length} $_->{subpath}" => 1) } grep { $_->{count} >= $fifth->{count} * (1 - $part) } @$exact;
    return scalar grep { $_->{rank} <= 5 && $as_hot{"$_->{length} $_->{subpath}"} } @$rows;
}

# How many of the first ten of a sample, at most five, ran as often as the fifth most frequent one, or more often. Unlike with
# ranks, it does not matter which of those that ran equally often come first in the exact counts.
sub found {
    my ($exact, $rows) = @_;
    my $fifth = $exact->[$#$exact < 4 ? $#$exact : 4] or return 0;
    my %as_hot = map { ("$_->{length} $_->{subpath}" => 1) } grep { $_->{count} >= $fifth->{count} } @$exact;
    my $n = grep { $_->{rank} <= 10 && $as_hot{"$_->{length} $_->{subpath}"} } @$rows;
    return $n < 5 ? $n : 5;
}

my $exact = file("$folder/exact.json");
my ($live, $live80) = map { sampled($_) } qw(live live80);
my %counted = map { ("$_->{length} $_->{subpath}" => $_) } @{$exact->{rows}};

my %row = (
    program => $name, input => $input, field_blocks => $field + 0, seconds => $seconds + 0, counting => $counting + 0,
    map({ $_ => $exact->{$_} } qw(blocks threads gaps subpaths sequences different collisions too_low lengths)),
);
my $kept = 0;
$kept += $_->{samples} for @{$live->{subpaths}};
$row{sample} = {
    map({ $_ => $live->{$_} } qw(blocks samplers samples dropped rejected most_frequency distinct)),
    kept => $kept,
};
$row{hottest} = [map {
    my $x = $_;
    my $is = $counted{"$x->{length} $x->{subpath}"};
    +{
        map({ $_ => $x->{$_} } qw(rank samples length subpath)), estimate => $x->{count}, bound => $x->{error},
        $is ? (exact_rank => $is->{rank}, count => $is->{count}, error => abs($x->{count} / $is->{count} - 1)) : (),
    }
} @{$live->{subpaths}}[0 .. ($#{$live->{subpaths}} < 9 ? $#{$live->{subpaths}} : 9)]];
# For the hottest and the fifth hottest: two-sided at 95 %, one-sided, two-sided at 80 %, one-sided.
$row{bounds} = [map {
    my ($x, $y) = map { $_->{subpaths} } $live, $live80;
    $x->[$_] ? {samples => $x->[$_]{samples}, sigma => [$x->[$_]{error}, $x->[$_]{error_one_sided}, $y->[$_]{error}, $y->[$_]{error_one_sided}]} : ();
} 0, 4];
$row{ranks} = ranks($exact->{rows}, $live->{subpaths});
$row{near} = near($exact->{rows}, $live->{subpaths}, 0.1);
$row{found} = found($exact->{rows}, $live->{subpaths});
# For the program as it ran, at tenths of the time; for a sampler of the trace, at tenths of the blocks.
my @stops = @{$exact->{stops}};
my $traced = file("$folder/sampled.json");
$row{stops} = [map {
    my ($is, $seen) = ($stops[$_], $traced->{stops}[$_]);
    my $rows = $seen && ranked($seen->{sample}{rows});
    $rows ? +{blocks => $is->{blocks}, frequency => $seen->{sample}{frequency}, ranks => ranks($is->{rows}, $rows), near => near($is->{rows}, $rows, 0.1), found => found($is->{rows}, $rows)} : ();
} 0 .. $#stops];
my @watched = map {
    my $seen = sampled("stop.$_");
    $seen && $stops[$_ - 1] ? {tenth => $_, blocks => $seen->{blocks}, ranks => ranks($stops[$_ - 1]{rows}, $seen->{subpaths}), near => near($stops[$_ - 1]{rows}, $seen->{subpaths}, 0.1), found => found($stops[$_ - 1]{rows}, $seen->{subpaths})} : ();
} 1 .. 9;
$row{watched} = \@watched if @watched;
for my $key (qw(inverse more)) {
    my $r = sampled($key) or next;
    my @rows = @{$r->{subpaths}};
    my %length;
    $length{$_->{length}}++ for grep { defined } @rows[0 .. ($#rows < 14 ? $#rows : 14)];
    $row{$key} = {
        map({ $_ => $r->{$_} } qw(samples distinct most_frequency)), hottest => @rows ? $rows[0]{samples} : 0, lengths => \%length,
        ranks => ranks($exact->{rows}, \@rows),
    };
}
print '    ', JSON::PP->new->canonical->encode(\%row), "\n";
