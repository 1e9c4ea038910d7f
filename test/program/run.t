#!/usr/bin/perl
# Whole programs: what trod counts is what ran.
#
#     run.t [--part=I/N] [WORD...]
#
# Each program of this folder is built plain, instrumented, and with the oracle
# that logs every block (port/llvm/emit/oracle.c).  Instrumented it must print and
# return what it does plain; its counts must be those that `derive` finds in the
# oracle's log.  Only programs whose name contains one of the words are run.
#
# With TROD_FULL=1: every level and way to link for every program, and of the ways to
# count otherwise (sets of paths, iterations, steps, segments) a sixth for each program, in turn;
# with TROD_EVERY=1, too, or for programs that are named, all of them.  The quick run takes turns: of
# each program one level or what its head asks for, and of every other one a way to
# count otherwise.
#
# A program says in comments at its head what it needs:
#
#     // flags: -pthread          for compiler and linker
#     // with: other_part.c       a second unit
#     // library: some_part.c     built as ./some_part.so, for dlopen
#     // linked: some_part.c      the same, and linked with
#     // modes: static lto        besides -O0 or -O2, in the quick run
#     // abandons: main f         functions that are left in the middle of a path
#     // trapped: f               the same, by a signal that no call announces
#     // ifunc: f                 which the loader chooses: calls of it are not gone into
#     // guesses: early jump      what cannot be told from subpaths alone (derive_steps)
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

# Whether it is this way's turn in a full run.
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
    # Builds that count some paths: one of the ways in turn, or all.
    my $quick = !$ENV{TROD_FULL};
    $nth = 1 if $quick && $name =~ /\.cc$/; # seconds each
    for my $k (0 .. $#set_modes) {
        my $mode = $set_modes[$k];
        next if $quick ? $nth % 6 != 0 || $k != $turn % @set_modes : !has_turn($nth, $k);
        next if (@{$head->{library}} || @{$head->{linked}}) && $mode->[0] =~ /^static/;
        try_mode($name, $file, $head, $plain, $mode);
    }
    # Paths in a row: one of the ways in turn, or all.
    for my $k (0 .. $#row_modes) {
        try_mode($name, $file, $head, $plain, $row_modes[$k])
            if $quick ? $nth % 6 == 2 && $k == $turn % @row_modes : has_turn($nth, $k);
    }
    # Paths that end at calls, too, in one of the ways in turn; in the full run in all, and segments
    # of them, which builds count.
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
