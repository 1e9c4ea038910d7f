#include "probe/probe.h"

enum {
    SPARE = 32768,          /* bytes of memory that are always acceptable */
    SPARE_UNTESTED = 65536, /* the same for a function without any tested path */
    MOST_SLOT_BITS = 24,    /* of a hash */
    MOST_BITS = 1 << 23,    /* most paths with one bit each in memory: 1 MiB */
    MOST_PREFER = 20000,    /* most paths of interest for preferential numbering */
    MOST_WIDTH = 1 << 24,   /* of preferential ids and selective sums */
    FREE_SLOTS = 64,        /* slots that may be wasted */
    MOST_DELTA = 4,         /* most slots per path of interest */
    LEAST_LOW_BITS = 6      /* bits of a shift count that a 64-bit shift uses */
};

/* The input of a candidate, and its result. */
struct chooser {
    struct trod_choice *choice;
    const struct trod_loops *loops;
    const struct trod_choose_options *options;
    struct trod_arena *mem;
};

struct made {
    struct trod_numbering numbering;
    struct trod_ending ending;
    struct trod_plan plan;
};

static struct trod_ending blank(const struct chooser *m, enum trod_ending_kind kind)
{
    uint64_t npath = m->choice->ballarus.npath;

    return (struct trod_ending){.kind = kind,
        .want = m->options->want,
        .npath = npath,
        .direct = m->options->want == TROD_WANT_UNTESTED && kind != TROD_END_ALL &&
                  npath < SPARE / sizeof(uint64_t)};
}

/* --- slots ------------------------------------------------------------------------ */

static trod_path *empty_slots(uint64_t nslot, struct trod_arena *mem)
{
    trod_path *id_of_slot = trod_new(mem, trod_path, nslot);

    for (uint64_t i = 0; i < nslot; i++)
        id_of_slot[i] = TROD_NO_PATH;
    return id_of_slot;
}

/* Assign each path of interest to the slot of its sum. Sums beyond the last slot have none. */
static void fill_slots(struct trod_ending *ending, const struct chooser *m,
    const struct trod_numbering *numbering)
{
    const struct trod_choice *c = m->choice;
    trod_path *id_of_slot = empty_slots(ending->nslot, m->mem);
    struct trod_mark mark = trod_arena_mark(m->mem);
    trod_edge *step = trod_new(m->mem, trod_edge, c->dag.nreach);

    for (size_t i = 0; i < c->interest.paths.count; i++) {
        trod_path id = c->interest.paths.id[i];
        uint32_t n = trod_number_decode(step, &c->ballarus, id);
        uint64_t slot =
            (uint64_t)trod_number_sum(numbering, step, n) - (uint64_t)ending->min;

        if (slot < ending->nslot)
            id_of_slot[slot] = id;
    }
    trod_arena_rewind(m->mem, mark);
    ending->id_of_slot = id_of_slot;
}

/* --- candidates ------------------------------------------------------------------- */

static const char *make_all(struct made *out, const struct chooser *m)
{
    out->numbering = m->choice->ballarus;
    out->ending = blank(m, TROD_END_ALL);
    out->ending.nslot = out->ending.npath;
    return NULL;
}

static double width_of(const struct chooser *m, const struct trod_numbering *n,
    struct trod_measure *measure)
{
    trod_number_measure(measure, n, &m->choice->interest, m->mem);
    return measure->width;
}

/* The numbering with the fewest probes; if its sums are too sparse, the densest one. */
static const char *make_select(struct made *out, const struct chooser *m)
{
    const struct trod_interest *in = &m->choice->interest;
    struct trod_measure few, dense;
    struct trod_numbering core;
    struct trod_err err;
    bool has_few, has_core;
    double most = (double)MOST_DELTA * (double)in->paths.count + FREE_SLOTS;

    if (trod_wants_others(m->options->want))
        return "it does not distinguish untested paths";
    has_few = trod_number_selective(&out->numbering, in, m->mem, &err) &&
              width_of(m, &out->numbering, &few) <= MOST_WIDTH;
    has_core = (!has_few || few.width > most) &&
               trod_number_core(&core, in, m->mem, &err) &&
               width_of(m, &core, &dense) <= MOST_WIDTH;
    if (has_core && (!has_few || dense.width < few.width)) {
        out->numbering = core;
        few = dense;
    } else if (!has_few) {
        return "its sums lie too far apart";
    }
    out->ending = blank(m, TROD_END_SELECT);
    out->ending.min = few.min;
    out->ending.nslot = (uint64_t)few.width;
    /* If there is room for all sums, no bounds check is needed. */
    if ((double)out->numbering.max - (double)out->numbering.min + 1 <=
        2 * few.width + FREE_SLOTS) {
        out->ending.min = out->numbering.min;
        out->ending.nslot =
            (uint64_t)out->numbering.max - (uint64_t)out->numbering.min + 1;
    }
    fill_slots(&out->ending, m, &out->numbering);
    return NULL;
}

/* Put a second sum above the ids in the same register. Arithmetic is modulo 2^64, so the ids in the low bits are exact.
 */
static const char *put_above_ids(struct made *out, const struct chooser *m,
    enum trod_ending_kind kind, const struct trod_numbering *high)
{
    const struct trod_numbering *ids = &m->choice->ballarus;
    uint32_t nedge = ids->dag->shape.nedge;
    int64_t *val = trod_new(m->mem, int64_t, nedge);
    unsigned low_bits = trod_bit_width(ids->npath - 1);

    if (low_bits > 40)
        return "ids take too many bits";
    if (low_bits < LEAST_LOW_BITS)
        low_bits = LEAST_LOW_BITS;
    for (trod_edge e = 0; e < nedge; e++)
        val[e] = (int64_t)(((uint64_t)high->val_of_edge[e] << low_bits) +
                           (uint64_t)ids->val_of_edge[e]);
    out->numbering = (struct trod_numbering){.kind = TROD_PACKED,
        .dag = ids->dag,
        .val_of_edge = val,
        .min = INT64_MIN,
        .max = INT64_MAX,
        .low_bits = low_bits};
    out->ending = blank(m, kind);
    out->ending.low_bits = low_bits;
    return NULL;
}

/* If ids are sparse, outliers are reported like untested paths and filtered later. The table covers the majority. */
static const char *make_prefer(struct made *out, const struct chooser *m)
{
    const struct trod_interest *in = &m->choice->interest;
    struct trod_numbering high;
    struct trod_measure measure;
    const char *why_not;
    double most = MOST_WIDTH;

    if (!trod_wants_counts(m->options->want))
        return "it would count tested paths";
    if (!in->paths.count || in->paths.count > MOST_PREFER)
        return in->paths.count ? "there are too many paths for this numbering"
                               : "there is no path to prefer";
    trod_number_preferential(&high, in, TROD_PREFER_BEST, m->mem);
    trod_number_measure(&measure, &high, in, m->mem);
    if (trod_wants_others(m->options->want))
        most = (double)MOST_DELTA * (double)in->paths.count + FREE_SLOTS;
    else if (measure.width > most)
        return "its ids lie too far apart";
    why_not = put_above_ids(out, m, TROD_END_PREFER, &high);
    if (why_not)
        return why_not;
    out->ending.nslot = (uint64_t)(measure.width < most ? measure.width : most);
    fill_slots(&out->ending, m, &high);
    return NULL;
}

/* Ids; if only strays are reported, with the stray sum above them. */
static const char *put_strays_above_ids(
    struct made *out, const struct chooser *m, enum trod_ending_kind kind)
{
    struct trod_numbering strays;
    const char *why_not;

    if (trod_wants_counts(m->options->want)) {
        out->numbering = m->choice->ballarus;
        out->ending = blank(m, kind);
        return NULL;
    }
    trod_number_stray(&strays, &m->choice->interest, m->mem);
    why_not = put_above_ids(out, m, kind, &strays);
    out->ending.strays = true;
    return why_not;
}

static const char *make_hash(struct made *out, const struct chooser *m)
{
    const struct trod_pathset *paths = &m->choice->interest.paths;
    const char *why_not = put_strays_above_ids(out, m, TROD_END_HASH);
    trod_path *id_of_slot;
    struct trod_err err;

    if (why_not)
        return why_not;
    if (!trod_number_hash(&out->ending.hash, paths, MOST_SLOT_BITS, m->mem, &err))
        return "no multiplier gives the paths distinct slots";
    out->ending.nslot = out->ending.hash.nslot;
    id_of_slot = empty_slots(out->ending.nslot, m->mem);
    for (size_t i = 0; i < paths->count; i++)
        id_of_slot[trod_slot(&out->ending.hash, paths->id[i])] = paths->id[i];
    out->ending.id_of_slot = id_of_slot;
    return NULL;
}

static const char *make_stray(struct made *out, const struct chooser *m)
{
    const struct trod_interest *in = &m->choice->interest;

    if (trod_wants_counts(m->options->want))
        return "it does not count tested paths";
    if (trod_interest_ncore(in, m->mem) != in->paths.count)
        return "some untested path has tested edges only";
    return put_strays_above_ids(out, m, TROD_END_STRAY);
}

static const char *make_bits(
    struct made *out, const struct chooser *m, enum trod_ending_kind kind)
{
    const struct trod_pathset *paths = &m->choice->interest.paths;
    uint64_t npath = m->choice->ballarus.npath, *set;
    const char *why_not;

    if (trod_wants_counts(m->options->want))
        return "it does not count tested paths";
    if (npath > (kind == TROD_END_MASK ? 64 : MOST_BITS))
        return "there are too many paths for a bit each";
    set = trod_new(m->mem, uint64_t, TROD_WORDS(npath));
    for (size_t i = 0; i < paths->count; i++)
        trod_add(set, paths->id[i]);
    why_not = put_strays_above_ids(out, m, kind);
    out->ending.interest = set;
    return why_not;
}

static const char *make_numbers(
    struct made *out, const struct chooser *m, enum trod_ending_kind kind)
{
    switch (kind) {
    case TROD_END_ALL:
        return make_all(out, m);
    case TROD_END_SELECT:
        return make_select(out, m);
    case TROD_END_PREFER:
        return make_prefer(out, m);
    case TROD_END_HASH:
        return make_hash(out, m);
    case TROD_END_STRAY:
        return make_stray(out, m);
    case TROD_END_MASK:
    case TROD_END_BITS:
        break;
    }
    return make_bits(out, m, kind);
}

/* The cost of locating the thread's counters, once per call, in a function that counts. */
static double price_of_thread(const struct made *made)
{
    const struct trod_plan *plan = &made->plan;
    const struct trod_dag *dag = made->numbering.dag;
    enum { LOAD_TEST_BRANCH = 3 };

    for (uint32_t i = 0; i < plan->first_op[plan->nsite]; i++) {
        const struct trod_op *op = &plan->op[i];

        if ((op->kind == TROD_OP_COUNT || op->kind == TROD_OP_COUNT_AT) &&
            (op->action == TROD_ACTION_COUNT ||
                (op->action == TROD_ACTION_ASK &&
                    trod_wants_counts(made->ending.want))))
            return LOAD_TEST_BRANCH *
                   (double)trod_site_weight(dag, trod_site_in(dag->graph));
    }
    return 0;
}

static void make(struct made *out, const struct chooser *m, enum trod_ending_kind kind)
{
    struct trod_candidate *candidate = &m->choice->candidate[kind];
    struct trod_probe_options options = {.no_begin = true,
        .no_trips = m->options->no_trips,
        .ending = &out->ending,
        .interest = &m->choice->interest};
    size_t ninterest = m->choice->interest.paths.count;

    *candidate = (struct trod_candidate){.why_not = make_numbers(out, m, kind)};
    if (candidate->why_not)
        return;
    candidate->possible = true;
    trod_probe_plan(&out->plan, &out->numbering, m->loops, &options, m->mem);
    trod_probe_cost(&candidate->cost, &out->plan, &trod_prices_default, m->mem);
    candidate->total = candidate->cost.dynamic + price_of_thread(out);
    candidate->bytes = trod_ending_bytes(&out->ending);
    if (ninterest)
        candidate->delta = (double)out->ending.nslot / (double)ninterest;
}

/* --- the choice ------------------------------------------------------------------- */

static uint64_t room(const struct trod_choice *c)
{
    uint64_t least = UINT64_MAX / 2;
    uint64_t spare = c->interest.paths.count ? SPARE : SPARE_UNTESTED;

    for (int k = 0; k < TROD_NENDING; k++)
        if (c->candidate[k].possible && c->candidate[k].bytes < least)
            least = c->candidate[k].bytes;
    return 2 * least < spare ? spare : 2 * least;
}

static bool is_better(const struct trod_candidate *a, const struct trod_candidate *b)
{
    if (a->total < b->total || a->total > b->total)
        return a->total < b->total;
    return a->bytes < b->bytes;
}

static int best_of(const struct trod_choice *c)
{
    uint64_t most = room(c);
    int best = -1;

    for (int k = 0; k < TROD_NENDING; k++)
        if (c->candidate[k].possible && c->candidate[k].bytes <= most &&
            (best < 0 || is_better(&c->candidate[k], &c->candidate[best])))
            best = k;
    return best;
}

static const char *why(const struct chooser *m, int best)
{
    const struct trod_choice *c = m->choice;

    for (int k = 0; k < TROD_NENDING; k++)
        if (k != best && c->candidate[k].possible &&
            is_better(&c->candidate[k], &c->candidate[best]))
            return "the cheapest at run time among those that save memory";
    return m->options->only ? "as asked" : "the cheapest at run time";
}

static bool is_needless(struct chooser *m)
{
    struct trod_choice *c = m->choice;

    c->needless = trod_wants_others(m->options->want)
                      ? c->interest.paths.count == c->ballarus.npath
                      : c->interest.paths.count == 0;
    if (c->needless)
        c->why = trod_wants_others(m->options->want) ? "every path is tested"
                                                     : "no path of it was chosen";
    return c->needless;
}

bool trod_probe_choose(struct trod_choice *out, const struct trod_numbering *ballarus,
    const struct trod_pathset *paths, const struct trod_loops *loops,
    const struct trod_choose_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct chooser m = {out, loops, options, mem};
    struct made *made = trod_new(mem, struct made, TROD_NENDING);
    int best;

    *out = (struct trod_choice){.ballarus = *ballarus};
    if (paths->count)
        trod_number_weigh(&out->dag, ballarus, paths, options->count_of_path, mem);
    else
        out->dag = *ballarus->dag;
    out->ballarus.dag = &out->dag;
    trod_interest_build(&out->interest, &out->ballarus, paths, mem);
    if (is_needless(&m))
        return true;
    for (int k = 0; k < TROD_NENDING; k++)
        if (!options->only || options->only >> k & 1)
            make(&made[k], &m, (enum trod_ending_kind)k);
        else
            out->candidate[k].why_not = "not asked for";
    best = best_of(out);
    if (best < 0)
        return trod_fail(err, TROD_E_LIMIT,
            "'%.60s' cannot be counted as asked; allow other plans",
            ballarus->dag->graph->name);
    out->kind = (enum trod_ending_kind)best;
    out->why = why(&m, best);
    out->numbering = made[best].numbering;
    out->ending = made[best].ending;
    out->plan = made[best].plan;
    out->plan.numbering = &out->numbering;
    out->plan.ending = &out->ending;
    return true;
}
