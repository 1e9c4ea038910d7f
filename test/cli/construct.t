#!/bin/sh
# Versions of a program: what 'trod version constructs' finds in binaries and in compile_commands.json.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ -x "$root/build/$TROD_CONFIG/trod-clang" ] || skip_all "trod-clang is not built with sanitizers"

mkdir -p app/lib "app/with blank"
cat >app/main.c <<'EOT'
#include "lib/lib.h"
static int add(int x) { return x + WIDTH; }
int main(int argc, char **argv)
{
    (void)argv;
    while (argc < 3)
        argc = add(argc);
    return twice(argc) - 6;
}
EOT
cat >app/lib/lib.c <<'EOT'
#include "lib.h"
static int add(int x) { return 2 * x; }
int twice(int x) { return add(x); }
EOT
echo 'int twice(int x);' >app/lib/lib.h
echo 'int spare(void) { return 0; }' >"app/with blank/spare.c"

# --- binaries ---------------------------------------------------------------------

(cd app && trod cc -g -DWIDTH=1 -o app main.c lib/lib.c) || exit 1
functions="lib/lib.c
  2           function add
  3           function twice
main.c
  2           function add
  3-9         function main"
is "$(trod version constructs --check --level=function app/app | tail -n +2)" "$functions" \
    "a binary says how it was compiled; static functions of one name are two"
like "$(trod version constructs app/app)" "^app/app: .*4 functions, 1 loop, 6 statements$" "all of it is summed up"
trod version constructs --text app/app >one.constructs
like "$(cat one.constructs)" "^calls add \"lib/lib.c\"$" "uses say which is meant"
trod version constructs --text one.constructs >two.constructs
is "$(sed 1d two.constructs)" "$(sed 1d one.constructs)" "the text form can be read"
is "$(trod version constructs --level=function - <one.constructs | tail -n +2)" "$functions" "from standard input, too"
is "$(trod version constructs --text --meaning app/app | grep -c ' function .* meaning [0-9a-f]* shape ')" 4 \
    "what functions mean is known, if asked for"
ok "it is JSON, if asked for" sh -c \
    'trod version constructs --json app/app | perl -MJSON::PP -e "decode_json(join q(), <>)->{construct} or die"'
exits 3 "a binary without a map is refused" trod version constructs /bin/true
exits 5 "a file that is missing is reported" trod version constructs gone
exits 2 "a level must be known" trod version constructs --level=molecule app/app
exits 3 "and constructs must be some" sh -c 'echo graph | trod version constructs -'

# --- compile_commands.json --------------------------------------------------------

cat >app/compile_commands.json <<EOT
[
  {"directory": "$PWD/app", "file": "main.c", "command": "cc -DWIDTH=1 '-DTEXT=\"a b\"' -c main.c -o main.o"},
  {"directory": "$PWD/app", "file": "lib/lib.c", "arguments": ["cc", "-c", "-o", "lib.o", "lib/lib.c"]},
  {"directory": "$PWD/app", "file": "lib/lib.c", "arguments": ["cc", "-fPIC", "-DPIC", "-c", "-o", "lib.lo", "lib/lib.c"]},
  {"directory": "$PWD/app", "file": "lib/lib.c", "arguments": ["clang", "-cc1", "-emit-obj", "lib/lib.c"]},
  {"directory": "$PWD/app", "file": "with blank/spare.c", "command": "trod cc --at=source -c with\\\\ blank/spare.c"},
  {"directory": "$PWD/app", "file": "start.S", "command": "cc -c start.S"}
]
EOT
trod version constructs --level=function app >out
is "$(sed 1d out | grep -v '^note')" "$functions
with blank/spare.c
  1           function spare" "a folder has compile_commands.json"
is "$(trod version constructs --text app 2>/dev/null | grep -c '^unit')" 3 "what is compiled twice is read once"
like "$(cat out)" "^note: .*1 entries are internal compiler commands" "what bear adds is left out, and said"
like "$(cat out)" "^note: start.S: it is neither C nor C" "so is assembly"
like "$(trod version constructs --text app 2>&1 >out)" "^trod: note: .*start.S" "that is reported, too, where it is not seen"
is "$(trod version constructs -q --text app 2>&1 >out)" "" "-q silences it"
is "$(grep ' function ' out | awk '{ print $5 }' | head -n 4)" \
    "$(grep ' function ' one.constructs | awk '{ print $5 }')" "hashes are those of the binary"

rm app/lib/lib.h
echo 'int twice(int x) { return x }' >app/lib/lib.c
rm "app/with blank/spare.c"
trod version constructs --level=function app >out
like "$(cat out)" "^note: .*main.c:1.*error: .*lib.h.* file not found" "what the compiler found is reported"
like "$(cat out)" "^note: with blank/spare.c: it could not be read: " "and what could not be read"
like "$(cat out)" "function main" "the rest is there"
exits 3 "bad JSON is refused, with its place" sh -c 'echo "[" >bad.json; trod version constructs bad.json'
exits 3 "a folder without commands has no version" trod version constructs .

done_testing
