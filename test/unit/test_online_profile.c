/* Profiles that the online library lays out in memory: readers find functions, names and samples in them, at any moment;
 * functions that are equal are one; a budget is kept by a clock of the program.
 */
#include "kit/fixture.h"
#include "kit/kit.h"

#include <math.h>
#include <string.h>

#include <trod/online.h>

#include "map/map.h"
#include "online/online.h"
#include "profile/profile.h"

enum { MEMORY = 64 << 10, FILE_ROOM = 256 << 10, FUNCTIONS = 10 };

static _Alignas(16) char memory[MEMORY];
static _Alignas(4096) uint8_t file[FILE_ROOM];

/* A loop of blocks 0, 1 and 2, or 0, 1 and 3; and one that it calls, of a block. */
static const uint32_t first_way[] = {0, 1, 3, 4, 5}, way[] = {1, 2, 3, 0, 0};
static const uint32_t first_line[] = {0, 1, 2, 4, 5}, line_of[] = {10, 11, 12, 13, 15};
static const uint32_t none[] = {0, 0};
static const struct trod_online_function loop = {.name = "a \"loop\"",
    .file = "scripts/one.x",
    .line = 9,
    .nblock = 4,
    .first_line = first_line,
    .line_of = line_of,
    .first_way = first_way,
    .way = way};
static const struct trod_online_function leaf = {.name = "leaf",
    .file = "scripts/one.x",
    .nblock = 1,
    .first_line = none,
    .line_of = none,
    .first_way = none,
    .way = none};

static struct trod_online_profile about = {.file = file,
    .size = FILE_ROOM,
    .room = FUNCTIONS,
    .program = "/usr/bin/machine\n",
    .map = "/tmp/machine.map",
    .pid = 17,
    .seconds = 1000};

static struct trod_online *create(const char *text)
{
    struct trod_online_options options = {.text = text, .seed = 1, .profile = &about};
    const char *why;
    struct trod_online *o;

    memset(file, 0, sizeof file);
    o = trod_online_create(memory, MEMORY, &options, &why);
    if (!o)
        fail_msg("%s", why);
    return o;
}

static bool read(struct trod_profile *out, struct trod_profile_health *health)
{
    return trod_profile_read(
        out, health, file, sizeof file, NULL, &have.mem, &have.err);
}

static const char *field(const struct trod_profile *profile, const char *key)
{
    for (uint32_t i = 0; i < profile->run[0].nfield; i++)
        if (strcmp(profile->run[0].field[i].key, key) == 0)
            return profile->run[0].field[i].value;
    return "";
}

static void run(struct trod_online *o, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        trod_online_block(o, first);
        trod_online_block(o, first + 1);
        trod_online_block(o, first + (i % 4 ? 2 : 3));
    }
}

/* --- the file ------------------------------------------------------------------------------------------- */

/* Sound as soon as it is created, with and without functions, and after the end. */
static void test_sound_at_each_step(void **state)
{
    struct trod_online *o = create("f=8,ones=text");
    struct trod_profile_health health;
    struct trod_profile profile;

    (void)state;
    must(read(&profile, &health));
    assert_int_equal(health.nloss, 0);
    assert_false(health.ended);
    assert_string_equal(field(&profile, "program"), "/usr/bin/machine\n");
    assert_string_equal(field(&profile, "map"), "/tmp/machine.map");
    assert_string_equal(field(&profile, "exit"), "unknown");
    assert_int_equal(profile.module[0].nfunction, 0);

    assert_int_equal(trod_online_function_add(o, &leaf), 0);
    must(read(&profile, &health));
    assert_int_equal(profile.module[0].nfunction, 1);
    assert_int_equal(profile.module[0].function[0].npath, 1);
    run(o, trod_online_function_add(o, &loop), 1000);
    must(read(&profile, &health));
    assert_int_equal(health.nloss, 0);
    assert_int_equal(profile.module[0].nfunction, 2);
    assert_true(profile.nsamples == 1 && profile.samples[0].nsampled > 3);

    trod_online_profile_end(o, 3, 5);
    must(read(&profile, &health));
    assert_true(health.ended && !health.nloss);
    assert_string_equal(field(&profile, "duration"), "3.000000005");
}

/* A planted fault: blocks of a function that was not added are noticed. */
static void test_unknown_blocks(void **state)
{
    struct trod_online *o = create("f=8");
    struct trod_profile_health health;
    struct trod_profile profile;

    (void)state;
    trod_online_function_add(o, &leaf);
    run(o, 100, 1000);
    must(read(&profile, &health));
    assert_int_equal(health.nloss, 1);
    assert_non_null(
        strstr(profile.note[0], "subpaths of a SAMPLE section are damaged"));
}

/* The file has exactly the length that was said, and nothing after it is touched. */
static void test_size(void **state)
{
    struct trod_online_options options = {.text = "f=8", .profile = &about};
    const char *why;
    size_t size = trod_online_profile_size(MEMORY, &options, &why);
    struct trod_online_profile less = about;

    (void)state;
    assert_true(size > 0 && size < FILE_ROOM);
    assert_int_equal(size % 4096, 0);
    trod_online_profile_end(create("f=8"), 1, 1);
    for (size_t i = size; i < FILE_ROOM; i++)
        assert_int_equal(file[i], 0);
    less.file = NULL;
    options.profile = &less;
    assert_int_equal(trod_online_profile_size(MEMORY, &options, &why), size);
    assert_null(trod_online_create(memory, MEMORY, &options, &why));
    less = about;
    less.size = size - 1;
    options.profile = &less;
    assert_null(trod_online_create(memory, MEMORY, &options, &why));
    assert_non_null(strstr(why, "file of the profile"));
    less = about;
    less.map = NULL;
    assert_null(trod_online_create(memory, MEMORY, &options, &why));
    assert_int_equal(trod_online_profile_size(MEMORY, &options, NULL), 0);
    options.profile = NULL;
    assert_int_equal(trod_online_profile_size(MEMORY, &options, &why), 0);
}

/* --- functions ------------------------------------------------------------------------------------------ */

static void test_functions(void **state)
{
    struct trod_online *o = create("f=8");
    struct trod_online_function other = loop;
    uint32_t moved[] = {10, 11, 12, 14, 15}, i;

    (void)state;
    assert_true(trod_online_function_find(o, &loop) == TROD_ONLINE_NONE);
    assert_int_equal(trod_online_function_add(o, &loop), 0);
    assert_int_equal(trod_online_function_add(o, &leaf), 5);
    assert_int_equal(trod_online_function_find(o, &loop), 0);
    assert_int_equal(trod_online_function_find(o, &leaf), 5);
    other.line_of = moved;
    assert_true(trod_online_function_find(o, &other) == TROD_ONLINE_NONE);
    other = loop;
    other.file = "scripts/two.x";
    assert_true(trod_online_function_find(o, &other) == TROD_ONLINE_NONE);
    for (i = 2; i < FUNCTIONS; i++)
        assert_true(trod_online_function_add(o, &leaf) != TROD_ONLINE_NONE);
    assert_true(trod_online_function_add(o, &loop) == TROD_ONLINE_NONE);
    o = trod_online_create(memory, MEMORY, NULL, NULL);
    assert_true(trod_online_function_add(o, &loop) == TROD_ONLINE_NONE);
    assert_true(trod_online_function_find(o, &loop) == TROD_ONLINE_NONE);
}

/* Append the text of a function, and check its length. */
static size_t put(char *out, size_t room, const struct trod_online_function *f)
{
    size_t n = trod_online_function_text(NULL, 0, f);

    assert_true(n <= room);
    assert_int_equal(trod_online_function_text(out, n / 2, f), n);
    assert_int_equal(trod_online_function_text(out, room, f), n);
    return n;
}

/* Readers find names and lines in the map, and print them. */
static void test_names(void **state)
{
    struct trod_online *o = create("f=4,least-f=4,lengths=3:1");
    char text[4096];
    size_t n = put(text, sizeof text, &leaf);
    struct trod_subpaths_options options = {.most = 1};
    struct trod_subpaths subpaths;
    struct trod_online_names names;
    struct trod_profile profile;
    struct trod_string said;
    struct trod_text in;
    struct trod_map map;

    (void)state;
    n += put(text + n, sizeof text - n, &loop);
    assert_memory_equal(text + n - 2, "\n\n", 2);
    trod_online_function_add(o, &leaf);
    run(o, trod_online_function_add(o, &loop), 4000);
    must(read(&profile, NULL));
    trod_text_init(&in, "map", text, n);
    must(trod_map_parse(&map, &in, &have.mem, &have.err));
    assert_int_equal(map.nentry, 2);
    assert_string_equal(map.entry[1].name, "a \"loop\"");
    assert_string_equal(map.entry[1].file, "scripts/one.x");
    assert_int_equal(map.entry[1].declared, 9);
    assert_ptr_equal(
        trod_map_find_blocks(&map, &profile.module[0].function[1]), &map.entry[1]);
    must(trod_online_estimate(&subpaths, &profile, &have.mem, &have.err));
    trod_online_names(&names, &subpaths, &map, &have.mem);
    trod_string_init(&said, &have.mem);
    trod_online_print(&said.sink, &names, &options, &have.mem);
    assert_non_null(strstr(said.text, " 10 11 12\n"));
    /* Three of four rounds. */
    assert_true(fabs(subpaths.nblock / 12000 - 1) < 0.1);
}

/* --- budget --------------------------------------------------------------------------------------------- */

static uint64_t now;
static uint64_t per_look;

static uint64_t look(void)
{
    return now += per_look;
}

static struct trod_online *create_with_clock(const char *text)
{
    struct trod_online_options options = {
        .text = text, .seed = 1, .profile = &about, .clock = look};
    const char *why;
    struct trod_online *o;

    memset(file, 0, sizeof file);
    o = trod_online_create(memory, MEMORY, &options, &why);
    if (!o)
        fail_msg("%s", why);
    return o;
}

/* Blocks of so many ticks. Returns what is said to be spent, as a share of the time. */
static double spend(struct trod_online *o, uint64_t ticks, uint32_t nblock)
{
    struct trod_profile profile;
    const struct trod_format_sample *how;

    trod_online_function_add(o, &loop);
    for (uint32_t i = 0; i < nblock; i++) {
        now += ticks;
        trod_online_block(o, i % 3);
    }
    must(read(&profile, NULL));
    how = &profile.samples[0].how;
    assert_int_equal(how->budget, 20000);
    return (double)(how->cost + how->floor) / (double)how->time;
}

static void test_budget(void **state)
{
    struct trod_online_options options = {.text = "budget=2%"};
    struct trod_online_sum sum;
    struct trod_online *o;
    const char *why;
    double share;

    (void)state;
    assert_null(trod_online_create(memory, MEMORY, &options, &why));
    assert_non_null(strstr(why, "clock"));
    per_look = 400;
    o = create_with_clock("budget=2%");
    share = spend(o, 100, 40000000);
    trod_online_sum(&sum, &o, 1);
    assert_true(share > 0.01 && share < 0.021);
    assert_true(sum.f < 30000);
    assert_true(fabs(sum.blocks / 40e6 - 1) < 0.1);
}

/* Checks of half a tick, and blocks of ten: more than 2 %. */
static void test_budget_is_too_low(void **state)
{
    struct trod_profile profile;
    bool noted = false;

    (void)state;
    per_look = 400;
    assert_true(
        spend(create_with_clock("budget=2%,f=1k,least-f=64"), 10, 60000000) > 0.02);
    must(read(&profile, NULL));
    for (uint32_t i = 0; i < profile.nnote; i++)
        noted |= strncmp(profile.note[i], "budget ", 7) == 0;
    assert_true(noted);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sound_at_each_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_blocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_budget, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_budget_is_too_low, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
