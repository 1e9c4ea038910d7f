#!/usr/bin/perl
# Compare which lines ran in abandoned activations with other tools: exit, _exit, abort, SIGKILL, longjmp, exceptions,
# pthread_exit and fork, at -O0 to -O3.
#
#     gcov      of gcc. It knows that calls may not return. A line that it counts did run, and trod must not print 0.
#     llvm-cov  counts regions, in a mapped file. It assumes that calls return. A line that it does not count did not run,
#               and trod must have no count.
#
#     unfinished.t [WORD...]
#
# The tools differ on lines after a call that did not return. Lines that trod reports as unknown are counted: there may
# be no more of them than the table says.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program";
use Cwd qw(abs_path);
use JSON::PP;
use Oracle qw(report finish run must);

my $here = abs_path("$FindBin::Bin/unfinished");
my $config = $ENV{TROD_CONFIG} || 'release';
my $trod = abs_path("$FindBin::Bin/../../build/$config/trod");
my @counting = qw(-fprofile-instr-generate -mllvm -runtime-counter-relocation -fcoverage-mapping -fprofile-update=atomic);

# Program, arguments, and how many lines may be unknown.
my @runs = (
    ['ways.c', [qw(exit)], 0],
    ['ways.c', [qw(exit once)], 0],
    ['ways.c', [qw(exit loop)], 0],
    ['ways.c', [qw(exit x y x)], 2],
    ['ways.c', [qw(- x y x)], 0],
    ['ways.c', [qw(quick once)], 6],
    ['ways.c', [qw(abort x y)], 20],
    ['ways.c', [qw(kill loop)], 18],
    ['ways.c', [qw(kill x y x)], 35],
    ['jumps.c', [qw(jump)], 0],
    ['jumps.c', [qw(jump a b c)], 11],
    ['jumps.c', [qw(exit a b c)], 0],
    ['jumps.c', [qw(- a b c)], 0],
    ['throws.cc', [qw(exit)], 0],
    ['throws.cc', [qw(exit a b c)], 1],
    ['throws.cc', [qw(exit a b c d e)], 5],
    ['threads.c', [qw(exit)], 0],
    ['threads.c', [qw(exit a)], 8],
    ['threads.c', [qw(exit a b)], 9],
    ['threads.c', [qw(thread a)], 8],
);

sub clang { return $_[0] =~ /\.cc$/ ? 'clang++-19' : 'clang-19' }

# Counts of lines, by file of the program.
sub read_lcov {
    my ($text) = @_;
    my ($file, %count);

    for (split /\n/, $text) {
        $file = $1 =~ s{.*/}{}r if /^SF:(.*)/;
        $count{"$file:$1"} += $2 if /^DA:(\d+),(\d+)/;
    }
    return \%count;
}

sub build {
    my ($file, $level) = @_;
    my $cc = $file =~ /\.cc$/ ? 'c++' : 'cc';

    return if -e "$file.$level";
    must(clang('quit.c'), '-O0', '-g', @counting, '-c', "$here/quit.c", '-o', 'quit.theirs.o');
    must(clang($file), '-O0', '-g', '-pthread', @counting, "$here/$file", 'quit.theirs.o', '-o', "$file.theirs")
        if !-e "$file.theirs";
    gcc_build($file) if !-e "$file.gcc";
    must($trod, 'cc', $level, '-g', '-c', "$here/quit.c", '-o', "quit$level.o") if !-e "quit$level.o";
    must($trod, $cc, $level, '-g', '-pthread', "$here/$file", "quit$level.o", '-o', "$file.$level");
}

sub theirs {
    my ($file, $arguments) = @_;

    unlink glob 'raw.*';
    local $ENV{LLVM_PROFILE_FILE} = abs_path('.') . '/raw.%p%c';
    my ($printed) = run('.', "./$file.theirs", @$arguments);
    must('llvm-profdata-19', 'merge', '-o', 'data', glob 'raw.*');
    return (read_lcov(must('llvm-cov-19', 'export', '--format=lcov', "$file.theirs", '-instr-profile=data')), $printed);
}

sub gcc { return $_[0] =~ /\.cc$/ ? 'g++' : 'gcc' }

sub gcc_build {
    my ($file) = @_;

    must(gcc($_), '-O0', '-g', '--coverage', '-pthread', '-c', "$here/$_", '-o', "$_.o") for 'quit.c', $file;
    must(gcc($file), '--coverage', '-pthread', "$file.o", 'quit.c.o', '-o', "$file.gcc");
}

# Lines that ran.
sub gcov {
    my ($file, $arguments) = @_;
    my %ran;

    unlink glob '*.gcda';
    run('.', "./$file.gcc", @$arguments);
    for my $data (glob '*.gcda') {
        for my $of (@{decode_json(must('gcov', '--json-format', '--stdout', $data))->{files}}) {
            my $name = $of->{file} =~ s{.*/}{}r;
            $ran{"$name:$_->{line_number}"} += $_->{count} for @{$of->{lines}};
        }
    }
    return \%ran;
}

sub ours {
    my ($file, $level, $arguments) = @_;

    unlink glob 'ours.*.trod';
    local $ENV{TROD_OUT} = abs_path('.') . '/ours.%p.trod';
    my ($printed) = run('.', "./$file.$level", @$arguments);
    must($trod, 'stage', 'flow', '--check', '-q', glob 'ours.*.trod');
    return (must($trod, 'export', '-q', '--to=lcov', glob 'ours.*.trod'), $printed);
}

# Lines that both have. Optimization puts some lines on code that always runs.
sub compare {
    my ($ours, $theirs, $gcov, $level) = @_;
    my @wrong;

    for my $line (sort keys %$ours) {
        push @wrong, "$line ran, and has no count" if $gcov->{$line} && !$ours->{$line};
        push @wrong, "$line did not run, and has a count"
            if defined $theirs->{$line} && !$theirs->{$line} && $ours->{$line} && $level eq '-O0';
    }
    return @wrong;
}

# A planted fault: the blocks of unfinished paths are dropped from the profile.
sub forget {
    my ($lcov) = @_;

    return $lcov =~ s/^DA:(\d+),1$/DA:$1,0/mgr;
}

for my $run (@runs) {
    my ($file, $arguments, $most) = @$run;
    my $name = "$file @$arguments";

    next if @ARGV && !grep { index($name, $_) >= 0 } @ARGV;
    for my $level ($ENV{TROD_FULL} ? qw(-O0 -O1 -O2 -O3) : qw(-O0 -O2)) {
        build($file, $level);
        my ($theirs, $printed) = theirs($file, $arguments);
        my $gcov = gcov($file, $arguments);
        my ($lcov, $same) = ours($file, $level, $arguments);
        my ($unknown) = $lcov =~ /^# (\d+) lines are left out/m;
        my @wrong = compare(read_lcov($lcov), $theirs, $gcov, $level);

        $unknown //= 0;
        push @wrong, "$unknown lines are unknown" if $unknown > $most;
        push @wrong, 'another output' if $printed ne $same;
        report("$name $level: lines that ran ($unknown unknown)", @wrong);
        report("$name $level: a fault is found", compare(read_lcov(forget($lcov)), $theirs, $gcov, $level) ? () : 'none')
            if $run == $runs[0];
    }
}
finish();
