#!/usr/bin/perl
# Programs have the same output and status in the emulator as without it. All their processes are profiled, however
# they end.
use strict;
use warnings;
use FindBin;
use File::Temp qw(tempdir);
use Test::More;

my $root = "$FindBin::Bin/../..";
chomp(my $why = `'$root/test/kit/emulator.sh'`);
plan(skip_all => $why) if $why;
my $trod = "$root/build/release/trod";
my $folder = tempdir(CLEANUP => 1);
chdir $folder or die "$folder: $!\n";

sub put {
    my ($name, $text) = @_;
    open my $out, '>', $name or die "$name: $!\n";
    print $out $text;
    close $out or die "$name: $!\n";
}

sub capture {
    my (@command) = @_;
    my $pid = open(my $in, '-|') // die "fork: $!\n";
    if (!$pid) {
        open STDERR, '>', 'stderr' or exit 127;
        exec @command or exit 127;
    }
    local $/;
    my $text = <$in> // '';
    close $in;
    return ($text, $?);
}

sub compile {
    my ($word, @flags) = @_;
    my ($source) = grep { -e } map { "$root/test/program/$word.$_" } qw(c cc);
    my $compiler = $source =~ /cc$/ ? 'g++' : 'gcc';
    system($compiler, qw(-O2 -w -pthread -o), $word, $source, @flags) == 0 or die "$word: not built\n";
}

# The profile of each process: [program, whole or part, odd runs, paths].
sub processes {
    my @all;
    for my $file (sort glob 'seen/*.seen') {
        open my $in, '<', $file or die "$file: $!\n";
        my ($program, $whole, $odd, $paths) = ('', '', 0, 0);
        while (<$in>) {
            ($program, $whole) = ($1, $2) if /^seen 1 "?(.*?)"? \d+ \d+ (\w+)/;
            $paths++ if /^path /;
            $odd = $1 if /^total \d+ \d+ (\d+)/;
        }
        push @all, [$program, $whole, $odd, $paths];
    }
    return @all;
}

# Output and status are those without the emulator. The report comes after the output.
sub emulate {
    my ($name, @command) = @_;
    my ($text, $status) = capture(@command);
    unlink glob 'seen/* *.trod *.trodmap';
    my ($emulated) = capture($trod, 'emulate', '-q', '--raw=seen', '-o', 'a.trod', '--', @command);
    my ($out) = $emulated =~ /^(.*?)^# \d+ of \d+ paths/ms or diag($emulated);
    is($out, $text, "$name prints what it does by itself");
    my (undef, $checked) = capture($trod, 'check', 'a.trod');
    is($checked, 0, "$name: the profile is sound");
    return processes();
}

sub all_clean {
    my ($name, @seen) = @_;
    is(scalar(grep { $_->[2] } @seen), 0, "$name: nothing odd");
    is(scalar(grep { !$_->[3] } @seen), 0, "$name: all have paths");
}

for my $word (qw(threads thread_churn fork fork_tree setjmp exceptions unwind virtual_calls)) {
    compile($word);
    all_clean($word, emulate($word, "./$word"));
}
for my $flags (['-no-pie'], ['-static'], ['-static-pie']) {
    compile('switch', @$flags);
    all_clean("switch @$flags", emulate("switch @$flags", './switch'));
}
compile('signal_handler');
{
    my @seen = emulate('signal_handler', './signal_handler');
    ok($seen[0][2] > 0, 'signals are odd');
}
system('g++', qw(-O2 -w -shared -fPIC -o shared_part.so), "$root/test/program/shared_part.cc") == 0 or die;
compile('shared', './shared_part.so', '-Wl,-rpath,.');
all_clean('a library', emulate('a library', './shared'));
system('gcc', qw(-O2 -w -shared -fPIC -o dlopen_part.so), "$root/test/program/dlopen_part.c") == 0 or die;
compile('dlopen');
all_clean('dlopen', emulate('dlopen', './dlopen'));
{
    my ($files) = capture('grep', '-h', '^image', glob 'seen/*');
    like($files, qr{/dlopen_part.so"? [0-9a-f]{16}}, 'dlopen: the library is an image, with a build id');
}

put('script', "#!/bin/sh\necho \"script \$0 \$*\"\n/bin/true\nexec ./switch\n");
chmod 0755, 'script';
put('exec.c', <<'C');
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    if (argc > 1) {
        printf("again %s %s\n", argv[0], argv[1]);
        return 0;
    }
    for (int i = 0; i < 4; i++) {
        if (fork() == 0) {
            if (i == 0)
                execl("/proc/self/exe", "me", "1", (char *)0);
            if (i == 1)
                execl("./script", "./script", "a b", (char *)0);
            if (i == 2)
                execlp("no-such-program", "x", (char *)0);
            if (i == 3)
                execl("./missing", "x", (char *)0);
            perror("exec");
            _exit(9);
        }
        int status;
        wait(&status);
        printf("status %x\n", status);
        fflush(stdout);
    }
    return 0;
}
C
system('gcc', '-O1', '-o', 'exec', 'exec.c') == 0 or die;
{
    my @seen = emulate('exec', './exec');
    my %times;
    $times{$_->[0] =~ s{.*/}{}r}++ for @seen;
    is($times{exec}, 6, 'exec: itself, four children, and what one became');
    is($times{switch}, 1, 'exec: what a script became');
    ok($times{dash} || $times{sh} || $times{bash}, 'exec: the script');
    ok($times{true}, 'exec: what it ran');
}
emulate('a script', './script', 'x');

put('death.c', <<'C');
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void count(int signal)
{
    (void)signal;
    if (write(1, "once\n", 5) < 0)
        _exit(1);
}
int main(int argc, char **argv)
{
    if (strcmp(argv[1], "abort") == 0)
        abort();
    if (strcmp(argv[1], "fault") == 0)
        *(volatile int *)0 = 1;
    if (strcmp(argv[1], "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(argv[1], "term") == 0)
        raise(SIGTERM);
    if (strcmp(argv[1], "handled") == 0) {
        signal(SIGTERM, count);
        raise(SIGTERM);
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
    }
    if (strcmp(argv[1], "waiting") == 0) {
        pid_t parent = getpid();
        if (fork() == 0) {
            usleep(200000);
            kill(parent, SIGTERM);
            _exit(0);
        }
        for (;;)
            pause();
    }
    _exit(3);
}
C
system('gcc', '-O1', '-o', 'death', 'death.c') == 0 or die;
for my $how (qw(abort fault kill term handled waiting)) {
    my @seen = emulate("death by $how", './death', $how);
    is($seen[0][1], 'part', "death by $how: seen until then");
    ok($seen[0][3] > 100, "death by $how: paths");
}
is((emulate('_exit', './death', 'exit'))[0][1], 'whole', '_exit is an end');

# --- messages ------------------------------------------------------------------------------------

sub complaint {
    my ($like, $status, @args) = @_;
    my (undef, $got) = capture($trod, 'emulate', @args);
    open my $in, '<', 'stderr' or die;
    local $/;
    my $text = <$in>;
    like($text, $like, "says so: $like");
    is($got >> 8, $status, "status $status");
}

put('text', "no program\n");
chmod 0755, 'text';
complaint(qr/is not a program; name an ELF file or a script/, 3, '--', './text');
complaint(qr/No such file/, 5, '--', './nothing');
complaint(qr/name a program/, 2);
complaint(qr/package qemu-user/, 5, '--emulator=/no/such/emulator', '--', './switch');
{
    my ($text, $status) = capture($trod, 'emulate', '--json', '--', './switch');
    is($status, 0, '--json');
    like($text, qr/"trod": "emulate"/, '--json prints JSON');
}
{
    my ($text) = capture($trod, 'emulate', '-q', '-o', 'b.trod', '--group=function', '--', './switch');
    my ($again) = capture($trod, 'report', '-q', '--group=function', 'b.trod');
    my ($own) = $text =~ /(^# \d+ of .*)/ms;
    is($own, $again, "'trod report' prints the same for the profile");
    my ($names) = capture($trod, 'report', '--most=100000', 'b.trod');
    like($names, qr/\bmain\b/, 'functions have their names');
}
done_testing();
