# Programs under emulation, and models of hardware path profilers.
use strict;
use warnings;

if (my $r = result('emulate')) {
    my @rows = grep { !$_->{failed} } @{$r->{rows}};
    my $mips = sub { my ($row, $way) = @_; return ($way eq 'core' ? $row->{timed} : $row->{instructions}) / $row->{$way}[0] / 1e6 };
    print <<"TEXT";
## Emulated programs: speed

Debian's own programs in QEMU's user mode: alone, with all paths counted (`trod emulate`), and with a trace of all blocks in addition (`--trace`); and the model of a core with one design in addition to the base line (`trod hw timing`), on $rows[0]{timed} instructions with loads and stores. Millions of
instructions per second of user time, medians of $r->{rounds} interleaved rounds.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    table(['program', 'instructions', 'QEMU alone', 'paths', 'times as long', 'paths and trace', 'core, two engines'], \@rows,
        sub {
            my ($row) = @_;
            return ($row->{program}, sprintf('%.0f M', $row->{instructions} / 1e6), (map { sprintf '%.0f', $mips->($row, $_) } qw(plain paths)),
                sprintf('%.1f', $row->{paths}[0] / $row->{plain}[0]), (map { sprintf '%.0f', $mips->($row, $_) } qw(trace core)));
        });
    my ($least) = sort { $a <=> $b } map { $mips->($_, 'paths') } @rows;
    my ($core) = sort { $a <=> $b } map { $mips->($_, 'core') } @rows;
    print "| what | aim | is | met |\n| --- | ---: | ---: | ---: |\n";
    printf "| all paths, the slowest program | at least 70 | %.0f | %s |\n", $least, $least >= 70 ? 'yes' : 'no';
    printf "| two engines of the core's timing, the slowest program | at least 20 for one | %.1f | %s |\n\n", $core, $core >= 20 ? 'yes' : 'no';
}

# --- hardware ---------------------------------------------------------------------------------------------------------

# Of a program and a study: what a measure is in the design with these values.
sub tried {
    my ($x, $study, $is, $measure) = @_;
    for my $v (@{($x->{studies} // {})->{$study} // []}) {
        return $v->{has}{$measure} unless grep { ($v->{is}{$_} // '') ne $is->{$_} } keys %$is;
    }
    return;
}

# Rows of cells by program, and means of the two groups and of all below them.
sub by_program {
    my ($rows, $heads, $cells, $format) = @_;
    my @lines = map { [$_->{program}, $_->{group}, $cells->($_)] } @$rows;
    my $means = sub { my ($name, @of) = @_; return @of ? [$name, '', map { my $c = $_; plain_mean(map { $_->[$c] } @of) } 2 .. @$heads + 1] : () };
    my @all = grep { my (undef, undef, @x) = @$_; grep { defined } @x } @lines;
    return unless @all;
    table(['program', 'group', @$heads], [@all, $means->('*mean, chosen*', grep { $_->[1] eq 'chosen' } @all), $means->('*mean, held back*', grep { $_->[1] eq 'held' } @all), $means->('**mean**', @all)],
        sub { my ($name, $group, @x) = @{$_[0]}; return ($name, $group, map { $format->($_) } @x) });
}

# All values that a parameter has in a study, in their order.
sub values_of {
    my ($rows, $study, $parameter) = @_;
    my (@values, %seen);
    for my $x (@$rows) {
        for my $v (@{($x->{studies} // {})->{$study} // []}) {
            my $is = $v->{is}{$parameter};
            push @values, $is if defined $is && !$seen{$is}++;
        }
    }
    return @values;
}

# Of several parameters: every combination, as a hash.
sub combinations {
    my ($rows, $study, @parameters) = @_;
    my @all = ({});
    for my $p (@parameters) {
        my @values = values_of($rows, $study, $p);
        @all = map { my $is = $_; map { {%$is, $p => $_} } @values } @all;
    }
    return @all;
}

sub hardware_spread {
    my ($rows) = @_;
    print "### How execution is spread over paths\n\nAs figures 5.2 and 5.3 of the thesis: the share of the hottest 128 paths in all instructions, executions of paths, misses of the second cache and mispredicted branches; and the share of instructions on paths of at most 16 branches. In the thesis, the top 100 have more than 80%, and\n",
        "paths of at most 16 branches more than 90% in most programs.\n\n";
    picture('hardware_spread', 'Share of the hottest paths of instructions, misses and mispredictions');
    my $short = sub { my ($l) = grep { ($_->{branches} // 0) == 16 } @{$_[0]{lengths} // []}; return $l ? 100 * $l->{instructions} : undef };
    table(['program', 'package', 'instructions', 'paths', 'top 128: instructions', 'frequency', 'misses', 'mispredictions', 'on paths of 16 branches at most'], [grep { $_->{studies} } @$rows], sub {
        my ($x) = @_;
        return ($x->{program}, $x->{version}, thousands($x->{instructions} // 0), thousands($x->{paths} // 0), map({ points(tried($x, 'spread', {entries => 128}, "ideal.$_")) } qw(instructions frequency misses mispredictions)), points($short->($x)));
    });
}

sub hardware_shapes {
    my ($rows) = @_;
    my @metrics = qw(frequency misses mispredictions);
    print "### The hot path table, as published\n\nAs figures 5.7 and 5.8: 4 ways, LFU, index by exclusive or of start, length and outcomes; overlap with all paths. In the thesis, with 512 entries, complete profiles have 88% by frequency, 96% by L2 misses, 78.4% by mispredictions; windows 95.5%, 98% and 91.2%. Windows are of 100\n",
        "million instructions there, of 10 million here. *Ideal* has the hottest 512 paths.\n\n";
    picture('hardware_overlap', 'Overlap of the hot path table with all paths, by entries, complete and in windows');
    by_program($rows, [map { ("$_: 128", '512', '1024', '2048', 'ideal 512') } @metrics], sub {
        my ($x) = @_;
        return map { my $m = $_; (map({ tried($x, 'shapes', {entries => $_}, $m) } 128, 512, 1024, 2048), tried($x, 'shapes', {entries => 512}, "ideal.$m")) } @metrics;
    }, sub { points($_[0]) });
    print "In windows:\n\n";
    by_program($rows, [map { ("$_: 128", '512', '1024', '2048') } @metrics], sub { my ($x) = @_; return map { my $m = $_; map({ tried($x, 'shapes', {entries => $_}, "dynamic.$m") } 128, 512, 1024, 2048) } @metrics }, sub { points($_[0]) });
    print "By power of the caches, as figure 5.11 (82.9% with 512 entries in the thesis). The cheapest access counts 16, so counters of paths have 12 bits and not 8:\n\n";
    by_program($rows, ['128', '512', '1024', '2048', 'ideal 512'], sub { my ($x) = @_; return (map({ tried($x, 'power', {entries => $_}, 'power') } 128, 512, 1024, 2048), tried($x, 'power', {entries => 512}, 'ideal.power')) }, sub { points($_[0]) });
}

# Designs in the order of their means over the programs they are chosen by.
sub ranked_designs {
    my ($rows, $study, $measure, @parameters) = @_;
    my @lines;
    for my $is (combinations($rows, $study, @parameters)) {
        my %of = map { my $g = $_; $g => [grep { defined $_->[1] } map { [$_->{program}, tried($_, $study, $is, $measure)] } grep { $_->{group} eq $g } @$rows] } qw(chosen held);
        my @worst = sort { $a->[1] <=> $b->[1] } map { @$_ } values %of;
        push @lines, [join(', ', map { $is->{$_} } @parameters), (map { plain_mean(map { $_->[1] } @{$of{$_}}) } qw(chosen held)), $worst[0]] if @worst;
    }
    return sort { ($b->[1] // 0) <=> ($a->[1] // 0) } @lines;
}

# What a choice is worth on a program that had no part in it, for every program in turn.
sub left_out {
    my ($rows) = @_;
    my (@published, @own, %often);
    my @modes = combinations($rows, 'modes', qw(index policy));
    my $value = sub { tried($_[0], 'modes', $_[1], 'frequency') };
    for my $out (grep { defined $value->($_, {index => 'xor', policy => 'lfu'}) } @$rows) {
        my ($best) = sort { $b->[1] <=> $a->[1] } map { my $m = $_; [$m, plain_mean(grep { defined } map { $value->($_, $m) } grep { $_ != $out } @$rows) // 0] } @modes;
        push @published, $value->($out, {index => 'xor', policy => 'lfu'});
        push @own, $value->($out, $best->[0]);
        $often{join ', ', @{$best->[0]}{qw(index policy)}}++;
    }
    return if @own < 2;
    my ($was, $is) = (plain_mean(@published), plain_mean(@own));
    printf "Leave-one-out validation, which chooses by all programs but one and evaluates the choice on that one, selects %s: %s on average, compared with %s for the published table, %.1f points more.\n\n",
        join(' and ', map { "*$_* ($often{$_} of " . scalar(@own) . ')' } sort { $often{$b} <=> $often{$a} || $a cmp $b } keys %often), points($is), points($was), $is - $was;
}

sub hardware_modes {
    my ($rows) = @_;
    my @lines = ranked_designs($rows, 'modes', 'frequency', qw(index policy));
    return unless @lines;
    print "### Which table is best\n\nAll indexes and replacements, 512 entries, 4 ways, overlap by frequency; ordered by the mean over the programs used for the choice. The other programs were held out to validate it. *inherit*: a new entry continues from the count of its victim, so counts are\n",
        "upper bounds; *admit*: the same, with a probability that decreases with that count, so counts are estimates.\n\n";
    table(['index, replacement', 'mean, chosen', 'mean, held back', 'lowest'], \@lines, sub { my ($name, $a, $b, $worst) = @{$_[0]}; return ($name, points($a), points($b), points($worst->[1]) . " ($worst->[0])") });
    my ($index, $policy) = split /, /, $lines[0][0];
    print "By program, the published table, the best one, and the optimum with 512 paths:\n\n";
    by_program($rows, ['xor, lfu', $lines[0][0], 'ideal'], sub { my ($x) = @_; return (tried($x, 'modes', {index => 'xor', policy => 'lfu'}, 'frequency'), tried($x, 'modes', {index => $index, policy => $policy}, 'frequency'), tried($x, 'shapes', {entries => 512}, 'ideal.frequency')) }, sub { points($_[0]) });
    left_out($rows);
    my @best = ranked_designs($rows, 'best', 'frequency', qw(entries ways index policy door));
    return unless @best;
    my ($all, $most) = (scalar @best, 12);
    splice @best, $most if $all > $most;
    print "With other sizes, and with a filter of so many bits (*door*) that admits a path only at its second occurrence; the best $most of $all:\n\n";
    table(['entries, ways, index, replacement, door', 'mean, chosen', 'mean, held back', 'lowest'], \@best, sub { my ($name, $a, $b, $worst) = @{$_[0]}; return ($name, points($a), points($b), points($worst->[1]) . " ($worst->[0])") });
}

sub hardware_parameters {
    my ($rows) = @_;
    my @there = grep { ($_->{effects} // {})->{parameters} } @$rows;
    return unless @there;
    print "### Which parameters matter\n\nThe parameters of table 5.4, low and high, in a Plackett-Burman design of 12 runs with foldover: effects on the overlap, in points, means over the programs, and sums of ranks, the lower the more it matters. Dummies are columns without a parameter. The thesis finds\n",
        "entries, ways and index to matter most, and cache and predictor much less.\n\n";
    for my $measure (qw(frequency misses mispredictions)) {
        my (%sum, %effect, %n);
        for my $x (@there) {
            for my $e (grep { $_->{measure} eq $measure && defined $_->{rank} } @{$x->{effects}{parameters}}) {
                $sum{$e->{of}} += $e->{rank};
                $effect{$e->{of}} += $e->{effect};
                $n{$e->{of}}++;
            }
        }
        next unless %sum;
        print "By $measure:\n\n";
        table(['parameter', 'mean effect', 'sum of ranks', 'programs'], [sort { $sum{$a} <=> $sum{$b} || $a cmp $b } keys %sum], sub { my ($p) = @_; return ($p, sprintf('%+.2f', $effect{$p} / $n{$p}), num($sum{$p}, 1), $n{$p}) });
    }
    my @entries = values_of($rows, 'tables', 'entries');
    return unless @entries;
    print "Entries, ways and index, every combination: mean overlap by frequency.\n\n";
    table(['index, ways', @entries], [combinations($rows, 'tables', qw(index ways))], sub {
        my ($is) = @_;
        return ("$is->{index}, $is->{ways}", map { my $n = $_; points(plain_mean(map { tried($_, 'tables', {%$is, entries => $n}, 'frequency') } @$rows)) } @entries);
    });
}

sub hardware_extended {
    my ($rows) = @_;
    my @how = (['xor', 'lfu'], ['multiply', 'inherit']);
    return unless values_of($rows, 'extended', 'extend');
    print "### Extended paths\n\nAs figure 5.10: paths across one backward branch, and across one call, in a table of 512 entries and 4 ways. The thesis has 78.35% and 84.10%.\n\n";
    by_program($rows, [map { my $h = "$_->[0], $_->[1]"; ("$h: none", 'loops', 'calls') } @how], sub {
        my ($x) = @_;
        return map { my ($index, $policy) = @$_; map { tried($x, 'extended', {extend => $_, index => $index, policy => $policy}, 'frequency') } qw(nothing loops calls) } @how;
    }, sub { points($_[0]) });
}

sub hardware_open {
    my ($rows) = @_;
    my %base = (back => 'taken', split => 32, stack => 32, counter => 8, ties => 'oldest');
    my @lines = map { my $p = $_; map { [$p, $_] } values_of($rows, 'open', $p) } qw(back split stack counter ties);
    return unless @lines;
    print "### What the design leaves open\n\nOne parameter at a time, the others at their defaults: `back`, whether backward branches that are not taken end paths; `split`, branches of a path (0: any number); `stack`, entries of the path stack; `counter`, bits that events of a path are counted\n",
        "in; `ties`, which of several entries with the lowest count is evicted. Overlap of 512 entries in 4 ways as published, by frequency and by misses, and the number of paths relative to the default.\n\n";
    table(['what', 'is', 'by frequency', 'by misses', 'paths'], \@lines, sub {
        my ($p, $v) = @{$_[0]};
        my $is = {%base, $p => $v};
        my @ratio = grep { defined } map { my ($n, $of) = map { my $h = $_; tried($h->[0], 'open', $h->[1], 'paths') } [$_, $is], [$_, \%base]; $n && $of ? $n / $of : undef } @$rows;
        return ($p, $v . ($base{$p} eq $v ? ' (usual)' : ''), map({ my $m = $_; points(plain_mean(map { tried($_, 'open', $is, $m) } @$rows)) } qw(frequency misses)), @ratio ? num(sum(@ratio) / @ratio, 2) : '-');
    });
}

sub hardware_queue {
    my ($rows) = @_;
    my @queues = values_of($rows, 'queue', 'queue');
    return unless grep { defined } map { my $x = $_; map { tried($x, 'queue', {queue => $_}, 'overhead') } @queues } @$rows;
    print "### What the profiler costs\n\nAs figure 5.12: additional cycles because of the profiler, by the length of the branch queue. The model is not validated against a machine: only differences are meaningful. *Serial*: a branch takes as many cycles as it has operations on the path stack and the table; *pipelined*: one branch per\n",
        "cycle. The thesis has 8.04% on average with one entry and 0.6% with four.\n\n";
    picture('hardware_queue', 'Cycles that commits wait for the profiler, by length of the queue');
    my $cells = sub { my ($x) = @_; return map { my $s = $_; map { tried($x, 'queue', {queue => $_, service => $s}, 'overhead') } @queues } qw(serial pipelined) };
    by_program($rows, [map({ my $s = $_; map { ($_ == $queues[0] ? "$s: " : '') . $_ } @queues } qw(serial pipelined))], $cells, sub { points($_[0], 2) });
    my @columns = map { [] } 1 .. 2 * @queues;
    for my $x (@$rows) { my @x = $cells->($x); push @{$columns[$_]}, $x[$_] for 0 .. $#x }
    print 'Medians: serial ', join(', ', map { points(median(@{$columns[$_]}), 2) } 0 .. $#queues), '; pipelined ', join(', ', map { points(median(@{$columns[$_]}), 2) } scalar(@queues) .. 2 * @queues - 1), ".\n\n";
}

# Why a program has no accuracy of a profile. Results that do not say what is missing had a limit of 2^22 addresses.
sub why_missing {
    my ($x, $profile) = @_;
    my $missing = ($x->{missing} // {bursts => [{measure => 'accuracy', of => 'addresses', limit => 1 << 22}]})->{bursts} // [];
    my ($limit) = grep { $_->{measure} eq 'accuracy' } @$missing;
    return 'nothing to sample in these instructions' unless $profile eq 'streams' && $limit;
    return 'not recorded: more than ' . thousands($limit->{limit}) . " $limit->{of}";
}

# Below a table of accuracies: a line for each reason why some are missing.
sub missing_accuracies {
    my ($rows, @profiles) = @_;
    my @there = grep { ($_->{studies} // {})->{bursts} } @$rows;
    my @lines;
    for my $profile (@profiles) {
        my (%of, @why);
        for my $x (@there) {
            next unless grep { $_->{is}{profile} eq $profile && !defined $_->{has}{accuracy} } @{$x->{studies}{bursts}};
            my $why = why_missing($x, $profile);
            push @why, $why unless $of{$why};
            push @{$of{$why}}, $x->{program};
        }
        push @lines, map { "No accuracy of $profile: $_ (" . (@{$of{$_}} == @there ? 'all programs' : join(', ', @{$of{$_}})) . ")." } @why;
    }
    print join("\n", @lines), "\n\n" if @lines;
}

# Mousa and Krintz sample streams in bursts of 100, all else of 1.
sub hps_is { my ($profile, $rate, $burst) = @_; return {profile => $profile, rate => $rate, burst => $burst // ($profile eq 'streams' ? 100 : 1)} }

sub hardware_bursts {
    my ($rows) = @_;
    my @rates = values_of($rows, 'bursts', 'rate');
    return unless @rates;
    my @profiles = values_of($rows, 'bursts', 'profile');
    my @bursts = values_of($rows, 'bursts', 'burst');
    print "## Hybrid profiling support, modelled\n\nMousa and Krintz (HPS, 2005) on the same programs: instructions are replaced as they are decoded, by productions of `example/hps`. DISE tests counters within replacements, HPS before replacing. Each micro-operation and each replacement takes a cycle, and so does each original\n",
        "instruction; handlers have 15 micro-operations.\n\n### Where the time goes\n\nAs figure 7, at $rates[0]: relative to the time without sampling. *Basic*: at calls and backward branches, which start bursts; *checks*: at all other instructions that may be sampled, to test whether a burst is on.\n\n";
    picture('hps', 'Overhead of DISE and HPS for methods, calls and streams');
    for my $profile (@profiles) {
        print ucfirst($profile), ":\n\n";
        by_program($rows, ['DISE: basic', 'checks', 'all', 'HPS: all'], sub { my ($x) = @_; return map { tried($x, 'bursts', hps_is($profile, $rates[0]), $_) } qw(dise.basic dise.checks dise hps) }, sub { points($_[0], 2) });
    }
    print "### Accuracy and what it costs\n\nAs figures 8 and 9: overlap of the hottest 90% of the samples with those of an exhaustive profile, and the cost of HPS; means over the programs. Bursts have one event, those of streams 100.\n\n";
    picture('hps_rate', 'Accuracy and overhead of HPS against the rate');
    table(['rate', map { ("$_: accuracy", 'overhead') } @profiles], \@rates, sub {
        my ($rate) = @_;
        return (one_of($rate), map { my $is = hps_is($_, $rate); (points(plain_mean(map { tried($_, 'bursts', $is, 'accuracy') } @$rows)), points(plain_mean(map { tried($_, 'bursts', $is, 'hps') } @$rows), 3)) } @profiles);
    });
    missing_accuracies($rows, @profiles);
    print "By program, at 1/1000:\n\n";
    by_program($rows, [map { ("$_: accuracy", 'overhead') } @profiles], sub { my ($x) = @_; return map { my $is = hps_is($_, 1000); map { tried($x, 'bursts', $is, $_) } qw(accuracy hps) } @profiles }, sub { points($_[0], 2) });
    missing_accuracies($rows, @profiles);
    print "### Longer bursts\n\nAs figure 10: accuracy by rate and by number of events per burst, means over the programs.\n\n";
    for my $profile (@profiles) {
        print ucfirst($profile), ":\n\n";
        table(['rate', @bursts], \@rates, sub { my ($rate) = @_; return (one_of($rate), map { my $is = hps_is($profile, $rate, $_); points(plain_mean(map { tried($_, 'bursts', $is, 'accuracy') } @$rows)) } @bursts) });
        missing_accuracies($rows, $profile);
    }
}

if (my $r = result('hardware')) {
    my $rows = $r->{rows};
    print "## Hardware profilers, modelled, on unmodified programs\n\nDebian's binaries, run by `trod emulate` ($r->{emulator}), their first ", thousands($r->{instructions}), " instructions; designs by `trod hw explore`. Timing and sampling cover ", thousands($r->{timed}), " instructions after the first tenth.\n\n";
    print "$r->{note}\n\n" if $r->{note};
    for my $x (grep { $_->{failed} } @$rows) { print "$x->{program} is not there: $x->{failed}.\n\n" }
    $rows = [grep { !$_->{failed} } @$rows];
    $_->($rows) for \&hardware_spread, \&hardware_shapes, \&hardware_modes, \&hardware_parameters, \&hardware_extended, \&hardware_open, \&hardware_queue, \&hardware_bursts;
}

1;
