#!/usr/bin/perl
# Whole programs that are sampled in bursts: what is told ran.
#
#     burst.t [--part=I/N] [WORD...]
#
# Each program of this folder is built plain, with `trod cc --burst` and every type, and with the oracle that logs
# every block of the same code (port/llvm/emit/oracle.c). However often bursts come it must print and return what it
# does plain. With trigger=always its paths, entries, rounds, trips, calls and references are those of the oracle's
# log; when bursts come now and then they are near.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Burst;
use Oracle;

my $here = $FindBin::Bin;
my ($part, $parts) = part_of(\@ARGV);

# Where signals come, or what threads do, is not the same in any two runs.
my %differs = map { ($_ => 1) } qw(signal_handler.c interrupted.c noise.c kill9.c thread_churn.c cxx_threads.cc
    coroutine_threads.cc contexts.c);

my @ways = (['-O2'], ['-O0'], ['-O1', '-g']);
my @more = (['-O3'], ['-Os'], ['-O2', '-fPIC'], ['-O2', '-static'], ['-O2', '-flto', '-fuse-ld=lld'],
    ['-O2', '-flto=thin', '-fuse-ld=lld'], ['-O2', '-fno-pie', '-no-pie']);

sub program {
    my ($file, @each) = @_;
    my $head = read_head($file);
    my $name = basename($file);
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };

    return report("$name plain", $@) if !$plain;
    for my $flags (@each) {
        next if (@{$head->{library}} || @{$head->{linked}}) && "@$flags" =~ /static/;
        try_burst($name, $file, $head, $plain, $flags, {differ => $differs{$name}});
    }
    remove_tree("$name.plain");
}

my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;
my $number = 0;
for my $file (@files) {
    # The quick run takes every sixth program; the full run for each program one or two of what is more than levels, in turn.
    my @turn = grep { $ENV{TROD_EVERY} || @ARGV || ($number + $_) % 6 == 0 } 0 .. $#more;
    program($file, $ENV{TROD_FULL} ? (@ways, @more[@turn]) : $ways[$number % @ways])
        if $number % $parts == $part - 1 && ($ENV{TROD_FULL} || @ARGV || int($number / $parts) % 6 == 0);
    $number++;
}
# A handler forks, wherever the program is; its child goes back there.
sub forks {
    my $file = "$here/fork_handler_part.c";

    for my $way (['--burst=types=' . every_type], ['--burst=trigger=flag,hz=2000'], ['--online']) {
        my $folder = eval { build('burst', $file, read_head($file), $way, ['-O2']) };
        report("fork in a handler, @$way", $@), next if !$folder;
        for my $often ('trigger=always', 'rate=2', 'rate=50,burst=10') {
            local $ENV{TROD_ONLINE} = $often eq 'rate=2' ? 'f=2' : 'f=50';
            my ($said, $status) = run_burst($folder, $often);
            report("fork in a handler, @$way, $often", $said eq "failed: 0\n" && !$status ? () : "$said, status $status");
        }
        remove_tree($folder);
    }
}

if ($part == 1 && !@ARGV && !$ENV{TROD_PLANT}) {
    forks() if $ENV{TROD_FULL};
    for my $name ($ENV{TROD_FULL} ? ('loops.c', 'recursion.c') : ()) { # a minute
        try_average($name, "$here/$name", read_head("$here/$name"), ['-O1']);
    }
    # An event that is left out of the log must be missed.
    for my $event ($ENV{TROD_FULL} ? (3, 25, 60) : 25) {
        local $ENV{TROD_PLANT} = $event;
        my ($said) = run('.', 'perl', "$here/burst.t", 'loops.c');
        report("event $event is missed", $said =~ /^not ok .* always$/m ? () : $said);
    }
}
finish();
