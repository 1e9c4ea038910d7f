#!/bin/bash
# Many profiles of a large program: holes are not read, and memory grows with the paths that ran, not with the files.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# 17 functions of 2^15 paths each, of which one takes one path: 4 MB of counters, nearly all of them never touched.
{
    for f in $(seq 0 16); do
        echo "unsigned f$f(unsigned x) { unsigned s = 0;"
        for i in $(seq 0 14); do
            echo "    if (x >> $i & 1) s += x ^ $((i * 7 + f));"
        done
        echo "    return s; }"
    done
    echo '#include <stdlib.h>'
    echo 'int main(int argc, char **argv) {'
    echo '    unsigned n = argc > 1 ? atoi(argv[1]) : 0, s = 0;'
    echo '    switch (n % 17) {'
    for f in $(seq 0 16); do echo "    case $f: s = f$f(n); break;"; done
    echo '    }'
    echo '    return s == 1; }'
} >large.c
trod cc -O1 -g large.c -o large
mkdir sparse
for i in $(seq 300); do
    TROD_SPARSE=1 TROD_OUT=sparse/$i.trod ./large "$i"
done
bytes=$(stat -c %s sparse/1.trod)
blocks=$(stat -c %b sparse/1.trod)
ok "a profile has room for more than 4 MB of counters" [ "$bytes" -gt 4000000 ]
# File systems differ in how much of it they store.
echo "# $bytes bytes, of which $((blocks * 512)) are stored"

cp --sparse=never sparse/1.trod dense.trod
is "$(trod show dense.trod)" "$(trod show sparse/1.trod)" "a profile with holes is read as one without"
cat sparse/2.trod >piped.trod
is "$(trod show - <sparse/2.trod | tail -n +2)" "$(trod show piped.trod | tail -n +2)" "... from standard input, too"

# The address space of all 300 would be 1.3 GB.
# shellcheck disable=SC2317
within() { (
    [ "$TROD_CONFIG" = asan ] || ulimit -v 600000
    "$@"
); }
exits 0 "merge adds up 300 of them in little memory" within trod merge -q -o all.trod sparse
# Each run takes one path of one of the functions, and no other run does: all counts but main's are 1.
is "$(trod show all.trod | grep -c '^=[0-9]* 1$')" 300 "... with all paths"
exits 0 "report does" within trod report -q sparse
is "$tap_out" "$(trod report -q all.trod)" "... and reports what the merged profile has"
exits 0 "coverage does" within trod coverage -q sparse
exits 0 "untested does" within trod untested -q --tested=sparse all.trod
exits 0 "html does" within trod html -q -o page.html sparse
exits 0 "tests does" within trod tests -q sparse
done_testing
