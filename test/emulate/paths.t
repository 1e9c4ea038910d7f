#!/usr/bin/perl
# Compare the plugin's paths with those derived by stepping through the program (Stepped.pm), path by path: counts and
# instructions. The programs are those of test/program, linked statically. A planted fault must be found.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp qw(tempdir);
use Stepped qw(paths_stepped paths_seen);
use Test::More;

my $root = "$FindBin::Bin/../..";
my $plugin = "$root/build/release/trod-qemu.so";
my $folder = tempdir(CLEANUP => 1);
my %compiler = (x86_64 => 'gcc', aarch64 => 'aarch64-linux-gnu-gcc', riscv64 => 'riscv64-linux-gnu-gcc');
# Short programs without signals and threads; on machines without stack addresses, also without jumps out of functions.
my @plain = qw(loops switch recursion function_pointers computed_goto irreducible jump_table);
my %programs = (
    x86_64 => [@plain, qw(setjmp interpreter mutual variadic)],
    aarch64 => \@plain,
    riscv64 => \@plain,
);

sub differences {
    my ($seen, $stepped) = @_;
    my @wrong;
    for my $key (sort keys %{{%$seen, %$stepped}}) {
        my ($a, $b) = map { $_ ? "@$_" : 'none' } $seen->{$key}, $stepped->{$key};
        push @wrong, "$key: seen $a, stepped $b" if $a ne $b;
    }
    return @wrong;
}

sub run_quietly {
    my (@command) = @_;
    my $pid = fork // die "fork: $!\n";
    if (!$pid) {
        open STDOUT, '>', "$folder/out" or exit 127;
        exec @command or exit 127;
    }
    waitpid $pid, 0;
    return $?;
}

# A fixed seed: the kernel passes random bytes to the loader.
sub try_program {
    my ($machine, $word) = @_;
    my $program = "$folder/$word.$machine";
    my @flags = qw(-O2 -w -static);
    run_quietly($compiler{$machine}, @flags, '-o', $program, "$root/test/program/$word.c") == 0
        or return fail("$word for $machine is built");
    my @emulator = ("qemu-$machine", '-seed', 1);
    my $log = $machine eq 'x86_64' ? 'exec,nochain,cpu' : 'exec,nochain';
    unlink glob "$folder/*.seen";
    my $status = run_quietly(@emulator, '-plugin', "$plugin,out=$folder", '-0', $program, $program);
    my $step = grep { /-one-insn-per-tb/ } `qemu-$machine --help`;
    run_quietly(@emulator, $step ? '-one-insn-per-tb' : '-singlestep', '-d', $log, '-D', "$folder/log",
        '-0', $program, $program) == $status
        or return fail("$word for $machine has the same status as without the plugin");
    my ($file) = glob "$folder/*.seen";
    my ($seen, $total) = paths_seen($file);
    my $stepped = paths_stepped($machine, $program, "$folder/log");
    my @wrong = differences($seen, $stepped);
    ok(!@wrong, "$word for $machine: " . keys(%$stepped) . ' paths') or diag(join "\n", @wrong[0 .. ($#wrong < 9 ? $#wrong : 9)]);
    is($total->{nodd}, 0, "$word for $machine: nothing odd");
    my ($any) = sort keys %$seen;
    $seen->{$any}[0]++;
    is(scalar(differences($seen, $stepped)), 1 + @wrong, "$word for $machine: a planted fault is found");
    unlink "$folder/log", $program;
}

for my $machine (sort keys %programs) {
    chomp(my $why = `'$root/test/kit/emulator.sh' $machine`);
    if ($why) {
        Test::More->builder->skip("$machine: $why");
        next;
    }
    try_program($machine, $_) for @{$programs{$machine}};
}
done_testing();
