# Compute gcov's count of a line from the blocks and edges that trod counted.
#
# Where the result equals gcov's count, trod and gcov agree on what ran, and differ only in the definition of a line's
# count.
#
#     read_graphs      by function: its file, lines of blocks, edges with counts, how often it was entered and abandoned
#     count_by_gcov    of a line, in all functions that have it; undef if none has
#     count_begins     the number of blocks in which control enters a line from another line
#     functions_on     the functions that have a line
#
# The rule is that of llvm-cov gcov. First, the counts of edges from blocks not on the line to blocks on it, each as
# often as the block enters the line. Second, cycles: as long as edges between blocks on the line form a cycle, the
# smallest count on it is added, and subtracted from its edges. No path need have taken the cycle. A function's first
# block is also on the line of its name.
package GcovRule;
use strict;
use warnings;
use Exporter qw(import);
use File::Basename qw(basename);
use File::Spec;
use JSON::PP;
use List::Util qw(min);

our @EXPORT_OK = qw(read_graphs count_by_gcov count_begins functions_on);

# --- counts of trod ------------------------------------------------------------------

# The whole name, without '.' and '..', as exports name files. Names in maps are relative to the folder of the compiler,
# which is this one, if the source has a folder in common with it.
sub clean {
    my $path = File::Spec->rel2abs($_[0]);

    1 while $path =~ s{/\./}{/} || $path =~ s{/(?!\.\./)[^/]+/\.\./}{/};
    return $path;
}

sub unquote {
    my ($name) = @_;

    return $name =~ /^"(.*)"$/ ? $1 =~ s/\\(.)/$1/gr : $name;
}

# By name of the function: its file, the line of its name, the lines of each block.
sub read_map {
    my ($text) = @_;
    my (%of, $f, $in_lines);

    for (split /\n/, $text) {
        if (/^function ("(?:[^"\\]|\\.)*"|\S+) /) {
            push @{$of{unquote($1)}}, $f = {line => []};
        } elsif (/^file (.*)/) {
            $f->{file} = clean(unquote($1));
        } elsif (/^declared (\d+)/) {
            $f->{declared} = $1;
        }
        $in_lines = /^lines / if !/^\d+:/;
        $f->{returns_twice} = 1 if !$in_lines && /^\d+: [0-9a-f]{16} .*\b_*(?:sig)?setjmp\b/;
        $f->{line}[$1] = [split ' ', $2] if $in_lines && /^(\d+):(.*)/;
    }
    return \%of;
}

# How often each block enters each line: it may leave a line and return to it.
sub times_on {
    my ($m) = @_;
    my %times;

    for my $v (0 .. $#{$m->{line}}) {
        my $last = $v ? 0 : $m->{declared} // 0;
        $times{$last}{$v}++ if $last;
        for my $line (@{$m->{line}[$v] // []}) {
            $times{$line}{$v}++ if $line != $last;
            $last = $line;
        }
    }
    return \%times;
}

sub read_graphs {
    my ($map_text, $flow_text) = @_;
    my $map = read_map($map_text);
    my @graph;

    for my $f (@{decode_json($flow_text)->{functions}}) {
        # Reports shorten names of files.
        my ($m) = grep { basename($f->{file} // '') eq basename($_->{file} // '-') } @{$map->{$f->{function}} // []};
        next if !$m || !@{$m->{line}};
        my %of = map { $_->{block} => $_ } @{$f->{blocks} // []};
        push @graph, {name => $f->{function}, file => $m->{file}, on => times_on($m), own => times_on({%$m, declared => 0}), entered => $f->{entered},
            left => ($f->{begun} // 0) != ($f->{ended} // 0), returns_twice => $m->{returns_twice},
            edge => [map { my $v = $_; map { [$v, $_->{to}, $_->{count} // 0] } @{$of{$v}{edges}} } sort { $a <=> $b } keys %of]};
    }
    return \@graph;
}

# The number of blocks in which control enters a line from another line.
sub count_begins {
    my ($graphs, $file, $line) = @_;
    my %at;

    for my $g (functions_on($graphs, $file, $line)) {
        my $on = $g->{on}{$line};
        $at{"$g->{name} $_->[1]"} = 1 for grep { $_->[2] && $on->{$_->[1]} && !$on->{$_->[0]} } @{$g->{edge}};
        $at{"$g->{name} 0"} = 1 if $on->{0} && $g->{entered};
    }
    return scalar keys %at;
}

sub functions_on {
    my ($graphs, $file, $line) = @_;

    return grep { $_->{file} eq $file && $_->{on}{$line} } @$graphs;
}

# --- the rule ------------------------------------------------------------------------

# Find a cycle of edges with nonzero counts. Returns the smallest count on it.
sub take_circle {
    my ($from, $out, $left, $done) = @_;
    my %way = ($from => undef);
    my @stack = ([$from, 0]);

    while (@stack) {
        my ($u, $i) = @{$stack[-1]};
        my $e = $out->{$u}[$i];
        if (!$e) {
            $done->{$u} = 1;
            pop @stack;
            next;
        }
        $stack[-1][1]++;
        next if !$left->{$e} || $done->{$e->[1]};
        if (!exists $way{$e->[1]}) {
            $way{$e->[1]} = $e;
            push @stack, [$e->[1], 0];
            next;
        }
        my @circle = ($e);
        push @circle, $way{$circle[-1][0]} while $circle[-1][0] ne $e->[1];
        my $least = min map { $left->{$_} } @circle;
        $left->{$_} -= $least for @circle;
        return $least;
    }
    return 0;
}

sub count_rounds {
    my ($on, @edge) = @_;
    my (%out, %left, $count);

    for my $e (@edge) {
        push @{$out{$e->[0]}}, $e;
        $left{$e} = $e->[2];
    }
    for ($count = 0;;) {
        my (%done, $more);
        for my $v (sort { $a <=> $b } keys %$on) {
            last if !$done{$v} && ($more = take_circle($v, \%out, \%left, \%done));
        }
        return $count if !$more;
        $count += $more;
    }
}

# `once`: trod's definition. A block enters a line once at most, and the line of a function's name has no code.
sub count_by_gcov {
    my ($graphs, $file, $line, $once) = @_;
    my $count;

    for my $g (functions_on($graphs, $file, $line)) {
        my $on = $g->{$once ? 'own' : 'on'}{$line} // {};
        my $times = sub { $once && $on->{$_[0]} ? 1 : $on->{$_[0]} // 0 };
        $count += $times->(0) * $g->{entered};
        $count += $times->($_->[1]) * $_->[2] for grep { $on->{$_->[1]} && !$on->{$_->[0]} } @{$g->{edge}};
        $count += count_rounds($on, grep { $on->{$_->[1]} && $on->{$_->[0]} } @{$g->{edge}});
    }
    return $count;
}

1;
