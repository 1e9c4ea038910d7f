/* Profiles for clang: counters and lines, from maps and profiles written by hand; and what happens when memory ends. What LLVM makes of
 * them is in test/cli/export_llvm.t, whether counts of real programs are right in test/coverage/counters.t.
 */
#include "kit/kit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"

#define F "function f 0000000000000001 0000000000000011 0000000000000000\n"
#define N "numbering f ballarus\n>: 0\n0: 1 2+1\n1: 3\n2: 3\n3:\n"
#define CALLS \
    "nodes f\n0: 0000000000000001\n1: 0000000000000002 g *\n2: 0000000000000003 g\n3: 0000000000000004\n"

/* f is in two units, of which the linker kept one; s, which both have for themselves, is not the same to clang either. */
static const char map_text[] =
    "unit one.c source\n" F "file one.c\ndeclared 8\n" N CALLS
    "counters f f 00000000000000ff 4\n0: 0\n1: 2 1\n2:\n3: 2\n"
    "lines f\n0: 10\n1: 11 12\n2: 12\n3: 7\n"
    "sites f\n0:\n1: 11 12\n2: 12\n3:\n"
    "function s 0000000000000002 0000000000000012 0000000000000000\n"
    "numbering s ballarus\n>: 0\n0:\n"
    "counters s \"one.c:s\" 0000000000000018 1\n0: 0\n"
    "function odd 0000000000000004 0000000000000012 0000000000000000\n"
    "numbering odd ballarus\n>: 0\n0:\n"
    "counters odd \"#odd\" 0000000000000018 1\n0: 0\n"
    "unit two.c source\n" F "file one.c\ndeclared 8\n" N CALLS
    "counters f f 00000000000000ff 4\n0: 0\n1: 2 1\n2:\n3: 2\n"
    "function s 0000000000000003 0000000000000012 0000000000000000\n"
    "numbering s ballarus\n>: 0\n0:\n"
    "counters s \"two.c:s\" 0000000000000018 1\n0: 0\n";

static const char profile_text[] =
    "profile\nmodule app source\n"
    "function 0000000000000001 0000000000000011 0000000000000000 2\n=0 10\n=1 4\n"
    "function 0000000000000002 0000000000000012 0000000000000000 1\n=0 7\n"
    "function 0000000000000003 0000000000000012 0000000000000000 1\n"
    "function 0000000000000004 0000000000000012 0000000000000000 1\n=0 1\n";

static struct {
    struct trod_arena mem;
    struct trod_err err;
    struct trod_map map;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_exported in;
} have;

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static bool parse_map(const char *bytes)
{
    struct trod_text text;

    trod_text_init(&text, "map", bytes, strlen(bytes));
    return trod_map_parse(&have.map, &text, &have.mem, &have.err);
}

static int set_up(void **state)
{
    struct trod_text text;
    bool more;

    (void)state;
    trod_arena_init(&have.mem, die, NULL);
    if (!parse_map(map_text))
        fail_msg("%s", have.err.text);
    trod_text_init(&text, "text", profile_text, strlen(profile_text));
    if (!trod_profile_parse(&have.profile, &more, &text, &have.mem, &have.err) ||
        !trod_flows_build(&have.flows, &have.profile, &have.map, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
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

typedef bool put_fn(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err);

static const char *put(put_fn *fn)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    if (!fn(&text.sink, &have.in, &have.mem, &have.err))
        return NULL;
    return text.text;
}

/* Counters of several blocks are sums, those of none are 0, and a function of two units is there once. */
static void test_counters(void **state)
{
    (void)state;
    assert_string_equal(put(trod_export_llvm),
        "# functions whose names this format cannot represent: 1\n"
        "# counted on paths, by trod 0\n:fe\n"
        "f\n# Func Hash:\n255\n# Num Counters:\n4\n# Counter Values:\n14\n10\n24\n0\n\n"
        "one.c:s\n# Func Hash:\n24\n# Num Counters:\n1\n# Counter Values:\n7\n\n"
        "two.c:s\n# Func Hash:\n24\n# Num Counters:\n1\n# Counter Values:\n0\n\n");
}

/* The hottest block of a line, calls added up, and nothing of lines before the function. */
static void test_lines(void **state)
{
    (void)state;
    assert_string_equal(
        put(trod_export_sample), "f:34:14\n 2: 14\n 3: 10 g:10\n 4: 10 g:4\n");
}

static bool only_s(const char *function, void *ctx)
{
    (void)ctx;
    return strcmp(function, "s") == 0;
}

static void test_wanted(void **state)
{
    const char *text;

    (void)state;
    have.in.wants = only_s;
    text = put(trod_export_llvm);
    assert(text);
    assert_null(strstr(text, "f\n# Func"));
    assert_non_null(strstr(text, "one.c:s\n"));
    assert_string_equal(put(trod_export_sample), "");
}

static void test_without(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < have.map.nentry; i++) {
        have.map.entry[i].counters.name = NULL;
        have.map.entry[i].declared = 0;
    }
    assert_null(put(trod_export_llvm));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "trod cc --counters"));
    assert_null(put(trod_export_sample));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "-g"));
}

static void test_names(void **state)
{
    (void)state;
    assert_true(trod_export_llvm_has("a/b.c:f"));
    assert_true(trod_export_llvm_has("_ZN1a1bEv"));
    assert_false(trod_export_llvm_has(""));
    assert_false(trod_export_llvm_has("#f"));
    assert_false(trod_export_llvm_has(":ir"));
    assert_true(trod_export_llvm_has("my folder/a.c:f"));
    assert_false(trod_export_llvm_has("a\nb"));
}

static void refuses(const char *map, const char *why)
{
    assert_false(parse_map(map));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    if (!strstr(have.err.text, why))
        fail_msg("'%s' is not '%s'", have.err.text, why);
}

static void test_bad_maps(void **state)
{
    (void)state;
    refuses("counters f f 0000000000000001 1\n0:\n", "no function comes before this");
    refuses("declared 3\n", "no function comes before this");
    refuses(F "declared x\n", "is not a number");
    refuses(F "counters f f 0000000000000001 1\n", "counters out of place");
    refuses(F N "counters f f 0000000000000001 0\n0:\n1:\n2:\n3:\n", "has no counters");
    refuses(
        F N "counters f f 0000000000000001 2\n0: 2\n1:\n2:\n3:\n", "no such counter");
    refuses(F N "counters f f 0000000000000001 2\n0: 1\n1:\n", "counters of a block");
    refuses(F N "counters f f zz 2\n", "is not a hash");
    refuses(F N "counters f\n", "a name in profiles of clang is missing");
    refuses(F N "counters f f 0000000000000001 1\n0:\n1:\n2:\n3:\n"
                "counters f f 0000000000000001 1\n0:\n1:\n2:\n3:\n",
        "counters out of place");
    refuses(F N "sites f\n0:\n1:\n2:\n3:\n", "a different number of calls");
    refuses(F N CALLS "sites f\n0:\n1: 1\n2: 1 2\n3:\n", "a different number of calls");
    refuses(F N CALLS "sites f\n0:\n1: 1 x\n2: 1\n3:\n", "not a number");
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    struct trod_string text;

    (void)ctx;
    trod_string_init(&text, mem);
    assert_true(trod_export_llvm(&text.sink, &have.in, mem, &have.err));
    assert_true(trod_export_sample(&text.sink, &have.in, mem, &have.err));
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test_setup_teardown(test_counters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wanted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_maps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_allocation_failures, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("export_llvm", test, NULL, NULL);
}
