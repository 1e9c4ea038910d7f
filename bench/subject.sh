# shellcheck shell=bash
# What the scripts that build and run subjects share. A subject is a real program at a pinned version, with a file
# bench/subject/NAME of functions:
#
#     sources, flags      what one call of the compiler gets, in the source folder
#     input test|field|long
#                         what the program works on: as small as a test suite's, a second or two of work, or more than five
#                         seconds; with a kind behind the first two, something of this kind
#     kinds               what else than the usual it can work on, if anything
#     run INPUT RESULT    run it by calling `program ARGUMENT...`, which the script defines
#     language            c++ if it is not C
#     prepare             what is to be done once in a copy of the sources: configure, mostly
#     fetch, version      the folder of the sources and what tells them from others, if they are not tools/source's
#
# $TROD_SUBJECTS is another folder of subjects.
#
# Whoever reads a subject does it in a subshell: the next one starts from the defaults below.
work=${TROD_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/trod-corpus}
here=${here:?} # the folder bench
subject_folder=${TROD_SUBJECTS:-$here/subject}

subjects() { (cd "$subject_folder" && echo *); }

# subject NAME: read its functions and enter its sources, fetched, copied and prepared when they are not there.
subject() {
    local name=$1 folder made
    # shellcheck disable=SC2317
    language() { echo c; }
    prepare() { :; }
    # shellcheck disable=SC2317
    kinds() { :; }
    fetch() { "$here/../tools/source" "$name"; }
    version() { "$here/../tools/source" --package "$name"; }
    # shellcheck source=/dev/null
    . "$subject_folder/$name"
    folder=$(fetch) || return
    made="$(version) $(declare -f prepare)"
    if [ "$(cat "$work/$name/bench/.made" 2>&1)" != "$made" ]; then
        rm -rf "${work:?}/$name/bench"
        mkdir -p "$work/$name"
        cp -a "$folder" "$work/$name/bench" || return
        (cd "$work/$name/bench" && set -e && prepare) >"$work/$name/prepare.log" 2>&1 ||
            { echo "subject $name: see $work/$name/prepare.log" >&2; return 1; }
        printf '%s\n' "$made" >"$work/$name/bench/.made"
    fi
    cd "$work/$name/bench"
}

# numbers N SEED: N numbers below 2^31, one a line, the same every time.
numbers() { awk -v n="$1" -v x="$2" 'BEGIN { while (n-- > 0) { x = (x * 16807) % 2147483647; print x } }'; }

# words BYTES: text that is neither random nor regular, the same every time.
words() {
    awk -v most="$1" 'BEGIN {
        n = split("the of path and count to probe in edge block a is loop that graph it for was as with number be on not", w, " ")
        for (x = 1; bytes < most; i++) {
            x = (x * 16807) % 2147483647
            s = w[x % n + 1] (i % 11 == 10 ? "\n" : x % 7 == 0 ? i % 1000 " " : " ")
            bytes += length(s)
            printf "%s", s
        }
    }'
}

# again N COMMAND...: what the command prints, N times over. It runs once: making up text takes longer than most that is done with it.
again() {
    local n=$1 once
    shift
    once=$(mktemp)
    "$@" >"$once"
    while [ $((n--)) -gt 0 ]; do
        cat "$once"
    done
    rm -f "$once"
}

# matter KIND BYTES: something to compress, the same every time: text, the subject's own source, numbers, image, noise.
matter() {
    case $1 in
    text) words "$2" ;;
    source)
        # Sources are a list.
        # shellcheck disable=SC2046
        perl -e 'my $n = shift; local $/; my $s = join "", <>; print substr($s x ($n / length($s) + 1), 0, $n)' "$2" $(sources)
        ;;
    numbers) numbers $(($2 / 10)) 7 ;;
    image) perl -e 'for my $i (0 .. shift) { my ($x, $y) = ($i % 512, $i >> 9); $r = $r * 16807 % 2147483647 || 1; print chr(($x * $y / 64 + $r % 3) & 255) }' "$2" ;;
    noise) perl -e 'for (0 .. shift) { $r = $r * 16807 % 2147483647 || 1; print chr($r >> 8 & 255) }' "$2" ;;
    *) return 1 ;;
    esac
}

# members ARCHIVE PREFIX FOLDER: the sources under FOLDER of what the package's own build put into ARCHIVE.
members() {
    local member
    for member in $(ar t "$1"); do
        member=${member#"$2"}
        find "$3" -name "${member%.o}.c" -print
    done
}

# whole FILE: all sources as one unit of bitcode that nothing was optimised in yet, for compilers that see one unit at a time. It
# takes the place of `sources`.
whole() {
    local cc=clang-19 source folder part=()
    [ "$(language)" = c ] || cc=clang++-19
    folder=$(mktemp -d) || return
    for source in $(sources); do
        part+=("$folder/${#part[@]}.bc")
        # Flags are a list.
        # shellcheck disable=SC2046
        $cc -O2 -w -Xclang -disable-llvm-passes -emit-llvm -c -o "${part[-1]}" "$source" $(flags) || return
    done
    llvm-link-19 -o "$1" "${part[@]}" || return
    rm -rf "$folder"
}
