# The stages alone: probes, densities, placements, sampling, sizes.
use strict;
use warnings;

if (my $r = result('probes')) {
    print <<"TEXT";
## Probes: selective numbering

Edges that carry a value, on average over sets of paths drawn at random (20 sets for each function and size).
"Published" is the algorithm of the paper with all three phases; "wrong" is the number of its numberings in which a path of
interest has the sum of another path, found by walking every path of functions with up to 20,000 of them. "Safe" is the
paper without its second phase. trod's numberings were checked in the same way: none was wrong.

TEXT
    table(['subject', 'functions', 'paths of interest', 'sets', 'Ball-Larus', 'published', 'published wrong', 'safe', 'trod', 'trod / published'],
        $r->{rows}, sub {
            my ($x) = @_;
            return ($x->{program}, $x->{functions}, $x->{paths}, thousands($x->{sets}), num($x->{ballarus}, 2),
                num($x->{published}, 2), percent($x->{published_wrong}, $x->{walked}), num($x->{safe}, 2),
                num($x->{sound}, 2), num($x->{sound} / ($x->{published} || 1), 2));
        });
}
if (my $r = result('few')) {
    my ($drawn) = grep { $_->{points} } @{$r->{rows}};
    print <<"TEXT";
### A few paths of a function

Probes of selective numbering divided by probes for all paths with Ball-Larus, function by function: every function of a program
that has 2 to 5656 paths and was not cut to the limit on paths. The value of a function is the average over all sets of that many of its
paths, or over 100 random ones. "Safe phases" and "published" are as above; the paper measured the latter, on javac:
below 60% for one path in about half of its methods, and nearly all probes for five paths in about 70% of them.

TEXT
    if ($drawn) {
        my ($one, @more) = @{$drawn->{sizes}};
        my $five = $more[-1] || $one;
        picture('single', "Probes for one path over probes for all paths, functions of $drawn->{program}");
        picture('few', "Probes for two to five paths over probes for all paths, functions of $drawn->{program}");
        printf "The pictures show the %s functions of %s, in the order of paths / 2^probes: tree-like functions on the left,\n" .
            "chains of decisions on the right. Points are functions, lines are medians over 101 neighbouring functions. One path needs\n" .
            "less than 60%% of the probes in %s of the functions, %s in the median; %d paths need 90%% or more in %s.\n\n",
            thousands($one->{functions}), $drawn->{program}, percent($one->{sound}{'below_0.6'}, $one->{functions}),
            percent($one->{sound}{median}, 1), $five->{paths}, percent($five->{sound}{'from_0.9'}, $five->{functions});
    }
    my $cell = sub {
        my ($size, $way, $what) = @_;
        return '-' unless $size && defined $size->{$way}{$what};
        return percent($size->{$way}{$what}, $what eq 'median' ? 1 : $size->{functions});
    };
    my %all = (program => 'all', map({ my $key = $_; $key => sum(map { $_->{$key} } @{$r->{rows}}) } qw(functions one_path too_many cut)));
    for my $paths (1, 5) {
        my @there = map { grep { $_->{paths} == $paths } @{$_->{sizes}} } @{$r->{rows}};
        my %size = (paths => $paths, functions => sum(map { $_->{functions} } @there));
        for my $way (qw(sound safe published)) {
            for my $what (qw(below_0.6 from_0.9)) {
                $size{$way}{$what} = sum(map { $_->{$way}{$what} } @there);
            }
        }
        push @{$all{sizes}}, \%size;
    }
    table(['program', 'functions', 'one path only', 'too many paths', 'median, 1 path', '2 paths', '3', '4', '5', '1 path: below 60%', 'safe phases', 'published', '5 paths: from 90%', 'safe phases', 'published'],
        [@{$r->{rows}}, @{$r->{rows}} > 1 ? \%all : ()], sub {
            my ($x) = @_;
            my %size = map { $_->{paths} => $_ } @{$x->{sizes}};
            return ($x->{program}, map({ thousands($_) } $x->{functions}, $x->{one_path}, $x->{too_many} + $x->{cut}),
                map({ $cell->($size{$_}, 'sound', 'median') } 1 .. 5), map({ $cell->($size{1}, $_, 'below_0.6') } qw(sound safe published)),
                map({ $cell->($size{5}, $_, 'from_0.9') } qw(sound safe published)));
        });
}
if (my $r = result('delta')) {
    print <<"TEXT";
## Delta: how dense the ids of interest are

Width of the interval of ids divided by the number of paths of interest: 1 is optimal. Average over random sets, worst
in brackets. "Slots" is the size of the table of the multiply-shift hash divided by the number of paths. The exact optimum is proved by
integer programming, for sets of five; "unproved" counts programs stopped after a second.

TEXT
    table(['subject', 'paths of interest', 'sets', 'Ball-Larus', 'preferential, published', 'preferential, trod', 'trod within 1.1', 'slots', 'exact', 'unproved'],
        $r->{rows}, sub {
            my ($x) = @_;
            return ($x->{program}, $x->{paths}, thousands($x->{sets}), num($x->{ballarus}, 1),
                num($x->{published}, 3) . ' (' . num($x->{published_worst}, 1) . ')',
                num($x->{best}, 3) . ' (' . num($x->{best_worst}, 1) . ')',
                percent($x->{'best_within_1.1'}, 1),
                num($x->{hash}, 2) . ' (' . num($x->{hash_worst}, 1) . ')' . ($x->{hash_failed} ? ", $x->{hash_failed} failed" : ''),
                num($x->{exact}, 4), defined $x->{exact_unproved} ? $x->{exact_unproved} : '-');
        });
}
if (my $r = result('density')) {
    my @rows = @{$r->{rows}};
    my @worst = qw(worst worst_function worst_interest);
    # All functions of all programs, as one more row.
    my %all = (program => 'all');
    for my $key (qw(functions several paths)) {
        $all{$key} = sum(map { $_->{$key} } @rows);
    }
    for my $way (qw(ballarus published best slots)) {
        for my $key (qw(near near_several failed)) {
            $all{$way}{$key} = sum(map { $_->{$way}{$key} } @rows);
        }
        my ($most) = sort { $b->{worst} <=> $a->{worst} } grep { defined $_->{worst} } map { $_->{$way} } @rows;
        @{$all{$way}}{@worst} = @$most{@worst} if $most;
    }
    my $mean = sub {
        my ($ratio, $weight) = @_;
        my @there = grep { $_->{$ratio} } @rows;
        my $n = sum(map { $_->{$weight} } @there);
        return $n ? exp(sum(map { $_->{$weight} * log $_->{$ratio} } @there) / $n) : undef;
    };
    $all{ratio_several} = $mean->('ratio_several', 'several');
    print <<"TEXT";
### The paths that ran

For each function of a program that ran on its small input, the paths of interest are those that ran. "Several" are the functions in
which more than one path ran: a single path is always dense. Near is a delta of at most 1.1; numbers of slots are powers of two. The last
column is the ratio of the widths of Ball-Larus ids and trod's, as a geometric mean over functions with several paths. It would be
larger still, but `trod cc` cuts functions with more than 65,536 paths.

TEXT
    picture('density', 'Size of the interval of ids against the number of paths of interest');
    picture('ratio', 'Delta of Ball-Larus over delta of preferential numbering, functions in ascending order');
    printf "Preferential numbering is near 1 in %s of all %s functions, in %s of the %s with several paths of interest, and at most %s.\n\n",
        percent($all{best}{near}, $all{functions}), thousands($all{functions}), percent($all{best}{near_several}, $all{several}),
        thousands($all{several}), num($all{best}{worst}, 2);
    table(['program', 'functions', 'several', 'paths', 'near, trod', 'near of several, trod', 'published', 'slots', 'Ball-Larus', 'worst, trod (paths)', 'published', 'slots', 'Ball-Larus', 'Ball-Larus / trod'],
        [@rows, @rows > 1 ? \%all : ()], sub {
            my ($x) = @_;
            return ($x->{program}, thousands($x->{functions}), thousands($x->{several}), thousands($x->{paths}),
                percent($x->{best}{near}, $x->{functions}),
                map({ percent($x->{$_}{near_several}, $x->{several}) } qw(best published slots ballarus)),
                num($x->{best}{worst}, 2) . " ($x->{best}{worst_interest})",
                map({ num($x->{$_}{worst}, 1) . ($x->{$_}{failed} ? ", $x->{$_}{failed} failed" : '') } qw(published slots ballarus)),
                num($x->{ratio_several}, 1));
        });
}
if (my $r = result('place')) {
    print <<"TEXT";
## Placement: what the probes of all paths cost

Operations in the code, on average per function, and executed operations under the estimated weights, priced by the cost model of
`src/path/probe/cost.c` and relative to the plain placement (geometric mean, trip counters off). The last columns are loops
whose iterations are counted in a register, and what that saves in addition.

TEXT
    table(['subject', 'functions', 'plain: operations', 'tree: operations', 'frontier: operations', 'tree: cost', 'frontier: cost', 'frontier dearer than tree', 'trip counters', 'with them'],
        $r->{rows}, sub {
            my ($x) = @_;
            return ($x->{program}, thousands($x->{functions}), num($x->{plain_operations}, 1), num($x->{tree_operations}, 1),
                num($x->{frontier_operations}, 1), num($x->{tree_cost}, 3), num($x->{frontier_cost}, 3),
                $x->{frontier_dearer_than_tree}, $x->{trip_counters}, num($x->{trips_ratio}, 3));
        });
}
if (my $r = result('online')) {
    print "## The online library: what blocks, paths and samples cost\n\nOf `libtrod-online.a`, by `bench/online.c`: instructions counted by callgrind, minus those of an empty\n",
        "loop; nanoseconds likewise. A sample includes everything: drawing a gap and a length, recording its blocks, its least rotation, its hash, its count. New ones\n",
        "are samples of subpaths that never recur, so that f is raised constantly. On ", machine($r), ".\n\n";
    table(['what', 'each', 'instructions', 'ns (low-high)'], $r->{rows}, sub {
            my ($x) = @_;
            return ($x->{action}, $x->{per}, num($x->{instructions}, $x->{instructions} < 100 ? 2 : 0),
                num($x->{ns}, 2) . ' (' . num($x->{ns_low}, 2) . '-' . num($x->{ns_high}, 2) . ')');
        });
}
if (my $r = result('scale')) {
    print "## Scale: time per edge\n\nNanoseconds per edge of the graph, by stage. Bounded graphs have cuts into regions in their text form and\n",
        "are processed with all their paths; tangled and structured ones have too many paths and are first cut by the limit.\n",
        "Large graphs are cheaper per edge than small ones for two reasons: above 2^20 edges, placement\n",
        "evaluates one spanning forest instead of three, and the limit stops its greedy search after visiting four million edges.\n",
        "On ", machine($r), ".\n\n";
    table(['shape', 'nodes', 'edges', 'extra cuts', 'graph', 'limit', 'number', 'probe', 'all', 'seconds (low-high)', 'MiB'],
        $r->{rows}, sub {
            my ($x) = @_;
            return ($x->{shape}, thousands($x->{nodes}), thousands($x->{edges}), thousands($x->{cuts}), num($x->{graph}, 0),
                num($x->{limit}, 0), num($x->{number}, 0), num($x->{probe}, 0), num($x->{ns_per_edge}, 0),
                num($x->{seconds}, 3) . ' (' . num($x->{seconds_low}, 3) . '-' . num($x->{seconds_high}, 3) . ')',
                num($x->{mebibytes}, 0));
        });
}
if (my $r = result('prefer')) {
    print "## Scale: many paths of interest\n\nBuilding the automaton and numbering preferentially, for random paths, which share as little as possible.\n",
        "Work is one look-up per state and one visit per arc, but the cost of a look-up grows with the size of the table: time\n",
        "grows less than linearly with edges, and faster than linearly with paths (11 to 25 times for 10 times as many). On ", machine($r), ".\n\n";
    table(['edges', 'paths of interest', 'states', 'seconds (low-high)', 'ns per edge x path', 'ns per state', 'delta', 'MiB'],
        $r->{rows}, sub {
            my ($x) = @_;
            return (thousands($x->{edges}), thousands($x->{paths}), thousands($x->{states}),
                num($x->{seconds}, 3) . ' (' . num($x->{seconds_low}, 3) . '-' . num($x->{seconds_high}, 3) . ')',
                num($x->{ps_per_edge_path} / 1000, 2), num($x->{seconds} * 1e9 / $x->{states}, 0), num($x->{delta}, 1),
                num($x->{mebibytes}, 0));
        });
}
if (my $r = result('page')) {
    my $m = $r->{machine};
    print "## Page: response times\n\nA page of ", thousands($r->{paths}), " paths of $r->{functions} functions, artificial, ", num($r->{bytes} / 1e6, 1), " MB of data, in Chromium $r->{browser}: from the event to the picture\n",
        "that shows its result, and the time the main thread of the page was busy, in milliseconds. Median, minimum and maximum of 3; the order of a column is cached, so that one of three sorts. First paint after $r->{first_paint_ms} ms, ready after $r->{ready_ms} ms (median of 5).\n",
        "On $m->{model}, $m->{cpus} cores, with a load of ", num($m->{load}, 1), " when it ended: if that exceeds the number of cores, times are those of a busy machine. (`node test/page/full.mjs large`)\n\n";
    table(['action', 'wait', 'least', 'most', 'at work'], $r->{actions}, sub {
        my ($x) = @_;
        return ($x->{action}, @$x{qw(ms least most work)});
    });
}

1;
