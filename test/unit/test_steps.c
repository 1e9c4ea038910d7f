/* Recorded steps: sections byte by byte as a program leaves them in the middle of something, what
 * is lost of damaged ones and with which words, text and packed files, and who refuses them. What a
 * real program leaves is in test/runtime/record.t.
 */
#include "kit/fixture.h"
#include "kit/live.h"

#include <string.h>

#include "profile/profile.h"
#include "zstd/zstd_port.h"

#define HASHES "0000000000000001 0000000000000002 0000000000000003 "

/* The first function has terminals 0 to 9, the second 11 to 30; in the live file the same are
 * counters.
 */
static const char recorded[] = "profile\n"
                               "run\n"
                               "exit: unknown\n"
                               "module app steps 00ff\n"
                               "function " HASHES "10\n"
                               "function " HASHES "20\n";

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

/* --- a live file by hand ----------------------------------------------------------------- */

enum { NNODE = 12, STEPS_BYTES = sizeof(struct trod_format_steps) };

struct live {
    struct trod_format_steps steps;
    struct trod_format_node node[NNODE];
};

static void base(struct trod_string *out)
{
    struct kit_live_options options = {.nthread = 1};
    struct trod_profile profile;

    must(try_parse(&profile, recorded));
    trod_string_init(out, &have.mem);
    kit_live(out, &profile, &options, &have.mem);
}

static void add(struct trod_string *out, uint32_t type, uint32_t flags, uint32_t thread,
    const void *payload, size_t length)
{
    static const char zeros[TROD_FORMAT_PAGE];
    struct trod_format_head head = {.magic = TROD_SECTION_MAGIC,
        .type = type,
        .size = trod_format_live_size(length, TROD_FORMAT_PAGE),
        .payload = length,
        .flags = flags,
        .thread = thread,
        .payload_checksum =
            flags & TROD_SECTION_LIVE ? 0 : trod_crc32(payload, length)};

    head.checksum = trod_crc32(&head, sizeof head - 4);
    out->sink.put(&out->sink, (const char *)&head, sizeof head);
    out->sink.put(&out->sink, payload, length);
    out->sink.put(&out->sink, zeros, head.size - sizeof head - length);
}

/* R0: 3 R1 R1 12, R1: 5 5; nodes in some order. */
static void fill(struct live *out)
{
    static const struct trod_format_node node[NNODE] = {
        {4, TROD_STEPS_GUARD},    /* 0: of R0 */
        {2, 5},                   /* 1 */
        {3, 5},                   /* 2 */
        {1, TROD_STEPS_GUARD},    /* 3: of R1 */
        {6, 3},                   /* 4 */
        {8, TROD_STEPS_RULE | 3}, /* 5 */
        {5, TROD_STEPS_RULE | 3}, /* 6 */
        {0, TROD_STEPS_NONE},     /* 7 */
        {0, 12},                  /* 8 */
        {0, TROD_STEPS_NONE},     /* 9 */
        {0, TROD_STEPS_NONE},     /* 10 */
        {0, TROD_STEPS_NONE},     /* 11 */
    };

    memset(out, 0, sizeof *out);
    out->steps.nnode = NNODE;
    memcpy(out->node, node, sizeof node);
}

static void add_live(struct trod_string *out, const struct live *live)
{
    add(out, TROD_SECTION_STEPS, TROD_SECTION_LIVE, 0, live, sizeof *live);
}

static struct trod_profile read(
    struct trod_profile_health *health, const struct trod_string *bytes)
{
    struct trod_profile_read_options options = {.codec = &trod_zstd_codec};
    struct trod_profile out;

    must(trod_profile_read(&out, health, (const uint8_t *)bytes->text, bytes->length,
        &options, &have.mem, &have.err));
    must(trod_profile_check(&out, &have.err));
    return out;
}

/* What is after the functions. */
static void gives(const struct trod_string *bytes, const char *steps)
{
    struct trod_profile_health health;
    struct trod_profile profile = read(&health, bytes);
    const char *text = print(&profile), *at = strstr(text, "\nsteps 0\n");

    if (health.nloss || !at || strcmp(at + 1, steps) != 0)
        fail_msg("%s\nis not\n%s", text, steps);
}

static void live_gives(const struct live *live, const char *steps)
{
    struct trod_string bytes;

    base(&bytes);
    add_live(&bytes, live);
    gives(&bytes, steps);
}

static void test_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct trod_format_steps), 1088);
    assert_int_equal(offsetof(struct trod_format_steps, taken), 8);
    assert_int_equal(offsetof(struct trod_format_steps, queued), 16);
    assert_int_equal(offsetof(struct trod_format_steps, undo), 24);
    assert_int_equal(offsetof(struct trod_format_steps, ngiven), 40);
    assert_int_equal(offsetof(struct trod_format_steps, nnode), 48);
    assert_int_equal(offsetof(struct trod_format_steps, queue), 64);
    assert_int_equal(sizeof(struct trod_format_node), 8);
}

static void test_open(void **state)
{
    struct live live;

    (void)state;
    fill(&live);
    live_gives(&live, "steps 0\nR0: 3 R1 R1 12\nR1: 5 5\n");
    live.node[0].next = 0;
    live_gives(&live, "steps 0\nR0:\n");
}

/* The rule was about to be put back: before the first of two words, between them, after both. */
static void test_undo(void **state)
{
    struct live live;

    (void)state;
    for (int done = 0; done <= 2; done++) {
        fill(&live);
        live.steps.nundo = 2;
        live.steps.undo[0].node = 4;
        live.steps.undo[0].next = 6;
        live.steps.undo[1].node = 2;
        live.steps.undo[1].next = 3;
        if (done >= 1)
            live.node[4].next = 1;
        if (done >= 2)
            live.node[2].next = 5;
        live_gives(&live, "steps 0\nR0: 3 R1 R1 12\nR1: 5 5\n");
    }
    live.steps.nundo = 0;
    live.node[5] = (struct trod_format_node){8, 14};
    live_gives(&live, "steps 0\nR0: 3 5 5 14 12\n");
}

/* Also if the queue wraps around, and if its first element is in the nodes already. */
static void test_queue(void **state)
{
    struct live live;

    (void)state;
    fill(&live);
    live.steps.taken = UINT32_MAX;
    live.steps.queued = 2;
    live.steps.queue[255] = 13;
    live.steps.queue[0] = 0; /* not written yet */
    live.steps.queue[1] = 1;
    live_gives(&live, "steps 0\nR0: 3 R1 R1 12\nR1: 5 5\npart\nR0: 12 0\n");
    live.steps.linking = 7;
    live_gives(&live, "steps 0\nR0: 3 R1 R1 12\nR1: 5 5\npart\nR0: 12 0\n");
    live.steps.linking = 8;
    live_gives(&live, "steps 0\nR0: 3 R1 R1 12\nR1: 5 5\npart\nR0: 0\n");
}

/* Part 0 has been written, but not yet forgotten; or there is another one. */
static void test_parts(void **state)
{
    struct trod_string bytes;
    struct live live;

    (void)state;
    base(&bytes);
    fill(&live);
    live.steps.queued = 1;
    live.steps.queue[0] = 8;
    add_live(&bytes, &live);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\0\0\1\2\2\4", 6);
    gives(&bytes, "steps 0\nR0: 1 2\npart\nR0: 7\n");
    base(&bytes);
    live.steps.part = 2;
    add_live(&bytes, &live);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\1\0\2\2\3\3\2\30\30", 9);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\0\0\1\2\2\4", 6);
    add(&bytes, TROD_SECTION_PART, 0, 7, "\0\0\1\1\2", 5);
    gives(&bytes, "steps 0\nR0: 1 2\npart\nR0: R1 R1\nR1: 12 12\npart\nR0: 3 R1 R1 12\n"
                  "R1: 5 5\npart\nR0: 7\nsteps 7\nR0: 1\n");
}

/* --- damage ------------------------------------------------------------------------------- */

static void loses(const struct trod_string *bytes, const char *says)
{
    struct trod_profile_health health;
    struct trod_profile profile = read(&health, bytes);

    for (uint32_t i = 0; i < profile.nnote; i++)
        if (strstr(profile.note[i], says))
            return;
    fail_msg("%s: not in\n%s", says, print(&profile));
}

static void test_bad_nodes(void **state)
{
    static const struct {
        const char *says;
        uint32_t node;
        struct trod_format_node value;
    } change[] = {
        {"has rules that do not end", 8, {4, 12}},
        {"has rules that do not end", 8, {8, 12}},
        {"has rules that do not end", 8, {NNODE, 12}},
        {"has rules that do not end", 8, {7, 12}},
        {"has rules that do not end", 8, {0, TROD_STEPS_GUARD}},
        {"has rules that do not end", 8, {0, TROD_STEPS_RULE}},
        {"has rules that do not end", 2, {0, 5}},
        {"has rules that do not end", 2, {8, 5}},
        {"uses rules that are not there", 8, {0, TROD_STEPS_RULE | 4}},
        {"uses rules that are not there", 8, {0, TROD_STEPS_RULE | NNODE}},
        {"has rules without symbols", 3, {3, TROD_STEPS_GUARD}},
        {"has rules that expand to themselves", 2, {3, TROD_STEPS_RULE | 3}},
        {"has steps of no function", 8, {0, 10}},
        {"has steps of no function", 8, {0, 31}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        struct trod_string bytes;
        struct live live;

        base(&bytes);
        fill(&live);
        live.node[change[i].node] = change[i].value;
        add_live(&bytes, &live);
        loses(&bytes, change[i].says);
    }
}

static void test_bad_heads(void **state)
{
    struct trod_string bytes;
    struct live live;

    (void)state;
    base(&bytes);
    fill(&live);
    live.steps.nundo = 3;
    add_live(&bytes, &live);
    loses(&bytes, "has more to undo than can be");
    base(&bytes);
    fill(&live);
    live.steps.queued = 257;
    add_live(&bytes, &live);
    loses(&bytes, "has a queue that cannot be");
    base(&bytes);
    fill(&live);
    live.steps.queued = 1;
    live.steps.queue[0] = 32;
    add_live(&bytes, &live);
    loses(&bytes, "has steps of no function in its queue");
    base(&bytes);
    fill(&live);
    live.steps.nnode = 0;
    add_live(&bytes, &live);
    loses(&bytes, "has no nodes");
    base(&bytes);
    add(&bytes, TROD_SECTION_STEPS, TROD_SECTION_LIVE, 0, &live, STEPS_BYTES);
    loses(&bytes, "is too short");
    base(&bytes);
    fill(&live);
    live.steps.ngiven = 5;
    add_live(&bytes, &live);
    loses(&bytes, "5 steps that the program had no space to record");
}

static void test_bad_parts(void **state)
{
    static const struct {
        const char *says, *bytes;
        size_t length;
    } part[] = {
        {"does not say which it is", "\0", 1},
        {"does not say how many rules it has", "\0\0\0", 3},
        {"does not say how many rules it has", "\0\0\7\1", 4},
        {"has a rule that does not end", "\0\0\1\2\2", 5},
        {"has a rule that does not end", "\0\0\1\1\200", 5},
        {"has more than its rules", "\0\0\1\1\2\2", 6},
        {"has steps of no function", "\0\0\1\1\24", 5},
        {"uses rules that are not there", "\0\0\1\1\3", 5},
        {"uses rules that are not there", "\0\0\1\1\1", 5},
        {"has rules without symbols", "\0\0\2\1\3\0", 6},
        {"has rules that expand to themselves", "\0\0\2\1\3\1\3", 7},
        {"parts of thread 0 before part 2 are missing: 2", "\2\0\1\1\2", 5},
    };
    struct trod_string bytes;

    (void)state;
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        base(&bytes);
        add(&bytes, TROD_SECTION_PART, 0, 0, part[i].bytes, part[i].length);
        loses(&bytes, part[i].says);
    }
    base(&bytes);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\0\0\1\1\2", 5);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\0\0\1\1\2", 5);
    loses(&bytes, "part 0 of thread 0 occurs twice");
    base(&bytes);
    add(&bytes, TROD_SECTION_END, 0, 0, "exit order\nparts 2\n", 19);
    add(&bytes, TROD_SECTION_PART, 0, 0, "\0\0\1\1\2", 5);
    loses(&bytes, "the program wrote 2 PART sections, 1 are here");
}

/* --- text, packed files, refusals -------------------------------------------------------------- */

#define STEPS                                                                    \
    "profile\nrun\nexit: order\nmodule app steps 00ff\nfunction " HASHES         \
    "10\nfunction " HASHES "20\nsteps 0\nR0: 3 R1 R1 12\nR1: 5 5\npart\nR0: 7\n" \
    "steps 3 given 18\nR0: 30\n"

static void test_text(void **state)
{
    struct trod_profile_health health;
    struct trod_profile profile, back;
    struct trod_string bytes;
    uint32_t function;
    uint64_t id;
    struct trod_profile_terminals terminals;

    (void)state;
    must(try_parse(&profile, STEPS));
    must(trod_profile_check(&profile, &have.err));
    assert_string_equal(print(&profile), STEPS);
    assert_int_equal(profile.nsteps, 2);
    assert_int_equal(profile.steps[1].ngiven, 18);
    assert_string_equal(profile.steps[1].grammar.name, "thread3");
    assert_int_equal(trod_profile_nstep(&profile, &have.mem), 8);
    trod_string_init(&bytes, &have.mem);
    must(trod_profile_write(
        &bytes.sink, &profile, &trod_zstd_codec, &have.mem, &have.err));
    back = read(&health, &bytes);
    assert_int_equal(health.nloss, 0);
    assert_string_equal(print(&back), STEPS);
    trod_profile_terminals(&terminals, &profile.module[0], &have.mem);
    assert_true(trod_profile_step(&function, &id, &terminals, 30));
    assert_int_equal(function, 1);
    assert_int_equal(id, 19);
    assert_true(trod_profile_step(&function, &id, &terminals, 9));
    assert_false(trod_profile_step(&function, &id, &terminals, 10));
    assert_false(trod_profile_step(&function, &id, &terminals, 31));
    assert_false(trod_profile_step(&function, &id, &terminals, UINT64_MAX));
}

static void test_words(void **state)
{
    static const char *const bad[][2] = {
        {"profile\nsteps 0\nR0: 1\n", "steps must belong to a module"},
        {"profile\nmodule a steps\nfunction " HASHES "10\nsteps 0\nR0: 10\n",
            "10 in the steps of thread 0 above is not a subpath"},
        {"profile\nmodule a steps\nfunction " HASHES
         "10\nsteps 1\nR0: 1\nsteps 1\nR0: 1\n",
            "threads must ascend: 1 follows 1"},
        {"profile\nmodule a steps\nsteps 4294967296\nR0:\n", "is below 4294967296"},
        {"profile\nmodule a steps\nsteps 0 given\nR0:\n", "how many are missing"},
        {"profile\nmodule a steps\nsteps 0\n", "there is no rule"},
        {"profile\nmodule a steps\nsteps 0\nR0: R1\n", "which has no line"},
    };
    struct trod_profile profile;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(try_parse(&profile, bad[i][0]));
        if (!strstr(have.err.text, bad[i][1]))
            fail_msg("%s: not in %s", bad[i][1], have.err.text);
    }
}

static void test_refused(void **state)
{
    struct trod_profile profile, sum;
    const struct trod_profile *both[2] = {&profile, &profile};
    struct trod_profile_diff diff;

    (void)state;
    must(try_parse(&profile, STEPS));
    assert_false(trod_profile_merge(&sum, both, 2, NULL, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "trod calls steps"));
    assert_false(trod_profile_diff(&diff, &profile, &profile, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "trod calls steps"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(layout),
        TEST(open),
        TEST(undo),
        TEST(queue),
        TEST(parts),
        TEST(bad_nodes),
        TEST(bad_heads),
        TEST(bad_parts),
        TEST(text),
        TEST(words),
        TEST(refused),
    };

    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
