/* A concise sample of subpaths: begin, add, end. */
#include <stdatomic.h>

#include "trod/online.h"

#include "sampler.h"

__extension__ typedef unsigned __int128 trod_wide;

enum { FIRST_LOOK = 512 }; /* samples after which f is first raised */

/* --- opening -------------------------------------------------------------------------- */

static void describe(struct trod_format_sample *shared,
    const struct trod_sampler_options *o, const struct trod_sampler_layout *layout)
{
    uint32_t i;

    shared->nentry = layout->nentry;
    shared->nchunk = layout->nchunk;
    shared->identity = o->identity;
    shared->lengths = o->lengths;
    shared->shortest = o->shortest;
    shared->longest = o->longest;
    shared->nlength = o->nlength;
    shared->bias = o->bias;
    for (i = 0; i < o->nlength; i++) {
        shared->length[i].length = o->length[i].length;
        shared->length[i].chance = o->length[i].chance;
    }
    shared->costs = o->costs;
    shared->ageing = o->ageing;
    shared->period = o->period;
    shared->threshold = o->threshold;
}

/* The possible lengths, with the cumulative probability of each. */
static void fill_lengths(struct trod_sampler *s)
{
    const struct trod_format_sample *shared = s->shared;
    double sum = trod_online_weights(shared), upto = 0;
    uint32_t n, i = 0;

    for (n = shared->shortest; n <= shared->longest && i < s->nlength; n++) {
        double weight = trod_online_weight(shared, n);

        if (weight <= 0)
            continue;
        upto += weight;
        s->length[i] = (uint16_t)n;
        s->likely[i++] = upto < sum ? (uint64_t)(upto / sum * 0x1p64) : UINT64_MAX;
    }
    s->nlength = i;
    s->likely[i - 1] = UINT64_MAX;
}

void __trod_sampler_open(struct trod_sampler *s, struct trod_format_sample *shared,
    const struct trod_sampler_options *o, uint64_t seed, uint32_t thread)
{
    struct trod_sampler_layout layout;
    char *base = (char *)s;

    __trod_sampler_layout(&layout, o);
    describe(shared, o, &layout);
    shared->thread = thread;
    s->shared = shared;
    s->entry = (struct trod_format_sampled *)(shared + 1);
    s->chunk = (struct trod_format_chunk *)(s->entry + layout.nentry);
    s->ring = (struct trod_sampler_block *)(base + layout.ring);
    s->index = (uint32_t *)(base + layout.index);
    s->row = (uint32_t *)(base + layout.row);
    s->length = (uint16_t *)(base + layout.length);
    s->log = (uint16_t *)(base + layout.log);
    s->nthinned = (uint32_t *)(base + layout.nthinned);
    s->once = (uint64_t *)(base + layout.once);
    s->nonce = layout.nonce;
    s->most_once = layout.nonce / 4 * 3;
    s->mask = layout.nring - 1;
    s->nindex = layout.nindex;
    s->nlog = layout.nlog;
    s->all_entries = layout.nentry;
    s->all_chunks = layout.nchunk;
    s->nchunk = 1;
    s->shortest = o->shortest;
    s->identity = o->identity;
    s->never = o->never;
    s->costs = o->costs;
    s->most = o->most;
    s->period = o->ageing == TROD_SAMPLE_HALVES ? o->period : 0;
    s->due = s->period;
    s->grow = o->grow;
    s->keep = (uint64_t)(0x1p64 / o->grow);
    s->per_thin = __trod_sampler_per(o->grow < 2 ? o->grow / (o->grow - 1) : o->grow);
    s->at = 1;
    if (layout.nlength) {
        s->likely = (uint64_t *)(base + layout.likely);
        s->nlength = layout.nlength;
        fill_lengths(s);
    } else {
        s->nlength = o->longest - o->shortest + 1;
    }
    __trod_sampler_seed(s, seed);
    s->first_f = o->f;
    s->least_f = o->least_f;
    s->hold = 1;
    s->most_hold = o->budget || o->ageing ? 1 : o->hold;
    __trod_sampler_set_frequency(s, 0, o->f);
}

/* --- completed samples ------------------------------------------------------------------------ */

static void remember(struct trod_sampler *s, uint32_t number)
{
    uint32_t at = s->log_first + s->log_used++;

    s->log[at < s->nlog ? at : at - s->nlog] = (uint16_t)number;
}

/* A lower f would not have room either. */
static void raise_for_good(struct trod_sampler *s)
{
    __trod_sampler_raise(s);
    if (s->f > s->least_f)
        s->least_f = s->f;
}

/* What is sampled again and again loses nothing by the first, and needs no room. */
static void make_room(struct trod_sampler *s)
{
    if (s->hold < s->most_hold)
        __trod_sampler_hold(s);
    else
        raise_for_good(s);
}

/* Count the subpath in s->row, which is of *level. Returns by how much: 0 if it is new and not taken in, or f was raised to make
 * room and this sample did not survive.
 */
static uint32_t count_row(
    struct trod_sampler *s, uint32_t n, uint64_t id[2], uint32_t *level)
{
    const uint32_t *row = __trod_sampler_identify(s, n, id);
    uint32_t asked = 0;

    for (;;) {
        uint32_t from = s->level;
        uint32_t found = s->index[__trod_sampler_look_up(s, id, *level)] & 0xffff;
        bool once;

        if (found) {
            __trod_sampler_count_again(s->entry + found - 1);
            return 1;
        }
        once = __trod_sampler_is_once(s, id, *level);
        if (!once && !__trod_sampler_admits(s, &asked))
            return 0;
        if (__trod_sampler_count_new(s, row, n, id, *level))
            return once ? 1 : s->hold;
        make_room(s);
        if (*level != from || s->level == from)
            continue;
        *level = s->level;
        if (!__trod_sampler_keeps(s, 1))
            return 0;
    }
}

/* The samples that are worth their cost grow with the square root of f, so with the third root of what ran: f begins low, and
 * is raised slowly.
 */
static bool is_too_low(const struct trod_sampler *s)
{
    return s->f < s->least_f &&
           s->seen * s->seen * s->first_f >= (double)FIRST_LOOK * FIRST_LOOK * s->f;
}

static void count_sample(struct trod_sampler *s, uint32_t n, uint32_t level)
{
    uint64_t id[2];
    uint32_t number, by;

    if (s->nlog)
        __trod_sampler_forget_oldest(s);
    by = count_row(s, n, id, &level);
    s->kept += by;
    if (by && (s->nlog || s->counted)) {
        number = s->index[__trod_sampler_look_up(s, id, level)] & 0xffff;
        if (s->nlog && number) /* unless its id was overwritten meanwhile */
            remember(s, number - 1);
        if (s->counted && number)
            s->counted(s, s->entry + number - 1);
    }
    while (s->kept >= s->most)
        raise_for_good(s);
    s->seen++;
    while (is_too_low(s))
        __trod_sampler_raise(s);
}

/* With a probability proportional to the mean cost of its blocks. */
static bool accept_by_cost(struct trod_sampler *s, uint32_t start, uint32_t n)
{
    uint64_t cost = 0;
    uint32_t i;

    for (i = 0; i < n; i++)
        cost += s->ring[(start + i) & s->mask].cost;
    return (uint64_t)((trod_wide)__trod_sampler_random(s) * 255 * n >> 64) < cost;
}

static void finish(struct trod_sampler *s, uint32_t start)
{
    uint32_t n = s->ring[start].length, level = s->level, i;
    int raised = (int16_t)(s->nraised - s->ring[start].nraised);

    if (s->costs && !accept_by_cost(s, start, n)) {
        s->shared->nrejected++;
        return;
    }
    s->shared->nsample++;
    if (raised < 0) /* f was lowered since */
        level = (level + (uint32_t)-raised) % TROD_SAMPLE_LEVELS;
    if (__trod_sampler_keeps(s, raised > 0 ? (uint32_t)raised : 0)) {
        for (i = 0; i < n; i++)
            s->row[i] = s->ring[(start + i) & s->mask].block;
        count_sample(s, n, level);
    }
    if (s->period && --s->due == 0) {
        s->due = s->period;
        __trod_sampler_age(s);
    }
}

/* --- begin, end, break ------------------------------------------------------------------------ */

void __trod_sampler_begin_of(struct trod_sampler *s, uint16_t nraised)
{
    uint32_t place = (uint32_t)s->at & s->mask, n, last;

    if (s->begun == s->at)
        return;
    s->begun = s->at;
    n = __trod_sampler_draw_length(s);
    last = (place + n - 1) & s->mask;
    s->ring[place].length = (uint16_t)n;
    s->ring[place].nraised = nraised;
    s->ring[place].other = s->ring[last].ending;
    s->ring[last].ending = (uint16_t)(place + 1);
    s->npending++;
    s->shared->nbegun++;
}

void __trod_sampler_end(struct trod_sampler *s, uint32_t place)
{
    uint32_t ending = s->ring[place].ending;

    s->ring[place].ending = 0;
    while (ending) {
        uint32_t other = s->ring[ending - 1].other;

        s->npending--;
        finish(s, ending - 1);
        ending = other;
    }
}

void __trod_sampler_break(struct trod_sampler *s)
{
    uint32_t i;

    s->begun = 0;
    s->shared->ndropped += s->npending;
    for (i = 0; s->npending && i <= s->mask; i++)
        s->ring[i].ending = 0;
    s->npending = 0;
}

void __trod_sampler_adopt(struct trod_sampler *s, uint32_t thread)
{
    __trod_sampler_break(s);
    s->shared->thread = thread;
}
