#!/bin/sh
# Exceptions in reports: how a path leaves its function, which handler catches, and only lines that ran.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >thrown.cc <<'C'
#include <cstdio>
#include <cstdlib>
#include <string>

static void check(int n, std::string text = "?")
{
    if (n)
        throw n;
    if (text == "end")
        exit(0);
}

static int begin(const char *text)
{
    if (!*text)
        check(1);

    std::string copy(text);
    check(text[1] - 'b', copy);
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        try {
            begin(argv[i]);
        } catch (long n) {
            printf("long %ld\n", n);
        } catch (int n) {
            printf("int %d\n", n);
        }
    check(0, "end");
}
C

# count LINE: of the annotated source; how its file is read says where the count stands.
count()
{
    trod annotate -q --json ran.trod >annotated.json
    python3 -c '
import json, sys
for f in json.load(open("annotated.json"))["files"]:
    for l in f["lines"]:
        if l["line"] == int(sys.argv[1]) and "count" in l:
            print(l["count"])' "$1"
}

for level in -O0 -O1 -O2 -O3; do
    rm -f ran.trod
    ok "$level: compiles" trod c++ $level -g -o thrown thrown.cc
    TROD_OUT=ran.trod ./thrown ab ac ad >out 2>&1
    trod report -q --brief --exact ran.trod >rows
    like "$(grep check rows)" "7:T throw 8" "$level: a path that throws"
    is "$(grep -c ':returns' rows)" 0 "$level: calls that might have thrown, and returned, are not printed"
    like "$(grep check rows)" "7:F .*stop 10" "$level: a path that ends in a call that does not return"
    like "$(grep begin rows)" "15:F .*19:throws unwind\$" "$level: a path that an exception ends"
    like "$(grep ' main' rows)" "27:throws 28:passes on 30:catches" "$level: which handler catches"
    is "$(count 16)" 0 "$level: a call that did not run, whose line the end of unwinding has"
    is "$(count 30)" 2 "$level: a handler that ran"
    is "$(count 29)" 0 "$level: a handler that did not"
    is "$(count 34)" 0 "$level: the last brace, whose line received exceptions have"
done

# That a call cannot throw is known when it was inlined: nothing unwinds to the destructor's landing pad any more, which
# remains without optimisation. Destructors in libstdc++ 14 are such.
cat >pad.cc <<'C'
#include <cstdio>

static int given = 0;

static void give(int n) noexcept { given += n; }

__attribute__((always_inline)) static inline void hand(int n) { give(n); }

struct guard {
    int n;

    ~guard() { hand(n); }
};

int main()
{
    for (int i = 1; i < 4; i++)
        guard g{i};
    printf("%d\n", given);
}
C
for mode in --at=source --at=code --online --burst; do
    ok "$mode: a landing pad that nothing unwinds to is compiled" trod c++ $mode -O0 -g -o pad pad.cc
    is "$(TROD_OUT=pad.trod ./pad)" 6 "$mode: the program runs"
    rm -f pad.trod
done
done_testing
