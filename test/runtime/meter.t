#!/usr/bin/perl
# Metrics of paths: instructions, cache misses, page faults. Clock, kernel and processor are made up (burst_watch.c with
# TROD_WATCH_FAKE, meter_kernel.c with TROD_METER_FAKE), so that each path's events are known exactly. The last tests use
# what the kernel of this machine offers, whatever that is.
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

sub must {
    my (@command) = @_;
    my $said = join ' ', map { "'$_'" } @command;

    $said = `$said 2>&1`;
    die "@command: $said\n" if $?;
    return $said;
}

sub refused {
    my (@command) = @_;
    my $said = join ' ', map { "'$_'" } @command;

    $said = `$said 2>&1`;
    return ($said, $? >> 8);
}

sub ran {
    my ($program, $options, @arguments) = @_;

    unlink glob '*.trod';
    local $ENV{TROD_BURST} = $options;
    must("./$program", @arguments);
    return glob '*.trod';
}

# By function: rows of executions, own events and events with callees, sorted.
sub events_of {
    my ($metric, @files) = @_;
    my $report = decode_json(must($trod, 'report', "--sort=$metric", '--json', '--most=100', @files))->{report};
    my $key = $metric eq 'time' ? 'time' : 'metric';
    my %rows;

    die "the unit is $report->{metric}{unit}\n" if $metric ne 'time' && $report->{metric}{unit} ne $metric;
    push @{$rows{$_->{function}}}, [@{$_->{$key}}{qw(executions own with_callees)}] for grep { $_->{$key} } @{$report->{hot}};
    $rows{$_} = [sort { $a->[1] <=> $b->[1] || $a->[2] <=> $b->[2] } @{$rows{$_}}] for keys %rows;
    return (\%rows, $report);
}

sub wrong {
    my ($rows, $times, %want) = @_;
    my @wrong;

    for my $function (sort keys %want) {
        my $has = join ', ', map { "$_->[0] x: $_->[1], $_->[2]" } @{$rows->{$function} // []};
        my $should = join ', ', map { "$_->[0] x: " . $times * $_->[1] . ', ' . $times * $_->[2] } @{$want{$function}};
        push @wrong, "$function: $has; should be $should" if $has ne $should;
    }
    return @wrong;
}

# --- a made-up processor --------------------------------------------------------------------------

sub object {
    my ($to, $text, @options) = @_;

    open my $out, '>', "$to.c" or die "$to.c: $!\n";
    print $out $text;
    close $out;
    must('clang-19', '-O2', '-D_GNU_SOURCE', '-DTROD_WATCH_FAKE', "-DTROD_METER_FAKE=\"$here/meter_fake.h\"", '-ffreestanding',
        '-mgeneral-regs-only', "-I$root/include", "-I$root/runtime", "-I$root/runtime/burst", @options, '-c', "$to.c", '-o', "$to.o");
    return "$to.o";
}

sub source_of {
    my ($name) = @_;

    local (@ARGV, $/) = "$root/runtime/$name";
    return scalar <>;
}

# build PROGRAM, METRICS, OBJECT...
sub build {
    my ($program, $metrics, @objects) = @_;

    must($trod, 'c++', "--burst=metrics=$metrics", '-O1', '-g', '-pthread', '-DMETER', "$here/time_program.cc", @objects, '-o', $program);
}

my %leaf = (leaf => [[500, 500 * 7, 500 * 7], [500, 500 * 20, 500 * 20]]);
my @scenarios = (
    [caller => 1000, %leaf, caller => [[1000, 8000, 8000 + 500 * 27]]],
    [iterate => 100, leaf => [[200, 1400, 1400], [300, 6000, 6000]]],
    [longjmp => 1000, jumps => [[250, 250 * 11, 250 * 11], [750, 750 * 13, 750 * 13]], between => [[750, 1500, 750 * 15]],
        returns_again => [[1000, 1000, 1000], [250, 2250, 2250], [750, 7500, 7500 + 750 * 15]]],
    [throw => 1000, throws => [[200, 1000, 1000], [800, 5600, 5600]],
        catches => [[200, 1800, 1800 + 1000], [800, 3200, 3200 + 5600]]],
    [raise => 100, handler => [[100, 1300, 1300]], raises => [[100, 600, 600 + 1300]]],
    [trap => 100, handler => [[100, 1300, 1300]], traps => [[100, 1900, 1900]]],
    [threads => 1000, leaf => [[2000, 14000, 14000], [2000, 40000, 40000]], caller => [[4000, 32000, 32000 + 54000]]],
    [forks => 1000, leaf => [[1500, 10500, 10500], [1500, 30000, 30000]], caller => [[3000, 24000, 24000 + 40500]]],
);

# Instructions are counted, and times are as without them.
sub try_scenario {
    my ($program, $name, $n, %want) = @_;
    my @files = ran($program, 'trigger=always', $name, $n);
    my ($events) = events_of('instructions', @files);
    my ($times) = events_of('time', @files);

    my @wrong = (wrong($events, 3, %want), map { "time: $_" } wrong($times, 1, %want));
    return @wrong;
}

sub try_made_up {
    my $clock = object('clock', source_of('burst/burst_watch.c'));
    my $meter = source_of('control/meter_kernel.c');

    build('program', 'instructions', $clock, object('meter', $meter));
    report("$_->[0]: what each path executes", eval { try_scenario('program', @$_) }, $@ ? $@ : ()) for @scenarios;
    # Reading a counter executes an instruction itself.
    build('costly', 'branches+instructions', $clock, object('costs', $meter, '-DFAKE_COST=1'));
    # What a signal handler reads in the middle of a path is a part of it.
    report("$_->[0]: less what reading costs", eval { try_scenario('costly', @$_) }, $@ ? $@ : ())
        for grep { $_->[0] ne 'trap' } @scenarios;
    report('a handler forks while a counter is read', (refused('./program', 'interrupted', 1000))[1] ? 'a child failed' : ());

    try_readers();
    try_estimates();

    # --- planted faults ---
    my @faults = (
        ['a page that changes while it is read', 'control/meter_kernel.c', qr/while \(page->lock != lock\)/, 'while (0)'],
        ['undefined bits of a counter', 'control/meter_kernel.c', qr/<< unused\) >> unused/, ')'],
        ['events of calls', 'burst/burst_meter.c', qr/meter->of\[i\]\.from = now\[i\];/, ''],
    );
    for (@faults) {
        my ($what, $file, $from, $to) = @$_;
        my $text = source_of($file);
        $text =~ s/$from/$to/ or die "$file: no $from\n";
        my @others = $file eq 'control/meter_kernel.c' ? () : 'meter.o';
        build('fault', 'instructions', $clock, object('fault', $text, $file eq 'control/meter_kernel.c' ? '-Wno-unused-variable' : ()), @others);
        report("planted: $what", try_scenario('fault', @{$scenarios[0]}) ? () : 'it was not noticed');
    }
    my $text = source_of('burst/burst_meter.c');
    $text =~ s/less\(of->own, cost_of\(cost_of_read, out->metric, nread\)\)/of->own/ or die;
    build('fault', 'branches+instructions', $clock, 'costs.o', object('fault', $text));
    report('planted: what reading costs', try_scenario('fault', @{$scenarios[0]}) ? () : 'it was not noticed');
    $text = source_of('burst/burst_meter.c');
    $text =~ s/b->meter\.inside\[i\] \+= pauses;// or die;
    build('fault', 'branches+instructions', $clock, 'costs.o', object('fault', $text));
    report('planted: what it costs callers', try_scenario('fault', @{$scenarios[0]}) ? () : 'it was not noticed');
    $text = source_of('burst/meter_open.c');
    $text =~ s/(void __trod_meter_forked\(.*?\n\{).*\n\}\n/$1\n    (void)b;\n}\n/s or die;
    build('fault', 'instructions', $clock, 'meter.o', object('fault', $text));
    report('planted: pages that a child does not have',
        (refused('./fault', 'interrupted', 1000))[1] ? () : 'it was not noticed');

    try_refusals($clock, $meter);
}

# --- readers ------------------------------------------------------------------------------------------

sub try_readers {
    my ($file) = ran('program', 'trigger=always', 'caller', 1000);
    rename $file, 'a.profile';
    my ($rows) = events_of('instructions', 'a.profile');
    must($trod, 'merge', 'a.profile', 'a.profile', '-o', 'twice.profile');
    must($trod, 'check', 'twice.profile');
    my ($twice) = events_of('instructions', 'twice.profile');
    report('merged with itself: twice', map { my $f = $_; map { my $r = $_;
            $twice->{$f}[$r][1] == 2 * $rows->{$f}[$r][1] && $twice->{$f}[$r][0] == 2 * $rows->{$f}[$r][0] ? () : "$f, row $r" }
            0 .. $#{$rows->{$f}} } sort keys %$rows);
    for my $of (qw(a twice)) {
        my $shown = must($trod, 'show', "$of.profile");
        open my $out, '>', "$of.text" or die;
        print $out $shown;
        close $out;
        my ($again) = events_of('instructions', "$of.text");
        my ($before) = events_of('instructions', "$of.profile");
        report("$of: as text", wrong($again, 1, %$before));
        report("$of: the second reader", must('python3', "$root/tools/trod-read.py", "$of.profile") eq $shown ? () : 'it differs');
    }
    my $brief = must($trod, 'report', '--sort=instructions', '--brief', 'a.profile');
    report('a table', $brief =~ /^share +all +events +count +mean +p50 +p99 +error +function and path$/m
        && $brief =~ /^ *\S+% +\S+% +30000 +500 +60 +\d\S* +\d\S* +0\.0% +leaf/m ? () : $brief);
    my $long = must($trod, 'report', '--sort=instructions', 'a.profile');
    report('with conditions', $long =~ /instructions of their own in all/ && $long =~ /mean 24, p50 24(?:\.\d)?, p99 2[45](?:\.\d)?, with callees 64\.5; error 0\.0%/
        && $long =~ /^# events are instructions of the paths themselves/m ? () : $long);
    my $grouped = must($trod, 'report', '--sort=instructions', '--group=function', 'a.profile');
    report('by function', $grouped =~ / 40500 +1000 +40\.5 .* 2 +leaf/ ? () : $grouped);
    my ($said, $status) = refused($trod, 'report', '--sort=cycles', 'a.profile');
    report('another metric', $status == 4 && $said =~ /--sort=cycles: '.*program' did not count it; compile .*metrics=cycles/ ? () : "$status: $said");
    ($said, $status) = refused($trod, 'diff', '--sort=instructions', 'a.profile', 'a.profile');
    report('a comparison', $status == 2 && $said =~ /only times are compared/ ? () : "$status: $said");
    my (undef, $report) = events_of('time', ran('program', 'trigger=always,metrics=none', 'caller', 1000));
    ($said, $status) = refused($trod, 'report', '--sort=instructions', glob '*.trod');
    report('metrics=none: time alone', $report->{times}{own} > 0 && $status == 4 ? () : "$status: $said");
    my ($cycles) = events_of('cycles', ran('program', 'trigger=always,metrics=cycles', 'caller', 1000));
    report('another metric for a run', wrong($cycles, 0, %leaf));
}

sub try_estimates {
    for my $how ('rate=5,seed=1', 'rate=20,burst=3,seed=2', 'rate=7,rate.time=3,seed=3') {
        my ($got) = events_of('instructions', ran('program', $how, 'caller', 20000));
        my @wrong;

        for my $row (@{$got->{leaf}}, @{$got->{caller}}) {
            my ($n, $each) = ($row->[0], $row->[1] / ($row->[0] || 1));
            my $exact = abs($each - 24) < 0.5 ? 20000 : 10000;

            push @wrong, "@$row" if abs($n - $exact) > 5 * sqrt($exact * 20 * 3) || ($each != 21 && $each != 24 && $each != 60);
        }
        report("$how: estimates", @wrong, @{$got->{leaf}} == 2 && @{$got->{caller}} == 1 ? () : 'paths are missing');
    }
}

# --- refusals ------------------------------------------------------------------------------------------

sub try_refusals {
    my ($clock, $meter) = @_;
    my @refusals = (
        ['-DFAKE_ERROR=-2', 'the processor, or the virtual machine, does not offer such a counter \(ENOENT\)'],
        ['-DFAKE_ERROR=-95', 'the processor, or the virtual machine, .* \(EOPNOTSUPP\)'],
        ['-DFAKE_ERROR=-13', 'the kernel does not permit it; set the sysctl kernel.perf_event_paranoid to 2 or less, .* \(EACCES\)'],
        ['-DFAKE_ERROR=-1', 'the kernel does not permit it; .* \(EPERM\)'],
        ['-DFAKE_ERROR=-38', 'the kernel does not offer a counter \(ENOSYS\)'],
        ['-DFAKE_ERROR=-24', 'the kernel does not offer a counter \(EMFILE\)'],
        ['-DFAKE_UNMAPPED=-1', 'the kernel maps no more counters; raise the sysctl kernel.perf_event_mlock_kb \(EPERM\)'],
        ['-DFAKE_FILTERED', 'the program runs under a seccomp filter, which might end it for asking; run it without one'],
        ['-DFAKE_UNREADABLE', 'only the kernel may read the counter; write 1 to /sys/bus/event_source/devices/cpu/rdpmc'],
        ['-DFAKE_BUSY', 'no counter of the processor is free; name fewer metrics, or end other profilers'],
    );

    for (@refusals) {
        my ($option, $why) = @$_;
        my @wrong;

        build('refused', 'instructions+cache-misses+page-faults', $clock, object('none', $meter, $option));
        my ($file) = ran('refused', 'trigger=always', 'caller', 1000);
        my $note = "unmetered instructions, cache-misses: $why";
        my $brief = must($trod, 'report', '--sort=page-faults', '--brief', $file);
        push @wrong, $brief if $brief !~ /^# note: $note$/m;
        my ($said, $status) = refused($trod, 'report', '--sort=cache-misses', $file);
        push @wrong, "$status: $said" if $status != 4 || $said !~ /--sort=cache-misses: it was not counted: $why$/;
        my ($times) = events_of('time', $file);
        push @wrong, wrong($times, 1, @{$scenarios[0]}[2 .. $#{$scenarios[0]}]);
        must($trod, 'check', $file);
        report("refused with $option: time goes on, and why is said", @wrong);
    }
}

# --- the kernel's own ----------------------------------------------------------------------------------

sub try_real {
    must($trod, 'cc', '--burst=metrics=page-faults+context-switches+instructions', '-O1', '-g', '-pthread',
        "$here/meter_kernel.c", '-o', 'kernel');
    my @files = ran('kernel', 'trigger=always', 2000);
    my ($faults, $report) = events_of('page-faults', @files);
    my ($switches) = events_of('context-switches', @files);
    my @touch = @{$faults->{touch} // []};

    # Two threads and a child, a new page at each second execution.
    report('page faults', @touch == 2 && "@{$touch[0]}" eq '3000 0 0' && "@{$touch[1]}" eq '3000 3000 3000'
        ? () : join ', ', map { "@$_" } @touch);
    report('context switches', $switches->{nap}[-1][0] == 60 && $switches->{nap}[-1][1] >= 60 ? () : "@{$switches->{nap}[-1]}");
    report('the rest has none', (grep { $_->[1] } @{$faults->{nap}}) ? 'nap has page faults' : ());
    # After a filter that kills whoever asks for a counter.
    must($trod, 'cc', '--burst=metrics=instructions+page-faults', '-O1', '-g', '-pthread', "$here/meter_kernel.c", '-o', 'sandbox');
    my ($file) = ran('sandbox', 'trigger=always', 100, 'filter');
    my $brief = must($trod, 'report', '--sort=page-faults', '--brief', $file);
    report('a seccomp filter', $brief =~ /unmetered instructions: the program runs under a seccomp filter/ ? () : $brief);
}

if (`uname -m` =~ /x86_64/) {
    try_made_up();
} else {
    skip('metrics of a made-up processor', 'its reader is for x86-64');
}
try_real();
finish();
