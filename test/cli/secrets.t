#!/bin/sh
# What a shipped program reveals about its compilation: no values of macros, no absolute paths.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir -p home/alice/project/src home/alice/project/include home/alice/elsewhere
top=$PWD
export HOME="$top/home/alice"
echo '#define LIMIT 2' >home/alice/project/include/limit.h
cat >home/alice/project/src/app.c <<'EOF'
#include "limit.h"
#if defined API_KEY
int has_key;
#endif
__attribute__((noinline)) int weigh(int x)
{
    if (x > LIMIT)
        return SCALE;
    return 0;
}
int main(int argc, char **argv) { (void)argv; return weigh(argc); }
EOF
cd home/alice/project/src || exit 1

# map FILE: what the map in it says.
map()
{
    objcopy --dump-section .trod.map=map.txt "$1" copy.tmp && { zstd -qdc map.txt 2>/dev/null || cat map.txt; }
    rm -f copy.tmp
}
flags="-O1 -DAPI_KEY=hunter2 -D PASSWORD=hunter2 -DSCALE=31415 -DNDEBUG -D_GNU_SOURCE=1 -UOLD -std=c11 -Wall"
# shellcheck disable=SC2086
trod cc -g $flags -I"$HOME/project/include" -I "$HOME/elsewhere" -fdebug-types-section -MD -MF "$PWD/app.d" -c "$PWD/app.c" -o "$PWD/app.o"
trod cc -g app.o -o app
strip -o stripped app
unlike "$(strings -a stripped)" 'hunter2|31415' "no values of macros"
unlike "$(strings -a stripped)" "$top|alice" "no absolute paths"
like "$(map app)" '^unit app.c ' "the source is named as seen from where it was compiled"
like "$(map app)" '^file app.c$' "in functions, too"
like "$(map app)" '^directory "?project/src"?$' "and that without the user's home"
command=$(map app | grep '^command')
like "$command" 'API_KEY=trod_omitted.*PASSWORD=trod_omitted.*SCALE=trod_omitted' "names of macros are recorded"
like "$command" 'NDEBUG.*_GNU_SOURCE=1.*OLD.*-std=c11' "and what cannot be secret"
like "$command" '\.\./include.*\.\./\.\./elsewhere' "folders of headers are relative"
# shellcheck disable=SC1003 # a backslash, not a quote that is escaped
unlike "$command" 'MF|app\.d|Wall|-o\\' "what does not matter is not there"

# Whoever needs it finds it again.
TROD_OUT=app.trod ./app
like "$(cd .. && trod report -v src/app.trod)" 'x > LIMIT' "sources are found from the top of the project"
like "$(cd "$top" && trod report -v home/alice/project/src/app.trod)" 'x > LIMIT' "and from above"
like "$(cd .. && trod export --to=lcov src/app.trod)" "^SF:.*/project/src/app.c" "exports name them whole"
like "$(cd "$top" && trod version constructs home/alice/project/src/app 2>&1)" 'value of API_KEY was not recorded' "a message says which value is missing to compile again"
# shellcheck disable=SC2086
trod cc --record=all -g $flags -I"$HOME/project/include" app.c -o app
like "$(map app)" 'API_KEY=hunter2' "with --record=all everything is there"
like "$(map app)" "^directory .*$HOME/project/src" "the directory, too"
unlike "$(trod version constructs app 2>&1)" 'not recorded' "and nothing is missing"
exits 2 "other words are refused" trod cc --record=some app.c

# What the user has put in the place of a path stays.
# shellcheck disable=SC2086
trod cc -g $flags -I"$HOME/project/include" -ffile-prefix-map="$HOME/project"=/build/project app.c -o app
like "$(map app)" '^directory "?/build/project/src"?$' "-ffile-prefix-map is followed"
done_testing
