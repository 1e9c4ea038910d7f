#!/usr/bin/perl
# Whole programs for aarch64, in an emulator: what trod counts is what ran.
#
#     aarch64.t [--part=I/N] [WORD...]
#
# As run.t, online.t and burst.t, which say how, with Debian's cross compiler for headers and libraries, and qemu-user for a
# machine. Each program in one of the ways to count, in turn, and every third sampled; with TROD_EVERY=1, or if it is named,
# in all of them.
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
my $target = 'aarch64-linux-gnu';
my ($part, $parts) = part_of(\@ARGV);

# What is not for this machine, and what is called otherwise there. Sanitizers would need a runtime of clang for it.
my @ways = map { my ($word, $own, $flags) = @$_; [$word, $own, [map { s/^-fcf-protection$/-mbranch-protection=standard/r } @$flags]] }
    grep { $_->[0] !~ /^(asan|ubsan)$/ } @modes, @set_modes, @row_modes, @step_modes, @segment_modes;

# In the emulator vfork is fork: the child's memory is not its parent's, and what it counts goes away with it.
my %emulated = map { ($_ => 1) } qw(vfork_exec.c);
# Where signals come, or what threads do, is not the same in any two runs; and where processes end without the end of the
# program, what they have not written of their trace yet is lost.
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c);
my %ends = map { ($_ => 1) } qw(exit_ways.c fork.c fork_calls.c fork_tree.c noreturn.c traps.c terminate.cc);

for my $needs ("$target-gcc", "$target-g++", 'qemu-aarch64') {
    next if grep { -x "$_/$needs" } split /:/, $ENV{PATH};
    print "1..0 # SKIP $needs is not installed\n";
    exit;
}
aim_at(["--target=$target"], 'qemu-aarch64', '-L', "/usr/$target");

sub program {
    my ($file, $nth) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my $all = $ENV{TROD_EVERY} || @ARGV;
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };

    return report("$name plain", $@) if !$plain;
    return report("$name plain", 'it prints nothing') if $plain->[0] eq '';
    my @own = grep { $_->[0] !~ /static|pie/ || !@{$head->{library}} && !@{$head->{linked}} } @ways;
    try_mode($name, $file, $head, $plain, $_) for $all ? @own : $own[$nth * 7 % @own];
    try_online($name, $file, $head, $plain, '-O2', {differ => $differs{$name}, end => $ends{$name}})
        if $all || $nth % 6 == 1;
    try_burst($name, $file, $head, $plain, ['-O2'], {differ => $differs{$name}, forks => $ends{$name}}) if $all || $nth % 6 == 4;
    remove_tree("$name.plain");
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ && !$emulated{basename($_)} } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    program($file, $number) if $number % $parts == $part - 1;
    $number++;
}
plant("$here/loops.c", read_head("$here/loops.c"), 25) if $part == 1 && !@ARGV;
finish();
