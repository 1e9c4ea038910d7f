#!/bin/sh
# Compare the outcome and count of every condition and case of random programs with clang's coverage. TROD_FULL=1 adds
# seeds.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

compare() { python3 "$root/test/kit/decisions.py" "$@"; }
tool=$(command -v trod)
last=2
[ -z "$TROD_FULL" ] || last=40
mkdir -p work
seed=1
while [ $seed -le $last ]; do
    ok "seed $seed: decisions are those of the source" compare "$tool" work $seed
    seed=$((seed + 1))
done
like "$(compare --plant "$tool" work 1)" '^# 1 -O0: [0-9]* right, 1 wrong' "one that is exchanged would be noticed"
done_testing
