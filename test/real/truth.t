#!/bin/bash
# Compare the outcome and count of every condition of real programs, and which lines ran, with clang's coverage, at
# every level of optimisation.
#
#     truth.t [SUBJECT...]
#
# TROD_LEVELS="-O0 -O2" tests only these levels.
# `ok` calls functions.
# shellcheck disable=SC2317
set -u
here=$(cd "${0%/*}/../../bench" && pwd)
kit=$(cd "${0%/*}/../kit" && pwd)
more=$(cd "${0%/*}/subject" && pwd) # programs that are compared and not measured
# shellcheck source=test/kit/tap.sh
. "$kit/tap.sh"
# shellcheck source=bench/subject.sh
. "$here/subject.sh"
# shellcheck disable=SC2154
place=$tap_tmp

# The subject's `run` calls this, once or several times. Each call writes a profile.
# clang's runtime adds a variable to the environment, which programs may read: both runs have it.
program() { __LLVM_PROFILE_RT_INIT_ONCE=__LLVM_PROFILE_RT_INIT_ONCE TROD_OUT="$place/ran/%p.trod" LLVM_PROFILE_FILE="$place/ran/%p.profraw" "$place/app" "$@" 2>>"$place/complaint"; }

# build COMPILER OPTION...: the program, and its profiles of a small input.
build() {
    local cc=$1
    shift
    rm -rf "$place/ran" "$place/there" "$place/app"
    mkdir "$place/ran" "$place/there"
    # Compilers, sources and flags are lists.
    # shellcheck disable=SC2046,SC2086
    # Lua takes its hash seed from addresses, and caches strings by theirs.
    $cc "$@" '-Dluai_makeseed(L)=1' -DSTRCACHE_N=1 -DSTRCACHE_M=1 -w -g -o "$place/app" $(sources) $(flags) && input test >"$place/input" &&
        (cd "$place/there" && run "$place/input" "$place/result")
}

# clang writes its profile before destructors of static objects run, trod afterwards. Here clang's is written
# afterwards, too. Macros of system headers also have regions: their conditions are in the program.
coverage() {
    cat >"$place/late.c" <<'C'
int __llvm_profile_write_file(void);
void lprofSetProfileDumped(unsigned dumped);
__attribute__((constructor)) static void skip_early(void)
{
    lprofSetProfileDumped(1);
}
__attribute__((destructor)) static void write_late(void)
{
    lprofSetProfileDumped(0);
    __llvm_profile_write_file();
}
C
    clang-19 -c -o "$place/late.o" "$place/late.c" &&
        build "$1" -fprofile-instr-generate -fcoverage-mapping -mllvm -system-headers-coverage=true "$place/late.o" &&
        llvm-profdata-19 merge "$place"/ran/*.profraw -o "$place/cov.profdata" &&
        llvm-cov-19 export "$place/app" -instr-profile "$place/cov.profdata" >"$place/cov.json"
}

flow() {
    build "trod $1" "$2" && trod stage flow -q --json "$place"/ran/*.trod >"$place/flow.json"
}

compare() { python3 "$kit/truth.py" "$@" "$PWD" "$place/cov.json" "$place/flow.json"; }

# The checks of one subject, all in this shell: they count towards one plan.
one() {
    local name=$1 cc=clang-19 own=cc level
    subject_folder=$here/subject
    [ ! -e "$more/$name" ] || subject_folder=$more
    subject_folder=${TROD_SUBJECTS:-$subject_folder}
    subject "$name" || { skip "$name" "no source"; return; }
    [ "$(language)" = c ] || { cc=clang++-19; own=c++; }
    ok "$name: clang's coverage" coverage "$cc"
    for level in ${TROD_LEVELS:--O0 -O1 -O2 -O3}; do
        ok "$name $level: runs" flow "$own" "$level"
        ok "$name $level: decisions and lines are those of the source" compare "$name$level"
        printf '%s\n' "$tap_out" | sed 's/^/# /'
    done
    is "$(compare --plant "$name$level" | tail -n 1)" "1 wrong" "$name: one outcome that is exchanged would be noticed"
}

# gawk by name only, to save time.
[ $# -gt 0 ] || set -- bzip2 gzip lua lzip minisat tinyxml2 zlib zopfli
for name; do
    one "$name"
done
done_testing
