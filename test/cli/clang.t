#!/bin/sh
# The output of trod-clang for a unit: which edits change which hashes, and which do not.
# shellcheck source=test/kit/tap.sh
. "${0%/*}/../kit/tap.sh"

[ -x "$root/build/$TROD_CONFIG/trod-clang" ] || skip_all "trod-clang is not built with sanitizers"

mkdir old new
cat >old/app.h <<'EOT'
#define LIMIT 100
#define API static int
struct node { struct node *next; int value; long other; };
struct pair { int x, y; };
static inline int sign(int x) { return x < 0 ? -1 : x > 0; }
EOT
cat >old/app.c <<'EOT'
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include "app.h"

int total;
static int add(int a, int b) { return a + b; }
static int (*const table[])(int, int) = {add};

API
first(struct node *n)
{
    int sum = 0;

    assert(n != NULL);
    for (; n; n = n->next) {
        sum += n->value;
        if (sum > LIMIT)
            break;
        else
            sum++;
    }
    do {
        sum--;
    } while (0);
    do
        sum--;
    while (sum > 3);
    return table[0](sum, add(1, 2)) + (int)sizeof(struct pair);
}

static bool empty(const struct pair *p)
{
    struct pair q = *p;
    bool none = false;

again:
    while (q.x > q.y) {
        q.x -= sign(q.y);
        if (q.x == 7)
            goto again;
    }
    return q.x == 0 || none;
}

int main(int argc, char **argv)
{
    struct node n = {NULL, argc, 0};
    struct pair p = {1, 2};

    (void)argv;
    total = first(&n);
    return empty(&p) + total;
}
EOT

# constructs FOLDER [FLAG...]: of its app.c.
constructs()
{
    folder=$1
    shift
    trod-clang constructs --root "$folder" --directory "$folder" -- clang-19 -O1 "$@" -c app.c
}

# trees: functions and the hashes of their trees, in the order of names.
trees()
{
    awk '$2 == "function" { print $7, $5 }' | sort
}

# changed NAMES TEXT [FLAG...]: just these functions have other trees now.
changed()
{
    want=$1 text=$2
    shift 2
    constructs new "$@" | trees >new.trees
    is "$(LC_ALL=C join -a 1 -a 2 -o 0,1.2,2.2 -e - old.trees new.trees |
        awk '$2 != $3 { printf "%s%s", sep, $1; sep = " " }')" "$want" "$text"
}

# edit EXPRESSION [FILE]: the new version is the old one, with this done to it by perl.
edit()
{
    rm -rf new && cp -r old new
    perl -0pi -e "$1" "new/${2-app.c}"
    if cmp -s "old/${2-app.c}" "new/${2-app.c}"; then
        echo "Bail out! nothing was edited by $1"
        exit 1
    fi
}

constructs old >old.text
trees <old.text >old.trees
is "$(cut -d ' ' -f 1 old.trees | tr '\n' ' ')" "add empty first main sign " \
    "functions have their names, of headers too, and not of the system's"
is "$(grep -c '^note' old.text)" 0 "there is nothing to say about it"

# --- what is no change ------------------------------------------------------------

edit 's|int sum = 0;|int sum = 0; /* so far */\n\n\n|'
changed "" "a comment and lines are no change, nor is the line of an assertion"
edit 's|    assert\(n != NULL\);|\n\n    assert(n !=\n/* ) */ NULL\n);|'
changed "" "also where it is in several lines"
edit 's/sum--;/sum -= 17;/'
cp new/app.c seventeen.c
perl -pi -e 's/17/COUNT/' new/app.c
changed "first" "a number of the command line is one" -DCOUNT=18
constructs new -DCOUNT=17 | trees >one.trees
cp seventeen.c new/app.c
constructs new | trees >two.trees
ok "independent of the compiler that wrote it" cmp one.trees two.trees
edit 's/\n    /\n\t/g; s/\{\n/\n{\n/g'
changed "" "nor is layout"
edit 's/\bsum\b/all/g; s/\bagain\b/back/g'
changed "" "nor are names of variables and labels"
# shellcheck disable=SC2016
edit 's/(static int add.*?\n)(.*)(int main.*)\z/$1$3$2/s; s/int main/static int first(struct node *);static bool empty(const struct pair *);\nint main/'
changed "" "nor is the order of definitions"
edit 's/sum > LIMIT/(sum) > (LIMIT)/'
changed "" "nor are parentheses"
edit 's/LIMIT/MOST/' app.h
perl -pi -e 's/LIMIT/MOST/' new/app.c
changed "" "nor is the name of a macro"
edit 's/static int add/__attribute__((noinline)) static int add/'
changed "" "nor is an attribute"
rm -rf new && cp -r old new && mv new/app.c new/renamed.c
trod-clang constructs --root new --directory new -- clang-19 -O1 -c renamed.c | trees >new.trees
ok "nor is the name of a file" cmp old.trees new.trees
constructs old -std=c17 | trees >c17.trees
constructs old -std=c23 | trees >c23.trees
ok "nor is false, which C23 has a word for" cmp c17.trees c23.trees
(cd old && trod-clang constructs --root "$PWD" --directory /tmp -- \
    clang-19 -O1 -g -fPIC -Wall -o x.o -c "$PWD/app.c") | trees >new.trees
ok "nor is where it is compiled from, and options that mean nothing" cmp old.trees new.trees

# --- what is one ------------------------------------------------------------------

edit 's/#define LIMIT 100/#define LIMIT 101/' app.h
changed "first" "another macro changes the functions that use it"
edit 's/#define API static int/#define API static long/' app.h
changed "first main" "also if it is the first word of a function"
edit 's/long other;/long other; int more;/' app.h
changed "main" "another field changes functions with such an object, not those that read fields before it"
edit 's/struct node \*next; int value;/int value; struct node *next;/' app.h
changed "first main" "fields in another order change the functions that read them"
edit 's/int x, y;/int y, x;/' app.h
changed "empty main" "also where only the order of names differs"
edit 's/int x, y;/short x, y;/' app.h
changed "empty first main" "another size changes the functions that use sizeof"
edit 's/add\(int a, int b\)/add(int a, long b)/; s/\(\*const table\[\]\)\(int, int\)/(*const table[])(int, long)/'
changed "add first" "another signature changes the callers"
edit 's/a \+ b/a - b/'
changed "add" "another operator is a change"
edit 's/return a \+ b/return b + a/'
changed "add" "so is the other order of operands"
edit 's/for \(; n; n = n->next\)/for (n; n = n->next;)/'
changed "first" "so is another part of a for"
edit 's/while \(0\)/while (1)/'
changed "first" "so is a condition"
edit 's/q\.x == 0 \|\| none/q.y == 0 || none/'
changed "empty" "so is another member"
edit 's/int sum = 0;/int sum = 0, more;/'
changed "first" "so is another variable"
edit 's/assert\(n != NULL\)/assert(n == NULL)/'
changed "first" "so is what is asserted"
changed "add empty first main sign" "flags are part of the program" -Dint=long
edit 's/x < 0 \? -1/x < 0 ? -2/' app.h
changed "sign" "a header has functions, too"

# --- statements -------------------------------------------------------------------

# statements FUNCTION: without hashes.
statements()
{
    awk -v name="$1" '$2 == "function" { on = $7 == name } on && /^[1-9]/ { print $1, $2, $3, $4, $5 }'
}
is "$(statements first <old.text | sed -n '/loop for/,$p')" "1 loop for 16 22
2 statement assign 17 17
2 statement if 18 21
3 statement break 19 19
3 statement assign 21 21
1 statement do 23 25
2 statement assign 24 24
1 loop do 26 28
2 statement assign 27 27
1 statement return 29 29" "statements are a tree, and do while (0) is no loop"
edit 's/int sum = 0;/int sum = 0;\n    int more;/'
constructs new >new.text
# Hashes of statements of a function, trees only.
hashes()
{
    awk '$2 == "function" { on = $7 == "first" } on && /^[1-9]/ { print $3, $6 }' "$1" | sort
}
hashes old.text >old.hashes
hashes new.text >new.hashes
is "$(diff old.hashes new.hashes | grep -c '^[<>]')" 1 "a declaration that was added changes no other statement"
edit 's/sum \+= n->value/sum += 2 * n->value/'
constructs new >new.text
is "$(diff old.text new.text | awk '$1 == ">" && $3 != "function" { print $3, $4, ($7 == $8 ? "" : "outer") }')" \
    "loop for outer
statement assign " "an edit changes trees around it"
is "$(diff old.text new.text | awk '/^[<>] . loop/ { print $8 }' | sort -u | wc -l)" 1 \
    "and the own part of its statement alone"

# --- uses -------------------------------------------------------------------------

# used FUNCTION: what it and its statements use.
used()
{
    awk -v name="$1" '$2 == "function" { on = $7 == name; next } /^0/ { on = 0 } on && /^[a-z]/' | sort -u
}
like "$(used first <old.text)" "^calls add app.c$" "a static function is called by name and file"
type=$(used first <old.text | sed -n 's/^may-call //p')
like "$(cat old.text)" "^taken add $type app.c$" "a call through a pointer is of a type that an address was taken of"
like "$(used main <old.text)" "^names total$" "data is named"
like "$(used main <old.text)" '^names "struct pair"$' "and types are"
is "$(used main <old.text | grep -c 'taken\|may-call')" 0 "a call takes no address"

# --- C++ --------------------------------------------------------------------------

mkdir cxx
cat >cxx/shape.cc <<'EOT'
namespace geo {
template <typename T> T largest(T a, T b) { return a > b ? a : b; }
template <typename T> class Stack {
public:
    void push(T x) { if (n < 9) v[n++] = x; }
private:
    T v[9];
    int n = 0;
};
class Shape {
public:
    explicit Shape(int k) : k_(k) { for (int i = 0; i < k; i++) k_ += i; }
    virtual ~Shape() {}
    virtual int area() const { return k_; }
protected:
    int k_;
};
class Square : public Shape {
public:
    Square() : Shape(2) {}
    int area() const override { return k_ * k_; }
};
}
namespace { int hidden(int x) { return x + 1; } }
int measure(const geo::Shape &s)
{
    auto twice = [](int x) { if (x > 3) return 2 * x; return x; };
    geo::Stack<int> st;

    st.push(geo::largest(1, 2));
    try {
        return twice(s.area()) + hidden(1);
    } catch (int) {
        throw;
    }
}
int main()
{
    struct Half { int x; int get() { return x / 2; } } h = {4};
    geo::Square q;
    return measure(q) + h.get();
}
EOT
trod-clang constructs --root cxx --directory cxx -- clang++-19 -c shape.cc >cxx.text
is "$(grep -c '^note' cxx.text)" 0 "C++ is read"
named()
{
    awk -v name="$1" '($2 == "function" || $2 == "class") && index($0, " " name) { print $1, $2, $3, $4; exit }' cxx.text
}
is "$(named '"geo::Shape"')" "0 class 10 17" "a class is one"
is "$(named _ZNK3geo5Shape4areaEv)" "1 function 14 14" "a method is in it"
for name in _ZN3geo5ShapeC1Ei _ZN3geo5ShapeC2Ei _ZN3geo5ShapeD0Ev _ZN3geo5ShapeD1Ev _ZN3geo5ShapeD2Ev; do
    like "$(named $name)" "^1 function 1[23]" "constructors and destructors have all their names: $name"
done
is "$(named _ZN3geo7largestIiEET_S1_S1_)" "0 function 2 2" "an instance of a template that is used is a function"
is "$(named _ZN3geo5StackIiE4pushEi)" "0 function 5 5" "so is one of a method"
like "$(cat cxx.text)" '^0 function .* _ZN12_GLOBAL__N_16hiddenEi shown "\(anonymous\)::hidden\(int\)" static$' \
    "what no other unit sees is static"
is "$(named _ZZ4mainEN4Half3getEv)" "0 function 39 39" "a method of a class in a function is a function"
slot=$(sed -n 's/^taken _ZNK3geo6Square4areaEv //p' cxx.text)
like "$(cat cxx.text)" "^taken _ZNK3geo5Shape4areaEv $slot$" "a method that overrides another has its type"
like "$(cat cxx.text)" "^may-call $slot$" "and may be called where that is"
is "$(awk '$2 == "function" { on = $7 == "_Z7measureRKN3geo5ShapeE" } on && /^[2-9]/ { print $2, $3 }' cxx.text | tr '\n' ,)" \
    "statement if,statement return,statement return,statement return,statement catch,statement throw," \
    "statements of a lambda are in those of its function"

# --- commands ---------------------------------------------------------------------

trod-clang constructs --root old --directory old --command '"clang-19" "-O1" "-c" app.c' >line.text
ok "a command may be a line of a map" cmp old.text line.text
(cd old && trod-clang constructs --root . --directory . --file app.c -- clang-19 -O1 other.c app.c -o both) >line.text
ok "and may have several sources" cmp old.text line.text
echo 'int f(void) { return g; }' >new/app.c
like "$(constructs new)" '^note "app.c:1.*undeclared identifier' "what the compiler does not understand is noted"
like "$(constructs new)" '^0 function 1 1 .* f$' "and the rest is read"
exits 3 "a file that is missing cannot be read" trod-clang constructs --root old --directory old -- clang-19 -c gone.c
exits 2 "there is nothing to read without a command" trod-clang constructs --root old --directory old
exits 2 "nor without a source" trod-clang constructs --root old --directory old -- clang-19 -c x.o
exits 2 "an internal compiler command is not read" trod-clang constructs --root old --directory old -- clang-19 -cc1 app.c
exits 2 "a mode must be known" trod-clang frobnicate

done_testing
