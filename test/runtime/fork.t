#!/bin/sh
# A child of fork has its own profile; vfork and exec do not affect profiles.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_harness harness || exit 1

# sums: the sum of each profile, sorted.
sums()
{
    for file in $(profiles); do
        "$here/read-profile" "$file" | sed -n 's/^total //p'
    done | sort -n | tr '\n' ' '
}

ok "fork" scenario fork
is "$(sums)" "11 103 " "fork: each process its own counts, from zero"
is "$(report | grep -c '^run birth fork$')" 1 "fork: the child's profile says that it was forked"
is "$(report | grep -c '^end exit order$')" 2 "fork: both end normally"
is "$(report | grep '^path 3')" "path 3 0 1
path 3 1 1
path 3 2 1" "the function that forks continues in both"

ok "a tree of forks" scenario tree 4
is "$(how_many)" 31 "a tree of forks: 31 processes, 31 profiles"
is "$(report | grep -E '^(path 3|total)')" "path 3 0 30
path 3 1 30
path 3 2 30
total 147" "a tree of forks: exact"

ok "forks in threads" scenario fork-threads
is "$(sums)" "$(printf '31 %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)20040 " \
    "forks in threads: exact"

ok "a child counts in another thread's area" scenario coroutine
is "$(sums)" "2 3 " "a child counts in another thread's area: and it is not lost"
ok "a fork before the first entry" scenario fork-early
is "$(sums)" "1 1 " "a fork before the first entry: each its own"

ok "vfork and exec" scenario vfork
is "$(sums)" "5000006 " "vfork and exec: one profile, exact"
ok "the first entry is in a child of vfork" scenario vfork 1
is "$(sums)" "5000001 " "the first entry is in a child of vfork: exact"
ok "exec" scenario exec
is "$(sums)" "10 20 " "exec: two programs, two profiles"

# A child that is killed, and one name for all.
TROD_OUT=same.trod
export TROD_OUT
ok "a tree with one name" scenario tree 3
is "$(how_many)" 1 "a tree with one name: all processes count in one file"
one=$(total)
unset TROD_OUT
ok "a tree with a name for each" scenario tree 3
is "$one" "$(total)" "... as much as in 15 files"

done_testing
