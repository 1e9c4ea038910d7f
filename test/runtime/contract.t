#!/bin/sh
# Guarantees of the runtime: no libc outside os.c, os_start.c and os_clock.c, no exported symbols, every kind of executable, both
# compilers.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"
# shellcheck source=test/runtime/build.sh
. "$root/test/runtime/build.sh"

# Symbols that the linker, compiled code or the program defines, and the thread base.
given='^(_GLOBAL_OFFSET_TABLE_|__ehdr_start|__(start|stop)___trod_(cnt|fn|bnd)|__trod_(mode|out|hashed|nhashed|seeks|always|records|online|burst|burst_flagged|burst_types)|trod_burst_handler)$'

for CC in gcc clang-19; do
    command -v $CC >/dev/null || { skip "$CC" "not installed"; continue; }
    rm -rf rt libtrod-rt.a
    ok "$CC: builds without a warning" compile_runtime
    ld -r -o os.o rt/os.o rt/os_start.o rt/os_clock.o
    rm rt/os.o rt/os_start.o rt/os_clock.o
    ld -r -o rest.o rt/*.o
    nm -u rest.o | awk '{ print $2 }' | grep -Ev "$given" | sort >needs
    nm -g --defined-only os.o | awk '{ print $3 }' | sort >has
    is "$(comm -23 needs has)" "" "$CC: the rest depends on os.c, os_start.c and os_clock.c only, not on libc"
    # pthread_atfork needs __dso_handle, which images without crtbegin.o lack.
    is "$(comm -13 needs has | tr "\n" " ")" "__dso_handle __trod_os_read_clock " "$CC: these define no unused symbols except __dso_handle, and one for themselves"
    is "$(nm os.o | awk '$3 == "__dso_handle" { print $2 }')" V "$CC: it is weak: the definition in crtbegin.o takes precedence"
    like "$(readelf -sW os.o | grep -w __dso_handle)" ' WEAK +HIDDEN ' "$CC: and hidden"
    is "$(nm -u os.o | awk '{ print $2 }' |
        grep -Evx '_GLOBAL_OFFSET_TABLE_|__errno_location|__cxa_finalize|__libc_single_threaded|environ|getauxval|pthread_(atfork|key_create|setspecific)|_dl_find_object')" "" \
        "$CC: these need nine symbols of libc"
    is "$(nm -g --defined-only rest.o os.o | awk 'NF == 3 { print $3 }' |
        grep -Ev '^(__trod_|trod_rt_|__dso_handle$)')" "" "$CC: all names have trod's prefixes"
    mv os.o rt/

    ok "$CC: a program builds" build_harness harness
    is "$(nm -D --defined-only harness | grep -i trod)" "" "$CC: it exports nothing"
    ok "$CC: it runs" scenario threads 8 1000
    is "$(total)" 8001 "$CC: it counts"

    # A quick run tests some kinds for each compiler.
    case ${TROD_FULL:-}$CC in
    gcc) set -- "-no-pie" "-static" "-flto -fno-fat-lto-objects" ;;
    clang-19) set -- "-static-pie" "-pie -Wl,-z,now" "-O0" "-Wl,--gc-sections" ;;
    *) set -- "-no-pie" "-static" "-static-pie" "-pie -Wl,-z,now" \
        "-O0" "-Wl,--gc-sections" "-flto -fno-fat-lto-objects" ;;
    esac
    for kind; do
        case $CC$kind in clang*lto*) kind="$kind -fuse-ld=lld-19" ;; esac
        # shellcheck disable=SC2086
        if build_harness harness $kind 2>log; then
            ok "$CC $kind: runs" scenario threads 8 1000
            is "$(total)" 8001 "$CC $kind: counts"
            like "$(report)" '^run image program$' "$CC $kind: is a program"
            like "$(report)" "^module path $made/harness\$" "$CC $kind: knows its path"
            is "$(report | sed -n 's/^module id //p')" \
                "$(readelf -n harness | sed -n 's/.*Build ID: //p')" \
                "$CC $kind: knows its build id"
        else
            skip "$CC $kind" "does not link here: $(head -n 1 log)"
        fi
    done
done

# The order of records after linking is unspecified.
like "$(report)" '^module 20010 counters 3 functions mode 2$' "all functions are there"

done_testing
