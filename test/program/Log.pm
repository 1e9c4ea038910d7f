# Readers of what oracle builds produce: the map in a binary, and the log of a run.
#
#     read_maps FILE...     functions by the hash of their name, sixteen hexadecimal digits
#     each_event LOG CALLBACK     call CALLBACK with each event of a log, in order
#     entry_of FUNCTIONS VALUE    the function of an ENTER event
#     id_of F AFTER_CUT BLOCKS END    the id of a path with these blocks, which begins after a cut or at the entry, and
#                           ends at a cut before END or at an exit. Parallel edges have the same blocks: the first
#                           is used.
#     same_id F ID          the id that id_of gives to the blocks of a path
#     end_of F ID           the block after the cut at the end of a path, or its last block
#     show_difference EXPECTED GOT    the place where two sequences of steps begin to differ
#
# TROD_PLANT=N drops the N-th event: a planted fault, which the comparison must notice. RETURNED events are not counted,
# as few traces depend on them.
package Log;
use strict;
use warnings;
use Exporter qw(import);
use List::Util qw(sum0);

our @EXPORT = qw(START ENTER BLOCK LEAVE FORKING FORKED BACK RETURNED read_maps each_event entry_of id_of
    same_id end_of show_difference);

use constant { START => 0, ENTER => 1, BLOCK => 2, LEAVE => 3, FORKING => 4, FORKED => 5,
    BACK => 6, RETURNED => 7 };
use constant SIZE => 40;

sub unquote {
    my ($name) = @_;

    $name =~ s/\\(.)/$1/gs if $name =~ s/^"(.*)"$/$1/s;
    return $name;
}

my $word = qr/"(?:[^"\\]|\\.)*"|\S+/;

# --- the map --------------------------------------------------------------------

# Of a function:
#
#     name, hash
#     shown          its name, with the hash if others have the same name
#     entry          block
#     to{from}{to}   1 plain, 2 cut, 3 both
#     exposed{block} an activation may be abandoned there; begun: the function counts that
#     iterations     the length of the chains that it counts, if more than one path
#     out{from}      [[to, cut, value]...]: edges in order; from '>' those of ENTRY, to '.' EXIT
#     call{block}    callee, or '*' for an indirect call, if the block begins with a call
#     last{block}    the same, if the block ends with a call that never returns
#     is{name}       the function has this name; it may have several

sub add_edges {
    my ($f, $from, @words) = @_;

    for (@words) {
        /^(>?)(\d+|\.)(?:\+(\d+))?$/ or die "$f->{name}: unknown edge '$_'\n";
        my ($cut, $to, $value) = ($1 ? 1 : 0, $2, $3 // 0);
        push @{$f->{out}{$from}}, [$to, $cut, $value];
        $f->{to}{$from}{$to} = ($f->{to}{$from}{$to} // 0) | ($cut ? 2 : 1) if $to ne '.';
    }
}

sub read_map {
    my ($functions, $file) = @_;
    my $section = '';
    my ($f, $before);

    open my $in, '<', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        chomp $line;
        if ($line =~ /^function ($word) ([0-9a-f]+) /) {
            my ($name, $hash) = (unquote($1), $2);
            $before = $functions->{$hash};
            $f = $functions->{$hash} = {name => $name, hash => $hash, to => {}, exposed => {}, out => {},
                call => {}, last => {}, is => {$name => 1}};
            $section = '';
        } elsif ($line =~ /^begun /) {
            $f->{begun} = 1;
        } elsif ($line =~ /^frames /) {
            $functions->{$f->{hash}} = $before; # a supergraph with this function as root
        } elsif ($line =~ /^iterations (\d+)/) {
            $f->{iterations} = $1;
        } elsif ($line =~ /^alias ($word)/) {
            $f->{is}{unquote($1)} = 1;
        } elsif ($line =~ /^([a-z]+) /) {
            $section = $1;
        } elsif ($section eq 'numbering' && $line =~ /^>: (.*)/) {
            add_edges($f, '>', split ' ', $1);
            delete $f->{to}{'>'};
            $f->{entry} = $f->{out}{'>'}[0][0];
        } elsif ($section eq 'numbering' && $line =~ /^(\d+)(!*):(.*)/) {
            $f->{exposed}{$1} = 1 if $2;
            add_edges($f, $1, split ' ', $3);
        } elsif ($section eq 'calls' && $line =~ /^(\d+)(!?): ($word)$/) {
            $f->{$2 ? 'last' : 'call'}{$1} = unquote($3);
        }
    }
    close $in;
}

sub read_maps {
    my %functions;
    my %count;

    read_map(\%functions, $_) for @_;
    $count{$_->{name}}++ for values %functions;
    for my $f (values %functions) {
        $f->{shown} = $f->{name} . ($count{$f->{name}} > 1 ? "#$f->{hash}" : '');
    }
    return \%functions;
}

sub entry_of {
    my ($functions, $value) = @_;

    return $functions->{sprintf '%016x', $value} // die sprintf "no function with hash %016x\n", $value;
}

# --- ids ------------------------------------------------------------------------

# The value of the first of the parallel edges.
sub value_of {
    my ($f, $from, $to, $cut) = @_;

    for my $edge (@{$f->{out}{$from} // []}) {
        return $edge->[2] if $edge->[0] eq $to && $edge->[1] == $cut;
    }
    die "$f->{name}: no edge from $from to $to\n" if $to ne '.';
    return 0;
}

sub id_of {
    my ($f, $after_cut, $blocks, $end) = @_;
    my ($entry, @after) = @{$f->{out}{'>'}};
    my ($first, @rest) = @$blocks;
    my ($start) = grep { $_->[0] == $first } $after_cut ? @after : $entry;
    my $id = ($start // die "$f->{name}: no path starts with $first\n")->[2];

    for my $to (@rest) {
        $id += value_of($f, $first, $to, 0);
        $first = $to;
    }
    return $id + value_of($f, $first, $end // '.', defined $end ? 1 : 0);
}

# The edges of a path, from ENTRY to a cut or an exit: [[from, to, cut, value]...].
sub edges_of {
    my ($f, $id) = @_;
    my ($left, $from) = ($id, '>');
    my @edges;

    while (1) {
        my @may = grep { $_->[2] <= $left } @{$f->{out}{$from} // []};
        last if !@may; # an exit
        my ($to, $cut, $value) = @{$may[-1]};
        push @edges, [$from, $to, $cut, $value];
        $left -= $value;
        last if $cut || $to eq '.';
        $from = $to;
    }
    die "$f->{name} has no path $id\n" if $left;
    return @edges;
}

# Edges from ENTRY are not parallel edges, even if two of them lead to the same block.
sub same_id {
    my ($f, $id) = @_;

    return $f->{same}{$id} //= sum0(map { $_->[0] eq '>' ? $_->[3] : value_of($f, @$_[0 .. 2]) } edges_of($f, $id));
}

# Where a path ends: the block after the cut, or its last block.
sub end_of {
    my ($f, $id) = @_;
    my $last = (edges_of($f, $id))[-1];

    return $last->[1] eq '.' ? $last->[0] : $last->[1];
}

# --- steps ----------------------------------------------------------------------

sub show_difference {
    my ($want, $got) = map { [split / /] } @_;
    my $at = 0;

    $at++ while $at < @$want && $at < @$got && $want->[$at] eq $got->[$at];
    my ($from, $to) = ($at < 8 ? 0 : $at - 8, $at + 8);
    my @shown = map { my $steps = $_; join ' ', grep { defined } @$steps[$from .. $to] } $want, $got;
    return "from step $from on: got '$shown[1]', expected '$shown[0]'";
}

# --- the log --------------------------------------------------------------------

sub each_event {
    my ($log, $callback) = @_;
    my $n = 0;

    open my $in, '<:raw', $log or die "$log: $!\n";
    while (read($in, my $bytes, SIZE)) {
        die "$log ends inside an event\n" if length $bytes != SIZE;
        my ($kind, @more) = unpack 'LLQQQQ', $bytes;
        $n++ if $kind != RETURNED;
        $callback->($kind, @more) if $kind == RETURNED || $n != ($ENV{TROD_PLANT} // 0);
    }
    close $in;
}

1;
