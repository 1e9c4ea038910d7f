/* Impact: units of dependences that are joined, and what is refused of them; what the validator of impacts finds; what
 * happens when memory ends. What methods affect is in test/case/impact, and in prop_impact.c for random programs.
 */
#include "kit/fixture.h"

#include <string.h>

#include "impact/impact.h"

/* --- dependences ------------------------------------------------------------------------------------- */

static bool add_depends(struct trod_depends_builder *b, const char *lines)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    return trod_depends_add(b, &text, &have.err);
}

static void build(struct trod_depends *out, const char *first, const char *second)
{
    struct trod_depends_builder *b = trod_depends_begin(&have.mem);

    must(add_depends(b, first));
    if (second)
        must(add_depends(b, second));
    trod_depends_build(out, b);
    must(trod_depends_check(out, &have.err));
}

static uint32_t node_at(
    const struct trod_depends *of, const char *function, uint32_t line)
{
    for (uint32_t v = 0; v < of->nnode; v++)
        if (of->node[v].function && strcmp(of->node[v].function, function) == 0 &&
            of->node[v].line == line)
            return v;
    fail_msg("no node of %s at %u", function, line);
    return 0;
}

static bool reaches(const struct trod_depends *of, uint32_t from, uint32_t to)
{
    uint64_t *seen = trod_new(&have.mem, uint64_t, TROD_WORDS(of->nnode) + 1);
    bool more = true;

    trod_add(seen, from);
    while (more) {
        more = false;
        for (uint32_t v = 0; v < of->nnode; v++)
            for (uint64_t e = of->first_out[v];
                trod_has(seen, v) && e < of->first_out[v + 1]; e++)
                if (!trod_has(seen, of->to[e])) {
                    trod_add(seen, of->to[e]);
                    more = true;
                }
    }
    return trod_has(seen, to);
}

/* Does line 1 of f reach line 1 of g? */
static bool f_reaches_g(const char *first, const char *second)
{
    struct trod_depends d;

    build(&d, first, second);
    return reaches(&d, node_at(&d, "f", 1), node_at(&d, "g", 1));
}

#define UNIT(file) "depends v\nunit " file "\nfile 1 " file "\n"
#define F UNIT("a.c") "node 1 f 1 1\n"
#define G UNIT("b.c") "node 1 g 1 1\n"

static void test_globals_join_units(void **state)
{
    (void)state;
    assert_true(f_reaches_g(
        F "memory 2\nglobal 2 x\n1 -> 2\n", G "memory 7\nglobal 7 x\n7 -> 1\n"));
    assert_false(f_reaches_g(
        F "memory 2\nglobal 2 x\n1 -> 2\n", G "memory 7\nglobal 7 y\n7 -> 1\n"));
    assert_false(f_reaches_g(
        F "memory 2\nglobal 2 x\n1 -> 2\n", G "memory 7\nglobal 7 x b.c\n7 -> 1\n"));
    /* What globals point to is one, too: *p = ... here, ... = *p there. */
    assert_true(f_reaches_g(F "memory 2\nglobal 2 p\nmemory 3\npoints 2 3\n1 -> 3\n",
        G "memory 7\nglobal 7 p\nmemory 8\n8 -> 1\npoints 7 8\n"));
}

static void test_calls_join_units(void **state)
{
    (void)state;
    /* The call, its argument and its result. */
    assert_true(f_reaches_g(F "calls 1 g\n", G "enters g 1\n"));
    assert_true(
        f_reaches_g(F "node 2 f 1 2\ncalls 2 g 1\n", G "node 2 g 1 2\nenters g 1 2\n"));
    assert_false(f_reaches_g(F "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 g 3 1\n",
        G "node 2 g 1 2\nnode 3 g 1 3\nenters g 1 3 2\n"));
    assert_true(
        f_reaches_g(F "enters f 1\nleaves f 1\n", G "node 2 g 1 2\ncalls 2 f ; 1\n"));
    assert_false(
        f_reaches_g(F "enters f 1\nleaves f\n", G "node 2 g 1 2\ncalls 2 f ; 1\n"));
    /* Nothing is said of the parameter: the call is. */
    assert_true(f_reaches_g(F "calls 1 g\n", G "node 2 g 1 2\nenters g 1 2\n"));
}

static void test_static_functions_are_of_one_unit(void **state)
{
    static const char own[] = "static h\n";
    struct trod_string text;

    (void)state;
    trod_string_init(&text, &have.mem);
    assert_true(f_reaches_g(F "calls 1 h\n", G "enters h 1\n"));
    assert_false(f_reaches_g(F "calls 1 h\n", G "enters h 1\nstatic h\n"));
    trod_put(&text.sink, F "%snode 2 h 1 9\nenters h 2\ncalls 1 h\n", own);
    assert_false(f_reaches_g(text.text, G "enters h 1\nstatic h\n"));
}

/* In a header: both copies are called, and both return. */
static void test_copies_are_one_function(void **state)
{
    struct trod_depends d;

    (void)state;
    build(&d,
        F "node 2 h 1 5\nnode 3 h 1 6\nnode 4 h 1 7\nenters h 3 2\nleaves h 4\n"
          "3 -> 4\nnode 5 f 1 2\nnode 6 f 1 3\ncalls 1 h 5 ; 6\n",
        G "node 2 h 1 15\nnode 3 h 1 16\nnode 4 h 1 17\nenters h 3 2\nleaves h 4\n"
          "3 -> 4\nnode 6 g 1 2\ncalls 1 h 1 ; 6\n");
    assert_true(reaches(&d, node_at(&d, "f", 1), node_at(&d, "h", 5)));
    assert_true(reaches(&d, node_at(&d, "f", 1), node_at(&d, "h", 15)));
    assert_true(reaches(&d, node_at(&d, "f", 2), node_at(&d, "h", 17)));
    assert_true(reaches(&d, node_at(&d, "f", 2), node_at(&d, "g", 2)));
    assert_false(reaches(&d, node_at(&d, "h", 7), node_at(&d, "h", 17)));
}

static void test_pointers_join_units(void **state)
{
    (void)state;
    /* f calls set(&x) and g uses x; set writes through its parameter. */
    assert_true(f_reaches_g(
        UNIT("a.c") "node 1 f 1 1\nnode 2 set 1 2\nnode 3 set 1 3\n"
                    "memory 4\npoints 2 4\n1 -> 4\nenters set 2 3\n",
        G "node 2 h 1 2\nnode 3 h 1 3\nmemory 5\npoints 3 5\n5 -> 1\ncalls 2 set 3\n"));
    assert_false(
        f_reaches_g(UNIT("a.c") "node 1 f 1 1\nnode 2 set 1 2\nnode 3 set 1 3\n"
                                "memory 4\npoints 2 4\n1 -> 4\nenters set 2 3\n",
            G "node 2 h 1 2\nnode 3 h 1 3\nmemory 5\npoints 3 5\n5 -> 1\n"
              "calls 2 other 3\n"));
    /* Handed on by a function that does not look behind the pointer. */
    assert_true(f_reaches_g(
        UNIT(
            "a.c") "node 1 f 1 1\nnode 2 set 1 2\nnode 3 set 1 3\nmemory 4\n"
                   "points 2 4\n1 -> 4\nenters set 2 3\nnode 5 via 1 5\nnode 6 via 1 6\n"
                   "enters via 5 6\nnode 7 via 1 7\n5 -> 7\ncalls 6 set 5\n",
        G "node 2 h 1 2\nnode 3 h 1 3\nmemory 5\npoints 3 5\n5 -> 1\ncalls 2 via 3\n"));
}

static void test_pointers_to_functions(void **state)
{
    (void)state;
    assert_true(f_reaches_g(
        F "may-call 1 00000000000000aa\n", G "enters g 1\ntaken g 00000000000000aa\n"));
    assert_false(f_reaches_g(
        F "may-call 1 00000000000000aa\n", G "enters g 1\ntaken g 00000000000000ab\n"));
    assert_true(f_reaches_g(F "node 2 f 1 2\nmay-call 2 aa 1\n",
        G "node 2 g 1 2\nenters g 1 2\ntaken g aa\n"));
    assert_true(f_reaches_g(F "enters f 1\nleaves f 1\ntaken f aa\n",
        G "node 2 g 1 2\nmay-call 2 aa ; 1\n"));
}

/* A function that no unit has. */
static void test_foreign_functions(void **state)
{
    (void)state;
    assert_true(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1 ; 3\nmemory 4\nglobal 4 x\n3 -> 4\n",
        G "memory 7\nglobal 7 x\n7 -> 1\n"));
    /* It writes where its argument points, and what that points to. */
    assert_true(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1 3\nmemory 4\npoints 3 4\nglobal 4 x\n",
        G "memory 7\nglobal 7 x\n7 -> 1\n"));
    assert_true(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1 3\nmemory 4\npoints 3 4\nmemory 5\n"
        "points 4 5\nglobal 5 x\n",
        G "memory 7\nglobal 7 x\n7 -> 1\n"));
    assert_false(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1\nmemory 4\npoints 3 4\nglobal 4 x\n",
        G "memory 7\nglobal 7 x\n7 -> 1\n"));
    /* Another foreign function may return what this one received. */
    assert_true(f_reaches_g(
        F "node 2 f 1 2\ncalls 2 qux 1\n", G "node 2 g 1 2\ncalls 2 quux ; 1\n"));
    /* It may call back. */
    assert_true(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1 3\nmemory 4\npoints 3 4\nglobal 4 g\n",
        G "enters g 1\nmemory 7\nglobal 7 g\n"));
    assert_true(f_reaches_g(F
        "node 2 f 1 2\nnode 3 f 1 3\ncalls 2 qux 1 3\nmemory 4\npoints 3 4\n"
        "global 4 g a.c\nstatic g\nnode 5 g 1 1\nenters g 5\n",
        NULL));
}

static void test_several_units_in_a_text(void **state)
{
    (void)state;
    assert_true(f_reaches_g("code a.c\nfunction f a.c 1 meaning 00 : - ? ;\n" F
                            "calls 1 g\ncode b.c\nfunction g\n" G "enters g 1\n",
        NULL));
    assert_true(f_reaches_g(F "calls 1 g\nunit b.c\nfile 1 b.c\nnode 1 g 1 1\n"
                              "enters g 1\n",
        NULL));
}

static void refused(const char *lines, const char *words)
{
    struct trod_depends_builder *b = trod_depends_begin(&have.mem);

    assert_false(add_depends(b, lines));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    if (!strstr(have.err.text, words))
        fail_msg("'%s' is not in: %s", words, have.err.text);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    refused("constructs v\n", "f:1: not dependences");
    refused(F "node 1 f 1 2\n", "f:5: node 1 occurs twice");
    refused(F "1 -> 2\n", "no node of the unit that ends here is number 2");
    refused(F "\n\n1 > 2\n", "f:7: expected '->'");
    refused(F "1 -> 2x\n", "f:5: expected a node, a whole number");
    refused(F "1 -> 99999999999\n", "below 4294967295");
    refused(F "node 2 f 2 1\n", "there is no file 2 above");
    refused(F "file 3 b.c\n", "file 2 comes next");
    refused(F "global 1 x\n", "node 1 must be memory");
    refused(F "points 1 1\n", "node 1 must be memory");
    refused(F "enters f\n", "the node that begins the function is missing");
    refused(F "calls 1 g 1 ; 1 1\n", "unexpected text");
    refused(F "calls 1 g x\n", "expected nodes, then ';'");
    refused(F "may call 1 g\n", "expected 'may-call'");
    refused(F "whatever\n", "expected unit, file, node");
    refused(UNIT("a.c") "node 1 \"\n", "not closed");
}

static const char *print(const struct trod_depends *of)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_depends_print(&text.sink, of);
    return text.text;
}

static void test_print(void **state)
{
    struct trod_depends d, back;
    const char *text;

    (void)state;
    build(&d, F "node 9 - 1 7\nmemory 2\nglobal 2 x\nglobal 2 y a.c\n1 -> 2\n9 -> 2\n",
        G "memory 7\nglobal 7 x\n7 -> 1\nnode 3 g 0 0\n");
    text = print(&d);
    assert_string_equal(text,
        "depends v\nfile 1 a.c\nfile 2 b.c\nnode 0 f 1 1\nnode 1 - 1 7\nmemory 2\n"
        "node 3 g 2 1\nmemory 4\nnode 5 g 0 0\nglobal 2 x\nglobal 2 y a.c\nglobal 2 x\n"
        "0 -> 2\n1 -> 2\n2 -> 3\n");
    build(&back, text, NULL);
    assert_string_equal(print(&back), text);
}

static void test_depends_check(void **state)
{
    struct trod_depends d;

    (void)state;
    build(&d, F "memory 2\nglobal 2 x\n1 -> 2\n2 -> 1\n", NULL);
    d.to[0] = 2;
    assert_false(trod_depends_check(&d, &have.err));
    d.to[0] = 1;
    d.first_out[1] = 3;
    assert_false(trod_depends_check(&d, &have.err));
    d.first_out[1] = 1;
    assert_true(trod_depends_check(&d, &have.err));
    d.global[0].node = 0;
    assert_false(trod_depends_check(&d, &have.err));
}

/* --- impacts --------------------------------------------------------------------------------------------- */

/* f calls g and h in a loop, and another i; of g the statement of line 8 is another, and i is gone. */
#define H(n) " 00000000000000" n " "
#define BODY(main, g, statement)                                                       \
    "unit a.c\nin a.c\n0 function 1 5" H(main) H("02") "main shape " H(                \
        "a1") "\n"                                                                     \
              "1 loop for 2 4" H("03") H("04") "\n2 statement call 3 3" H("05")        \
                  H("05") "\n"                                                         \
                          "calls g\n2 statement call 4 4" H("06") H(                   \
                              "06") "\ncalls h\n"                                      \
                                    "0 function 7 9" H(g) H(                           \
                                        "08") "g\n1 statement return 8 8" H(statement) \
                                        H(statement) "\n0 function 10 12" H("09")      \
                                            H("08") "h\n1 statement return 11 11" H(   \
                                                "0a") H("0a") "\n"
static const char old_text[] =
    "constructs v1\n" BODY("01", "0b", "0c") "0 function 20 22" H("0d")
        H("08") "i\n1 statement return 21 21" H("0e") H("0e") "\n";
static const char new_text[] = "constructs v2\n" BODY("01", "0f", "10");
static const char changes_text[] =
    "changes v1 v2\nsignificance 0.1\nmap 0 0\nsame 1 1\nmap 5 5\nmap 6 6\nsame 7 7\n"
    "edited 6 6\ndeleted 9\n";
static const char depends_text[] =
    "depends v\nunit a.c\nfile 1 a.c\nnode 1 main 1 3\nnode 2 main 1 4\nnode 3 g 1 8\n"
    "node 4 h 1 11\nnode 5 g 1 7\nnode 6 h 1 10\nenters g 5\n5 -> 3\nleaves g 3\n"
    "enters h 6\n6 -> 4\ncalls 1 g ; 1\ncalls 2 h\n";

struct pair {
    struct trod_constructs old, later;
    struct trod_changes changes;
    struct trod_depends depends;
    struct trod_impact_input input;
};

static bool read_pair(struct pair *out, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_depends_builder *b = trod_depends_begin(mem);
    struct trod_text text;

    trod_text_init(&text, "old", old_text, strlen(old_text));
    if (!trod_constructs_parse(&out->old, &text, mem, err))
        return false;
    trod_text_init(&text, "new", new_text, strlen(new_text));
    if (!trod_constructs_parse(&out->later, &text, mem, err))
        return false;
    trod_text_init(&text, "changes", changes_text, strlen(changes_text));
    if (!trod_changes_parse(&out->changes, &out->old, &out->later, &text, mem, err))
        return false;
    trod_text_init(&text, "depends", depends_text, strlen(depends_text));
    if (!trod_depends_add(b, &text, err))
        return false;
    trod_depends_build(&out->depends, b);
    out->input = (struct trod_impact_input){
        .changes = &out->changes, .old = &out->depends, .later = &out->depends};
    return true;
}

static void find(struct trod_impact *out, struct pair *pair, enum trod_impact_method m)
{
    must(read_pair(pair, &have.mem, &have.err));
    must(trod_impact_find(out, m, &pair->input, &have.mem, &have.err));
    must(trod_impact_check(out, &pair->changes, &have.mem, &have.err));
}

/* Which old constructs, as digits from 0. */
static void affects(enum trod_impact_method method, const char *expected)
{
    struct trod_impact impact;
    struct pair pair;
    char found[16];

    find(&impact, &pair, method);
    for (uint32_t c = 0; c < pair.old.nconstruct; c++)
        found[c] = trod_has(impact.affected_of_old, c) ? (char)('0' + c % 10) : '.';
    found[pair.old.nconstruct] = '\0';
    assert_string_equal(found, expected);
}

static void test_methods(void **state)
{
    (void)state;
    affects(TROD_IMPACT_NONE, "01234567890");
    affects(TROD_IMPACT_BLIND, ".........90");
    affects(TROD_IMPACT_HASH, ".....567890");
    affects(TROD_IMPACT_BA, ".....567890");
    affects(TROD_IMPACT_AG, ".....56..90");
    affects(TROD_IMPACT_SL, ".123.56..90");
    affects(TROD_IMPACT_HYBRID, ".....56..90");
    affects(TROD_IMPACT_OWN, ".....56..90");
}

static void test_hybrid(void **state)
{
    struct trod_impact impact;
    struct pair pair;

    (void)state;
    find(&impact, &pair, TROD_IMPACT_HYBRID);
    assert_int_equal(impact.chosen, TROD_IMPACT_AG);
    assert_int_equal(impact.level, TROD_LEVEL_FUNCTION);
    pair.changes.significance = 0.1001;
    must(trod_impact_find(
        &impact, TROD_IMPACT_HYBRID, &pair.input, &have.mem, &have.err));
    assert_int_equal(impact.chosen, TROD_IMPACT_SL);
    assert_int_equal(impact.level, TROD_LEVEL_STATEMENT);
    pair.input.threshold = 0.2;
    must(trod_impact_find(
        &impact, TROD_IMPACT_HYBRID, &pair.input, &have.mem, &have.err));
    assert_int_equal(impact.chosen, TROD_IMPACT_AG);
    pair.changes.significance = 0;
    pair.input.threshold = -1;
    must(trod_impact_find(
        &impact, TROD_IMPACT_HYBRID, &pair.input, &have.mem, &have.err));
    assert_int_equal(impact.chosen, TROD_IMPACT_SL);
    pair.input.old = NULL;
    assert_false(trod_impact_find(
        &impact, TROD_IMPACT_HYBRID, &pair.input, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    assert_non_null(strstr(have.err.text, "'hybrid' needs the dependences"));
}

static void test_has(void **state)
{
    struct trod_impact impact;
    struct pair pair;

    (void)state;
    find(&impact, &pair, TROD_IMPACT_SL);
    assert_true(trod_impact_has(&impact, &pair.changes, 3, TROD_LEVEL_STATEMENT));
    assert_false(trod_impact_has(&impact, &pair.changes, 4, TROD_LEVEL_STATEMENT));
    assert_true(trod_impact_has(&impact, &pair.changes, 4, TROD_LEVEL_LOOP));
    assert_true(trod_impact_has(&impact, &pair.changes, 4, TROD_LEVEL_FUNCTION));
    assert_true(trod_impact_has(&impact, &pair.changes, 8, TROD_LEVEL_PROGRAM));
    assert_false(trod_impact_has(&impact, &pair.changes, 8, TROD_LEVEL_FUNCTION));
    /* In no loop: asked for itself; nor is a function in one, or in a class. */
    assert_true(trod_impact_has(&impact, &pair.changes, 6, TROD_LEVEL_LOOP));
    assert_false(trod_impact_has(&impact, &pair.changes, 8, TROD_LEVEL_LOOP));
    assert_false(trod_impact_has(&impact, &pair.changes, 7, TROD_LEVEL_LOOP));
    assert_false(trod_impact_has(&impact, &pair.changes, 7, TROD_LEVEL_CLASS));
    find(&impact, &pair, TROD_IMPACT_AG);
    assert_false(trod_impact_has(&impact, &pair.changes, 3, TROD_LEVEL_STATEMENT));
    assert_true(trod_impact_has(&impact, &pair.changes, 6, TROD_LEVEL_STATEMENT));
    assert_true(trod_impact_has(&impact, &pair.changes, 1, TROD_LEVEL_PROGRAM));
    find(&impact, &pair, TROD_IMPACT_BLIND);
    assert_false(trod_impact_has(&impact, &pair.changes, 6, TROD_LEVEL_STATEMENT));
    assert_false(trod_impact_has(&impact, &pair.changes, 1, TROD_LEVEL_PROGRAM));
    assert_true(trod_impact_has(&impact, &pair.changes, 10, TROD_LEVEL_FUNCTION));
}

static void test_check(void **state)
{
    struct trod_impact impact;
    struct pair pair;

    (void)state;
#define BROKEN(method, damage)                                                         \
    do {                                                                               \
        find(&impact, &pair, TROD_IMPACT_##method);                                    \
        damage;                                                                        \
        assert_false(trod_impact_check(&impact, &pair.changes, &have.mem, &have.err)); \
        assert_int_equal(have.err.code, TROD_E_INTERNAL);                              \
    } while (0)
#define TOGETHER(put, c) \
    (put(impact.affected_of_old, c), put(impact.affected_of_new, c))
    BROKEN(BLIND, (trod_drop(impact.affected_of_old, 10),
                      impact.change_of_old[10] = TROD_NO_CONSTRUCT,
                      impact.from_of_old[10] = TROD_NO_CONSTRUCT));
    BROKEN(AG, trod_add(impact.affected_of_old, 1));
    BROKEN(AG, trod_add(impact.affected_of_new, 1));
    BROKEN(AG, trod_add(impact.affected_of_old, 11));
    BROKEN(AG, TOGETHER(trod_add, 8));
    BROKEN(AG, impact.change_of_old[1] = 0);
    BROKEN(AG, impact.change_of_old[6] = 2);
    BROKEN(AG, impact.from_of_old[6] = 1);
    BROKEN(AG, impact.from_of_old[6] = 9);
    BROKEN(AG, impact.from_of_old[6] = 5);
    BROKEN(SL, (TOGETHER(trod_drop, 2), impact.change_of_old[2] = TROD_NO_CONSTRUCT,
                   impact.from_of_old[2] = TROD_NO_CONSTRUCT,
                   impact.from_of_old[1] = TROD_NO_CONSTRUCT));
    BROKEN(OWN, TOGETHER(trod_add, 2));
#undef TOGETHER
#undef BROKEN
}

static void expect_explained(
    enum trod_impact_method method, uint32_t construct, const char *words)
{
    struct trod_impact impact;
    struct trod_string text;
    struct pair pair;

    find(&impact, &pair, method);
    trod_string_init(&text, &have.mem);
    trod_impact_explain(&text.sink, &impact, &pair.changes, construct);
    assert_string_equal(text.text, words);
}

static void test_explain(void **state)
{
    (void)state;
    expect_explained(TROD_IMPACT_AG, 1, "a.c:1 main is not affected\n");
    expect_explained(TROD_IMPACT_NONE, 1,
        "a.c:1 main is affected,\n  with method none, everything is\n");
    expect_explained(TROD_IMPACT_AG, 5,
        "a.c:7 g is affected,\n  holding a.c:8\n  a.c:8 was edited; it is now a.c:8\n");
    expect_explained(TROD_IMPACT_BA, 7,
        "a.c:10 h is affected,\n  which may run after a.c:7 g\n  holding a.c:8\n"
        "  a.c:8 was edited; it is now a.c:8\n");
    expect_explained(TROD_IMPACT_SL, 1,
        "a.c:1 main is affected,\n  holding a.c:2\n  holding a.c:3\n"
        "  which depends on a.c:8\n  a.c:8 was edited; it is now a.c:8\n");
    expect_explained(
        TROD_IMPACT_BLIND, 9, "a.c:20 i is affected,\n  a.c:20 i was deleted\n");
    expect_explained(TROD_IMPACT_HASH, 7,
        "a.c:10 h is affected,\n  clang's hash was 0000000000000000 and is "
        "0000000000000000; 0 means unknown\n");
}

static void refused_impact(const char *lines, const char *words)
{
    struct trod_impact impact;
    struct trod_text text;
    struct pair pair;

    must(read_pair(&pair, &have.mem, &have.err));
    trod_text_init(&text, "f", lines, strlen(lines));
    assert_false(
        trod_impact_parse(&impact, &pair.changes, &text, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    if (!strstr(have.err.text, words))
        fail_msg("'%s' is not in: %s", words, have.err.text);
}

static void test_text(void **state)
{
    struct trod_impact impact, back;
    struct trod_string first, second;
    struct trod_token token;
    struct trod_text text;
    struct pair pair;

    (void)state;
    find(&impact, &pair, TROD_IMPACT_HYBRID);
    trod_string_init(&first, &have.mem);
    trod_impact_print(&first.sink, &impact, &pair.changes);
    assert_string_equal(first.text,
        "impact hybrid\nchosen ag\nlevel 30\nold 5 0 6\nold 6 0 -\nold 9 1 -\n"
        "old 10 1 9\nnew 5\nnew 6\n");
    trod_put(&first.sink, "plan x\n");
    trod_text_init(&text, "f", first.text, first.length);
    must(trod_impact_parse(&back, &pair.changes, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    assert_true(trod_token_is_word(&token, "plan"));
    must(trod_impact_check(&back, &pair.changes, &have.mem, &have.err));
    trod_string_init(&second, &have.mem);
    trod_impact_print(&second.sink, &back, &pair.changes);
    trod_put(&second.sink, "plan x\n");
    assert_string_equal(first.text, second.text);

    refused_impact("paths f\n", "not an impact");
    refused_impact("impact guess\n", "'guess' is not a method");
    refused_impact("impact ag\nold 11 - -\n", "there are 11 of these");
    refused_impact("impact ag\nold 1 2 -\n", "there are 2 of these");
    refused_impact("impact ag\nold 1 - 11\n", "there are 11 of these");
    refused_impact("impact ag\nold 1 -\n", "expected the construct it came through");
    refused_impact("impact ag\nnew 9\n", "there are 9 of these");
}

static void do_all(struct trod_arena *mem, void *ctx)
{
    struct trod_impact impact;
    struct trod_string text;
    struct trod_text in;
    struct trod_err err;
    struct pair pair;

    (void)ctx;
    if (!read_pair(&pair, mem, &err))
        abort();
    for (int m = 0; m < TROD_IMPACT_METHODS; m++) {
        if (!trod_impact_find(
                &impact, (enum trod_impact_method)m, &pair.input, mem, &err) ||
            !trod_impact_check(&impact, &pair.changes, mem, &err))
            abort();
        trod_string_init(&text, mem);
        trod_impact_print(&text.sink, &impact, &pair.changes);
        trod_text_init(&in, "f", text.text, text.length);
        if (!trod_impact_parse(&impact, &pair.changes, &in, mem, &err))
            abort();
    }
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(do_all, NULL) > 50);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_globals_join_units),
        TEST(test_calls_join_units),
        TEST(test_static_functions_are_of_one_unit),
        TEST(test_copies_are_one_function),
        TEST(test_pointers_join_units),
        TEST(test_pointers_to_functions),
        TEST(test_foreign_functions),
        TEST(test_several_units_in_a_text),
        TEST(test_what_is_refused),
        TEST(test_print),
        TEST(test_depends_check),
        TEST(test_methods),
        TEST(test_hybrid),
        TEST(test_has),
        TEST(test_check),
        TEST(test_explain),
        TEST(test_text),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests_name("impact", tests, NULL, NULL);
}
