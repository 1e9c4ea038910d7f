#!/bin/sh
# A thousand instrumented libraries in one process, in each mode; thread-specific data of shared libraries, whatever
# else the process does.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
here=$root/test/runtime

cat >part.c <<'EOP'
int f(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i & 3 ? i : 2;
    return sum;
}
EOP
clang-19 -O1 -o host "$here/many_host.c" -pthread || exit 1

# in_run WORD...: run the program in an empty folder; its status.
in_run()
{
    rm -rf run && mkdir run
    (cd run && ../host "$@")
}
# The number of iterations in all profiles.
iterations()
{
    trod report --json run/*.trod 2>/dev/null | tr ',' '\n' |
        sed -n 's/.*"count": *\([0-9]*\).*/\1/p' | awk '{ n += $1 } END { print n + 0 }'
}
unsound()
{
    trod check run/*.trod 2>&1 | grep -vc ': live, sound'
}

# --- many -----------------------------------------------------------------------

TROD_SPARSE=1 TROD_SYMBOLS=64
export TROD_SPARSE TROD_SYMBOLS
echo 'int f(int n); int main(void) { return f(0); }' >once.c
trod cc --only=f -O1 -o once once.c part.c && TROD_OUT=once.trod ./once || exit 1
# Every 20th library is called. A full run calls all of them, in more modes.
every=${TROD_FULL:+1}
every=${every:-20}
# Words of a mode are joined by '+'.
for mode in "" --wpp --online --burst --burst=trigger=flag --coverage --tested=once.trod+--untested-only \
    ${TROD_FULL:+--at=code --iterations=3 --subpaths --tested=once.trod --paths=once.trod --online=f=1 --burst=trigger=always
    --burst=types=streams --burst+--budget=2%}; do
    mode=$(echo "$mode" | tr + ' ')
    # shellcheck disable=SC2086
    trod cc $mode -O1 -fPIC -shared -o part.so part.c || exit 1
    is "$(readelf -lW part.so | grep -c TLS)" 0 "cc $mode: the library has no TLS"
    rm -rf many && mkdir many
    # Separate files: the loader treats links as one library.
    # shellcheck disable=SC2046
    tee $(seq -f 'many/%g.so' 500) <part.so >all &&
        tee $(seq -f 'many/%g.so' 501 1000) <part.so >all
    is "$(in_run open 1000 "$every" ../many 2>&1)" "" "cc $mode: 1000 libraries are opened"
    is "$(find run -name '*.trod' | wc -l | tr -d ' ') $(unsound)" \
        "$(case $mode in --wpp | --coverage | --tested*) echo 1000 ;; *) echo $((1000 / every)) ;; esac) 0" \
        "cc $mode: and write sound profiles"
done
unset TROD_SPARSE TROD_SYMBOLS
rm -rf many

# --- exact ------------------------------------------------------------------------

cat >hide.map <<'EOP'
{ global: f; local: *; };
EOP
trod cc -O1 -fPIC -shared -o a.so part.c &&
    trod cc -O1 -fPIC -shared -Wl,--version-script=hide.map -o b.so part.c || exit 1
is "$(readelf --dyn-syms -W a.so | awk '$5 != "LOCAL" && $6 == "DEFAULT" && $7 ~ /[0-9]/ { print $8 }')" \
    f "a library exports what it did before"

ok "opened and closed 4200 times" in_run again 4200 ../a.so
is "$(iterations)" 6 "opened and closed 4200 times: exact, the first in a thread that stays alive"
ok "all keys of glibc are in use" in_run keys ../a.so ../b.so
is "$(iterations)" 1200 "all keys of glibc are in use: exact"
ok "called when a thread ends" in_run end ../a.so
is "$(iterations)" 14 "called when a thread ends: exact"
ok "first calls do not use malloc" in_run strict ../a.so ../b.so
is "$(iterations)" 16 "first calls do not use malloc: exact"

# Code for executables and for shared libraries in one program, with the same counters.
cat >main.c <<'EOP'
#include <pthread.h>
int f(int n);
int g(int n) { return n > 3 ? f(n) : 0; }
static void *run(void *unused)
{
    for (int i = 0; i < 100; i++)
        g(4);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    run(0);
    return pthread_join(thread, 0);
}
EOP
for mode in "" --online=f=1 --burst=trigger=always; do
    # shellcheck disable=SC2086
    trod cc $mode -O1 -fPIC -c part.c -o pic.o && trod cc $mode -O1 -fPIE -pie -o both main.c pic.o -pthread || exit 1
    rm -rf run && mkdir run
    ok "cc $mode: both kinds of code in one program" sh -c 'cd run && exec ../both'
    is "$(find run -name '*.trod' | wc -l | tr -d ' ') $(unsound)" "1 0" "cc $mode: one sound profile"
done

done_testing
