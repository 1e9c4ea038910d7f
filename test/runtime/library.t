#!/bin/sh
# An instrumented library has its own runtime and its own profile, and can be opened and closed.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"
build_runtime

# shellcheck disable=SC2086
"$CC" $harness_flags -fPIC -shared -o plugin.so "$here/plugin.c" libtrod-rt.a || exit 1
# shellcheck disable=SC2086
"$CC" $harness_flags -o host "$here/plugin_host.c" -ldl -pthread || exit 1
# GNU ld leaves hidden symbols in the table, where the loader ignores them.
is "$(readelf --dyn-syms -W plugin.so | awk '$5 == "GLOBAL" && $6 == "DEFAULT" &&
    $7 != "UND" { print $8 }')" plugin_step \
    "instrumentation adds no exports"
harness=$made/host

left=$(scenario "$made/plugin.so" 100)
is "$left" "0 0" "opened and closed 100 times: no mapping or descriptor leaks"
is "$(how_many)" 100 "a profile each time"
is "$(total)" 1000 "opened and closed 100 times: exact"
is "$(report | grep -c '^end exit order$')" 100 "each ends normally"
like "$(report)" '^run image library$' "it knows that it is a library"
like "$(report)" "^module path $made/plugin.so\$" "it knows its path"
like "$(find run -name '*.so.trod')" '/host\.[0-9]+\.plugin\.so\.trod$' "its name"

ok "with a thread that outlives it" scenario "$made/plugin.so" 50 threads
is "$(total)" 1000 "with a thread that outlives it: exact"

# Program and library at once: two images, two profiles, no name clash.
cat >both.c <<EOF
#include "$here/emitted.h"
#include <unistd.h>
FUNCTION(body, 2, 2);
void plugin_step(unsigned n);
int main(int argc, char **argv)
{
    ENTER;
    (void)argv;
    plugin_step(10);
    COUNT(body, 1);
    if (argc > 1) {
        if (!fork())
            plugin_step(5);
    }
    return 0;
}
EOF
# shellcheck disable=SC2086
"$CC" $harness_flags -o both both.c "$made/plugin.so" libtrod-rt.a -Wl,-rpath,"$made" || exit 1
harness=$made/both
ok "a program and its library" scenario
is "$(how_many) $(total)" "2 11" "a program and its library: two profiles"
scenario fork
sleep 0.2
is "$(how_many) $(total)" "4 16" "and two more in a child"

done_testing
