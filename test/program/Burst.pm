# Compare programs that are sampled in bursts with the oracle.
#
#     try_burst NAME FILE HEAD PLAIN FLAGS MAY   test a program, built with every type at once: its output and status at
#                every rate; its paths and events with trigger=always, which samples all of them.
#                MAY->{differ}: it executes different blocks in each run.
#                MAY->{forks}: no timer thread; an emulator cannot fork a process with threads.
#     try_average NAME FILE HEAD FLAGS   test that the mean of its estimates over many runs is right
#
# tools/trod-read.py reads the samples. What ran is derived from the oracle's log, and from the blocks and edges of the
# map; loops are found independently.
package Burst;
use strict;
use warnings;
no warnings 'portable'; # numbers are 64 bits wide
use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use List::Util qw(max min sum0);
use lib dirname(abs_path(__FILE__));
use Log;
use Oracle;

our @EXPORT = qw(try_burst try_average run_burst read_events every_type);

my $root = dirname(dirname(dirname(abs_path(__FILE__))));

use constant { E_ENTRY => 1, E_BACK => 2, E_ENTER => 3, E_ITERATION => 4, E_TRIPS => 5, E_CALL => 6, E_CALL_TO => 7,
    E_REF => 8, E_TIME => 9 };
my @word = qw(? entry back enter iteration trips call call_to ref time);

use constant every_type => 'paths+methods+calls+trips+streams+handler+time';

# --- what was sampled -----------------------------------------------------------------

# Counts of events, by hash of the function, kind, a and b.
sub read_events {
    my (@profiles) = @_;
    my (%count, $f);

    return {} if !@profiles;
    for (map { split /\n/, must('python3', "$root/tools/trod-read.py", $_) } @profiles) {
        if (/^function ([0-9a-f]{16}) [0-9a-f]+ [0-9a-f]+ \d+(.*)/) {
            $f = $2 eq ' events' ? $1 : undef;
        } elsif (/^=(\d+) (\d+)$/ && $f) {
            my ($id, $n) = ($1, $2);
            my ($kind, $x, $y) = ($id >> 56, $id >> 32 & 0xffffff, $id & 0xffffffff);
            die "unknown kind of event: $kind\n" if !$word[$kind] || !$kind;
            $count{$f}{$kind}{$x}{$y} += $n;
        }
    }
    return \%count;
}

# Where everything was sampled, each path that was counted was timed as often, and takes no longer than with its calls.
sub compare_times {
    my (@profiles) = @_;
    my (%count, %timed, %own, %with, $f, $is_events);

    for (@profiles ? map { split /\n/, must('python3', "$root/tools/trod-read.py", $_) } @profiles : ()) {
        ($f, $is_events) = ($1, defined $2) if /^function ([0-9a-f]{16} [0-9a-f]+) [0-9a-f]+ \d+( events)?$/;
        next if !/^=(\d+) (\d+)$/;
        my ($id, $n) = ($1, $2);
        my ($kind, $cell, $path) = ($id >> 56, $id >> 32 & 0xffffff, $id & 0xffffffff);
        $count{"$f =$id"} += $n if !$is_events;
        next if !$is_events || $kind != E_TIME;
        $timed{"$f =$path"} += $n if $cell >= 16;
        $own{"$f =$path"} += $n if $cell == 0;
        $with{"$f =$path"} += $n if $cell == 1;
    }
    return ((map { "$_: counted " . ($count{$_} // 0) . ", timed " . ($timed{$_} // 0) }
            grep { ($count{$_} // 0) != ($timed{$_} // 0) } sort keys %{{%count, %timed}}),
        map { "$_: own time $own{$_}, with calls " . ($with{$_} // 0) }
            grep { $own{$_} > ($with{$_} // 0) } sort keys %own);
}

# --- what the map says ----------------------------------------------------------------

# By hash of the function: loop{a}, its header; call{a} and ref{a}, their node; callee{a}.
sub read_sites {
    my (@maps) = @_;
    my (%site, $hash, $here);

    for my $file (@maps) {
        open my $in, '<', $file or die "$file: $!\n";
        while (<$in>) {
            if (/^function (?:"(?:[^"\\]|\\.)*"|\S+) ([0-9a-f]{16}) /) {
                ($hash, $here) = ($1, 0);
                $site{$hash} //= {loop => {}, call => {}, ref => {}};
            } elsif (/^events /) {
                $here = 1;
            } elsif ($here && /^(loop|call|ref) (\d+) (\d+) (.*)/) {
                $site{$hash}{$1}{$2} = $3;
                $site{$hash}{callee}{$2} = (split ' ', $4)[-1] if $1 eq 'call';
            } elsif (/^[a-z]+ /) {
                $here = 0;
            }
        }
        close $in;
    }
    return \%site;
}

# The nodes that are reachable from @from without passing through $but.
sub reached {
    my ($next, $but, @from) = @_;
    my %seen;

    while (defined(my $v = pop @from)) {
        next if $v eq $but || $seen{$v}++;
        push @from, keys %{$next->{$v} // {}};
    }
    return \%seen;
}

# By header: the nodes of its loop. Undef if the graph is irreducible.
sub loops_of {
    my ($f) = @_;
    my (%before, %body);

    return $f->{bodies} if exists $f->{bodies};
    for my $from (keys %{$f->{to}}) {
        $before{$_}{$from} = 1 for keys %{$f->{to}{$from}};
    }
    for my $from (keys %{$f->{to}}) {
        for my $to (keys %{$f->{to}{$from}}) {
            # A back edge: its target dominates its source.
            next if reached($f->{to}, $to, $f->{entry})->{$from};
            my $body = reached(\%before, $to, $from);
            $body{$to}{$_} = 1 for $to, keys %$body;
        }
    }
    # Reducible: without the back edges there is no cycle.
    my %rest;
    for my $from (keys %{$f->{to}}) {
        for my $to (keys %{$f->{to}{$from}}) {
            $rest{$from}{$to} = 1 if !$body{$to} || !$body{$to}{$from};
        }
    }
    for my $v (keys %rest) {
        return $f->{bodies} = undef if reached(\%rest, '', keys %{$rest{$v}})->{$v};
    }
    return $f->{bodies} = \%body;
}

# --- what ran -------------------------------------------------------------------------

# A copy of an activation, for a child of fork.
sub copy {
    my ($a) = @_;

    return {%$a, iterations => {%{$a->{iterations} // {}}}};
}

# By hash of the function, how often: entry; block{v}; broken{v}, executions of the block that may not have reached its
# end; trips{a}{bin}; enter{a}; iteration{a}; back. odd: blocks alone do not determine its events.
sub ran {
    my ($log, $functions, $site) = @_;
    my (%ran, %at, %forking);

    my $end = sub {
        my ($key, $whole) = @_;
        my $a = delete $at{$key} // return;

        $ran{$a->{hash}}{broken}{$a->{last}}++ if !$whole && !$a->{gone} && defined $a->{last};
    };
    my $go = sub {
        my ($a, $to) = @_;
        my ($r, $from) = ($ran{$a->{hash}} //= {}, $a->{last});

        $r->{block}{$to}++;
        ($a->{last}, $a->{gone}) = ($to, 0);
        return if !defined $from || $r->{odd};
        my $loops = $site->{$a->{hash}}{loop};
        for my $l (keys %$loops) {
            my $body = $a->{bodies}{$loops->{$l}} // {};
            my ($was, $is) = map { $body->{$_} // 0 } $from, $to;
            if ($was && !$is) {
                my $bin = int(log($a->{iterations}{$l}) / log(2) + 1e-9) if $a->{iterations}{$l};
                $r->{trips}{$l}{min($bin, 15)}++ if defined $bin;
                delete $a->{iterations}{$l};
            } elsif ($to == $loops->{$l}) {
                $r->{$was ? 'iteration' : 'enter'}{$l}++;
                $r->{back}++ if $was;
                $a->{iterations}{$l} = ($was ? $a->{iterations}{$l} // 0 : 0) + 1;
            }
        }
    };
    each_event($log, sub {
        my ($kind, $pid, $thread, $image, $activation, $value) = @_;
        my $key = "$pid $image $activation";

        if ($kind == ENTER) {
            my $f = entry_of($functions, $value);
            $ran{$f->{hash}} //= {};
            my $a = $at{$key} = {hash => $f->{hash}, bodies => loops_of($f)};
            $ran{$f->{hash}}{entry}++;
            $ran{$f->{hash}}{odd} = 1 if !$a->{bodies};
        } elsif ($kind == BLOCK) {
            $go->($at{$key} // die("no function\n"), $value);
        } elsif ($kind == BACK) {
            $ran{$at{$key}{hash}}{odd} = 1 if $at{$key}; # it continues in the middle of a block
        } elsif ($kind == LEAVE && $value < 2) {
            $end->($key, $value == 0);
        } elsif ($kind == LEAVE && $at{$key} && !$at{$key}{gone}++) {
            # It may still return to its caller.
            $ran{$at{$key}{hash}}{broken}{$at{$key}{last}}++;
        } elsif ($kind == FORKING) {
            $forking{"$pid $image $value"} = {map { ($_ => copy($at{$_})) } grep { /^$pid $image / } keys %at};
        } elsif ($kind == FORKED) {
            # Activations of the parent continue in the child, and are observed from the next event on.
            my $was = $forking{"$activation $image $value"} // die "a child without a fork\n";
            for (keys %$was) {
                my $mine = s/^\d+/$pid/r;
                $at{$mine} = copy($was->{$_});
                $ran{$was->{$_}{hash}}{forked}{$was->{$_}{last} // -1}++;
            }
        }
    });
    $end->($_, 0) for keys %at;
    return \%ran;
}

# --- both ------------------------------------------------------------------------------

sub compare_events {
    my ($ran, $got, $functions, $site, $lenient) = @_;
    my @wrong;

    for my $hash (sort keys %{{%$ran, %$got}}) {
        my ($r, $g, $s) = ($ran->{$hash} // {}, $got->{$hash} // {}, $site->{$hash});
        my $name = ($functions->{$hash} // {name => "#$hash"})->{name};
        my $check = sub {
            my ($what, $least, $most, $has) = @_;

            $least = 0 if $r->{forked};
            push @wrong, "$name: $what: $has, not " . ($least == $most ? $least : "$least to $most")
                if $has < $least || $has > $most;
        };

        $check->('entry', ($r->{entry} // 0) x 2, $g->{+E_ENTRY}{0}{0} // 0);
        for my $kind (qw(call ref)) {
            my $number = $kind eq 'call' ? E_CALL : E_REF;
            for my $i (sort { $a <=> $b } keys %{$s->{$kind}}) {
                my $v = $s->{$kind}{$i};
                my $n = $r->{block}{$v} // 0;
                # A child of fork continues in the middle of a block.
                $check->("$kind $i", $n - ($r->{broken}{$v} // 0), $n + ($r->{forked}{$v} // 0), $g->{$number}{$i}{0} // 0)
                    if !$r->{odd} || !$r->{entry};
            }
        }
        for my $i (keys %{$g->{+E_CALL_TO} // {}}) {
            my $sum = sum0(values %{$g->{+E_CALL_TO}{$i}});
            $check->("callees of call $i", ($g->{+E_CALL}{$i}{0} // 0) x 2, $sum);
            push @wrong, "$name: call $i is not indirect" if $s->{callee}{$i} ne '*';
        }
        next if $r->{odd};
        $check->('back', ($r->{back} // 0) x 2, $g->{+E_BACK}{0}{0} // 0);
        for my $l (sort { $a <=> $b } keys %{$s->{loop}}) {
            $check->("loop $l enter", ($r->{enter}{$l} // 0) x 2, $g->{+E_ENTER}{$l}{0} // 0);
            $check->("loop $l iteration", ($r->{iteration}{$l} // 0) x 2, $g->{+E_ITERATION}{$l}{0} // 0);
            for my $bin (0 .. 15) {
                $check->("loop $l trips 2^$bin", ($r->{trips}{$l}{$bin} // 0) x 2, $g->{+E_TRIPS}{$l}{$bin} // 0);
            }
        }
    }
    return @wrong;
}

# Compare paths as run.t does. Bursts do not count abandoned activations.
sub compare_paths {
    my ($oracle, $count, $head, $ran, $functions) = @_;
    my %forked = map { ($functions->{$_}{shown} => 1) } grep { $ran->{$_}{forked} } keys %$ran;
    my @wrong = Oracle::compare({%$oracle, abandoned => {}}, $count, {}, $head);

    # A path that a child of fork ends may have begun in its parent.
    return grep { !/^(.*): '.*' counted (\d+), ran (\d+)$/ || !$forked{$1} || $2 > $3 } @wrong;
}

# --- one program -----------------------------------------------------------------------

sub run_burst {
    my ($folder, $options) = @_;

    remove_tree("$folder/out");
    make_path("$folder/out");
    local $ENV{TROD_OUT} = 'out/%e.%p.%m.trod';
    local $ENV{TROD_BURST} = $options;
    return run($folder, './program');
}

sub same_output {
    my ($plain, @ran) = @_;

    return $ran[0] eq $plain->[0] && $ran[1] == $plain->[1]
        ? ()
        : "it printed '$ran[0]', status $ran[1]; plain '$plain->[0]', $plain->[1]";
}

# Each of n events is sampled with probability 1/rate, in groups. The tolerance is five standard errors of the sum of
# weights, and a burst at either end for each counter, in each process and thread. Calls are sampled together with the
# event before them: $together is the largest such group.
sub off_by {
    my ($what, $got, $n, $rate, $burst, $nplan, $together) = @_;
    my $error = 5 * sqrt($n * ($rate - 1) * $burst * $together) + 2 * $rate * $burst * $nplan;

    return abs($got - $n) <= $error ? () : "$what: estimated $got, executed $n";
}

sub total {
    my ($events, @kinds) = @_;

    return sum0(map { my $f = $_; map { map { values %$_ } values %{$f->{$_} // {}} } @kinds } values %$events);
}

# A call is made once at most before the next event of its function: a loop's iteration, or another entry.
sub most_calls_together {
    my ($events) = @_;

    return max(1, map { scalar keys %{$_->{E_CALL()} // {}} } values %$events);
}

sub try_burst {
    my ($name, $file, $head, $plain, $flags, $may) = @_;
    my @own = ('--burst=types=' . every_type);
    my $folder = eval { build('burst', $file, $head, \@own, $flags) };
    my ($events, $nplan) = (undef, 0);

    $name .= " @$flags";
    return report($name, $@) if !$folder;
    if (!$may->{differ}) {
        my @wrong = eval {
            my $logging = build('oracle', $file, $head, \@own, $flags);
            my ($oracle) = Oracle::oracle_says($logging);
            my @maps = map { "$_.map" } Oracle::binaries($logging);
            my ($functions, $site) = (read_maps(@maps), read_sites(map { map_of($_) } Oracle::binaries($folder)));
            my $ran = ran("$logging/log", $functions, $site);
            local $ENV{TROD_BURST} = 'trigger=always';
            remove_tree("$folder/out");
            my ($count, undef, undef, @printed) = trod_says($folder, 1);
            my @profiles = glob "$folder/out/*";
            $events = read_events(@profiles);
            $nplan = 16 * @profiles;
            (same_output($plain, @printed), compare_paths($oracle, $count, $head, $ran, $functions),
                compare_events($ran, $events, $functions, $site), compare_times(@profiles));
        };
        report("$name always", $@ ? $@ : @wrong);
    }
    for ($ENV{TROD_FULL} ? map { my $rate = $_; map { [$rate, $_] } 1, 10 } 1, 2, 7, 50, 1000
        : ([1, 1], [2, 10], [7, 1], [50, 10], [1000, 1])) {
        my ($rate, $burst) = @$_;
        my @wrong = same_output($plain, run_burst($folder, "rate=$rate,burst=$burst,seed=" . ($rate + $burst)));
        if ($events && !@wrong) {
            my $got = eval { read_events(glob "$folder/out/*") } // {};
            push @wrong, $@ if $@;
            push @wrong,
                map { off_by($_->[0], total($got, @{$_->[1]}), total($events, @{$_->[1]}), $rate, $burst, $nplan, $_->[2] // 1) }
                [methods => [E_ENTRY, E_BACK]], [calls => [E_CALL], most_calls_together($events)], [iterations => [E_ITERATION]];
        }
        report("$name rate $rate burst $burst", @wrong);
    }
    remove_tree($folder, basename($file) . '.oracle') if !$ENV{TROD_KEEP};
    return if $may->{forks};
    $folder = eval { build('flag', $file, $head, ['--burst=trigger=flag,hz=2000,types=' . every_type], $flags) };
    return report("$name flag", $@) if !$folder;
    report("$name flag", same_output($plain, run_burst($folder, 'burst=5')));
    report("$name flag always", same_output($plain, run_burst($folder, 'trigger=always')));
    remove_tree($folder) if !$ENV{TROD_KEEP};
}

# The mean of many runs is the exact count, within five standard errors.
sub try_average {
    my ($name, $file, $head, $flags) = @_;
    my $folder = eval { build('burst', $file, $head, ['--burst'], $flags) };
    my $times = 60;

    return report("$name average", $@) if !$folder;
    run_burst($folder, 'trigger=always');
    my $exact = total(read_events(glob "$folder/out/*"), E_ENTRY, E_BACK);
    for my $how ('rate=50', 'rate=50,period=geometric', 'rate=7,burst=10', 'rate=1000,burst=10') {
        my @got = map {
            run_burst($folder, "$how,seed=$_");
            total(read_events(glob "$folder/out/*"), E_ENTRY, E_BACK);
        } 1 .. $times;
        my $mean = sum0(@got) / $times;
        my $error = sqrt(sum0(map { ($_ - $mean)**2 } @got) / ($times - 1) / $times);
        report("$name @$flags $how: the mean of $times runs", abs($mean - $exact) <= 5 * $error + 1 ? ()
            : sprintf 'the mean is %.1f, its standard error %.1f, the exact count %d', $mean, $error, $exact);
    }
    remove_tree($folder) if !$ENV{TROD_KEEP};
}

1;
