#!/usr/bin/perl
# Compare samples that whole programs take in bursts with what an oracle logs.
#
#     burst.t [--part=I/N] [WORD...]
#
# Each program in this folder is built plain, with `trod cc --burst` and every type, and with the oracle that logs every
# block of the same code (port/llvm/emit/oracle.c). It must print and return the same as the plain program, at every
# sampling rate. With trigger=always its paths, entries, iterations, trip counts, calls and references must be those in
# the oracle's log. At other rates the estimates must be close to them.
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

# Programs that execute different blocks in each run, because of signals or threads.
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
    # The quick run tests every sixth program. The full run adds, for each program, one or two of @more, in turn.
    my @turn = grep { $ENV{TROD_EVERY} || @ARGV || ($number + $_) % 6 == 0 } 0 .. $#more;
    program($file, $ENV{TROD_FULL} ? (@ways, @more[@turn]) : $ways[$number % @ways])
        if $number % $parts == $part - 1 && ($ENV{TROD_FULL} || @ARGV || int($number / $parts) % 6 == 0);
    $number++;
}
# A signal handler forks at any instruction; parent and child return there.
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
    # A planted fault: an event is dropped from the log, and the comparison must fail.
    for my $event ($ENV{TROD_FULL} ? (3, 25, 60) : 25) {
        local $ENV{TROD_PLANT} = $event;
        my ($said) = run('.', 'perl', "$here/burst.t", 'loops.c');
        report("event $event is dropped: the comparison fails", $said =~ /^not ok .* always$/m ? () : $said);
    }
}
finish();
