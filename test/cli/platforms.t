#!/bin/sh
# Other machines and other libcs: which of them link, which count, and which are refused.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >app.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
static int f(int x)
{
    if (x > 3)
        return x * 2;
    return x & 1 ? 7 : x;
}
static void quit(int sum)
{
    if (sum == 9400)
        exit(0);
    puts("no");
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += f(i % 10);
    quit(sum);
    return 1;
}
EOF

# counts PROFILE: paths of f and main, without what a compiler may name otherwise.
counts()
{
    trod report --quiet "$1" | awk '$3 == "f" || $3 == "main" { print $2, $3 }' | sort
}
trod cc -O2 -g -o native app.c
TROD_OUT=native.trod ./native
native=$(counts native.trod)
like "$native" '600 f' "natively, paths are counted"

# --- aarch64 ----------------------------------------------------------------------------

arm="--target=aarch64-linux-gnu"
# shellcheck disable=SC2317 # called through ok
emulated() { qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"; }

if ! command -v aarch64-linux-gnu-gcc >/dev/null; then
    skip "aarch64" "aarch64-linux-gnu-gcc is not installed"
elif ! command -v qemu-aarch64 >/dev/null; then
    skip "aarch64" "qemu-aarch64 is not installed"
else
    for mode in --at=source --at=code --wpp --subpaths --iterations=2 --counters --online --burst --burst=trigger=flag; do
        ok "aarch64: $mode compiles and links" trod cc $mode $arm -O2 -g -o app app.c
        rm -f app.trod
        TROD_OUT=app.trod ok "aarch64: $mode runs" emulated ./app
        ok "aarch64: $mode leaves a sound profile" trod check app.trod
        is "$(trod check app.trod | grep -c unsampled)" 0 "aarch64: $mode can do all it is asked for"
    done
    trod cc $arm -O2 -g -o app app.c
    rm -f app.trod
    TROD_OUT=app.trod emulated ./app
    is "$(counts app.trod)" "$native" "aarch64: counts are those of this machine"
    # Lines of activations that never end: where they stood is found on the stack.
    jumps=$root/test/coverage/unfinished
    trod cc -g -o jumps "$jumps/jumps.c" "$jumps/quit.c"
    TROD_OUT=jumps.trod ./jumps exit once >log
    trod cc $arm -g -o jumps_arm "$jumps/jumps.c" "$jumps/quit.c"
    TROD_OUT=jumps_arm.trod emulated ./jumps_arm exit once >log
    is "$(trod export --to=lcov jumps_arm.trod 2>log)" "$(trod export --to=lcov jumps.trod 2>log)" \
        "aarch64: so are those of lines before exit was called"
    ok "aarch64: a program in two steps" sh -c "trod cc $arm -O2 -c app.c -o app.o && trod cc $arm app.o -o two"
    is "$(readelf -h two | sed -n 's/ *Machine: *//p')" AArch64 "aarch64: is for that machine"
    ok "aarch64: static" trod cc $arm -static -O2 -o static app.c
    TROD_OUT=static.trod ok "aarch64: runs" qemu-aarch64 ./static
    is "$(counts static.trod)" "$native" "aarch64: and counts"
    # Libraries call other parts of the runtime than programs do.
    cat >many.c <<'EOF'
int many(int x)
{
    int sum = 0;
    for (int i = 0; i < x; i++) {
        sum += i & 1 ? 3 : -x;
        if (i % 3 == 0)
            sum *= 2;
        if (i % 7 == 1)
            sum ^= x;
    }
    return sum;
}
int few(int x)
{
    return x > 3 ? many(x) : 1;
}
EOF
    echo 'int few(int); int main(int argc, char **argv) { (void)argv; return few(argc + argc / 2 * 10) == 77; }' >calls.c
    trod cc -O2 -g -o tested many.c calls.c
    TROD_OUT=tested.trod ./tested
    ok "aarch64: a library that records untested paths" trod cc --tested=tested.trod --untested-only --partial $arm -O2 -fPIC -shared -o libmany.so many.c
    ok "aarch64: and its program" trod cc --tested=tested.trod --untested-only --partial $arm -O2 -o calls calls.c -L. -lmany -Wl,-rpath,"$PWD"
    TROD_OUT=untested-%m.trod ok "aarch64: run" emulated ./calls more
    like "$(trod untested --tested=tested.trod untested-*.trod 2>log)" 'many' "aarch64: and report them"
fi

# A trod that was built without it names what is missing.
mkdir alone
cp "$root"/build/release/trod "$root"/build/release/trod-llvm.so "$root"/build/release/libtrod-rt.a alone
if command -v aarch64-linux-gnu-gcc >/dev/null; then
    exits 3 "a runtime that is not there is refused" alone/trod cc $arm -O2 -o none app.c
    like "$(alone/trod cc $arm -O2 -o none app.c 2>&1)" \
        'target aarch64-.*libtrod-rt-aarch64.a.*not installed.*aarch64-linux-gnu-gcc' "with its name and what to do"
fi
trod cc --target=riscv64-linux-gnu -c -ffreestanding -nostdinc -x c -o other.o - <<'EOF'
int f(int x) { return x ? 1 : 2; }
EOF
exits 3 "a machine without a runtime is refused" trod cc --target=riscv64-linux-gnu -o none other.o
like "$(trod cc --target=riscv64-linux-gnu -o none other.o 2>&1)" 'target riscv64-.*only for x86-64 and aarch64' "with those that have one"

# --- musl -------------------------------------------------------------------------------

musl=x86_64-linux-musl
if [ ! -e /usr/lib/$musl/libc.a ]; then
    skip "musl" "musl-dev is not installed"
else
    cat >musl.cfg <<EOF
--target=$musl
-nostdlibinc
-isystem /usr/include/$musl
-B/usr/lib/$musl
-L/usr/lib/$musl
EOF
    for how in "-static" "-static -fPIC"; do
        # The options are words.
        # shellcheck disable=SC2086
        ok "musl $how: links" trod cc --config="$PWD/musl.cfg" $how -O2 -g -o with_musl app.c
        is "$(strings -a with_musl | grep -c 'GNU C Library')" 0 "musl $how: not with another libc"
        rm -f musl.trod
        TROD_OUT=musl.trod ok "musl $how: runs" ./with_musl
        is "$(counts musl.trod)" "$native" "musl $how: counts"
    done
fi

# --- versions of clang --------------------------------------------------------------------

if [ ! -e "$root/build/release/trod-llvm-16.so" ] || ! command -v clang++-16 >/dev/null; then
    skip "clang 16" "clang-16 and llvm-16-dev are not installed"
else
    for mode in --at=source --at=code --wpp --subpaths --iterations=2 --counters --online --burst; do
        TROD_CLANG=clang-16 ok "clang 16: $mode" trod cc $mode -O2 -g -o older app.c
        rm -f older.trod
        TROD_OUT=older.trod ok "clang 16: $mode runs" ./older
        ok "clang 16: $mode leaves a sound profile" trod check older.trod
    done
    TROD_CLANG=clang-16 trod cc -O2 -g -o older app.c
    rm -f older.trod
    TROD_OUT=older.trod ./older
    is "$(counts older.trod)" "$native" "clang 16: counts are the same"
    is "$(trod report --quiet older.trod)" "$(trod report --quiet native.trod)" "clang 16: so is the report, with its conditions"
    ln -s "$(command -v clang-16)" some-clang
    TROD_CLANG=./some-clang ok "clang 16 by another name" trod cc -O2 -o named app.c
    printf 'int main() { try { throw 1; } catch (int) { return 0; } }\n' >app.cc
    TROD_CLANGXX=clang++-16 ok "clang 16: C++" trod c++ -O2 -o cxx app.cc
    TROD_OUT=cxx.trod ok "clang 16: C++ runs" ./cxx
fi
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/sh\necho "clang version 15.0.7 (of old)"\n' >of-old
chmod +x of-old
TROD_CLANG=./of-old exits 5 "a version without a plugin is refused" trod cc app.c -o none
like "$(TROD_CLANG=./of-old trod cc app.c -o none 2>&1)" \
    'of-old is clang 15\.0\.7, and trod has plugins for clang (16 and )?19; install' "with those that have one"

done_testing
