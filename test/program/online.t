#!/usr/bin/perl
# Whole programs whose subpaths are sampled: what is told ran.
#
#     online.t [--part=I/N] [WORD...]
#
# Each program of this folder is built plain, with `trod cc --online`, and with the oracle that logs
# every block of the same code (port/llvm/emit/oracle.c). It must print and return what it does plain.
# The trace that it writes with TROD_BLOCKS must be, thread by thread, what the oracle logs; and each
# subpath that it samples without must be somewhere in there, with every block that a thread began.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Online;
use Oracle;

my $here = $FindBin::Bin;
my ($part, $parts) = part_of(\@ARGV);

# Where signals come, or what threads do, is not the same in any two runs.
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c);

# Where processes end without the end of the program, what they have not written of their trace yet is lost.
my %ends = map { ($_ => 1) } qw(exit_ways.c fork.c fork_calls.c fork_tree.c noreturn.c traps.c vfork_exec.c terminate.cc);

sub program {
    my ($file, @levels) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };

    return report("$name plain", $@) if !$plain;
    try_online($name, $file, $head, $plain, $_, {differ => $differs{$name}, end => $ends{$name}}) for @levels;
    remove_tree("$name.plain");
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    # What the optimizer makes of computed jumps differs from level to level. The quick run takes every third program.
    program($file, $ENV{TROD_FULL} || $file =~ /goto/ ? qw(-O0 -O1 -O2 -O3 -Os) : (qw(-O2 -O0 -O1))[$number % 3])
        if $number % $parts == $part - 1 && ($ENV{TROD_FULL} || @ARGV || $file =~ /goto/ || int($number / $parts) % 3 == 1);
    $number++;
}

# An event that is left out of the log must be missed.
if ($part == 1 && !@ARGV && !$ENV{TROD_PLANT}) {
    local $ENV{TROD_PLANT} = 25;
    my ($said) = run('.', 'perl', "$here/online.t", 'loops.c');
    report('event 25 is missed', $said =~ /^not ok .* traced$/m ? () : $said);
}
finish();
