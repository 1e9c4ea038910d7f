#!/usr/bin/perl
# Compare the counts of whole programs for aarch64, in an emulator, with what an oracle logs.
#
#     aarch64.t [--part=I/N] [WORD...]
#
# The same tests as run.t, online.t and burst.t, with the headers and libraries of Debian's cross compiler, and
# qemu-user. Each program is tested in one mode, in turn, and every third is sampled. With TROD_EVERY=1, or if words are
# given, in all modes.
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

# Modes that this machine lacks, and options with another name there. Sanitizers would need clang's runtime for it.
my @ways = map { my ($word, $own, $flags) = @$_; [$word, $own, [map { s/^-fcf-protection$/-mbranch-protection=standard/r } @$flags]] }
    grep { $_->[0] !~ /^(asan|ubsan)$/ } @modes, @set_modes, @chain_modes, @step_modes, @segment_modes;

# In the emulator vfork is fork: the child has its own memory, and its counts are lost.
my %emulated = map { ($_ => 1) } qw(vfork_exec.c);
# Programs that execute different blocks in each run, because of signals or threads; programs with processes that end
# abruptly, and lose the part of the trace that they have not written.
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
