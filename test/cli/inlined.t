#!/bin/sh
# Paths of optimised code: lines of an inlined function are not reported as lines of its caller.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'END'
static volatile int seen;

static inline __attribute__((always_inline)) int weigh(int x)
{
    if (x % 3)
        seen = x;
    return seen;
}

__attribute__((noinline)) int outer(int x)
{
    int n = 0;

    for (int i = 0; i < x; i++)
        n += weigh(i);
    if (weigh(n))
        n++;
    return n;
}

__attribute__((noinline)) int tail(int x)
{
    return weigh(x);
}

int main(int argc, char **argv)
{
    int sum = 0;

    (void)argv;
    for (int i = 0; i < 40; i++)
        sum += outer(i + argc) + tail(i);
    return sum == 0;
}
END

trod cc --burst=trigger=always -g -O1 -fno-unroll-loops -o app app.c
TROD_OUT=app.trod ./app
all=$(trod report --brief --most=1000 app.trod)
outer=$(printf '%s\n' "$all" | grep ' outer =')
like "$outer" ' weigh\(5:way[12]\)' "a decision in inlined code is printed with its function"
unlike "$outer" ' [1-9]:way' "and no line of it as the outer function's"
unlike "$all" '(loop|again|return|from|to) [1-8]( |$)' "paths start and end on lines of their own function"
like "$outer" '(loop|again) 1[56]' "a round of the loop"
like "$(printf '%s\n' "$all" | grep ' tail =')" ' entry weigh\(5:way1\) return 2[0-9]$' "a function that is all inlined"
like "$(trod annotate app.trod | grep 'if (x % 3)')" '[0-9]+ #* +5 ' "lines of inlined code still have their counts"

# The page has what it needs to tell the same.
trod html -q --json app.trod -o page.json
is "$(python3 -c "
import json
for f in json.load(open('page.json'))['functions']:
    if f['name'] == 'outer':
        print(all(12 <= b[1] <= 19 and 12 <= b[2] <= 19 for b in f['inlined']), {b[3] for b in f['inlined'] if len(b) > 3})")" \
    "True {'weigh'}" "the page: lines of the function's own, and whose others are"

# C++ names are demangled.
sed 's/weigh(/shop::weigh(/; s/^static inline/namespace shop { &/; s/int shop::weigh(int x)/int weigh(int x)/; s/^    return seen;/& }/' app.c >app.cc
trod c++ --burst=trigger=always -g -O1 -fno-unroll-loops -o cxx app.cc
TROD_OUT=cxx.trod ./cxx
like "$(trod report --brief --most=1000 cxx.trod | grep 'outer(int) =')" ' shop::weigh\(int\)\(5:way[12]\)' "C++"

# Paths of optimised code that are all counted: each branch with its line, the text of it, and the function that it was
# inlined from.
mkdir -p inc
cat >inc/skip.h <<'END'
static inline __attribute__((always_inline)) const char *skip(const char *s)
{
    while (*s == '-')
        s++;
    return s;
}
END
{
    echo '#include "inc/skip.h"'
    sed -n '1,/^END/p' app.c | sed 's/(void)argv;/seen = *skip(argv[0]);/'
} >both.c
for level in -O1 -O2 -O3; do
    trod cc --at=code -g $level -fno-unroll-loops -o both both.c
    rm -f both.trod
    TROD_OUT=both.trod ./both
    report=$(trod report --most=1000 both.trod)
    like "$report" '^ +6  if \(x % 3\) +way [12] of 2(, way [12] of 2)*  \(in weigh\)' "$level: a branch of an inlined function"
    like "$report" '^ +3  while \(.s == .-.\) +way [12] of 2  \(in skip, skip.h\)' "$level: one of another file"
    unlike "$report" "not in the source|the compiler's branch" "$level: all branches have a line"
    brief=$(trod report --brief --most=1000 both.trod)
    like "$brief" ' weigh\(6:way[12]\)' "$level: in one line"
    like "$brief" ' skip\(skip.h:3:way[12]\)' "$level: with the file"
    unlike "$brief" '[ (]way[12]' "$level: no way without a line"
    like "$(trod report -v --json both.trod | tr -d ' \n')" '"file":"[^"]*skip.h","line":3,"function":"skip"' "$level: JSON"
done

done_testing
