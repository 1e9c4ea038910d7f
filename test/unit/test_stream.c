/* Data streams: by hand what is found where, damaged chunks, symbols, validators that find what is broken,
 * exhausted memory. What holds for all is in prop_stream.c; the words of refusals are in
 * test/case/stream.
 */
#include "kit/fixture.h"

#include <stdio.h>
#include <string.h>

#include "stream/stream.h"

/* --- references from text ----------------------------------------------------------------------- */

static bool parse(struct trod_stream_refs *out, const char *lines,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    const char *name;

    trod_text_init(&text, "f", lines, strlen(lines));
    return trod_text_take_name(&name, "a name", &text, mem, err) &&
           trod_stream_refs_parse(out, name, &text, mem, err);
}

/* Objects a, b, c ..., one code; a run for each word. */
static void read_words(struct trod_stream_refs *out, const char *words, uint64_t weight)
{
    struct trod_string all;

    trod_string_init(&all, &have.mem);
    trod_put(&all.sink, "words\ncode 0 f a.c 1 2 load 8\n");
    for (int c = 'a'; c <= 'z'; c++)
        trod_put(&all.sink, "object %d global %c\n", c - 'a', c);
    trod_put(&all.sink, "burst 0 %u\n", (unsigned)weight);
    for (; *words; words++) {
        if (*words == ' ')
            trod_put(&all.sink, "burst 0 %u\n", (unsigned)weight);
        else
            trod_put(&all.sink, "0 %d 0\n", *words - 'a');
    }
    must(parse(out, all.text, &have.mem, &have.err));
    must(trod_stream_refs_check(out, &have.err));
}

static const char *row_of(const struct trod_streams *streams, size_t i)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    for (uint32_t k = 0; k < streams->stream[i].length; k++)
        trod_stream_put_datum(&text.sink, streams, streams->stream[i].datum[k]);
    return text.text;
}

static void find(struct trod_streams *out, const char *words, uint32_t shortest,
    uint32_t longest, bool exact)
{
    struct trod_stream_options options = {.shortest = shortest, .longest = longest};
    struct trod_stream_refs refs;

    read_words(&refs, words, 10);
    trod_stream_find(out, &refs, &options, &have.mem, &have.mem);
    must(trod_streams_check(out, &have.err));
    if (exact)
        trod_stream_look(out, &refs, &options, SIZE_MAX, true, &have.mem, &have.mem);
    must(trod_streams_check(out, &have.err));
}

static void test_streams(void **state)
{
    struct trod_streams s;

    (void)state;
    find(&s, "", 0, 0, false);
    assert_int_equal(s.nstream, 0);
    find(&s, "abcdefgh", 0, 0, false);
    assert_int_equal(s.nstream, 0);
    find(&s, "abcxabcyabc", 0, 0, false);
    assert_int_equal(s.nstream, 1);
    assert_string_equal(row_of(&s, 0), "abc");
    assert_int_equal(s.stream[0].nseen, 3);
    assert_int_equal(s.stream[0].times, 30);
    assert_int_equal(s.stream[0].heat, 90);
    assert_int_equal(s.total, 110);
    assert_int_equal(s.nref, 11);
}

/* Streams do not continue from one run into the next. */
static void test_runs(void **state)
{
    struct trod_streams s;

    (void)state;
    find(&s, "xa bca bcy", 0, 0, true);
    assert_int_equal(s.nstream, 1);
    assert_string_equal(row_of(&s, 0), "bc");
    find(&s, "ab ab ab", 0, 0, false);
    assert_int_equal(s.nstream, 1);
    assert_int_equal(s.nrun, 3);
    assert_int_equal(s.stream[0].nseen, 3);
}

/* A loop is its root, wherever runs begin in it. */
static void test_roots(void **state)
{
    struct trod_streams s;

    (void)state;
    find(&s, "cdabcdabcdabcdabcdabcdabcd bcdabcdabcdabcdabcdabcda", 0, 0, false);
    assert_string_equal(row_of(&s, 0), "abcd");
    assert_true(s.stream[0].nseen >= 6);
    find(&s, "aaaaaaaaaaaaaaaa", 0, 0, false);
    assert_string_equal(row_of(&s, 0), "aa");
    assert_int_equal(s.stream[0].times, 80);
    find(&s, "aaaaaaaaaaaaaaaa", 3, 3, false);
    assert_string_equal(row_of(&s, 0), "aaa");
}

static void test_lengths(void **state)
{
    struct trod_streams s;

    (void)state;
    find(&s, "abcxabcyabc", 4, 0, false);
    assert_int_equal(s.nstream, 0);
    find(&s, "abcdefgxabcdefgyabcdefg", 0, 4, false);
    for (size_t i = 0; i < s.nstream; i++)
        assert_true(s.stream[i].length <= 4);
}

static void test_least(void **state)
{
    struct trod_stream_options options = {.least = 0.5};
    struct trod_stream_refs refs;
    struct trod_streams s;

    (void)state;
    read_words(&refs, "abcxabcyabczdefude", 1);
    trod_stream_find(&s, &refs, &options, &have.mem, &have.mem);
    assert_int_equal(s.nstream, 1);
    assert_string_equal(row_of(&s, 0), "abc");
    options.least = 0.9;
    trod_stream_find(&s, &refs, &options, &have.mem, &have.mem);
    assert_int_equal(s.nstream, 0);
}

/* Occurrences within others count if all are asked for. */
static void test_exact(void **state)
{
    struct trod_streams s;

    (void)state;
    find(&s, "abcdxabcdyabzab", 0, 0, true);
    for (size_t i = 0; i < s.nstream; i++)
        if (strcmp(row_of(&s, i), "ab") == 0)
            assert_int_equal(s.stream[i].nseen, 4);
    assert_true(s.exact);
}

/* A stream is reported with the code of its first occurrence. */
static void test_codes(void **state)
{
    static const char lines[] = "n\ncode 0 f a.c 1 1 load 8\ncode 1 g a.c 2 1 store 4\n"
                                "object 0 global a\nobject 1 global b\nburst 0 1\n"
                                "1 0 0\n0 1 0\n1 1 0\n0 0 0\n0 1 0\n";
    struct trod_stream_options options = {0};
    struct trod_stream_print_options print_options = {0};
    struct trod_stream_refs refs;
    struct trod_string report;
    struct trod_streams s;

    (void)state;
    must(parse(&refs, lines, &have.mem, &have.err));
    trod_stream_find(&s, &refs, &options, &have.mem, &have.mem);
    trod_stream_look(&s, &refs, &options, 10, false, &have.mem, &have.mem);
    assert_int_equal(s.nstream, 1);
    assert_int_equal(s.stream[0].code[0], 1);
    assert_int_equal(s.stream[0].code[1], 0);
    trod_string_init(&report, &have.mem);
    trod_stream_report(&report.sink, &s, &print_options, &have.mem);
    assert_non_null(strstr(report.text, "a   store g a.c:2:1\n"));
    assert_non_null(strstr(report.text, "b   load f a.c:1:1\n"));
}

/* --- chunks ----------------------------------------------------------------------------------------- */

struct bytes {
    uint8_t at[1 << 12];
    size_t count;
};

static void put(struct bytes *b, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        b->at[b->count++] = (uint8_t)(value | 128);
    b->at[b->count++] = (uint8_t)value;
}

static void put_record(
    struct bytes *b, enum trod_refs_record kind, const uint64_t *n, size_t count)
{
    put(b, 2 * (uint64_t)kind + 1);
    for (size_t i = 0; i < count; i++)
        put(b, n[i]);
}

#define RECORD(b, kind, ...)                                 \
    put_record((b), (kind), (const uint64_t[]){__VA_ARGS__}, \
        sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void set_word(struct bytes *b, size_t at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        b->at[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

static void begin_chunk(struct bytes *b)
{
    memset(b, 0, sizeof *b);
    b->count = sizeof(struct trod_format_refs);
    set_word(b, offsetof(struct trod_format_refs, image), 0x1000);
}

static void end_chunk(struct bytes *b)
{
    set_word(b, 0, b->count - sizeof(struct trod_format_refs));
}

static void put_ref(struct bytes *b, uint64_t site, uint64_t address)
{
    put(b, 2 * trod_refs_zigzag(site));
    put(b, trod_refs_zigzag(address));
}

static const char *printed(const struct trod_stream_refs *refs)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_stream_refs_print(&text.sink, refs);
    return text.text;
}

static const struct trod_stream_symbol variables[] = {
    {"table", 0x100, 64}, {"tail", 0x140, 8}};
static const struct trod_stream_symbol locals[] = {{"cache", (uint64_t)-16, 8}};
static const struct trod_stream_image image = {
    .global = variables, .nglobal = 2, .local = locals, .nlocal = 1};

/* Objects, variables, stacks and what is known of none. */
static void test_names(void **state)
{
    struct trod_stream_refs refs;
    struct trod_stream_chunk chunk[2];
    static struct bytes heap, own;

    (void)state;
    begin_chunk(&heap);
    RECORD(&heap, TROD_REFS_SITE, 1, 8, 15, 3, 4);
    memcpy(heap.at + heap.count, "a.cmake", 7);
    heap.count += 7;
    RECORD(
        &heap, TROD_REFS_MADE, 0, 1, trod_refs_zigzag(5), trod_refs_zigzag(0x9000), 32);
    RECORD(&heap, TROD_REFS_GONE, trod_refs_zigzag(1), 0);
    end_chunk(&heap);
    begin_chunk(&own);
    RECORD(&own, TROD_REFS_THREAD, 7, 0, 0x8000, 0x100, 0x7000);
    RECORD(&own, TROD_REFS_BURST, 3);
    put_ref(&own, 0, 0x9008); /* before it was made */
    RECORD(&own, TROD_REFS_AT, 1);
    put_ref(&own, 64, 0);            /* now, as site 0, whose last it shares */
    put_ref(&own, 1, 0x1100 + 0x3f); /* the last byte of table */
    put_ref(&own, 1, 0x1140);
    put_ref(&own, 1, 0x1148); /* after tail */
    put_ref(&own, 1, 0x6ff0);
    put_ref(&own, 1, 0x80f8);
    RECORD(&own, TROD_REFS_AT, 1);
    put_ref(&own, 1, 0x9000); /* it is gone */
    end_chunk(&own);
    chunk[0] = (struct trod_stream_chunk){heap.at, heap.count};
    chunk[1] = (struct trod_stream_chunk){own.at, own.count};
    trod_stream_open(&refs, "names", chunk, 2, &image, &have.mem);
    assert_int_equal(refs.ndamaged, 0);
    must(trod_stream_refs_check(&refs, &have.err));
    assert_string_equal(printed(&refs), "refs names\n"
                                        "burst 7 3\n"
                                        "code 0 \"?\" \"?\" 0 0 unknown 0\n"
                                        "object 0 unknown\n"
                                        "0 0 36872\n"
                                        "code 1 \"?\" \"?\" 0 64 unknown 0\n"
                                        "place 0 make a.c 8 15\n"
                                        "object 1 heap 0 5\n"
                                        "1 1 8\n"
                                        "code 2 \"?\" \"?\" 0 65 unknown 0\n"
                                        "object 2 global table\n"
                                        "2 2 63\n"
                                        "code 3 \"?\" \"?\" 0 66 unknown 0\n"
                                        "object 3 global tail\n"
                                        "3 3 0\n"
                                        "code 4 \"?\" \"?\" 0 67 unknown 0\n"
                                        "4 0 4424\n"
                                        "code 5 \"?\" \"?\" 0 68 unknown 0\n"
                                        "object 4 local cache 7\n"
                                        "5 4 0\n"
                                        "code 6 \"?\" \"?\" 0 69 unknown 0\n"
                                        "object 5 stack 7\n"
                                        "6 5 8\n"
                                        "code 7 \"?\" \"?\" 0 70 unknown 0\n"
                                        "7 0 36864\n");
}

/* Whatever is cut off or changed, the rest is read. */
static void test_damage(void **state)
{
    static struct bytes whole, spoiled;
    struct trod_stream_chunk chunk;
    struct trod_stream_refs refs;

    (void)state;
    begin_chunk(&whole);
    RECORD(&whole, TROD_REFS_THREAD, 0, 0, 0, 0, 0);
    RECORD(&whole, TROD_REFS_BURST, 1);
    for (uint64_t i = 0; i < 20; i++)
        put_ref(&whole, i % 3, 1000 * i);
    end_chunk(&whole);
    for (size_t n = 0; n <= whole.count; n++) {
        chunk = (struct trod_stream_chunk){whole.at, n};
        trod_stream_open(&refs, "cut", &chunk, 1, &image, &have.mem);
        must(trod_stream_refs_check(&refs, &have.err));
        assert_int_equal(refs.ndamaged != 0, n < whole.count);
    }
    for (size_t i = 0; i < whole.count; i++)
        for (int bit = 0; bit < 8; bit++) {
            spoiled = whole;
            spoiled.at[i] ^= (uint8_t)(1 << bit);
            chunk = (struct trod_stream_chunk){spoiled.at, spoiled.count};
            trod_stream_open(&refs, "spoiled", &chunk, 1, &image, &have.mem);
            must(trod_stream_refs_check(&refs, &have.err));
        }
}

/* A chunk is missing in the middle: what is after it is a run of its own. */
static void test_gap(void **state)
{
    static struct bytes b[3];
    struct trod_stream_chunk chunk[3];
    struct trod_stream_refs refs;
    size_t nrun[2];

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        begin_chunk(&b[i]);
        RECORD(&b[i], TROD_REFS_THREAD, 0, i, 0, 0, 0);
        put_record(&b[i], i ? TROD_REFS_ON : TROD_REFS_BURST, (const uint64_t[]){1}, 1);
        put_ref(&b[i], 0, 4);
        end_chunk(&b[i]);
        chunk[i] = (struct trod_stream_chunk){b[i].at, b[i].count};
    }
    trod_stream_open(&refs, "all", chunk, 3, &image, &have.mem);
    nrun[0] = refs.nrun;
    chunk[1] = chunk[2];
    trod_stream_open(&refs, "gap", chunk, 2, &image, &have.mem);
    nrun[1] = refs.nrun;
    assert_int_equal(nrun[0], 1);
    assert_int_equal(nrun[1], 2);
}

static void test_tidy(void **state)
{
    struct trod_stream_symbol s[] = {
        {"a", 0, 0}, {"b", 0, 8}, {"c", 4, 8}, {"d", 8, 4}, {"e", 8, 4}, {"f", 20, 1}};

    (void)state;
    assert_int_equal(trod_stream_tidy_symbols(s, 6), 3);
    assert_string_equal(s[0].name, "b");
    assert_string_equal(s[1].name, "d");
    assert_string_equal(s[2].name, "f");
}

/* --- the validator -------------------------------------------------------------------------------------- */

static void test_check(void **state)
{
    struct trod_stream stream[2];
    struct trod_stream_datum datum[8];
    struct trod_streams s, bad;

    (void)state;
    find(&s, "abcxabcyabczdeudevde", 0, 0, false);
    assert_int_equal(s.nstream, 2);
    memcpy(stream, s.stream, sizeof stream);
    memcpy(datum, s.datum, 4 * sizeof *datum);
#define REFUSED(change, words)                         \
    bad = s;                                           \
    bad.stream = stream;                               \
    change;                                            \
    assert_false(trod_streams_check(&bad, &have.err)); \
    assert_int_equal(have.err.code, TROD_E_INTERNAL);  \
    assert_non_null(strstr(have.err.text, words));     \
    memcpy(stream, s.stream, sizeof stream)

    REFUSED(stream[0].heat++, "heat");
    REFUSED(stream[0].length = 1, "short");
    REFUSED(bad.longest = 2, "long");
    REFUSED(bad.ndatum = 3, "not exist");
    REFUSED(bad.total = 10, "references of");
    REFUSED(bad.by = TROD_STREAM_BY_SITE, "another kind");
    REFUSED((stream[0] = s.stream[1], stream[1] = s.stream[0]), "order");
    REFUSED((bad.datum = datum, datum[0].object = 99), "not exist");
    datum[0] = s.datum[0];
    REFUSED((bad.datum = datum, datum[0].code = 0), "no kind");
#undef REFUSED
}

static void test_overlap(void **state)
{
    struct trod_stream_overlap overlap;
    struct trod_streams a, b;

    (void)state;
    find(&a, "abcxabcyabc", 0, 0, false);
    find(&b, "abcxabcyabczdefudefvdef", 0, 0, false);
    must(trod_stream_overlap_build(&overlap, &a, &b, 0, &have.mem, &have.err));
    assert_true(
        overlap.overlap.all.overlap > 0.49999 && overlap.overlap.all.overlap < 0.50001);
    b.by = TROD_STREAM_BY_FIELD;
    assert_false(trod_stream_overlap_build(&overlap, &a, &b, 0, &have.mem, &have.err));
    find(&b, "abc", 0, 0, false);
    assert_false(trod_stream_overlap_build(&overlap, &a, &b, 0, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

/* --- memory ------------------------------------------------------------------------------------------------ */

static void use_all(struct trod_arena *mem, void *ctx)
{
    static const char lines[] = "n\ncode 0 f a.c 1 1 load 8\nobject 0 global a\n"
                                "object 1 global b\nburst 0 1\n0 0 0\n0 1 0\n0 0 0\n"
                                "0 1 0\n0 0 0\n0 1 0\nburst 0 2\n0 0 0\n0 1 0\n";
    struct trod_stream_options options = {0};
    struct trod_stream_overlap overlap;
    struct trod_stream_chunk chunk = *(struct trod_stream_chunk *)ctx;
    struct trod_stream_refs refs;
    struct trod_err err = {0};
    struct trod_string text;
    struct trod_streams s;

    if (!parse(&refs, lines, mem, &err))
        abort();
    trod_stream_find(&s, &refs, &options, mem, mem);
    trod_stream_look(&s, &refs, &options, 10, true, mem, mem);
    if (!trod_streams_check(&s, &err) ||
        !trod_stream_overlap_build(&overlap, &s, &s, 0, mem, &err))
        abort();
    trod_string_init(&text, mem);
    trod_streams_print(&text.sink, &s);
    trod_stream_open(&refs, "c", &chunk, 1, &image, mem);
    trod_stream_find(&s, &refs, &options, mem, mem);
}

static void test_allocation_failures(void **state)
{
    static struct bytes b;
    struct trod_stream_chunk chunk;

    (void)state;
    begin_chunk(&b);
    RECORD(&b, TROD_REFS_MADE, 0, 1, 0, trod_refs_zigzag(100), 50);
    RECORD(&b, TROD_REFS_THREAD, 0, 0, 0, 0, 0);
    RECORD(&b, TROD_REFS_BURST, 1);
    RECORD(&b, TROD_REFS_AT, 1);
    for (uint64_t i = 0; i < 10; i++)
        put_ref(&b, 0, i ? 1 : 100);
    end_chunk(&b);
    chunk = (struct trod_stream_chunk){b.at, b.count};
    assert_true(kit_each_allocation_failure(use_all, &chunk) > 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(streams),
        TEST(runs),
        TEST(roots),
        TEST(lengths),
        TEST(least),
        TEST(exact),
        TEST(codes),
        TEST(names),
        TEST(damage),
        TEST(gap),
        TEST(tidy),
        TEST(check),
        TEST(overlap),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}
