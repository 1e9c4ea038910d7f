#!/usr/bin/perl
# Compare block sequences that whole programs sample with what an oracle logs.
#
#     online.t [--part=I/N] [WORD...]
#
# Each program in this folder is built plain, with `trod cc --online`, and with the oracle that logs every block of the
# same code (port/llvm/emit/oracle.c). It must print and return the same as the plain program. The trace that it writes
# with TROD_BLOCKS must equal the oracle's log, thread by thread. Each block sequence that it samples without
# TROD_BLOCKS must occur in that log.
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

# Programs that execute different blocks in each run, because of signals or threads.
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c loop_registers.c);

# Programs with processes that end abruptly, and lose the part of the trace that they have not written.
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
    # The optimizer turns computed jumps into different code at each level. The quick run tests every third program.
    program($file, $ENV{TROD_FULL} || $file =~ /goto/ ? qw(-O0 -O1 -O2 -O3 -Os) : (qw(-O2 -O0 -O1))[$number % 3])
        if $number % $parts == $part - 1 && ($ENV{TROD_FULL} || @ARGV || $file =~ /goto/ || int($number / $parts) % 3 == 1);
    $number++;
}

# A planted fault: an event is dropped from the log, and the comparison must fail.
if ($part == 1 && !@ARGV && !$ENV{TROD_PLANT}) {
    local $ENV{TROD_PLANT} = 25;
    my ($said) = run('.', 'perl', "$here/online.t", 'loops.c');
    report('event 25 is dropped: the comparison fails', $said =~ /^not ok .* traced$/m ? () : $said);
}
finish();
