# shellcheck shell=bash
# Shared by scripts that build subjects in several ways and run the builds in turn. A script sets $bench, its name,
# sources this file, and defines
#
#     ways, compiler      names of the measured builds, plain first; and a compiler with flags for each build
#     build_ways          make them with build_all, and profiles for some of them with learn
#
# and calls `measure "$@"`, which prints JSON. It may also define
#
#     size                which of a subject's inputs is run (field)
#     due                 whether $way runs in $round
#     ran                 inspect the profiles $out/profile.*.trod of a run of $way before they are removed
#     more                further members of the row of $way, as ', "KEY": VALUE'
#
# Sources come from tools/source and are kept in $TROD_CORPUS. Rounds are interleaved, so that other load on the machine
# affects all builds alike; only compilers run two at a time. Programs stay in build/bench/$bench/SUBJECT, for perf.
#
# $WHOLE    not empty: all sources of a subject are one unit, in all builds
here=${here:?} # the folder bench
bench=${bench:?}
# shellcheck source=bench/subject.sh
. "$here/subject.sh"
trod=$here/../build/release/trod
spend=$here/../build/release/bench/spend
kept=$here/../build/bench/$bench${WHOLE:+-whole}
rounds=${ROUNDS:-7}
size=field
callgrind=
resume=
reuse=
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export TROD_OUT="$out/profile.%p.trod" LLVM_PROFILE_FILE="$out/clang.%p" GCOV_PREFIX="$out/gcov"

# The C++ counterpart of a compiler.
twin() { sed -e 's/^clang/clang++/' -e 's/^gcc/g++/' -e 's/trod cc/trod c++/'; }

# say WORDS...: progress, on a terminal only.
say() { [ ! -t 2 ] || printf '\r\033[K%s' "$*" >&2; }

# spread: median, lowest and highest of the numbers on standard input.
spread() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[1], v[NR] }'; }

# fail WAY WHY: the row has the reason, and the build does not run again.
fail() {
    failed[$1]=$2
    echo "bench/$bench: $name built with $1: $2" >&2
}

due() { :; }
ran() { :; }
more() { :; }

# The subject's `run` calls this, once or several times.
program() { "$spend" "$out/spent" "${under[@]}" "$kept/$name/$way" "$@" 2>>"$out/complaint"; }

# run_once SIZE: run the build on an input, append its time and memory to a list, and compare its output.
run_once() {
    rm -rf "$out/spent" "$out/result" "$out/complaint"
    (cd "$out/place" && run "$out/input.$1" "$out/result") || { fail "$way" "the run fails"; return; }
    ran
    rm -rf "$out"/profile.* "$out"/clang.* "$out/gcov" "$out"/place/*
    [ -e "$out/expected.$1" ] || cp "$out/result" "$out/expected.$1"
    cmp -s "$out/result" "$out/expected.$1" || { fail "$way" "does not do what the plain build did"; return; }
    awk '{ user += $1; kernel += $2; if ($3 > most) most = $3 } END { print user, kernel, most }' "$out/spent"
}

# build: on success, writes its seconds to WAY.compile beside the program.
build() {
    # shellcheck disable=SC2154
    local cc=${compiler[$way]}
    [ "$(language)" = c ] || cc=$(twin <<<"$cc")
    # Compilers, sources and flags are lists.
    # shellcheck disable=SC2046,SC2086
    "$spend" "$out/$way.built" $cc -w -o "$kept/$name/$way" ${units:-$(sources)} $(flags) 2>"$kept/$name/$way.log" &&
        awk '{ print $1 + $2 }' "$out/$way.built" >"$kept/$name/$way.compile"
}

# build_all WAY...: two at a time, because otherwise half of the time would be compiling.
build_all() {
    local i these=("$@")
    for ((i = 0; i < ${#these[@]}; i += 2)); do
        say "$name: build ${these[*]:i:2}"
        for way in "${these[@]:i:2}"; do
            build &
        done
        wait
    done
}

# ran_small WAY: run the small inputs, which stand for tests: leaves $out/profile.*.trod.
ran_small() {
    local way=$1
    rm -f "$out"/profile.*
    (cd "$out/place" && run "$out/input.test" "$out/result") || return
    rm -rf "$out"/place/* "$out/result"
}

# learn WAY FILE: write the build's profile of the small inputs.
learn() {
    rm -f "$2"
    ran_small "$1" && "$trod" merge -q -o "$2" "$out"/profile.*.trod && rm -f "$out"/profile.*
}

count_instructions() {
    under=(valgrind --tool=callgrind "--callgrind-out-file=$out/callgrind.%p")
    rm -f "$out"/callgrind.*
    run_once test >"$out/ignored"
    [ -n "${failed[$way]-}" ] || sed -n 's/^totals: //p' "$out"/callgrind.* | awk '{ n += $1 } END { printf "%.0f\n", n }' >"$kept/$name/$way.instructions"
    under=()
}

# Of all builds, once: they stay with the builds. Other load does not change them.
count_all_instructions() {
    [ ! -e "$kept/$name/counted" ] || return 0
    # shellcheck disable=SC2154
    for way in "${ways[@]}"; do
        say "$name: instructions, $way"
        [ -n "${failed[$way]-}" ] || count_instructions
    done
    [ -n "${failed[*]-}" ] || touch "$kept/$name/counted"
}

row() {
    printf '    {"program": "%s", "language": "%s", "way": "%s"' "$name" "$(language)" "$way"
    if [ -n "${failed[$way]-}" ]; then
        printf ', "failed": "%s"}\n' "${failed[$way]}"
        return
    fi
    read -r middle low high < <(cut -d ' ' -f 1 "$out/$way.times" | spread)
    printf ', "seconds": %s, "low": %s, "high": %s' "$middle" "$low" "$high"
    read -r middle low high < <(cut -d ' ' -f 2 "$out/$way.times" | spread)
    printf ', "system": %s' "$middle"
    read -r middle low high < <(cut -d ' ' -f 3 "$out/$way.times" | spread)
    printf ', "peak": %s' "$middle"
    # Text is code and constants; data is writable.
    size "$kept/$name/$way" | awk 'NR == 2 { printf ", \"text\": %d, \"data\": %d", $1, $2 + $3 }'
    printf ', "compile": %s' "$(cat "$kept/$name/$way.compile")"
    [ -z "$callgrind" ] || printf ', "instructions": %s' "$(cat "$kept/$name/$way.instructions")"
    more
    printf '}\n'
}

# rows NAME: measure one subject; rows, one a line, on standard output. Runs in a subshell.
rows() {
    local name=$1 way round middle low high units='' under=()
    local -A failed
    rm -rf "$out"/*.{times,built,more} "$out"/expected.*
    mkdir -p "$out/place"
    # shellcheck disable=SC2154
    if ! subject "$name" || ! input test >"$out/input.test" || ! input "$size" >"$out/input.$size"; then
        for way in "${ways[@]}"; do
            fail "$way" "no sources or no input"
            row
        done
        return
    fi
    if [ -z "$reuse" ] || ! cmp -s "$out/build_key" "$kept/$name/key"; then
        rm -rf "${kept:?}/$name"
        mkdir -p "$kept/$name"
        if [ -n "${WHOLE-}" ]; then
            units=$out/whole.bc
            whole "$units" || fail plain "cannot be made one unit"
        fi
        build_ways
        cp "$out/build_key" "$kept/$name/key"
    fi
    for way in "${ways[@]}"; do
        [ -e "$kept/$name/$way.compile" ] || fail "$way" "the build fails"
    done
    [ -z "$callgrind" ] || count_all_instructions
    [ "$rounds" -gt 0 ] || return 0
    for ((round = 1; round <= rounds; round++)); do
        for way in "${ways[@]}"; do
            say "$name: round $round of $rounds, $way"
            [ -n "${failed[$way]-}" ] || ! due || run_once "$size" >>"$out/$way.times"
        done
    done
    for way in "${ways[@]}"; do
        row
    done
    say
}

# measure ARGUMENT...: the main function.
measure() {
    local name resumed=0 cpu
    while [ $# -gt 0 ]; do
        case $1 in
        --callgrind) callgrind=1 ;;
        --resume) resume=1 ;;
        --reuse) reuse=1 ;;
        -*)
            echo "usage: bench/$bench [--callgrind] [--resume] [--reuse] [SUBJECT...]" >&2
            exit 2
            ;;
        *) break ;;
        esac
        shift
    done
    # shellcheck disable=SC2046
    [ $# -gt 0 ] || set -- $(subjects)
    mkdir -p "$kept"
    for name; do
        [ -e "$subject_folder/$name" ] || { echo "bench/$bench: no subject $name; there are $(subjects)" >&2; exit 2; }
    done
    for name; do
        # What rows depend on: with --resume, rows are reused only if all of this is the same.
        echo "${WHOLE-} ${ways[*]}" |
            cat - "$0" "$here"/{measure,subject}.sh "$subject_folder/$name" "$trod" "${trod%/*}"/{trod-llvm.so,libtrod-rt.a} | cksum >"$out/build_key"
        echo "$rounds $callgrind" | cat - "$out/build_key" >"$out/key"
        if [ -n "$resume" ] && [ -e "$kept/$name.rows" ] && cmp -s "$out/key" "$kept/$name.key"; then
            resumed=$((resumed + 1))
            continue
        fi
        rm -f "$kept/$name.rows"
        (rows "$name") >"$out/rows"
        mv "$out/key" "$kept/$name.key"
        mv "$out/rows" "$kept/$name.rows"
    done

    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    printf '{\n  "version": 2,\n  "bench": "%s",\n  "rounds": %d,\n' "$bench" "$rounds"
    [ $resumed -eq 0 ] || printf '  "resumed": %d,\n' $resumed
    [ -z "${WHOLE-}" ] || printf '  "whole": true,\n'
    [ -z "${NOTE-}" ] || printf '  "note": "%s",\n' "$NOTE"
    printf '  "machine": {"cpu": "%s", "cores": %d, "kernel": "%s", "arch": "%s", "compiler": "%s", "gcc": "%s"},\n  "rows": [\n' \
        "$cpu" "$(nproc)" "$(uname -s)" "$(uname -m)" "$(clang-19 --version | sed -n '1s/.*version //p')" "$(gcc -dumpfullversion)"
    for name; do
        cat "$kept/$name.rows"
    done | sed '$!s/$/,/'
    printf '  ]\n}\n'
}
