#!/usr/bin/perl
# Whole programs for aarch64, in an emulator: what trod counts is what ran.
#
#     aarch64.t [--part=I/N] [WORD...]
#
# As run.t, which says how, with Debian's cross compiler for headers and libraries and qemu-user for a machine. Each program
# in one of the modes in turn; with TROD_EVERY=1, or if it is named, in all that are not of one linker or sanitizer.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
my $every = $ENV{TROD_EVERY};
use Oracle;

my $here = $FindBin::Bin;
my $target = 'aarch64-linux-gnu';
my ($part, $parts) = part_of(\@ARGV);
aim_at($target, 'qemu-aarch64', '-L', "/usr/$target");

my @ways = grep { $_->[0] !~ /^(asan|ubsan)$/ } @modes, @set_modes, @row_modes, @step_modes, @segment_modes;

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    my $head = read_head($file);
    my $name = basename($file);
    my $nth = $number++;
    next if $nth % $parts != $part - 1;
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };
    report("$name plain", $@), next if !$plain;
    print "# $plain->[1] $plain->[0]\n";
    for my $mode ($ENV{MODES} ? grep { $_->[0] eq $ENV{MODES} } @ways : $every || @ARGV ? @ways : $ways[$nth % @ways]) {
        try_mode($name, $file, $head, $plain, $mode);
    }
    remove_tree("$name.plain");
}
finish();
