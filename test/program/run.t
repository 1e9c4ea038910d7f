#!/usr/bin/perl
# Compare the counts of whole programs with what an oracle logs.
#
#     run.t [--part=I/N] [WORD...]
#
# Each program in this folder is built plain, instrumented, and with the oracle that logs every block
# (port/llvm/emit/oracle.c). The instrumented program must print and return the same as the plain one. Its counts must
# be those that `derive` derives from the oracle's log. With words, only programs whose name contains one of them run.
#
# The quick run tests each program in one mode: a level, or one that its head lists. Every second program is also tested
# in one of the modes that count differently (sets of paths, chains, steps, segments). With TROD_FULL=1, every program
# is tested at every level and with every way to link, and in a sixth of the modes that count differently. With
# TROD_EVERY=1 as well, or if words are given, in all of them.
#
# Comments at the head of a program say what it needs:
#
#     // flags: -pthread          for compiler and linker
#     // with: other_part.c       a second unit
#     // library: some_part.c     built as ./some_part.so, for dlopen
#     // linked: some_part.c      the same, and linked with
#     // modes: static lto        besides -O0 or -O2, in the quick run
#     // abandons: main f         functions with abandoned activations
#     // trapped: f               the same, by a signal that may arrive at any instruction
#     // ifunc: f                 a function that the loader chooses: calls of it are not followed
#     // skips: segran2           modes in which it is not tested; a comment says why
#     // ambiguous: early jump    reasons why its subpaths are ambiguous (derive_steps)
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Oracle;

my $here = $FindBin::Bin;
my ($part, $parts) = part_of(\@ARGV);
my %asked = map { ($_ => 1) } qw(asan ubsan); # sanitizers see signals and exits first

# Whether a full run tests this program in the k-th mode.
sub has_turn {
    my ($nth, $k) = @_;

    return $ENV{TROD_EVERY} || @ARGV || ($nth + $k) % 6 == 0;
}

sub program {
    my ($file, $nth) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my @asks = ($nth % 2 ? 'O0' : 'O2', @{$head->{modes}});
    my %mode = map { ($_ => 1) } $ENV{TROD_FULL} || @ARGV ? @asks : $asks[$nth % @asks];
    my $turn = int $nth / 6;
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };

    return report("$name plain", $@) if !$plain;
    return report("$name plain", 'it prints nothing') if $plain->[0] eq '';
    for my $mode (@modes) {
        my $word = $mode->[0];
        next if !$mode{$word} && (!$ENV{TROD_FULL} || $asked{$word});
        # A program with a library cannot be static.
        next if (@{$head->{library}} || @{$head->{linked}}) && $word =~ /^(static|pie)$/;
        try_mode($name, $file, $head, $plain, $mode);
    }
    # Builds that count some paths: one mode in turn, or all.
    my $quick = !$ENV{TROD_FULL};
    $nth = 1 if $quick && $name =~ /\.cc$/; # seconds each
    for my $k (0 .. $#set_modes) {
        my $mode = $set_modes[$k];
        next if $quick ? $nth % 6 != 0 || $k != $turn % @set_modes : !has_turn($nth, $k);
        next if (@{$head->{library}} || @{$head->{linked}}) && $mode->[0] =~ /^static/;
        try_mode($name, $file, $head, $plain, $mode);
    }
    # Chains: one mode in turn, or all.
    for my $k (0 .. $#chain_modes) {
        try_mode($name, $file, $head, $plain, $chain_modes[$k])
            if $quick ? $nth % 6 == 2 && $k == $turn % @chain_modes : has_turn($nth, $k);
    }
    # Paths that also end at calls: one mode in turn. The full run adds builds that count segments.
    for my $ways (\@step_modes, $ENV{TROD_FULL} ? \@segment_modes : ()) {
        for my $k (0 .. $#$ways) {
            my $mode = $ways->[$k];
            next if $quick ? $nth % 6 != 4 || $k != $turn % @$ways : !has_turn($nth, $k);
            next if (@{$head->{library}} || @{$head->{linked}}) && $mode->[0] =~ /static/;
            try_mode($name, $file, $head, $plain, $mode);
        }
    }
    remove_tree("$name.plain");
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    program($file, $number) if $number % $parts == $part - 1;
    $number++;
}
plant("$here/loops.c", read_head("$here/loops.c"), 2, 3, 10, 25, 40, 60) if $ENV{TROD_FULL} && $part == 1 && !@ARGV;
finish();
