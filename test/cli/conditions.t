#!/bin/sh
# The conditions in reports are those of the source: clang's coverage mapping says where each begins and ends.
# TROD_FULL=1 adds real programs.
# shellcheck source=test/kit/tap.sh disable=SC2094,SC2317
. "${0%/*}/../kit/tap.sh"

trod="$root/build/release/trod"
for command in llvm-profdata-19 llvm-cov-19 python3; do
    if ! command -v "$command" >found; then
        skip "conditions" "$command is not installed"
        done_testing
        exit 0
    fi
done

cat >shapes.c <<'C'
#include <stdlib.h>
#include <string.h>
#define POSITIVE(x) ((x) > 0)
#define BOTH(a, b) ((a) && (b))
struct node { struct node *next; int value; char name[8]; };
static volatile int seen;

static int look(struct node *n, int x, int y, const char *s)
{
    int i, c, sum = 0;

    if (!n || n->next == n)
        seen++;
    if (n && (n->value > 3 || (x & 1 && !(y % 3))))
        seen++;
    if (!(x < y && y != 7) || strcmp(s, "a && (b") == 0)
        seen += 2;
    while ((c = *s++) != 0 && c != ')')
        sum += c == '(' ? 1 : c == '"' || c == '\'' ? 2 : 3;
    for (i = 0; i < 10 &&
                /* a comment with ) and && */ sum < 1000; i++)
        if (POSITIVE(x - i) && i % 2)
            sum += BOTH(x, i) ? i : -i;
    do
        x -= 3;
    while (x > 0
#ifndef NOTHING
        && y > -5
#endif
    );
    sum += __builtin_expect(y > 100, 0) ? 7 : (seen & 1) == 0 ? 8 : 9;
    if (((sum)))
        seen--;
    return sum > 0 && x ? sum : seen > y || n;
}

int main(int argc, char **argv)
{
    struct node b = {NULL, 5, "b"}, a = {&b, 1, "a"};
    int sum = 0;

    for (int i = -5; i < 40; i++)
        sum += look(i % 4 ? &a : i % 8 ? &b : NULL, i, 3 * i - argc, i % 3 ? "(x)" : argv[0]);
    return sum == 12345;
}
C
cat >shapes.cc <<'C'
#include <map>
#include <string>
#include <vector>
namespace {
template <class T> T largest(const std::vector<T> &all, T least)
{
    for (const auto &x : all)
        if (x > least && x != T(13))
            least = x;
    return least;
}
struct shop {
    std::map<std::string, int> price;
    bool has(const std::string &name) const { return price.find(name) != price.end(); }
    int buy(const std::string &name, int n)
    {
        if (auto it = price.find(name); it != price.end() && it->second > n)
            return it->second - n;
        else if (name.empty() or not has("x"))
            return -1;
        return n > 3 ? n : 0;
    }
};
}
int main(int argc, char **)
{
    shop s;
    int sum = 0;
    auto odd = [argc](int x) { return x % 2 == 1 && x > argc; };

    s.price["x"] = 3;
    for (int i = 0; i < 20; ++i) {
        sum += s.buy(i % 2 ? "x" : i % 3 ? "" : "y", i);
        if (odd(i) || static_cast<unsigned>(i) < 3u)
            sum += largest<int>({i, 13, 2 * i}, argc);
        try {
            if (i > 17 && s.price.at("nothing") > 0)
                sum++;
        } catch (...) {
            sum--;
        }
    }
    return sum == 12345;
}
C
cp "$root/example/json.c" .
printf '%s\n' '{"a": [1, -2.5e3, "x\u00e4\n", true, null], "b": {}}' >input

# regions COMPILER SOURCE: where conditions are.
regions()
{
    "$1" -w -O0 -fprofile-instr-generate -fcoverage-mapping -o covered "$2" || exit 1
    LLVM_PROFILE_FILE=raw ./covered <input >out
    llvm-profdata-19 merge -o data raw && llvm-cov-19 export covered -instr-profile=data >"$2.regions"
}
check()
{
    python3 "$root/test/coverage/check_conditions.py" "$@"
}

for of in cc:clang-19:shapes.c c++:clang++-19:shapes.cc cc:clang-19:json.c; do
    source=${of##*:}
    compiler=${of#*:}
    regions "${compiler%:*}" "$source"
    for level in 0 1 2 ${TROD_FULL:+3}; do
        "$trod" "${of%%:*}" -w -O"$level" -g -o app "$source"
        rm -f ./*.trod
        TROD_OUT=app.trod ./app <input >out
        trod report -q --json --conditions --most=100000 app.trod >report
        ok "$source, -O$level: conditions are those of the source" check report "$source.regions"
    done
done

# A suite that cannot fail is no evidence.
sed 's/"condition": "\(.*\)"/"condition": "\1 "/' report >same
ok "blanks make no difference" check same json.c.regions
sed 's/"condition": "peek(r) /"condition": "peek(s) /' report >other
exits 1 "another condition is found" check other json.c.regions
sed 's/"condition"/"text"/' report >none
exits 1 "a report without conditions is found" check none json.c.regions

if [ -n "${TROD_FULL:-}" ] && source=$("$root/tools/source" bzip2 2>said); then
    cp "$source"/*.c "$source"/*.h .
    files="bzip2.c bzlib.c blocksort.c compress.c decompress.c huffman.c crctable.c randtable.c"
    # shellcheck disable=SC2086
    clang-19 -w -fprofile-instr-generate -fcoverage-mapping -o covered $files
    LLVM_PROFILE_FILE=raw ./covered -c bzlib.c >out
    llvm-profdata-19 merge -o data raw && llvm-cov-19 export covered -instr-profile=data >regions
    # shellcheck disable=SC2086
    "$trod" cc -w -O2 -g -o app $files
    TROD_OUT=bzip2.trod ./app -c bzlib.c >out
    trod report -q --json --conditions --most=1000000 bzip2.trod >report
    ok "bzip2: conditions are those of the source" check report regions
fi

# --- branches of no line ------------------------------------------------------------------------------------

# A block with local variables that is left in several ways: clang lets them meet, and branches again.
cat >leave.c <<'C'
#include <string.h>
static volatile int seen;
__attribute__((noinline)) static int take(const char *s, int *i) { seen += *s; ++*i; return seen >= 0; }
__attribute__((noinline)) static void use(const void *p) { (void)*(volatile char *)p; }
int main(int argc, char **argv)
{
    int i = 1;
    char first[8] = "", error = 0;

    while (i < argc) {
        char copy[8];

        strncpy(copy, argv[i], 8);
        use(copy);
        if (copy[0] == '-') {
            char rest[8];

            memcpy(rest, copy, 8);
            use(rest);
            if (!take(rest, &i))
                goto out;
            if (error)
                break;
        } else {
            if (!take(first, &i))
                goto out;
        }
    }
    seen++;
out:
    return seen == 12345;
}
C
"$trod" cc -O2 -g -o leave leave.c
TROD_OUT=leave.trod ./leave a -b
TROD_OUT=tests.trod ./leave a
like "$(trod report leave.trod)" "^ +\\(the compiler's branch after line 24\\)  to line 28" \
    "a branch of no line has the last line before it"
like "$(trod untested --tested=tests.trod leave.trod)" "the compiler's branch after line 24" "... also where it is untested"

done_testing
