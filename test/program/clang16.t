#!/usr/bin/perl
# Compare the counts of whole programs, compiled by the oldest clang that trod supports, with what an oracle logs.
#
#     clang16.t [--part=I/N] [WORD...]
#
# The same tests as run.t. Each program is tested in one mode, in turn. With TROD_EVERY=1, or if words are given, in all
# modes that do not need a linker of the same version.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Burst;
use Online;
use Oracle;

my $here = $FindBin::Bin;
my ($part, $parts) = part_of(\@ARGV);
my $plugin = "$here/../../build/release/trod-llvm-16.so";

if (!-e $plugin || !grep { -x "$_/clang-16" } split /:/, $ENV{PATH}) {
    print '1..0 # SKIP ', -e $plugin ? 'clang-16' : 'llvm-16-dev', " is not installed\n";
    exit;
}
use_clang(16);

my @ways = grep { $_->[0] !~ /^(asan|ubsan|whole)/ && "@{$_->[2]}" !~ /lld/ }
    @modes, @set_modes, @chain_modes, @step_modes, @segment_modes;
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c);
my %ends = map { ($_ => 1) } qw(exit_ways.c fork.c fork_calls.c fork_tree.c noreturn.c traps.c vfork_exec.c terminate.cc);

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    my ($name, $head, $nth) = (basename($file), read_head($file), $number++);
    next if $nth % $parts != $part - 1;
    my $all = $ENV{TROD_EVERY} || @ARGV;
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };
    report("$name plain", $@), next if !$plain;
    my @own = grep { $_->[0] !~ /static|pie/ || !@{$head->{library}} && !@{$head->{linked}} } @ways;
    try_mode($name, $file, $head, $plain, $_) for $all ? @own : $own[$nth * 7 % @own];
    try_online($name, $file, $head, $plain, '-O2', {differ => $differs{$name}, end => $ends{$name}})
        if $all || $nth % 8 == 1;
    try_burst($name, $file, $head, $plain, ['-O2'], {differ => $differs{$name}}) if $all || $nth % 8 == 5;
    remove_tree("$name.plain");
}
finish();
