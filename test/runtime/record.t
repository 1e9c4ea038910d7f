#!/bin/sh
# Steps that are recorded: all of them, in their order, at every moment.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
harness_source=recording.c
build_harness harness || exit 1
TROD_OUT=%p.trod
export TROD_OUT TROD_SYMBOLS

# lines PATTERN: of the report.
lines()
{
    report | grep -E "$1"
}

for pattern in one nest walk few mixed; do
    for TROD_SYMBOLS in 16 64 1000 1000000; do
        ok "$pattern, $TROD_SYMBOLS symbols: all steps in order" scenario single "$pattern" 20000
        like "$(report)" "^steps thread 0 parts [0-9]+ steps 20000 crc $(cat run/crc)\$" \
            "$pattern, $TROD_SYMBOLS symbols: so says another reader"
    done
done

# The library's own grammar of the same steps is the same, rule for rule.
for pattern in one nest walk few mixed; do
    for TROD_SYMBOLS in 16 1000 1000000; do
        scenario single "$pattern" 20000
        {
            echo "grammar g"
            trod show run/*.trod | sed -n '/^steps 0$/,$p' | grep -E '^(R|part)'
        } >got
        trod grammar --expand got | trod grammar --most-symbols=$TROD_SYMBOLS >want
        ok "$pattern, $TROD_SYMBOLS symbols: the grammar that the library makes" cmp got want
        ok "$pattern, $TROD_SYMBOLS symbols: and it is one" trod grammar --check got
    done
done

TROD_SYMBOLS=64
scenario single one 20000
like "$(report)" '^end parts 0$' "a loop fits one part"
scenario single few 20000
like "$(report)" '^end parts [1-9][0-9][0-9]$' "and noise does not: the end says so"
like "$(report)" '^end recorded 1$' "the end says how many threads were recorded"
unlike "$(report)" '^(note|end given)' "nothing was given up"
is "$(lines '^module')" "module 2002 counters 2 functions mode 3
module path $made/harness
module id $(readelf -n harness | sed -n 's/.*Build ID: //p')" "the module"
exits 4 "trod merge does not add up steps" trod merge -o sum run/*.trod
like "$(trod report run/*.trod 2>&1)" 'trod wpp' "trod report knows who can tell them"
like "$(trod check run/*.trod)" ' live, sound; .*, threads: 1, steps: 20000$' "trod check counts them"
case $(uname -m) in
    x86_64) ok "registers come back" scenario registers ;;
    *) skip "registers come back" "not here" ;;
esac

# --- deaths --------------------------------------------------------------------

for TROD_SYMBOLS in 16 40 1000 1000000; do
    for delay in 100 1000 5000 20000; do
        ok "killed at some moment, $TROD_SYMBOLS symbols, $delay" \
            scenario killed mixed $delay
    done
done

# planted FILE EDIT: a runtime with a fault; $harness is one with it.
planted()
{
    rm -rf "$made/planted" && mkdir "$made/planted"
    cp "$root"/runtime/*.[ch] "$made/planted"
    sed "$2" "$root/runtime/$1" >"$made/planted/$1"
    cmp -s "$root/runtime/$1" "$made/planted/$1" && return 1
    for source in "$made"/planted/*.c; do
        # shellcheck disable=SC2086
        "$CC" $rt_flags -I"$made/planted" -c -o "${source%.c}.o" "$source" || return 1
    done
    # shellcheck disable=SC2086
    "$CC" $harness_flags -I"$here" -o "$made/faulty" "$here/recording.c" \
        "$made"/planted/*.o -pthread
}

if scenario stepwise few 2 >log 2>&1; then
    for TROD_SYMBOLS in 16 40 1000000; do
        for pattern in few mixed nest; do
            ok "killed at every instruction: $pattern, $TROD_SYMBOLS symbols" \
                scenario stepwise $pattern 100
        done
    done
    TROD_SYMBOLS=40 harness=$made/faulty
    for fault in 'step.c s/publish(&live->nundo, 2);//' \
        'step.c s/publish(&r->node.before..next, use);//' \
        'record.c s/r->live->part + 1/r->live->part/' \
        'record.c s/^    trod_record_set_both.*/r->live->thread = thread + 0 * part;/' \
        'record.c /^    __atomic_store_n(&r->node.0..next/d
            s/^    trod_record_set_both.*/&r->node[0].next = 0;/'; do
        planted "${fault%% *}" "${fault#* }" || exit 1
        is "$(scenario stepwise few 100 >log 2>&1 && echo sound)" "" "found: $fault"
    done
    harness=$made/harness
else
    skip "killed at every instruction" "cannot trace here: $(head -n 1 log)"
fi

done_testing
