/* All block sequences of a trace: the table equals a comparison of all of them with each
 * other, for every definition of identity, and however the trace is cut into pieces.
 */
#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "online/every.h"

enum { MOST = 160, THREADS = 3, LENGTHS = 4, MEMORY = 1 << 20 };

enum fault {
    NONE,
    DROPPED,  /* a block is not counted */
    SWAPPED,  /* two blocks are counted in the wrong order */
    CROSSED,  /* gaps are passed over */
    MIXED,    /* all threads are one */
    ONE_MORE, /* a length is another */
    STRICT,   /* rotations are not one */
    LENIENT,  /* what has the same blocks is one */
    HURRIED,  /* the last block was not there yet */
    SHUFFLED  /* a chunk goes to another thread */
};

struct event {
    uint32_t thread, block; /* or TROD_EVERY_GAP */
};

struct trace {
    struct event at[MOST];
    uint32_t count;
    uint32_t length[LENGTHS], nlength;
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- traces --------------------------------------------------------------------------------- */

static void add_event(struct trace *t, uint32_t thread, uint32_t block)
{
    if (t->count < MOST)
        t->at[t->count++] = (struct event){thread, block};
}

/* Iterations of something, by one thread, and then by another: loops with a block that differs now and then. */
static void draw_rounds(struct trace *t, struct kit_prop *p, uint32_t thread)
{
    uint32_t from = t->count, to;

    for (uint64_t n = 1 + kit_draw(p, 5); n > 0; n--)
        add_event(t, thread, (uint32_t)kit_draw(p, 4));
    to = t->count;
    for (uint64_t n = kit_draw(p, 8); n > 0; n--)
        for (uint32_t i = from; i < to; i++)
            add_event(t, thread, t->at[i].block);
}

static void draw_plain(struct trace *t, struct kit_prop *p, uint32_t thread)
{
    uint64_t alphabet = 1 + kit_draw(p, 4);

    for (uint64_t n = kit_draw(p, 12); n > 0; n--)
        add_event(t, thread, (uint32_t)kit_draw(p, alphabet));
}

static void draw_trace(struct trace *t, struct kit_prop *p)
{
    static const uint32_t common[] = {2, 4, 8, 16, 3, 5, 6, 7, 9, 12, 17};

    t->count = t->nlength = 0;
    for (uint64_t n = 1 + kit_draw(p, LENGTHS); n > 0; n--)
        t->length[t->nlength++] = common[kit_draw(p, sizeof common / sizeof *common)];
    for (uint64_t n = kit_draw(p, 8); n > 0; n--) {
        uint32_t thread = (uint32_t)kit_draw(p, THREADS);
        uint64_t shape = kit_draw(p, 5);

        if (shape == 4)
            add_event(t, thread, TROD_EVERY_GAP);
        else if (shape >= 2)
            draw_rounds(t, p, thread);
        else
            draw_plain(t, p, thread);
    }
    for (uint32_t i = 0; i < t->nlength; i++)
        kit_note(p, "length %" PRIu32, t->length[i]);
    for (uint32_t i = 0; i < t->count; i++)
        kit_note(p, "thread %" PRIu32 ": %" PRId32, t->at[i].thread,
            (int32_t)t->at[i].block);
}

/* --- brute force ------------------------------------------------------------------------------ */

struct seen {
    uint32_t block[MOST][32];
    uint32_t count;
};

/* All subpaths of one length: of each event, those that end there. */
static void see_all(struct seen *out, const struct trace *t, uint32_t length)
{
    out->count = 0;
    for (uint32_t end = 0; end < t->count; end++) {
        uint32_t n = 0, block[32];

        for (uint32_t i = end + 1; i-- > 0 && n < length;) {
            if (t->at[i].thread != t->at[end].thread)
                continue;
            if (t->at[i].block == TROD_EVERY_GAP)
                break;
            block[length - ++n] = t->at[i].block;
        }
        if (n == length)
            memcpy(out->block[out->count++], block, length * sizeof *block);
    }
}

static bool is_rotation(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (uint32_t shift = 0; shift < n; shift++) {
        uint32_t i = 0;

        while (i < n && a[i] == b[(i + shift) % n])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

static bool is_one(enum trod_sample_identity identity, const uint32_t *a,
    const uint32_t *b, uint32_t n)
{
    uint32_t all = 0;

    if (identity == TROD_SAMPLE_SEQUENCE)
        return memcmp(a, b, n * sizeof *a) == 0;
    if (identity == TROD_SAMPLE_ROTATION)
        return is_rotation(a, b, n);
    for (uint32_t i = 0; i < n; i++)
        all ^= a[i] ^ b[i];
    return all == 0;
}

static uint64_t count_like(const struct seen *seen, enum trod_sample_identity identity,
    const uint32_t *block, uint32_t length)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < seen->count; i++)
        n += is_one(identity, seen->block[i], block, length);
    return n;
}

static uint64_t count_classes(
    const struct seen *seen, enum trod_sample_identity identity, uint32_t length)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < seen->count; i++) {
        uint32_t k = 0;

        while (!is_one(identity, seen->block[k], seen->block[i], length))
            k++;
        n += k == i;
    }
    return n;
}

/* --- what is tested ---------------------------------------------------------------------------- */

static void spoil(struct trace *t, enum fault fault)
{
    uint32_t n = 0;

    if (fault == DROPPED && t->count)
        memmove(t->at, t->at + 1, --t->count * sizeof *t->at);
    if (fault == HURRIED && t->count)
        t->count--;
    if (fault == SWAPPED && t->count > 1) {
        struct event last = t->at[t->count - 1];

        t->at[t->count - 1] = t->at[t->count - 2];
        t->at[t->count - 2] = last;
    }
    if (fault == ONE_MORE)
        t->length[0] = t->length[0] == 2 ? 3 : 2;
    for (uint32_t i = 0; i < t->count; i++) {
        if (fault == MIXED)
            t->at[i].thread = 0;
        if (fault != CROSSED || t->at[i].block != TROD_EVERY_GAP)
            t->at[n++] = t->at[i];
    }
    t->count = n;
}

/* Blocks of one thread go in together, as far as a draw lets them. */
static bool feed(struct trod_every *every, const struct trace *t, struct kit_prop *p,
    struct trod_err *err)
{
    for (uint32_t i = 0; i < t->count;) {
        uint32_t n = 0, block[MOST], most = 1 + (uint32_t)kit_draw(p, 40);

        for (uint32_t k = i;
            k < t->count && n < most && t->at[k].thread == t->at[i].thread;)
            block[n++] = t->at[k++].block;
        if (!trod_every_add(every, UINT64_C(7) * t->at[i].thread, block, n, err))
            return false;
        i += n;
    }
    return true;
}

static bool count(struct trod_every *out, const struct trace *t, enum fault fault,
    struct kit_prop *p, struct sample *s)
{
    struct trace in = *t;
    struct trod_every_options options;

    spoil(&in, fault);
    options = (struct trod_every_options){
        .memory = MEMORY, .length = in.length, .nlength = in.nlength};
    if (!trod_every_init(out, &options, &s->mem, &s->err) ||
        !feed(out, &in, p, &s->err) || !trod_every_check(out, &s->mem, &s->err)) {
        kit_note(p, "%s", s->err.text);
        return false;
    }
    return true;
}

/* Every subpath is in the table as often as it is in the trace, and no other is. */
static bool counts(struct kit_prop *p, void *ctx)
{
    static struct seen seen;
    struct trod_every every;
    struct trace t;
    struct sample s;

    begin(&s);
    draw_trace(&t, p);
    if (!count(&every, &t, fault_in(ctx), p, &s))
        return end(&s, false);
    for (uint32_t l = 0; l < every.nlevel; l++) {
        uint32_t n = every.level[l].length, block[32];

        see_all(&seen, &t, n);
        if (every.level[l].count != seen.count ||
            every.level[l].distinct != count_classes(&seen, TROD_SAMPLE_SEQUENCE, n))
            return end(&s, wrong(p, "more or fewer subpaths than there are"));
        for (uint32_t i = 0; i < seen.count; i++) {
            uint32_t number = trod_every_find(&every, l, seen.block[i]);

            if (number == UINT32_MAX ||
                (every.entry[number].state & TROD_EVERY_COUNT) !=
                    count_like(&seen, TROD_SAMPLE_SEQUENCE, seen.block[i], n))
                return end(&s, wrong(p, "a subpath is not counted right"));
            trod_every_expand(block, &every, l, number);
            if (memcmp(block, seen.block[i], n * sizeof *block) != 0)
                return end(&s, wrong(p, "a subpath has other blocks"));
        }
    }
    for (uint32_t i = 0; i < t.nlength; i++) {
        uint32_t l = 0;

        while (l < every.nlevel && every.level[l].length != t.length[i])
            l++;
        if (l == every.nlevel || !every.level[l].asked)
            return end(&s, wrong(p, "a length that was asked for is not there"));
    }
    return end(&s, true);
}

static bool check_rows(const struct trod_every_answer *a, const struct trace *t,
    enum trod_sample_identity identity, double weight)
{
    static struct seen seen;

    for (size_t i = 0; i < a->nrow; i++) {
        const struct trod_every_row *row = &a->row[i];
        double score = (double)row->count;

        see_all(&seen, t, row->length);
        for (uint32_t k = 0; weight > 0 && k < 1; k++)
            score *= row->length;
        if (row->count != count_like(&seen, identity, row->block, row->length) ||
            row->score != score || (i > 0 && row[-1].score < row->score))
            return false;
        if (identity == TROD_SAMPLE_ROTATION &&
            trod_online_rotation(row->block, row->length) != 0)
            return false;
    }
    return true;
}

static bool is_same_row(const struct trod_every_row *a, const struct trod_every_row *b)
{
    return a->count == b->count && a->length == b->length &&
           memcmp(a->block, b->block, a->length * sizeof *a->block) == 0;
}

/* Classes are those that comparing all pairs gives; asked for some, one gets the first. */
static bool merges(struct kit_prop *p, void *ctx)
{
    static struct seen seen;
    enum fault fault = fault_in(ctx);
    enum trod_sample_identity identity, other;
    struct trod_every_answer all, some;
    struct trod_every every;
    double weight;
    struct trace t;
    struct sample s;
    size_t most;

    begin(&s);
    identity = (enum trod_sample_identity)kit_draw(p, 3);
    other = fault == STRICT    ? TROD_SAMPLE_SEQUENCE
            : fault == LENIENT ? TROD_SAMPLE_XOR
                               : identity;
    weight = (double)kit_draw(p, 2);
    most = 1 + (size_t)kit_draw(p, 12);
    draw_trace(&t, p);
    if (!count(&every, &t, NONE, p, &s))
        return end(&s, false);
    trod_every_merge(&all, &every, other, weight, 0, &s.mem);
    if (all.ncollision || !check_rows(&all, &t, identity, weight))
        return end(&s, wrong(p, "a class is not counted right, or out of order"));
    for (uint32_t i = 0; i < all.nsum; i++) {
        see_all(&seen, &t, all.sum[i].length);
        if (all.sum[i].nsubpath != seen.count ||
            all.sum[i].nclass != count_classes(&seen, identity, all.sum[i].length))
            return end(&s, wrong(p, "more or fewer classes than there are"));
    }
    if (all.nrow != all.nclass)
        return end(&s, wrong(p, "not all classes are there"));
    if (fault == HURRIED && !count(&every, &t, fault, p, &s))
        return end(&s, true);
    for (int quick = 0; quick < 2; quick++) {
        if (quick)
            trod_every_hottest(&some, &every, identity, weight, most, &s.mem);
        else
            trod_every_merge(&some, &every, identity, weight, most, &s.mem);
        if (some.nrow != (most < all.nrow ? most : all.nrow))
            return end(&s, wrong(p, "not as many as asked for"));
        for (size_t i = 0; i < some.nrow; i++)
            if (!is_same_row(&some.row[i], &all.row[i]))
                return end(&s, wrong(p, "asked for some, one gets others"));
    }
    return end(&s, true);
}

/* --- files -------------------------------------------------------------------------------------- */

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    (void)err;
    for (size_t i = 0; i < nblock; i++)
        add_event(ctx, (uint32_t)thread, block[i]);
    return true;
}

static uint32_t put_chunks(
    uint32_t *out, const struct trace *t, struct kit_prop *p, enum fault fault)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->count;) {
        uint32_t most = 1 + (uint32_t)kit_draw(p, 40), *head = out + n;

        head[0] = TROD_TRACE_MAGIC;
        head[1] = t->at[i].thread + (fault == SHUFFLED && i > 0);
        head[2] = head[3] = 0;
        n += 4;
        for (uint32_t first = i;
            i < t->count && head[2] < most && t->at[i].thread == t->at[first].thread;
            head[2]++)
            out[n++] = t->at[i++].block;
    }
    return n * (uint32_t)sizeof *out;
}

/* Bytes come in pieces of any size, and what is left over of one goes before the next. */
static bool reads_pieces(struct kit_prop *p, void *ctx)
{
    static uint32_t file[8 * MOST], piece[8 * MOST];
    struct trace t, got = {.count = 0};
    struct trod_trace trace = {.name = "t", .take = take, .ctx = &got};
    uint32_t length, at = 0, have = 0;
    struct trod_err err;

    draw_trace(&t, p);
    length = put_chunks(file, &t, p, fault_in(ctx));
    while (at < length) {
        uint32_t n = 1 + (uint32_t)kit_draw(p, 300);
        size_t used;

        n = n < length - at ? n : length - at;
        memcpy((char *)piece + have, (char *)file + at, n);
        at += n;
        have += n;
        if (!trod_trace_take(&used, &trace, piece, have, &err))
            return wrong(p, err.text);
        have -= (uint32_t)used;
        memmove(piece, (char *)piece + used, have);
    }
    if (have || trace.at != length)
        return wrong(p, "something is left over");
    return (got.count == t.count &&
               memcmp(got.at, t.at, t.count * sizeof *t.at) == 0) ||
           wrong(p, "what is read is not what was written");
}

/* --- all of them -------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"the table has every subpath, as often as it ran", counts,
        {DROPPED, SWAPPED, CROSSED, MIXED, ONE_MORE}},
    {"classes are those of comparing all with all", merges, {STRICT, LENIENT, HURRIED}},
    {"traces are read in pieces of any size", reads_pieces, {SHUFFLED}},
};

int main(void)
{
    return kit_run_tested("every", properties, sizeof properties / sizeof *properties);
}
