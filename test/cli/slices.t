#!/usr/bin/perl
# Dependences of small programs: slices worked out by hand, and random programs. After a change, only lines in its slice
# may compute other values.
#
#     slices.t
#     slices.t SEED...         random programs of these seeds only; else there are 5, or 200 with TROD_FULL=1
#
# Memory has no order here: what is put into a variable may be seen by whatever reads it, before or after. The programs
# below give each variable one purpose, so that their slices are those of a textbook.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../kit";
use Cwd qw(abs_path);
use File::Temp qw(tempdir);
use Slice;
use Tap qw(report finish);

my $root = abs_path("$FindBin::Bin/../..");
if (($ENV{TROD_CONFIG} // 'release') ne 'release') {
    print "1..0 # SKIP trod-clang is built once\n";
    exit 0;
}
my $clang = "$root/build/release/trod-clang";
my $folder = tempdir(CLEANUP => 1);
chdir $folder or die "$folder: $!\n";

sub write_file {
    my ($name, $text) = @_;

    open my $out, '>', $name or die "$name: $!\n";
    print $out $text;
    close $out or die "$name: $!\n";
}

# Dependences of a source, in a file of their own.
sub depends_of {
    my ($source, @flags) = @_;
    my $pid = fork // die "fork: $!\n";

    if (!$pid) {
        open STDOUT, '>', "$source.depends" or die "$source.depends: $!\n";
        exec $clang, qw(code --depends --root . --directory . -- cc), @flags, '-c', $source;
        die "$clang: $!\n";
    }
    waitpid $pid, 0;
    die "trod-clang could not read $source\n" if $?;
    return "$source.depends";
}

# --- by hand ----------------------------------------------------------------------

# A program of one file: its lines by number, and after `=` what each changes.
sub by_hand {
    my ($name, $source, %want) = @_;
    my $file = $name =~ /^C\+\+/ ? 'hand.cpp' : 'hand.c';
    my @wrong;

    write_file($file, $source);
    my $slice = Slice->new(depends_of($file));
    for my $line (sort { $a <=> $b } keys %want) {
        my $got = join ' ', map { s/.*://r } grep { /^$file:/ } $slice->lines("$file:$line");
        push @wrong, "$line changes $got, not $want{$line}" if $got ne $want{$line};
    }
    report($name, @wrong);
}

if (!@ARGV) {
    by_hand('a loop with two sums', <<'C',
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0;
    int product = 1;
    int i;
    for (i = 1; i < argc; i++) {
        sum += i;
        product *= i;
    }
    printf("%d\n", sum);
    printf("%d\n", product);
    return 0;
}
C
        4 => '4 8 11', 5 => '5 9 12', 7 => '7 8 9 10 11 12', 8 => '8 11', 9 => '9 12',
        11 => '11', 12 => '12');

    by_hand('pointers', <<'C',
int a, b;
int main(void)
{
    int x = 1;
    int y = 2;
    int *p = &x;
    int *q = &y;
    *p = 3;
    a = x;
    b = y;
    a += *q;
    return 0;
}
C
        4 => '4 9 11', 5 => '5 10 11', 6 => '6 8 9 11', 7 => '7 11', 8 => '8 9 11',
        9 => '9 11', 10 => '10', 11 => '11');

    by_hand('two functions', <<'C',
static int twice(int v, int w)
{
    int r = v * 2;
    return r;
}
static int same(int v)
{
    return v;
}
int main(int argc, char **argv)
{
    int k = 5;
    int m = argc;
    int t = twice(k, m);
    int u = same(m);
    return t + u;
}
C
        3 => '3 4 14 16', 8 => '8 15 16', 12 => '1 3 4 12 14 16',
        13 => '1 6 8 13 14 15 16', 15 => '6 8 15 16', 16 => '16');

    by_hand('a global, and what is called only if', <<'C',
static int level;
static void raise(int by)
{
    level += by;
}
static int lower(void)
{
    return level > 2;
}
int main(int argc, char **argv)
{
    int other = 7;
    if (argc > 1)
        raise(2);
    if (lower())
        other = 8;
    return other;
}
C
        4 => '4 8 15 16 17', 8 => '8 15 16 17', 12 => '12 17',
        13 => '2 4 5 8 13 14 15 16 17', 14 => '2 4 5 8 14 15 16 17', 15 => '6 8 15 16 17',
        16 => '16 17');

    by_hand('jumps decide what is behind them', <<'C',
int find(int *from, int n, int what)
{
    int found = 0;
    int i;
    for (i = 0; i < n; i++) {
        if (from[i] != what)
            continue;
        found = i;
        break;
    }
    if (found < 0)
        return 1;
    return found;
}
C
        3 => '3 11 12 13 14', 8 => '8 11 12 13 14', 7 => '5 6 7 8 9 11 12 13 14', 9 => '5 6 7 8 9 11 12 13 14', 12 => '12 13 14',
        13 => '13 14');

    by_hand('memory that is allocated, and a structure', <<'C',
#include <stdlib.h>
#include <string.h>
struct pair { int one, two; };
int use(int n)
{
    struct pair *p = malloc(sizeof *p);
    struct pair *q = malloc(sizeof *q);
    struct pair copy;
    int *lone = malloc(sizeof *lone);
    p->one = n;
    memcpy(q, p, sizeof *q);
    copy = *q;
    *lone = 4;
    n = *lone;
    return copy.one;
}
C
        10 => '10 11 12 15', 11 => '11 12 15', 12 => '12 15', 13 => '10 11 12 13 14 15',
        15 => '15');

    by_hand('calls through pointers, and variable arguments', <<'C',
#include <stdarg.h>
static int add(int a) { return a + 1; }
static int sub(int a) { return a - 1; }
static int none(long a) { return a > 0; }
int (*table[2])(int) = {add, sub};
int (*lone)(long) = none;
static int last(int n, ...)
{
    va_list ap;
    int got = 0;
    va_start(ap, n);
    while (n--)
        got = va_arg(ap, int);
    va_end(ap);
    return got;
}
int main(int argc, char **argv)
{
    int in = 3;
    int more = 9;
    int out = table[argc](in);
    return out + last(1, more);
}
C
        2 => '2 21 22', 4 => '4', 19 => '2 3 19 21 22', 20 => '7 13 15 20 22');

    by_hand('a function that the library calls, through a variable', <<'C',
#include <stdlib.h>
static int down(const void *a, const void *b)
{
    const int *x = a;
    const int *y = b;
    return *y - *x;
}
int (*order)(const void *, const void *) = down;
int first(int n)
{
    int v[3] = {n, 2, 1};
    int other = 4;
    qsort(v, 3, sizeof *v, order);
    n = other;
    return v[0];
}
C
        6 => '2 4 5 6 13 15', 11 => '2 4 5 6 11 13 15', 12 => '2 4 5 6 11 12 13 14 15',
        13 => '2 4 5 6 13 15',
        15 => '15');

    by_hand('C++: what is thrown, and a method', <<'C',
struct Meter {
    int sum;
    void add(int n);
};
void Meter::add(int n)
{
    if (n > 9)
        throw n;
    sum = n;
}
int measure(Meter &meter, int what)
{
    int lost = 0;
    int bound = 2;
    try {
        meter.add(what);
        bound = 4;
    } catch (int much) {
        lost = much;
    }
    return lost + meter.sum + bound;
}
C
        7 => '7 8 9 10 16 17 18 19 20 21 22', 9 => '9 21', 13 => '13 21', 14 => '14 21',
        19 => '19 21'); # 22: where an exception goes on that is not caught
}

# --- two units -----------------------------------------------------------------------

# What other units must know of each: globals, what parameters point to, who is static.
sub two_units {
    my @wrong;

    write_file('one.c', <<'C');
int shared;
int *where;
void set(int *to, int value);
int get(void);
static int own(int v) { return v; }
int main(void)
{
    int near = 0;
    int far = 0;
    int value = 5;
    int quiet = own(6);
    where = &far;
    set(&near, value);
    shared = 3;
    near = near + get();
    far = far + 1;
    return quiet;
}
C
    write_file('two.c', <<'C');
extern int shared;
extern int *where;
static int own(int v) { return v + 2; }
void set(int *to, int value)
{
    *to = own(value);
}
int get(void)
{
    *where = 4;
    return shared;
}
C
    my %want = (
        'one.c:5' => 'one.c:5 one.c:11 one.c:17',
        'one.c:10' => 'one.c:10 one.c:13 one.c:15 two.c:3 two.c:4 two.c:6',
        'one.c:14' => 'one.c:14 one.c:15 two.c:11',
        'two.c:3' => 'one.c:15 two.c:3 two.c:6',
        'two.c:6' => 'one.c:15 two.c:3 two.c:6',
        'two.c:10' => 'one.c:16 two.c:10',
    );
    my $slice = Slice->new(depends_of('one.c'), depends_of('two.c'));
    for my $at (sort keys %want) {
        my $got = join ' ', $slice->lines($at);
        push @wrong, "$at changes $got, not $want{$at}" if $got ne $want{$at};
    }
    report('two units', @wrong);
}

two_units() if !@ARGV;

# --- random programs ---------------------------------------------------------------------

# A program of a few functions over unsigned integers, arrays, structures and pointers. Each statement is on a line of
# its own, has a constant K(number, value), and tells what it computes: T(...). It always ends: only counters of loops,
# which nothing else changes, decide how often they run, and functions call those above them. As it is analysed, K is
# the value and T nothing; as it runs, the constant of a given number is another, and T logs line and value.
{
    my ($state, @line, $constant, $loop, @constant_line);

    sub draw {
        my ($n) = @_;

        $state = ($state * 1103515245 + 12345) % 2147483648;
        return int($state / 65536) % $n;
    }

    sub put { push @line, @_; return }

    sub constant {
        my $value = 1 + draw(9);

        $constant_line[$constant] = scalar(@line) + 1;
        return 'K(' . $constant++ . ", $value)";
    }

    # A variable that can be read, or written.
    sub place {
        my ($f) = @_;
        my @all = ('g0', 'g1', 'arr[' . (draw(2) ? 'l0 & 3' : draw(4)) . ']', 'box.a', 'box.b', '*box.p', '*gp',
            'l0', 'l1', 'l2', '*lp', '**lpp', 'own.a', 'own.b', '*own.p', 'a0', '*a1');

        return $all[draw(scalar @all)];
    }

    sub address {
        my @all = ('&g0', '&g1', '&arr[1]', '&arr[l1 & 3]', '&l0', '&l1', '&l2', 'lp', 'a1', 'gp', '&own.a', 'own.p');

        return $all[draw(scalar @all)];
    }

    sub global_address {
        my @all = ('&g0', '&g1', '&arr[2]', '&arr[l2 & 3]', '&box.a', 'gp', 'box.p');

        return $all[draw(scalar @all)];
    }

    sub value {
        my ($f) = @_;
        my @op = qw(+ - ^ * &);

        return place($f) . " $op[draw(scalar @op)] " . constant() if draw(2);
        return place($f) . " $op[draw(scalar @op)] " . place($f) . ' + ' . constant();
    }

    sub statement {
        my ($f, $depth, $in) = @_;
        my $kind = draw($depth ? 14 : 10);

        if ($kind < 4 || ($kind == 7 && !$f) || ($kind == 8 && $f < 2)) {
            put($in . place($f) . ' = T(' . value($f) . ');');
        } elsif ($kind == 4) {
            put($in . 'lp = ' . address() . ';');
        } elsif ($kind == 5) {
            put($in . (draw(2) ? 'gp = ' : 'box.p = ') . global_address() . ';');
        } elsif ($kind == 6) {
            put($in . (draw(2) ? 'own = box;' : draw(2) ? 'own.p = ' . address() . ';' : 'lpp = &lp;'));
        } elsif ($kind == 7) {
            put($in . place($f) . ' = T(f' . draw($f) . '(' . value($f) . ', ' . address() . '));');
        } elsif ($kind == 8) {
            put($in . place($f) . ' = T(table[l0 & 1](' . value($f) . ', ' . address() . '));');
        } elsif ($kind == 9) {
            put($in . place($f) . ' = T(sum(2, ' . value($f) . ', ' . place($f) . '));');
        } elsif ($kind < 12) {
            put($in . 'if (T((' . value($f) . ') & 1)) {');
            block($f, $depth - 1, "$in    ");
            if (draw(2)) {
                put("$in} else {");
                block($f, $depth - 1, "$in    ");
            }
            put("$in}");
        } elsif ($kind == 12) {
            my $i = 'i' . $loop++;

            put($in . "for (unsigned $i = 0; $i < (T(" . value($f) . ") & 3); $i++) {");
            block($f, $depth - 1, "$in    ");
            put("$in    if (T(" . value($f) . ') & 1)', "$in        " . (draw(2) ? 'break;' : 'continue;'))
                if draw(2);
            block($f, $depth - 1, "$in    ");
            put("$in}");
        } elsif ($kind == 13 && draw(2)) {
            put("${in}if (T(" . value($f) . ') & 1)', "$in    return T(" . value($f) . ');');
        } else {
            put($in . place($f) . ' = T(' . value($f) . ');');
        }
        return;
    }

    sub block {
        my ($f, $depth, $in) = @_;

        statement($f, $depth, $in) for 0 .. draw(3);
        return;
    }

    sub function {
        my ($f, $head) = @_;

        put($head, '{', '    unsigned l0 = T(' . constant() . ');', '    unsigned l1 = T(' . constant() . ');',
            '    unsigned l2 = T(' . constant() . ');', '    unsigned *lp = &l0, **lpp = &lp;',
            '    struct box own = {l1, l2, &l1};');
        put('    unsigned a0 = T(' . constant() . '), *a1 = &l2;') if $f == 4;
        put('    lp = &l1;', '    lpp = &lp;');
        statement($f, 2, '    ') for 0 .. 4 + draw(5);
        put('    return T(' . value($f) . ');', '}', '');
        return;
    }

    # The lines of a program, and that of each constant.
    sub program {
        ($state) = @_;
        ($constant, $loop) = (0, 0);
        @constant_line = ();
        draw(2) for 1 .. 5;
        @line = split /\n/, <<'C', -1;
#include <stdarg.h>
#ifdef RUNS
#include "log.h"
#else
#define K(number, value) value
#define T(value) (value)
#endif
struct box { unsigned a, b, *p; };
static unsigned g0 = 1, g1 = 2, arr[4] = {1, 2, 3, 4}, *gp = &g1;
static struct box box = {5, 6, &g0};
static unsigned sum(unsigned n, ...)
{
    va_list ap;
    unsigned s = 0;
    va_start(ap, n);
    while (n--)
        s += T(va_arg(ap, unsigned));
    va_end(ap);
    return s;
}
C
        pop @line;
        for my $f (0 .. 3) {
            function($f, "static unsigned f$f(unsigned a0, unsigned *a1)");
            put('static unsigned (*table[2])(unsigned, unsigned *) = {f0, f1};') if $f == 1;
        }
        function(4, 'static unsigned start(void)');
        put('#ifdef RUNS', '#include "run.h"', '#else', 'int main(void) { return (int)start(); }', '#endif');
        return [@line], [@constant_line];
    }
}

write_file('log.h', <<'C');
#include <stdio.h>
#include <stdlib.h>
static unsigned changed, nlog;
#define K(number, value) ((number) + 1 == changed ? (value) + 1 + (number) % 3 : (value))
#define T(value) reported(__LINE__, value)
static unsigned reported(int line, unsigned value)
{
    if (++nlog > 20000)
        exit(9);
    printf("%d %u\n", line, value);
    return value;
}
C
write_file('run.h', <<'C');
int main(int argc, char **argv)
{
    changed = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    start();
    return 0;
}
C

# What each line reported, in order; undef: it ran for too long.
sub run_with {
    my ($number) = @_;
    my %reported;

    open my $in, '-|', './random', $number or die "./random: $!\n";
    while (<$in>) {
        my ($line, $value) = split;
        $reported{$line} .= " $value";
    }
    close $in;
    return $? ? undef : \%reported;
}

# Lines that differ with another constant, and are in no slice of its line.
sub missed {
    my ($slice, $plain, $number, $line) = @_;
    my $reported = run_with($number + 1) or return (0);
    my %in = map { s/.*://r => 1 } $slice->lines("random.c:$line");
    my %line = (%$plain, %$reported);
    my @differ = grep { ($plain->{$_} // '') ne ($reported->{$_} // '') } keys %line;

    return (scalar(@differ), map { "constant $number of line $line changes line $_" } sort { $a <=> $b } grep { !$in{$_} } @differ);
}

# The program of a seed: lines that differed, what was missed, and what a reader that is blind to some edges misses.
sub try_seed {
    my ($seed) = @_;
    my ($text, $line_of) = program($seed);
    my ($ndiffer, $nblind, $nall, $nin, @wrong) = (0, 0, 0, 0);

    write_file('random.c', join("\n", @$text) . "\n");
    my $slice = Slice->new(depends_of('random.c'));
    my $blind = Slice->new(depends_of('random.c'));
    # A fault, planted: memory whose number is odd is never seen to change.
    $blind->{out}{$_} = [] for grep { !$blind->{node}{$_} && /[13579]$/ } keys %{$blind->{out}};
    system(qw(clang-19 -O1 -w -DRUNS -o random random.c)) == 0 or die "clang-19 failed\n";
    my $plain = run_with(0) or return;
    my @all = values %{$slice->{node}};
    my %lines = map { ($_->[2] => 1) } grep { $_->[2] } @all;
    for my $number (0 .. $#$line_of) {
        my ($n, @missed) = missed($slice, $plain, $number, $line_of->[$number]);
        my (undef, @blind) = missed($blind, $plain, $number, $line_of->[$number]);

        $ndiffer += $n;
        push @wrong, @missed;
        $nblind += @blind;
        $nin += () = $slice->lines("random.c:$line_of->[$number]");
        $nall += keys %lines;
    }
    return {differ => $ndiffer, wrong => \@wrong, blind => $nblind, in => $nin, all => $nall};
}

my ($differ, $blind, $in, $all, $tried) = (0, 0, 0, 0, 0);
for my $seed (@ARGV ? @ARGV : 1 .. ($ENV{TROD_FULL} ? 200 : 5)) {
    my $found = try_seed($seed) or next;

    report("what differs is in the slice, seed $seed", @{$found->{wrong}});
    $differ += $found->{differ};
    $blind += $found->{blind};
    $in += $found->{in};
    $all += $found->{all};
    $tried++;
}
report('programs ran, and lines differed', $tried && $differ > 100 * $tried / 4 ? () : "$differ lines of $tried programs");
report('a fault is found', $blind ? () : 'edges that are left out change nothing');
printf STDERR "# %d programs, %d lines differed, slices have %.0f%% of lines\n", $tried, $differ, 100 * $in / ($all || 1)
    if $ENV{TROD_TALK};
finish();
