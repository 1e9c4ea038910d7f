#!/bin/sh
# trod cc --only=FILE: the functions in the list are counted as without the option, and no others.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir -p src/lib
cat >src/app.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
int outside(int n);
__attribute__((noinline)) static int weigh(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i % 3 ? outside(i) : 1;
    return sum;
}
__attribute__((noinline)) static int check(int n)
{
    return n > 4 ? weigh(n) : weigh(2 * n);
}
int main(int argc, char **argv)
{
    int sum = 0;

    for (int i = 1; i < argc; i++)
        sum += check(atoi(argv[i]));
    printf("%d\n", sum);
    return 0;
}
EOF
cat >src/lib/outside.c <<'EOF'
__attribute__((noinline)) static int check(int n)
{
    return n % 2 ? 3 : 4;
}
__attribute__((noinline)) int outside(int n)
{
    return n > 2 ? check(n) : 1;
}
EOF

# build FLAG...: the program app.
build()
{
    rm -f ./*.trod
    trod cc "$@" -O2 -g -o app src/app.c src/lib/outside.c
}

# entry NAME [UNIT]: what the map of app says of a function, of a unit.
entry()
{
    objcopy --dump-section .trod.map=app.map app copy
    awk -v "name=$1" -v "unit=${2-}" '$1 == "unit" { on = 0; here = unit == "" || index($2, unit) }
        $1 == "function" || $1 == "skipped" { on = here && $1 == "function" && $2 == name } on' app.map
}

# hash NAME: of the name, which profiles know it by.
hash()
{
    entry "$1" | awk '$1 == "function" { print $3 }'
}

# counts HASH: paths and counts of a function.
counts()
{
    trod show ./*.trod | awk -v "hash=$1" '/^function/ { on = $2 == hash; next } /^[a-z]/ { on = 0 } on'
}

want=$(build 2>/dev/null && ./app 3 5 9)
printf '%s\n' '# what is to be profiled again' 'weigh' '' 'outside src/lib/outside.c # of this file' >list

for mode in --at=source --iterations=2 --subpaths --wpp --at=code --burst=trigger=always --online; do
    build "$mode"
    ./app 3 5 9 >/dev/null
    for f in weigh outside; do
        entry $f >whole.$f
        counts "$(hash $f)" >whole.$f.counts
    done
    is "$(build "$mode" --only=./list 2>&1)" "" "$mode: a list is taken"
    is "$(./app 3 5 9)" "$want" "$mode: the program does what it did"
    for f in weigh outside; do
        entry $f >some.$f
        ok "$mode: graph, numbering and hashes of $f are as without it" cmp whole.$f some.$f
        ok "$mode: it has some" grep -q "^numbering $f " some.$f
        counts "$(hash $f)" >some.$f.counts
        case $mode in
        --at=* | --iterations* | --subpaths)
            ok "$mode: so are its counts" cmp whole.$f.counts some.$f.counts
            ok "$mode: it has some" test -s some.$f.counts
            ;;
        esac
    done
    for f in main check; do
        is "$(entry $f)" "" "$mode: $f is not counted"
        like "$(cat app.map)" "^skipped $f \"not chosen\"" "$mode: which the map says"
    done
    is "$(trod show ./*.trod | awk '/^function/ { print $2 }' | sort -u |
        grep -vc -e "$(hash weigh)" -e "$(hash outside)")" 0 "$mode: the profile knows no others"
    ok "$mode: it is sound" sh -c 'trod check ./*.trod'
done

# What bursts count is of these, and nothing of the others.
build --burst=types=calls+methods+trips,trigger=always --only=./list
./app 3 5 9 >/dev/null
like "$(trod sample calls ./*.trod)" 'weigh.*outside' "bursts: calls by a function of the list"
unlike "$(trod sample calls ./*.trod | grep -v '^#')" '(main|check)  src' "but by no other"
unlike "$(trod sample functions ./*.trod | grep -v '^#')" 'main|check' "nor is it counted how often others are called"
build --wpp --only=./list
./app 3 5 9 >/dev/null
like "$(trod calls steps --expand ./*.trod)" ' weigh:[0-9]+ \( outside:[0-9]+ ' "steps of these are recorded in a row"
unlike "$(trod calls steps --expand ./*.trod)" '(main|check):' "and of no others"

# Units without any of them.
echo nobody >none
for mode in --at=source --wpp --burst --online; do
    for f in src/app.c src/lib/outside.c; do
        trod cc "$mode" --only=./none -O2 -c -o some.o $f
        clang-19 -O2 -c -o plain.o $f
        is "$(objdump -dr some.o | tail -n +4)" "$(objdump -dr plain.o | tail -n +4)" \
            "$mode: $f without any of them is what the compiler makes of it"
    done
done

# Files tell functions of one name apart.
echo 'check outside.c' >list
build --only=./list
is "$(entry check app.c)" "" "a function of another file is not meant"
like "$(entry check outside.c)" '^function check' "that of the file is"
echo 'check lib/../app.c' >list
build --only=./list
like "$(entry check app.c)" '^function check' "whatever way the file is named"
echo 'check ide.c' >list
like "$(build --only=./list 2>&1)" '^trod: note: 1 function of ./list is not in app: check of ide.c$' \
    "but by whole names of files and folders"
echo 'check src/app.c' >list
is "$(cd src && trod cc --only=../list -O2 -o ../app app.c lib/outside.c 2>&1)" "" \
    "seen from another folder, a file is the same"
like "$(entry check app.c)" '^function check' "and so are its functions"
printf '%s\n' 'check "src/app.c"' 'nosuch' 'gone src/app.c' >list
is "$(build --only=./list 2>&1)" \
    "trod: note: 2 functions of ./list are not in app: gone of src/app.c, nosuch" \
    "what no unit has is named when the program is linked"
is "$(cd src/lib && trod cc --only=../../list -c -o outside.o outside.c 2>&1)" "" "and not before"

# Nothing at all.
: >list
for mode in --at=source --iterations=2 --subpaths --wpp --at=code --burst --online; do
    is "$(build "$mode" --only=./list 2>&1)" "" "$mode: an empty list is one"
    is "$(./app 3 5 9)" "$want" "$mode: the program does what it did"
    ok "$mode: and leaves a profile" sh -c 'trod check ./*.trod'
    unlike "$(trod show ./*.trod)" '^function' "$mode: that has nothing"
    like "$(trod show ./*.trod)" '^module .* (source|iterations2|steps|code|burst|blocks) ' "$mode: but its mode"
done
build --only=./list
./app 1 >/dev/null
like "$(trod report --brief ./*.trod)" '^# 0 of 0 paths that ran, 0 times in all' "the report says so"
like "$(trod report --brief ./*.trod)" '^# not counted: main \(src/app.c\): not chosen' "and why"
echo weigh >list
build --only=./list
./app >/dev/null
ok "a program that runs none of them leaves a profile, too" sh -c 'trod check ./*.trod'
unlike "$(trod show ./*.trod)" '^=' "without counts"
ok "a library" trod cc --only=./list -O2 -g -shared -fPIC -o libapp.so src/app.c src/lib/outside.c
ok "a static program" trod cc --only=./list -O2 -static -o app src/app.c src/lib/outside.c
ok "a program linked by lld" trod cc --only=./list -fuse-ld=lld-19 -O2 -o app src/app.c src/lib/outside.c

# What cannot be.
exits 5 "a list that is not there" trod cc --only=./missing -c src/app.c
like "$(trod cc --only=./missing -c src/app.c 2>&1)" 'missing: No such file.*functions to count, one per line' \
    "is reported"
echo 'weigh src/app.c more' >list
ok "a line with more than that" sh -c '! trod cc --only=./list -c src/app.c 2>printed'
like "$(cat printed)" 'list:1: unexpected text' "is reported"
echo '* ' >list
like "$(trod cc --only=./list -c src/app.c 2>&1)" 'list:1: expected the mangled name of a function' "so is one with less"

done_testing
