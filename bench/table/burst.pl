# Functions, calls, loops and data sampled in bursts.
use strict;
use warnings;

our @ways;

# A bar on what a way takes more than another: by medians, and by the lowest of all rounds, which other work on the machine raises least.
sub cost_bar {
    my ($programs, $by, $way, $base, $words, $most, $worst) = @_;
    my ($which, $of) = $worst ? (1, 'worst') : (0, 'geometric mean');
    my ($is, $low) = map { (mean_and_worst($programs, $by, $way, $base, $_))[$which] } qw(seconds low);
    return ["$words, $of", 'at most ' . per_cent($most, 0), defined $is ? (per_cent($is - 1, 1) . ', of the lowest ' . per_cent($low - 1, 1), $is <= 1 + $most) : undef];
}

# What is there of overlaps of all programs: [program, value].
sub overlaps {
    my ($r, $what, $kind, $period, $rate, $burst) = @_;
    return map {
        my $p = $_->{program};
        map { [$p, $_->{$what}] } grep { $_->{kind} eq $kind && $_->{period} eq $period && $_->{rate} == $rate && $_->{burst} == $burst } @{$_->{overlap} // []};
    } @{$r->{rows}};
}

my ($overlapped, $streamed) = map { result($_) } qw(burst_overlap burst_streams);

if (my $r = result('burst')) {
    my ($programs, $by) = by_way($r);
    my @all = ($programs, $by);
    my $seconds = sub { num($_[0], 2) . ' s' };
    my $spread = sub { my ($x, $base) = @_; return sprintf ' (%.2f-%.2f)', $x->{low} / $base->{seconds}, $x->{high} / $base->{seconds} };
    print <<"TEXT";
## Bursts: cost

`trod cc --burst` on the large inputs. User time, medians of $r->{rounds} interleaved rounds (of half as many for builds without a goal), and the spread of the rounds. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "The run was interrupted; $r->{resumed} programs were measured before the interruption.\n\n" if $r->{resumed};
    print <<'TEXT';
### Basic overhead

Programs that never begin a burst (`TROD_BURST=trigger=never`), relative to plain ones: the cost of the checks, and of the second copy of the code. *Count* decrements one of 16 words, *one word* always the same, *flag* tests a byte that
a clock sets; *for streams* has a second copy in which every load and store is reported. Mousa and Krintz (HPS: Hybrid Profiling Support, 2005) report 0 for hardware, and for software 1% to 10% and 6% to 35%, or 3% to 18% with fewer checks.

TEXT
    {
        local @ways = (
            ['never', 'plain', 'count'], ['never_single', 'plain', 'count, one word'], ['never_flag', 'plain', 'flag'], ['never_streams', 'plain', 'count, for streams'],
            ['frontend', 'plain', 'clang -fprofile-instr-generate'], ['coverage', 'gcc', 'gcc --coverage (over gcc)'],
        );
        cost_table(@all, 'seconds', 2, $seconds, $spread);
    }
    bars(
        map({ my $worst = $_; cost_bar(@all, 'never_flag', 'plain', 'flag', $worst ? 0.12 : 0.03, $worst) } 0, 1),
        map({ my $worst = $_; cost_bar(@all, 'never', 'plain', 'count', $worst ? 0.12 : 0.06, $worst) } 0, 1),
    );
    print <<'TEXT';
### What bursts add

User time relative to the same program without bursts. Bursts have one stretch; *all* are paths, methods, calls and trips at once; *ticks* are bursts that the clock begins, 1000 times a second; bursts of streams have 100
stretches.

TEXT
    {
        local @ways = (
            map({ ["methods_$_", 'never', 'methods ' . one_of($_)], ["calls_$_", 'never', 'calls ' . one_of($_)] } 1000), ['all_1000', 'never', 'all 1/1000'], ['all_100', 'never', 'all 1/100'],
            ['ticks', 'never_flag', 'ticks'], map({ ["streams_$_", 'never_streams', 'streams ' . one_of($_)] } 10000, 1000, 100),
        );
        cost_table(@all, 'seconds', 3, $seconds);
        bars(map { cost_bar(@all, $_->[0], 'never', $_->[1], 0.01) } ['methods_1000', 'methods, 1/1000, above basic'], ['calls_1000', 'calls, 1/1000, above basic'], ['all_1000', 'all four, 1/1000, above basic']);
    }
    print "### Where the time goes\n\nAs figure 7 of the report, in percent of the plain time, at 1/100: the cost of checks and of bursts, which have one stretch for methods and calls, and 100 for streams. In the report, checks of every instruction of interest are added without\n",
        "hardware support; here these are in the second copy only.\n\n";
    picture('burst', 'Basic and sampling overhead of methods, calls and streams at 1/100');
    my @parts = (['never', 'methods_100'], ['never', 'calls_100'], ['never_streams', 'streams_100']);
    my @lines = grep { grep { defined } @$_[1 .. 6] } map {
        my $rows = $by->{$_};
        my $plain = $rows->{plain}{seconds};
        [$_, map {
            my ($never, $way) = map { ($rows->{$_} // {})->{seconds} } @$_;
            $plain && $never && $way ? ($never / $plain - 1, ($way - $never) / $plain) : (undef, undef);
        } @parts];
    } @$programs;
    push @lines, ['average', map { my $c = $_; my @x = grep { defined } map { $_->[$c] } @lines; @x ? sum(@x) / @x : undef } 1 .. 6] if @lines > 1;
    table(['program', 'methods: basic', 'sampling', 'calls: basic', 'sampling', 'streams: basic', 'sampling'], \@lines, sub { my ($name, @x) = @{$_[0]}; return ($name, map { per_cent($_) } @x) });

    if ($overlapped || $streamed) {
        print "### Accuracy and what it costs\n\nAs figure 8: averages over the programs. Bursts have one stretch, those of streams 100; accuracy is the overlap of the top 90%, as below; overhead is the time that bursts add, relative to the plain time.\n\n";
        picture('burst_rate', 'Accuracy and overhead against the rate, averages');
        my @kinds = (['methods', $overlapped, 1, 'never'], ['calls', $overlapped, 1, 'never'], ['streams', $streamed, 100, 'never_streams']);
        table(['rate', map { ("$_->[0]: accuracy", 'overhead') } @kinds], ($overlapped // $streamed)->{rates}, sub {
            my ($rate) = @_;
            return (one_of($rate), map {
                my ($kind, $from, $burst, $never) = @$_;
                my @added = grep { defined } map {
                    my ($x, $n, $p) = map { ($_ // {})->{seconds} } @{$by->{$_}}{"${kind}_$rate", $never, 'plain'};
                    $x && $n && $p ? ($x - $n) / $p : undef;
                } @$programs;
                (per_cent($from ? mean(overlaps($from, 'top', $kind, 'jitter', $rate, $burst)) : undef), per_cent(@added ? sum(@added) / @added : undef, 2));
            } @kinds);
        });
    }
    my $kib = sub { num($_[0] / 1024, 0) . ' KiB' };
    print "### Size\n\nCode and constants, and the time of one call of the compiler for all sources and the link, over the plain build's.\n\n";
    {
        local @ways = (['never', 'plain', 'count'], ['never_flag', 'plain', 'flag'], ['never_streams', 'plain', 'for streams']);
        cost_table(@all, 'text', 2, $kib);
        cost_table(@all, 'compile', 2, $seconds);
    }
}
if (my $r = result('burst_budget')) {
    my ($programs, $by) = by_way($r);
    my $ratio = sub { my ($rows, $way, $base) = @_; return cost_ratio($rows, 'processor', $way, $base) };
    my $middle = sub { my @x = sort { $a <=> $b } @{$_[0] // []}; return $x[$#x / 2] };
    my @ways = (['budget_flag', 'never_flag', 'flag'], ['budget_count', 'never', 'count']);
    my (%worst, @lines);
    for my $p (@$programs) {
        my $rows = $by->{$p};
        push @lines, [$p, num(($rows->{plain} // $rows->{never_flag} // {})->{seconds}, 1) . ' s', map {
            my ($way, $never) = @$_;
            my ($stated, $is) = ($middle->(($rows->{$way} // {})->{achieved}), $ratio->($rows, $way, $never));
            if (defined $is) {
                $is--;
                $worst{$way} = $is if !defined $worst{$way} || abs($is - 0.02) > abs($worst{$way} - 0.02);
            }
            my $plain = $ratio->($rows, $way, 'plain');
            (per_cent($stated, 2), per_cent($is, 2), per_cent(defined $plain ? $plain - 1 : undef, 2));
        } @ways];
    }
    print <<"TEXT";
## Bursts: a budget

Programs with a budget of 2% for bursts (`--budget=2%`), on inputs that take more than five seconds. *Stated* is the cost that the program reports (`trod report`), *measured* is user and system time relative to the same program
without bursts, medians of $r->{rounds} interleaved rounds; *over plain* includes the basic overhead. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    table(['program', 'plain', map { ("$_->[2]: stated", 'measured', 'over plain') } @ways], \@lines, sub { @{$_[0]} });
    bars(map { my ($way, undef, $words) = @$_; ["2% with $words, measured, farthest from it", 'at most 0.5 points off', defined $worst{$way} ? (per_cent($worst{$way}, 2), abs($worst{$way} - 0.02) <= 0.005) : undef] } @ways);
}
if (my $r = $overlapped) {
    my @rows = grep { !$_->{failed} } @{$r->{rows}};
    my @kinds = (['methods', 'methods'], ['calls', 'call pairs'], ['graph', 'call graph'], ['trips', 'trips'], ['paths', 'paths']);
    my $cell = sub { my ($program, @at) = @_; my ($x) = grep { $_->[0] eq $program } overlaps($r, @at); return $x ? $x->[1] : undef };
    print <<"TEXT";
## Bursts: accuracy

Samples compared with an exhaustive profile (`trigger=always`) of the same input, by `trod overlap`: the sum of the smaller of each member's two shares, over the top 90%, as in the report (the members that make up 90% of
each profile), or over all members. Numbers are of one run each.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "$_->{program}: $_->{failed}.\n\n" for grep { $_->{failed} } @{$r->{rows}};
    print "### Totals\n\nAs figure 6. Methods, call sites and pairs are those that ran; an event is a function entry or a further iteration of a loop.\n\n";
    table(['program', 'input', 'methods', 'call sites', 'call pairs', 'calls (millions)', 'events (millions)', 'paths'], \@rows, sub {
        my ($x) = @_;
        my $is = $x->{is};
        my ($paths) = map { $_->{members} } grep { $_->{kind} eq 'paths' } @{$x->{overlap}};
        return ($x->{program}, $x->{input} eq 'field' ? 'large' : 'small', map({ thousands($_ // 0) } @$is{qw(methods sites pairs)}), map({ num($_ / 1e6, 1) } $is->{calls} // 0, ($is->{entered} // 0) + ($is->{again} // 0)), thousands($paths // 0));
    });
    my @at = ('jitter', 1000, 1);
    print "### At 1/1000, one stretch at a time\n\nOf the top 90%, and of all.\n\n";
    my @lines = map { my $p = $_->{program}; [$p, map { my $k = $_->[0]; map { $cell->($p, $_, $k, @at) } qw(top complete) } @kinds] } @rows;
    push @lines, ['average', map { my $c = $_; my @x = grep { defined } map { $_->[$c] } @lines; @x ? sum(@x) / @x : undef } 1 .. 2 * @kinds],
        ['worst', map { my $c = $_; (sort { $a <=> $b } grep { defined } map { $_->[$c] } @lines)[0] } 1 .. 2 * @kinds] if @lines > 1;
    table(['program', map { ($_->[1], 'of all') } @kinds], \@lines, sub { my ($name, @x) = @{$_[0]}; return ($name, map { per_cent($_) } @x) });
    bars(map {
        my ($kind, $words, $aim) = @$_;
        my $mean = mean(overlaps($r, 'top', $kind, @at));
        ["$words at 1/1000, burst 1, average", "at least $aim%", defined $mean ? (per_cent($mean), $mean >= $aim / 100) : undef];
    } ['methods', 'methods', 97], ['calls', 'call pairs', 93]);
    print "### By rate, each program\n\nAs figure 9: bursts of one stretch, the top 90%.\n\n";
    picture('burst_each', 'Accuracy and overhead against the rate, each program');
    for my $k (@kinds[0, 1]) {
        print ucfirst $k->[1], ":\n\n";
        my @lines = map { my $p = $_->{program}; [$p, map { $cell->($p, 'top', $k->[0], 'jitter', $_, 1) } @{$r->{rates}}] } @rows;
        push @lines, ['average', map { mean(overlaps($r, 'top', $k->[0], 'jitter', $_, 1)) } @{$r->{rates}}];
        table(['program', map { one_of($_) } @{$r->{rates}}], \@lines, sub { my ($name, @x) = @{$_[0]}; return ($name, map { per_cent($_) } @x) });
    }
    print "### By length of bursts\n\nAs figure 10: averages over the programs, the top 90%.\n\n";
    picture('burst_length', 'Accuracy by rate and length of bursts');
    table(['what', 'burst', map { one_of($_) } @{$r->{rates}}], [map { my $k = $_; map { [$k, $_] } @{$r->{bursts}} } @kinds], sub {
        my ($k, $burst) = @{$_[0]};
        return ($burst == $r->{bursts}[0] ? $k->[1] : '', $burst, map { per_cent(mean(overlaps($r, 'top', $k->[0], 'jitter', $_, $burst))) } @{$r->{rates}});
    });
    my @periods = grep { overlaps($r, 'top', 'methods', $_->[0], 1000, 1) } (['single', 'fixed, one word'], ['fixed', 'fixed'], ['prime', 'prime'], ['jitter', 'jitter'], ['geometric', 'geometric']);
    if (@periods > 1) {
        print "### By period\n\nAt 1/1000 and bursts of one stretch: averages of the top 90%, and the worst program. *Fixed* always waits for the same number of events, with one word for all checks or with 16 of them; *prime* for the next prime number; *jitter*, the default, for a random number from half to one and a half of it; *geometric* is memoryless.\n\n";
        table(['period', map { ($_->[1], 'worst') } @kinds], \@periods, sub {
            my ($period, $words) = @{$_[0]};
            return ($words, map { my @x = overlaps($r, 'top', $_->[0], $period, 1000, 1); my $w = worst(@x); (per_cent(mean(@x)), $w ? per_cent($w->[1]) . " $w->[0]" : '-') } @kinds);
        });
    }
}
if (my $r = $streamed) {
    my @rows = grep { !$_->{failed} } @{$r->{rows}};
    print "## Bursts: data streams\n\nHot data streams of loads and stores in bursts, compared with those of all loads and stores, on small inputs, for the first process of each program. For lack of memory, the report has six programs, with less than 50%.\n\n";
    print "$r->{note}\n\n" if $r->{note};
    print "$_->{program}: $_->{failed}.\n\n" for grep { $_->{failed} } @{$r->{rows}};
    table(['program', 'references (millions)', 'addresses (thousands)', 'objects', 'streams'], \@rows, sub { my ($x) = @_; my $is = $x->{is}; return ($x->{program}, num(($is->{references} // 0) / 1e6, 1), num(($is->{addresses} // 0) / 1e3, 0), map { thousands($_ // 0) } @$is{qw(distinct found)}) });
    for my $what (['top', 'the top 90%'], ['complete', 'all']) {
        print "Averages, of $what->[1]:\n\n";
        table(['burst', map { one_of($_) } @{$r->{rates}}], $r->{bursts}, sub { my ($burst) = @_; return ($burst, map { per_cent(mean(overlaps($r, $what->[0], 'streams', 'jitter', $_, $burst))) } @{$r->{rates}}) });
    }
    print "Each program, bursts of 100, the top 90%:\n\n";
    table(['program', map { one_of($_) } @{$r->{rates}}], \@rows, sub {
        my ($x) = @_;
        return ($x->{program}, map { my ($o) = grep { $_->[0] eq $x->{program} } overlaps($r, 'top', 'streams', 'jitter', $_, 100); per_cent($o ? $o->[1] : undef) } @{$r->{rates}});
    });
}

1;
