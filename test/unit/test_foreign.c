/* Profiles of other profilers: gmon.out byte by byte, with calls, and cut off anywhere; llvm-cov's JSON, as it is and
 * damaged.
 */
#include "kit/fixture.h"

#include <inttypes.h>
#include <string.h>

#include "entry/foreign.h"

/* --- entries as one line --------------------------------------------------------------------------------- */

static const char *format_entries(const struct trod_entries *entries)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    for (uint32_t i = 0; i < entries->nentry; i++) {
        const struct trod_entry *e = &entries->entry[i];

        trod_put(&text.sink, "%s%s", i ? " " : "", e->function);
        if (e->file)
            trod_put(&text.sink, "@%s", e->file);
        if (e->part != TROD_NONE)
            trod_put(&text.sink, ".%" PRIu32, e->part);
        if (e->other)
            trod_put(&text.sink, ">%s", e->other);
        if (e->line)
            trod_put(&text.sink, "/%" PRIu32, e->line);
        trod_put(&text.sink, ":%" PRIu64, e->count);
    }
    return text.text;
}

/* --- gmon.out ---------------------------------------------------------------------------------------------- */

struct bytes {
    unsigned char at[512];
    size_t n;
};

static void put(struct bytes *b, uint64_t value, unsigned nbyte)
{
    for (unsigned i = 0; i < nbyte; i++)
        b->at[b->n++] = (unsigned char)(value >> (8 * i));
}

static void put_header(struct bytes *b, uint32_t version)
{
    memcpy(b->at, "gmon", 4);
    b->n = 4;
    put(b, version, 4);
    put(b, 0, 8);
    put(b, 0, 4);
}

static void put_histogram(struct bytes *b, uint64_t low, uint32_t nbin)
{
    put(b, 0, 1);
    put(b, low, 8);
    put(b, low + 64, 8);
    put(b, nbin, 4);
    put(b, 100, 4);
    put(b, 0, 8);
    put(b, 0, 8);
    for (uint32_t i = 0; i < nbin; i++)
        put(b, 7, 2);
}

static void put_arc(struct bytes *b, uint64_t from, uint64_t to, uint32_t count)
{
    put(b, 1, 1);
    put(b, from, 8);
    put(b, to, 8);
    put(b, count, 4);
}

/* Functions of 16 bytes: main, f, g; nothing after them. */
static const char *name_of(void *ctx, uint64_t low, uint64_t address)
{
    static const char *const name[] = {"main", "f", "g"};

    (void)ctx;
    return (address - low) / 16 < 3 ? name[(address - low) / 16] : NULL;
}

static const struct trod_foreign_symbols symbols = {.name = name_of};

static bool try_gmon(struct trod_entries *out, const struct bytes *b, size_t n,
    const char *type, uint64_t *nlost)
{
    return trod_foreign_entries(out, type, "gmon.out", (const char *)b->at, n, &symbols,
        nlost, &have.mem, &have.err);
}

static struct bytes make_gmon(uint64_t low)
{
    struct bytes b = {.n = 0};

    put_header(&b, 1);
    put_histogram(&b, low, 3);
    put_arc(&b, low + 4, low + 20, 3);
    put_arc(&b, low + 8, low + 16, 4); /* the same two, from elsewhere */
    put_arc(&b, low + 18, low + 33, 4000000000);
    put_arc(&b, low + 99, low + 2, 1); /* main, by an unknown caller */
    put_arc(&b, low + 4, low + 99, 9); /* what is unknown */
    return b;
}

static void test_gmon(void **state)
{
    static const uint64_t low[] = {0, 0x400000, UINT64_C(0x555555554000)};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bytes b = make_gmon(low[i]);
        struct trod_entries entries;
        uint64_t nlost;

        must(try_gmon(&entries, &b, b.n, "callgraph", &nlost));
        assert_string_equal(format_entries(&entries), "f>g:4000000000 main>f:7");
        assert_int_equal(nlost, 2);
        must(try_gmon(&entries, &b, b.n, "calls", &nlost));
        assert_string_equal(format_entries(&entries), "f:7 g:4000000000 main:1");
        assert_int_equal(nlost, 1);
        assert_false(try_gmon(&entries, &b, b.n, "loops", &nlost));
        assert_int_equal(have.err.code, TROD_E_MISMATCH);
    }
}

/* Only where a record ends may it end. */
static void test_gmon_cut(void **state)
{
    struct bytes b = make_gmon(0);
    uint32_t ntaken = 0;

    (void)state;
    for (size_t n = 4; n < b.n; n++) {
        struct trod_entries entries;
        uint64_t nlost;

        if (try_gmon(&entries, &b, n, "calls", &nlost)) {
            ntaken++;
            continue;
        }
        assert_int_equal(have.err.code, TROD_E_INPUT);
        assert_non_null(strstr(have.err.text, "inside"));
    }
    assert_int_equal(ntaken, 6); /* the header, the histogram, four calls */
}

static void test_gmon_damaged(void **state)
{
    struct trod_entries entries;
    struct bytes b = {.n = 0};
    uint64_t nlost;

    (void)state;
    put_header(&b, 2);
    assert_false(try_gmon(&entries, &b, b.n, "calls", &nlost));
    assert_non_null(strstr(have.err.text, "version 1"));
    b.n = 0;
    put_header(&b, 1);
    put(&b, 2, 1);
    assert_false(try_gmon(&entries, &b, b.n, "calls", &nlost));
    assert_non_null(strstr(have.err.text, "counts of blocks"));
    b.at[b.n - 1] = 77;
    assert_false(try_gmon(&entries, &b, b.n, "calls", &nlost));
    assert_non_null(strstr(have.err.text, "damaged"));
    b.n--;
    put_histogram(&b, 0, 0);
    memset(b.at + 20 + 1 + 16, 0xff, 4); /* more bins than there are bytes */
    assert_false(try_gmon(&entries, &b, b.n, "calls", &nlost));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    assert_false(trod_foreign_entries(&entries, "calls", "gmon.out", (const char *)b.at,
        b.n, NULL, NULL, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

/* --- llvm-cov ---------------------------------------------------------------------------------------------- */

#define EXPORT(functions)                                \
    "{\"data\":[{\"files\":[],\"functions\":[" functions \
    "],\"totals\":{}}],\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}"
#define FUNCTION(name, count, regions, branches)                      \
    "{\"branches\":[" branches "],\"count\":" count                   \
    ",\"filenames\":[\"x/a.c\"],\"mcdc_records\":[],\"name\":\"" name \
    "\",\"regions\":[" regions "]}"

static bool try_cov(struct trod_entries *out, const char *text, const char *type)
{
    return trod_foreign_entries(
        out, type, "cov.json", text, strlen(text), NULL, NULL, &have.mem, &have.err);
}

static const char cov[] = EXPORT(FUNCTION("main", "1",
    "[7,33,12,2,1,0,0,0],[9,21,9,27,11,0,0,0],[9,33,9,34,10,0,0,3]",
    "[9,21,9,27,10,1,0,0,4]") "," FUNCTION("a.c:hidden", "2", "[3,1,3,9,2,0,0,0]",
    "") "," FUNCTION("main", "1", "[7,33,12,2,1,0,0,0]", ""));

static void test_cov(void **state)
{
    struct trod_entries entries;

    (void)state;
    must(try_cov(&entries, cov, "blocks"));
    assert_string_equal(format_entries(&entries),
        "hidden@x/a.c.0/3:2 main@x/a.c.0/7:2 main@x/a.c.1/9:11");
    must(try_cov(&entries, cov, "edges"));
    assert_string_equal(format_entries(&entries), "main@x/a.c.0/9:10 main@x/a.c.1/9:1");
    must(try_cov(&entries, cov, "calls"));
    assert_string_equal(format_entries(&entries), "hidden@x/a.c:2 main@x/a.c:2");
    assert_false(try_cov(&entries, cov, "callgraph"));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

static void test_cov_damaged(void **state)
{
    static const char *const bad[] = {
        "{}",
        "{\"type\":\"llvm.coverage.json.export\"}",
        "{\"type\":\"other\",\"data\":[]}",
        "{\"type\":\"llvm.coverage.json.export\",\"data\":[{\"files\":[]}]}",
        EXPORT("7"),
        EXPORT("{\"name\":\"f\"}"),
        EXPORT("{\"name\":\"f\",\"filenames\":[]}"),
        EXPORT("{\"name\":\"f\",\"filenames\":[\"a\"]}"),
        EXPORT("{\"name\":\"f\",\"filenames\":[\"a\"],\"count\":1}"),
        EXPORT(FUNCTION("f", "-1", "", "")),
        EXPORT(FUNCTION("f", "1", "[1,2,3,4,5,0,0]", "")),
        EXPORT(FUNCTION("f", "1", "[1,2,3,4,1.5,0,0,0]", "")),
        EXPORT(FUNCTION("f", "1", "3", "")),
    };
    struct trod_entries entries;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (try_cov(&entries, bad[i], "blocks"))
            fail_msg("taken: %s", bad[i]);
        assert_int_equal(have.err.code, TROD_E_INPUT);
    }
    /* Cut off anywhere, it is no JSON. */
    for (size_t n = 1; n < sizeof cov - 1; n++) {
        assert_false(trod_foreign_entries(
            &entries, "blocks", "cov.json", cov, n, NULL, NULL, &have.mem, &have.err));
        assert_int_equal(have.err.code, TROD_E_INPUT);
    }
}

static void test_kind(void **state)
{
    struct trod_entries entries;

    (void)state;
    assert_int_equal(trod_foreign_kind("gmon\1", 5), TROD_FOREIGN_GMON);
    assert_int_equal(trod_foreign_kind("gmo", 3), TROD_FOREIGN_NONE);
    assert_int_equal(trod_foreign_kind("\n {", 3), TROD_FOREIGN_COV);
    assert_int_equal(trod_foreign_kind("[", 1), TROD_FOREIGN_NONE);
    assert_int_equal(trod_foreign_kind("", 0), TROD_FOREIGN_NONE);
    assert_int_equal(trod_foreign_kind("\0{", 2), TROD_FOREIGN_NONE);
    assert_false(try_cov(&entries, "profile\n", "blocks"));
    assert_non_null(strstr(have.err.text, "another profiler"));
}

/* --- memory ------------------------------------------------------------------------------------------------- */

static void read_both(struct trod_arena *mem, void *ctx)
{
    const struct bytes *b = ctx;
    struct trod_entries entries;
    struct trod_err err;

    if (!trod_foreign_entries(&entries, "calls", "gmon.out", (const char *)b->at, b->n,
            &symbols, NULL, mem, &err))
        return;
    (void)!trod_foreign_entries(
        &entries, "blocks", "cov.json", cov, sizeof cov - 1, NULL, NULL, mem, &err);
}

static void test_memory(void **state)
{
    struct bytes b = make_gmon(0);

    (void)state;
    assert_true(kit_each_allocation_failure(read_both, &b) > 5);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(gmon),
        TEST(gmon_cut),
        TEST(gmon_damaged),
        TEST(cov),
        TEST(cov_damaged),
        TEST(kind),
        TEST(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
