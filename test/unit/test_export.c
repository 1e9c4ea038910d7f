/* Exports: names as each format can write them, what is refused, which stacks there are, what calls cost; and what happens
 * when memory ends. What other tools make of them is in test/cli/export.t.
 */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "pprof/pprof_port.h"

static struct {
    struct trod_arena mem;
    struct trod_err err;
    struct trod_map map;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_exported in;
} have;

/* f calls g in one block, and h, which calls itself, in the other; i calls whatever. */
static const char map_text[] =
    "unit one.c source\n"
    "function f 0000000000000001 0000000000000011 0000000000000000\n"
    "file \"a;b,c.c\"\n"
    "numbering f ballarus\n"
    ">: 0\n"
    "0: 1 2+1\n"
    "1:\n"
    "2: 3\n"
    "3:\n"
    "nodes f\n"
    "0: 0000000000000001\n"
    "1: 0000000000000002 \"g \\\"x\\\"\"\n"
    "2: 0000000000000003 h\n"
    "3: 0000000000000004 puts\n"
    "lines f\n"
    "0: 10\n"
    "1: 11\n"
    "2: 12 13\n"
    "3: 14\n"
    "function \"g \\\"x\\\"\" 0000000000000002 0000000000000012 0000000000000000\n"
    "file \"a;b,c.c\"\n"
    "numbering \"g \\\"x\\\"\" ballarus\n"
    ">: 0\n"
    "0:\n"
    "nodes \"g \\\"x\\\"\"\n"
    "0: 0000000000000001\n"
    "lines \"g \\\"x\\\"\"\n"
    "0: 20\n"
    "function h 0000000000000003 0000000000000013 0000000000000000\n"
    "numbering h ballarus\n"
    ">: 0\n"
    "0:\n"
    "nodes h\n"
    "0: 0000000000000001 h\n";

static const char profile_text[] =
    "profile\nmodule app source\n"
    "function 0000000000000001 0000000000000011 0000000000000000 2\n=0 10\n=1 4\n"
    "function 0000000000000002 0000000000000012 0000000000000000 1\n=0 10\n"
    "function 0000000000000003 0000000000000013 0000000000000000 1\n=0 8\n"
    "function 0000000000000004 0000000000000014 0000000000000000 9\n=7 5\n"
    "note \"lost at 1: a, b\"\n";

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void parse_profile(struct trod_profile *out, const char *bytes)
{
    struct trod_text text;
    bool more;

    trod_text_init(&text, "text", bytes, strlen(bytes));
    if (!trod_profile_parse(out, &more, &text, &have.mem, &have.err))
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
    for (uint32_t i = 0; i < have.map.nentry; i++)
        have.map.entry[i].display_name = have.map.entry[i].name;
    parse_profile(&have.profile, profile_text);
    trod_flows_build_any(&have.flows, &have.profile, &have.map, &have.mem);
    have.in = (struct trod_exported){.profile = &have.profile,
        .map = &have.map,
        .flows = &have.flows,
        .version = "0"};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return 0;
}

static const struct trod_export_format *format(const char *name)
{
    for (const struct trod_export_format *f = trod_export_formats; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    fail_msg("no format %s", name);
    abort();
}

static const char *put(const char *name)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    if (!format(name)->put(&text.sink, &have.in, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
    return text.text;
}

/* --- names ------------------------------------------------------------------------------------------------ */

static const char *written(
    void (*write)(struct trod_sink *sink, const char *name), const char *name)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    write(&text.sink, name);
    return text.text;
}

static void test_csv_field(void **state)
{
    (void)state;
    assert_string_equal(written(trod_export_csv_field, ""), "");
    assert_string_equal(written(trod_export_csv_field, "a b;'c'"), "a b;'c'");
    assert_string_equal(written(trod_export_csv_field, "a,b"), "\"a,b\"");
    assert_string_equal(
        written(trod_export_csv_field, "say \"x\""), "\"say \"\"x\"\"\"");
    assert_string_equal(written(trod_export_csv_field, "\""), "\"\"\"\"");
    assert_string_equal(written(trod_export_csv_field, "a\nb"), "\"a\nb\"");
    assert_string_equal(written(trod_export_csv_field, "a\rb"), "\"a\rb\"");
    assert_string_equal(
        written(trod_export_csv_field, "100%d \xc3\xa9"), "100%d \xc3\xa9");
}

static void test_collapsed_name(void **state)
{
    (void)state;
    assert_string_equal(written(trod_export_collapsed_name, "std::map<int, int>"),
        "std::map<int, int>");
    assert_string_equal(written(trod_export_collapsed_name, "a;b"), "a,b");
    assert_string_equal(
        written(trod_export_collapsed_name, "a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
    assert_string_equal(
        written(trod_export_collapsed_name, "100%d \xc3\xa9"), "100%d \xc3\xa9");
}

/* --- formats ------------------------------------------------------------------------------------------------ */

static void test_collapsed(void **state)
{
    (void)state;
    assert_string_equal(put("collapsed"),
        "f;f a,b,c.c:10;f a,b,c.c:11 10\n"
        "g \"x\";g \"x\" a,b,c.c:20 10\n"
        "h;h block 0 (no line) 8\n"
        "?0000000000000004;path =7 5\n"
        "f;f a,b,c.c:10;f a,b,c.c:12;f a,b,c.c:14 4\n");
    have.in.most = 1;
    assert_string_equal(put("collapsed"), "f;f a,b,c.c:10;f a,b,c.c:11 10\n");
}

/* g is called by one block, as often as it was entered; h by two. What f did with all it called is unknown. */
static void test_callgrind(void **state)
{
    const char *text = put("callgrind");

    (void)state;
    assert_non_null(strstr(text, "\nsummary: 46 50 32\n"));
    assert_non_null(strstr(text, "cfn=(2) g \"x\"\ncalls=10 20\n11 10 10 10\n"));
    assert_non_null(strstr(text, "cfn=(3) h\ncalls=4 0\n12 0 0 0\n"));
    assert_non_null(strstr(text, "\ndesc: note: lost at 1: a, b\n"));
    assert_null(strstr(text, "puts"));
}

static void test_csv(void **state)
{
    const char *text = put("csv");

    (void)state;
    assert_non_null(strstr(text,
        "app,,\"g \"\"x\"\"\",\"g \"\"x\"\"\",\"a;b,c.c\",20,0,entry,all,yes,10,10,"));
    assert_non_null(
        strstr(text, "app,,?0000000000000004,?0000000000000004,,,7,unknown,"));
}

static bool is_f(const char *function, void *ctx)
{
    (void)ctx;
    return strcmp(function, "f") == 0;
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* f was entered 14 times, and took one way 10 times, the other 4; its name has what XML and JSON must not. */
static void test_lcov(void **state)
{
    const char *text = put("lcov");

    (void)state;
    assert_true(has(text, "FNDA:14,f\n"));
    assert_true(has(text, "DA:10,14\nDA:11,10\nDA:12,4\nDA:13,4\nDA:14,4\nDA:20,10\n"));
    assert_true(has(text, "BRDA:10,0,0,10\nBRDA:10,0,1,4\n"));
    assert_true(has(text, "LF:6\nLH:6\nend_of_record\n"));
}

static void test_cobertura(void **state)
{
    const char *text = put("cobertura");

    (void)state;
    assert_true(has(text, "<line number=\"11\" hits=\"10\""));
    assert_true(has(text, "condition-coverage=\"100% (2/2)\""));
    assert_true(has(text, "g &#34;x&#34;"));
    assert_false(has(text, "\"g \"x"));
}

static void test_gcov(void **state)
{
    const char *text = put("gcov");

    (void)state;
    assert_true(has(text, "\"line_number\": 11"));
    assert_true(has(text, "g \\\"x\\\""));
}

/* A function whose paths follow calls: counts of lines would be a part of what ran. */
static void test_across(void **state)
{
    static const char *const name[] = {"lcov", "cobertura", "gcov"};

    (void)state;
    have.map.entry[0].nframe = 2;
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        struct trod_string text;

        trod_string_init(&text, &have.mem);
        assert_false(format(name[i])->put(&text.sink, &have.in, &have.mem, &have.err));
        assert_int_equal(have.err.code, TROD_E_MISMATCH);
        assert_true(has(have.err.text, "follow calls"));
    }
}

static void test_wants(void **state)
{
    struct trod_export_stacks stacks;

    (void)state;
    have.in.wants = is_f;
    trod_export_stacks(&stacks, &have.in, &have.mem);
    assert_int_equal(stacks.nstack, 2);
    assert_int_equal(stacks.count, 37);
    assert_non_null(strstr(put("callgrind"), "\nsummary: 36 32 14\n"));
    assert_null(strstr(put("dot"), "label=\"h"));
}

/* --- what is refused ----------------------------------------------------------------------------------------- */

static bool takes(unsigned what, const char *profile)
{
    struct trod_export_format own = {.name = "own", .takes = what};
    struct trod_profile p;

    parse_profile(&p, profile);
    return trod_export_check(&own, &p, &have.err);
}

static void test_check(void **state)
{
    static const char chosen[] =
        "profile\nmodule app source\n"
        "function 0000000000000001 0000000000000011 0000000000000000 2 chosen\nslots =0\n=0 10\n";
    static const char burst[] =
        "profile\nmodule app burst\n"
        "function 0000000000000001 0000000000000011 0000000000000000 2\n=0 10\n";
    static const char samples[] =
        "profile\nmodule app blocks\n"
        "function 0000000000000001 0000000000000011 0000000000000000 2\n";

    (void)state;
    assert_true(takes(0, profile_text));
    assert_false(takes(0, chosen));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "build without --paths"));
    assert_true(takes(TROD_EXPORT_PARTIAL, chosen));
    assert_false(takes(TROD_EXPORT_PARTIAL, burst));
    assert_non_null(strstr(have.err.text, "trigger=always"));
    assert_true(takes(TROD_EXPORT_ESTIMATES, burst));
    assert_false(takes(TROD_EXPORT_ESTIMATES | TROD_EXPORT_PARTIAL, samples));
    assert_non_null(strstr(have.err.text, "without --online"));
    assert_true(takes(TROD_EXPORT_SAMPLES, samples));
}

/* Words of --to: no two formats have one. */
static void test_table(void **state)
{
    (void)state;
    for (const struct trod_export_format *f = trod_export_formats; f->name; f++) {
        assert_non_null(f->put);
        assert_true(strlen(f->summary) > 10);
        assert_int_equal(
            strspn(f->name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(f->name));
        for (const struct trod_export_format *g = trod_export_formats; g < f; g++)
            assert_string_not_equal(f->name, g->name);
    }
}

/* --- the same bytes ------------------------------------------------------------------------------------------- */

static void test_pprof(void **state)
{
    struct trod_string one, two;

    (void)state;
    trod_string_init(&one, &have.mem);
    trod_string_init(&two, &have.mem);
    assert_true(trod_pprof_formats[0].put(&one.sink, &have.in, &have.mem, &have.err));
    assert_true(trod_pprof_formats[0].put(&two.sink, &have.in, &have.mem, &have.err));
    assert_true(one.length > 20 && one.length == two.length);
    assert_memory_equal(one.text, two.text, one.length);
    assert_memory_equal(one.text, "\x1f\x8b", 2);
}

/* Everything that allocates, in an arena that may end anywhere. */
static void put_all(struct trod_arena *mem, void *ctx)
{
    const struct trod_export_format *table[] = {
        trod_export_formats, trod_pprof_formats};

    (void)ctx;
    for (int t = 0; t < 2; t++)
        for (const struct trod_export_format *f = table[t]; f->name; f++) {
            struct trod_string text;

            trod_string_init(&text, mem);
            /* Some need more than is known here, and say so. */
            if (f->takes && !f->put(&text.sink, &have.in, mem, &have.err))
                assert_int_equal(have.err.code, TROD_E_MISMATCH);
        }
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(put_all, NULL) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(csv_field),
        TEST(collapsed_name),
        TEST(collapsed),
        TEST(callgrind),
        TEST(csv),
        TEST(lcov),
        TEST(cobertura),
        TEST(gcov),
        TEST(across),
        TEST(wants),
        TEST(check),
        TEST(table),
        TEST(pprof),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
