/* Pages: ways, flags, order, what is omitted, layouts, markup that nothing breaks out of, and what happens when memory
 * ends. Random functions are in test/prop/prop_page.c, what users see in test/cli/html.t.
 */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "page/page.h"

static struct {
    struct trod_arena mem;
    struct trod_err err;
    struct trod_map map;
    struct trod_profile now, old;
} have;

/* f has a loop and a name that would end a script; g never ran; wide has more ways out than digits. */
static const char map_text[] =
    "unit one.c source\n"
    "directory \"/src\"\n"
    "function \"</script><b>\" 0000000000000001 0000000000000011 0000000000000000\n"
    "file z.c\n"
    "numbering \"</script><b>\" ballarus\n"
    ">: 0 1+2\n"
    "0: 1\n"
    "1: 2 3+1\n"
    "2: >1\n"
    "3:\n"
    "lines \"</script><b>\"\n"
    "0: 10\n"
    "1: 11\n"
    "2: 12 13\n"
    "3: 15\n"
    "function g 0000000000000002 0000000000000012 0000000000000000\n"
    "file a.c\n"
    "numbering g ballarus\n"
    ">: 0\n"
    "0:\n"
    "unit two.c source\n"
    "function wide 0000000000000003 0000000000000013 0000000000000000\n"
    "numbering wide ballarus\n"
    ">: 0\n"
    "0: 1 1+1 1+2 1+3 1+4 1+5 1+6 1+7 1+8 1+9 1+10 1+11 1+12 1+13 1+14 1+15 1+16 1+17 1+18 "
    "1+19 1+20 1+21 1+22 1+23 1+24 1+25 1+26 1+27 1+28 1+29 1+30 1+31 1+32 1+33 1+34 1+35 "
    "1+36 1+37\n"
    "1:\n";

#define MODULE                                                          \
    "profile\nmodule app source\n"                                      \
    "function 0000000000000001 0000000000000011 0000000000000000 4\n%s" \
    "function 0000000000000002 0000000000000012 0000000000000000 1\n%s" \
    "function 0000000000000003 0000000000000013 0000000000000000 38\n%s"

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void parse_profile(
    struct trod_profile *out, const char *f, const char *g, const char *wide)
{
    struct trod_string text;
    struct trod_text cursor;
    bool more;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, MODULE, f, g, wide);
    trod_text_init(&cursor, "text", text.text, text.length);
    if (!trod_profile_parse(out, &more, &cursor, &have.mem, &have.err))
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
    parse_profile(&have.now, "=0 2\n=2 90\n=3 2\n", "", "=5 1\n=10 1\n=36 7\n");
    parse_profile(&have.old, "=1 4\n=2 80\n", "", "=36 7\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return 0;
}

static void build(struct trod_page *out, const struct trod_page_options *options)
{
    struct trod_flows *flows = trod_new(&have.mem, struct trod_flows, 1);

    trod_flows_build_any(flows, &have.now, &have.map, &have.mem);
    if (!trod_page_build(
            out, &have.now, &have.map, flows, options, &have.mem, &have.err) ||
        !trod_page_check(out, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
}

static const char *way_of(const struct trod_page *page, const struct trod_page_path *p)
{
    struct trod_string way;

    trod_string_init(&way, &have.mem);
    trod_put(&way.sink, "%lld ",
        (long long)trod_page_start(
            page->map, page->function[p->function].flow->entry, p->id));
    trod_page_put_way(
        &way.sink, page->map, page->function[p->function].flow->entry, p->id);
    return way.text;
}

static bool has_note(const struct trod_page *page, const char *part)
{
    for (uint32_t i = 0; i < page->nnote; i++)
        if (strstr(page->note[i], part))
            return true;
    return false;
}

/* --- functions and paths ---------------------------------------------------------------------------------------- */

static void test_ways(void **state)
{
    struct trod_page page;

    (void)state;
    build(&page, &(struct trod_page_options){0});
    assert_int_equal(page.npath, 6);
    assert_int_equal(page.path[0].count, 90);
    assert_string_equal(way_of(&page, &page.path[0]), "1 0");
    assert_string_equal(way_of(&page, &page.path[1]), "-1 (36)");
    assert_string_equal(way_of(&page, &page.path[2]), "-1 0");
    assert_string_equal(way_of(&page, &page.path[3]), "1 1");
    assert_string_equal(way_of(&page, &page.path[4]), "-1 5");
    assert_string_equal(way_of(&page, &page.path[5]), "-1 a");
    assert_int_equal(page.total, 103);
    assert_int_equal(page.weight, 2 * 90 + 3 * 2 + 2 * 2 + 2 * 9);
    assert_int_equal(page.path[0].weight, 180);
}

static void test_functions(void **state)
{
    struct trod_page page;

    (void)state;
    build(&page, &(struct trod_page_options){0});
    assert_int_equal(page.nfunction, 2);
    assert_int_equal(page.function[0].nran, 3);
    assert_int_equal(page.function[0].npath, 4);
    assert_int_equal(page.function[0].count, 94);
    assert_int_equal(page.function[0].line, 10);
    assert_int_equal(page.function[0].nlimited, 0);
    assert_int_equal(page.function_of_entry[1], TROD_NONE);
    assert_string_equal(page.file[page.function[0].file].name, "z.c");
    assert_string_equal(page.file[page.function[0].file].directory, "/src");
    assert_null(page.file[page.function[0].file].why);
    assert_string_equal(page.file[page.function[1].file].name, "two.c");
    assert_non_null(strstr(page.file[page.function[1].file].why, "-g"));
    build(&page, &(struct trod_page_options){.all = true});
    assert_int_equal(page.nfunction, 3);
    assert_int_equal(page.function_of_entry[1], 2);
    assert_int_equal(page.npath, 6);
}

static bool wants_wide(const char *function, void *ctx)
{
    (void)ctx;
    return strcmp(function, "wide") == 0;
}

static void test_choice(void **state)
{
    const bool also[3] = {[1] = true};
    struct trod_page page;

    (void)state;
    build(&page, &(struct trod_page_options){.wants = wants_wide, .also = also});
    assert_int_equal(page.nfunction, 2);
    assert_int_equal(page.npath, 3);
    assert_int_equal(page.total, 103); /* of all that ran */
    build(&page, &(struct trod_page_options){.most = 2});
    assert_int_equal(page.npath, 2);
    assert_true(has_note(&page, "4 paths are not listed, for 2 ran as often or more: "
                                "together they ran 6 times"));
}

static void test_flags(void **state)
{
    struct trod_profile_diff since;
    struct trod_page_options options = {.since = &since, .missing = 9};
    const struct trod_profile *old = &have.old;
    struct trod_list tested;
    struct trod_ran ran;
    struct trod_page page;

    (void)state;
    assert_true(trod_profile_diff(&since, &have.old, &have.now, &have.mem, &have.err));
    assert_true(trod_ran_build(&ran, &old, 1, &have.mem, &have.err));
    trod_list_ran(&tested, &ran, &have.map, &have.mem);
    options.tested = &tested;
    build(&page, &options);
    assert_true(page.has_tested && page.has_old);
    assert_int_equal(page.path[0].flags, 0);
    assert_int_equal(page.path[0].old, 80);
    assert_int_equal(page.path[1].flags, 0);
    assert_int_equal(page.path[2].flags, TROD_PAGE_UNTESTED | TROD_PAGE_NEW);
    assert_int_equal(page.path[6].flags, TROD_PAGE_GONE);
    assert_int_equal(page.path[6].id, 1);
    assert_int_equal(page.path[6].old, 4);
    assert_int_equal(page.path[7].flags, TROD_PAGE_NEVER);
    assert_int_equal(page.path[7].count, 0);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void test_long_files(void **state)
{
    enum { LINES = TROD_PAGE_WHOLE + 1 };
    const char **line = trod_new(&have.mem, const char *, LINES);
    struct trod_page page;
    struct trod_page_file *file;

    (void)state;
    for (size_t i = 0; i < LINES; i++)
        line[i] = "x";
    build(&page, &(struct trod_page_options){0});
    file = &page.file[page.function[0].file];
    trod_page_fill_file(&page, page.function[0].file, line, LINES - 1, &have.mem);
    assert_int_equal(file->nline, LINES - 1);
    assert_null(file->why);
    trod_page_fill_file(&page, page.function[0].file, line, LINES, &have.mem);
    assert_int_equal(file->nline, 20); /* lines 10 to 15, and 5 around */
    assert_string_equal(file->line[3], "");
    assert_string_equal(file->line[4], "x");
    assert_string_equal(file->line[19], "x");
    assert_non_null(strstr(file->why, "long"));
}

/* Lines are those of src/view/flow, of the whole file; of another profile, too. */
static void test_rows(void **state)
{
    struct trod_flows before;
    struct trod_page page;
    const struct trod_page_file *file;

    (void)state;
    trod_flows_build_any(&before, &have.old, &have.map, &have.mem);
    build(&page, &(struct trod_page_options){.before = &before});
    file = &page.file[page.function[0].file];
    assert_string_equal(file->path, "/src/z.c");
    assert_false(file->system);
    assert_int_equal(file->nrow, 5);
    assert_int_equal(file->row[0].line, 10);
    assert_int_equal(file->row[0].count, 2);
    assert_int_equal(file->row[0].old, 4);
    assert_int_equal(file->row[1].line, 11);
    assert_int_equal(file->row[1].count, 94);
    assert_true(file->row[1].counted && file->row[1].compared);
    build(&page, &(struct trod_page_options){0});
    assert_false(page.file[page.function[0].file].row[0].compared);
}

static void test_rows_by_block(void **state)
{
    struct trod_flow_row *row;
    struct trod_flows flows;
    uint32_t n;

    (void)state;
    trod_flows_build_any(&flows, &have.now, &have.map, &have.mem);
    n = trod_flow_rows_by_block(&row, &flows.of_entry[0], TROD_NONE, &have.mem);
    assert_int_equal(n, 5);
    assert_int_equal(row[0].count, 2);
    assert_int_equal(row[1].count, 94);
    assert_int_equal(row[3].line, 13);
    assert_int_equal(row[3].count, row[2].count);
    assert_int_equal(
        trod_flow_rows_by_block(&row, &flows.of_entry[1], TROD_NONE, &have.mem), 0);
}

static void test_system(void **state)
{
    static const char *const theirs[] = {"/usr/include/stdio.h",
        "/usr/lib/x86_64-linux-gnu/libc.so.6", "/home/me/llvm/include/c++/v1/vector",
        "/lib64/ld-linux.so.2"};
    static const char *const mine[] = {
        "main.c", "/home/me/usr/include/a.h", "/usr/src/app/a.c", "/srv", "lib/a.c"};

    (void)state;
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        assert_true(trod_is_system_path(theirs[i]));
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++)
        assert_false(trod_is_system_path(mine[i]));
    /* Machine code of a library is the library's, whatever its debug information calls the source. */
    assert_true(trod_is_system_code(&(struct trod_map_entry){
        .unit = "/usr/lib/libc.so.6", .file = "./malloc/malloc.c", .machine = true}));
    assert_false(trod_is_system_code(&(struct trod_map_entry){
        .unit = "/usr/bin/ls", .file = "src/ls.c", .machine = true}));
    assert_false(trod_is_system_code(
        &(struct trod_map_entry){.unit = "/usr/lib/a.c", .file = "a.c"}));
}

/* Runs that are distinguished: each path with those that have it, each once, and no more than there is room for. */
static void test_tests(void **state)
{
    struct trod_page_test test[10];
    struct trod_page page;

    (void)state;
    for (size_t i = 0; i < 10; i++)
        test[i] = (struct trod_page_test){"t", i % 2 ? &have.old : &have.now, 0};
    build(&page, &(struct trod_page_options){.test = test, .ntest = 10});
    assert_int_equal(page.ntest, 10);
    assert_int_equal(page.path[0].ntest, 10); /* =2 of f, in both */
    assert_int_equal(page.path[0].test[TROD_PAGE_TESTS - 1], TROD_PAGE_TESTS - 1);
    for (size_t i = 0; i < page.npath; i++)
        assert_true(page.path[i].ntest == 10 || page.path[i].ntest == 5);
    build(&page, &(struct trod_page_options){.test = test, .ntest = 1});
    assert_int_equal(page.ntest, 0);
}

static void test_markup(void **state)
{
    static const char *const line[] = {"</script><!-- <script>", "\"\\ \xff"};
    struct trod_string text;
    struct trod_page page;
    const char *data, *end;

    (void)state;
    build(&page, &(struct trod_page_options){0});
    page.title = "<script>&\"";
    trod_page_fill_file(&page, 0, line, 2, &have.mem);
    trod_string_init(&text, &have.mem);
    trod_page_write(&text.sink, &page);
    assert_non_null(strstr(text.text, "<title>&lt;script&gt;&amp;&quot;</title>"));
    data = strstr(text.text, "id=\"trod-data\">");
    end = data ? strchr(data, '<') : NULL;
    if (!end) {
        fail_msg("there are no data");
        return;
    }
    assert_int_equal(strncmp(end, "</script>", 9), 0);
    assert_int_equal(end[-1], '\n');
    assert_int_equal(end[-2], '}');
    assert_null(strstr(text.text, "<!-- trod:"));
    assert_non_null(strstr(data, "\\u003c/script>\\u003cb>"));
}

/* --- layouts ------------------------------------------------------------------------------------------------------- */

static const char plain[] = "graph 1 2 3\n"
                            "node 0 1 2.5 0.5 0.5 \"\" solid box black lightgrey\n"
                            "node 1 1 1.5 0.5 0.5 \"\" solid box black lightgrey\n"
                            "node 2 1 1 0.5 0.5 \"\" solid box black lightgrey\n"
                            "node 3 1 0.5 0.5 0.5 \"\" solid box black lightgrey\n"
                            "edge 0 1 4 1 2 1 2 1 2 1 1.75 solid black\n"
                            "edge 1 2 4 1 2 1 2 1 2 1 1.75 solid black\n"
                            "edge 1 3 4 1 2 1 2 1 2 1 1.75 solid black\n"
                            "edge 2 1 4 1 2 1 2 1 2 1 1.75 solid black\n"
                            "stop\n";

static void test_layouts(void **state)
{
    struct trod_page_layout layout;
    struct trod_string dot;
    struct trod_page page;

    (void)state;
    build(&page, &(struct trod_page_options){0});
    trod_string_init(&dot, &have.mem);
    trod_page_dot(&dot.sink, &page.function[0]);
    assert_non_null(strstr(dot.text, "\n2 -> 1;\n"));
    assert_true(trod_page_layout_parse(
        &layout, &page.function[0], plain, strlen(plain), &have.mem));
    assert_true(layout.width == 144 && layout.height == 216);
    assert_true(layout.box_of_node[0].x == 72 && layout.box_of_node[0].y == 36);
    assert_string_equal(
        layout.curve_of_edge[3], "M72.0,72.0C72.0,72.0 72.0,72.0 72.0,90.0");
}

/* Whatever a child says: it is a layout, or none. */
static void test_no_layouts(void **state)
{
    static const char *const bad[] = {"", "graph", "graph 1 2 3\n", "digraph {\n",
        "graph 1 x 3\nstop\n", "graph 1 2 3\nnode 9 1 1 1 1\nstop\n",
        "graph 1 2 3\nedge 0 3 4 1 1 1 1\nstop\n", "graph 1 nan 3\n",
        "graph 1 1e9 3\n"};
    struct trod_page_layout layout;
    struct trod_page page;

    (void)state;
    build(&page, &(struct trod_page_options){0});
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (trod_page_layout_parse(
                &layout, &page.function[0], bad[i], strlen(bad[i]), &have.mem))
            fail_msg("taken for a layout: %s", bad[i]);
    for (size_t n = 0; n + 60 < strlen(plain); n++)
        assert_false(
            trod_page_layout_parse(&layout, &page.function[0], plain, n, &have.mem));
}

/* --- the check, and memory ------------------------------------------------------------------------------------------ */

static void test_check(void **state)
{
    struct trod_page page, bad;
    struct trod_page_path path[6];

    (void)state;
    build(&page, &(struct trod_page_options){0});
    bad = page;
    bad.path = path;
    for (int fault = 0; fault < 7; fault++) {
        memcpy(path, page.path, sizeof path);
        bad.total = page.total;
        if (fault == 0)
            path[3].function = 2;
        else if (fault == 1)
            path[5].id = 38;
        else if (fault == 2)
            path[5].count = 3;
        else if (fault == 3)
            path[5].id = 5;
        else if (fault == 4)
            path[5].count = 0;
        else if (fault == 5)
            path[0].count = 91;
        else
            bad.total = 102;
        if (trod_page_check(&bad, &have.mem, &have.err))
            fail_msg("fault %d is not found", fault);
        assert_int_equal(have.err.code, TROD_E_INTERNAL);
    }
}

static void build_all(struct trod_arena *mem, void *ctx)
{
    struct trod_page_options options = {.all = true, .missing = 3};
    struct trod_flows flows;
    struct trod_page page;
    struct trod_string text;

    (void)ctx;
    trod_flows_build_any(&flows, &have.now, &have.map, mem);
    if (trod_page_build(
            &page, &have.now, &have.map, &flows, &options, mem, &have.err)) {
        trod_string_init(&text, mem);
        trod_page_write(&text.sink, &page);
    }
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(build_all, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_long_files),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_by_block),
        cmocka_unit_test(test_system),
        cmocka_unit_test(test_tests),
        cmocka_unit_test(test_markup),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_no_layouts),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests_name("page", tests, set_up, tear_down);
}
