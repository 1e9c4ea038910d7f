#!/bin/sh
# A handwritten emulator log of a real program: names, lines and code are found in its file. Reports find the map, also
# for merged profiles.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'C'
#include <stdio.h>

__attribute__((noinline)) int sign(int x)
{
    if (x < 0)
        return -1;
    if (x > 0)
        puts("more");
    return 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    return sign(argc);
}
C
gcc -g -O0 -fno-pie -no-pie -Wl,--build-id=sha1 -o app app.c
id=$(readelf -n app | sed -n 's/.*Build ID: //p')
sign=$(nm app | sed -n 's/^0*\([0-9a-f]*\) T sign$/\1/p')
main=$(nm app | sed -n 's/^0*\([0-9a-f]*\) T main$/\1/p')
plt=$(objdump -d --section=.plt app | sed -n 's/^0*\([0-9a-f]*\) <puts@plt>.*/\1/p')
# Of the part that has its code: where it is mapped, and where it is in the file.
load()
{
    readelf -lW app | awk -v field="$1" '$1 == "LOAD" && $7 $8 ~ /E/ { print $field }'
}
offset=$(load 2)
start=$(load 3)
end=$(printf '0x%x' $((start + $(load 5))))

# seen FILE PID LINE...: a process without any description of its code
seen()
{
    file=$1
    {
        echo "seen 1 \"$PWD/app\" $2 1700000000 whole"
        echo "image 0 \"$PWD/app\" $id $start $end $offset"
        shift 2
        printf '%s\n' "$@"
        echo "total 0 0 0"
    } >"$file"
}
first="path 0x$main 0x$main - 3 9"
seen a.seen 1 "$first" "path 0x$sign 0x$sign 11 2 9" "path 0x$sign 0x$sign 10 1 9"
seen b.seen 2 "$first" "path 0x$sign 0x$sign 01 5 9" "path 0x$plt 0x$plt - 1 1"

ok "a process is lifted" trod hw lift -o a.trod a.seen
ok "and its map lies beside the profile" test -s a.trod.trodmap
report=$(trod report --brief -q a.trod)
like "$report" ' 3 +main =0 +entry return 1[67]' "functions and lines have their names"
like "$report" ' 2 +sign =[0-9]+ +entry 5:way1 7:way1 return 10' "a jump over what is inside is taken"
like "$report" ' 1 +sign =[0-9]+ +entry 5:way1 7:way2 return 10' "or not"
like "$(trod report --json a.trod)" '"file": ".*app.c"' "and their source"
ok "another is, too" trod hw lift -o b.trod b.seen
like "$(trod report --brief b.trod)" 'puts@plt' "stubs are called by what they call"
like "$(trod diff --brief a.trod b.trod)" '2 appeared, 2 vanished, 0 moved, 1 same' \
    "what did not run is decoded: graphs are the same"
trod merge -o sum.trod a.trod b.trod
like "$(trod report --brief sum.trod)" ' 6 +main =0 +entry return 1[67]' "a sum has the maps of all"
like "$(trod overlap a.trod b.trod)" 'complete' "profiles overlap"
like "$(trod coverage a.trod)" '3 of [0-9]+ paths' "coverage is reported"
like "$(trod show a.trod)" "map: \"?$PWD/a.trod.trodmap" "a run says where its map is"

# --- maps elsewhere -----------------------------------------------------------------------

ok "the map may go elsewhere" trod hw lift --map=other.map -o c.trod a.seen
is "$(trod report --brief -q c.trod)" "$report" "and is found there"
mkdir moved
mv a.trod a.trod.trodmap moved
is "$(trod report --brief -q moved/a.trod)" "$report" "one that moved with its profile is found beside it"
rm moved/a.trod.trodmap
like "$(trod report --brief -q moved/a.trod)" '\?[0-9a-f]{16}' "without it there are no names"
is "$(trod report --brief -q --binary=other.map moved/a.trod)" "$report" "it can be named"

# --- files that are gone, or are others ------------------------------------------------------

ok "standard output will do" sh -c 'trod hw lift a.seen >d.trod && trod check d.trod'
zstd -q a.seen -o a.zst && ok "what is packed is read" trod hw lift -o e.trod a.zst
is "$(trod report --brief -q e.trod)" "$report" "as if it were not"
sed "s/ $id / 00ff /" a.seen >other.seen
like "$(trod hw lift -o f.trod other.seen 2>&1)" 'not the build that ran' "not the build that ran is not asked for names"
like "$(trod show f.trod)" 'unwalked' "and what cannot be walked is noted"
mv app gone
like "$(trod hw lift -o f.trod a.seen 2>&1)" 'cannot be read; its functions are printed as file' "nor is what is gone"
like "$(trod report --brief f.trod)" 'note: unwalked' "reports say so"

done_testing
