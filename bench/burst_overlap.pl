#!/usr/bin/perl
# Print the results of bench/burst_overlap for a subject as one line of JSON.
#
#     perl bench/burst_overlap.pl NAME INPUT FOLDER      FOLDER has KIND.PERIOD.RATE.BURST.json, and all.*.json of the exhaustive run
use strict;
use warnings;
use JSON::PP;

my ($name, $input, $folder) = @ARGV;

sub file {
    my ($path) = @_;
    open my $in, '<', $path or return;
    local $/;
    my $text = <$in>;
    return $text ? decode_json($text) : undef;
}

# The sizes of the exhaustive profile, as in figure 6.
sub statistics {
    my %is;
    if (my $r = file("$folder/all.methods.json")) {
        my @ran = @{$r->{programs}[0]{functions}};
        $is{methods} = @ran;
        $is{entered} += $_->{entered} for @ran;
        $is{again} += $_->{again} for @ran;
    }
    if (my $r = file("$folder/all.calls.json")) {
        my @ran = @{$r->{programs}[0]{calls}};
        my %site = map { ("$_->{function} $_->{file} $_->{site}" => 1) } @ran;
        $is{pairs} = @ran;
        $is{sites} = keys %site;
        $is{calls} += $_->{count} for @ran;
    }
    if (my $r = file("$folder/all.streams.json")) {
        $is{$_} = $r->{programs}[0]{$_} for qw(references distinct symbols lost found);
        open my $in, '<', "$folder/addresses" or die "$folder/addresses: $!\n";
        $is{addresses} = <$in> + 0;
    }
    return \%is;
}

opendir my $dir, $folder or die "$folder: $!\n";
my @overlap;
my $is = statistics();
my %none = (complete => {overlap => 0, in_a => $is->{found}, in_both => 0}, top => {overlap => 0}); # in an empty file
for my $f (sort readdir $dir) {
    my ($kind, $period, $rate, $burst) = $f =~ /^(\w+)\.(\w+)\.(\d+)\.(\d+)\.json$/ or next;
    my $r = file("$folder/$f");
    my $o = $r ? $r->{overlap} : \%none;
    push @overlap, {
        kind => $kind, period => $period, rate => $rate + 0, burst => $burst + 0,
        complete => $o->{complete}{overlap}, top => $o->{top}{overlap}, members => $o->{complete}{in_a}, found => $o->{complete}{in_both},
    };
}
print '    ', JSON::PP->new->canonical->encode({program => $name, input => $input, is => $is, overlap => \@overlap}), "\n";
