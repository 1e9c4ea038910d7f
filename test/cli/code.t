#!/bin/sh
# The meaning of a function: edits that change nothing keep it, every other edit changes it.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

# Sanitizers instrument the library only; the port to the compiler has one configuration.
[ "$TROD_CONFIG" = release ] || skip_all "trod-clang is built once"

cat >base.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    int kind;
    int weight;
    long spare;
    struct item *next;
};

int total;
static int limit = 10;

static int heavy(const struct item *item)
{
    assert(item != NULL);
    return item->weight > limit;
}

static void complain(const char *file, int line)
{
    fprintf(stderr, "%s:%d\n", file, line);
}

int weigh(struct item *list, int most)
{
    int count = 0;
    struct item *each;

    for (each = list; each; each = each->next) {
        if (count >= most)
            break;
        if (heavy(each) && each->kind != 3)
            total += each->weight * 2;
        else
            puts("light");
        count++;
    }
    if (!count)
        complain(__FILE__, __LINE__);
    return count;
}

int main(void)
{
    struct item one = {1, 2, 3, NULL};

    return weigh(&one, 5) + (int)labs(one.spare);
}
C

# code FILE FLAG...: what trod-clang prints of it
code()
{
    code_file=$1
    shift
    trod-clang code --root . --directory . -- cc "$@" -c "$code_file"
}

# meanings FILE FLAG...: of all functions, by name
meanings()
{
    code "$@" | awk '$1 == "function" { print $2, $6 }' | sort
}

# meaning_of FUNCTION FILE FLAG...
meaning_of()
{
    meaning_name=$1
    shift
    meanings "$@" | awk -v name="$meaning_name" '$1 == name { print $2 }'
}

code base.c >base.code
is "$(head -n 1 base.code)" "code base.c" "the unit"
is "$(awk '$1 == "function" { print $2, $3, $4, $9 }' base.code | sort)" \
    "complain base.c 21 static
heavy base.c 15 static
main base.c 45 
weigh base.c 26 " "functions, their locations and their linkage"
is "$(grep -Ec ' meaning [0-9a-f]{16} shape [0-9a-f]{16}( static)?$' base.code)" 4 "hashes"
unlike "$(cat base.code)" "meaning 0000000000000000" "all are known"

# --- what changes nothing -----------------------------------------------------

want=$(meanings base.c)

# same NAME SCRIPT FLAG...: after an edit by sed, of a file of the same name elsewhere
same()
{
    same_name=$1 same_edit=$2
    shift 2
    mkdir -p other
    sed -E "$same_edit" base.c >other/base.c
    is "$(cd other && meanings base.c "$@")" "$want" "$same_name"
}

same "the same in another folder" ''
same "a comment and an empty line" '1i /* What this\n * is. */\n
s/break;/break; \/\/ enough/'
same "layout" 's/^    //; s/ \{$/\n{\n/; s/count\+\+/count ++/'
same "locals have other names" 's/\beach\b/item_at/g; s/\bcount\b/n/g; s/\bmost\b/max/g; s/\bone\b/uno/g'
same "a type has another name" 's/struct item/struct thing/g'
same "a field has another name" 's/\bspare\b/reserve/g'
same "position-independent" '' -fPIC
same "another level of optimisation" '' -O2
same "debug information, warnings, output" '' -g3 -Wall -MD -MF out.d -o out.o
same "an option of another compiler" '' -fno-tree-loop-im -fweb


# by_path FOLDER: of the file there, named by its whole path
by_path()
{
    trod-clang code --root "$PWD/$1" --directory . --depends \
        --command "cc \"-c\" \"$PWD/$1/base.c\" \"-DNAME=\\\"a b\\\"\"" |
        awk '$1 == "function" { print $2, $3, $6 }' | sort
}
cp base.c other/base.c
is "$(by_path other)" "$(by_path .)" "a file named by its whole path, and a command as maps have it"
is "$(by_path . | cut -d' ' -f1,3)" "$want" "and as words"

# Functions in another order.
awk '/^static void complain/ { held = 1 }
    held { late = late $0 "\n" }
    held && /^}/ { held = 0; next }
    !held && !/^static void complain/ { print }
    END { printf "%s", late }' base.c |
    sed '/^static int limit/a static void complain(const char *file, int line);' >other/base.c
is "$(cd other && meanings base.c)" "$want" "functions in another order"
is "$(code base.c | awk '$2 == "heavy" { print $8 }')" \
    "$(cd other && code base.c | awk '$2 == "heavy" { print $8 }')" \
    "and clang's own hash is the same, too"

# --- what does ------------------------------------------------------------------

# differs NAME SCRIPT FUNCTION...: just these functions mean something else
differs()
{
    differs_name=$1
    mkdir -p other
    sed -E "$2" base.c >other/base.c
    shift 2
    cmp -s base.c other/base.c && echo "# the edit does nothing: $differs_name" >&2
    (cd other && meanings base.c) >other.meanings
    differs_got=$(printf '%s\n' "$want" | comm -13 - other.meanings | cut -d' ' -f1 | tr '\n' ' ')
    is "${differs_got% }" "$*" "$differs_name"
}

differs "an operator" 's/count >= most/count > most/' weigh
differs "a constant" 's/weight \* 2/weight * 3/' weigh
differs "another callee" 's/puts\("light/perror("light/' weigh
differs "a string" 's/"light"/"Light"/' weigh
differs "an added statement" 's/^(        count\+\+;)/\1 total++;/' weigh
differs "a removed one" 's/^        count\+\+;//' weigh
differs "operands the other way" 's/count >= most/most >= count/' weigh
differs "other data" 's/total \+= each/limit += each/' weigh
differs "a condition less" 's/ \&\& each->kind != 3//' weigh
differs "signed or not" 's/^    int weight;/    unsigned weight;/' heavy weigh
differs "the type of a field that is used" 's/^    int kind;/    long kind;/' heavy main weigh
differs "the type of a field that only one uses" 's/^    long spare;/    double spare;/' main
differs "the type of a result" 's/^int weigh/long weigh/' main weigh
differs "an argument by value" 's/int most\)/long most)/' main weigh
differs "what an assertion asserts" 's/item != NULL/item != (void *)1/' heavy
differs "a macro on the command line" 's/weight \* 2/weight * __COUNTER__/' weigh
is "$(meaning_of weigh base.c -DNDEBUG)" "$(meaning_of weigh base.c)" \
    "flags that concern others"
unlike "$(meaning_of heavy base.c -DNDEBUG)" "$(meaning_of heavy base.c)" \
    "flags are part of the program"

# A number that is that of its line is taken to be one where lines are thousands.
numbered()
{
    {
        yes '' | head -n "$1"
        printf 'void log_at(int, int);\nvoid f(void)\n{\n    log_at(%s, 7);\n}\n' "$2"
    } >numbered.c
    meaning_of f numbered.c
}
is "$(numbered 1200 __LINE__)" "$(numbered 1300 __LINE__)" "lines beyond those that the map records"
unlike "$(numbered 12 __LINE__)" "$(numbered 13 __LINE__)" "other numbers are numbers"
unlike "$(numbered 1200 1201)" "$(numbered 1200 1202)" "also in large files"

# --- C++ -------------------------------------------------------------------------

cat >one.cpp <<'C'
#include <stdexcept>
namespace shop {
struct Cart {
    int n = 0;
    int add(int k);
};
int Cart::add(int k)
{
    try {
        if (k < 0)
            throw std::runtime_error("negative");
        n += k;
    } catch (const std::exception &) {
        n = 0;
    }
    return n;
}
}
C
mkdir -p other
sed 's/\bk\b/amount/g; 1i // renamed' one.cpp >other/one.cpp
like "$(code one.cpp)" "^function _ZN4shop4Cart3addEi one.cpp 7 meaning" "a method"
is "$(cd other && meaning_of _ZN4shop4Cart3addEi one.cpp)" \
    "$(meaning_of _ZN4shop4Cart3addEi one.cpp)" "a method with another name of its parameter"
sed 's/const std::exception/const std::runtime_error/' one.cpp >other/one.cpp
unlike "$(cd other && meaning_of _ZN4shop4Cart3addEi one.cpp)" \
    "$(meaning_of _ZN4shop4Cart3addEi one.cpp)" "what is caught"

# --- the macros that optimisation defines ------------------------------------------

printf 'int f(void)\n{\n#ifdef __OPTIMIZE__\n    return 1;\n#else\n    return 2;\n#endif\n}\n' >level.c
unlike "$(meanings level.c -O2)" "$(meanings level.c)" "__OPTIMIZE__ is what the command makes it"

# --- errors ---------------------------------------------------------------------------

printf 'int f(void) { return g }\n' >bad.c
exits 3 "a unit that does not compile" code bad.c
like "$(code bad.c 2>&1)" "bad.c: clang could not compile it: " "and why"
exits 3 "a unit that is not there" code none.c

done_testing
