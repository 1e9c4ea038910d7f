#include "profile/read/reader.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* Bundles of a module: counters that stand for several others. The sum of a bundle's counter over
 * all threads is added to each of these when functions are tallied.
 */

void trod_profile_defer_bundles(struct reader *r, const struct section *s)
{
    trod_push(r->mem, r->bundles, r->nbundles, r->room_bundles, *s);
}

TROD_ORDER(by_counter, struct extra, TROD_UP(counter))

/* Add up duplicates; counters ascend. */
static size_t join(struct extra *extra, size_t n)
{
    size_t kept = 0;

    trod_sort(extra, n, by_counter);
    for (size_t i = 0; i < n; i++) {
        if (kept && extra[kept - 1].counter == extra[i].counter)
            extra[kept - 1].count = trod_sat_add(extra[kept - 1].count, extra[i].count);
        else
            extra[kept++] = extra[i];
    }
    return kept;
}

/* Fills image->extra. False if a record is truncated, or names counters that the module does not have. */
static bool read_records(struct reader *r, struct image *image, const struct section *s)
{
    const uint8_t *p = s->payload;
    size_t left = s->npayload / 4, room = 0;
    bool sound = s->npayload % 4 == 0;

    while (left > 0) {
        uint64_t counter = trod_load32(p), n, count;

        n = left > 1 ? trod_load32(p + 4) : UINT32_MAX;
        if (n > left - 1 - (left > 1))
            return false;
        p += 8;
        count =
            counter < image->ncounter ? trod_profile_counter_sum(image, counter) : 0;
        sound &= counter < image->ncounter;
        for (uint64_t i = 0; i < n; i++, p += 4) {
            uint64_t to = trod_load32(p);

            sound &= to < image->ncounter;
            if (count && to < image->ncounter)
                trod_push(r->mem, image->extra, image->nextra, room,
                    (struct extra){.counter = to, .count = count});
        }
        left -= 2 + n;
    }
    return sound;
}

void trod_profile_read_bundles(struct reader *r)
{
    for (uint32_t i = 0; i < r->nbundles; i++) {
        const struct section *s = &r->bundles[i];
        struct image *image = trod_profile_image_of(r, s->head.module);

        if (!image || image->has_bundles) {
            trod_profile_lose(r, s->at,
                "the BUNDLES section is %s module %" PRIu32 "; it is skipped",
                image ? "a second one of" : "of an unknown", s->head.module);
            continue;
        }
        image->has_bundles = true;
        if (!read_records(r, image, s))
            trod_profile_lose(r, s->at,
                "the BUNDLES section of module %" PRIu32
                " is cut off, or names counters that it does not have",
                s->head.module);
        image->nextra = join(image->extra, image->nextra);
    }
    for (uint32_t i = 0; i < r->nimage; i++)
        if (r->image[i].flags & TROD_MODULE_BUNDLES && !r->image[i].has_bundles &&
            r->image[i].counts)
            trod_profile_lose(r, r->length,
                "the BUNDLES section of module %" PRIu32
                " is missing: counts are too low",
                r->image[i].number);
}
