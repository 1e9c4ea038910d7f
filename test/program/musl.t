#!/usr/bin/perl
# Compare the counts of whole C programs with another libc, musl, with what an oracle logs.
#
#     musl.t [--part=I/N] [WORD...]
#
# The same tests as run.t. Programs are static, as most that use musl are; those that need libraries or glibc are
# skipped. Each program is tested in one mode, in turn. With TROD_EVERY=1, or if words are given, in all modes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Oracle;

my $here = $FindBin::Bin;
my $musl = 'x86_64-linux-musl';
my ($part, $parts) = part_of(\@ARGV);

my @linked = ("--target=$musl", '-nostdlibinc', '-isystem', "/usr/include/$musl", "-B/usr/lib/$musl", "-L/usr/lib/$musl");
if (!-e "/usr/lib/$musl/libc.a") {
    print "1..0 # SKIP musl-dev is not installed\n";
    exit;
}
aim_at(\@linked);

# musl has no getcontext.
my %glibc = map { ($_ => 1) } qw(contexts.c);
my @files = grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ && !$glibc{basename($_)} } glob "$here/*.c";
@files = grep { my $f = basename($_); !@ARGV || grep { index($f, $_) >= 0 } @ARGV } @files;

my @ways = (
    [static => [], ['-O2', '-static']],
    [pic => [], ['-O2', '-fPIC', '-static']],
    [code => ['--at=code'], ['-O2', '-static']],
    [dynamic => [], ['-O2']],
    [wpp => ['--wpp'], ['-O1', '-static', '-fPIC']],
    [untested => ['--untested-only', '--tested'], ['-O2', '-static', '-fPIC']],
);
my $number = 0;
for my $file (@files) {
    my ($name, $head) = (basename($file), read_head($file));
    next if @{$head->{library}} || @{$head->{linked}};
    my $nth = $number++;
    next if $nth % $parts != $part - 1;
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2', '-static']), './program')] };
    report("$name plain", $@), next if !$plain;
    for my $mode ($ENV{TROD_EVERY} || @ARGV ? @ways : $ways[$nth % @ways]) {
        try_mode($name, $file, $head, $plain, $mode);
    }
    remove_tree("$name.plain");
}
finish();
