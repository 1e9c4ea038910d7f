# shellcheck shell=bash
# Shared by scripts that build and run subjects. A subject is a real program at a pinned version, described by
# functions in the file bench/subject/NAME:
#
#     sources, flags      arguments of one call of the compiler, in the source folder
#     input test|field|long
#                         the input: as small as in a test suite, a second or two of work, or more than five seconds;
#                         the first two may be followed by a kind
#     kinds               other kinds of input than the usual one, if any
#     run INPUT RESULT    run it by calling `program ARGUMENT...`, which the script defines
#     language            c++ if it is not C
#     prepare             run once in a copy of the sources, for example configure
#     fetch, version      the folder of the sources and their version, if they are not from tools/source
#
# $TROD_SUBJECTS is another folder of subjects. bench/unseen has programs that trod was not tuned on when they were added.
#
# Source a subject in a subshell, so that the next one starts from the defaults below.
work=${TROD_CORPUS:-${XDG_CACHE_HOME:-$HOME/.cache}/trod-corpus}
here=${here:?} # the folder bench
subject_folder=${TROD_SUBJECTS:-$here/subject}

subjects() { (cd "$subject_folder" && echo *); }

# subject NAME: source its functions and enter its sources; fetch, copy and prepare them if they are missing.
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

# numbers N SEED: N pseudorandom numbers below 2^31, one per line; reproducible.
numbers() { awk -v n="$1" -v x="$2" 'BEGIN { while (n-- > 0) { x = (x * 16807) % 2147483647; print x } }'; }

# words BYTES: text that is neither random nor regular; reproducible.
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

# again N COMMAND...: print the command's output N times. It runs once: most programs process text faster than it is
# made.
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

# matter KIND BYTES: reproducible data to compress: text, the subject's own source, numbers, image, noise.
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

# members ARCHIVE PREFIX FOLDER: the sources under FOLDER whose objects the package's own build put into ARCHIVE.
members() {
    local member
    for member in $(ar t "$1"); do
        member=${member#"$2"}
        find "$3" -name "${member%.o}.c" -print
    done
}

# whole FILE: link all sources into one unit of unoptimised bitcode, for compilers that see one unit at a time. It
# replaces `sources`.
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
