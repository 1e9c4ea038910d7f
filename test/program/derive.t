#!/usr/bin/perl
# Test derive_steps, the reference for whole program paths, on logs written by hand.
#
#     derive.t
#
# In a map here, a function's hash is one digit. An event is a word and its numbers. A thread other than 1 comes first,
# as in `2:enter`.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../kit";
use File::Temp qw(tempdir);
use Tap qw(report finish);

my $tmp = tempdir(CLEANUP => 1);
my %kind = (start => 0, enter => 1, block => 2, leave => 3, forking => 4, forked => 5, back => 6,
    returned => 7);

sub put {
    my ($file, $bytes) = @_;

    open my $out, '>:raw', "$tmp/$file" or die "$file: $!\n";
    print $out $bytes;
    close $out;
}

# enter A HASH; block A N; leave A [HOW]; back A N; returned A N; forking N; forked PID N
sub pack_event {
    my ($event) = @_;
    my ($where, $word, @number) = $event =~ /^(?:([\d.]+):)?(\w+)(?: (\w+))?(?: (\w+))?$/ or die "$event?\n";
    my ($thread, $pid) = split /\./, $where // 1;
    my ($a, $value) = ($number[0] // 0, $number[1] // 0);

    ($a, $value) = (0, $a) if $word eq 'forking';
    $value = hex $value if $word eq 'enter';
    return pack 'LLQQQQ', $kind{$word}, $pid // 1, $thread, 0, $a, $value;
}

sub derived {
    my ($map, $log, @depths) = @_;
    my $text = '';

    # A name is one letter, its hash one digit.
    for (split /\n/, $map) {
        s/^function (\w) (\w)$/"function $1 " . ('0' x 15) . "$2 0 0"/e;
        s/^(numbering \w)$/$1 ballarus/;
        $text .= "$_\n";
    }
    put('map', $text);
    put('log', join '', map { pack_event($_) } grep { /\S/ } map { s/^\s+|\s+$//gr } split /[,\n]/, $log);
    my @depth = map { "--depth=$_" } @depths;
    return `perl $FindBin::Bin/derive_steps @depth $tmp/log $tmp/map 2>&1`;
}

sub try {
    my ($name, $map, $log, $expected, @depths) = @_;
    my $got = derived($map, $log, @depths) =~ s/\t/ /gr;
    my @decoded = map { s/^decoded_segment/segment/r } $got =~ /^(decoded_segment.*\n)/mg;
    my @segment = $got =~ /^(segment.*\n)/mg;

    # Segments of decoded traces are expected only where they differ from those of the traces.
    $got =~ s/^decoded_segment.*\n//mg if "@decoded" eq "@segment";

    report($name, $got eq $expected ? () : "expected\n${expected}got\n$got");
}

# --- the example of the thesis ----------------------------------------------------

# Each function has a subpath before, between and after its calls; the fourth also has a loop.
my $five = join '', map { "function $_->[0] $_->[1]\nnumbering $_->[0]\n$_->[2]" }
    (['a', 1, ">: 0 1+1\n0: >1\n1:\ncalls a\n1: b\n"],
    ['b', 2, ">: 0 1+1\n0: >1\n1:\ncalls b\n1: c\n"],
    ['c', 3, ">: 0 1+1 2+2\n0: >1\n1: >2\n2:\ncalls c\n1: d\n2: *\n"],
    ['d', 4, ">: 0 1+2\n0: 1\n1: >1 2+1\n2:\n"],
    ['e', 5, ">: 0\n0:\n"]);
my $thesis = <<'END';
enter 1 1, block 1 0, block 1 1
enter 2 2, block 2 0, block 2 1
enter 3 3, block 3 0, block 3 1
enter 4 4, block 4 0, block 4 1, block 4 1, block 4 1, block 4 2, leave 4
returned 3 1, block 3 2
enter 5 5, block 5 0, leave 5
returned 3 2, leave 3
returned 2 1, leave 2
returned 1 1, leave 1
END
try('the example of the thesis', $five, $thesis, <<'END', 1, 2);
trace 0 ( a:0 ( b:0 ( c:0 ( d:0 d:2 d:3 ) c:1 ( e:0 ) c:2 ) b:1 ) a:1 )
segment 1 1 a:0 ( b:0 )
segment 1 1 b:0 ( c:0 )
segment 1 1 c:0 ( d:0 )
segment 1 1 c:1 ( e:0 ) c:2
segment 2 1 a:0 ( b:0 ( c:0 ) )
segment 2 1 b:0 ( c:0 ( d:0 ) )
segment 2 1 c:0 ( d:0 )
segment 2 1 c:1 ( e:0 ) c:2
END

# --- calls ------------------------------------------------------------------------

# a calls b, or a function that is not instrumented, twice; b is one block; c handles signals.
my $map = <<'END';
function a 1
numbering a
>: 0 1+1 2+2
0: >1
1: >2
2:
calls a
1: b
2: b
function b 2
numbering b
>: 0
0:
function c 3
numbering c
>: 0
0:
END
my $a_call = 'enter 1 1, block 1 0, block 1 1';
my $b_call = 'enter 2 2, block 2 0, leave 2';
my $c_call = 'enter 3 3, block 3 0, leave 3';
my $a_rest = 'returned 1 1, block 1 2, returned 1 2, leave 1';

try('a callee that is not instrumented', $map, "$a_call, $a_rest", "trace 0 ( a:0 ( ) a:1 ( ) a:2 )\n", 1);
try('a segment ends before a callee that is not instrumented', $map, "$a_call, $b_call, $a_rest", <<'END', 1);
trace 0 ( a:0 ( b:0 ) a:1 ( ) a:2 )
segment 1 1 a:0 ( b:0 ) a:1
END
try('a function that the current call does not name interrupts', $map,
    "$a_call, $c_call, $b_call, $a_rest", <<'END', 1);
trace 0 ( a:0 [ c:0 ] ( b:0 ) a:1 ( ) a:2 )
segment 1 1 a:0 ( b:0 ) a:1
END
my $indirect = $map =~ s/^1: b/1: */mr;
try('the first function entered in an indirect call is the callee', $indirect, "$a_call, $c_call, $b_call, $a_rest",
    <<'END', 1);
trace 0 ( a:0 ( c:0 ) [ b:0 ] a:1 ( ) a:2 )
segment 1 1 a:0 ( c:0 ) a:1
END
try('a function is called by an alias', $map =~ s/^(function b.*)/$1\nalias bb/mr =~ s/^1: b/1: bb/mr,
    "$a_call, $b_call, $a_rest", <<'END', 1);
trace 0 ( a:0 ( b:0 ) a:1 ( ) a:2 )
segment 1 1 a:0 ( b:0 ) a:1
END
try('threads', $map, join("\n", map { my $t = $_; map { "$t:$_" } split /, /, "$a_call, $b_call, $a_rest" } 1, 2)
    =~ s/^2:(\w+) 1/2:$1 4/gmr =~ s/^2:(\w+) 2/2:$1 5/gmr, <<'END', 1);
trace 0 ( a:0 ( b:0 ) a:1 ( ) a:2 )
trace 1 ( a:0 ( b:0 ) a:1 ( ) a:2 )
segment 1 2 a:0 ( b:0 ) a:1
END

# --- interruptions ----------------------------------------------------------------

try('interrupted before the first subpath has ended', $map,
    "enter 1 1, block 1 0, $c_call, block 1 1, $b_call, $a_rest", <<'END', 1);
trace 0 ( [ c:0 ] a:0 ( b:0 ) a:1 ( ) a:2 )
decoded 0 ( c:0 ) ( a:0 ( b:0 ) a:1 ( ) a:2 )
ambiguous 0 early 1
segment 1 1 a:0 ( b:0 ) a:1
END
try('interrupted between a return and the end of its block', $indirect,
    "$a_call, returned 1 1, $c_call, block 1 2, returned 1 2, leave 1", <<'END', 1);
trace 0 ( a:0 [ c:0 ] ( ) a:1 ( ) a:2 )
decoded 0 ( a:0 ( c:0 ) a:1 ( ) a:2 )
ambiguous 0 late 1
decoded_segment 1 1 a:0 ( c:0 ) a:1
END

# --- abandoned ----------------------------------------------------------------------

my $jumps = <<'END';
function a 1
numbering a
>: 0 1+1 2+2
0: >1
1!!: >2
2:
calls a
2: b
function b 2
numbering b
>: 0 1+2
0: >1 2+1
1:
2:
calls b
1: *
2!: longjmp
END
my $a_sets = 'enter 1 1, block 1 0, block 1 1, back 1 1, block 1 2';
try('longjmp', $jumps,
    "$a_sets, enter 2 2, block 2 0, block 2 2, leave 2 2, back 1 1, block 1 2, returned 1 2, leave 1", <<'END', 1);
trace 0 ( a:0 a:1 ( b:1 ( )! )! a:1 ( ) a:2 )
segment 1 1 a:1 ( b:1 )
END
try('longjmp to an outer activation', $jumps, "$a_sets, enter 2 2, block 2 0, block 2 1,"
    . ' enter 3 1, block 3 0, block 3 1, back 3 1, block 3 2, back 1 1, block 1 2, returned 1 2, leave 1', <<'END', 1);
trace 0 ( a:0 a:1 ( b:0 ( a:0 a:1 ( )! )! )! a:1 ( ) a:2 )
decoded 0 ( a:0 a:1 ( b:0 ( a:0 a:1 ( )! a:1 ( ) a:2 )
ambiguous 0 jump 2
segment 1 1 a:1 ( b:0 )
segment 1 1 b:0 ( a:0 )
END

try('longjmp from the middle of a subpath', $jumps =~ s/^2: b/2: c/mr . "function c 3\nnumbering c\n>: 0\n0:\n",
    "$a_sets, enter 2 3, block 2 0, leave 2, returned 1 2, back 1 1, block 1 2, returned 1 2, leave 1", <<'END', 1);
trace 0 ( a:0 a:1 ( c:0 ) a:1 ( ) a:2 )
segment 1 1 a:1 ( c:0 )
decoded_segment 1 1 a:1 ( c:0 ) a:1
unfinished 1 1 a:1 ( c:0 )
END
# --- fork -------------------------------------------------------------------------

try('a child of fork returns from functions that its parent called', $map,
    "$a_call, enter 2 2, block 2 0, forking 1, 1.2:forked 1 1,"
    . ' 1.2:leave 2, 1.2:returned 1 1, 1.2:block 1 2, 1.2:enter 4 2, 1.2:block 4 0, 1.2:leave 4,'
    . ' 1.2:returned 1 2, 1.2:leave 1,'
    . " leave 2, $a_rest", <<'END', 1);
trace 0 ( a:0 ( b:0 ) a:1 ( ) a:2 )
trace 1 ( b:0 ) ( a:1 ( b:0 ) a:2 )
segment 1 2 a:0 ( b:0 ) a:1
segment 1 1 a:1 ( b:0 ) a:2
decoded_segment 1 1 a:0 ( b:0 ) a:1
decoded_segment 1 1 a:1 ( b:0 ) a:2
END
try('a segment ends before a fork, its path after it', $map,
    "$a_call, $b_call, returned 1 1, block 1 2, forking 1, 1.2:forked 1 1,"
    . ' 1.2:returned 1 2, 1.2:leave 1, returned 1 2, leave 1', <<'END', 1);
trace 0 ( a:0 ( b:0 ) a:1 ( ) a:2 )
trace 1 ( a:2 )
segment 1 1 a:0 ( b:0 ) a:1
forked 1 1 a:0 ( b:0 ) a:1
END
finish();
