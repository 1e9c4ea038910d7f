#!/bin/sh
# Cases are printed with their labels, as in the source, wherever these are unambiguous: after conditional lines, in
# macros, in ranges, several in sequence. Each case runs a different number of times, so that a label at the wrong case
# has a wrong count.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

trod=${TROD:-trod}
mkdir -p inc
cat >inc/codes.h <<'C'
#ifndef CODES_H
#define CODES_H
#define OP_Add 107 /* same as TK_PLUS */
#define OP_Sub 0x6c
#define OP_Base (OP_Sub << 1)
#endif
C
cat >labels.c <<'C'
#include "inc/codes.h"
#include <stdio.h>
#ifdef HOW
#define ODD 31
#else
#define ODD 32
#endif
#define FIRST_OF(op) case op:
#define PAIR(x, y) case x: case y
#define DISPATCH(x) switch (x)
enum colour { RED = 3, GREEN, BLUE = 'b' };
static int n;

static void directives(int x)
{
    switch (x) { /* directives */
#ifdef NEVER_DEFINED
    case 999: n++; break;
#endif
    case OP_Add: n += 1; break; /* a remark: case 5: */
    case OP_Sub: n += 2;
        /* fall through */
#if defined HOW && HOW > 2
    case 7: {
#else
    case 8: {
#endif
        n += 3;
        break;
    }
#if 0
    case OP_Add + 1: break;
#elif 1
    case OP_Base | 1: n += 4; break;
#endif
    default: n--;
    }
}

static void ranges(int c)
{
    switch (c) { /* ranges */
    case 'a' ... 'c': case 'A' ... 'C': case '_': n += 1; break;
    case '\x7e': case '\0': n += 2; break;
    case '0' ... '0' + 2: { n += 3; break; }
    case -1: n += 4;
    }
}

static void macros(enum colour c)
{
    DISPATCH(c) { /* macros */
    FIRST_OF(RED) n += 1; break;
    PAIR(GREEN, BLUE): n += 2; break;
    case 90: switch (n) { case 1: n += 2; break; default: n++; }
    }
}

/* Nobody knows by the text alone which of the two it is. */
static void doubtful(int x)
{
    switch (x) { /* doubtful */
    case 1: n += 1; break;
#ifdef HOW
    case ODD:
#endif
#ifdef WHO
    case ODD + HOW:
#endif
        n += 2;
    }
}

static void times(void (*f)(int), int x, int count)
{
    while (count--)
        f(x);
}

int main(void)
{
    times(directives, 107, 1), times(directives, 108, 2), times(directives, 8, 3);
    times(directives, 7, 4), times(directives, 217, 5);
    times(ranges, 'a', 1), times(ranges, 'c', 1), times(ranges, 'B', 3), times(ranges, '_', 4), times(ranges, '~', 5);
    times(ranges, 0, 6), times(ranges, '2', 7), times(ranges, -1, 8), times(ranges, 'z', 9);
    for (int i = 0; i < 6; i++)
        macros(i < 1 ? RED : i < 3 ? GREEN : BLUE);
    times(doubtful, 1, 1), times(doubtful, 31, 2), times(doubtful, 35, 2), times(doubtful, 36, 2);
    printf("%d\n", n);
    return 0;
}
C
line() { grep -n "/[*] $1 [*]/" labels.c | cut -d: -f1; }
decisions() { trod stage flow labels.trod | sed -n "/^file/,\$s/^$(line "$1"): [0-9]* //p"; }
build() {
    "$trod" cc -w -g "$@" -o labels labels.c
    rm -f labels.trod
    TROD_OUT=labels.trod ./labels >/dev/null
}
for level in -O0 -O2; do
    build $level
    is "$(decisions directives)" "(default 4, case OP_Add 1, case OP_Sub 2, case 8 3, case OP_Base | 1 5)" "$level: conditional lines, and macros with values"
    is "$(decisions ranges)" "(no case 9, case '_' 4, case 'A' ... 'C' 3, case 'a' ... 'c' 2, case '\\x7e' 5, case '\\0' 6, case '0' ... '0' + 2 7, case -1 8)" \
        "$level: ranges, and labels in a row"
    is "$(decisions macros)" "(no case 0, case RED 1, case GREEN 2, case BLUE 3, case 90 0)" "$level: labels of macros"
done
build -O0
is "$(decisions doubtful)" "(no case 6, case 1 1)" "no label that is not there"
build -O0 -DHOW=4
is "$(decisions directives)" "(default 3, case OP_Add 1, case OP_Sub 2, case 7 4, case OP_Base | 1 5)" "lines with code are there"
is "$(decisions doubtful)" "(no case 4, case 1 1, case 31 2)" "the value, where it may be one label or another"
build -O0 -DHOW=4 -DWHO
like "$(decisions doubtful)" '^\(no case 2, case 1 1, case ODD 2, case ODD \+ HOW 2\)$' "as many as there can be"

# Cases that lead where the default does are merged into it, and are named there; a default of one value becomes a case.
cat >merged.c <<'C'
static volatile int n;
__attribute__((noinline)) static void merged(int c)
{
    switch (c) {
    case 'a': n += 1; break;
    case 'b': break;
    case 'c': n += 2; break;
    case 'd': n += 3; break;
    default: break;
    }
}
__attribute__((noinline)) static void without(int c)
{
    switch (c) {
    case 1: n += 1; break;
    case 4 ... 6: break;
    case 8: n += 2; break;
    }
}
__attribute__((noinline)) static void masked(int c)
{
    switch (c & 3) {
    case 0: n += 1; break;
    case 1: n += 2; break;
    case 2: n += 3; break;
    default: n += 4;
    }
}
__attribute__((noinline)) static void wide(int c)
{
    switch (c) {
    case 1: n += 1; break;
    case 2: n += 3; break;
    case 100 ... 1000: n += 2; break;
    default: n += 5;
    }
}
__attribute__((noinline)) static void sparse(int c)
{
    switch (c & 0xf000) {
    case 0x8000: n += 1; break;
    case 0x2000: n += 2; break;
    case 0xc000: n += 3; break;
    case 0x1000: n += 4; break;
    case 0x4000: n += 5; break;
    default: n += 6;
    }
}
int main(void)
{
    for (int i = 0; i < 10; i++)
        merged("abbcccddde"[i]), without(i), masked(i), wide(i * 50), sparse((i < 4 ? 2 : i) * 0x1000 + 7);
    return 0;
}
C
switches() { trod stage flow merged.trod | sed -n '/^file/,$s/^[0-9]*: [0-9]* (\(.*[a-z] [0-9].*\))$/\1/p'; }
for level in -O0 -O1 -O2 -O3; do
    "$trod" cc -w -g $level -o merged merged.c
    rm -f merged.trod
    TROD_OUT=merged.trod ./merged
    if [ $level = -O0 ]; then
        want="default 1, case 'a' 1, case 'b' 2, case 'c' 3, case 'd' 3
no case 5, case 1 1, case 4 ... 6 3, case 8 1
default 2, case 0 3, case 1 3, case 2 2"
    else
        want="case 'b' or default 3, case 'a' 1, case 'd' 3, case 'c' 3
case 4 ... 6 or no case 8, case 1 1, case 8 1
unreachable 0, case 0 3, case 1 3, case 2 2, default 2"
    fi
    is "$(switches)" "$want
no other case 10, case 1 0, case 2 0
default 4, case 0x8000 1, case 0x2000 4, case 0xc000 0, case 0x1000 0, case 0x4000 1" "$level: what the default stands for"
done

# X-macros and included labels: those with known values are still printed.
cat >more.inc <<'C'
case 20: n += 5; break;
C
cat >labels.c <<'C'
#include <stdio.h>
enum kind { ONE = 1, TWO, THREE };
static int n;
static void included(enum kind k)
{
    switch (k) { /* included */
    case ONE: n++; break;
#include "more.inc"
    case THREE: n += 2;
    }
}
int main(void)
{
    included(1), included(20), included(20), included(3), included(3), included(3);
    printf("%d\n", n);
}
C
build -O0
is "$(decisions included)" "(no case 0, case ONE 1, case 20 2, case THREE 3)" "around labels of another file"

# C++: enumerators of a class, attributes.
cat >labels.c <<'C'
#include <cstdio>
enum class Colour { red, green, blue };
static int n;
static void scoped(Colour c)
{
    switch (c) { /* scoped */
    case Colour::red: n++; [[fallthrough]];
#ifdef NEVER_DEFINED
    case Colour::blue: n += 3; break;
#else
    case Colour::green: n += 2; break;
#endif
    default: [[unlikely]] n--;
    }
}
int main()
{
    scoped(Colour::red), scoped(Colour::green), scoped(Colour::green), scoped(Colour::blue);
    std::printf("%d\n", n);
}
C
build -x c++ -O0
is "$(decisions scoped)" "(default 1, case Colour::red 1, case Colour::green 2)" "C++"
done_testing
