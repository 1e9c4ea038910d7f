/* Other rates: f is raised and lowered, and samples are thinned, aged and forgotten. */
#include <stdatomic.h>

#include "sampler.h"

enum { MOST_ABOVE = TROD_SAMPLE_LEVELS - 8 };

void __trod_sampler_set_frequency(struct trod_sampler *s, uint32_t level, double f)
{
    s->f = f;
    s->rate = (uint64_t)f;
    s->level = level;
    s->per_gap = __trod_sampler_per(f);
    s->shared->frequency[level] = f;
    atomic_thread_fence(memory_order_release);
    s->shared->level = level;
}

/* --- thinning ------------------------------------------------------------------------------- */

/* Each place in the log is a sample: thin the log, then update the entries. */
static void thin_log(struct trod_sampler *s)
{
    uint32_t left = 0, i;

    for (i = 0; i < s->nentry; i++) {
        s->nthinned[i] = 0;
        __asm__ volatile("" ::: "memory");
    }
    for (i = 0; i < s->log_used; i++) {
        uint32_t from = s->log_first + i, to = s->log_first + left;
        uint16_t number = s->log[from < s->nlog ? from : from - s->nlog];

        if (__trod_sampler_keeps(s, 1)) {
            s->log[to < s->nlog ? to : to - s->nlog] = number;
            left++;
        } else {
            s->nthinned[number]++;
        }
    }
    s->log_used = left;
}

/* What is left of a count. Its first sample, which stands for hold, is kept or not, and so are the others; if it is not, one of
 * the others may take in the subpath instead.
 */
static uint64_t thin(struct trod_sampler *s, uint64_t count)
{
    uint64_t more = count > s->hold ? count - s->hold : 0, left;

    if (s->hold == 1)
        return __trod_sampler_thin(s, count);
    left = more ? __trod_sampler_thin(s, more) : 0;
    return __trod_sampler_keeps(s, 1) ? s->hold + left
                                      : __trod_sampler_take_in(s, left);
}

/* Those of the level that is left come to the next one. */
static bool is_thinned_in(struct trod_sampler *s, uint64_t *key, uint32_t from)
{
    if (*key % TROD_SAMPLE_LEVELS != from)
        return true;
    *key += s->level - (uint64_t)from;
    return __trod_sampler_keeps(s, 1);
}

void __trod_sampler_raise(struct trod_sampler *s)
{
    uint32_t from = s->level, i;

    s->raised = true;
    s->nraised++;
    s->seen /= s->grow;
    __trod_sampler_set_frequency(s, (from + 1) % TROD_SAMPLE_LEVELS, s->f * s->grow);
    s->mixed = s->above != 0;
    s->above -= s->mixed;
    if (s->nlog)
        thin_log(s);
    __trod_sampler_thin_once(s, is_thinned_in, from);
    __trod_sampler_weigh_once(s);
    s->kept = (uint64_t)s->once_used * s->hold;
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = __trod_sampler_count_of(s, i);
        uint32_t level = trod_sample_level(s->entry[i].state) % TROD_SAMPLE_LEVELS;

        if (!count)
            continue;
        if (level != from) {
            s->kept += count;
            continue;
        }
        if (!s->nlog)
            count = thin(s, count);
        else
            count = count > s->nthinned[i] ? count - s->nthinned[i] : 0;
        s->kept += count;
        __trod_sampler_set_count(s, i, count, s->level);
    }
    if (s->nlog)
        s->kept = s->log_used;
    __trod_sampler_rebuild(s);
}

static bool is_up(struct trod_sampler *s)
{
    return __trod_sampler_random(s) >> 63;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): others write to it */
static bool stays(struct trod_sampler *s, uint64_t *key, uint32_t unused)
{
    (void)key;
    (void)unused;
    return is_up(s);
}

/* A subpath is asked again whether its first sample takes it in, with the probability by which that has become rarer. */
void __trod_sampler_hold(struct trod_sampler *s)
{
    uint32_t from = s->hold, i;

    s->hold = 2 * from;
    s->per_hold = __trod_sampler_per(s->hold);
    __trod_sampler_thin_once(s, stays, 0);
    __trod_sampler_weigh_once(s);
    s->kept = (uint64_t)s->once_used * s->hold;
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = __trod_sampler_count_of(s, i), more;

        if (!count)
            continue;
        more = count > from ? count - from : 0;
        count = is_up(s) ? s->hold + more : __trod_sampler_take_in(s, more);
        s->kept += count;
        __trod_sampler_set_count(
            s, i, count, trod_sample_level(s->entry[i].state) % TROD_SAMPLE_LEVELS);
    }
    __trod_sampler_rebuild(s);
}

/* Odd counts are rounded up or down at random. */
void __trod_sampler_age(struct trod_sampler *s)
{
    uint32_t i;

    __trod_sampler_thin_once(s, stays, 0);
    s->kept = s->once_used;
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = __trod_sampler_count_of(s, i);

        if (!count)
            continue;
        if (count & 1)
            count += is_up(s);
        s->kept += count / 2;
        __trod_sampler_set_count(
            s, i, count / 2, trod_sample_level(s->entry[i].state) % TROD_SAMPLE_LEVELS);
    }
    __trod_sampler_rebuild(s);
}

void __trod_sampler_forget_oldest(struct trod_sampler *s)
{
    uint32_t number, i;
    uint64_t count;

    if (s->log_used < s->nlog)
        return;
    number = s->log[s->log_first];
    s->log_first = s->log_first + 1 < s->nlog ? s->log_first + 1 : 0;
    s->log_used--;
    s->kept--;
    count = __trod_sampler_count_of(s, number);
    if (!count)
        return;
    i = __trod_sampler_look_up(s, s->entry[number].id, s->level);
    __trod_sampler_set_count(s, number, count - 1, s->level);
    if (count > 1)
        return;
    if ((s->index[i] & 0xffff) == number + 1)
        __trod_sampler_take_out(s, i);
    else
        __trod_sampler_rebuild(s); /* its id was overwritten */
}

/* --- rates --------------------------------------------------------------------------------- */

void __trod_sampler_slow(struct trod_sampler *s, double f)
{
    s->least_f = f;
    while (s->f < f)
        __trod_sampler_raise(s);
}

/* What was sampled so far stays at its level: each entry says which f its samples stand for. */
static bool lower(struct trod_sampler *s)
{
    double f = s->f / s->grow;

    if (s->nlog || s->above == MOST_ABOVE || f < s->least_f || f < 1)
        return false;
    s->raised = true;
    s->nraised--;
    s->above++;
    __trod_sampler_set_frequency(
        s, (s->level + TROD_SAMPLE_LEVELS - 1) % TROD_SAMPLE_LEVELS, f);
    __trod_sampler_weigh_once(s);
    return true;
}

void __trod_sampler_aim(struct trod_sampler *s, double f)
{
    while (s->f * s->grow <= f)
        __trod_sampler_raise(s);
    while (s->f >= f * s->grow && lower(s))
        ;
}

void __trod_sampler_restart(struct trod_sampler *s, double f, double least_f)
{
    uint32_t i;

    __trod_sampler_break(s);
    for (i = 0; i < s->nentry; i++)
        if (__trod_sampler_count_of(s, i))
            __trod_sampler_set_count(s, i, 0, s->level);
    __trod_sampler_rebuild(s);
    __trod_sampler_forget_once(s);
    s->above = 0;
    s->hold = 1;
    s->seen = 0;
    s->first_f = f;
    s->log_first = s->log_used = 0;
    s->kept = 0;
    s->due = s->period;
    s->shared->nbegun = s->shared->nsample = 0;
    s->shared->ndropped = s->shared->nrejected = 0;
    s->least_f = least_f;
    s->raised = true;
    __trod_sampler_set_frequency(s, (s->level + 1) % TROD_SAMPLE_LEVELS, f);
}
