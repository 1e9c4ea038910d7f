#!/bin/sh
# Programs and libraries of all linkers. Not all of them resolve an undefined symbol that is weak and hidden to null.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >part.c <<'EOP'
int f(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += i & 3 ? i : 2;
    return sum;
}
EOP
cat >main.c <<'EOP'
int f(int);
int main(void) { return f(5) == 0; }
EOP

for linker in bfd gold lld-19 mold; do
    command -v ld.$linker >/dev/null || command -v $linker >/dev/null || {
        skip "$linker" "not installed"
        continue
    }
    for mode in "" --wpp --online --burst; do
        for kind in "-fPIE -pie" "-no-pie" "-fPIC -shared"; do
            rm -rf run && mkdir run
            case $kind in
            *shared)
                # shellcheck disable=SC2086
                trod cc $mode -O1 $kind -fuse-ld=$linker -o part.so part.c &&
                    clang-19 -o program main.c "$PWD/part.so" || exit 1
                ;;
            *)
                # shellcheck disable=SC2086
                trod cc $mode -O1 $kind -fuse-ld=$linker -o program part.c main.c || exit 1
                ;;
            esac
            exits 0 "$linker: cc $mode $kind" sh -c 'cd run && exec ../program'
            like "$(trod check run/*.trod 2>&1)" ': live, sound' "$linker: cc $mode $kind: sound"
        done
    done
done

done_testing
