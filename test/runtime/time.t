#!/usr/bin/perl
# The time of paths. The clock is the program's own (TROD_WATCH_FAKE in runtime/burst/burst_watch.c), so what each path
# takes is known to the tick. Only the last test reads a real clock.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use JSON::PP;
use lib dirname(dirname(abs_path(__FILE__))) . '/kit';
use Tap qw(report skip finish);

my $here = dirname(abs_path(__FILE__));
my $root = dirname(dirname($here));
my $trod = $ENV{TROD} // "$root/build/" . ($ENV{TROD_CONFIG} // 'release') . '/trod';
my $folder = tempdir(CLEANUP => !$ENV{TROD_KEEP});
chdir $folder or die "$folder: $!\n";
delete @ENV{grep { /^TROD_(?!FULL|KEEP)/ } keys %ENV};

if (`uname -m` !~ /x86_64/) {
    skip('time of paths', 'the clock of the test is for x86-64');
    finish();
}

sub must {
    my (@command) = @_;
    my $said = join ' ', map { "'$_'" } @command;

    $said = `$said 2>&1`;
    die "@command: $said\n" if $?;
    return $said;
}

# build PROGRAM, OPTIONS...: with the clock of clock.o.
sub build {
    my ($program, @options) = @_;

    must($trod, 'c++', '--burst=types=' . ($ENV{TYPES} // 'paths+time'), '-O1', '-g', '-pthread', "$here/time_program.cc", @options,
        '-o', $program);
}

sub clock_from {
    my ($to, $text) = @_;

    open my $out, '>', "$to.c" or die "$to.c: $!\n";
    print $out $text;
    close $out;
    must('clang-19', '-O2', '-DTROD_WATCH_FAKE', '-ffreestanding', '-mgeneral-regs-only', "-I$root/include", "-I$root/runtime",
        "-I$root/runtime/burst", '-c', "$to.c", '-o', "$to.o");
}

# By function: rows of executions, own time and time with callees, sorted.
sub times_of {
    my (@files) = @_;
    my $said = must($trod, 'report', '--sort=time', '--json', '--most=100', @files);
    my $report = decode_json($said)->{report};
    my %rows;

    die "the unit is not ticks\n" if $report->{times}{unit} ne 'ticks';
    push @{$rows{$_->{function}}}, [@{$_->{time}}{qw(executions own with_callees p50 p99)}] for @{$report->{hot}};
    $rows{$_} = [sort { $a->[1] <=> $b->[1] || $a->[2] <=> $b->[2] } @{$rows{$_}}] for keys %rows;
    return (\%rows, $report);
}

sub ran {
    my ($program, $options, @arguments) = @_;

    unlink glob '*.trod';
    local $ENV{TROD_BURST} = $options;
    must("./$program", @arguments);
    return glob '*.trod';
}

# what a function's paths should be: [executions, own, with] each
sub wrong {
    my ($rows, %want) = @_;
    my @wrong;

    for my $function (sort keys %want) {
        my $has = join ', ', map { "$_->[0] x: $_->[1], $_->[2]" } @{$rows->{$function} // []};
        my $should = join ', ', map { "$_->[0] x: $_->[1], $_->[2]" } @{$want{$function}};
        push @wrong, "$function: $has; should be $should" if $has ne $should;
    }
    return @wrong;
}

# What 2^depth activations at each depth take, with what they call.
sub recursion {
    my ($depth) = @_;
    my @with = (3);

    push @with, 4 + 2 * $with[-1] for 1 .. $depth;
    my ($inner, $sum) = (0, 0);
    for (1 .. $depth) {
        $inner += 2**($depth - $_);
        $sum += 2**($depth - $_) * $with[$_];
    }
    return ($inner, $sum);
}

my ($inner, $with) = recursion(6);
my %leaf = (leaf => [[500, 500 * 7, 500 * 7], [500, 500 * 20, 500 * 20]]);
my @scenarios = (
    [caller => 1000, %leaf, caller => [[1000, 8000, 8000 + 500 * 27]]],
    [recurse => 20, recurse => [[20 * 64, 20 * 64 * 3, 20 * 64 * 3], [20 * $inner, 20 * $inner * 4, 20 * $with]]],
    # Entry to the first iteration's end, three or four iterations, the last.
    [iterate => 100, leaf => [[200, 1400, 1400], [300, 6000, 6000]]],
    # A path ends where longjmp is called; one that is abandoned below is not counted. One ends and another begins where
    # setjmp returns.
    [longjmp => 1000, jumps => [[250, 250 * 11, 250 * 11], [750, 750 * 13, 750 * 13]], between => [[750, 1500, 750 * 15]],
        returns_again => [[1000, 1000, 1000], [250, 2250, 2250], [750, 7500, 7500 + 750 * 15]]],
    [throw => 1000, throws => [[200, 1000, 1000], [800, 5600, 5600]],
        catches => [[200, 1800, 1800 + 1000], [800, 3200, 3200 + 5600]]],
    [raise => 100, handler => [[100, 1300, 1300]], raises => [[100, 600, 600 + 1300]]],
    # What interrupts a path between two reads of the clock is a part of it.
    [trap => 100, handler => [[100, 1300, 1300]], traps => [[100, 1900, 1900]]],
    [threads => 1000, leaf => [[2000, 14000, 14000], [2000, 40000, 40000]], caller => [[4000, 32000, 32000 + 54000]]],
    [forks => 1000, leaf => [[1500, 10500, 10500], [1500, 30000, 30000]], caller => [[3000, 24000, 24000 + 40500]]],
);

sub try_scenario {
    my ($program, $name, $n, %want) = @_;
    my ($rows) = times_of(ran($program, 'trigger=always', $name, $n));

    return wrong($rows, %want);
}

my $source = do { local (@ARGV, $/) = "$root/runtime/burst/burst_watch.c"; <> };
clock_from('clock', $source);
build('program', 'clock.o');
report("$_->[0]: each path's time", eval { try_scenario('program', @$_) }, $@ ? $@ : ()) for @scenarios;

# The clock stops for what other types report.
{
    local $ENV{TYPES} = 'paths+methods+calls+trips+streams+time';
    build('all', 'clock.o');
    report("$_->[0]: with other types", eval { try_scenario('all', @$_) }, $@ ? $@ : ()) for @scenarios;
}

# Loops: the sum is known, whatever the optimizer makes of the first and the last iteration.
{
    my ($rows) = times_of(ran('program', 'trigger=always', 'iterate', 100));
    my ($own, $with) = (0, 0);
    for (@{$rows->{iterate}}) {
        $own += $_->[1];
        $with += $_->[2];
    }
    report('iterate: iterations add up', $own == 6000 && $with == 6000 + 7400 ? () : "own $own, with $with");
}

# --- what readers make of it ------------------------------------------------------------------

my ($file) = ran('program', 'trigger=always', 'caller', 1000);
rename $file, 'a.profile';
my ($rows, $report) = times_of('a.profile');
report('p50 and p99', map { $_->[3] == $_->[4] && $_->[3] == 7 || $_->[3] >= 20 && $_->[4] < 22 ? () : "$_->[3] to $_->[4]" }
    @{$rows->{leaf}});
report('all times are exact', $report->{exact} && !grep({ $_->{time}{error} } @{$report->{hot}}) ? () : 'they are not');
my ($twice) = do {
    must($trod, 'merge', 'a.profile', 'a.profile', '-o', 'twice.profile');
    times_of('twice.profile');
};
report('merged with itself: twice', wrong($twice, map { ($_ => [map { [map { 2 * $_ } @$_[0 .. 2]] } @{$rows->{$_}}]) } keys %$rows));
must($trod, 'check', 'twice.profile');
for my $of (qw(a twice)) {
    my $shown = must($trod, 'show', "$of.profile");
    open my $out, '>', "$of.text" or die;
    print $out $shown;
    close $out;
    my ($again) = times_of("$of.text");
    my ($before) = times_of("$of.profile");
    report("$of: as text", wrong($again, %$before));
    report("$of: the second reader", must('python3', "$root/tools/trod-read.py", "$of.profile") eq $shown ? () : 'it differs');
}
{
    my $brief = must($trod, 'report', '--sort=time', '--brief', 'a.profile');
    report('a table', $brief =~ /^share +all +time +count +mean +p50 +p99 +error +function and path$/m
        && $brief =~ /^ *\S+% +\S+% +10000 +500 +20 +\d+ +\d+ +0\.0% +leaf/m ? () : $brief);
    my $long = must($trod, 'report', '--sort=time', 'a.profile');
    report('with conditions', $long =~ /mean 8, p50 8, p99 8, with callees 22; error 0\.0%/ ? () : $long);
    my $grouped = must($trod, 'report', '--sort=time', '--group=function', 'a.profile');
    report('by function', $grouped =~ / 13500 +1000 +14 .* 2 +leaf/ ? () : $grouped);
}

# --- estimates ------------------------------------------------------------------------------------

for my $how ('rate=5,seed=1', 'rate=20,burst=3,seed=2', 'rate=7,rate.time=3,seed=3') {
    my ($got) = times_of(ran('program', $how, 'caller', 20000));
    my @wrong;

    for my $row (@{$got->{leaf}}, @{$got->{caller}}) {
        my ($n, $each) = ($row->[0], $row->[1] / ($row->[0] || 1));
        my $exact = abs($each - 8) < 0.5 ? 20000 : 10000;

        push @wrong, "@$row" if abs($n - $exact) > 5 * sqrt($exact * 20 * 3) || ($each != 7 && $each != 8 && $each != 20);
    }
    report("$how: estimates", @wrong, @{$got->{leaf}} == 2 && @{$got->{caller}} == 1 ? () : 'paths are missing');
}

# --- a real clock ----------------------------------------------------------------------------------

# Chains of 12000 and 3000 multiplications, and what the program itself measures of both. Whatever else runs here may disturb
# it, so it may try again.
{
    must($trod, 'cc', '--burst=types=paths+time', '-O1', '-g', "$here/time_chains.c", '-o', 'chains');
    my $said = '';
    my $ok;
    for my $try (1 .. 12) {
        unlink glob '*.trod';
        local $ENV{TROD_BURST} = 'rate=4';
        my $truth = must('./chains');
        my $report = decode_json(must($trod, 'report', '--sort=time', '--json', '--most=2', glob '*.trod'))->{report};
        my @hot = @{$report->{hot}};
        my $ratio = $hot[0]{time}{own} / $hot[0]{time}{executions} / ($hot[1]{time}{own} / $hot[1]{time}{executions});
        $said .= sprintf "ratio %.3f, the program says %.3f; unit %s\n", $ratio, $truth, $report->{times}{unit};
        $ok = abs($ratio / $truth - 1) < 0.05 && $hot[0]{function} eq 'chains' && $hot[1]{function} eq 'chains'
            && $report->{times}{unit} eq 'nanoseconds';
        last if $ok;
    }
    report('a real clock: the ratio of two paths', $ok ? () : $said);
}

# --- other tools -----------------------------------------------------------------------------------

{
    my @files = ran('program', 'trigger=always', 'caller', 1000);
    my $all = (times_of(@files))[1]{times}{own};
    my %sum;
    for (split /\n/, must($trod, 'export', '-q', '--to=collapsed-time', @files)) {
        $sum{collapsed} += $1 if / (\d+)$/;
    }
    my ($head, @rows) = split /\r\n/, must($trod, 'export', '-q', '--to=csv', @files);
    $sum{csv} = 0;
    /,ticks,(\d+),\d+,[\d.]+,[\d.]+,[\d.]+$/ and $sum{csv} += $1 for @rows;
    my $callgrind = must($trod, 'export', '-q', '--to=callgrind', @files);
    ($sum{callgrind}) = $callgrind =~ /^events: Lines Blocks Paths Time\nsummary: \d+ \d+ \d+ (\d+)$/m;
    ($sum{'callgrind, leaf'}) = $callgrind =~ /^fn=\(\d+\) leaf\b.*\n((?:\d.*\n)+)/m;
    $sum{'callgrind, leaf'} = $all - 13500 + eval { my $n = 0; $n += (split)[4] for split /\n/, $sum{'callgrind, leaf'}; $n };
    $sum{json} = 0;
    $sum{json} += $_->{time}{own} // 0 for @{decode_json(must($trod, 'export', '-q', '--to=json', @files))->{paths}};
    must($trod, 'export', '-q', '--to=pprof', '-o', 'time.pb.gz', @files);
    ($sum{pprof}) = `PYTHONPATH=$root/test/export python3 -c '
import pprof_wire
p = pprof_wire.read("time.pb.gz")
assert p["types"][2] == ["own time", "ticks"], p["types"]
print(sum(values[2] for _, values, _ in p["samples"]))' 2>&1` =~ /^(\d+)$/;
    report("other tools get the same times: $_", ($sum{$_} // 'none') eq $all ? () : ($sum{$_} // 'none') . "; should be $all") for sort keys %sum;
    report('columns of csv', $head =~ /,blocks,unit,own,with_callees,mean,p50,p99$/ ? () : $head);
}

# --- refusals --------------------------------------------------------------------------------------

{
    local $ENV{TYPES} = 'paths';
    build('plain', 'clock.o');
    my ($untimed) = ran('plain', 'trigger=always', 'caller', 10);
    my $said = `$trod report --sort=time $untimed 2>&1`;
    my $status = $? >> 8;
    report('a program that was not timed', $status == 4 && $said =~ /no path of '.*' was timed; compile/ ? () : "$status: $said");
    my ($timed) = ran('program', 'trigger=always', 'caller', 10);
    rename $timed, 'timed.profile';
    ($untimed) = ran('plain', 'trigger=always', 'caller', 10);
    $said = `$trod diff --sort=time $untimed timed.profile 2>&1`;
    $status = $? >> 8;
    report('a comparison with one', $status == 4 && $said =~ /no path of '\Q$untimed\E' was timed; compile/ ? () : "$status: $said");
    $said = `$trod diff --sort=time timed.profile timed.profile 2>&1`;
    $status = $? >> 8;
    report('a comparison without a clock', $status == 4 && $said =~ /'timed.profile' does not tell how fast its clock is/ ? () : "$status: $said");
    $said = `$trod export --to=collapsed-time $untimed 2>&1`;
    $status = $? >> 8;
    report('an export', $status == 4 && $said =~ /no path was timed, which collapsed-time needs/ ? () : "$status: $said");
}

# --- planted faults -----------------------------------------------------------------------------------

# One path takes a tick more than it should.
build('more', '-DMORE=1', 'clock.o');
report('planted: a tick more', try_scenario('more', @{$scenarios[0]}) ? () : 'it was not noticed');
# The clock is not stopped for calls.
(my $fault = $source) =~ s/("__trod_watch_resume"\) READ_CLOCK\n)\s*"mov %rax, 8\(%r11\)\\n\\t"/$1/ or die "no resume\n";
clock_from('fault', $fault);
build('runs_on', 'fault.o');
report('planted: the clock runs on during calls', try_scenario('runs_on', @{$scenarios[0]}) ? () : 'it was not noticed');

finish();
