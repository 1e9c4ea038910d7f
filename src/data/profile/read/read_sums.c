#include "profile/read/reader.h"
#include "base/order.h"

#include <string.h>

/* The counters of a module, in all threads together. A server's profile has an area of counters for each
 * thread of each process, each large and nearly all 0. So all areas are read side by side, some
 * counters at a time, and of their sums only those that are not 0 are kept.
 */
enum { MOST_TOGETHER = 1 << 12 };

/* --- reading ---------------------------------------------------------------------------------- */

struct trod_extent trod_profile_find_counters(
    struct reader *r, struct counted *c, uint64_t counter, uint64_t end)
{
    const struct section *s = &c->section;
    uint64_t have = s->npayload / 8, to = end < have ? end : have;
    uint64_t first = s->at + sizeof(struct trod_format_head);
    struct trod_extent found = {0, UINT64_MAX};

    if (counter >= to)
        return (struct trod_extent){UINT64_MAX, UINT64_MAX};
    if (c->data.to <= counter) {
        bool any = s->head.flags & TROD_SECTION_ZSTD ||
                   r->source->find(&found, r->source->ctx, first + 8 * counter);

        c->data = (struct trod_extent){any ? counter : UINT64_MAX, UINT64_MAX};
        if (any && found.from > first + 8 * counter)
            c->data.from = (found.from - first) / 8;
        if (any && found.to < first + 8 * have)
            c->data.to = (found.to - first + 7) / 8;
    }
    if (c->data.from >= to)
        return (struct trod_extent){UINT64_MAX, UINT64_MAX};
    return (struct trod_extent){c->data.from > counter ? c->data.from : counter,
        c->data.to < to ? c->data.to : to};
}

const uint8_t *trod_profile_look_at_counters(
    struct reader *r, const struct section *s, uint64_t counter, size_t n)
{
    if (s->payload)
        return s->payload + 8 * counter;
    return trod_profile_look_only(
        r, s->at + sizeof(struct trod_format_head) + 8 * (size_t)counter, 8 * n);
}

/* --- adding up ---------------------------------------------------------------------------------- */

/* An image whose counters are being added up. */
struct adder {
    struct reader *r;
    struct image *image;
    const uint64_t *stop_at; /* counters that are stop cells, ascending */
    uint32_t nstop_at;
    uint64_t *sum; /* of counters from first on; zeros between windows */
    uint64_t first;
    uint64_t together;
};

TROD_ORDER(by_number, uint64_t, trod_compare(*a, *b))

static void list_stops(struct adder *a)
{
    const struct image *image = a->image;
    uint64_t *at = trod_new(a->r->mem, uint64_t, image->nfunction);

    for (uint32_t f = 0; f < image->nfunction; f++)
        if (image->stops_of_function[f] && image->counter_of_function[f] != UINT64_MAX)
            at[a->nstop_at++] =
                image->counter_of_function[f] + image->function[f].npath + 1;
    trod_sort(at, a->nstop_at, by_number);
    a->stop_at = at;
}

static void note_stops(struct adder *a, const uint8_t *p, uint64_t from, uint64_t n)
{
    uint32_t i = TROD_LOWER_BOUND(middle, 0, a->nstop_at, a->stop_at[middle] < from);

    for (; i < a->nstop_at && a->stop_at[i] - from < n; i++) {
        uint64_t cell = trod_load64(p + 8 * (a->stop_at[i] - from));

        if (cell)
            trod_push(a->r->mem, a->image->stop, a->image->nstop, a->image->room_stop,
                (struct stop){a->stop_at[i], cell});
    }
}

static void add_thread(struct adder *a, struct counted *c)
{
    uint64_t end = a->first + a->together, n;

    if (end > a->image->ncounter)
        end = a->image->ncounter;
    for (uint64_t at = a->first; at < end; at += n) {
        struct trod_extent data = trod_profile_find_counters(a->r, c, at, end);
        uint64_t *sum;
        const uint8_t *p;

        if (data.from == UINT64_MAX)
            return;
        at = data.from;
        n = data.to - at;
        p = trod_profile_look_at_counters(a->r, &c->section, at, (size_t)n);
        sum = a->sum + (at - a->first);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t count = trod_load64(p + 8 * i);

            if (count)
                sum[i] = trod_sat_add(sum[i], count);
        }
        note_stops(a, p, at, n);
    }
}

/* Keep the sums that are not 0, and clear them for the next counters. */
static void keep_sums(struct adder *a)
{
    struct trod_arena *mem = a->r->mem;
    struct sums kept = {.first = a->first};
    uint16_t *place;
    uint64_t *sum;

    for (uint64_t i = 0; i < a->together; i++)
        kept.count += a->sum[i] != 0;
    if (!kept.count)
        return;
    kept.place = place = trod_new(mem, uint16_t, kept.count);
    kept.sum = sum = trod_new(mem, uint64_t, kept.count);
    for (uint64_t i = 0; i < a->together; i++)
        if (a->sum[i]) {
            *place++ = (uint16_t)i;
            *sum++ = a->sum[i];
            a->sum[i] = 0;
        }
    trod_push(mem, a->image->sums, a->image->nsums, a->image->room_sums, kept);
}

/* The next counter, from one on, that may not be 0 in some thread; UINT64_MAX if there is none. */
static uint64_t next_counter(const struct adder *a, uint64_t counter)
{
    uint64_t least = UINT64_MAX;

    for (struct counted *c = a->image->counts; c; c = c->next) {
        uint64_t from =
            trod_profile_find_counters(a->r, c, counter, a->image->ncounter).from;

        if (from < least)
            least = from;
    }
    return least;
}

static uint64_t most_counters(const struct image *image)
{
    uint64_t most = 0;

    for (const struct counted *c = image->counts; c; c = c->next)
        if (c->section.npayload / 8 > most)
            most = c->section.npayload / 8;
    return most < image->ncounter ? most : image->ncounter;
}

TROD_ORDER(by_counter, struct stop, TROD_UP(counter))

void trod_profile_sum_counters(struct reader *r, struct image *image)
{
    uint64_t most = most_counters(image), window = trod_profile_window(r) / 8;
    struct adder a = {.r = r, .image = image, .together = MOST_TOGETHER};

    if (!most)
        return;
    if (a.together > window)
        a.together = window;
    if (a.together > most)
        a.together = most;
    list_stops(&a);
    a.sum = trod_new(r->mem, uint64_t, a.together);
    for (uint64_t at = next_counter(&a, 0); at != UINT64_MAX;
        at = next_counter(&a, at + a.together)) {
        a.first = at;
        for (struct counted *c = image->counts; c; c = c->next)
            add_thread(&a, c);
        keep_sums(&a);
    }
    trod_sort(image->stop, image->nstop, by_counter);
}

/* --- the sums ------------------------------------------------------------------------------------ */

struct sum_place trod_profile_find_sum(const struct image *image, uint64_t counter)
{
    const struct sums *sums = image->sums;
    size_t k = TROD_LOWER_BOUND(middle, (size_t)0, image->nsums,
        sums[middle].first + sums[middle].place[sums[middle].count - 1] < counter);
    uint32_t i = k == image->nsums
                     ? 0
                     : TROD_LOWER_BOUND(middle, 0, sums[k].count,
                           sums[k].first + sums[k].place[middle] < counter);

    return (struct sum_place){k, i};
}

bool trod_profile_next_sum(uint64_t *counter, uint64_t *sum, struct sum_place *place,
    const struct image *image, uint64_t last)
{
    const struct sums *sums;

    if (place->sums == image->nsums)
        return false;
    sums = &image->sums[place->sums];
    if (sums->first + sums->place[place->i] > last)
        return false;
    *counter = sums->first + sums->place[place->i];
    *sum = sums->sum[place->i];
    if (++place->i == sums->count)
        *place = (struct sum_place){place->sums + 1, 0};
    return true;
}

uint64_t trod_profile_counter_sum(const struct image *image, uint64_t counter)
{
    struct sum_place place = trod_profile_find_sum(image, counter);
    uint64_t at, sum;

    return trod_profile_next_sum(&at, &sum, &place, image, counter) ? sum : 0;
}
