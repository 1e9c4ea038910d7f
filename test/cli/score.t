#!/bin/sh
# Scores of real profiles: counts that follow from the source are right, and wrong ones are not; call sequences of two
# versions, one of them recorded in part; profiles of gprof and llvm-cov.
# shellcheck disable=SC2016 # Perl stands in single quotes.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$TROD_CONFIG" = asan ] && skip_all "programs cannot be compiled with it"

# Acc and P of the line of an input.
acc() { awk -v input="$1" '$1 == input { print $4, $6; exit }'; }

cat >rest.c <<'END'
int helper(int i);
int fi(int i) { return i * 2; }
int fj(int i) { return i + 1; }
int foo(void)
{
    int s = 0;

    for (int i = 0; i < 3; i++)
        s += fi(i);
    return s;
}
int fee(void) { return fj(4); }
int apply(int k)
{
    int s = 0;

    for (int i = 0; i < k; i++)
        s += helper(i);
    return s + fj(k);
}
END
cat >old.c <<'END'
int foo(void), fee(void), apply(int), fi(int);
int helper(int i) { return i ? fi(i) : 0; }
int main(void)
{
    int r = foo();

    r += fee();
    for (int i = 0; i < 2; i++)
        r += apply(i + 1);
    return r == 0;
}
END
cat >new.c <<'END'
int foo(void), fee(void), apply(int), fi(int);
int helper(int i) { return i ? fi(i) + fi(i + 1) : 0; }
int main(void)
{
    int r = fee();

    r += foo();
    for (int i = 0; i < 2; i++)
        r += apply(i + 1);
    return r == 0;
}
END

# --- counts ---------------------------------------------------------------------------------------------

ok "a program is compiled" trod cc -O1 -g -o new new.c rest.c
./new
mv new.*.trod full-one.trod
cat >one.entries <<'END'
entries calls
input one
entry main new.c - - - - 1 profiled
entry helper new.c - - - - 3 profiled was 3
entry fi rest.c - - - - 5 profiled was 4
entry fj rest.c - - - - 3 reused was 3
entry foo rest.c - - - - 1 reused was 1
entry fee rest.c - - - - 1 reused was 1
entry apply rest.c - - - - 2 validated was 2
END
is "$(trod version score one.entries --full full-one.trod | acc one)" "100.00% 1.0000" "calls are right"
sed 's/- 2 validated was 2/- 7 validated was 7/' one.entries >wrong.entries
is "$(trod version score wrong.entries --full full-one.trod | acc one)" "85.71% 0.7500" "a wrong call is seen"
mkdir merged
cp one.entries merged/
is "$(trod version score merged --full one=full-one.trod | acc one)" "100.00% 1.0000" "a folder has merged entries"

cat >loops.entries <<'END'
entries loops
input one
entry main new.c 0 - - - 3
entry foo rest.c 0 - - - 4
entry apply rest.c 0 - - - 5
END
is "$(trod version score loops.entries --full full-one.trod | acc one)" "100.00% 1.0000" "loops are right"

trod show full-one.trod >one.text
exits 4 "a type that paths have not" trod version score - --full=one.text <<'END'
entries strides
entry f - - - - - 1
END
printf 'spans one\nspan 0 @ :\nthread 0 0\n' >empty.spans
exits 4 "a path profile where steps are expected" trod version score empty.spans --full=full-one.trod
exits 5 "a file that is not there" trod version score one.entries --full=nothing.trod

# --- call graphs of bursts ------------------------------------------------------------------------------------

cat >graph.entries <<'END'
entries callgraph
input graph
entry main new.c - fee - - 1 profiled
entry main new.c - foo - - 1 profiled
entry main new.c - apply - - 2 profiled
entry apply rest.c - helper - - 3 reused was 3
entry apply rest.c - fj - - 2 reused was 2
entry fee rest.c - fj - - 1 reused was 1
entry foo rest.c - fi - - 3 reused was 3
entry helper new.c - fi - - 2 profiled was 1
END
ok "calls are counted" trod cc --burst=types=calls,trigger=always -O0 -g -o graph new.c rest.c
./graph
is "$(trod version score graph.entries --full graph.*.trod | acc graph)" "100.00% 1.0000" "the call graph is right"
ok "calls are estimated" trod cc --burst=types=calls -O0 -g -o guess new.c rest.c
./guess
exits 4 "estimates are nothing to be right about" trod version score graph.entries guess.*.trod

# --- call sequences ----------------------------------------------------------------------------------------

ok "the old version records" trod cc --wpp -O1 -o old old.c rest.c
./old
ok "the new version records" trod cc --wpp -O1 -o all new.c rest.c
./all
# What changed is in one file: the other is compiled without.
ok "the rest is not recorded" clang-19 -O1 -c rest.c
ok "what changed is" trod cc --wpp -O1 -o some new.c rest.o
./some
trod calls steps --spans old.*.trod >old.spans
ok "both are put together" trod calls steps --spans --old=old.spans -o merged.spans some.*.trod
trod version score merged.spans --full all.*.trod >spans.out
is "$(acc some <spans.out)" "100.00% 1.0000" "all transitions are right"
is "$(sed 1,4d spans.out | acc some)" "100.00% 1.0000" "all spans are right"
exits 4 "steps where a path profile is expected" trod version score loops.entries all.*.trod
is "$(trod calls steps --spans --selective some.*.trod | sed 's/some/x/')" "spans x
span 0 fee outside :
span 1 foo outside :
span 2 helper :
span 3 apply outside : 2
span 4 fi outside :
span 5 helper : 4*2
span 6 apply outside : 2 5
span 7 main : 0 1 3 6
span 8 @ : 7
thread 0 8" "whom what was recorded called is known by name"
is "$(trod version score old.spans --full old.*.trod | acc old)" "100.00% 1.0000" "a sequence is right about itself"
trod version score old.spans --full all.*.trod >blind.out
case $(acc old <blind.out) in 100*) same=yes ;; *) same=no ;; esac
is "$same" no "what is reused blindly is wrong"

# --- gprof and llvm-cov --------------------------------------------------------------------------------------

if gcc -pg -O1 -fno-inline -o pg new.c rest.c 2>gcc.log && ./pg && [ -s gmon.out ]; then
    cat >pg.entries <<'END'
entries callgraph
input pg
entry main - - fee - - 1
entry main - - foo - - 1
entry main - - apply - - 2
entry apply - - helper - - 3
entry apply - - fj - - 2
entry fee - - fj - - 1
entry foo - - fi - - 3
entry helper - - fi - - 2
END
    is "$(trod version score pg.entries --full=gmon.out --binary=pg | acc pg)" "100.00% 1.0000" "gprof's call graph"
    gcc -no-pie -pg -O1 -fno-inline -o pg new.c rest.c && ./pg
    is "$(trod version score pg.entries --full=gmon.out --binary=pg | acc pg)" "100.00% 1.0000" \
        "gprof's call graph of a program at a fixed address"
    exits 4 "gprof's needs the program" trod version score pg.entries --full=gmon.out
    head -c 1000 gmon.out >cut.out
    exits 3 "gprof's, cut off" trod version score pg.entries --full=cut.out --binary=pg
else
    skip "gprof's call graph" "no gcc -pg"
fi

if command -v llvm-profdata-19 >which.log && command -v llvm-cov-19 >which.log; then
    clang-19 -fprofile-instr-generate -fcoverage-mapping -o cov new.c rest.c
    LLVM_PROFILE_FILE=cov.profraw ./cov
    llvm-profdata-19 merge -o cov.profdata cov.profraw
    llvm-cov-19 export -instr-profile=cov.profdata cov >cov.json
    is "$(sed 's/input one/input cov/' one.entries | trod version score - --full=cov.json | acc cov)" \
        "100.00% 1.0000" "llvm-cov's calls are those of paths"
    head -c 500 cov.json >cut.json
    exits 3 "llvm-cov's, cut off" trod version score one.entries --full=cut.json
else
    skip "llvm-cov's calls" "no llvm-cov-19"
fi

done_testing
