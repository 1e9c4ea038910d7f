#!/bin/sh
# External symbols: only names with trod's prefixes, and no more than necessary.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
build=$root/build/release

# names FILE: external symbols that it defines.
names()
{
    nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }'
}

is "$(names "$build/libtrod.a" | grep -v '^trod_')" "" "symbols of the library begin with trod_"
# __dso_handle is weak: that of crtbegin.o comes before it.
is "$(names "$build/libtrod-rt.a" | grep -v '^__trod_\|^trod_rt_\|^__dso_handle$')" "" \
    "symbols of the runtime begin with __trod_ or trod_rt_"
is "$(names -D "$build/trod-llvm.so" | grep -v '^trod_' | grep -v '^_Z' | tr '\n' ' ')" \
    "llvmGetPassPluginInfo " "the plugin shows clang one function"
echo 'int main(void) { return 0; }' >app.c
trod cc -O2 -o app app.c
is "$(names -D app | grep trod)" "" "an instrumented program shows nothing of the runtime"
trod cc -O2 -shared -fPIC -o app.so app.c
# GNU ld lists the start and stop symbols of sections, whatever their visibility; nothing binds to them.
is "$(names -D app.so | grep trod | grep -v '^__start_\|^__stop_')" "" "nor does a library"
is "$(nm -u "$build/libstages.a" 2>/dev/null |
    grep -wE 'printf|puts|putchar|exit|_exit|abort|stdout|stderr|fopen|open')" "" \
    "the stages neither print nor exit nor open files"
done_testing
