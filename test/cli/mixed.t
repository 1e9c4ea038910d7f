#!/bin/sh
# Units that are built in different modes are not linked into one program, as counts and samples could not be
# distinguished. All others are.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >a.c <<'END'
#include <stdio.h>
int g(int i);
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 10; i++)
        sum += g(i);
    printf("%d\n", sum);
    return 0;
}
END
echo 'int g(int i) { return i & 1 ? i : -i; }' >b.c
for mode in plain code iterations2 subpaths wpp online burst; do
    case $mode in
    plain) option= ;;
    code) option=--at=code ;;
    iterations2) option=--iterations=2 ;;
    *) option=--$mode ;;
    esac
    # shellcheck disable=SC2086
    trod cc $option -O1 -c a.c -o a.$mode.o && trod cc $option -O1 -c b.c -o b.$mode.o
done
clang-19 -O1 -c b.c -o b.none.o

# refused A B: names both objects and what to do.
refused()
{
    said=$(trod cc "a.$1.o" "b.$2.o" -o p 2>&1) && said="it links"
    like "$said" "cannot_mix_modes__build_all_units_with_the_same_option" "$1 and $2 are refused"
    like "$said" "a.$1.o" "$1 and $2: the one is named"
    like "$said" "b.$2.o" "$1 and $2: the other is named"
}
refused plain online
refused online burst
refused burst code
refused wpp subpaths
like "$(trod cc a.plain.o b.burst.o -o p 2>&1)" 'trod\.cc--burst.*trod\.cc' "GNU ld says how they were built"

links()
{
    is "$(trod cc "a.$1.o" "b.$2.o" -o p 2>&1 && TROD_OUT=p.trod ./p)" 5 "$1 and $2 are linked"
}
links plain plain
links plain code
links plain iterations2
links plain subpaths
links online online
links burst burst
links wpp wpp
links online none
trod cc --burst=rate=7 -O1 -c b.c -o b.burst.o
links burst burst
done_testing
