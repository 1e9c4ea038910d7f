#!/bin/bash
# Out-of-tree builds: sources are named relative to their common folder, not with '..'.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

mkdir -p project/src/deep project/include project/out/one/deeper project/out/two
cat >project/include/shared.h <<'END'
static inline __attribute__((noinline)) int shared(int x) { if (x > 3) return 1; return x; }
END
cat >project/src/a.c <<'END'
#include "../include/shared.h"
int a(int x) { if (x > 5) return 2; return shared(x); }
END
cat >project/src/deep/b.c <<'END'
#include "../../include/shared.h"
int a(int x);
int main(int argc, char **argv) { (void)argv; return a(argc) + shared(argc) > 90; }
END
echo 'int made(int x) { if (x > 7) return 3; return x; }' >project/out/two/made.c
(cd project/out/one/deeper && trod cc -O1 -g -c ../../../src/a.c)
(cd project/out/two && trod cc -O1 -g -c ../../src/deep/b.c made.c)
trod cc -o app project/out/one/deeper/a.o project/out/two/*.o
TROD_OUT=app.trod ./app

is "$(trod coverage --group=file --sort=file app.trod | sed -n 's/.*%  \([^ ]*\)  [0-9]* of.*/\1/p' | tr '\n' ' ')" \
    "include/shared.h made.c src/a.c src/deep/b.c " "files by their names below the project"
is "$(trod report --json app.trod | grep -c '"file": "include/shared.h"')" 2 "a header has one name, wherever it was included"
unlike "$(trod report --json app.trod)" '"\.\./' "no name goes up"
like "$(trod report app.trod)" 'x > 5 +no' "sources are found all the same"
like "$(trod report app.trod)" 'shared  include/shared.h:1' "reports have the short name"
is "$(trod html --json app.trod | grep -c '"name": "\.\.')" 0 "so has the page"
like "$(trod export --to=lcov app.trod)" "^SF:$PWD/project/src/a.c" "exports have whole paths"
like "$(trod report --directory=src/deep app.trod)" 'main' "folders are found by these names"
unlike "$(trod report --directory=src/deep app.trod)" 'shared' "... and others left out"

# In another folder, names are as precise as possible.
mkdir elsewhere
mv app app.trod elsewhere
rm -r project
cd elsewhere || exit 1
unlike "$(trod report --json --binary=app app.trod)" '"\.\./' "nor where there are no sources"

# A name that does not go up stays as the compiler had it.
mkdir -p src
echo 'int main(void) { return 0; }' >src/plain.c
trod cc -g -o plain src/plain.c
TROD_OUT=plain.trod ./plain
like "$(trod report --json plain.trod)" '"file": "src/plain.c"' "other names are as they were"
done_testing
