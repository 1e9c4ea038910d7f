# shellcheck shell=sh
# The runtime and the programs that exercise it, built into the test's own
# directory; after test/kit/tap.sh:
#
#     . "$root/test/runtime/build.sh"
#     build_harness harness
#
#     scenario threads 8 1000            runs ./harness in an empty directory
#     is "$(total)" 8001 "..."           what the profiles there add up to
#
# CC is the compiler.  These are the flags that libtrod-rt.a is built with: no
# sanitizer, no stack protector, no libc but in os.c, os_start.c and os_clock.c.

here=${root:?}/test/runtime
: "${CC:=gcc}"
rt_flags="-std=c11 -O2 -g -fPIC -fvisibility=hidden -ffunction-sections
    -fdata-sections -ffreestanding -fno-stack-protector -fno-lto
    -Wall -Wextra -Werror -I$root/include -I$root/runtime"
harness_flags="-std=c11 -O2 -g -Wall -Wextra -Werror -I$root/include"
# A sanitizer on the command line of the tests is for the harness alone.
harness_flags="$harness_flags ${HARNESS_CFLAGS:-}"
made=$PWD

# compile_runtime: libtrod-rt.a and its objects.
compile_runtime()
{
    mkdir -p "$made/rt" || exit 1
    for source in "$root"/runtime/*.c "$root"/runtime/burst/*.c "$root"/runtime/control/*.c "$root"/runtime/online/*.c "$root"/runtime/record/*.c; do
        object=${source##*/}
        # shellcheck disable=SC2086
        "$CC" $rt_flags -c -o "$made/rt/${object%.c}.o" "$source" || exit 1
    done
    rm -f "$made/libtrod-rt.a"
    ar rcs "$made/libtrod-rt.a" "$made"/rt/*.o || exit 1
}

# build_runtime: the same, or a copy of what was built anyway.
build_runtime()
{
    built=$root/build/release/libtrod-rt.a
    if [ "$CC" != gcc ] || [ ! -f "$built" ]; then
        compile_runtime
        return
    fi
    mkdir -p "$made/rt" || exit 1
    { cp "$built" "$made/" && (cd "$made/rt" && ar x "$built"); } || exit 1
}

# build_harness NAME [FLAG...]: a program of harness.c, or of $harness_source.
build_harness()
{
    [ -f "$made/libtrod-rt.a" ] || build_runtime
    name=$1
    shift
    # shellcheck disable=SC2086
    "$CC" $harness_flags "$@" -o "$made/$name" "$here/${harness_source:-harness.c}" \
        "$made/libtrod-rt.a" -pthread
}

# scenario WORD...: runs in $made/run, emptied before; its status is the
# harness's.  Profiles are all files there that end in .trod.
harness=$made/harness
scenario()
{
    rm -rf "$made/run"
    mkdir "$made/run"
    (cd "$made/run" && "$harness" "$@")
}

# What the profiles say: every line, the lines of one kind, the sum, how many.
profiles()
{
    find "$made/run" -name '*.trod' | sort
}

report()
{
    # shellcheck disable=SC2046
    "$here/read-profile" $(profiles) 2>&1
}

total()
{
    report | sed -n 's/^total //p'
}

how_many()
{
    profiles | wc -l | tr -d ' '
}
