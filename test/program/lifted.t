#!/usr/bin/perl
# Compare programs that 'trod cc --at=code' instruments with the same programs compiled by clang and lifted from an
# emulator. Path counts must agree, function by function, where both have the same branches. That holds without
# optimisation only: the optimizer changes the layout after 'trod cc' sees the code.
#
#     lifted.t [PROGRAM...]
use strict;
use warnings;
use Cwd qw(abs_path);
use FindBin;
use lib "$FindBin::Bin/../kit";
use File::Temp qw(tempdir);
use JSON::PP;
use Tap qw(report skip finish);

my $root = abs_path("$FindBin::Bin/../..");
my $trod = "$root/build/release/trod";
my $plugin = "$root/build/release/trod-qemu.so";
my $tmp = tempdir(CLEANUP => 1);
$ENV{LC_ALL} = 'C';

# Functions that differ, and why.
my $table = 'a switch by a table is an indirect jump, which ends a path';
my $gotos = 'a computed goto is an indirect jump, which ends a path';
my $ways = 'an irreducible loop: the compiler cuts retreating edges, the lifter cuts by address';
my $limit = 'the compiler has a limit on paths';
my $exits = 'a call that does not return ends a path, or abandons the activation';
my %program = (
    loops => {},
    else_if => {},
    recursion => {},
    mutual => {},
    bits => {},
    noise => {},
    function_pointers => {},
    jump_table => {},
    interpreter => {run => $table},
    computed_goto => {one => $gotos, run => $gotos},
    irreducible => {into_while => $ways, knot => $ways, two_ways_in => $ways},
    many_paths => {looping => $limit, straight => $limit},
    call_trees => {grow => $exits},
);

sub run {
    my ($command) = @_;
    system("cd '$tmp' && $command >out 2>&1 </dev/null") >= 0 or die "$command: $!\n";
    return $? == 0;
}

# How often each path of each function ran, ascending: function => text.
sub counts {
    my ($profile) = @_;
    my $text = `'$trod' report -q --json --most=1000000 '$tmp/$profile'`;
    my %counts;

    push @{$counts{$_->{function}}}, $_->{count} for @{decode_json($text)->{report}{hot}};
    return map { $_ => join ' ', sort { $a <=> $b } @{$counts{$_}} } keys %counts;
}

# Build and run a program both ways; false if it cannot be built.
sub build_and_run {
    my ($name) = @_;
    my $source = "$root/test/program/$name.c";

    run("rm -f *.seen *.trod *.trodmap; '$trod' cc --at=code -O0 -g -o counts '$source' -lm -lpthread") or return 0;
    run("clang-19 -O0 -g -o plain '$source' -lm -lpthread") or return 0;
    run('TROD_OUT=counts.trod ./counts');
    run("qemu-x86_64 -plugin '$plugin',out=. ./plain");
    return run("'$trod' hw lift -q -o plain.trod *.seen");
}

sub compare {
    my ($name, %explained) = @_;
    my %want = counts('counts.trod');
    my %have = counts('plain.trod');
    my @wrong = map { "$_: counted $want{$_}; lifted " . ($have{$_} // 'none') }
        grep { !$explained{$_} && ($have{$_} // '') ne $want{$_} } sort keys %want;
    my @equal = grep { ($have{$_} // '') eq ($want{$_} // '-') } sort keys %explained;

    report("$name: " . keys(%want) . ' functions, ' . keys(%explained) . ' explained', @wrong);
    report("$name: explained functions do differ", map { "$_: $explained{$_}" } @equal) if %explained;
    my $lost = `'$trod' show '$tmp/plain.trod' | grep '^note "unwalked'`;
    report("$name: nothing is lost", $lost ? ($lost) : ());
    return %want;
}

chomp(my $why = `'$root/test/kit/emulator.sh'`);
if ($why) {
    skip('programs, lifted', $why);
    finish();
}
my %last;
for my $name (@ARGV ? @ARGV : sort keys %program) {
    if (!build_and_run($name)) {
        report("$name is built and lifted", `tail -n 5 '$tmp/out'`);
        next;
    }
    my %now = compare($name, %{$program{$name}});
    # The comparison can fail: another program has other counts.
    if (%last) {
        report("$name differs from the program before",
            join(';', map { "$_=$now{$_}" } sort keys %now) ne join(';', map { "$_=$last{$_}" } sort keys %last)
            ? () : ('it is'));
    }
    %last = %now;
}
finish();
