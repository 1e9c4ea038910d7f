#!/usr/bin/perl
# Print the results of bench/hardware for a program as one line of JSON.
#
#     perl bench/hardware.pl NAME GROUP VERSION FOLDER STUDY...      FOLDER has STUDY.json, and lengths.json
use strict;
use warnings;
use JSON::PP;

my ($name, $group, $version, $folder, @studies) = @ARGV;

sub file {
    my ($path) = @_;
    open my $in, '<', $path or return;
    local $/;
    my $text = <$in>;
    return $text ? decode_json($text) : undef;
}

my %row = (program => $name, group => $group, version => $version);
for my $study (@studies) {
    my $r = file("$folder/$study.json") or next;
    my @varied = map { $_->{name} } grep { @{$_->{values}} > 1 } @{$r->{parameters}};
    # Parameters with the same value in all designs are in the study.
    $row{studies}{$study} = [map { my $v = $_; { is => {map { $_ => $v->{is}{$_} } @varied}, has => $v->{has} } } @{$r->{values}}];
    $row{missing}{$study} = [map { my $m = $_; { map { $_ => $m->{$_} } qw(measure of count limit) } } @{$r->{missing}}];
    next unless $r->{kind} eq 'burman';
    $row{effects}{$study} = [map { my $e = $_; { measure => $e->{measure}, of => $e->{of}, map { $_ => $e->{streams}[0]{$_} } grep { defined $e->{streams}[0]{$_} } qw(effect share rank) } } @{$r->{effects}}];
}
if (my $r = file("$folder/lengths.json")) {
    my $s = $r->{streams}[0];
    $row{$_} = $s->{$_} for grep { defined $s->{$_} } qw(instructions runs branches paths threads odd);
    $row{lengths} = $s->{lengths} if $s->{lengths};
}
print '    ', JSON::PP->new->canonical->encode(\%row), "\n";
