# Profiles that are carried over to the next version.
use strict;
use warnings;

sub migrate_median { my @x = sort { $a <=> $b } @_; return @x ? ($x[$#x / 2] + $x[@x / 2]) / 2 : undef }

# What one method is worth on one pair, inputs added up. Precision and recall are of inputs that were not the check.
sub migrate_score {
    my ($pair, $x) = @_;
    my %sum = (analysis => $x->{analysis}, again => $x->{again}, notes => $x->{notes});
    my $kind = {callgraph => 'calls', sequences => 'steps'}->{$x->{type}} // 'paths';
    for my $i (@{$x->{score}{scores}[0]{inputs}}) {
        my $state = $x->{states}[$i->{input} - 1];
        my ($plain, $full, $some) = map { migrate_median(@{$pair->{seconds}{"$_ $i->{input}"} // []}) } 'plain', "full-$kind", $x->{build};
        $sum{$_} += $i->{$_} for qw(entries correct);
        $sum{hot} += $i->{hot} / @{$x->{score}{scores}[0]{inputs}};
        $sum{skipped}++ if $state eq 'skipped';
        if ($state ne 'check') { $sum{$_} += $i->{$_} for qw(reused true reusable) }
        next unless defined $plain && defined $full && ($state ne 'run' || defined $some);
        $sum{full} += $full;
        $sum{overhead} += $full - $plain;
        $sum{needed} += $state eq 'skipped' ? 0 : $state eq 'check' ? $full : $some;
        $sum{left} += $state eq 'skipped' ? 0 : ($state eq 'check' ? $full : $some) - $plain;
    }
    my $share = sub { my ($a, $b) = @_; return $b ? ($a // 0) / $b : undef };
    my ($p, $r) = ($share->($sum{true}, $sum{reused}), $share->($sum{true}, $sum{reusable}));
    $p //= 1;
    return {acc => $share->($sum{correct}, $sum{entries}), p => $p, r => $r, f => $p && $r ? 2 * $p * $r / ($p + $r) : 0, hot => $sum{hot}, skipped => $sum{skipped} // 0,
        ts => $sum{full} ? 1 - $sum{needed} / $sum{full} : undef, map({ $_ => $sum{$_} } qw(full overhead left)), analysis => $sum{analysis}, again => $sum{again}, notes => $sum{notes}};
}

# Of all that profiling adds to runs, over all of them. What is less than a twentieth of the runs cannot be told from noise.
sub migrate_saved {
    my %sum;
    for my $x (grep { $_->{full} } @_) { $sum{$_} += $x->{$_} for qw(full overhead left) }
    return $sum{full} && $sum{overhead} > $sum{full} / 20 ? 1 - $sum{left} / $sum{overhead} : undef;
}

sub migrate_cells {
    my @of = @_;
    my $mean = sub { my ($key) = @_; return plain_mean(map { $_->{$key} } @of) };
    my $part = sub { my ($x, $digits) = @_; return defined $x ? sprintf("%.*f%%", $digits // 1, 100 * $x) : '-' };
    return ($part->($mean->('acc'), 2), (map { defined $mean->($_) ? sprintf('%.3f', $mean->($_)) : '-' } qw(p r f)), $part->($mean->('hot'), 2), $part->($mean->('ts')), $part->(migrate_saved(@of)), num($mean->('skipped'), 1), num($mean->('analysis'), 2));
}

if (my $r = result('migrate')) {
    my @pairs = @{$r->{pairs}};
    my %method;
    for my $pair (@pairs) { push @{$method{$_->{type}}{$_->{method}}}, {%{migrate_score($pair, $_)}, pair => $pair} for grep { !$_->{failed} } @{$pair->{results}} }
    my @methods = grep { my $m = $_; grep { $method{$_}{$m} } keys %method } qw(none blind hash ba ag sl hybrid own);
    my @heads = ('Acc', 'P', 'R', 'F', 'hot', 'TS total', 'TS overhead', 'skipped', 'analysis s');
    print "## Profiles for the next version\n\n", scalar(@pairs), " pairs of releases of real programs, five inputs each; both versions built by `trod cc -O2`, profiled on all inputs, and scored by `trod version score` against full profiles of the new version. *Acc*: entries with the exact count; *P*, *R*, *F*: precision, recall and their harmonic mean for reused entries, on inputs\n",
        "other than the check; *hot*: overlap of all counts; *TS*: share of time saved, of whole runs (means), and of the time that profiling adds (of all runs together, if profiling adds more than 5%), medians of $r->{rounds} interleaved rounds of wall time, without the analysis, whose seconds follow; *skipped*: inputs of five that need not run at all. The check of `own` is the cheapest input, whose\n",
        "run counts in full. Pairs of the group *chosen* were examined while `own` was developed, those *held* out were not.\n\n";
    print "$r->{note}\n\n" if $r->{note};
    for my $type (grep { $method{$_} } qw(loops callgraph calls edges paths sequences)) {
        my %about = (loops => 'Loops: iterations of each', callgraph => 'Call graphs: calls by caller and callee', calls => 'Functions: entries of each', edges => 'Edges', paths => 'Paths', sequences => 'Call sequences');
        my %paper = (loops => ' The paper has, for its own subjects, 96.5 %, 1.0, 0.5 and a TS of 61 % by `hybrid`.', callgraph => ' The paper has, for its own subjects, 95.3 %, 1.0, 0.5 and a TS of 48 % by `hybrid`.');
        print "### $about{$type}\n\nMeans over the pairs.", $paper{$type} // '', "\n\n";
        table(["method", @heads], [grep { $method{$type}{$_} } @methods], sub { my ($m) = @_; return ("`$m`", migrate_cells(@{$method{$type}{$m} // []})) });
        my @own = @{$method{$type}{own} // []};
        next unless @own;
        print "`own` by pair. *Noise*: entries that two runs of the same build agree in.\n\n";
        table(['pair', 'group', 'noise', 'again', @heads], [@own, map { my $g = $_; {group => $g, of => [grep { $_->{pair}{group} eq $g } @own]} } qw(chosen held)], sub {
            my ($x) = @_;
            return ("*mean, $x->{group}*", '', '', '', migrate_cells(@{$x->{of}})) if $x->{of};
            return ("$x->{pair}{subject} $x->{pair}{old} to $x->{pair}{new}", $x->{pair}{group}, defined $x->{pair}{noise}{$type} ? sprintf('%.1f%%', 100 * $x->{pair}{noise}{$type}) : '-', $x->{again}, migrate_cells($x));
        });
    }
}

1;
