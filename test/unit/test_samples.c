/* Samples in profiles: sections byte by byte as a program has them while it runs, what is lost of damaged
 * ones and with which words, what changes while it is read, text, and who refuses them. What a real
 * sampler leaves is in test/cli/subpaths.t.
 */
#include "kit/fixture.h"
#include "kit/live.h"

#include <stdio.h>
#include <string.h>

#include "profile/profile.h"

#define HASHES "0000000000000001 0000000000000002 0000000000000003 "
#define MODULE "module app blocks 00ff\nfunction " HASHES "10\nfunction " HASHES "20\n"
#define SAMPLES                 \
    "samples 2 rotation\n"      \
    "lengths powers 2 32 0.5\n" \
    "frequency 0 1024\n"        \
    "frequency 1 2048\n"        \
    "level 1\n"                 \
    "starts 9\n"                \
    "counted 7\n"               \
    "dropped 1\n"               \
    "sampled 3 0 1 9\n"         \
    "sampled 4 1 11 12 30 12 11 0 1 2\n"
#define LIVE "profile\nrun\nexit: unknown\n" MODULE SAMPLES

enum {
    HOW = sizeof(struct trod_format_head),
    ENTRY = HOW + sizeof(struct trod_format_sample)
};

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

/* Every second entry of it is none: those that are some are the second and the fourth. */
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
    assert_int_equal(section[n - 1].type, TROD_SECTION_SAMPLE);
    return (uint8_t *)out->text + section[n - 1].at;
}

static const char *read_file(
    const struct trod_string *file, const struct trod_string *again)
{
    struct trod_profile_read_options options = {.name = "file"};
    struct trod_profile profile;

    if (again) {
        options.again = (const uint8_t *)again->text;
        options.nagain = again->length;
    }
    must(trod_profile_read(&profile, NULL, (const uint8_t *)file->text, file->length,
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
    assert_int_equal(sizeof(struct trod_format_sampled), 32);
    assert_int_equal(sizeof(struct trod_format_chunk), 16);
    assert_int_equal(sizeof(struct trod_format_sample), 936);
    assert_int_equal(offsetof(struct trod_format_sample, frequency), 320);
}

static void test_live(void **state)
{
    struct trod_string file;

    (void)state;
    make_live(&file);
    assert_string_equal(read_file(&file, NULL), LIVE);
    assert_true(trod_profile_may_change((const uint8_t *)file.text, file.length));
    assert_false(trod_profile_may_change((const uint8_t *)file.text, 63));
}

/* What ended does not change any more. */
static void test_ended(void **state)
{
    static const struct kit_live_options options;
    struct trod_profile profile;
    struct trod_string file;

    (void)state;
    must(try_parse(&profile, "profile\nrun\nexit: order\n" MODULE SAMPLES));
    trod_string_init(&file, &have.mem);
    kit_live(&file, &profile, &options, &have.mem);
    assert_false(trod_profile_may_change((const uint8_t *)file.text, file.length));
}

static void copy_file(struct trod_string *out, const struct trod_string *from)
{
    trod_string_init(out, &have.mem);
    out->sink.put(&out->sink, from->text, from->length);
}

static void test_changes(void **state)
{
    struct trod_string file, again;
    uint8_t *section = make_live(&file);
    size_t state_at = (size_t)(section - (uint8_t *)file.text) + ENTRY + 32;
    const char *text;

    (void)state;
    copy_file(&again, &file);
    assert_string_equal(read_file(&file, &again), LIVE);
    again.text[state_at]++; /* one more of it is no harm */
    assert_string_equal(read_file(&file, &again), LIVE);
    again.text[state_at] = 0; /* none any more: its text may be another's */
    text = read_file(&file, &again);
    assert_null(strstr(text, "sampled 3"));
    expect(text, "sampled 4 1 11");
    assert_null(strstr(text, "note"));
    copy_file(&again, &file);
    again.text[state_at + 6]++; /* another one in its place */
    assert_null(strstr(read_file(&file, &again), "sampled 3"));
    copy_file(&again, &file);
    again.length = state_at + 7;
    assert_null(strstr(read_file(&file, &again), "sampled"));
}

static void test_damaged(void **state)
{
    static const struct {
        size_t at;
        int value;
        const char *words;
    } bad[] = {
        {HOW + 4, 255, "has more entries than fit"},
        {HOW + 8, 255, "has more entries than fit"},
        {HOW + 12, 3, "has an unknown type"},
        {HOW + 16, 4, "has an unknown type"},
        {HOW + 300, 9, "has an unknown type"},
        {HOW + 20, 1, "has lengths that cannot be"},
        {HOW + 20, 33, "has lengths that cannot be"},
        {HOW + 25, 5, "has lengths that cannot be"},
        {HOW + 39, 0xbf, "has a bias that cannot be"},
        {HOW + 28, 33, "lists more lengths than can be"},
        {HOW + 28, 1, "with a chance that cannot be"},
        {HOW + 832, 64, "has no frequency that is in force"},
        {HOW + 832, 2, "has no frequency that is in force"},
        {ENTRY + 32 + 24, 3, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 32 + 26, 1, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 32 + 28, 0, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 32 + 28, 200, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 32 + 5, 2, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 32 + 5, 64, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 4 * 32 + 16, 10, "1 subpaths of a SAMPLE section are damaged"},
        {ENTRY + 4 * 32 + 17, 3, "1 subpaths of a SAMPLE section are damaged"},
        {28, 1, "is of module 1, which the file does not describe"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_string file;
        uint8_t *section = make_live(&file);
        uint32_t crc;

        section[bad[i].at] = (uint8_t)bad[i].value;
        crc = trod_crc32(section, 60);
        for (int k = 0; k < 4; k++)
            section[60 + k] = (uint8_t)(crc >> 8 * k);
        expect(read_file(&file, NULL), bad[i].words);
    }
}

/* The file ends before the section does: what is there is read. */
static void test_cut(void **state)
{
    struct trod_string file;
    size_t at = (size_t)(make_live(&file) - (uint8_t *)file.text);
    const char *text;

    (void)state;
    file.length = at + ENTRY + (size_t)3 * 32;
    text = read_file(&file, NULL);
    expect(text, "counted 7");
    expect(text, "1 subpaths of a SAMPLE section are damaged");
    file.length = at + ENTRY - 1;
    expect(read_file(&file, NULL), "the SAMPLE section is too short");
}

static void test_other_modes(void **state)
{
    static const struct kit_live_options options;
    struct trod_profile_module module;
    struct trod_profile profile;
    struct trod_string file;

    (void)state;
    must(try_parse(&profile, LIVE));
    trod_string_init(&file, &have.mem);
    module = profile.module[0];
    module.mode = TROD_MODE_CODE;
    profile.module = &module;
    kit_live(&file, &profile, &options, &have.mem);
    expect(read_file(&file, NULL), "of a module whose blocks are not sampled");
}

static void test_text(void **state)
{
    static const char all[] =
        "profile\nmodule app blocks\nfunction " HASHES "10\n"
        "samples 0 sequence\nlengths list 2 8 1\nchance 2 0.25\nchance 3 0.75\ncosts\n"
        "ageing window 1000\nthreshold \"1e+20\"\nfrequency 0 1.5\nfrequency 63 \"3e+20\"\n"
        "level 63\nstarts 5\ncounted 2\ndropped 1\nrejected 2\n"
        "sampled 2 63 0 9 0\n"
        "samples 0 xor\nlengths inverse 2 1024 0.5\nageing halves 7\nfrequency 0 1\n";
    struct trod_profile profile;

    (void)state;
    must(try_parse(&profile, all));
    must(trod_profile_check(&profile, &have.err));
    assert_string_equal(print(&profile), all);
    assert_int_equal(trod_profile_nsample(&profile), 2);
}

#define HEAD "profile\nmodule a blocks\nfunction " HASHES "10\n"
#define HOW_TEXT "samples 0 rotation\nlengths powers 2 4 0.5\nfrequency 0 9\n"

static void test_words(void **state)
{
    static const char *const bad[][2] = {
        {"profile\nmodule a code\nsamples 0 rotation\n",
            "samples must belong to a module"},
        {HEAD "samples 0 mirror\n", "'mirror' is unknown"},
        {HEAD "samples 4294967296 xor\n", "is below 4294967296"},
        {HEAD "samples 0 xor\nfrequency 0 9\n", "has lengths that cannot be"},
        {HEAD "samples 0 xor\nlengths powers 2 4 0.5\n",
            "no frequency that is in force"},
        {HEAD "samples 0 xor\nlengths odd 2 4 0.5\n", "'odd' is unknown"},
        {HEAD "samples 0 xor\nlengths powers 2 4 half\n", "'half' is not a number"},
        {HEAD HOW_TEXT "frequency 64 9\n", "levels are below 64"},
        {HEAD HOW_TEXT "ageing slowly 9\n", "'slowly' is unknown"},
        {HEAD HOW_TEXT "sampled 1 0 1 10\n", "10 in the samples of thread 0 above"},
        {HEAD HOW_TEXT "sampled 0 0 1 2\n", "subpath 0 of the samples above"},
        {HEAD HOW_TEXT "sampled 1 1 1 2\n", "subpath 0 of the samples above"},
        {HEAD HOW_TEXT "sampled 1 0 1 2 3\n", "subpath 0 of the samples above"},
        {HEAD HOW_TEXT "sampled 1 0 1 x\n", "expected blocks of the subpath"},
        {HEAD "sampled 1 0 1 2\n", "expected a line of a profile"},
    };
    struct trod_profile profile;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(try_parse(&profile, bad[i][0]));
        expect(have.err.text, bad[i][1]);
    }
}

static void test_merged(void **state)
{
    struct trod_profile profile, sum;
    const struct trod_profile *both[2] = {&profile, &profile};
    struct trod_profile_diff diff;

    (void)state;
    must(try_parse(&profile, LIVE));
    must(trod_profile_merge(&sum, both, 2, NULL, &have.mem, &have.err));
    must(trod_profile_check(&sum, &have.err));
    assert_int_equal(sum.nmodule, 1);
    assert_int_equal(sum.nsamples, 2);
    assert_int_equal(trod_profile_nsample(&sum), 14);
    assert_false(trod_profile_diff(&diff, &profile, &profile, &have.mem, &have.err));
    expect(have.err.text, "trod sample subpaths");
    assert_false(trod_profile_check_counts(&profile, &have.err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(layout),
        TEST(live),
        TEST(ended),
        TEST(changes),
        TEST(damaged),
        TEST(cut),
        TEST(other_modes),
        TEST(text),
        TEST(words),
        TEST(merged),
    };

    return cmocka_run_group_tests_name("samples", tests, NULL, NULL);
}
