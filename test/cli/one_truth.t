#!/bin/sh
# Counts of lines, blocks, functions and decisions are the same wherever trod prints them. test/kit/one_truth.py
# compares them; test/coverage/lines.t checks that they are right.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

command -v python3 >python.path || skip_all "no python3"
truth() { python3 "$root/test/kit/one_truth.py" "$@"; }

# forms NAME [OPTION...]: of NAME.trod, everything that prints counts.
forms()
{
    of=$1
    shift
    mkdir -p "$of.forms"
    trod html -q --all --json --no-layout "$@" "$of.trod" >"$of.forms/page.json"
    trod annotate -q --all --json "$@" "$of.trod" >"$of.forms/annotate.json"
    trod stage flow -q --json "$of.trod" >"$of.forms/flow.json"
    trod coverage -q --json "$of.trod" >"$of.forms/coverage.json"
    for to in lcov:lcov.info gcov:gcov.json cobertura:cobertura.xml json:export.json; do
        trod export -q --to="${to%%:*}" "$of.trod" >"$of.forms/${to#*:}"
    done
}

# agree NAME WHAT: all forms agree, and enough was compared.
agree()
{
    said=$(truth "$1.forms" 2>differ) && yes=yes || yes=no
    tap_report "$yes" "$2: $said"
    [ "$yes" = yes ] || sed 's/^/#   /' differ >&2
    like "$said" '[0-9]{2,} lines.* 0 differ' "$2: which is many"
}

# --- a loop on one line, a condition in it, a macro, copies of a function ------------------------------------------

cat >same.h <<'EOF'
static inline int clamp(int x) { return x < 0 ? 0 : x > 99 ? 99 : x; }
EOF
cat >app.c <<'EOF'
#include <stdio.h>
#include "same.h"
#define EACH(i, n) for (int i = 0; i < (n); i++)
int other(int);
static int hop(const char *p) { int n = 0; while (*p == ' ' || *p == '\t') p++, n++; return n; }
int main(int argc, char **argv)
{
    int sum = 0;

    EACH(i, 50) { if (i % 3 && (i & 4 || argc > 1)) sum += clamp(i); else sum--; }
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < i; k++) sum += other(k - i);
    switch (sum % 4) {
    case 0: sum++; break;
    case 1:
    case 2: sum += hop("   x"); break;
    default: sum += hop("\t x");
    }
    return argc == 7 ? (int)(argv[1] != 0) : sum < 0;
}
EOF
cat >other.c <<'EOF'
#include "same.h"
int other(int x)
{
    return clamp(x) + clamp(200 + x);
}
EOF
levels='-O0 -O2'
[ -z "${TROD_FULL:-}" ] || levels='-O0 -O1 -O2 -O3'
for level in $levels; do
    trod cc "$level" -g -o app app.c other.c
    TROD_OUT=app$level.trod ./app
    forms "app$level"
    agree "app$level" "copies, loops on a line, $level"
done

# --- the example ----------------------------------------------------------------------------------------------------

cp "$root/example/json.c" .
printf '[{"a": [1, 2.5e3, "x\\ny"], "b": null},\n {"c": [[], {}, true, "\\u00e9"]}]\n' >in.json
for level in -O0 -O2; do
    trod cc "$level" -g -o json json.c
    TROD_OUT=json$level.trod ./json <in.json >json.out
    forms "json$level"
    agree "json$level" "json.c, $level"
done
for form in page annotate flow lcov gcov cobertura export coverage; do
    exits 1 "one count of $form that is another is found" python3 "$root/test/kit/one_truth.py" json-O2.forms --plant=$form
done

# The lines of a page are those of the whole file, whatever functions are shown.
trod html -q --json --no-layout -f main json-O2.trod >json-O2.forms/page.json
like "$(truth json-O2.forms 2>differ)" ' 0 differ$' "the page of one function says the same of its file"

# --- clang's own counters -------------------------------------------------------------------------------------------

profdata=$(command -v llvm-profdata-19 || command -v llvm-profdata)
cov=$(command -v llvm-cov-19 || command -v llvm-cov)
if [ -n "$profdata" ] && [ -n "$cov" ]; then
    trod cc --counters -O0 -g -o counted json.c
    TROD_OUT=counted.trod ./counted <in.json >json.out
    forms counted
    trod export -q --to=llvm counted.trod >counted.proftext
    "$profdata" merge -o counted.profdata counted.proftext
    clang-19 -fprofile-instr-generate -fcoverage-mapping -O0 -g -o mapped json.c
    "$cov" export -instr-profile=counted.profdata ./mapped >counted.forms/llvm.json
    agree counted "with llvm-cov"
    exits 1 "one count of llvm-cov that is another is found" python3 "$root/test/kit/one_truth.py" counted.forms --plant=llvm
else
    skip "llvm-cov" "no llvm-profdata and llvm-cov"
fi

# --- real programs --------------------------------------------------------------------------------------------------

if [ -n "${TROD_FULL:-}" ] && lua=$("$root/tools/source" lua 2>source.log); then
    cp -r "$lua/src" lua
    rm -f lua/luac.c
    (cd lua && trod cc -std=gnu99 -O2 -g -DLUA_USE_POSIX -I. -o ../lua.bin ./*.c -lm 2>../lua.log)
    echo 'local t = {} for i = 1, 999 do t[i] = i % 7 end table.sort(t) print(#t, ("x"):rep(9), pcall(error))' >t.lua
    TROD_OUT=lua.trod ./lua.bin t.lua >lua.out
    forms lua --source=lua
    agree lua "Lua"
else
    skip "real programs" "in a full run, where sources can be had"
fi

# Templates and lambdas of C++, and what it has in headers.
if [ -n "${TROD_FULL:-}" ]; then
    cat >words.cc <<'EOF'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <class T> static int most(const std::vector<T> &all) { int n = 0; for (const T &one : all) if (one > all[n]) n = &one - &all[0]; return n; }
int main()
{
    std::map<std::string, int> seen;
    std::vector<std::string> words = {"a", "bb", "a", "ccc", "bb", "a"};
    for (const auto &word : words) seen[word]++;
    std::sort(words.begin(), words.end(), [](const std::string &a, const std::string &b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
    return most(words) + most(std::vector<int>{3, 9, 1}) + seen["a"] == 0;
}
EOF
    for level in -O0 -O2; do
        trod c++ "$level" -g -o words words.cc
        TROD_OUT=words$level.trod ./words
        forms "words$level"
        agree "words$level" "C++, $level"
    done
else
    skip "C++" "in a full run"
fi
done_testing
