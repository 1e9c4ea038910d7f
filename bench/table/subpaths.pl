# Block sequences that are sampled while a program runs.
use strict;
use warnings;

our @ways;

# Ranks of the five hottest, in a sample; those it has not are a dash.
sub five { return join ' ', map { $_ || '-' } @{$_[0]} }
sub is_found { my @r = @{$_[0]}; return @r && !grep { !$_ || $_ > 10 } @r }

if (my $r = result('subpaths')) {
    my (%by, @programs);
    for my $x (@{$r->{rows}}) {
        push @programs, $x->{program} unless $by{$x->{program}};
        $by{$x->{program}}{$x->{way}} = $x;
    }
    print <<"TEXT";
## Subpaths while a program runs: cost

`trod cc --online` with its defaults, on the large inputs. *Skip only* is the same program without sampling (`TROD_ONLINE=f=never`); the difference is the cost of sampling. User time, medians of $r->{rounds} interleaved rounds, and the
spread of the rounds over the plain median. On @{[machine($r)]}.

TEXT
    print "$r->{note}\n\n" if $r->{note};
    print "The run was interrupted; $r->{resumed} programs were measured before the interruption.\n\n" if $r->{resumed};
    local @ways = (
        ['online', 'plain', 'trod --online'], ['skip', 'plain', 'skip only'],
        ['frontend', 'plain', 'clang -fprofile-instr-generate'], ['coverage', 'gcc', 'gcc --coverage (over gcc)'],
    );
    cost_table(\@programs, \%by, 'seconds', 2, sub { num($_[0], 2) . ' s' }, sub {
        my ($x, $base) = @_;
        return sprintf ' (%.2f-%.2f)', $x->{low} / $base->{seconds}, $x->{high} / $base->{seconds};
    });
    print "As tables 4.2 and 4.3 of Oren's thesis, where the total overhead is 20% to 360%, and the sampling overhead 1% to 56%. The goals: a geometric mean of at most 10%, at worst 25%; sampling at most 3%.\n\n";
    my @there = grep { !grep { !$_ || !defined $_->{seconds} } @{$by{$_}}{qw(plain online skip)} } @programs;
    my @lines = map { my ($p, $o, $s) = map { $_->{seconds} } @{$by{$_}}{qw(plain online skip)}; [$_, $p, $o, $s, $o / $p - 1, ($o - $s) / $p] } @there;
    my $mean = sub { my ($column) = @_; exp(sum(map { log(1 + $_->[$column]) } @lines) / (@lines || 1)) - 1 };
    table(['program', 'plain', '--online', 'skip only', 'total overhead', 'sampling overhead'],
        [@lines, @lines > 1 ? (['geometric mean', undef, undef, undef, $mean->(4), $mean->(5)], ['worst', undef, undef, undef, map { my $c = $_; (sort { $b <=> $a } map { $_->[$c] } @lines)[0] } 4, 5]) : ()],
        sub { my ($x) = @_; return ($x->[0], map({ defined $x->[$_] ? num($x->[$_], 3) . ' s' : '' } 1 .. 3), map { percent($x->[$_], 1) } 4, 5) });

    if (my $h = result('hottest')) {
        my %blocks = map { ($_->{program} => $_->{field_blocks}) } grep { $_->{field_blocks} } @{$h->{rows}};
        my @known = grep { $blocks{$_->[0]} } @lines;
        my @beta = map { [$_->[0], $_->[1] / $blocks{$_->[0]}, $_->[3] / $_->[1] - 1 >= 0.005 ? 1 / ($_->[3] / $_->[1] - 1) : undef, $_->[1], $blocks{$_->[0]}] } @known;
        my ($first) = sort { $a <=> $b } map { $_->[1] } @beta;
        my ($second) = sort { $a <=> $b } grep { defined } map { $_->[2] } @beta;
        print "### What a block costs\n\nTime for each block, and the reciprocal of the skipping overhead, both relative to the smallest: table 4.5 of the thesis, which expects them to be equal, because its profiler pays for each skipped block. Here only entries and loop\n",
            "headers have checks, so they need not be. If skipping costs less than half a percent, which is noise, the reciprocal is meaningless and omitted. Numbers of blocks are estimated from the sample.\n\n";
        table(['program', 'blocks', 'ns a block', 'beta 1', 'beta 2'], \@beta, sub {
            my ($x) = @_;
            return ($x->[0], num($x->[4], 0), num(1e9 * $x->[1], 2), num($x->[1] / $first, 2), defined $x->[2] && $second ? num($x->[2] / $second, 2) : '-');
        });
    }
    print "### Memory\n\nMost memory resident during the run, KiB: table 4.7 of the thesis, where the profiler takes 39 to 66 KB. A sampler takes 64 KiB for each thread that runs at the same time; the rest is the second copy of the code, and the file.\n\n";
    table(['program', 'plain', '--online', 'more', 'text, plain', '--online'], [grep { $by{$_}{plain} && $by{$_}{online} && defined $by{$_}{online}{peak} } @programs], sub {
        my ($p, $o) = @{$by{$_[0]}}{qw(plain online)};
        return ($_[0], thousands($p->{peak}), thousands($o->{peak}), $o->{peak} - $p->{peak}, map { num($_->{text} / 1024, 0) . ' KiB' } $p, $o);
    });
}
if (my $r = result('operations')) {
    print "### Operations of one kind\n\nMillions per second, in a loop that does nothing else: table 4.4 of the thesis, where an empty loop takes 12.35 times as long, and an assignment 17.75 times. Medians of $r->{rounds} rounds.\n\n";
    table(['operation', 'plain', '--online', 'times as long', 'skip only', 'times as long'], $r->{rows}, sub {
        my ($x) = @_;
        return ($x->{operation}, num($x->{plain} / 1e6, 0), map { (num($x->{$_} / 1e6, 0), num($x->{plain} / $x->{$_}, 2)) } qw(online skip));
    });
}
if (my $r = result('hottest')) {
    my @rows = grep { !$_->{failed} } @{$r->{rows}};
    my $input = sub { $_[0]{input} eq 'field' ? 'large' : 'small' };
    print <<"TEXT";
## Subpaths while a program runs: accuracy

Samples of running programs, with the defaults of `trod cc --online`, compared with all their subpaths, which `trod sample subpaths --exact` counted in a trace of all blocks of another run on the same input: the large one, or the small one if the large
one runs more than @{[$r->{most} / 1e6]} million blocks. Lengths are 2, 4, 8, 16 and 32; rotations of a subpath count as one. Two runs of lua or gnuchess differ slightly.

@{[$r->{note} // '']}

### Totals

As table 4.1 of Oren's thesis. Different subpaths are not rotations of each other; collisions are different ones with the same 128-bit hash.

TEXT
    table(['program', 'input', 'blocks', 'subpaths', 'sequences', 'different', 'collisions', 'counted in', 'million blocks a second'], \@rows, sub {
        my ($x) = @_;
        return ($x->{program}, $input->($x), map({ thousands($_) } @$x{qw(blocks subpaths sequences different)}), $x->{collisions}, num($x->{counting}, 1) . ' s', num($x->{blocks} / $x->{counting} / 1e6, 1));
    });
    my @partial = grep { $_->{too_low} } @rows;
    print "Counts of $_->{program} are partial: memory was insufficient, and a sequence may have run up to $_->{too_low} times more often.\n\n" for @partial;
    print "$_->{program}: $_->{failed}.\n\n" for grep { $_->{failed} } @{$r->{rows}};
    print "### What was sampled\n\nAs table 4.6: samples that are kept, with and without repeats, the mean number of repeats, and the sampling period at the end of the run.\n\n";
    table(['program', 'samples', 'kept', 'different', 'gain', 'f', 'dropped', 'blocks, estimated', 'error'], \@rows, sub {
        my ($x) = @_;
        my $s = $x->{sample};
        return ($x->{program}, map({ thousands($_) } @$s{qw(samples kept distinct)}), num($s->{kept} / ($s->{distinct} || 1), 2), thousands(sprintf '%.0f', $s->{most_frequency}), $s->{dropped}, num($s->{blocks}, 0), percent(abs($s->{blocks} / $x->{blocks} - 1), 1));
    });
    my @found = map { [$_->{program}, $_->{ranks}, $_->{near}] } @rows;
    print "### The five hottest\n\nRanks, in the final sample, of the five hottest subpaths. The goal: all five among the first ten. If many subpaths ran equally often, as all parts of a hot loop do, the order of these is random. So the table also has how many of\n",
        "the sample's first five ran as often as the fifth hottest, or a tenth less at most.\n\n";
    table(['program', 'ranks of the five hottest', 'among ten', 'first five as hot'], \@found, sub { my ($x) = @_; return ($x->[0], five($x->[1]), is_found($x->[1]) ? 'yes' : 'no', $x->[2]) });
    printf "Of %d programs, %d have all five among the first ten.\n\n", scalar @found, scalar grep { is_found($_->[1]) } @found;
    print "### At every tenth of the run\n\nAs table 4.11: ranks of the five that ran most up to then.\n\n";
    for my $x (['stops', 'By a sampler that saw the same trace, at tenths of the blocks:'], ['watched', 'In copies of the profile, made while the program ran, at tenths of the time, which are approximately tenths of the blocks:']) {
        my ($key, $words) = @$x;
        my @there = grep { $_->{$key} && @{$_->{$key}} } @rows;
        next unless @there;
        # The one has a row for each tenth, of the other some may be missing.
        my %at = map { my $p = $_; my $i = 0; ($p->{program} => {map { (($_->{tenth} // ++$i) => $_) } @{$p->{$key}}}) } @there;
        my @seen = map { my $p = $_->{program}; grep { $_ } map { $at{$p}{$_} } 1 .. 9 } @there;
        my @first = grep { $_ } map { $at{$_->{program}}{1} } @there;
        print "$words\n\n";
        table(['program', map { (10 * $_) . '%' } 1 .. 9], \@there, sub { my ($p) = @_; return ($p->{program}, map { $at{$p->{program}}{$_} ? five($at{$p->{program}}{$_}{ranks}) : '-' } 1 .. 9) });
        printf "All five are among the first ten in %d of %d, at the first tenth in %d of %d.\n\n",
            scalar(grep { is_found($_->{ranks}) } @seen), scalar @seen, scalar(grep { is_found($_->{ranks}) } @first), scalar @first;
        printf "Where ties do not matter: five of the first ten ran as often as the fifth hottest, or more often, in %d of %d, at the first tenth in %d of %d.\n\n",
            scalar(grep { $_->{found} == 5 } @seen), scalar @seen, scalar(grep { $_->{found} == 5 } @first), scalar @first
            if grep { defined $_->{found} } @seen;
        print "How many of the sample's first five ran as often as the fifth hottest, or a tenth less at most:\n\n";
        table(['program', map { (10 * $_) . '%' } 1 .. 9], \@there, sub { my ($p) = @_; return ($p->{program}, map { $at{$p->{program}}{$_} ? $at{$p->{program}}{$_}{near} // '-' : '-' } 1 .. 9) });
    }
    print "### The ten hottest of the sample\n\nAs table 4.8. The bound holds with 95% for a subpath that was chosen beforehand; these were chosen because they are hot.\n\n";
    table(['program', 'rank', 'exact rank', 'samples', 'estimate', 'count', 'error', 'bound', 'length'], [map { my $x = $_; map { +{%$_, program => $x->{program}} } @{$x->{hottest}} } @rows], sub {
        my ($x) = @_;
        return ($x->{rank} == 1 ? $x->{program} : '', $x->{rank}, $x->{exact_rank} // '-', $x->{samples}, thousands(sprintf '%.0f', $x->{estimate}), defined $x->{count} ? (thousands($x->{count}), percent($x->{error}, 1)) : ('-', '-'), percent($x->{bound}, 1), $x->{length});
    });
    for my $i (0, 1) {
        print $i ? "### Bounds of the fifth hottest\n\nAs table 4.10.\n\n" : "### Bounds of the hottest\n\nAs table 4.9: bounds of the error, two-sided and one-sided, at 95% and at 80%.\n\n";
        table(['program', 'samples', '95%', 'one way', '80%', 'one way'], [grep { $_->{bounds}[$i] } @rows], sub { my ($x) = @_; return ($x->{program}, $x->{bounds}[$i]{samples}, map { percent($_, 1) } @{$x->{bounds}[$i]{sigma}}) });
    }
    print "### Other lengths\n\nAs section 4.6 of the thesis. All lengths from 2 to 1024, n with a probability proportional to 1 / n: how often the hottest was sampled, and the ranks of the five hottest of the lengths above. Lengths 2, 3, 4, 5, 8, 16 and 32, each half as\n",
        "likely as the one before: how many of the 15 hottest have 3 and 5 blocks, and the ranks of the five.\n\n";
    table(['program', 'samples', 'different', 'hottest sampled', 'the five', 'with 3 and 5: samples', 'different', 'of 3', 'of 5', 'the five'], [grep { $_->{inverse} && $_->{more} } @rows], sub {
        my ($x) = @_;
        my ($i, $m) = @$x{qw(inverse more)};
        return ($x->{program}, thousands($i->{samples}), $i->{distinct}, $i->{hottest}, five($i->{ranks}), thousands($m->{samples}), $m->{distinct}, $m->{lengths}{3} // 0, $m->{lengths}{5} // 0, five($m->{ranks}));
    });
}

1;
