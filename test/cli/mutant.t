#!/bin/sh
# Damaged files: live and merged profiles, mutated in hundreds of ways; both readers on some of these.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mutant=$root/build/$TROD_CONFIG/test/prop/prop_mutant
[ -x "$mutant" ] || skip_all "$mutant was not built"

# --- real profiles ------------------------------------------------------------------------

# Sanitizers do not go into programs: trod cc is that of the release.
cat >work.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static int sum(int n)
{
    int total = 0;

    for (int i = 0; i < n; i++)
        total += i % 3 ? i : i & 4 ? -i : 1;
    return total;
}

static void *work(void *n)
{
    return (void *)(long)sum((int)(long)n);
}

int main(int argc, char **argv)
{
    pthread_t thread[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, (void *)(long)(100 * i + 50));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    if (argc > 1)
        raise(SIGKILL);
    return sum(argc) + (argv[0] == NULL);
}
C
"$root/build/release/trod" cc -O1 -g -pthread -o work work.c
TROD_OUT=ended.trod ./work
TROD_OUT=killed.trod ./work x 2>said
trod merge -q -o merged.trod ended.trod killed.trod
trod merge -q --keep-runs -o apart.trod ended.trod killed.trod
for file in ended killed merged apart; do
    exits 0 "$file.trod is sound" trod check "$file.trod"
done

# --- mutants ------------------------------------------------------------------------------

TROD_MUTANT_FILES="$PWD/ended.trod $PWD/killed.trod $PWD/merged.trod $PWD/apart.trod"
export TROD_MUTANT_FILES
cd "$root" || exit 1
ok "mutants of real profiles are read right" env TROD_PROP_RUNS=500 TROD_PROP_SEED=3 "$mutant"

# --- the second reader --------------------------------------------------------------------

if command -v python3 >"$tap_tmp/said" && command -v zstd >"$tap_tmp/said"; then
    mkdir "$tap_tmp/m"
    ok "mutants are written" env TROD_MUTANT_WRITE="$tap_tmp/m" TROD_PROP_RUNS=200 "$mutant"
    cd "$tap_tmp" || exit 1
    # All in one process: to start 200 takes a minute.
    cat >each.py <<'PY'
import importlib.machinery, importlib.util, io, sys

loader = importlib.machinery.SourceFileLoader("trod_read", sys.argv[1])
reader = importlib.util.module_from_spec(importlib.util.spec_from_loader("trod_read", loader))
loader.exec_module(reader)
for name in sys.argv[2:]:
    sys.argv, stdout = ["trod-read.py", "m/" + name], sys.stdout
    sys.stdout = io.TextIOWrapper(io.BytesIO())
    try:
        reader.main()
        text = sys.stdout.buffer.getvalue()
    except SystemExit:
        text = b""
    sys.stdout = stdout
    with open("theirs/" + name, "wb") as out:
        out.write(text)
PY
    mkdir theirs
    (cd m && printf '%s\n' *) | xargs python3 -B each.py "$root/tools/trod-read.py" 2>said
    # Groups whose runs are lost have no order of their own, so their numbers are left out.
    bare() { grep -av '^note "lost ' "$1" | sed 's/ @[0-9]*$//' | sort; }
    agree=0 refused=0 apart=
    for file in theirs/*; do
        name=${file##*/}
        bare "$file" >theirs.text
        # Bytes without a NUL are for trod the text form, which the other does not know, unless
        # they begin like a profile.
        tr -d '\000' <"m/$name" >plain
        head -c 8 "m/$name" >magic
        if { ! cmp -s plain "m/$name" || printf '\211TROD\r\n\032' | cmp -s - magic; } &&
            trod show -q "m/$name" >shown 2>said; then
            bare shown >ours.text
        else
            refused=$((refused + 1))
            : >ours.text
        fi
        if cmp -s ours.text theirs.text; then agree=$((agree + 1)); else apart="$apart $name"; fi
    done
    is "$apart" "" "both readers agree on 200 mutants"
    is "$agree" 200 "all of them were looked at"
    ok "and most were read" test $refused -lt 60
else
    skip "both readers agree on mutants" "no python3 or no zstd"
fi

done_testing
