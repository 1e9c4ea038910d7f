#!/bin/bash
# Real programs of several source files: the segments that a build counts are exactly those of the whole program path, in
# number and in counts, none of them lost at a file's end.
#
#     whole.t [SUBJECT...]
#
# Subjects are those of bench/subject and test/real/subject. TROD_DEPTHS="1 2" tries these depths.
# `ok` calls functions.
# shellcheck disable=SC2317
set -u
here=$(cd "${0%/*}/../../bench" && pwd)
kit=$(cd "${0%/*}/../kit" && pwd)
more=$(cd "${0%/*}/subject" && pwd)
# shellcheck source=test/kit/tap.sh
. "$kit/tap.sh"
# shellcheck source=bench/subject.sh
. "$here/subject.sh"
# shellcheck disable=SC2154
place=$tap_tmp

program() { TROD_OUT="$place/ran/%p.trod" "$place/app" "$@" 2>>"$place/complaint"; }

# build OPTION...: the program, and its profiles of a small input.
build() {
    local cc="trod cc"
    [ "$(language)" = c ] || cc="trod c++"
    rm -rf "$place/ran" "$place/there" "$place/app"
    mkdir "$place/ran" "$place/there"
    # Lua takes its hash seed from addresses, and caches strings by theirs.
    # Compilers, sources and flags are lists.
    # shellcheck disable=SC2046,SC2086
    $cc --whole-program "$@" -O2 '-Dluai_makeseed(L)=1' -DSTRCACHE_N=1 -DSTRCACHE_M=1 -w -g -o "$place/app" \
        $(sources) $(flags) >"$place/said" 2>&1 && input test >"$place/input" &&
        (cd "$place/there" && run "$place/input" "$place/result")
}

# segments DEPTH FILE: what ran, a line each, sorted.
segments() {
    trod calls segments -q --binary="$place/app" --depth="$1" "$place"/ran/*.trod -o "$2.segments" &&
        grep '^[0-9]' "$2.segments" | sort >"$2"
}

# Sections of several profiles have several sums: they are added.
total() { awk '{ n = $1; $1 = ""; sum[$0] += n } END { for (s in sum) print sum[s] s }' "$1" | sort; }

record() { build --wpp && segments "$1" "$place/recorded"; }
count() { build --segments="$place/recorded.segments" && segments "$1" "$place/counted"; }
same() {
    total "$place/recorded" >"$place/a"
    total "$place/counted" >"$place/b"
    [ -s "$place/a" ] || return 1
    cmp -s "$place/a" "$place/b" && return
    diff "$place/a" "$place/b" | head -n 20
    return 1
}

one() {
    local name=$1 depth
    subject_folder=$here/subject
    [ ! -e "$more/$name" ] || subject_folder=$more
    subject "$name" || return
    for depth in ${TROD_DEPTHS:-1}; do
        ok "$name: records" record "$depth" || cat "$place/said"
        ok "$name: counts segments of depth $depth" count "$depth"
        ok "$name: counts all $(wc -l <"$place/recorded") of them, equally often" same
    done
}

[ $# -gt 0 ] || set -- bzip2 lua sqlite lzip
for name; do
    one "$name"
done
done_testing
