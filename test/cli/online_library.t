#!/bin/sh
# The online library in other programs: its example, from C and C++, without other libraries.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

lib=$root/build/$TROD_CONFIG/libtrod-online.a
# A program that links a library built with a sanitizer needs the sanitizer, too.
CC=gcc CXX=g++
if [ "$TROD_CONFIG" = asan ]; then
    CC="clang-19 -fsanitize=address,undefined" CXX="clang++-19 -fsanitize=address,undefined"
fi

# shellcheck disable=SC2086
ok "the example builds" $CC -std=c11 -Wall -Wextra -Werror -O2 -I"$root/include" -o jit "$root/example/jit.c" "$lib"
./jit >said
is "$(awk '/^    \$ \.\/jit$/ { on = 1; next } on && !/^    / { exit } on { print substr($0, 5) }' \
    "$root/doc/production/online-library.md")" "$(cat said)" "what it prints is what the manual shows"
# Rounds of a loop whose odd numbers are followed by even ones: never two odd ones.
like "$(cat said)" '^compile: 8 10 12 16 8 10 14 16$' "the hot trace is found"
unlike "$(cat said)" '8 10 14 16 8 10 14 16' "and none that does not run"
is "$(./jit 100 | tail -n 1 | grep -c 'times')" 1 "a short run has hot traces, too"

if command -v g++ >log; then
    cat >feed.cc <<'CC'
#include <trod/online.h>
static char memory[8192];
int main()
{
    trod_online_options options = {};
    options.text = "f=100";
    trod_online *o = trod_online_create(memory, sizeof memory, &options, nullptr);
    for (uint32_t i = 0; o && i < 100000; i++)
        trod_online_block(o, i % 10);
    trod_online_hot hot;
    return o && trod_online_hottest(&hot, 1, &o, 1, nullptr) == 1 ? 0 : 1;
}
CC
    # shellcheck disable=SC2086
    ok "C++ builds" $CXX -Wall -Wextra -Werror -O2 -I"$root/include" -o feed feed.cc "$lib"
    ok "and runs" ./feed
else
    skip "C++" "no g++"
fi

if [ "$TROD_CONFIG" = release ]; then
    is "$(nm -u "$lib" | awk '/ U / { print $2 }' | grep -v '^__trod_' | sort -u)" "" "it needs no other library"
    is "$(nm -g --defined-only "$lib" | awk 'NF == 3 { print $3 }' | grep -Ev '^(__trod_(sampler|budget|gap|online)|trod_online)_')" "" \
        "all its names are its own"
    # As it is installed: headers find each other, the library is where -l looks.
    ok "make install" env -u MAKEFLAGS make -s -C "$root" install DESTDIR="$PWD/inst" PREFIX=/usr
    ok "the example builds with what is installed" gcc -O2 -Iinst/usr/include -o installed "$root/example/jit.c" -Linst/usr/lib -ltrod-online
    printf '#include <trod/trod.h>\n#include <trod/rt.h>\nint main(void) { return 0; }\n' >all.c
    ok "all headers do" gcc -Iinst/usr/include -o all all.c
fi

done_testing
