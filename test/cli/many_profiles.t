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
    echo '#include <unistd.h>'
    echo 'int main(int argc, char **argv) {'
    echo '    unsigned n = argc > 1 ? atoi(argv[1]) : 0, s = 0;'
    echo '    switch (n % 17) {'
    for f in $(seq 0 16); do echo "    case $f: s = f$f(n); break;"; done
    echo '    }'
    # With the name of a file: say that it counts, and wait for the file.
    echo '    if (argc > 2 && write(1, ".", 1) == 1) while (access(argv[2], F_OK)) usleep(10000);'
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

# One file of 24 processes: none takes over the area of another, as all are there at the same time. Each area has room for
# 4 MB, and some pages that are touched.
for i in $(seq 24); do
    TROD_SPARSE=1 TROD_OUT=shared.trod ./large "$i" all-count >>counting &
done
for _ in $(seq 6000); do
    [ "$(stat -c %s counting)" = 24 ] && break
    sleep 0.01
done
touch all-count
wait
bytes=$(stat -c %s shared.trod)
ok "their profile has room for more than 24 times 4 MB" [ "$bytes" -gt 96000000 ]
# shellcheck disable=SC2317
within_little() { (
    [ "$TROD_CONFIG" = asan ] || ulimit -v 80000
    "$@"
); }
exits 0 "merge reads it in less memory than it has room for" within_little trod merge -q -o shared.all.trod shared.trod
paths() { trod show "$1" | awk '/^function/ { wide = $NF == 32768 } wide && /^=/'; }
trod merge -q -o each.trod sparse/{1..9}.trod sparse/1?.trod sparse/2[0-4].trod
is "$(paths shared.all.trod)" "$(paths each.trod)" "... with the paths that 24 files have"
is "$(trod check shared.trod | sed 's/;.*//')" "shared.trod: live, sound" "... and it is sound"
done_testing
