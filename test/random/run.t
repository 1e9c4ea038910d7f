#!/usr/bin/perl
# Compare the counts of random programs with what an oracle logs.
#
#     run.t [--part=I/N]
#     run.t SEED... [MODE...]
#
# csmith generates the programs from fixed seeds. Each is tested in two modes, in turn, and in one that counts only some
# paths; some also count chains, steps and segments, or are sampled. The oracle is that of test/program. 2 programs are
# tested, 60 with TROD_FULL=1, 300 with TROD_EVERY=1 as well. A program that is too short, or whose log is too long, is
# skipped for the next seed.
#
# With arguments: these seeds, in these modes or in all.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../program";
use File::Path qw(remove_tree);
use Burst;
use Online;
use Oracle;

my ($part, $parts) = part_of(\@ARGV);
my $total = !$ENV{TROD_FULL} ? 2 : $ENV{TROD_EVERY} ? 300 : 60;

# For larger programs csmith takes seconds, and they run longer.
# With packed structures its programs write to unaligned addresses, which ubsan reports.
my @shape = qw(--max-funcs 8 --max-block-depth 5 --no-packed-struct --quiet --concise);
my $least_lines = 150;
my $most_log = 1 << 24; # bytes: 420,000 blocks and calls

my %head = (flags => ['-I/usr/include/csmith'],
    map { ($_ => []) } qw(with library linked abandons trapped ambiguous ifunc));
my @all = (@modes,
    [narrow => ['--limit=3'], ['-O2']],
    [codenarrow => ['--at=code', '--limit=12'], ['-O2']]);

# --- which programs ---------------------------------------------------------------

my %skipped;

# The program of a seed, or nothing if it is skipped.
sub generate {
    my ($seed) = @_;
    my $file = "seed$seed.c";
    my ($text, $status) = run('.', 'csmith', '--seed', $seed, @shape, '-o', $file);

    die "csmith: $text" if $status && ($status >> 8) != 124;
    return $skipped{'csmith did not finish'}++, () if $status;
    open my $in, '<', $file or die "$file: $!\n";
    my $nline = () = <$in>;
    close $in;
    return $skipped{"under $least_lines lines"}++, () if $nline < $least_lines;
    return $skipped{"a log of over $most_log bytes"}++, () if logs_too_much($file);
    return $file;
}

# Depends on the size of the log, not on time: the same seeds are skipped on every machine.
sub logs_too_much {
    my ($file) = @_;
    my $folder = build('oracle', $file, \%head, [], ['-O0']);
    my $limit = $most_log / 512;

    must('truncate', '-s', 0, "$folder/log");
    local $ENV{TROD_ORACLE_LOG} = 'log';
    my ($text, $status) =
        run($folder, 'sh', '-c', "ulimit -f $limit; ulimit -c 0; exec ./program");
    my $size = -s "$folder/log";
    remove_tree($folder);
    return $size >= $most_log;
}

sub plain {
    my ($file) = @_;
    my @ran = run(build('plain', $file, \%head, [], ['-O2']), './program');

    remove_tree("$file.plain");
    return \@ran;
}

# --- what to do with them ---------------------------------------------------------

sub program {
    my ($seed, $file, @chosen) = @_;
    my $plain = plain($file);

    return report("seed $seed plain", "it prints $plain->[0]") if $plain->[0] !~ /^checksum = /m;
    for my $mode (@chosen) {
        try_mode("seed $seed", $file, \%head, $plain, $mode)
            or print STDERR "#   to repeat: test/random/run.t $seed $mode->[0]\n",
            "#   the program: csmith --seed $seed @shape\n";
    }
}

sub these {
    my @seeds = grep { /^\d+$/ } @_;
    my @words = grep { !/^\d+$/ } @_;
    my @each = (@all, @set_modes, @chain_modes, @step_modes, @segment_modes);
    my %mode = map { ($_->[0] => $_) } @each;
    my @chosen = @words ? map { $mode{$_} // die "no such mode: $_\n" } @words : @each;

    for my $seed (@seeds) {
        my $file = generate($seed) or die "seed $seed is skipped: ", keys %skipped, "\n";
        program($seed, $file, @chosen);
        for my $level (@words ? () : qw(-O0 -O1 -O2 -O3 -Os)) {
            try_online("seed $seed", $file, \%head, plain($file), $level, {});
            try_burst("seed $seed", $file, \%head, plain($file), [$level], {});
        }
    }
}

# Programs that once failed, and the mode: also in quick runs.
my @once_failed = ([27, 'chosen']); # a count in a branch that is never taken had an index beyond its table

# Each part has its own seeds. All have the same number of programs.
sub in_turn {
    my $seed = $part;
    my $planted;

    these(@$_) for grep { $_->[0] % $parts + 1 == $part } @once_failed;

    for (my $k = $part - 1; $k < $total; $seed += $parts) {
        my $file = generate($seed) or next;
        program($seed, $file, (map { $all[$_ % @all] } $k, $k + 8), $set_modes[$k % @set_modes],
            $k % 4 ? () : $chain_modes[$k / 4 % @chain_modes],
            $k % 3 ? () : ($step_modes[$k / 3 % @step_modes], $segment_modes[$k / 3 % @segment_modes]));
        try_online("seed $seed", $file, \%head, plain($file), (qw(-O2 -O0 -O3 -O1 -Os))[$k / 2 % 5], {}) if $k % 2 == 0;
        try_burst("seed $seed", $file, \%head, plain($file), [(qw(-O1 -O2 -O0 -O3 -Os))[$k / 3 % 5]], {})
            if $k % 3 == 1;
        plant($file, \%head, 1000, 12_000) if !$planted++ && $part == 1;
        unlink $file if !$ENV{TROD_KEEP};
        $k += $parts;
    }
    print "# skipped, $_: $skipped{$_}\n" for sort keys %skipped;
}

@ARGV ? these(@ARGV) : in_turn();
finish();
