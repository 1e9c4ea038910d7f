package Slice;
# The forward slice of a line: the lines that a change of it may affect. A minimal reader of `trod-clang code --depends`.
#
#     my $slice = Slice->new('a.depends', 'b.depends');
#     $slice->lines('a.c:12')     lines that line 12 may affect, each as FILE:LINE, in order
#     $slice->share('a.c:12')     the number of nodes that it may affect, and the number of all nodes
use strict;
use warnings;

sub new
{
    my ($class, @files) = @_;
    my $self = bless {node => {}, out => {}, enters => {}, leaves => {}, calls => [],
        taken => {}, points => {}, global => {}, parent => {}}, $class;
    $self->read_unit($_, $files[$_]) for 0 .. $#files;
    $self->join_units;
    return $self;
}

# Node numbers and static functions are local to a unit: the number of the unit is prefixed to them.
sub read_unit
{
    my ($self, $unit, $file) = @_;
    my (%static, @lines, @file);

    open my $in, '<', $file or die "$file: $!\n";
    while (<$in>) {
        chomp;
        my @word = map { s/^"|"$//gr } /"(?:[^"\\]|\\.)*"|\S+/g;
        $static{$word[1]} = 1 if $word[0] eq 'static';
        $file[$word[1]] = $word[2] if $word[0] eq 'file';
        push @lines, \@word;
    }
    close $in or die "$file: $!\n";
    my $name = sub { $static{$_[0]} ? "$unit:$_[0]" : $_[0] };
    my $number = sub { map { $_ eq ';' ? $_ : "$unit.$_" } @_ };
    for (@lines) {
        my ($kind, @rest) = @$_;
        if ($kind eq 'node') {
            $self->{node}{"$unit.$rest[0]"} = [$rest[1], $file[$rest[2]], $rest[3]];
        } elsif (@rest && $rest[0] eq '->') {
            push @{$self->{out}{"$unit.$kind"}}, $number->(@rest[1 .. $#rest]);
        } elsif ($kind eq 'enters' || $kind eq 'leaves') {
            my $f = $name->(shift @rest);
            push @{$self->{$kind}{$f}}, [$number->(@rest)];
        } elsif ($kind eq 'calls' || $kind eq 'may-call') {
            my ($node, $f, @arg) = @rest;
            my @row = $number->(@arg);
            my @result = @row && $row[-1] ne ';' && (grep { $_ eq ';' } @row) ? pop @row : ();
            push @{$self->{calls}}, [$kind, "$unit.$node",
                $kind eq 'calls' ? $name->($f) : $f, [grep { $_ ne ';' } @row], \@result];
        } elsif ($kind eq 'taken') {
            push @{$self->{taken}{$rest[1]}}, $name->($rest[0]);
        } elsif ($kind eq 'points') {
            my ($from, $to) = $number->(@rest);
            $self->{points}{$from} = $to;
        } elsif ($kind eq 'global' && @rest == 2) {
            push @{$self->{global}{$rest[1]}}, $number->($rest[0]);
        }
    }
    return;
}

sub find
{
    my ($self, $c) = @_;
    $c = $self->{parent}{$c} while defined $self->{parent}{$c};
    return $c;
}

# Merge two classes, and those that they point to.
sub unify
{
    my ($self, $x, $y) = @_;
    while (defined $x && defined $y) {
        ($x, $y) = ($self->find($x), $self->find($y));
        return if $x eq $y;
        my ($px, $py) = ($self->{points}{$x}, $self->{points}{$y});
        $self->{parent}{$y} = $x;
        $self->{points}{$x} = $py if !defined $px;
        ($x, $y) = ($px, $py);
    }
    return;
}

# A value is assigned to another: merge what they point to.
sub pass
{
    my ($self, $from, $to) = @_;
    push @{$self->{out}{$from}}, $to;
    $self->unify($self->{points}{$from}, $self->{points}{$to});
    return;
}

sub enter
{
    my ($self, $node, $f, $arg, $result) = @_;
    for my $row (@{$self->{enters}{$f}}) {
        my @param = @$row;
        my $begin = pop @param;
        push @{$self->{out}{$node}}, $begin;
        for my $i (0 .. ($#param > $#$arg ? $#param : $#$arg)) {
            $self->pass($i < @$arg ? $arg->[$i] : $node, $i < @param ? $param[$i] : $begin);
        }
    }
    for my $row (@{$self->{leaves}{$f} // []}) {
        $self->pass($_, $result->[0]) for @$result ? @$row : ();
    }
    return;
}

# A function without a definition may do anything with its arguments.
sub outside
{
    my ($self, $node, $arg, $result) = @_;
    my @all = ($node, @$arg, @$result);
    for my $from (@all) {
        push @{$self->{out}{$from}}, $node, @$result, 'outside';
        my %seen;
        my $c = $self->{points}{$from};
        for (; defined $c && !$seen{$c}++; $c = $self->{points}{$self->find($c)}) {
            push @{$self->{out}{$c}}, $node;
            push @{$self->{out}{$node}}, $c;
        }
        $self->unify($self->{points}{$all[0]} //= $self->{points}{$from}, $self->{points}{$from});
    }
    push @{$self->{out}{outside}}, $node;
    return;
}

sub join_units
{
    my ($self) = @_;
    for my $classes (values %{$self->{global}}) {
        $self->unify($classes->[0], $_) for @$classes;
    }
    for my $call (@{$self->{calls}}) {
        my ($kind, $node, $name, $arg, $result) = @$call;
        my @to = $kind eq 'calls' ? $name : @{$self->{taken}{$name} // []};
        for my $f (@to) {
            if ($self->{enters}{$f}) {
                $self->enter($node, $f, $arg, $result);
            } else {
                $self->outside($node, $arg, $result);
            }
        }
        $self->outside($node, $arg, $result) if !@to;
    }
    # By class, not by the node that first represented it.
    my %out;
    while (my ($from, $to) = each %{$self->{out}}) {
        push @{$out{$self->find($from)}}, map { $self->find($_) } @$to;
    }
    $self->{out} = \%out;
    return;
}

# All nodes that some lines may affect.
sub reached
{
    my ($self, @at) = @_;
    my %is_start = map { $_ => 1 } @at;
    my $node = $self->{node};
    my @todo = grep { $is_start{"$node->{$_}[1]:$node->{$_}[2]"} } keys %$node;
    my %seen = map { $_ => 1 } @todo;

    while (defined(my $at = pop @todo)) {
        push @todo, grep { !$seen{$_}++ } @{$self->{out}{$at} // []};
    }
    return grep { $seen{$_} } keys %$node;
}

sub lines
{
    my ($self, @at) = @_;
    my %line = map { ("$_->[1]:$_->[2]" => $_) } grep { $_->[2] } @{$self->{node}}{$self->reached(@at)};
    return sort { $line{$a}[1] cmp $line{$b}[1] || $line{$a}[2] <=> $line{$b}[2] } keys %line;
}

sub share
{
    my ($self, @at) = @_;
    return (scalar($self->reached(@at)), scalar(keys %{$self->{node}}));
}

1;
