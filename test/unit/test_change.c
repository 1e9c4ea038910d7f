/* Changes: matches, differences that are not changes, weights, limits, a large program, allocation failures. prop_change.c
 * checks what holds for all programs; test/case/change checks reports and error messages.
 */
#include "kit/fixture.h"

#include <inttypes.h>
#include <string.h>

#include "change/change.h"

static void read(struct trod_constructs *out, const char *lines)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    must(trod_constructs_parse(out, &text, &have.mem, &have.err));
    must(trod_constructs_check(out, &have.err));
}

/* Lines of a program in short: `in FILE`, or DEPTH LEVEL KIND TREE OWN [NAME [MEANING]], where a hash is a small number, and
 * lines are counted.
 */
struct line {
    uint32_t depth;
    const char
        *kind; /* function, class; others are statements, and for and while loops */
    uint64_t tree, own;
    const char *name;
    uint64_t meaning;
};

static void put_lines(struct trod_constructs *out, const char *file,
    const struct line *line, size_t count)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "constructs v\nunit a.c\nin %s\n", file);
    for (size_t i = 0; i < count; i++) {
        const struct line *l = &line[i];
        bool is_loop = strcmp(l->kind, "for") == 0 || strcmp(l->kind, "while") == 0;
        bool is_owner =
            strcmp(l->kind, "function") == 0 || strcmp(l->kind, "class") == 0;
        size_t last = i + 1;

        while (last < count && line[last].depth > l->depth)
            last++;
        trod_put(&text.sink, "%" PRIu32 " %s%s %zu %zu %016" PRIx64 " %016" PRIx64,
            l->depth,
            is_owner  ? ""
            : is_loop ? "loop "
                      : "statement ",
            l->kind, i + 1, last, l->tree, l->own);
        if (l->name)
            trod_put(&text.sink, " %s", l->name);
        if (l->meaning)
            trod_put(&text.sink, " meaning %016" PRIx64, l->meaning);
        trod_put(&text.sink, "\n");
    }
    read(out, text.text);
}

#define LINES(out, file, array) \
    put_lines((out), (file), (array), sizeof(array) / sizeof *(array))

static const char *compare(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *new, const struct trod_change_options *options)
{
    struct trod_string text;

    trod_changes_build(out, old, new, options, &have.mem);
    must(trod_changes_check(out, &have.err));
    trod_string_init(&text, &have.mem);
    trod_changes_print(&text.sink, out);
    return strchr(strchr(text.text, '\n') + 1, '\n') + 1;
}

/* --- no change ----------------------------------------------------------------------------------------- */

static const struct line plain[] = {
    {0, "function", 1, 11, "main", 0},
    {1, "call", 2, 2, NULL, 0},
    {1, "for", 3, 13, NULL, 0},
    {2, "call", 4, 4, NULL, 0},
    {0, "function", 5, 15, "f", 0},
    {1, "return", 6, 6, NULL, 0},
    {0, "decl", 7, 7, "table", 0},
};

static void test_identity(void **state)
{
    struct trod_constructs old;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", plain);
    assert_string_equal(compare(&c, &old, &old, NULL), "same 0 0\n");
    assert_true(c.significance == 0);
    assert_false(trod_changes_has(&c, 1));
}

static void test_order_and_file(void **state)
{
    static const struct line turned[] = {
        {0, "decl", 7, 7, "table", 0},
        {0, "function", 5, 15, "f", 0},
        {1, "return", 6, 6, NULL, 0},
        {0, "function", 1, 11, "main", 0},
        {1, "call", 2, 2, NULL, 0},
        {1, "for", 3, 13, NULL, 0},
        {2, "call", 4, 4, NULL, 0},
    };
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", plain);
    LINES(&new, "b.c", turned);
    assert_string_equal(
        compare(&c, &old, &new, NULL), "map 0 0\nsame 1 4\nsame 5 2\nsame 7 1\n");
    assert_true(trod_has(c.same_of_old, 0));
}

/* A function that means the same is the same, with other statements. */
static void test_meaning(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "f", 99},
        {1, "decl", 2, 2, NULL, 0},
        {1, "expr", 3, 3, NULL, 0},
        {1, "return", 4, 4, NULL, 0},
    };
    static const struct line after[] = {
        {0, "function", 21, 31, "f", 99},
        {1, "decl", 22, 22, NULL, 0},
        {1, "return", 4, 4, NULL, 0},
    };
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    assert_string_equal(
        compare(&c, &old, &new, NULL), "map 0 0\nmap 1 1\nmap 2 2\nsame 4 3\n");
    assert_true(trod_has(c.same_of_old, 0) && trod_has(c.same_of_old, 1));
    assert_true(trod_has(c.same_of_old, 2) && trod_has(c.same_of_new, 2));
    assert_false(trod_has(c.same_of_old, 3));
    assert_int_equal(c.nchange, 0);
    assert_true(c.significance == 0);
}

/* --- changes -------------------------------------------------------------------------------------------- */

/* Figure 1 of the paper: two calls change places in main; the others, and what they call, are the same. */
static void test_figure_1(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "main", 0},
        {1, "call", 2, 2, NULL, 0},
        {1, "call", 3, 3, NULL, 0},
        {0, "function", 4, 14, "foo", 0},
        {1, "for", 5, 15, NULL, 0},
        {2, "call", 6, 6, NULL, 0},
        {0, "function", 7, 17, "fee", 0},
        {1, "call", 8, 8, NULL, 0},
    };
    struct line after[8];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, before, sizeof after);
    after[0].tree = 100;
    after[1] = before[2];
    after[2] = before[1];
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 2 3\nsame 3 2\nsame 4 4\nsame 7 7\nmoved 3 2\n");
    assert_true(trod_changes_has(&c, 1));
    assert_false(trod_changes_has(&c, 4));
    assert_false(trod_changes_has(&c, 7));
    assert_true(c.significance == 2.0 / 16);
}

static void test_edited(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "f", 0},
        {1, "if", 2, 12, NULL, 0},
        {2, "call", 3, 3, NULL, 0},
        {2, "call", 4, 4, NULL, 0},
        {1, "for", 5, 15, NULL, 0},
        {2, "call", 6, 6, NULL, 0},
        {2, "call", 7, 7, NULL, 0},
        {1, "return", 8, 8, NULL, 0},
    };
    static const struct line after[] = {
        {0, "function", 101, 11, "f", 0},
        {1, "if", 102, 112, NULL, 0}, /* another condition */
        {2, "call", 3, 3, NULL, 0},
        {2, "call", 4, 4, NULL, 0},
        {1, "while", 105, 115, NULL, 0}, /* another loop around the same */
        {2, "call", 6, 6, NULL, 0},
        {2, "call", 107, 107, NULL, 0},
        {1, "call", 109, 109, NULL, 0}, /* new */
        {1, "return", 108, 108, NULL, 0},
    };
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nmap 2 2\nsame 3 3\nsame 4 4\nmap 5 5\nsame 6 6\nmap 7 7\n"
        "map 8 9\nedited 2 2\nedited 5 5\nedited 7 7\nedited 8 9\nadded 8\n");
}

/* What has nothing in common is not the same statement, however alike it is to a person. */
static void test_unlike(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "f", 0},
        {1, "if", 2, 12, NULL, 0},
        {2, "call", 3, 3, NULL, 0},
        {2, "call", 4, 4, NULL, 0},
        {2, "call", 5, 5, NULL, 0},
        {2, "call", 6, 6, NULL, 0},
    };
    static const struct line after[] = {
        {0, "function", 101, 11, "f", 0},
        {1, "if", 102, 112, NULL, 0},
        {2, "call", 3, 3, NULL, 0},
        {2, "call", 104, 104, NULL, 0},
        {2, "call", 105, 105, NULL, 0},
        {2, "call", 106, 106, NULL, 0},
    };
    struct trod_change_options options;
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    /* They share one of four: 0.25. */
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 3 3\ndeleted 2\nmoved 3 3\nadded 2\n");
    trod_change_options_init(&options);
    options.least_alike = 0.25;
    assert_string_equal(compare(&c, &old, &new, &options),
        "map 0 0\nmap 1 1\nmap 2 2\nsame 3 3\nmap 4 4\nmap 5 5\nmap 6 6\n"
        "edited 2 2\nedited 4 4\nedited 5 5\nedited 6 6\n");
}

static void test_wrapped(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "f", 0},
        {1, "if", 2, 12, NULL, 0},
        {2, "call", 3, 3, NULL, 0},
    };
    static const struct line after[] = {
        {0, "function", 101, 11, "f", 0},
        {1, "if", 102, 112, NULL, 0},
        {2, "if", 2, 12, NULL, 0},
        {3, "call", 3, 3, NULL, 0},
    };
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 2 3\nmoved 2 3\nadded 2\n");
    assert_string_equal(compare(&c, &new, &old, NULL),
        "map 0 0\nmap 1 1\nsame 3 2\ndeleted 2\nmoved 3 2\n");
}

/* --- functions --------------------------------------------------------------------------------------------- */

static const struct line one_function[] = {
    {0, "function", 1, 11, "f", 0},
    {1, "call", 2, 2, NULL, 0},
    {1, "call", 3, 3, NULL, 0},
    {1, "call", 4, 4, NULL, 0},
    {1, "call", 5, 5, NULL, 0},
};

static void test_renamed(void **state)
{
    struct line after[5];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, one_function, sizeof after);
    after[0].name = "g";
    LINES(&old, "a.c", one_function);
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL), "same 0 0\n");
    /* Edited as well, with three in common. */
    after[0].tree = 101;
    after[4].tree = after[4].own = 105;
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 2 2\nsame 3 3\nsame 4 4\nmap 5 5\nedited 5 5\n");
    /* With two, it is another one. */
    after[3].tree = after[3].own = 104;
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL), "map 0 0\ndeleted 1\nadded 1\n");
    assert_true(c.significance == 1);
}

/* Static functions of one name are distinguished by their files, whose names change. */
static void test_renamed_files(void **state)
{
    static const char before[] =
        "constructs v\nin a.c\n"
        "0 function 1 2 0000000000000001 0000000000000011 s static\n"
        "1 statement call 2 2 0000000000000002 0000000000000002\n"
        "0 function 3 3 0000000000000003 0000000000000003 only_a\n"
        "in b.c\n"
        "0 function 1 2 0000000000000004 0000000000000014 s static\n"
        "1 statement call 2 2 0000000000000005 0000000000000005\n"
        "0 function 3 3 0000000000000006 0000000000000006 only_b\n";
    static const char after[] =
        "constructs v\nin x.c\n"
        "0 function 1 2 0000000000000104 0000000000000014 s static\n"
        "1 statement call 2 2 0000000000000105 0000000000000105\n"
        "0 function 3 3 0000000000000006 0000000000000006 only_b\n"
        "in y.c\n"
        "0 function 1 2 0000000000000101 0000000000000011 s static\n"
        "1 statement call 2 2 0000000000000102 0000000000000102\n"
        "0 function 3 3 0000000000000003 0000000000000003 only_a\n";
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    read(&old, before);
    read(&new, after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 4\nmap 2 5\nsame 3 6\nmap 4 1\nmap 5 2\nsame 6 3\n"
        "edited 2 5\nedited 5 2\n");
}

/* Fields are of their class; methods in another order are no change, fields are. */
static void test_classes(void **state)
{
    static const struct line before[] = {
        {0, "class", 1, 11, "c", 0},
        {1, "field", 2, 2, "x", 0},
        {1, "field", 3, 3, "y", 0},
        {1, "function", 4, 14, "cf", 0},
        {2, "call", 5, 5, NULL, 0},
        {1, "function", 6, 16, "cg", 0},
        {2, "call", 7, 7, NULL, 0},
    };
    struct line after[7];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, before, sizeof after);
    after[0].tree = 101;
    memcpy(&after[3], &before[5], 2 * sizeof *before);
    memcpy(&after[5], &before[3], 2 * sizeof *before);
    LINES(&old, "a.cpp", before);
    LINES(&new, "a.cpp", after);
    compare(&c, &old, &new, NULL);
    assert_int_equal(c.nchange, 0);
    assert_true(trod_has(c.same_of_old, 0) && trod_has(c.same_of_old, 1));
    after[1] = before[2];
    after[2] = before[1];
    LINES(&new, "a.cpp", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 2 3\nsame 3 2\nsame 4 6\nsame 6 4\nmoved 3 2\n");
    assert_false(trod_has(c.same_of_old, 1));
}

/* A hash that says that something differs is believed, whatever the others say. */
static void test_unexplained(void **state)
{
    struct line after[5];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, one_function, sizeof after);
    after[0].tree = 101;
    LINES(&old, "a.c", one_function);
    LINES(&new, "a.c", after);
    assert_string_equal(compare(&c, &old, &new, NULL),
        "map 0 0\nmap 1 1\nsame 2 2\nsame 3 3\nsame 4 4\nsame 5 5\nedited 1 1\n");
}

/* --- weights, limits ------------------------------------------------------------------------------------------ */

static void test_weights(void **state)
{
    static const struct trod_change_weight weight[] = {{-1, "call", 3},
        {TROD_CHANGE_EDITED, NULL, 0.5}, {TROD_CHANGE_EDITED, "call", 2}};
    struct trod_change_options options;
    struct line after[5];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, one_function, sizeof after);
    after[0].tree = 101;
    after[4].tree = after[4].own = 105;
    LINES(&old, "a.c", one_function);
    LINES(&new, "a.c", after);
    trod_change_options_init(&options);
    options.weight = weight;
    options.nweight = 1;
    compare(&c, &old, &new, &options);
    assert_true(c.significance == 6.0 / 26);
    options.nweight = 2;
    compare(&c, &old, &new, &options);
    assert_true(c.significance == 1.0 / 26);
    options.nweight = 3;
    compare(&c, &old, &new, &options);
    assert_true(c.significance == 4.0 / 26);
    options.weight = &(struct trod_change_weight){-1, NULL, 0};
    options.nweight = 1;
    compare(&c, &old, &new, &options);
    assert_true(c.significance == 0);
}

/* Without a pair to look at, what is equal at both ends and what is there once is still found. */
static void test_no_pairs(void **state)
{
    static const struct line before[] = {
        {0, "function", 1, 11, "f", 0},
        {1, "call", 2, 2, NULL, 0},
        {1, "call", 3, 3, NULL, 0},
        {1, "call", 3, 3, NULL, 0},
        {1, "call", 4, 4, NULL, 0},
        {1, "return", 5, 5, NULL, 0},
    };
    struct trod_change_options options;
    struct line after[6];
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    memcpy(after, before, sizeof after);
    after[0].tree = 101;
    after[2] = before[4];
    after[4] = before[2];
    after[3].tree = after[3].own = 103;
    LINES(&old, "a.c", before);
    LINES(&new, "a.c", after);
    trod_change_options_init(&options);
    options.most_pairs = 0;
    assert_string_equal(compare(&c, &old, &new, &options),
        "map 0 0\nmap 1 1\nsame 2 2\nsame 5 3\nsame 6 6\ndeleted 3\ndeleted 4\n"
        "added 4\nadded 5\n");
}

/* --- large ----------------------------------------------------------------------------------------------------- */

enum { FUNCTIONS = 5000, EACH = 40 };

static void put_large(struct trod_constructs *out, uint64_t edit)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "constructs v\nin a.c\n");
    for (uint64_t f = 0; f < FUNCTIONS; f++) {
        bool is_edited = edit && f % 5 == 0;

        trod_put(&text.sink,
            "0 function %" PRIu64 " %" PRIu64 " %016" PRIx64 " %016" PRIx64 " f%" PRIu64
            "\n",
            f * 100 + 1, f * 100 + 99, trod_mix(f, is_edited ? edit : 0), f + 1, f);
        for (uint64_t i = 1; i < EACH; i++) {
            uint64_t hash = trod_mix(f, i);

            if (is_edited && i % 10 == 3)
                hash += edit;
            trod_put(&text.sink,
                "1 statement call %" PRIu64 " %" PRIu64 " %016" PRIx64 " %016" PRIx64
                "\n",
                f * 100 + 1 + i, f * 100 + 1 + i, hash, hash);
        }
    }
    read(out, text.text);
}

static void test_large(void **state)
{
    struct trod_constructs old, new;
    struct trod_changes c;

    (void)state;
    put_large(&old, 0);
    put_large(&new, 1);
    assert_int_equal(old.nconstruct, FUNCTIONS * EACH + 1);
    trod_changes_build(&c, &old, &new, NULL, &have.mem);
    must(trod_changes_check(&c, &have.err));
    assert_int_equal(c.nchange, FUNCTIONS / 5 * 4);
    for (uint32_t i = 0; i < old.nconstruct; i++)
        assert_int_equal(c.new_of_old[i], i);
}

/* --- memory ----------------------------------------------------------------------------------------------------- */

struct two {
    struct trod_constructs old, later;
};

static void build_all(struct trod_arena *mem, void *ctx)
{
    struct two *two = ctx;
    struct trod_changes c;

    trod_changes_build(&c, &two->old, &two->later, NULL, mem);
    assert_int_equal(c.nchange, 2);
}

static void test_memory(void **state)
{
    struct line after[7];
    struct two two;

    (void)state;
    memcpy(after, plain, sizeof after);
    after[0].tree = 101;
    after[1] = plain[2];
    after[2] = plain[3];
    after[2].tree = after[2].own = 104;
    after[1].tree = 103;
    after[3] = plain[1];
    LINES(&two.old, "a.c", plain);
    LINES(&two.later, "a.c", after);
    assert_true(kit_each_allocation_failure(build_all, &two) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_order_and_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_meaning, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_figure_1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_edited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unlike, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrapped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_renamed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_renamed_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_classes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unexplained, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_weights, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_pairs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
