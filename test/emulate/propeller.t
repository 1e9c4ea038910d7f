#!/bin/bash
# Hot paths for LLVM: clang accepts the output of 'trod export --to=propeller' without a warning, blocks and clones are
# placed as requested, and the program behaves as before with fewer taken jumps.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

for tool in clang-19 ld.lld-19 llvm-readobj-19; do
    command -v $tool >/dev/null || skip_all "no $tool"
done
why=$("$root/test/kit/emulator.sh") || skip_all "$why"

# The second decision always has the outcome of the first: only a path profile shows that.
cat >joined.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>

volatile unsigned char way[4096];
volatile int a, b, e;

/* What nobody puts together. */
#define DO(n) __asm__ volatile(".rept " #n "\n nop\n .endr" ::: "memory")

__attribute__((noinline)) static void step(int i)
{
    if (way[i & 4095]) {
        a += i;
        DO(3);
    } else {
        b += i;
        DO(4);
    }
    e += a + b;
    if (way[i & 4095]) {
        a ^= e;
        DO(5);
    } else {
        b ^= e;
        DO(6);
    }
    if (e == 77 && a == 78)
        puts("never");
    e++;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 4096; i++)
        way[i] = (i * 2654435761u >> 7) % 5 < 3;
    for (int i = 0; i < atoi(argv[argc - 1]); i++)
        step(i);
    printf("%d %d %d\n", a, b, e);
    return 0;
}
EOF

# build OUT SOURCE FLAG...
build() { clang-19 -O2 -fuse-ld=lld-19 -o "$1" "${@:3}" "$2"; }

# taken PROGRAM ARGUMENT...: the number of taken jumps, in the program and its libraries
taken() { trod hw trace -q -- "$@" 2>/dev/null </dev/stdin | awk '$2 == "jump" || /ifs taken/ { n += $1 } END { print n }'; }

# blocks PROGRAM FUNCTION: ids of its blocks, one line for each range
blocks()
{
    llvm-readobj-19 --bb-addr-map "$1" | awk -v f="$2" '
        $1 == "Name:" { on = $2 == f } !on { next }
        $1 == "Base" { if (n++) print ""; sep = "" } $1 == "ID:" { printf "%s%s", sep, $2; sep = " " } END { print "" }'
}

# --- a small program --------------------------------------------------------------------------

build plain joined.c -fbasic-block-address-map
trod emulate -q -o joined.trod -- ./plain 20000 >said
ok "a profile for LLVM" trod export -q --to=propeller -o joined.prop joined.trod
is "$(head -n 1 joined.prop)" v1 "its version"
clone=$(sed -n '/^f step$/,/^c/p' joined.prop | grep '^p')
like "$clone" '^p [0-9]+ [0-9]+' "a path is to be cloned"
build better joined.c -fbasic-block-address-map -fbasic-block-sections=list=joined.prop 2>warnings
is "$(cat warnings)" "" "clang prints no warning"
is "$(./better 20000)" "$(./plain 20000)" "the program has the same output"
order=$(sed -n '/^f step$/,/^c/p' joined.prop | sed -n 's/^c //p' | sed 's/\.[0-9]*//g')
is "$(blocks better step | head -n 1)" "$order" "blocks are in the requested order, with the clones"
copied=$(blocks better step | tr ' ' '\n' | grep . | sort | uniq -d | paste -sd' ' -)
wanted=$(echo "$clone" | cut -d' ' -f3- | tr ' ' '\n' | sort -u | paste -sd' ' -)
is "$copied" "$wanted" "exactly the blocks after the first of each clone are copied"
before=$(taken ./plain 20000) after=$(taken ./better 20000)
ok "fewer jumps are taken: $before, now $after" test "$after" -lt "$before"
trod export -q --to=propeller --most=1 -o one.prop joined.trod
is "$(grep -c '^p' one.prop)" 1 "the requested number of clones"
trod export -q --to=propeller --function=main -o main.prop joined.trod
is "$(grep '^f' main.prop)" "f main" "the requested functions"

# The new program also has a map, with ranges and copies: it can be profiled again.
trod emulate -q -o again.trod -- ./better 20000 >said
ok "the new program can be profiled again" trod export -q --to=propeller -o again.prop again.trod
like "$(cat again.prop)" '^f step$' "and has the same functions"

# --- a larger one -------------------------------------------------------------------------------

perl -e 'print "[", join(",", map { qq({"id":$_,"name":"n$_","tags":["a","b",null,true],"x":) . $_ / 7 . "}" } 1 .. 300), "]"' >in.json
build json "$root/example/json.c" -g -fbasic-block-address-map
trod emulate -q -o json.trod -- ./json <in.json >said
trod export -q --to=propeller -o json.prop json.trod
build json.better "$root/example/json.c" -g -fbasic-block-address-map -fbasic-block-sections=list=json.prop 2>warnings
is "$(cat warnings)" "" "clang prints no warning for a larger one"
is "$(./json.better <in.json)" "$(./json <in.json)" "which has the same output"
before=$(taken ./json <in.json) after=$(taken ./json.better <in.json)
ok "fewer jumps are taken: $before, now $after" test "$after" -lt "$before"
agree=yes
sed -n 's/^f //p' json.prop >functions
while read -r f; do
    order=$(sed -n "/^f $f\$/,/^c/p" json.prop | sed -n 's/^c //p' | sed 's/\.[0-9]*//g')
    [ "$(blocks json.better "$f" | head -n 1)" = "$order" ] || agree="no: $f"
done <functions
is "$agree" yes "all blocks are in the requested place"

# --- exceptions ------------------------------------------------------------------------------------

# Calls in a try block have labels, and cannot be copied.
cat >thrown.cc <<'EOF'
#include <cstdio>
#include <cstdlib>

volatile unsigned char way[4096];
volatile int a, b, e;
#define DO(n) __asm__ volatile(".rept " #n "\n nop\n .endr" ::: "memory")

__attribute__((noinline)) static int maybe(int i)
{
    if (i == 12345)
        throw i;
    DO(2);
    return i + 1;
}

__attribute__((noinline)) static int step(int i)
{
    if (way[i & 4095]) {
        a += i;
        DO(3);
    } else {
        b += maybe(i);
        DO(4);
    }
    try {
        e += maybe(i);
    } catch (int x) {
        e -= x;
    }
    if (way[i & 4095])
        DO(5);
    else
        DO(6);
    e += i;
    if (way[(i + 1) & 4095])
        DO(7);
    else
        DO(8);
    return e;
}

int main(int argc, char **argv)
{
    long s = 0;

    for (int i = 0; i < 4096; i++)
        way[i] = (i * 2654435761u >> 7) % 5 < 3;
    for (int i = 0; i < atoi(argv[argc - 1]); i++)
        try {
            s += step(i);
        } catch (int) {
            s++;
        }
    printf("%d %d %d %ld\n", a, b, e, s);
    return 0;
}
EOF
build_cxx() { clang++-19 -O2 -fuse-ld=lld-19 -o "$1" "${@:2}" thrown.cc; }
build_cxx thrown -fbasic-block-address-map
trod emulate -q -o thrown.trod -- ./thrown 20000 >said
trod export -q --to=propeller -o thrown.prop thrown.trod
build_cxx thrown.better -fbasic-block-sections=list=thrown.prop 2>warnings
is "$(cat warnings)" "" "clang prints no warning for exceptions"
is "$(./thrown.better 20000)" "$(./thrown 20000)" "which are caught as before"

# --- errors -----------------------------------------------------------------------------------------

build bare joined.c
trod emulate -q -o bare.trod -- ./bare 10 >said
exits 4 "a program without a map of blocks" trod export -q --to=propeller bare.trod
like "$(trod export -q --to=propeller bare.trod 2>&1)" '-fbasic-block-address-map' "the message says how to have one"
trod cc -O1 -o counted joined.c
TROD_OUT=counted.trod ./counted 10 >said
exits 4 "paths of source code" trod export -q --to=propeller counted.trod
like "$(trod export -q --to=propeller counted.trod 2>&1)" "'trod emulate -- PROGRAM'" "the message says what to do"
build plain joined.c -fbasic-block-address-map -DOTHER -O1
trod export --to=propeller joined.trod >said 2>notes
is $? 4 "a program that was rebuilt since"
like "$(cat notes)" 'not the build that ran' "is reported"

done_testing
