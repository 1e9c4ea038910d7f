#!/bin/sh
# libtrod.a and <trod/trod.h>: the public library.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

if [ "${TROD_CONFIG:-release}" != release ]; then
    skip "the library" "it is built without sanitizers"
    done_testing
fi
library=$root/build/release/libtrod.a
libs="-lelf -lzstd -lz -lstdc++ -lm"

# --- what it exports ------------------------------------------------------------------------

declared=$(grep -oE '\btrod_(data_[a-z_]+|api|version)\(' "$root/include/trod/trod.h" | tr -d '(' | sort -u)
is "$(nm --defined-only --extern-only "$library" | awk 'NF == 3 { print $3 }' | sort)" "$declared" \
    "every symbol is in the header, and every function of the header is there"
printf '#include <trod/trod.h>\nint main(void) { return trod_api() != TROD_API; }\n' >alone.c
cp alone.c alone.cpp
# shellcheck disable=SC2086 # a list
ok "the header alone is C11" gcc -std=c11 -pedantic -Wall -Wextra -Werror -I"$root/include" -o alone alone.c "$library" $libs
# shellcheck disable=SC2086
ok "and C++" g++ -std=c++11 -pedantic -Wall -Wextra -Werror -I"$root/include" -o alone++ alone.cpp "$library" $libs
ok "its version is the library's" ./alone
ok "in C++, too" ./alone++

# --- what it says is what the command says ----------------------------------------------------

# shellcheck disable=SC2086
ok "the example compiles" gcc -std=c11 -Wall -Wextra -Werror -I"$root/include" -o hottest "$root/example/hottest.c" "$library" $libs
trod cc -O2 -g -o json "$root/example/json.c"
printf '{"a": [1, 2.5, "three"], "b": {}}' >one
printf '[[[]], null, "x\\n"]' >two
TROD_OUT=one.trod ./json <one >out
TROD_OUT=two.trod ./json <two >out
./hottest one.trod two.trod | sed 's/^ *//' | sort >got
trod report -q --brief --exact --most=10 --all-paths one.trod two.trod | sed -n 's/^ *[0-9.]*% *[0-9.]*% *\([0-9]*\)  \([a-z_]*\) =[0-9]*  \(.*\)/\1  \2  \3/p' >all
# Of paths that ran equally often, either may be the tenth.
last=$(tail -n 1 all | cut -d' ' -f 1)
is "$(awk -v n="$last" '$1 > n' got)" "$(sort all | awk -v n="$last" '$1 > n')" "its hottest paths are those of trod report"
[ "$(wc -l <got)" -eq 10 ] && ten=yes || ten=no
is "$ten" yes "ten of them"

cat >facts.c <<'END'
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <trod/trod.h>

/* facts BINARY OUT FILE...: the sum is written; one function's paths and their lines. */
int main(int argc, char **argv)
{
    struct trod_failure why;
    struct trod_data *data = trod_data_open(
        (const char *const *)argv + 3, (size_t)argc - 3, *argv[1] ? argv[1] : NULL, &why);

    if (!data || !trod_data_write(data, argv[2], &why)) {
        printf("%d %s\n", why.status, why.text);
        trod_data_close(data);
        return 1;
    }
    for (size_t i = 0; i < trod_data_nnote(data); i++)
        printf("note %s\n", trod_data_note(data, i));
    for (size_t f = 0; f < trod_data_nfunction(data); f++) {
        const struct trod_data_function *of = trod_data_function(data, f);

        if (strcmp(of->name, "peek") != 0 && of->name[0] != '?')
            continue;
        printf("%s %d %" PRIu32 " %" PRIu64 " %zu %" PRIu64, of->name[0] == '?' ? "?" : of->name, of->file != NULL,
            of->line, of->npossible, of->npath, of->count);
        for (size_t p = 0; p < of->npath; p++) {
            size_t nline;
            const uint32_t *line = trod_data_path_lines(data, f, p, &nline);

            for (size_t i = 0; i < nline; i++)
                printf("%s%" PRIu32, i ? "," : " ", line[i]);
        }
        printf("\n");
    }
    if (trod_data_function(data, trod_data_nfunction(data)) || trod_data_path(data, 0, 1000) ||
        trod_data_note(data, trod_data_nnote(data)))
        printf("beyond the end\n");
    trod_data_close(data);
    trod_data_close(NULL);
    return 0;
}
END
# shellcheck disable=SC2086
ok "another program" gcc -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -I"$root/include" -o facts facts.c "$library" $libs
like "$(./facts '' sum.trod one.trod two.trod)" '^peek 1 27 2 [12] [0-9]+ 29' "a function: file, line, paths, counts, lines"
trod merge -q -o merged.trod one.trod two.trod
is "$(trod show -q sum.trod)" "$(trod show -q merged.trod)" "the sum that it writes is that of trod merge"
mv json gone
like "$(./facts '' sum.trod one.trod)" 'note .*json.*No such file' "a program that is gone: a note"
like "$(./facts '' sum.trod one.trod)" '^\? 0 0 2 ' "and names that are not known"
like "$(./facts gone sum.trod one.trod)" '^peek 1 27 ' "unless the binary is named"

# --- failures ----------------------------------------------------------------------------------

like "$(./facts '' sum.trod missing)" '^5 missing: No such file' "a file that is missing"
like "$(./facts '' sum.trod one)" '^3 one' "a file that is not a profile"
like "$(./facts '' sum.trod)" '^3 no profile was named' "no file"
head -c 100 one.trod >short
like "$(./facts '' sum.trod short)" '^3 short' "a profile that was cut off"
like "$(./facts one sum.trod one.trod)" '^3 one' "a binary that is none"
like "$(./facts '' nowhere/sum.trod one.trod)" '^5 nowhere/sum.trod: No such file' "a file that cannot be written"
done_testing
