# shellcheck shell=bash
# Shared by bench/burst and bench/burst_overlap: how subjects are built for bursts, and the builds they are compared
# with. Source it after bench/measure.sh.
#
# Builds in build/bench/built/SUBJECT are reused while compiler, flags and sources are the same; those of trod also
# depend on trod.
store=${BUILT:-$here/../build/bench/built}

# shellcheck disable=SC2034
declare -A compiler=(
    [plain]="clang-19 -O2"
    [frontend]="clang-19 -O2 -fprofile-instr-generate"
    [gcc]="gcc -O2"
    [coverage]="gcc -O2 --coverage -fprofile-update=single"
    [count]="$trod cc --burst -O2"
    [single]="$trod cc --burst=words=1 -O2"
    [flag]="$trod cc --burst=trigger=flag -O2"
    [streams]="$trod cc --burst=types=streams -O2"
)

# build_key: everything that a build depends on.
build_key() {
    {
        version
        declare -f sources flags prepare language
        echo "${compiler[$way]#"$trod"}"
        case ${compiler[$way]} in
        "$trod"*) cat "$trod" "${trod%/*}"/{trod-llvm.so,libtrod-rt.a} ;;
        clang*) clang-19 --version ;;
        gcc*) gcc --version ;;
        esac
    } | cksum
}

# build_kept: make a build, unless it exists. Runs in a subshell.
build_kept() {
    local key
    # Used by `build`.
    # shellcheck disable=SC2034
    local units='' kept=$store
    subject "$name" || return
    key=$(build_key)
    [ "$key" != "$(cat "$store/$name/$way.key" 2>&1)" ] || return 0
    say "$name: build $way"
    out=$out/$name.$way
    rm -rf "$out"
    mkdir -p "$out" "$store/$name"
    rm -f "$store/$name/$way"{,.key,.compile}
    build || return
    rm -rf "$out"
    echo "$key" >"$store/$name/$way.key"
}

# pool MOST COMMAND...: run the command in the background, as soon as fewer than MOST jobs run.
pool() {
    local most=$1
    shift
    while [ "$(jobs -rp | wc -l)" -ge "$most" ]; do
        wait -n || true
    done
    ("$@") &
}

# build_for WAYS SUBJECT...: make all builds of all subjects, two at a time; a failed one has no WAY.compile.
build_for() {
    local name way list=$1
    shift
    for name; do
        # Make shared parts once, before.
        (subject "$name") || continue
        for way in $list; do
            pool 2 build_kept
        done
    done
    wait
}

# named ARGUMENT...: the subjects among the arguments; if there are none, all subjects.
named() {
    local name names=()
    for name; do
        case $name in -*) ;; *) names+=("$name") ;; esac
    done
    if [ ${#names[@]} -gt 0 ]; then echo "${names[@]}"; else subjects; fi
}
