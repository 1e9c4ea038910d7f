#!/bin/sh
# Migrated counts of functions that were not profiled again agree with those of their callers that were: counts of one
# program do not contradict each other.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# pick changes; slow, leaf and fact do not, but run less often, less often and more often. fact calls itself.
mkdir old new
cat >old/app.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int leaf(int x) { return x & 1 ? x * 3 : x; }
__attribute__((noinline)) static int slow(int x)
{
    int sum = 0;
    for (int i = 0; i < x % 7; i++)
        sum += leaf(i);
    return sum;
}
__attribute__((noinline)) static int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
__attribute__((noinline)) static int gone(int x) { return x ? leaf(x) : 2; }
__attribute__((noinline)) static int pick(int x)
{
    if (x > LIMIT)
        return MORE slow(x);
    return LESS;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
    for (int i = 0; i < n; i++)
        sum += pick(i % 1000);
    printf("%d\n", sum + leaf(n));
    return 0;
}
EOF
sed 's/LIMIT/700/; s/MORE/fact(x % 5) +/; s/LESS/x + 1/; /gone/d' old/app.c >new/app.c
sed -i 's/LIMIT/200/; s/MORE//; s/LESS/x > 100 ? fact(x % 5) : gone(x)/' old/app.c
(cd old && trod cc -O2 -g -o ../one app.c)
(cd new && trod cc -O2 -g -o ../two app.c)
TROD_OUT=old.trod ./one 3000 >log
TROD_OUT=full.trod ./two 3000 >log

# migrated TYPE: the new profile, of which only pick was counted.
migrated()
{
    rm -rf plan merged some.trod
    trod migrate --old=one --new=two --type="$1" large=old.trod -o plan >log &&
        (cd new && trod cc --only=../plan/reprofile -O2 -g -o ../some app.c) &&
        TROD_OUT=some.trod ./some 3000 >log &&
        trod migrate --finish=plan large=some.trod -o merged >said
}
# score COLUMN: of the merged entries, against the complete profile.
score() { trod version score --full=full.trod merged/large.entries | awk -v column="$1" '$1 == "large" { print $column }'; }

for type in paths calls callgraph blocks edges; do
    ok "$type are migrated" migrated $type
    is "$(grep -v '^#' plan/reprofile)" "pick app.c" "$type: of these, one function is profiled again"
    # How often each path of a function is taken for these calls, and no longer for others, cannot be known.
    [ $type = paths ] || is "$(score 5)" "100.00%" "$type: every count is within a percent of that of a complete profile"
    is "$(awk '$1 == "large" { print $NF }' <<EOF
$(trod version score --full=full.trod merged/large.entries)
EOF
)" 0 "$type: nothing ran that did not run"
done
is "$(awk '$2 == "slow" { print $5, $9, $10, $11 }' merged/large.entries | head -n 1)" "- inferred was 2397" "scaled counts are inferred"

migrated calls
like "$(cat said)" 'counts of 3 functions were scaled, because functions that were profiled call them more or less often' "it says how many"
like "$(trod migrate --finish=plan --json large=some.trod -o merged)" '"scaled_functions": 3' "as JSON, too"
is "$(awk '$2 == "slow" { print $8 }' merged/large.entries)" 897 "slow is entered as often as pick calls it"
is "$(awk '$2 == "gone"' merged/large.entries)" "" "what is gone is gone"

migrated paths
ok "counts of a migrated profile do not contradict each other" trod check --calls merged/all.trod
ok "nor do those of a run" trod check --calls full.trod
# Without what the plan says of callers, they do.
sed -i '/^entries callers/,$d' plan/large.old
trod migrate --finish=plan large=some.trod -o merged >log
exits 1 "contradictions are found" trod check --calls merged/all.trod
like "$(trod check --calls merged/all.trod 2>&1)" '^fact \(app.c\): entered [0-9]* times, called [0-9]* times' "with their numbers"
like "$(trod check --calls --json merged/all.trod 2>log)" '"called": *[0-9]' "as JSON"
ok "which is not asked for" trod check merged/all.trod

# A caller that is as before changes nothing.
(cd old && trod cc -O2 -g -o ../same app.c)
trod migrate --old=one --new=same --type=paths --level=function large=old.trod -o plan >log
TROD_OUT=again.trod ./same 3000 >log
trod migrate --finish=plan large=again.trod -o merged >said
is "$(grep -c scaled said)" 0 "counts that are as before are not scaled"

# Calls that a fork would count twice are not compared.
cat >fork.c <<'EOF'
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static int leaf(int x) { return x & 1 ? x * 3 : x; }
int main(int argc, char **argv)
{
    int x = leaf(argc);
    (void)argv;
    if (fork() == 0)
        return x - 3;
    wait(&x);
    return 0;
}
EOF
trod cc -O2 -g -o fork fork.c
TROD_OUT=fork.trod ./fork
like "$(trod check --calls fork.trod 2>&1)" 'calls are not compared: what a path did before a fork' "nor is what ran before a fork"
done_testing
