#!/bin/sh
# Every build system, set up as the guide describes, gives sound profiles with the same counts. The project has a
# program, a static library and a shared library. Build systems that are not installed are skipped.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ "$TROD_CONFIG" = release ] || skip_all "what is built is the same in every configuration"
lib=$root/build/release
made=$PWD
plugin="-fpass-plugin=$lib/trod-llvm.so -fno-discard-value-names"
runtime=$lib/libtrod-rt.a
unset AR CC CXX CFLAGS CPPFLAGS LDFLAGS LIBS MAKEFLAGS MAKELEVEL

# --- the project ------------------------------------------------------------------

mkdir project
cd project || exit 1
cat >shape.h <<'END'
int shape_sign(int x);
int shape_steps(unsigned n);
END
cat >sign.c <<'END'
#include "shape.h"
int shape_sign(int x)
{
    if (x < 0)
        return -1;
    return x > 0;
}
END
cat >steps.c <<'END'
#include "shape.h"
__attribute__((visibility("default"))) int shape_steps(unsigned n)
{
    int steps = 0;

    for (; n > 1; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return steps;
}
END
cat >main.c <<'END'
#include "shape.h"
#include <stdio.h>
int main(void)
{
    int sum = 0;

    for (int i = -3; i < 20; i++)
        sum += shape_sign(i) > 0 ? shape_steps(i) : shape_sign(i);
    printf("%d\n", sum);
    return 0;
}
END
cat >Makefile <<'END'
CFLAGS = -O2 -g
app: main.o libsign.a libsteps.so
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ main.o libsign.a -L. -lsteps '-Wl,-rpath,$$ORIGIN' $(LIBS)
libsign.a: sign.o
	ar rcs $@ sign.o
libsteps.so: steps.o
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@ steps.o $(LIBS)
%.o: %.c
	$(CC) $(CFLAGS) -fPIC -c -o $@ $<
END
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(shape C)
include(CheckCSourceRuns)
check_c_source_runs("int main(void) { return 0; }" IT_RUNS)
add_library(sign STATIC sign.c)
add_library(steps SHARED steps.c)
add_executable(app main.c)
target_link_libraries(app sign steps)
END
cat >meson.build <<'END'
project('shape', 'c', default_options: ['buildtype=debugoptimized'])
meson.get_compiler('c').run('int main(void) { return 0; }', name: 'programs')
sign = static_library('sign', 'sign.c')
steps = shared_library('steps', 'steps.c')
executable('app', 'main.c', link_with: [sign, steps])
END
cat >configure.ac <<'END'
AC_INIT([shape], [1])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign])
AM_PROG_AR
LT_INIT
AC_PROG_CC
AC_RUN_IFELSE([AC_LANG_PROGRAM()], [], [], [:])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
cat >Makefile.am <<'END'
noinst_LIBRARIES = libsign.a
libsign_a_SOURCES = sign.c
noinst_LTLIBRARIES = libsteps.la
libsteps_la_SOURCES = steps.c
libsteps_la_LDFLAGS = -shared -rpath /nowhere
bin_PROGRAMS = app
app_SOURCES = main.c
app_LDADD = libsign.a libsteps.la
END
cd ..

# --- what is expected -------------------------------------------------------------

# sum_up PROFILE...: function, path and count of all that ran, a line each.
sum_up()
{
    trod report --json --most=1000 "$@" | perl -MJSON::PP -e '
        my $report = decode_json(join "", <>)->{report};
        print map { "$_->{function} $_->{path} $_->{count}\n" }
            sort { "$a->{function} $a->{path}" cmp "$b->{function} $b->{path}" } @{$report->{hot}};
        print "note: $_\n" for @{$report->{notes}};
        print "skipped: $_->{function}\n" for @{$report->{skipped}};'
}

# Counted by hand: -3..19 is 23 rounds, 19 of them with a positive number. The
# four others ask shape_sign twice. On the way from 2..19 down to 1, 9 numbers are
# odd at first and 41 later; 9 are even at first and 130 later.
want='main entry 7:T 8:F again 7 1
main loop 7 7:F return 10 1
main loop 7 7:T 8:F again 7 3
main loop 7 7:T 8:T again 7 19
shape_sign entry 4:F return 7 21
shape_sign entry 4:T return 7 6
shape_steps entry 6:F return 8 1
shape_steps entry 6:T 7:F again 6 9
shape_steps entry 6:T 7:T again 6 9
shape_steps loop 6 6:F return 8 18
shape_steps loop 6 6:T 7:F again 6 130
shape_steps loop 6 6:T 7:T again 6 41'

# whole NAME [LIBRARY]: what was built here runs as it should and counts all.
whole()
{
    rm -rf out
    mkdir out
    is "$(TROD_OUT=$PWD/out/%e.%m.trod ./app 2>&1)" "$answer" "$1: the program does what it did"
    is "$(cd out && echo *)" "app.app.trod app.${2-libsteps.so}.trod" "$1: a profile of the program, one of the library"
    ok "$1: both are sound" trod check out/*
    is "$(sum_up out/*)" "$want" "$1: the counts are right"
}

# clean NAME: what the build system tried left no profiles behind.
clean()
{
    is "$(find . -name '*.trod' -not -path './out/*')" "" "$1: no profiles of programs that were tried"
}

# start NAME [FROM]: a new folder with the project in it, or what FROM made of it.
start()
{
    cd "$made" || exit 1
    cp -r "${2-project}" "$1"
    cd "$1" || exit 1
}

# build COMMAND...: its talk is shown if it fails.
build()
{
    "$@" >log 2>&1 || sed 's/^/# /' log >&2
}

# has NAME COMMAND...: all of these are installed; if not, NAME is skipped.
has()
{
    has_name=$1
    shift
    for command; do
        command -v "$command" >log || {
            skip "$has_name" "$command is not installed"
            return 1
        }
    done
}

# --- make -------------------------------------------------------------------------

start plain
build make CC=clang-19
answer=$(./app)
is "$answer" 186 "the program, built plain"

start make
build make CC='trod cc'
whole make

start make-plugin
build make CC=clang-19 CFLAGS="-O2 -g $plugin" LIBS="$runtime"
whole "make, plugin"

if has "make, LTO" ld.lld-19; then
    start make-lto
    build make CC='trod cc -flto -fuse-ld=lld'
    whole "make, LTO"
fi

# --- autotools --------------------------------------------------------------------

if has autotools autoreconf automake libtoolize; then
    start autotools
    build autoreconf -i
    start autotools-plugin autotools
    cd ../autotools || exit 1
    build ./configure CC='trod cc'
    clean autotools
    build make
    whole autotools libsteps.so.0.0.0
    cd ../autotools-plugin || exit 1
    build ./configure CC=clang-19 CFLAGS="-O2 -g $plugin" LIBS="$runtime"
    build make
    whole "autotools, plugin" libsteps.so.0.0.0
fi

# --- CMake ------------------------------------------------------------------------

cmake_here()
{
    build cmake -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" .
    build ninja
}

if has CMake cmake ninja; then
    start cmake
    CC='trod cc' cmake_here
    clean CMake
    whole CMake

    start cmake-plugin
    # GNU ld takes from an archive what it misses at that point, and here it comes first.
    cmake_here -DCMAKE_C_COMPILER=clang-19 -DCMAKE_C_FLAGS="$plugin" \
        -DCMAKE_EXE_LINKER_FLAGS="-Wl,-u,__trod_enter,-u,__trod_link_with_trod_cc,-u,__trod_entry $runtime" \
        -DCMAKE_SHARED_LINKER_FLAGS="-Wl,-u,__trod_enter,-u,__trod_entry $runtime"
    whole "CMake, plugin"
fi
if has "CMake, LTO" cmake ninja ld.lld-19; then
    start cmake-lto
    CC='trod cc' cmake_here -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
        -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld -DCMAKE_SHARED_LINKER_FLAGS=-fuse-ld=lld
    ok "CMake, LTO: it is what was built" grep -q 'FLAGS = .*-flto' build.ninja
    whole "CMake, LTO"
fi

# --- Meson ------------------------------------------------------------------------

# meson_here [OPTION...]: Meson builds elsewhere than in the sources.
meson_here()
{
    build meson setup "$@" built .
    cd built || exit 1
    build ninja
}

if has Meson meson ninja; then
    start meson
    CC='trod cc' meson_here
    clean Meson
    whole Meson

    start meson-plugin
    CC=clang-19 meson_here -Dc_args="$plugin" -Dc_link_args="$runtime"
    whole "Meson, plugin"
fi
if has "Meson, LTO" meson ninja ld.lld-19 llvm-ar-19; then
    start meson-lto
    AR=llvm-ar-19 CC='trod cc' CC_LD=lld meson_here -Db_lto=true
    whole "Meson, LTO"
fi

done_testing
