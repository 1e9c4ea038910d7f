/* What a page has beside paths: functions by their names; segments and subpaths as nested items; rows and what is omitted;
 * what a hot path table held, window by window, against tables that are made anew for each window; blocks estimated from samples;
 * how paths of another version are known; and what happens when memory ends. What users see is in test/cli/html_kinds.t.
 */
#include "kit/fixture.h"
#include "kit/kit.h"

#include <string.h>

#include "page/page.h"

#define HASH(n) "000000000000000" #n

/* main: 0 -> 1 -> 2 or 3, 2 -> 1, 3 ends; leaf: 0 -> 1 or 2, 1 -> 2; another leaf in two.c */
static const char map_text[] = "unit one.c blocks\n"
                               "function main 1 2 3\n"
                               "file one.c\n"
                               "numbering main ballarus\n"
                               ">: 0 1+2\n"
                               "0: 1\n"
                               "1: 2 3+1\n"
                               "2: >1\n"
                               "3:\n"
                               "lines main\n"
                               "0: 10\n"
                               "1: 11 12\n"
                               "2: 13\n"
                               "3: 15\n"
                               "function leaf 4 5 6\n"
                               "file one.c\n"
                               "numbering leaf ballarus\n"
                               ">: 0\n"
                               "0: 1 2+1\n"
                               "1: 2\n"
                               "2:\n"
                               "lines leaf\n"
                               "0: 20\n"
                               "1: 21\n"
                               "2: 22\n"
                               "unit two.c blocks\n"
                               "function leaf 4 7 6\n"
                               "file two.c\n"
                               "numbering leaf ballarus\n"
                               ">: 0\n"
                               "0:\n";

static struct trod_map *map_of(struct trod_arena *mem)
{
    struct trod_map *map = trod_new(mem, struct trod_map, 1);
    struct trod_text text;

    trod_text_init(&text, "map", map_text, strlen(map_text));
    must(trod_map_parse(map, &text, mem, &have.err));
    return map;
}

/* --- names -------------------------------------------------------------------------------------------- */

static void test_functions_by_name_and_file(void **state)
{
    struct trod_map *map = map_of(&have.mem);
    struct trod_page_names names;

    (void)state;
    trod_page_names(&names, map, &have.mem);
    assert_int_equal(trod_page_names_find(&names, "main", "one.c"), 0);
    assert_int_equal(trod_page_names_find(&names, "leaf", "one.c"), 1);
    assert_int_equal(trod_page_names_find(&names, "leaf", "two.c"), 2);
    assert_int_equal(trod_page_names_find(&names, "main", NULL), 0);
    assert_int_equal(trod_page_names_find(&names, "main", "else.c"), 0);
    assert_int_equal(trod_page_names_find(&names, "mai", NULL), TROD_NONE);
    assert_int_equal(trod_page_names_find(&names, "zebra", NULL), TROD_NONE);
    trod_page_names(&names, &(struct trod_map){0}, &have.mem);
    assert_int_equal(trod_page_names_find(&names, "main", NULL), TROD_NONE);
}

/* --- spans ---------------------------------------------------------------------------------------------- */

static void expect_item(const struct trod_page_item *item, uint32_t depth,
    uint32_t entry, const char *blocks, const char *path)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    for (uint32_t i = 0; i < item->nblock; i++)
        trod_put(&text.sink, "%s%u", i ? " " : "", item->block[i]);
    assert_int_equal(item->depth, depth);
    assert_int_equal(item->entry, entry);
    assert_string_equal(text.text, blocks);
    assert_string_equal(item->text, path);
}

static void test_segments_are_nested(void **state)
{
    static const char segments_text[] =
        "segments w 2\n"
        "function main " HASH(1) " " HASH(2) " " HASH(
            3) " 4\n"
               "function leaf " HASH(4) " " HASH(5) " " HASH(
                   6) " 2\n"
                      "7 main:0 ( leaf:1 ( other:5 ) leaf:0 ) main:2\n"
                      "3 leaf:0 ( main:3 )\n"
                      "3 leaf:1 ( main:3 )\n";
    struct trod_map *map = map_of(&have.mem);
    struct trod_segments segments;
    struct trod_page_spans spans;
    struct trod_token token;
    struct trod_text text;

    (void)state;
    trod_text_init(&text, "f", segments_text, strlen(segments_text));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_segments_parse(&segments, "w", &text, &have.mem, &have.err));
    trod_page_spans_segments(&spans, &segments, map, 2, &have.mem);
    assert_int_equal(spans.total, 13);
    assert_int_equal(spans.nspan, 2);
    assert_int_equal(spans.nleft, 1);
    assert_int_equal(spans.span[0].count, 7);
    assert_int_equal(spans.span[0].nitem, 5);
    expect_item(&spans.span[0].item[0], 0, 0, "0 1 2", "entry 12:way1 again 11");
    expect_item(&spans.span[0].item[1], 1, 1, "0 2", "entry 20:way2 return 22");
    expect_item(&spans.span[0].item[2], 2, TROD_NONE, "", "=5");
    assert_string_equal(spans.span[0].item[2].name, "other");
    expect_item(&spans.span[0].item[3], 1, 1, "0 1 2", "entry 20:way1 return 22");
    expect_item(&spans.span[0].item[4], 0, 0, "1 2", "loop 11 12:way1 again 11");
    assert_true(spans.span[0].low == 0 && spans.span[0].high == 0);
}

#define SAMPLED                                                           \
    "profile\nmodule app blocks\nfunction " HASH(1) " " HASH(2) " " HASH( \
        3) " 4\n"                                                         \
           "function " HASH(4) " " HASH(5) " " HASH(6) " 3\n"

static void sample(struct trod_online_names *names, const char *profile_text,
    const struct trod_map *map, struct trod_arena *mem)
{
    struct trod_subpaths *subpaths = trod_new(mem, struct trod_subpaths, 1);
    struct trod_profile profile;
    struct trod_text text;
    bool more;

    trod_text_init(&text, "profile", profile_text, strlen(profile_text));
    must(trod_profile_parse(&profile, &more, &text, mem, &have.err));
    must(trod_online_estimate(subpaths, &profile, mem, &have.err));
    trod_online_names(names, subpaths, map, mem);
}

/* In main, blocks are 0 to 3; in leaf, 5 to 7. */
static const char called_in_the_middle[] = SAMPLED "samples 0 sequence\n"
                                                   "lengths uniform 2 6 0.5\n"
                                                   "frequency 0 100\n"
                                                   "counted 16\n"
                                                   "sampled 16 0 1 5 6 7 2 1\n";

static void test_subpaths_are_nested(void **state)
{
    struct trod_subpaths_options options = {.most = 10};
    struct trod_map *map = map_of(&have.mem);
    struct trod_online_names names;
    struct trod_page_spans spans;
    const struct trod_page_span *span;

    (void)state;
    sample(&names, called_in_the_middle, map, &have.mem);
    trod_page_spans_subpaths(&spans, &names, map, &options, &have.mem);
    assert_int_equal(spans.nspan, 1);
    span = &spans.span[0];
    assert_int_equal(span->nitem, 3);
    expect_item(&span->item[0], 0, 0, "1", "11");
    expect_item(&span->item[1], 1, 1, "0 1 2", "20 21 22");
    expect_item(&span->item[2], 0, 0, "2 1", "13 11");
    assert_true(span->low < (double)span->count && span->high > (double)span->count);
}

/* A subpath that begins in a callee returns to who is above it. */
static void test_subpaths_may_begin_below(void **state)
{
    static const char returns[] = SAMPLED "samples 0 sequence\n"
                                          "lengths uniform 2 6 0.5\n"
                                          "frequency 0 100\n"
                                          "counted 4\n"
                                          "sampled 4 0 6 7 2 1\n";
    struct trod_subpaths_options options = {.most = 10};
    struct trod_map *map = map_of(&have.mem);
    struct trod_online_names names;
    struct trod_page_spans spans;

    (void)state;
    sample(&names, returns, map, &have.mem);
    trod_page_spans_subpaths(&spans, &names, map, &options, &have.mem);
    assert_int_equal(spans.span[0].nitem, 2);
    expect_item(&spans.span[0].item[0], 1, 1, "1 2", "21 22");
    expect_item(&spans.span[0].item[1], 0, 0, "2 1", "13 11");
}

/* Each of six blocks was in all samples once, of a subpath that was begun 1600 times of its own; block 1 of main twice. */
static void test_blocks_from_samples(void **state)
{
    struct trod_map *map = map_of(&have.mem);
    struct trod_flow flow[3] = {{0}};
    struct trod_flows flows = {.map = map, .of_entry = flow, .exact = true};
    struct trod_online_names names;
    uint64_t each;

    (void)state;
    sample(&names, called_in_the_middle, map, &have.mem);
    trod_page_flows_sampled(&flows, &names, &have.mem);
    each = (uint64_t)(names.subpaths->subpath[0].estimate / 6 + 0.5);
    assert_false(flows.exact);
    assert_int_equal(flow[0].count_of_node[0], 0);
    assert_int_equal(flow[0].count_of_node[1],
        (uint64_t)(names.subpaths->subpath[0].estimate / 3 + 0.5));
    assert_int_equal(flow[0].count_of_node[2], each);
    assert_int_equal(flow[0].count_of_node[3], 0);
    assert_int_equal(flow[1].count_of_node[0], each);
    assert_int_equal(flow[1].entered, each);
    assert_null(flow[0].count_of_edge);
    assert_null(flow[2].entry);
}

/* --- tables --------------------------------------------------------------------------------------------------- */

static void test_rows_that_are_too_many(void **state)
{
    static const struct trod_page_column columns[] = {
        {"function", TROD_PAGE_FUNCTION}, {"count", TROD_PAGE_COUNT}};
    struct trod_map *map = map_of(&have.mem);
    struct trod_page_names names;
    struct trod_page_rows rows;
    struct trod_page_table table = {.word = "t"};

    (void)state;
    trod_page_names(&names, map, &have.mem);
    trod_page_rows_init(&rows, &names, 2, 3, &have.mem);
    for (uint64_t i = 0; i < 5; i++) {
        trod_page_rows_begin(&rows);
        trod_page_rows_function(&rows, i ? "main" : "elsewhere", NULL);
        trod_page_rows_count(&rows, i);
    }
    trod_page_rows_finish(&table, &rows, columns);
    assert_int_equal(table.nrow, 3);
    assert_int_equal(table.nleft, 2);
    assert_int_equal(table.cell[0].entry, TROD_NONE);
    assert_string_equal(table.cell[0].text, "elsewhere");
    assert_int_equal(table.cell[2].entry, 0);
    assert_int_equal(table.cell[5].count, 2);
}

/* --- hardware ---------------------------------------------------------------------------------------------------- */

enum { LOOPS = 12, RUNS = 4000 };

/* Loops of three blocks of 1 to 3 instructions, taken or not at random, and a jump from each to any other. */
struct stream {
    struct trod_code code[LOOPS][3];
    struct trod_run run[RUNS];
};

static void make_stream(struct stream *s, struct trod_rng *rng)
{
    uint32_t k = 0, block = 0;

    for (uint32_t i = 0; i < LOOPS * 3; i++) {
        uint64_t pc = 0x1000 * (uint64_t)(i / 3 + 1) + 16 * (uint64_t)(i % 3),
                 n = i % 3 + 1;

        s->code[i / 3][i % 3] = (struct trod_code){.pc = pc,
            .last = pc + 4 * (n - 1),
            .after = pc + 16,
            .target = i % 3 == 0   ? pc + 32
                      : i % 3 == 1 ? pc - 16
                                   : 0,
            .number = i,
            .ninsn = (uint32_t)n,
            .kind = i % 3 == 2 ? TROD_BRANCH_INDIRECT : TROD_BRANCH_IF};
    }
    for (uint32_t i = 0; i < RUNS; i++) {
        const struct trod_code *code = &s->code[k][block];
        bool taken = block == 2 || trod_rng_below(rng, 4) != 0;

        if (block == 2)
            k = (uint32_t)trod_rng_below(rng, i < RUNS / 2 ? LOOPS / 2 : LOOPS);
        block = block == 2 ? 0 : block == 0 && !taken ? 1 : block == 1 && taken ? 0 : 2;
        s->run[i] = (struct trod_run){
            .code = code, .next = s->code[k][block].pc, .taken = taken};
    }
}

/* The counts that the page has for one path in one window. */
static void look(uint64_t *held, uint64_t *really, const struct trod_page_hardware *h,
    uint32_t window, const char *path)
{
    *held = *really = 0;
    for (uint32_t i = 0; i < h->nentry; i++)
        if (strcmp(h->entry[i].text, path) == 0) {
            *held = h->entry[i].held[window];
            *really = h->entry[i].really[window];
        }
}

/* A table of its own for each window, and every path that ended in it counted one by one. */
static void check_window(const struct stream *s, const struct trod_page_hardware *h,
    const struct trod_hot_design *design, uint32_t window)
{
    uint64_t at = 0, count[256] = {0};
    struct trod_detector d;
    struct trod_reference r;
    struct trod_hot_table t;

    trod_detector_init(&d, trod_control_named("ballarus"), &have.mem);
    trod_reference_init(&r, &have.mem);
    trod_hot_table_init(&t, design, &have.mem);
    for (uint32_t i = 0; i < RUNS; i++) {
        uint32_t n = trod_detector_run(&d, &s->run[i], 0);

        for (uint32_t k = 0; k < n; k++) {
            uint32_t number = trod_reference_add(&r, &d.end[k]);

            assert_true(number < 256);
            if (at / h->window != window)
                continue;
            count[number]++;
            trod_hot_table_add(&t, number, &r.path[number], 1);
        }
        at += s->run[i].code->ninsn;
    }
    for (uint32_t p = 0; p < r.npath; p++) {
        const struct trod_hot_entry *entry = trod_hot_table_find(&t, p, &r.path[p]);
        uint64_t held, really;
        struct trod_string path;

        trod_string_init(&path, &have.mem);
        trod_descriptor_print(&path.sink, &r.path[p].path);
        look(&held, &really, h, window, path.text);
        assert_int_equal(really, count[p]);
        assert_int_equal(held, entry ? entry->count : 0);
    }
}

static void watch(struct trod_page_hardware *out, const struct stream *s,
    const struct trod_hot_design *design, uint64_t window, uint32_t most,
    struct trod_arena *mem)
{
    struct trod_page_watch w;
    struct trod_profiler_options options = {.design = design,
        .ndesign = 1,
        .window = window,
        .window_over = trod_page_watch_window,
        .window_ctx = &w};
    struct trod_profiler profiler;
    struct trod_page_names names;

    trod_page_names(&names, map_of(mem), mem);
    trod_page_watch_init(&w, mem);
    trod_profiler_init(&profiler, &options, mem);
    for (uint32_t i = 0; i < RUNS; i++)
        trod_profiler_run(&profiler, &s->run[i], 0);
    trod_profiler_finish(&profiler);
    trod_page_hardware_build(out, &w, &profiler, &names, NULL, most, mem);
}

static void test_windows_against_tables_of_their_own(void **state)
{
    static const char *const designs[] = {"4x2,lfu,xor", "8x4,lru,multiply", "64x4"};
    static const uint64_t windows[] = {97, 500, 1000000};
    struct stream *s = trod_new(&have.mem, struct stream, 1);
    struct trod_rng rng;
    uint64_t ninsn = 0;

    (void)state;
    trod_rng_init(&rng, 7);
    make_stream(s, &rng);
    for (uint32_t i = 0; i < RUNS; i++)
        ninsn += s->run[i].code->ninsn;
    for (int i = 0; i < 3; i++) {
        struct trod_page_hardware h;
        struct trod_hot_design design;

        must(trod_hot_design_parse(&design, designs[i], &have.mem, &have.err));
        watch(&h, s, &design, windows[i], 256, &have.mem);
        assert_int_equal(h.nwindow, windows[i] < ninsn ? ninsn / windows[i] : 1);
        assert_int_equal(h.behind, windows[i] < ninsn ? ninsn % windows[i] : 0);
        assert_int_equal(h.nleft, 0);
        for (uint32_t k = 0; k < h.nwindow; k += h.nwindow / 7 + 1)
            check_window(s, &h, &design, k);
    }
}

static void test_paths_that_are_not_shown(void **state)
{
    struct stream *s = trod_new(&have.mem, struct stream, 1);
    struct trod_page_hardware all, some;
    struct trod_hot_design design;
    struct trod_rng rng;
    uint32_t held = 0;

    (void)state;
    trod_rng_init(&rng, 11);
    make_stream(s, &rng);
    must(trod_hot_design_parse(&design, "64x4", &have.mem, &have.err));
    watch(&all, s, &design, 500, 256, &have.mem);
    watch(&some, s, &design, 500, 5, &have.mem);
    assert_int_equal(some.nentry, 5);
    for (uint32_t i = 5; i < all.nentry; i++)
        for (uint32_t k = 0; k < all.nwindow; k++)
            if (all.entry[i].held[k]) {
                held++;
                break;
            }
    assert_int_equal(some.nleft, held);
    for (uint32_t i = 0; i < 5; i++)
        assert_string_equal(some.entry[i].text, all.entry[i].text);
}

/* --- how paths are known --------------------------------------------------------------------------------------------- */

static struct trod_entries *entries_of(const char *text_of, struct trod_arena *mem)
{
    struct trod_entries *entries = trod_new(mem, struct trod_entries, 1);
    struct trod_text text;

    trod_text_init(&text, "entries", text_of, strlen(text_of));
    must(trod_entries_parse(entries, &text, mem, &have.err));
    return entries;
}

static const char small[] = "entries paths\ninput small\n"
                            "entry leaf one.c - - 0 20 4 profiled was 3 trust 1\n"
                            "entry main one.c - - 0 10 7 validated was 7 trust 0.98\n"
                            "entry main one.c - - 1 10 2 profiled was 7 trust 1\n"
                            "entry other one.c - - 0 1 2 profiled was 7 trust 1\n";
static const char large[] = "entries paths\ninput large\n"
                            "entry leaf one.c - - 0 20 40 inferred was 30 trust 0.5\n"
                            "entry main one.c - - 0 10 0 reused was 7 trust 0.2\n"
                            "entry main one.c - - 1 10 2 validated was 7 trust 0.99\n";

static void build_known(struct trod_page_known *out, struct trod_arena *mem)
{
    const struct trod_entries *both[] = {
        entries_of(small, mem), entries_of(large, mem)};
    struct trod_page_names names;

    trod_page_names(&names, map_of(mem), mem);
    trod_page_known_build(out, &names, both, 2, mem);
}

static const char *known_as(
    const struct trod_page_known *known, uint32_t entry, uint64_t id)
{
    return known->confidence[trod_page_known_of(known, entry, id)].word;
}

static void test_the_least_trusted_counts(void **state)
{
    struct trod_page_known known;

    (void)state;
    build_known(&known, &have.mem);
    assert_string_equal(known_as(&known, 1, 0), "inferred");
    assert_string_equal(known_as(&known, 0, 0), "validated"); /* large did not run it */
    assert_string_equal(known_as(&known, 0, 1), "validated");
    assert_string_equal(known_as(&known, 0, 2), "none");
    assert_string_equal(known_as(&known, 2, 0), "none");
    assert_int_equal(known.nunknown, 1);
    assert_int_equal(known.nconfidence, 3);
    assert_string_equal(known.confidence[0].word, "validated");
    assert_true(
        known.confidence[0].degree > 0.984 && known.confidence[0].degree < 0.986);
    assert_string_equal(known.confidence[2].word, "none");
}

/* --- all of it --------------------------------------------------------------------------------------------------------- */

static void show(struct trod_arena *mem, void *ctx)
{
    struct trod_subpaths_options options = {.most = 10};
    struct trod_map *map = map_of(mem);
    struct trod_online_names names;
    struct trod_page_names by_name;
    struct trod_page_spans spans;
    struct trod_page_table table;
    struct trod_page_known known;
    struct trod_page_hardware hardware;
    struct trod_hot_design design;
    uint32_t function_of_entry[] = {0, TROD_NONE, TROD_NONE};
    struct trod_page page = {.map = map,
        .function_of_entry = function_of_entry,
        .spans = &spans,
        .nspans = 1,
        .table = &table,
        .ntable = 1,
        .hardware = &hardware};
    struct trod_string text;
    struct trod_json json;

    sample(&names, called_in_the_middle, map, mem);
    trod_page_spans_subpaths(&spans, &names, map, &options, mem);
    trod_page_names(&by_name, map, mem);
    trod_page_table_entries(&table, &by_name, entries_of(small, mem), 10, mem);
    build_known(&known, mem);
    page.confidence = known.confidence;
    page.nconfidence = known.nconfidence;
    must(trod_hot_design_parse(&design, "4x2", mem, &have.err));
    watch(&hardware, ctx, &design, 3000, 4, mem);
    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    json.compact = true;
    must(trod_page_kinds_check(&page, &have.err));
    trod_json_open(&json, NULL, '{');
    trod_page_kinds_json(&json, &page);
    trod_json_close(&json, '}');
    assert_non_null(
        strstr(text.text, "[0,0,\"main\",[1],\"11\"],[1,null,\"leaf\",[0,1,2]"));
    assert_non_null(strstr(text.text, "[0,\"\",\"10\",7,\"7\",\"validated\",0.98]"));
    assert_non_null(strstr(text.text, "[\"leaf\",\"\",\"20\",4,\"3\",\"profiled\",1]"));
    assert_non_null(strstr(text.text, "\"held\":["));
    assert_null(strstr(text.text, "\"word\":\"none\""));
}

/* Each fault by itself is found. */
static void test_what_is_broken_is_found(void **state)
{
    static const trod_node astray[] = {0, 3};
    static const double overlap[] = {1.5};
    static const uint64_t none[] = {0}, some[] = {4};
    struct trod_page_item item = {.name = "main", .text = "", .nblock = 0};
    struct trod_page_span span[] = {{.count = 3, .item = &item, .nitem = 1},
        {.count = 2, .item = &item, .nitem = 1}};
    struct trod_page_spans spans = {.word = "s", .span = span, .nspan = 2};
    struct trod_page_column column = {"count", TROD_PAGE_TEXT};
    struct trod_page_cell cell = {.text = "x", .entry = TROD_NONE};
    struct trod_page_table table = {
        .word = "t", .column = &column, .ncolumn = 1, .cell = &cell, .nrow = 1};
    struct trod_page_entry entry = {
        .text = "p", .entry = TROD_NONE, .held = none, .really = some};
    struct trod_page_hardware hardware = {
        .nwindow = 1, .overlap = &(double){1}, .entry = &entry, .nentry = 1};
    struct trod_page page = {.map = map_of(&have.mem),
        .spans = &spans,
        .nspans = 1,
        .table = &table,
        .ntable = 1,
        .hardware = &hardware};

#define BREAKS(change, mend)                                   \
    do {                                                       \
        change;                                                \
        assert_false(trod_page_kinds_check(&page, &have.err)); \
        assert_int_equal(have.err.code, TROD_E_INTERNAL);      \
        mend;                                                  \
        must(trod_page_kinds_check(&page, &have.err));         \
    } while (0)

    (void)state;
    must(trod_page_kinds_check(&page, &have.err));
    BREAKS(span[0].count = 1, span[0].count = 3);
    BREAKS(span[1].count = 0, span[1].count = 2);
    BREAKS(item.depth = 1, item.depth = 0);
    BREAKS(item.entry = 3, item.entry = 0);
    BREAKS((item.block = astray, item.nblock = 2), item.nblock = 0);
    BREAKS((span[0].low = 9, span[0].high = 8), span[0].low = span[0].high = 0);
    BREAKS(cell.text = NULL, cell.text = "x");
    BREAKS((column.kind = TROD_PAGE_FUNCTION, cell.entry = 3),
        (column.kind = TROD_PAGE_TEXT, cell.entry = TROD_NONE));
    BREAKS(hardware.overlap = overlap, hardware.overlap = &(double){1});
    BREAKS((entry.held = some, entry.really = none),
        (entry.held = none, entry.really = some));
    BREAKS(entry.really = none, entry.really = some);
}

static void test_without_memory(void **state)
{
    struct stream *s = trod_new(&have.mem, struct stream, 1);
    struct trod_rng rng;

    (void)state;
    trod_rng_init(&rng, 3);
    make_stream(s, &rng);
    show(&have.mem, s);
    assert_true(kit_each_allocation_failure(show, s) > 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_functions_by_name_and_file),
        TEST(test_segments_are_nested),
        TEST(test_subpaths_are_nested),
        TEST(test_subpaths_may_begin_below),
        TEST(test_blocks_from_samples),
        TEST(test_rows_that_are_too_many),
        TEST(test_windows_against_tables_of_their_own),
        TEST(test_paths_that_are_not_shown),
        TEST(test_the_least_trusted_counts),
        TEST(test_what_is_broken_is_found),
        TEST(test_without_memory),
    };

    return cmocka_run_group_tests_name("page kinds", tests, NULL, NULL);
}
