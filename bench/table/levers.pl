# What each of the things that make counts cheap saves.
use strict;
use warnings;

our @ways;

if (my $r = result('levers')) {
    my ($programs, $by) = by_way($r);
    my @levers = (
        ['bundles', 'counts that execute together are one'],
        ['singles', 'single counts lie beside the bundles of their function'],
        ['sums', 'counts that are sums of others have no counter'],
        ['loops', 'innermost loops count in registers'],
        ['addresses', 'the counters of a function have one address'],
        ['late', 'counts are lowered after all optimisations'],
    );
    my @measured = (['instructions', 'instructions', 3], ['text', 'text', 3]);
    my $cells = sub {
        my ($way) = @_;
        my ($mean, $worst, $who) = mean_and_worst($programs, $by, $way, 'plain', 'instructions');
        return (map({ num((mean_and_worst($programs, $by, $way, 'plain', $_->[0]))[0], $_->[2]) } @measured),
            defined $worst ? num($worst, 2) . " ($who)" : '-');
    };
    print "## What makes counts cheap\n\n",
        "`trod cc` and `trod c++` with all that decisions [23](decisions/0023-counts-that-execute-together-are-one.md), [25](decisions/0025-counts-are-lowered-last.md)\n",
        "and [26](decisions/0026-sums-of-counts-and-near-addresses.md) describe, without one of them, and without any. All relative to the plain `-O2` build, geometric\n",
        "means over ", scalar @$programs, " of the unseen programs; instructions on small inputs. Neither depends on what else the machine does. On ",
        machine($r), ".\n\n";
    print "$r->{note}\n\n" if $r->{note};
    print "$r->{resumed} of the programs were measured in an earlier run that was interrupted.\n\n" if $r->{resumed};
    table(['build', (map { $_->[1] } @measured), 'worst by instructions'],
        [['clang IR counters', 'ir'], ['all', 'trod'], (map { ["without *$_->[0]*: $_->[1]", "no_$_->[0]"] } @levers), ['without any', 'none']],
        sub { my ($x) = @_; return ($x->[0], $cells->($x->[1])) });
    local @ways = (['ir', 'plain', 'clang IR counters'], ['trod', 'plain', 'all'], (map { ["no_$_->[0]", 'plain', "without $_->[0]"] } @levers), ['none', 'plain', 'without any']);
    print "### Instructions of each program\n\n";
    cost_table($programs, $by, 'instructions', 3, \&thousands);
    print "### Text of each program\n\n";
    cost_table($programs, $by, 'text', 3, sub { num($_[0] / 1024, 0) . ' KiB' });
}

1;
