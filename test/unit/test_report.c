/* Reports: which rows, in which order, how they are put together and what they weigh; and what
 * happens when memory ends. What users see of them is in test/cli/report.t.
 */
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static struct {
    struct trod_arena mem;
    struct trod_err err;
    struct trod_map map;
    struct trod_profile a, b;
} have;

/* Three functions in two files; f has one path of two blocks and one of three, g one of one
 * block, h is without a file.
 */
static const char map_text[] =
    "unit one.c source\n"
    "function f 0000000000000001 0000000000000011 0000000000000000\n"
    "file z.c\n"
    "numbering f ballarus\n"
    ">: 0\n"
    "0: 1 2+1\n"
    "1:\n"
    "2: 3\n"
    "3:\n"
    "function g 0000000000000002 0000000000000012 0000000000000000\n"
    "file a.c\n"
    "numbering g ballarus\n"
    ">: 0\n"
    "0:\n"
    "function h 0000000000000003 0000000000000013 0000000000000000\n"
    "numbering h ballarus\n"
    ">: 0\n"
    "0:\n";

#define MODULE                                                          \
    "profile\nmodule app source\n"                                      \
    "function 0000000000000001 0000000000000011 0000000000000000 2\n%s" \
    "function 0000000000000002 0000000000000012 0000000000000000 1\n%s" \
    "function 0000000000000003 0000000000000013 0000000000000000 1\n%s" \
    "function 0000000000000004 0000000000000014 0000000000000000 9\n%s"

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void parse_profile(struct trod_profile *out, const char *f, const char *g,
    const char *h, const char *unknown, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_text cursor;
    bool more;

    trod_string_init(&text, mem);
    trod_put(&text.sink, MODULE, f, g, h, unknown);
    trod_text_init(&cursor, "text", text.text, text.length);
    if (!trod_profile_parse(out, &more, &cursor, mem, &have.err))
        fail_msg("%s", have.err.text);
}

static int set_up(void **state)
{
    struct trod_text text;

    (void)state;
    trod_arena_init(&have.mem, die, NULL);
    trod_text_init(&text, "map", map_text, strlen(map_text));
    if (!trod_map_parse(&have.map, &text, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
    parse_profile(&have.a, "=0 10\n=1 10\n", "=0 25\n", "=0 1\n", "=7 5\n", &have.mem);
    parse_profile(&have.b, "=0 10\n=1 40\n", "=0 5\n", "=0 1\n", "", &have.mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return 0;
}

static const char *report(const struct trod_report_options *options)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_report_print(&text.sink, &have.a, &have.map, options, &have.mem);
    return text.text;
}

static const char *compare(const struct trod_report_options *options)
{
    struct trod_profile_diff diff;
    struct trod_string text;

    if (!trod_profile_diff(&diff, &have.a, &have.b, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
    trod_string_init(&text, &have.mem);
    trod_report_compare(&text.sink, &diff, &have.map, options, &have.mem);
    return text.text;
}

static void test_count(void **state)
{
    struct trod_report_options options = {0};

    (void)state;
    assert_string_equal(report(&options),
        "# 5 of 5 paths that ran, 51 times in all\n"
        "share    all        count  function and path\n"
        " 49.0%  49.0%           25  g =0  0\n"
        " 19.6%  68.6%           10  f =0  0 1\n"
        " 19.6%  88.2%           10  f =1  0 2 3\n"
        "  9.8%  98.0%            5  ?0000000000000004 =7\n"
        "  2.0% 100.0%            1  h =0  0\n");
    options.most = 1;
    assert_non_null(strstr(report(&options), "# 1 of 5 paths"));
}

/* What no map has is taken to have one block. */
static void test_weight(void **state)
{
    struct trod_report_options options = {.sort = TROD_SORT_WEIGHT};

    (void)state;
    assert_string_equal(report(&options),
        "# 5 of 5 paths that ran, 81 blocks in all\n"
        "share    all        count        weight  function and path\n"
        " 37.0%  37.0%           10            30  f =1  0 2 3\n"
        " 30.9%  67.9%           25            25  g =0  0\n"
        " 24.7%  92.6%           10            20  f =0  0 1\n"
        "  6.2%  98.8%            5             5  ?0000000000000004 =7\n"
        "  1.2% 100.0%            1             1  h =0  0\n");
}

/* Without debug information a function's file is its unit. */
static void test_group(void **state)
{
    struct trod_report_options options = {
        .group = TROD_GROUP_FILE, .sort = TROD_SORT_FILE};

    (void)state;
    assert_string_equal(report(&options),
        "# 4 of 4 files that ran, 51 times in all\n"
        "share    all        count     paths  file\n"
        "  9.8%   9.8%            5         1  ?\n"
        " 49.0%  58.8%           25         1  a.c\n"
        "  2.0%  60.8%            1         1  one.c\n"
        " 39.2% 100.0%           20         2  z.c\n");
    options = (struct trod_report_options){.group = TROD_GROUP_FUNCTION, .most = 2};
    assert_string_equal(report(&options),
        "# 2 of 4 functions that ran, 51 times in all\n"
        "share    all        count     paths  function and file\n"
        " 49.0%  49.0%           25         1  g  a.c\n"
        " 39.2%  88.2%           20         2  f  z.c\n");
}

static bool is_f(const char *function, void *ctx)
{
    (void)ctx;
    return strcmp(function, "f") == 0;
}

static void test_choice(void **state)
{
    struct trod_report_options options = {.wants = is_f, .sort = TROD_SORT_WEIGHT};

    (void)state;
    assert_string_equal(report(&options),
        "# 2 of 2 paths that ran and were chosen, 81 blocks in all\n"
        "share    all        count        weight  function and path\n"
        " 37.0%  37.0%           10            30  f =1  0 2 3\n"
        " 24.7%  61.7%           10            20  f =0  0 1\n");
}

/* Sums of groups are over all paths, but those in which none moved are omitted. */
static void test_compare(void **state)
{
    struct trod_report_options options = {0};

    (void)state;
    assert_string_equal(compare(&options),
        "# paths: 0 appeared, 1 vanished, 2 moved, 2 same\n"
        "moved              10           40  f =1  0 2 3\n"
        "moved              25            5  g =0  0\n"
        "vanished            5            0  ?0000000000000004 =7\n");
    options.group = TROD_GROUP_FUNCTION;
    options.sort = TROD_SORT_FUNCTION;
    assert_string_equal(compare(&options),
        "# paths: 0 appeared, 1 vanished, 2 moved, 2 same\n"
        "vanished            5            0         1  ?0000000000000004  ?\n"
        "moved              20           50         1  f  z.c\n"
        "moved              25            5         1  g  a.c\n");
}

/* Counts that stopped, and weights that would go beyond. */
static void test_stopped(void **state)
{
    struct trod_report_options options = {
        .style = {.exact = true}, .sort = TROD_SORT_WEIGHT};

    (void)state;
    parse_profile(&have.a, "=0 1\n=1 18446744073709551615+\n",
        "=0 18446744073709551615+\n", "", "", &have.mem);
    assert_non_null(strstr(report(&options), ", 18446744073709551615 blocks in all\n"));
    assert_non_null(strstr(report(&options), "100.0% 100.0% 18446744073709551615  "));
}

/* If paths end at calls, the callee is printed. */
static void test_calls(void **state)
{
    static const char text[] =
        "unit one.c steps\n"
        "function f 0000000000000001 0000000000000011 0000000000000000\n"
        "alias g\n"
        "alias \"h i\"\n"
        "numbering f ballarus\n"
        ">: 0 1+2 2+3\n"
        "0: >1 3+1\n"
        "1: >2\n"
        "2: >2 3+1\n"
        "3:\n"
        "calls f\n"
        "1: g\n"
        "3!: *\n"
        "lines f\n"
        "0: 10\n"
        "1: 11 12\n"
        "2: 13\n"
        "3: 14 15\n";
    static const char *const want[] = {"entry 10:way1 calls g 11",
        "entry 10:way2 calls * 15", "after g 11 to 13 (cut)",
        "loop 13 13:way1 again 13", "loop 13 13:way2 calls * 15"};
    struct trod_string path;
    struct trod_text in;
    struct trod_map map;

    (void)state;
    trod_text_init(&in, "map", text, strlen(text));
    assert_true(trod_map_parse(&map, &in, &have.mem, &have.err));
    assert_int_equal(map.entry[0].calls.ncall, 2);
    assert_int_equal(map.entry[0].nalias, 2);
    assert_string_equal(map.entry[0].alias[1], "h i");
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        trod_string_init(&path, &have.mem);
        trod_path_print(&path.sink, &map, &map.entry[0], i, NULL);
        assert_string_equal(path.text, want[i]);
    }
}

static void refuses(const char *lines, const char *words)
{
    struct trod_string text;
    struct trod_text in;
    struct trod_map map;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "unit one.c steps\n%s", lines);
    trod_text_init(&in, "map", text.text, text.length);
    assert_false(trod_map_parse(&map, &in, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, words));
}

static void test_bad_calls(void **state)
{
#define F "function f 0000000000000001 0000000000000011 0000000000000000\n"
#define N "numbering f ballarus\n>: 0 1+1\n0: >1\n1:\n"
    (void)state;
    refuses("calls f\n1: g\n", "no function comes before this");
    refuses("alias f\n", "no function comes before this");
    refuses(F "alias\n", "the name of an alias is missing");
    refuses(F "calls f\n1: g\n", "calls without a numbering");
    refuses(F N "calls f\n2: g\n", "has no node '2'");
    refuses(F N "calls f\n0: g\n", "invalid call");
    refuses(F N "calls f\n1: g\ncalls f\n1: g\n", "its calls twice");
}

static const char nodes_text[] =
    "unit one.c source\n"
    "unit \"src/two.c\" source\n"
    "directory \"/home/me\"\n"
    "command \"clang -O2\"\n" F N "meaning f 0123456789abcdef\n"
    "nodes f\n"
    "0: 00000000000000aa g * \"h i\"\n"
    "1: ffffffffffffffff\n"
    "lines f\n"
    "0: 10\n"
    "1: 11 12\n"
    "skipped g \"not chosen\"\n"
    "unit three.c source\n"
    "skipped k \"is a coroutine\"\n";

static void test_nodes(void **state)
{
    const struct trod_map_entry *f;
    struct trod_text in;
    struct trod_map map;

    (void)state;
    trod_text_init(&in, "map", nodes_text, strlen(nodes_text));
    assert_true(trod_map_parse(&map, &in, &have.mem, &have.err));
    assert_int_equal(map.nunit, 3);
    assert_null(map.unit[0].directory);
    assert_null(map.unit[0].command);
    assert_string_equal(map.unit[1].file, "src/two.c");
    assert_string_equal(map.unit[1].directory, "/home/me");
    assert_string_equal(map.unit[1].command, "clang -O2");
    f = &map.entry[0];
    assert_true(f->meaning == UINT64_C(0x0123456789abcdef));
    assert_true(f->hash_of_node[0] == 0xaa && f->hash_of_node[1] == UINT64_MAX);
    assert_int_equal(f->first_callee[0], 0);
    assert_int_equal(f->first_callee[1], 3);
    assert_int_equal(f->first_callee[2], 3);
    assert_string_equal(f->callee[0], "g");
    assert_null(f->callee[1]);
    assert_string_equal(f->callee[2], "h i");
    assert_int_equal(f->line[f->first_line[1] + 1], 12);
    /* Older maps have neither. */
    assert_true(have.map.entry[0].meaning == 0);
    assert_null(have.map.entry[0].hash_of_node);
    assert_null(have.map.entry[0].first_callee);
}

#define L "lines f\n0: 5\n1: 20\n"

static void test_inlined(void **state)
{
    static const char text[] =
        "unit one.c source\n" F N L "inlined f\n0: 12 14 g\n1: 15 20\njumps f\n";
    const struct trod_map_entry *f;
    struct trod_string path;
    struct trod_text in;
    struct trod_map map;

    (void)state;
    trod_text_init(&in, "map", text, strlen(text));
    assert_true(trod_map_parse(&map, &in, &have.mem, &have.err));
    f = &map.entry[0];
    assert_int_equal(f->ninlined, 2);
    assert_string_equal(trod_map_inlined_at(f, 0)->function, "g");
    assert_null(trod_map_inlined_at(f, 1)->function);
    trod_string_init(&path, &have.mem);
    trod_path_print(&path.sink, &map, f, 0, NULL);
    assert_string_equal(path.text, "entry to 15 (cut)");
    trod_string_init(&path, &have.mem);
    trod_path_print(&path.sink, &map, f, 1, NULL);
    assert_string_equal(path.text, "from 15 (cut) return 20");

    refuses("inlined f\n0: 1 1\n", "no function comes before this");
    refuses(F N "inlined f\n0: 1 1\n", "inlined code out of place");
    refuses(
        F N L "inlined f\n0: 1 1\ninlined f\n1: 1 1\n", "inlined code out of place");
    refuses(F N L "inlined f\n2: 1 1\n", "inlined code are out of order");
    refuses(F N L "inlined f\n1: 1 1\n1: 1 1\n", "inlined code are out of order");
    refuses(F N L "inlined f\n1 1 1\n", "without a colon");
    refuses(F N L "inlined f\n1: 1\n", "a line is not a number");
    refuses(F N L "inlined f\n1: 1 1 g h\n", "a line is too long");
}

#define NN "numbering f ballarus\n>: 0\n0: 1 2+1\n1: 2\n2:\n"
#define LL "lines f\n0: 5 9\n1: 20\n2: 21\n"

/* A branch has its own line, whatever the last one of its block is. */
static void test_branches(void **state)
{
    static const struct {
        const char *more, *path;
    } want[] = {
        {"", "entry 9:way1 return 21"},
        {"branches f\n0: 5\n", "entry 5:way1 return 21"},
        {"branches f\n0: 0\n", "entry way1 return 21"},
        {"branches f\n0: 7 g\n", "entry g(7:way1) return 21"},
        {"branches f\n0: 7 g \"inc/g.h\"\n", "entry g(g.h:7:way1) return 21"},
        {"branches f\n0: 7 \"-\" \"inc/g.h\"\n", "entry g.h:7:way1 return 21"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct trod_string text, path;
        struct trod_text in;
        struct trod_map map;

        trod_string_init(&text, &have.mem);
        trod_put(&text.sink, "unit one.c code\n" F NN LL "%s", want[i].more);
        trod_text_init(&in, "map", text.text, text.length);
        if (!trod_map_parse(&map, &in, &have.mem, &have.err))
            fail_msg("%s", have.err.text);
        trod_string_init(&path, &have.mem);
        trod_path_print(&path.sink, &map, &map.entry[0], 0, NULL);
        assert_string_equal(path.text, want[i].path);
    }
    refuses("branches f\n0: 1\n", "no function comes before this");
    refuses(F NN "branches f\n0: 1\n", "branches out of place");
    refuses(F NN LL "branches f\n0: 1\nbranches f\n0: 1\n", "branches out of place");
    refuses(F NN LL "branches f\n3: 1\n", "branches are out of order");
    refuses(F NN LL "branches f\n1: 1\n0: 1\n", "branches are out of order");
    refuses(F NN LL "branches f\n0 1\n", "without a colon");
    refuses(F NN LL "branches f\n0: x\n", "a line is not a number");
    refuses(F NN LL "branches f\n0: 1 g h i\n", "a line is too long");
    refuses("merged f 0 1\n", "no function comes before this");
    refuses(F "merged f 0 1\n", "without a numbering");
    refuses(F NN "merged f 3 1\n", "of no block");
    refuses(F NN "merged f 0\n", "a line is not a number");
}

/* Items, with semicolons between them, and how they are printed. */
static void folded(const char *want, const char *items)
{
    const char *item[64];
    char copy[256];
    struct trod_string text;
    uint32_t n = 0;

    snprintf(copy, sizeof copy, "%s", items);
    for (char *at = strtok(copy, ";"); at; at = strtok(NULL, ";"))
        item[n++] = at;
    trod_string_init(&text, &have.mem);
    trod_fold_put(&text.sink, item, n, " ");
    assert_string_equal(text.text, want);
}

static void test_fold(void **state)
{
    static const char *const lists[] = {"loop 4 5:T", "loop 4 5:T", "loop 4 5:F"};
    static const char *const line[] = {
        "f  entry", "g  entry", "f  entry", "g  entry", "h", "h", "h", "f  entry"};
    struct trod_string text;

    (void)state;
    folded("", "");
    folded("entry", "entry");
    folded("entry 5:T 5:F return 9", "entry;5:T;5:F;return 9");
    folded("428:returns x2", "428:returns;428:returns");
    folded("entry 5:T x3 return 9", "entry;5:T;5:T;5:T;return 9");
    folded("5:T x3 6:F x2", "5:T;5:T;5:T;6:F;6:F");
    folded("[5:T 6:F] x3 return", "5:T;6:F;5:T;6:F;5:T;6:F;return");
    folded("[5:T 6:F] x2 5:T 7:T", "5:T;6:F;5:T;6:F;5:T;7:T");
    folded("[5:T 6:F] x2 5:T", "5:T;6:F;5:T;6:F;5:T"); /* the first of two */
    folded("[5:T x2 6:F] x2", "5:T;5:T;6:F;5:T;5:T;6:F");
    folded("5:T x8", "5:T;5:T;5:T;5:T;5:T;5:T;5:T;5:T");
    folded("[20:case 3 g(5:T)] x2", "20:case 3;g(5:T);20:case 3;g(5:T)");
    /* Eight at most. */
    folded("[a b c d e f g h] x2", "a;b;c;d;e;f;g;h;a;b;c;d;e;f;g;h");
    folded(
        "a b c d e f g h i a b c d e f g h i", "a;b;c;d;e;f;g;h;i;a;b;c;d;e;f;g;h;i");
    /* Calls that are followed are not cut. */
    folded("[f( 5:T )] x2", "f(;5:T;);f(;5:T;)");
    folded("g( [f( 5:T )] x2 )", "g(;f(;5:T;);f(;5:T;);)");
    folded("5:T f( 5:T f( 6:F ) )", "5:T;f(;5:T;f(;6:F;);)");
    /* Paths of a chain. */
    trod_string_init(&text, &have.mem);
    trod_fold_put_lists(&text.sink, lists, 3, " then ");
    assert_string_equal(text.text, "[loop 4 5:T] x2 then loop 4 5:F");
    /* Lines. */
    trod_string_init(&text, &have.mem);
    trod_fold_put_lines(&text.sink, line, 8, 2);
    assert_string_equal(text.text,
        "f  entry\ng  entry\n  (the 2 lines above: 2 times)\nh  (3 times)\nf  entry\n");
}

static void test_bad_nodes(void **state)
{
    (void)state;
    refuses("nodes f\n0: 0000000000000001\n", "no function comes before this");
    refuses("meaning f 0000000000000001\n", "no function comes before this");
    refuses(F "nodes f\n0: 0000000000000001\n", "without a numbering");
    refuses(F N "meaning f\n", "a hash is missing");
    refuses(F N "meaning f zz\n", "is not a hash");
    refuses(F N "nodes f\n0: 0000000000000001\n", "hash of a block is missing");
    refuses(F N "nodes f\n0: 0000000000000001\n1:\n", "the hash of a block");
    refuses(F N "nodes f\n0: 1\n1: 0000000000000001\n", "the hash of a block");
    refuses(F N "nodes f\n0: 0000000000000001 !\n1: 0000000000000001\n",
        "a callee has no name");
    refuses("directory a\ndirectory b\n", "a directory twice");
    refuses("command a\ncommand b\n", "a command twice");
    refuses("directory\n", "a directory is missing");
}

static bool parse_only(struct trod_only *out, const char *text)
{
    struct trod_text in;

    trod_text_init(&in, "list", text, strlen(text));
    return trod_only_parse(out, &in, &have.mem, &have.err);
}

static void test_only(void **state)
{
    static const struct {
        const char *function, *path;
        bool is_in;
    } want[] = {{"weigh", "/home/me/src/a.c", true}, {"weigh", "b.c", true},
        {"note", "/home/me/src/log.c", true}, {"note", "/home/me/lib/log.c", true},
        {"note", "/home/me/src/catalog.c", false}, {"note", "log.c", false},
        {"note", "/home/me/other/log.c", false}, {"not", "/home/me/src/log.c", false},
        {"notes", "/home/me/src/log.c", false}, {"zap", "/home/me/a b.c", true},
        {"abs", "/x/y.c", true}, {"abs", "/w/x/y.c", true}, {"abs", "/w/z/y.c", false}};
    struct trod_only only;

    (void)state;
    assert_true(
        parse_only(&only, "# a list\n\nzap \"a b.c\"\nnote src/log.c # there\nweigh\n"
                          "  note ../lib/./x/../log.c\nabs /x/y.c"));
    assert_int_equal(only.count, 5);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (trod_only_has(&only, want[i].function, &want[i].path, 1) != want[i].is_in)
            fail_msg("%s of %s", want[i].function, want[i].path);
    assert_true(parse_only(&only, " # nothing\n"));
    assert_int_equal(only.count, 0);
    assert_false(trod_only_has(&only, "weigh", NULL, 0));
    assert_false(parse_only(&only, "f a.c b.c\n"));
    assert_non_null(strstr(have.err.text, "list:1: unexpected text"));
    assert_false(parse_only(&only, "f\n: a.c\n"));
    assert_non_null(
        strstr(have.err.text, "list:2: expected the mangled name of a function"));
}

static void test_paths_of_files(void **state)
{
    static const char *const path[][3] = {{"/a/b", "c.c", "/a/b/c.c"},
        {"/a/b", "../c.c", "/a/c.c"}, {"/a/b", "/c/./d.c", "/c/d.c"},
        {"/a", "../../../c.c", "/c.c"}, {".", "c.c", "c.c"}, {"..", "c.c", "c.c"},
        {NULL, "./x//y.c", "x/y.c"}, {NULL, "../y.c", "y.c"}, {NULL, ".", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof path / sizeof *path; i++)
        assert_string_equal(
            trod_only_path(path[i][0], path[i][1], &have.mem), path[i][2]);
}

static void test_only_in_map(void **state)
{
    static const struct {
        const char *line;
        bool is_in;
    } want[] = {{"f", true}, {"f two.c", true}, {"f me/src/two.c", true},
        {"f one.c", false}, {"g", false}, {"k", true}, {"k three.c", true},
        {"k two.c", false}, {"m", false}};
    struct trod_only only;
    struct trod_text in;
    struct trod_map map;

    (void)state;
    trod_text_init(&in, "map", nodes_text, strlen(nodes_text));
    assert_true(trod_map_parse(&map, &in, &have.mem, &have.err));
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_true(parse_only(&only, want[i].line));
        if (trod_only_in_map(&only.line[0], &map, &have.mem) != want[i].is_in)
            fail_msg("%s", want[i].line);
    }
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    struct trod_report_options options = {
        .sort = TROD_SORT_WEIGHT, .group = TROD_GROUP_FUNCTION};
    struct trod_string text;
    struct trod_json json;
    struct trod_map map;
    struct trod_text in;

    (void)ctx;
    trod_text_init(&in, "map", map_text, strlen(map_text));
    assert_true(trod_map_parse(&map, &in, mem, &have.err));
    trod_string_init(&text, mem);
    trod_report_print(&text.sink, &have.a, &map, &options, mem);
    trod_json_init(&json, &text.sink);
    options.group = TROD_GROUP_NONE;
    trod_report_json(&json, NULL, &have.a, &map, &options, mem);
    trod_text_init(&in, "map", nodes_text, strlen(nodes_text));
    assert_true(trod_map_parse(&map, &in, mem, &have.err));
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test_setup_teardown(test_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_weight, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_choice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_compare, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stopped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nodes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inlined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_branches, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_nodes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_paths_of_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_in_map, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_allocation_failures, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("report", test, NULL, NULL);
}
