/* Bursts in profiles: sections byte by byte as a program has them, what is lost of damaged ones and with which words, which
 * references are found; what the validator of methods, calls and loops refuses; what happens when memory ends.
 */
#include "kit/fixture.h"
#include "kit/live.h"

#include <stdio.h>
#include <string.h>

#include "burst/burst.h"

#define HASHES "0000000000000001 0000000000000002 "
#define MODULE                                                               \
    "module app burst 00ff\nfunction " HASHES                                \
    "0000000000000003 4\n=1 5\nfunction " HASHES                             \
    "000073746e657666 4611686018427387904 events\nslots =72057594037927936 " \
    "=576460752303423488\n=72057594037927936 9\n=504403158265495569 3\n"
#define BURST                              \
    "burst count jitter 1\n"               \
    "words 16\n"                           \
    "budget 20000\n"                       \
    "time 1000\n"                          \
    "cost 20\n"                            \
    "type paths 1 999 999 1000 1000 3 3\n" \
    "type streams 100 99900 99900 1000 1000 1 100\n"
#define LIVE "profile\nrun\nexit: unknown\n" BURST MODULE

static bool try_parse(struct trod_profile *out, const char *text)
{
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_profile_parse(out, &more, &cursor, &have.mem, &have.err);
}

static const char *print(const struct trod_profile *profile)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

/* Where the section of the one thread is. */
static uint8_t *make_live(struct trod_string *out)
{
    static const struct kit_live_options options;
    struct trod_profile profile;
    struct kit_section *section;
    uint32_t n;

    must(try_parse(&profile, LIVE));
    trod_string_init(out, &have.mem);
    kit_live(out, &profile, &options, &have.mem);
    n = kit_sections(&section, (const uint8_t *)out->text, out->length, &have.mem);
    for (uint32_t i = 0; i < n; i++)
        if (section[i].type == TROD_SECTION_BURST)
            return (uint8_t *)out->text + section[i].at;
    fail_msg("no section");
    return NULL;
}

static const char *read_file(
    const struct trod_string *file, struct trod_profile_health *health)
{
    struct trod_profile_read_options options = {.name = "file"};
    struct trod_profile profile;

    must(trod_profile_read(&profile, health, (const uint8_t *)file->text, file->length,
        &options, &have.mem, &have.err));
    must(trod_profile_check(&profile, &have.err));
    return print(&profile);
}

static void expect(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("%s: not in\n%s", words, text);
}

static void test_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct trod_format_burst), 376);
    assert_int_equal(offsetof(struct trod_format_burst, time), 32);
    assert_int_equal(offsetof(struct trod_format_burst, type), 72);
    assert_int_equal(offsetof(struct trod_format_burst, ticks), 352);
    assert_int_equal(offsetof(struct trod_format_burst, floor), 368);
}

static void test_live(void **state)
{
    struct trod_profile_health health;
    struct trod_string file;
    uint32_t function;
    uint64_t id;

    (void)state;
    make_live(&file);
    assert_string_equal(read_file(&file, &health), LIVE);
    assert_int_equal(health.nloss, 0);
    assert_int_equal(health.nrefs, 1);
    assert_int_equal(health.refs[0].nbyte, 376);
    assert_int_equal(health.refs[0].nwhole, 376);
    assert_memory_equal(
        file.text + health.refs[0].at - sizeof(struct trod_format_head), "TORD", 4);
    assert_int_equal(health.nimage, 1);
    /* First the table of untested paths: 4 entries of 3 counters; then 5 counters of paths.
     * Slots are in reverse order, and one belongs to no event.
     */
    assert_true(trod_profile_find_site(&function, &id, &health.image[0], 17));
    assert_int_equal(function, 1);
    assert_int_equal(id, UINT64_C(8) << 56);
    assert_true(trod_profile_find_site(&function, &id, &health.image[0], 18));
    assert_int_equal(id, UINT64_C(1) << 56);
    assert_false(trod_profile_find_site(&function, &id, &health.image[0], 19));
    assert_false(trod_profile_find_site(&function, &id, &health.image[0], 13));
}

/* What is lost of a section with one field changed. */
static const char *read_changed(size_t at, uint32_t value)
{
    struct trod_string file;
    uint8_t *section = make_live(&file);

    memcpy(section + sizeof(struct trod_format_head) + at, &value, sizeof value);
    return read_file(&file, NULL);
}

static void test_damaged(void **state)
{
    (void)state;
    expect(read_changed(8, 4),
        "thread 0 has an unknown type; a later version of trod may");
    expect(read_changed(12, 4),
        "thread 0 has an unknown type; a later version of trod may");
    expect(read_changed(4, 128),
        "thread 0 has an unknown type; a later version of trod may");
    expect(read_changed(24, 1000001), "thread 0 has a budget above all there is");
    /* A thread that has not begun, and numbers that were never in force. */
    assert_null(strstr(read_changed(4, 0), "burst count"));
    assert_null(strstr(read_changed(4, 0), "note"));
    expect(read_changed(72, 0), "type paths 1 999");
    expect(read_changed(72 + 16, 0), "type paths 1 999 999 1 1 3 3");
}

static void test_cut(void **state)
{
    struct trod_string file;
    size_t at = (size_t)((char *)make_live(&file) - file.text);
    const char *text;

    (void)state;
    file.length = at + sizeof(struct trod_format_head) + 72 + 20;
    text = read_file(&file, NULL);
    expect(text, "the BURST section of thread 0 is cut off");
    expect(text, "type paths 1 999 999 1 1 0 0");
    file.length = at + sizeof(struct trod_format_head) + 4;
    assert_null(strstr(read_file(&file, NULL), "burst count"));
}

/* Nothing tells a merged section without its last types from an older one, but its length. */
static void test_cut_packed(void **state)
{
    struct trod_profile profile;
    struct trod_string file;
    struct kit_section *section;
    uint32_t n, i;

    (void)state;
    must(try_parse(&profile, LIVE));
    trod_string_init(&file, &have.mem);
    must(trod_profile_write(&file.sink, &profile, NULL, &have.mem, &have.err));
    n = kit_sections(&section, (const uint8_t *)file.text, file.length, &have.mem);
    for (i = 0; i < n && section[i].type != TROD_SECTION_BURST; i++)
        ;
    assert_true(i < n);
    for (size_t lost = 1; lost <= 32; lost++) {
        const char *text;

        file.length = section[i].at + section[i].size - lost;
        text = read_file(&file, NULL);
        assert_null(strstr(text, "burst count"));
        expect(text, "the BURST section is truncated");
    }
}

/* --- the validator ---------------------------------------------------------------------------- */

static void refuse(const struct trod_bursts *bursts, const char *words)
{
    struct trod_err err = {0};

    assert_false(trod_bursts_check(bursts, &have.mem, &err));
    assert_int_equal(err.code, TROD_E_INTERNAL);
    expect(err.text, words);
}

static void test_check(void **state)
{
    static const struct trod_bursts_method method[] = {{"f", "a.c", 1, 8},
        {"g", "a.c", 1, 0}, {"h", "a.c", 1, 0}, {"g", "a.c", 0, 1}, {"", "a.c", 1, 0},
        {"f", "a.c", 0, 0}};
    static const struct trod_bursts_call call[] = {
        {.function = "f", .file = "a.c", .callee = "g", .count = 2},
        {.function = "f", .file = "a.c", .callee = "h", .count = 1},
        {.function = "f", .file = "a.c", .callee = "g", .count = 1},
        {.function = "f", .file = "a.c", .callee = "", .count = 1}};
    static const struct trod_bursts_loop loop[] = {
        {.function = "f", .file = "a.c", .nenter = 2},
        {.function = "f", .file = "a.c", .loop = 1, .nenter = 1},
        {.function = "f", .file = "a.c", .nagain = 1},
        {.function = "f", .file = "a.c", .loop = 2}};
    struct trod_profile_burst how = {.nthread = 1, .group = 1};

    (void)state;
    must(trod_bursts_check(&(struct trod_bursts){.nmethod = 3,
                               .method = method,
                               .ncall = 2,
                               .call = call,
                               .nloop = 2,
                               .loop = loop},
        &have.mem, &have.err));
    refuse(&(struct trod_bursts){.nmethod = 2, .method = method + 2},
        "function 1 has no name, did not run, or is not in order");
    refuse(&(struct trod_bursts){.nmethod = 1, .method = method + 4}, "function 0");
    refuse(&(struct trod_bursts){.nmethod = 1, .method = method + 5}, "function 0");
    refuse(&(struct trod_bursts){.nmethod = 4, .method = method}, "function 3");
    refuse(&(struct trod_bursts){.ncall = 3, .call = call}, "call 2");
    refuse(&(struct trod_bursts){.ncall = 1, .call = call + 3}, "call 0 has no names");
    refuse(&(struct trod_bursts){.nloop = 3, .loop = loop}, "loop 2");
    refuse(&(struct trod_bursts){.nloop = 1, .loop = loop + 3}, "loop 0");
    refuse(&(struct trod_bursts){.nhow = 1, .how = &how}, "has no type of profile");
    how.how.types = 1;
    refuse(
        &(struct trod_bursts){.nhow = 1, .how = &how}, "has a weight or a length of 0");
    how.how.type[0].burst = how.how.type[0].weight = how.most_weight[0] = 1;
    refuse(&(struct trod_bursts){.nhow = 1, .how = &how}, "is in a group");
    how.group = 0;
    must(trod_bursts_check(
        &(struct trod_bursts){.nhow = 1, .how = &how}, &have.mem, &have.err));
    /* The same with other counts, not side by side. */
    {
        struct trod_bursts_method twice[] = {method[0], method[1], method[0]};

        twice[2].nentry = 0;
        twice[2].nagain = 1;
        twice[1].nagain = 1;
        refuse(&(struct trod_bursts){.nmethod = 3, .method = twice}, "occurs twice");
    }
}

static void test_error(void **state)
{
    struct trod_profile_burst how[] = {
        {.nthread = 1, .how = {.types = 2, .trigger = TROD_BURST_COUNT}},
        {.nthread = 1, .how = {.types = 2, .trigger = TROD_BURST_ALWAYS}}};
    struct trod_bursts bursts = {.nhow = 1, .how = how};

    (void)state;
    how[0].how.type[1].burst = 4;
    how[0].most_weight[1] = 100;
    /* 1.96 / sqrt(100000 / 400) */
    assert_int_equal(
        (int)(10000 * trod_bursts_error(&bursts, TROD_BURST_METHODS, 100000)), 1239);
    assert_true(trod_bursts_error(&bursts, TROD_BURST_METHODS, 0) < 0);
    assert_false(trod_bursts_is_exact(&bursts));
    assert_true(trod_bursts_has(&bursts, TROD_BURST_METHODS));
    assert_false(trod_bursts_has(&bursts, TROD_BURST_CALLS));
    bursts.how = how + 1;
    assert_true(trod_bursts_is_exact(&bursts));
    assert_true(trod_bursts_error(&bursts, TROD_BURST_METHODS, 5) == 0);
    bursts.nhow = 0;
    assert_false(trod_bursts_is_exact(&bursts));
    assert_true(trod_bursts_has(&bursts, TROD_BURST_CALLS));
}

/* --- memory ----------------------------------------------------------------------------------- */

static void build_and_report(struct trod_arena *mem, void *ctx)
{
    static const struct trod_bursts_options options;
    static const struct trod_map nothing;
    struct trod_bursts bursts;
    struct trod_profile profile;
    struct trod_string out;
    struct trod_text cursor;
    struct trod_err err;
    bool more;

    (void)ctx;
    trod_text_init(&cursor, "text", LIVE, strlen(LIVE));
    if (!trod_profile_parse(&profile, &more, &cursor, mem, &err) ||
        !trod_bursts_build(&bursts, &profile, &nothing, NULL, mem, &err))
        return;
    trod_string_init(&out, mem);
    trod_bursts_report(&out.sink, &bursts, TROD_BURST_OF_PAIRS, &options, mem);
    trod_bursts_draw(&out.sink, &bursts, &options, mem);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(build_and_report, NULL) > 5);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(layout),
        TEST(live),
        TEST(damaged),
        TEST(cut),
        TEST(cut_packed),
        TEST(check),
        TEST(error),
        TEST(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
