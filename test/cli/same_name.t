#!/bin/sh
# Functions that share a name: copies of one function are merged, others are distinguished.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >kind.h <<'END'
static inline int kind(int x)
{
    if (x & 1)
        return 3;
    return 2;
}

#ifdef MORE
static inline int more(int x)
{
    return x + 1;
}
#else
static inline int more(int x)
{
    return x + 2;
}
#endif

static inline int odd(int x)
{
#ifdef MORE
    if (x > 7)
        return 2;
#endif
    return x & 1;
}
END
cat >a.c <<'END'
#define MORE
#include "kind.h"

static int own(int x)
{
    return x ? kind(x) : 0;
}

int both(int x)
{
    return own(x) + more(x) + odd(x);
}
END
cat >b.c <<'END'
#include "kind.h"

int both(int x);

static int own(int x)
{
    return x & 2 ? 7 : kind(x);
}

int main(void)
{
    int sum = 0;

    for (int i = 0; i < 40; i++)
        sum += own(i) + more(i) + odd(i) + both(i);
    return sum == 0;
}
END
trod cc -g -O0 a.c b.c -o app
TROD_OUT=app.trod ./app
all=$(trod report --brief app.trod)
is "$(printf '%s\n' "$all" | sed -n 's/^.*% *\([0-9]*\)  \(kind .*\)/\1 \2/p')" "30 kind =0  entry 3:T return 6
29 kind =1  entry 3:F return 6" "copies of a header's function are one"
like "$all" '^# 2 paths of copies of these functions in other units are added to$' "which is reported"
like "$all" '^# 15 of 17 paths that ran, 380 times in all' "the number of paths is that of coverage"
is "$(printf '%s\n' "$all" | sed -n '/^ .*%/s/^.*%  *[0-9]*  \(.* =[0-9]*\)  .*/\1/p' | sort | uniq -d)" "" \
    "no two rows are called the same"
like "$all" ' own \(a\.c:4\) =0 ' "functions of two files: the file"
like "$all" ' own \(b\.c:5\) =0 ' "and the other"
like "$all" ' more \(kind\.h:9\) =0 ' "two of one file: the line"
like "$all" ' odd \(kind\.h:20, in a\.c\) =0 ' "one of the source that was compiled in two ways: the unit"
like "$all" ' odd \(kind\.h:20, in b\.c\) =0 ' "and the other unit"
like "$all" ' main =2 ' "an unambiguous name is enough"
like "$(trod report --brief --group=loop app.trod)" ' 59 .* kind  entry ' "joined where paths begin"
like "$(trod report --brief --group=loop app.trod)" ' more \(kind\.h:9\)  entry ' "distinguished where paths begin"

# Scripts have them apart.
trod report --json --most=100 app.trod >app.json
is "$(python3 -c "
import json
hot = json.load(open('app.json'))['report']['hot']
print(sorted((row['unit'], row['file'][-6:], row['line'], row['id'], row['count']) for row in hot if row['function'] == 'kind'))")" \
    "[('a.c', 'kind.h', 1, 0, 20), ('a.c', 'kind.h', 1, 1, 19), ('b.c', 'kind.h', 1, 0, 10), ('b.c', 'kind.h', 1, 1, 10)]" \
    "JSON: unit, file and line"

# Coverage is of each copy.
cover=$(trod coverage --sort=share app.trod)
like "$cover" ' kind  kind\.h:1 \(in a\.c\)$' "coverage: a copy"
is "$(printf '%s\n' "$cover" | sed -n 's/^.*%  \([^ ].*\)/\1/p' | sort | uniq -d)" "" "coverage: no two rows are called the same"
like "$(trod coverage --json app.trod)" '"unit": "b.c"' "coverage as JSON: the unit"

# Without -g, the unit is all that is known.
trod cc -O0 a.c b.c -o bare
TROD_OUT=bare.trod ./bare
all=$(trod report --brief bare.trod)
like "$all" ' kind \(a\.c\) =0 ' "without lines: the unit"
like "$all" '^# 17 of 17 paths' "and nothing is joined"

# Of two profiles.
TROD_OUT=twice.trod ./app
trod merge -o two.trod app.trod twice.trod
like "$(trod diff --brief app.trod two.trod)" ' own \(b\.c:5\) =0 ' "a comparison distinguishes them, too"
unlike "$(trod report --brief --list app.trod)" '\(' "lists are as they were"
done_testing
