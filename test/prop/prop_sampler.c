/* The sampler on random traces with breaks: with any options its invariants hold after every
 * block. If a sample begins at every block and there is room for all, it counts every block
 * sequence.
 */
#include "kit/sampler_harness.h"

#include <inttypes.h>

enum { BLOCKS = 150, LONGEST = 12 };

enum fault {
    NONE,
    OTHER_IDENTITY, /* rotations are distinguished, or not */
    NO_BREAK,       /* a break is not reported */
    SHORT,          /* the model's subpaths are a block shorter */
    TWICE,          /* an entry is counted twice */
    LEAKING         /* a free chunk is lost */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

struct line {
    uint32_t at[BLOCKS];
    bool broken[BLOCKS];   /* before this one */
    uint32_t aims[BLOCKS]; /* before this one f is to be about this; 0: as it is */
    uint32_t count;
};

/* Loops of some length, with something else in between. */
static void draw_line(struct line *out, struct kit_prop *p)
{
    uint64_t alphabet = 1 + kit_draw(p, 6), scale = 1 + kit_draw(p, 3) * 100000;

    out->count = 0;
    while (out->count < BLOCKS && kit_draw(p, 12)) {
        uint32_t period = 1 + (uint32_t)kit_draw(p, 6), first = out->count;
        uint32_t n = (uint32_t)kit_draw(p, 60), i;

        for (i = 0; i < n && out->count < BLOCKS; i++) {
            out->broken[out->count] = i == 0 && first && !kit_draw(p, 3);
            out->aims[out->count] = kit_draw(p, 9) ? 0 : (uint32_t)kit_draw(p, 40);
            out->at[out->count] = i < period ? (uint32_t)(kit_draw(p, alphabet) * scale)
                                             : out->at[out->count - period];
            out->count++;
        }
    }
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- promises ------------------------------------------------------------------------------------ */

static void draw_options(char *out, size_t room, struct kit_prop *p)
{
    static const char *const lengths[] = {
        "powers", "uniform", "inverse", "3:1", "2:.25+5:.5+11:.25"};
    static const char *const identities[] = {"rotation", "sequence", "xor"};
    static const char *const ages[] = {
        "", ",age=20", ",window=50", ",window=7", ",age=1"};
    static const char *const grows[] = {"2", "1.3", "4", "50"};
    size_t length = kit_draw(p, 5);

    snprintf(out, room,
        "memory=%" PRIu64 ",f=%" PRIu64 ",most=%" PRIu64
        ",lengths=%s%s,identity=%s%s,grow=%s,costs=%s,ones=%s",
        8192 + kit_draw(p, 9000), 1 + kit_draw(p, 5), 16 + kit_draw(p, 400),
        lengths[length], length < 3 ? ",longest=16" : "", identities[kit_draw(p, 3)],
        ages[kit_draw(p, 5)], grows[kit_draw(p, 4)], kit_draw(p, 2) ? "yes" : "no",
        kit_draw(p, 2) ? "text" : "hash");
    kit_note(p, "%s", out);
}

static bool promises_hold(struct kit_prop *p, void *ctx)
{
    static struct line line;
    struct sampler_harness f;
    char options[200];
    const char *why;
    uint32_t i;

    draw_options(options, sizeof options, p);
    draw_line(&line, p);
    if (!sampler_harness_open(&f, options, kit_draw(p, 1000), &why))
        return wrong(p, why);
    why = NULL;
    for (i = 0; i < line.count && !why; i++) {
        if (line.broken[i])
            sampler_harness_break(&f);
        if (line.aims[i])
            sampler_harness_aim(&f, line.aims[i]);
        sampler_harness_block_of(&f, line.at[i], 1 + line.at[i] % 255);
        if (fault_in(ctx) == TWICE && i == 40 && f.s->nentry)
            f.s->entry[0].state++;
        if (fault_in(ctx) == LEAKING && i == 40 && f.s->free_chunk)
            f.s->free_chunk = 0;
        if (i % 16 == 0 || i + 1 == line.count)
            why = sampler_harness_check(&f);
    }
    if (why)
        kit_note(p, "%s, after %" PRIu32 " blocks", why, i);
    sampler_harness_close(&f);
    return !why;
}

/* --- exact ------------------------------------------------------------------------------------------ */

static uint32_t at_of(const struct line *line, uint32_t first, uint32_t n, uint32_t i)
{
    return line->at[first + i % n];
}

/* Whether two subpaths of a trace are one: by trying all rotations. */
static bool are_one(
    const struct line *line, uint32_t a, uint32_t b, uint32_t n, bool rotations)
{
    uint32_t r, i;

    for (r = 0; r < (rotations ? n : 1); r++) {
        for (i = 0; i < n && at_of(line, a, n, i) == at_of(line, b, n, i + r); i++) {
        }
        if (i == n)
            return true;
    }
    return false;
}

static bool is_whole(const struct line *line, uint32_t first, uint32_t n)
{
    uint32_t i;

    for (i = first + 1; i < first + n && i < line->count; i++)
        if (line->broken[i])
            return false;
    return first + n <= line->count;
}

/* As often as a subpath of the trace is in it, its entry counts; and each entry is in it. */
static bool is_counted(struct kit_prop *p, const struct sampler_harness *f,
    const struct line *line, uint32_t n, bool rotations)
{
    static struct sampled got;
    uint32_t i, j, nfirst = 0, nentry = 0;

    for (i = 0; i < f->shared->nentry; i++)
        nentry += sampler_harness_get(&got, f->shared, i);
    for (i = 0; i + n <= line->count; i++) {
        uint32_t row[LONGEST], count = 0, first = line->count, least;

        if (!is_whole(line, i, n))
            continue;
        for (j = 0; j + n <= line->count; j++) {
            if (is_whole(line, j, n) && are_one(line, i, j, n, rotations)) {
                first = j < first ? j : first;
                count++;
            }
        }
        nfirst += first == i;
        least = rotations ? __trod_sampler_least(line->at + i, n) : 0;
        for (j = 0; j < n; j++)
            row[j] = at_of(line, i, n, least + j);
        if (!sampler_harness_find(&got, f->shared, row, n))
            return wrong(p, "a subpath is not there");
        if (got.count != count)
            return wrong(p, "a subpath is not counted right");
    }
    return nfirst == nentry || wrong(p, "there are too many entries");
}

static bool all_are_counted(struct kit_prop *p, void *ctx)
{
    static struct line line;
    enum fault fault = fault_in(ctx);
    uint32_t n = 2 + (uint32_t)kit_draw(p, LONGEST - 1), i;
    bool rotations = kit_draw(p, 2), right;
    struct sampler_harness f;
    char options[100];
    const char *why;

    draw_line(&line, p);
    snprintf(options, sizeof options,
        "f=1,ones=text,memory=64k,lengths=%" PRIu32 ":1,identity=%s", n,
        rotations ? "rotation" : "sequence");
    if (!sampler_harness_open(&f, options, 1, &why))
        return wrong(p, why);
    for (i = 0; i < line.count; i++) {
        if (line.broken[i] && fault != NO_BREAK)
            sampler_harness_break(&f);
        sampler_harness_block(&f, line.at[i]);
    }
    right = is_counted(p, &f, &line, fault == SHORT ? n - 1 : n,
        fault == OTHER_IDENTITY ? !rotations : rotations);
    if (!right)
        kit_note(p, "%s, %" PRIu32 " blocks", options, line.count);
    sampler_harness_close(&f);
    return right;
}

/* --- */

static void test_promises_hold(void **state)
{
    (void)state;
    kit_check("a sampler keeps what it promises", promises_hold, NULL);
}

static void test_all_are_counted(void **state)
{
    (void)state;
    kit_check("every subpath is counted", all_are_counted, NULL);
}

static void test_planted(void **state)
{
    static enum fault faults[] = {TWICE, LEAKING, OTHER_IDENTITY, NO_BREAK, SHORT};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof faults / sizeof *faults; i++)
        kit_check_planted("a fault in the sampler is found",
            faults[i] == TWICE || faults[i] == LEAKING ? promises_hold
                                                       : all_are_counted,
            faults + i);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promises_hold),
        cmocka_unit_test(test_all_are_counted),
        cmocka_unit_test(test_planted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
