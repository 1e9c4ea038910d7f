#!/bin/sh
# Objects of all allocators are identified by the calls that allocated them, in C and C++, at every level. The calls
# themselves do not change.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

cat >all.c <<'END'
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile long sum;

__attribute__((noinline)) static void use(void *object, long size)
{
    volatile char *byte = object;

    byte[0] = 1;
    byte[size - 1] = 2;
    sum += byte[0];
}

int main(void)
{
    char *p, *q;
    void *aligned;

    use(p = malloc(10), 10); /* HERE */
    free(p);
    use(p = calloc(3, 7), 21); /* HERE */
    use(p = realloc(p, 5000), 5000); /* HERE */
    use(p = reallocarray(p, 100, 100), 10000); /* HERE */
    free(p);
    use(p = aligned_alloc(64, 128), 128); /* HERE */
    free(p);
    use(p = memalign(64, 100), 100); /* HERE */
    if (posix_memalign(&aligned, 128, 50)) /* HERE */
        return 1;
    use(aligned, 50);
    free(aligned);
    use(q = strdup("some text"), 10); /* HERE */
    free(p);
    use(p = strndup(q, 4), 5); /* HERE */
    free(p);
    free(q);
    free(NULL);
    p = realloc(NULL, 30); /* HERE */
    use(p, 30);
    q = realloc(p, (size_t)-1 / 2 - 100);
    use(q ? q : p, 30);
    printf("%ld\n", sum);
    free(q ? q : p);
    return 0;
}
END
cat >all.cc <<'END'
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

static volatile long sum;

__attribute__((noinline)) static void use(void *object, long size)
{
    volatile char *byte = static_cast<char *>(object);

    byte[0] = 1;
    byte[size - 1] = 2;
    sum = sum + byte[0];
}

struct large {
    char byte[64];
    explicit large(int n)
    {
        if (n > 1)
            throw n;
        use(this, 64);
    }
};

struct alignas(64) wide {
    char byte[64];
};

__attribute__((noinline)) static void try_large(int n)
{
    try {
        delete new large(n); /* HERE */
        std::puts("made");
    } catch (int thrown) {
        std::printf("thrown %d\n", thrown);
    }
}

int main()
{
    char *array = new char[20]; /* HERE */
    wide *one = new wide; /* HERE */
    int *nothing = new (std::nothrow) int; /* HERE */
    std::vector<int> grows;

    use(array, 20);
    use(one, 64);
    use(nothing, 4);
    delete[] array;
    delete one;
    delete nothing;
    for (int i = 0; i < 4; i++)
        try_large(i);
    for (int i = 0; i < 100; i++)
        grows.push_back(i); /* HERE */
    use(grows.data(), 400);
    try {
        volatile std::size_t size = static_cast<std::size_t>(-1) / 4;
        std::unique_ptr<char[]> huge(new char[size]);

        use(huge.get(), 1);
    } catch (const std::bad_alloc &) {
        std::puts("too large");
    }
    std::printf("%ld\n", static_cast<long>(sum));
}
END

TROD_OUT=a.trod
TROD_BURST=trigger=always
export TROD_OUT TROD_BURST

# places FILE: lines of the file with calls that allocated objects that were accessed.
places()
{
    trod sample data --refs --check a.trod | awk -v file="$1" '
        $1 == "place" && $4 == file { line[$2] = $5 }
        $1 == "object" && $3 == "heap" { print line[$4] }' | sort -nu
}

# same COMPILER FILE FLAGS: the output does not change, and the objects are identified.
same()
{
    compiler=$1 file=$2
    shift 2
    [ "$compiler" = cc ] && clang='clang-19' || clang='clang++-19'
    rm -f a.trod
    if ! "$clang" "$@" "$file" -o plain || ! trod "$compiler" --burst=types=streams "$@" -g "$file" -o app; then
        ok "$file $* is compiled" false
        return
    fi
    is "$(./app)" "$(TROD_OUT='' ./plain)" "$file $*: the same output"
    # In C++, some calls are in templates, which have their own call sites unless they are inlined.
    is "$(places "$file" | comm -23 wanted -)" "" "$file $*: every call of an allocator is identified"
}

for level in -O0 -O1 -O2 -O3 -Os; do
    grep -n HERE all.c | cut -d: -f1 | sort -n >wanted
    same cc all.c "$level"
    grep -n HERE all.cc | cut -d: -f1 | sort -n >wanted
    case $level in
    -O0 | -Os) grep -n HERE all.cc | grep -v push_back | cut -d: -f1 | sort -n >wanted ;;
    esac
    same c++ all.cc "$level"
done
grep -n HERE all.c | cut -d: -f1 | sort -n >wanted
same cc all.c -O2 -static
same cc all.c -O2 -fPIE -pie
same cc all.c -O2 -flto -fuse-ld=lld-19

# Each execution of a call gets the next number, and a freed object is no longer known.
cat >many.c <<'END'
#include <stdlib.h>

int main(void)
{
    for (int i = 0; i < 3; i++) {
        volatile char *volatile p = malloc(8);

        p[0] = 1;
        p[7] = 1;
        free((void *)p);
    }
    return 0;
}
END
trod cc --burst=types=streams -O1 many.c -o many && rm -f a.trod && ./many
is "$(trod sample data --refs a.trod | awk '$1 == "object" && $3 == "heap" { print $5 }' | tr '\n' ' ')" "0 1 2 " \
    "successive objects at one address are distinct"
is "$(trod sample data --refs a.trod | grep '^place')" 'place 0 main "?" 0 1' "without -g a call is the first of its function"

done_testing
