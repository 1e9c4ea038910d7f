/* Maps of basic blocks: byte by byte, damaged ones, and what LLVM's own tool says of a real one. */
#include "kit/fixture.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/section.h"

static struct trod_elf_block *block;
static size_t nblock;

static bool parse(const void *bytes, size_t length)
{
    return trod_elf_bb_map_parse(
        &block, &nblock, "app", bytes, length, &have.mem, &have.err);
}

static void expect(
    size_t i, uint64_t function, uint64_t address, uint64_t nbyte, uint32_t id)
{
    assert_true(i < nblock);
    assert_int_equal(block[i].function, function);
    assert_int_equal(block[i].address, address);
    assert_int_equal(block[i].nbyte, nbyte);
    assert_int_equal(block[i].id, id);
}

#define ADDRESS(low, high) low, high, 0, 0, 0, 0, 0, 0

/* Offsets are from the end of the block before. */
static const uint8_t two[] = {2, 0, ADDRESS(0x00, 0x10),
    3,                                  /* a function at 0x1000 with three blocks */
    0, 0, 0x84, 0x01, 8,                /* id 0, 132 bytes, falls */
    7, 0, 0, 8,                         /* id 7, empty */
    2, 4, 9, 1,                         /* id 2, after four bytes of nothing, returns */
    2, 8, 2,                            /* one of two ranges */
    ADDRESS(0x00, 0x30), 1, 0, 0, 5, 0, /* its entry at 0x3000 */
    ADDRESS(0x00, 0x20), 1, 4, 1, 6, 16}; /* and a part before that */

static void test_version_2(void **state)
{
    (void)state;
    must(parse(two, sizeof two));
    assert_int_equal(nblock, 5);
    expect(0, 0x1000, 0x1000, 132, 0);
    expect(1, 0x1000, 0x1084, 0, 7);
    expect(2, 0x1000, 0x1088, 9, 2);
    expect(3, 0x3000, 0x2001, 6, 4);
    expect(4, 0x3000, 0x3000, 5, 0);
    assert_int_equal(block[0].flags, TROD_ELF_FALLS);
    assert_int_equal(block[2].flags, TROD_ELF_RETURNS);
    assert_int_equal(block[3].flags, TROD_ELF_INDIRECT);
}

static void test_version_1(void **state)
{
    static const uint8_t bytes[] = {1, 0, ADDRESS(0x00, 0x10), 2, 0, 16, 8, 0, 4, 1};

    (void)state;
    must(parse(bytes, sizeof bytes));
    assert_int_equal(nblock, 2);
    expect(0, 0x1000, 0x1000, 16, 0);
    expect(1, 0x1000, 0x1010, 4, 1);
}

/* What else may be noted of a function is passed over. */
static void test_analysis(void **state)
{
    static const uint8_t bytes[] = {2, 7, ADDRESS(0x00, 0x10), 2, 0, 0, 1, 8, 1, 0, 1,
        1, 0x90, 0x4e,              /* 10,000 times */
        5, 1, 1, 0xff, 0xff, 3,     /* the first: how often, and one successor */
        6, 0,                       /* the second has none */
        2, 0, ADDRESS(0, 0x40), 0}; /* a function without blocks */

    (void)state;
    must(parse(bytes, sizeof bytes));
    assert_int_equal(nblock, 2);
    expect(1, 0x1000, 0x1001, 1, 1);
}

static void test_nothing(void **state)
{
    (void)state;
    must(parse("", 0));
    assert_int_equal(nblock, 0);
}

/* Cut off anywhere but between functions, it is refused. */
static void test_cut(void **state)
{
    (void)state;
    for (size_t length = 1; length < sizeof two; length++) {
        bool whole = length == 24;

        assert_int_equal(parse(two, length), whole);
        if (!whole) {
            assert_int_equal(have.err.code, TROD_E_INPUT);
            assert_non_null(strstr(have.err.text, "app: its map of basic blocks"));
        }
    }
}

static void test_damaged(void **state)
{
    static const struct {
        const char *word;
        uint8_t byte[32];
        size_t length;
    } bad[] = {
        {"version", {3, 0}, 2},
        {"version", {0, 0}, 2},
        {"version", {2, 16}, 2},
        {"64 bits",
            {2, 0, ADDRESS(0, 0), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                2},
            20},
        {"cut off",
            {2, 0, ADDRESS(0, 0), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                1},
            20},
        {"above 2^32", {2, 0, ADDRESS(0, 0), 1, 0x80, 0x80, 0x80, 0x80, 0x10, 0, 0, 0},
            19},
        {"behind all addresses",
            {2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 1, 0}, 15},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(parse(bad[i].byte, bad[i].length));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        if (!strstr(have.err.text, bad[i].word))
            fail_msg("%s: not about '%s'", have.err.text, bad[i].word);
    }
}

/* --- LLVM's own tool -------------------------------------------------------------------------- */

static bool run(const char *command)
{
    /* NOLINTNEXTLINE(cert-env33-c): fixed commands */
    FILE *pipe = popen(command, "r");
    char line[256];

    while (pipe && fgets(line, sizeof line, pipe))
        ;
    return pipe && pclose(pipe) == 0;
}

/* The number in a line like "  Offset: 0x1c", if it is about that. */
static bool read_field(uint64_t *out, const char *line, const char *name)
{
    const char *from = line + strspn(line, " ");
    char *end;

    if (strncmp(from, name, strlen(name)) != 0)
        return false;
    from += strlen(name);
    *out = strtoull(from, &end, 0);
    return end != from;
}

/* Every block that the tool lists must be there, with the same id and size; and there must be no others. */
static size_t compare_with_tool(const char *file)
{
    char command[300], line[256];
    uint64_t base = 0, offset = 0, value;
    size_t n = 0, found = 0;
    uint32_t id = 0;
    FILE *pipe;

    snprintf(command, sizeof command, "llvm-readobj-19 --bb-addr-map %s", file);
    /* NOLINTNEXTLINE(cert-env33-c): a fixed command */
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while (pipe && fgets(line, sizeof line, pipe)) {
        if (read_field(&value, line, "Base Address: "))
            base = value;
        if (read_field(&value, line, "ID: "))
            id = (uint32_t)value;
        if (read_field(&value, line, "Offset: "))
            offset = value;
        if (!read_field(&value, line, "Size: "))
            continue;
        n++;
        for (size_t i = 0; i < nblock; i++)
            found += block[i].address == base + offset && block[i].id == id &&
                     block[i].nbyte == value;
    }
    assert_true(pipe && pclose(pipe) == 0);
    assert_int_equal(n, nblock);
    assert_int_equal(found, n);
    return n;
}

static void test_real(void **state)
{
    static const char *const flags[] = {"",
        "-mllvm -pgo-analysis-map=func-entry-count,bb-freq,br-prob",
        "-fbasic-block-sections=all"};
    char folder[] = "/tmp/trod-bb-XXXXXX", command[400], file[100];

    (void)state;
    if (!run("command -v clang-19 ld.lld-19 llvm-readobj-19") || !mkdtemp(folder))
        skip();
    snprintf(file, sizeof file, "%s/app", folder);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        snprintf(command, sizeof command,
            "clang-19 -O2 -fuse-ld=lld-19 -fbasic-block-address-map %s -o %s example/json.c",
            flags[i], file);
        assert_true(run(command));
        must(trod_elf_bb_map(&block, &nblock, file, &have.mem, &have.err));
        assert_true(compare_with_tool(file) > 100);
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_true(run(command));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_version_2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_version_1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_analysis, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_real, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
