#!/bin/sh
# What `make install` installs works without the source tree: the command, the library for C and C++, the files for
# pkg-config and CMake. `make uninstall` removes everything.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$TROD_CONFIG" = release ] || skip_all "what is installed is the release"
unset AR CC CXX CFLAGS CPPFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL MFLAGS DESTDIR PREFIX LIBDIR
made=$PWD
prefix=$made/usr
ok "it installs" make -C "$root" --no-print-directory install PREFIX="$prefix"
ok "it installs below another root, and says where it will be" make -C "$root" --no-print-directory install \
    DESTDIR="$made/stage" PREFIX=/usr LIBDIR=/usr/lib/some-machine
is "$(sed -n 's/^libdir=//p' stage/usr/lib/some-machine/pkgconfig/trod.pc)" /usr/lib/some-machine "pkg-config's file names the final place"
is "$(cd stage/usr && find . -type f | sed 's|/some-machine||' | sort)" "$(cd "$prefix" && find . -type f | sort)" "the same files, wherever libraries go"

is "$(cd "$prefix/share/doc/trod/doc/schema" && echo *)" "$(cd "$root/doc/schema" && echo *)" "schemas are with the chapters"
cp "$root/example/json.c" "$root/example/list.c" "$root/example/jit.c" .
PATH=$prefix/bin:$(echo "$PATH" | tr ':' '\n' | grep -v "^$root" | paste -s -d : -)
export PATH

# away COMMAND...: where the tree is not.
# shellcheck disable=SC2016
if unshare -rm sh -c 'mount -t tmpfs none "$1" && ! [ -e "$1/Makefile" ]' sh "$root" 2>/dev/null; then
    # shellcheck disable=SC2016
    away() { unshare -rm sh -c 'mount -t tmpfs none "$1" && shift && exec "$@"' sh "$root" "$@"; }
else
    away() { "$@"; }
    skip "the tree is out of sight" "no namespace can be made here"
fi

# --- the command --------------------------------------------------------------------------

is "$(away trod --version)" "trod $(sed -n 's/^#define TROD_VERSION "\(.*\)"/\1/p' "$root/src/base/base.h")" "the command runs"
ok "it compiles" away trod cc -O2 -g -o json json.c
printf '{"a": [1, 2.5, "three"], "b": {}}' >one.json
ok "the program runs" sh -c 'TROD_OUT=json.trod ./json <one.json'
like "$(away trod report --brief json.trod)" '% +[0-9]+  (peek|string|blanks) =' "its profile is reported"
like "$(away trod version constructs --level=function json)" "collection" "it reads sources"
if why=$("$root/test/kit/emulator.sh"); then
    like "$(away trod emulate --most=3 -- /bin/true 2>&1)" 'paths that ran' "it emulates"
else
    skip "it emulates" "$why"
fi
mkdir moved && cp -R usr moved/there
ok "moved as a whole, it compiles" away moved/there/bin/trod cc -o moved.out json.c

# --- the library --------------------------------------------------------------------------

for header in $(cd "$prefix/include" && find trod -name '*.h' | sort); do
    printf '#include <%s>\nint main(void) { return 0; }\n' "$header" >alone.c
    cp alone.c alone.cpp
    ok "$header alone is C11" away gcc -std=c11 -pedantic -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only alone.c
    ok "$header alone is C++" away g++ -std=c++11 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only alone.cpp
done

cp "$root/example/hottest.c" outside.c
cp outside.c outside.cpp

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
if command -v pkg-config >/dev/null; then
    # Its answer is words.
    # shellcheck disable=SC2046
    ok "C, by pkg-config" away gcc -std=c11 -o outside outside.c $(pkg-config --cflags --libs trod)
    # shellcheck disable=SC2046
    ok "C++, by pkg-config" away g++ -o outside++ outside.cpp $(pkg-config --cflags --libs trod)
    like "$(./outside json.trod | head -n 1)" '^ +[0-9]+  (peek|string|blanks)  (entry|loop)' "it reads profiles"
    is "$(./outside++ json.trod)" "$(./outside json.trod)" "from C++, too"
    # shellcheck disable=SC2046
    ok "the sampler alone, by pkg-config" away gcc -O2 -o jit jit.c $(pkg-config --cflags --libs trod-online)
else
    skip "pkg-config" "it is not installed"
fi

# --- CMake --------------------------------------------------------------------------------

mkdir project
cp outside.c outside.cpp json.c jit.c project/
cat >project/half.c <<'END'
int half(int n)
{
    return n % 2 ? -1 : n / 2;
}
END
cat >project/whole.c <<'END'
int half(int n);
int main(void)
{
    return half(4) - 2;
}
END
cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.21)
project(outside C CXX)
find_package(trod 0.1 REQUIRED)
add_executable(c outside.c)
target_link_libraries(c PRIVATE trod::trod)
add_executable(cxx outside.cpp)
target_link_libraries(cxx PRIVATE trod::trod)
add_executable(jit jit.c)
target_link_libraries(jit PRIVATE trod::online)
add_executable(json json.c)
trod_add_profile(json --only=s*)
add_library(half STATIC half.c)
trod_add_profile(half)
add_executable(whole whole.c)
target_link_libraries(whole PRIVATE half)
END
sed '/find_package/d; /trod_add/d; /^add.*\(c\|cxx\|jit\) /d; /(c\|(cxx\|(jit/d' project/CMakeLists.txt >plain
if command -v cmake >/dev/null; then
    ok "CMake finds the package" away cmake -S project -B made -DCMAKE_PREFIX_PATH="$prefix"
    ok "CMake builds with it" away cmake --build made
    is "$(made/c json.trod; made/cxx json.trod)" "$(./outside json.trod; ./outside json.trod)" "C and C++ use the library, by CMake"
    TROD_OUT=$made/by.trod made/json <one.json >json.out
    is "$(away trod report --brief --group=function by.trod 2>/dev/null | awk '$1 ~ /%/ { print $5 }')" string "trod_add_profile takes options"
    TROD_OUT=$made/half.trod made/whole
    like "$(away trod report --brief half.trod)" ' half =' "a static library brings the runtime with it"
    mkdir whole && cp project/*.c whole && cp plain whole/CMakeLists.txt
    ok "a toolchain file for a whole build" away cmake -S whole -B all --toolchain "$prefix/lib/cmake/trod/trodToolchain.cmake" \
        -DTROD_OPTIONS=--iterations=2
    ok "it builds" away cmake --build all
    TROD_OUT=$made/all.trod all/whole
    like "$(away trod report --brief all.trod)" ' main =' "all of it counts"
    sed -i 's/find_package(trod 0.1/find_package(trod 0.9/' project/CMakeLists.txt
    exits 1 "another version than the one asked for is not found" away cmake -S project -B other -DCMAKE_PREFIX_PATH="$prefix"
else
    skip "CMake" "it is not installed"
fi

# --- Debian ---------------------------------------------------------------------------------

# What a build takes is said twice. What every build has, and what only runs take, is not said there.
needed=$(sed -n 's/^build="\(.*\)"$/\1/p' "$root/tools/deps" | tr ' ' '\n' | grep -vx -e gcc -e libc6-dev -e make -e qemu-user | sort)
for package in $needed; do
    like "$(sed -n '/^Build-Depends/,/^[A-Z]/p' "$root/debian/control")" "[ ,]$package(,|\$)" "debian/control names $package"
done
is "$(sed -n '1s/^trod (\(.*\)) .*/\1/p' "$root/debian/changelog")" "$(trod --version | sed 's/^trod //')" "debian/changelog has the version"

# --- gone again ---------------------------------------------------------------------------

: >usr/lib/of_others
ok "it uninstalls" make -C "$root" --no-print-directory uninstall PREFIX="$prefix"
is "$(cd usr && find . -type f)" ./lib/of_others "nothing of it is left, and nothing of others gone"
is "$(find usr -name '*trod*')" "" "nor any folder of its own"
done_testing
