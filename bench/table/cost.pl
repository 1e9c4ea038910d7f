# What counting costs: each build of each program against plain and others' counters, tuned and unseen.
use strict;
use warnings;

our @ways;

# How much of the time that counting adds is trod's, for each that clang adds.
sub cost_against_ir {
    my ($programs, $by) = @_;
    my (@all, %total);
    for my $p (@$programs) {
        my ($t, $i) = map { cost_ratio($by->{$p}, 'seconds', $_, 'plain') } qw(trod ir);
        next unless defined $t && defined $i;
        $total{trod} += $t - 1;
        $total{ir} += $i - 1;
        push @all, [$p, $t, $i, $i - 1 >= 0.01 ? ($t - 1) / ($i - 1) : undef];
    }
    return unless @all;
    print "The time that trod adds, divided by the time that clang's IR counters add. If those add less than 1%, the ratio is\nmeaningless and omitted.\n\n";
    table(['program', 'clang IR counters add', 'trod adds', 'trod / clang IR'], \@all, sub {
        my ($x) = @_;
        return ($x->[0], percent($x->[2] - 1, 1), percent($x->[1] - 1, 1), num($x->[3], 2));
    });
    my ($worst) = sort { $b->[3] <=> $a->[3] } grep { defined $_->[3] } @all;
    my ($most) = sort { $b->[1] - $b->[2] <=> $a->[1] - $a->[2] } @all;
    print "Worst by ratio: $worst->[0], ", num($worst->[3], 2), " times. " if $worst;
    print "Worst by difference: $most->[0], ", percent($most->[1] - $most->[2], 1), " of the plain time.\n";
    printf "Over all programs, equally weighted, trod adds %.2f times what they add.\n", $total{trod} / $total{ir} if $total{ir} > 0;
    print "\n";
}

# Builds for some paths, against what they are to beat.
sub cost_chosen {
    my ($programs, $by) = @_;
    my @lines;

    for my $way (qw(paths tested untested)) {
        my ($log, $n, $worst, @above) = (0, 0, 0);
        for my $p (@$programs) {
            my ($x, $ir) = map { cost_ratio($by->{$p}, 'seconds', $_, 'plain') } $way, 'ir';
            next unless defined $x && defined $ir;
            $log += log $x;
            $n++;
            $worst = $x if $x > $worst;
            push @above, $p if $x >= $ir;
        }
        my ($head) = map { $_->[2] } grep { $_->[0] eq $way } @ways;
        push @lines, [$head, exp($log / $n), $worst, scalar @above, join ', ', @above] if $n;
    }
    return unless @lines;
    print <<'END';
### Builds for some paths

The paths of interest are those that ran on each program's small inputs, the tests; times are measured on the large inputs, production. *trod chosen* counts these paths, in functions that have more than one; *trod calls residual*
counts them, and all others that run, in functions where some path is untested; *trod untested only* records the latter, and counts the former only where that is cheaper. The goals: a geometric mean of at most 1.08,
at worst 1.20, and below clang's IR counters everywhere; the thesis has 1.15 and at worst 1.26 (preferential, figure 3.16) and 1.13 (residual, figure 3.21).

END
    table(['build', 'geometric mean', 'worst', 'not below clang IR', 'on'], \@lines,
        sub { my ($x) = @_; ($x->[0], num($x->[1], 3), num($x->[2], 2), $x->[3], $x->[4]) });
}

# What was aimed at. Of medians and, because other load disturbs them least, of the fastest rounds.
sub cost_aims {
    my ($programs, $by) = @_;
    my $means = sub { my ($way, $what) = @_; return map { [mean_and_worst($programs, $by, $way, 'plain', $_)] } $what ? $what : ('seconds', 'low') };
    my $shown = sub { my ($digits, @x) = @_; return join ', of the fastest rounds ', map { defined $_ ? num($_, $digits) : '-' } @x };
    my (@bars, %part, %above);
    for my $what (qw(seconds low)) {
        my %total;
        for my $p (@$programs) {
            my ($t, $i) = map { cost_ratio($by->{$p}, $what, $_, 'plain') } qw(trod ir);
            next unless defined $t && defined $i;
            $total{trod} += $t - 1;
            $total{ir} += $i - 1;
            push @{$above{$what}}, [$p, 100 * ($t - $i)] if $t > $i + 0.05;
        }
        $part{$what} = $total{ir} ? $total{trod} / $total{ir} : undef;
    }
    push @bars, ['all paths, of what clang IR counters add', 'at most 0.8', $shown->(2, @part{qw(seconds low)}), $part{seconds} <= 0.8 && $part{low} <= 0.8] if defined $part{seconds} && defined $part{low};
    push @bars, ['programs on which they are more than 5 points above', 'none',
        (join(', ', map { my ($p, $points) = @$_; sprintf '%s by %.0f', $p, $points } @{$above{low} // []}) || 'none') . ' (fastest rounds)', !$above{low}] if defined $part{low};
    my ($all) = $means->('trod', 'low');
    push @bars, ['all paths, worst', 'at most 1.30', @$all ? num($all->[1], 2) . " ($all->[2], fastest rounds)" : undef, @$all && $all->[1] <= 1.30];
    my @over;
    for my $p (@$programs) {
        my ($c, $t) = map { cost_ratio($by->{$p}, 'low', $_, 'plain') } qw(code trod);
        push @over, sprintf '%s %.2f, %.2f', $p, $c, $t if defined $c && defined $t && $c > $t + 0.02;
    }
    push @bars, ['--at=code above all paths by more than 2 points', 'nowhere', (join('; ', @over) || 'nowhere') . ' (fastest rounds)', !@over];
    for my $aim (['paths', 'chosen', 1.06], ['tested', 'residual', 1.08], ['untested', 'untested only', 1.03]) {
        my ($median, $low) = $means->($aim->[0]);
        next unless @$median && @$low;
        push @bars, [$aim->[1], 'at most ' . num($aim->[2], 2), $shown->(3, $median->[0], $low->[0]), $median->[0] <= $aim->[2] && $low->[0] <= $aim->[2]];
    }
    for my $aim (['text', 'text of all paths'], ['compile', 'compile time of all paths']) {
        my ($trod) = $means->('trod', $aim->[0]);
        my ($ir) = $means->('ir', $aim->[0]);
        next unless @$trod && @$ir;
        my $most = $aim->[0] eq 'text' ? $ir->[0] : 1.25;
        push @bars, [$aim->[1], $aim->[0] eq 'text' ? "at most clang IR's, " . num($most, 3) : 'at most 1.25', num($trod->[0], 3), $trod->[0] <= $most];
    }
    print "### Aims\n\n";
    bars(@bars);
}

# What runs leave on disk.
sub cost_profiles {
    my ($programs, $by) = @_;
    my @there = grep { my $way = $_->[0]; grep { ($by->{$_}{$way} || {})->{profile} } @$programs } @ways;
    return unless @there;
    print "### Profiles\n\nSize on disk of the profiles that a run on the large input leaves, KiB. Plain builds and coverage bytes leave none.\n\n";
    table(['program', map { $_->[2] =~ s/ \(over gcc\)//r } @there], $programs, sub {
        my ($p) = @_;
        return ($p, map { my $x = $by->{$p}{$_->[0]} || {}; $x->{failed} ? 'failed' : num($x->{profile} && $x->{profile} / 1024, 0) } @there);
    });
}

# Programs that trod was not tuned on. Those in the second list were never looked at, only measured.
my %unseen = (
    looked_at => [qw(box2d cjson expat mujs nlohmann-json pugixml tcc)],
    measured => [qw(cadical chipmunk flac leveldb lmdb muparser wabt)],
);

# The cost tables of one set of programs.
sub cost_of_set {
    my ($name, $title, $words) = @_;
    my $r = result($name) or return;
    my (%by, @programs);
    for my $x (@{$r->{rows}}) {
        push @programs, $x->{program} unless $by{$x->{program}};
        $x->{processor} = $x->{seconds} + $x->{system} if defined $x->{system};
        $by{$x->{program}}{$x->{way}} = $x;
    }
    my @all = (\@programs, \%by);
    my $seconds = sub { num($_[0], 2) . ' s' };
    my $spread = sub {
        my ($x, $base) = @_;
        return sprintf ' (%.2f-%.2f)', $x->{low} / $base->{seconds}, $x->{high} / $base->{seconds};
    };
    print "## $title\n\n${words}User time over that of the same compiler's plain `-O2` build, medians of $r->{rounds} interleaved rounds, and the spread of\n",
        "the rounds over the plain median. The output of every build was compared with that of the plain one. On ", machine($r), ".\n\n";
    print "$r->{note}\n\n" if $r->{note};
    print "The run was interrupted; $r->{resumed} programs were measured before the interruption.\n\n" if $r->{resumed};
    picture('cost', 'User time of each program over its plain build') if $name eq 'cost';
    cost_table(@all, 'seconds', 2, $seconds, $spread);
    if (grep { defined $_->{low} } @{$r->{rows}}) {
        print "The same for the fastest round of each build, which other load on the machine disturbs least.\n\n";
        cost_table(@all, 'low', 2, $seconds);
    }
    if ($name eq 'unseen') {
        print "The fastest rounds of the programs that were measured only.\n\n";
        cost_table([grep { my $p = $_; grep { $_ eq $p } @{$unseen{measured}} } @programs], \%by, 'low', 2, $seconds);
    }
    cost_against_ir(@all);
    cost_chosen(@all);
    cost_aims(@all) if grep { defined $_->{low} } @{$r->{rows}};
    my $kib = sub { num($_[0] / 1024, 0) . ' KiB' };
    for my $t (
        ['processor', 2, $seconds, 'Time', 'User and system time; the latter includes mapping counters and writing files.'],
        ['instructions', 3, \&thousands, 'Instructions', "Instructions executed, counted by callgrind on small inputs: exact, but start and end weigh more than in a\nlong run."],
        ['text', 2, $kib, 'Text', 'Code and constants.'],
        ['data', 1, $kib, 'Data', 'Writable data, including zero-initialised data. Untouched pages take no memory.'],
        ['peak', 2, sub { num($_[0] / 1024, 1) . ' MiB' }, 'Memory', 'Most memory resident during the run.'],
        ['compile', 2, $seconds, 'Compiling', 'User and system time of one call of the compiler for all sources and the link, once, two builds at a time.'],
    ) {
        my ($what, $digits, $first, $title, $words) = @$t;
        next unless grep { defined $_->{$what} } @{$r->{rows}};
        print "### $title\n\n$words Over the same compiler's plain build.\n\n";
        cost_table(@all, $what, $digits, $first);
    }
    cost_profiles(@all);
}

cost_of_set('unseen', 'Cost on unseen programs',
    "Programs in `bench/unseen/`, which trod was not tuned on when they were added. Hot functions of "
    . join(', ', @{$unseen{looked_at}}) . " were looked at since; "
    . join(', ', @{$unseen{measured}}) . " were measured only.\n");
cost_of_set('cost', 'Cost: what counting every path costs', '');
if (my $r = result('pgo')) {
    my ($programs, $by) = by_way($r);
    my @all = ($programs, $by);
    my @same = grep { ($by->{$_}{trod} || {})->{same} } @$programs;
    print "## Profiles for clang: what they are worth\n\nEach program was run on its small input, counted by clang's two kinds of counters and by trod, and built again with what each had counted\n",
        "(`clang -O2 -fprofile-use`; trod's by `trod export --to=profdata`). Then all ran on the large input. Over the plain build's user time, medians of $r->{rounds} interleaved rounds, and\n",
        "the spread of the rounds over the plain median. On ", machine($r), ".\n\n";
    print "$r->{note}\n\n" if $r->{note};
    print "The run was interrupted; $r->{resumed} programs were measured before the interruption.\n\n" if $r->{resumed};
    print "The program built with trod's profile is identical to the one built with the profile of clang's front-end counters: ",
        (@same == @$programs ? 'of all programs' : @same ? 'of ' . join(', ', @same) : 'of none'),
        '.', (grep({ $_ eq 'lua' } @same) || !$by->{lua} ? '' : " (lua's hashes begin with an address and the time: no two runs of it count the same.)"), "\n\n";
    for my $name (@$programs) {
        my $plain = $by->{$name}{plain};
        printf "Rounds of %s's plain build took %.2f to %.2f s: its times are too noisy here; see the instructions.\n\n", $name, $plain->{low}, $plain->{high}
            if $plain->{seconds} && $plain->{high} > 1.5 * $plain->{low};
    }
    {
        local @ways = (['frontend', 'plain', "clang's front-end profile"], ['trod', 'plain', "trod's profile"], ['ir', 'plain', "clang's IR profile"]);
        cost_table(@all, 'seconds', 2, sub { num($_[0], 2) . ' s' }, sub {
            my ($x, $base) = @_;
            return sprintf ' (%.2f-%.2f)', $x->{low} / $base->{seconds}, $x->{high} / $base->{seconds};
        });
        print "### Instructions\n\nInstructions executed, counted by callgrind on the small inputs: exact.\n\n";
        cost_table(@all, 'instructions', 3, \&thousands);
    }
    {
        local @ways = (['counts_frontend', 'plain', 'front-end counters'], ['counts_trod', 'plain', 'trod --counters'], ['counts_ir', 'plain', 'IR counters']);
        print "### Cost of counting\n\nInstructions of the counting builds, relative to the plain build, on the small inputs.\n\n";
        cost_table(@all, 'instructions', 3, \&thousands);
    }
}
if (my $r = result('residual')) {
    print <<"TEXT";
## Residual: what production ran and no test did

Each program counted all its paths on a small input, the test, and on a large one, production; `trod untested` compares them.
The inputs of production are of the same kind as those of the tests, only larger. Shares are of the paths that ran in
production, and of all their executions. An edge profile would not have shown the paths in the last two columns:
they are in functions all of whose edges were tested, in other combinations. Columns are as in table 3.1 of Vaswani's thesis, where
the averages are 18.9% of the paths, 4.5% of what ran, and 48.9% of the untested paths in functions without untested edges. Runs of
lua and gnuchess differ slightly: they hash addresses and read the clock.

TEXT
    my @lines = map {
        my $x = $_;
        [$x->{program}, $x->{paths}, share($x->{paths}, $x->{field_paths}), share($x->{count}, $x->{field_count}), $x->{functions},
            $x->{untested_edges}, $x->{functions_with_untested_edges}, $x->{paths_in_functions_without},
            share($x->{paths_in_functions_without}, $x->{paths_with_a_map})];
    } @{$r->{rows}};
    # Each program weighs the same; one without untested paths has no share of them to give.
    push @lines, ['average', map {
        my $column = $_;
        my @there = grep { defined } map { $_->[$column] } @lines;
        @there ? sum(@there) / @there : undef;
    } 1 .. 8] if @lines > 1;
    table(['program', 'untested paths', '% of paths', '% of what ran', 'functions with untested paths', 'untested edges',
            'functions with untested edges', 'untested paths in functions without', '% of untested paths'],
        \@lines, sub {
            my ($name, @x) = @{$_[0]};
            my $digits = $name eq 'average' ? 1 : 0;
            return ($name, num($x[0], $digits), num($x[1], 1), small($x[2]), map({ num($x[$_], $digits) } 3 .. 6), num($x[7], 1));
        });
    my @odd = grep { $_->{skipped} || $_->{unknown} } @{$r->{rows}};
    print "Not compared, or without a map: functions of ", join(', ', map { $_->{program} } @odd), ".\n\n" if @odd;
}
if (my $r = result('robust')) {
    print <<"TEXT";
### More tests

Programs with inputs of several kinds: the tests are the small inputs of all kinds together, production is the large input
of one kind. As table 3.3 of the thesis, where the averages are 3.6% of the paths and 0.1% of what ran.

TEXT
    my @lines = map {
        my $x = $_;
        ["$x->{program}, $x->{kind}", $x->{paths}, share($x->{paths}, $x->{field_paths}), share($x->{count}, $x->{field_count})];
    } @{$r->{rows}};
    push @lines, ['average', map { my $column = $_; sum(map { $_->[$column] } @lines) / @lines } 1 .. 3] if @lines > 1;
    table(['program and field', 'untested paths', '% of paths', '% of what ran'], \@lines, sub {
        my ($name, $paths, @share) = @{$_[0]};
        return ($name, num($paths, $name eq 'average' ? 1 : 0), num($share[0], 1), small($share[1]));
    });
}

1;
