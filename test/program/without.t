#!/usr/bin/perl
# Compare the counts of programs with what an oracle logs, when something that makes counts cheap is left out.
#
#     without.t [WORD...]
#
# TROD_WITHOUT (port/llvm/emit/lever.c) leaves it out. Whatever it names, the counts of the programs below must be
# right, and the code of one of them must be different: otherwise bench/levers would measure nothing. With words, only
# programs whose name contains one of them are tested.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename);
use File::Path qw(remove_tree);
use Oracle;

my $here = $FindBin::Bin;
my $trod = $ENV{TROD} // "$here/../../build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my @levers = qw(bundles singles sums loops addresses late);
# A program for each lever in which it has something to do, and shared functions.
my %shows = (bundles => 'bundles.c', singles => 'shared.cc', sums => 'sums.c', loops => 'loop_registers.c',
    addresses => 'sums.c', late => 'loop_registers.c');
my @programs = $ENV{TROD_FULL} || @ARGV
    ? map { basename($_) } grep { !/_part\.\w+$/ && !/oracle_rt\.c$/ } glob "$here/*.c $here/*.cc"
    : qw(sums.c inline_twice.cc);
@programs = grep { my $f = $_; grep { index($f, $_) >= 0 } @ARGV } @programs if @ARGV;

# The code of a program, as text.
sub code_of {
    my ($file) = @_;
    my $asm = basename($file) . '.s';

    must($trod, $file =~ /cc$/ ? 'c++' : 'cc', '-O2', '-w', '-S', '-o', $asm, $file);
    open my $in, '<', $asm or die "$asm: $!\n";
    local $/ = undef;
    return <$in>;
}

my $number = 0;
for my $name (@programs) {
    my ($file, $head) = ("$here/$name", read_head("$here/$name"));
    my $plain = eval { [run(build('plain', $file, $head, [], ['-O2']), './program')] };
    # One at a time, and all together; of many programs, each in turn.
    my @some = (@levers, join(',', @levers));
    @some = $some[$number++ % @some] if @programs > 2;
    for my $without (@some) {
        local $ENV{TROD_WITHOUT} = $without;
        try_mode($name, $file, $head, $plain, ["without $without", [], ['-O2']]);
    }
    remove_tree("$name.plain");
}
if (!@ARGV) {
    for my $lever (@levers) {
        my $with = code_of("$here/$shows{$lever}");
        local $ENV{TROD_WITHOUT} = $lever;
        report("$lever: the code is different", code_of("$here/$shows{$lever}") ne $with ? () : 'it is the same');
    }
    local $ENV{TROD_WITHOUT} = 'loops,nothing';
    eval { code_of("$here/sums.c") };
    report('a word that names nothing is refused',
        $@ =~ /TROD_WITHOUT: "nothing" cannot be left out; only bundles, / ? () : "it says: $@");
}
finish();
