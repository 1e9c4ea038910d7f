#include "profile/read/reader.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODULE_BYTES = sizeof(struct trod_format_module),
    FUNCTION_BYTES = sizeof(struct trod_format_function),
};

/* --- MODULE ---------------------------------------------------------------------------------- */

/* A NUL-terminated text, or NULL. */
static const char *get_text(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *from = *at;
    const uint8_t *nul = from < end ? memchr(from, 0, (size_t)(end - from)) : NULL;

    if (!nul)
        return NULL;
    *at = nul + 1;
    return (const char *)from;
}

static const char *read_build_id(
    struct reader *r, const struct section *s, const char *text)
{
    char *id = trod_copy(r->mem, text);

    for (char *p = id; *p; p++) {
        if (*p >= 'A' && *p <= 'F')
            *p = (char)(*p - 'A' + 'a');
        if (!((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'))) {
            trod_profile_lose(r, s->at,
                "the build id of module %" PRIu32 " is not hexadecimal",
                s->head.module);
            return "";
        }
    }
    return id;
}

TROD_ORDER(by_counter, uint64_t, trod_compare(a[0], b[0]))

/* The number of a function's counters before the last, which counts `begun`. */
static uint64_t nbefore_begun(const struct image *image, uint32_t f)
{
    return trod_format_counts_each(image->function[f].counted)
               ? image->function[f].npath
               : image->nslot_of_function[f];
}

/* Hash table entries must lie within the module's counters, and not overlap those of functions. */
static void check_hashed(struct reader *r, const struct section *s, struct image *image,
    const uint64_t *counter)
{
    uint64_t end = image->hashed + 3 * image->nhashed;
    bool bad = image->hashed > image->ncounter ||
               image->nhashed > (image->ncounter - image->hashed) / 3;

    for (uint32_t f = 0; !bad && f < image->nfunction; f++)
        bad = counter[f] != UINT64_MAX && counter[f] < end &&
              counter[f] + nbefore_begun(image, f) + image->stops_of_function[f] >=
                  image->hashed;
    if (!bad || !image->nhashed)
        return;
    image->nhashed = 0;
    trod_profile_lose(r, s->at,
        "the hash table of paths of module %" PRIu32
        " is not in its counters or not its own; it is skipped",
        s->head.module);
}

/* The counters of a function must lie within the module and not overlap others; otherwise they are skipped. */
static void check_counters(
    struct reader *r, const struct section *s, struct image *image, uint64_t *counter)
{
    struct trod_mark mark = trod_arena_mark(r->mem);
    uint64_t(*range)[3] = trod_arena_take(r->mem, image->nfunction, sizeof *range);
    uint64_t free_from = 0, nbad = 0;
    uint32_t n = 0;

    for (uint32_t f = 0; f < image->nfunction; f++) {
        uint64_t last = nbefore_begun(image, f) + image->stops_of_function[f];

        if (counter[f] >= image->ncounter || last >= image->ncounter - counter[f]) {
            counter[f] = UINT64_MAX;
            nbad++;
        } else {
            range[n][0] = counter[f];
            range[n][1] = counter[f] + last + 1;
            range[n++][2] = f;
        }
    }
    trod_sort(range, n, by_counter);
    for (uint32_t i = 0; i < n; i++) {
        if (range[i][0] < free_from) {
            counter[range[i][2]] = UINT64_MAX;
            nbad++;
        } else {
            free_from = range[i][1];
        }
    }
    trod_arena_rewind(r->mem, mark);
    if (nbad)
        trod_profile_lose(r, s->at,
            "%" PRIu64 " functions of module %" PRIu32
            " have counters that are not in it or not their own; they are skipped",
            nbad, s->head.module);
    check_hashed(r, s, image, counter);
}

TROD_ORDER(by_id, uint64_t, trod_compare(*a, *b))

/* The ids of a function's slots, without duplicates, ascending. Ids that are not a path's become
 * UINT64_MAX. Returns the number of invalid ids.
 */
static uint64_t choose(struct reader *r, struct trod_profile_function *function,
    uint64_t *id_of_slot, uint64_t nslot)
{
    uint64_t *chosen = trod_new(r->mem, uint64_t, nslot);
    uint64_t nbad = 0;
    size_t n = 0, kept = 0;

    for (uint64_t i = 0; i < nslot; i++) {
        if (id_of_slot[i] < function->npath) {
            chosen[n++] = id_of_slot[i];
        } else {
            nbad += id_of_slot[i] != UINT64_MAX;
            id_of_slot[i] = UINT64_MAX;
        }
    }
    trod_sort(chosen, n, by_id);
    for (size_t i = 0; i < n; i++)
        if (!kept || chosen[kept - 1] != chosen[i])
            chosen[kept++] = chosen[i];
    function->chosen = chosen;
    function->nchosen = kept;
    return nbad;
}

/* needs:  the module has room for all ids */
static void read_slots(struct reader *r, const struct section *s, struct image *image,
    struct trod_profile_function *function, const uint64_t *nslot)
{
    const uint8_t *p =
        s->payload + MODULE_BYTES + (size_t)image->nfunction * FUNCTION_BYTES;
    const uint64_t **id_of_slot = trod_new(r->mem, const uint64_t *, image->nfunction);
    uint64_t nbad = 0;

    for (uint32_t f = 0; f < image->nfunction; f++) {
        uint64_t *id;

        if (!nslot[f])
            continue;
        id = trod_new(r->mem, uint64_t, nslot[f]);
        for (uint64_t i = 0; i < nslot[f]; i++, p += 8)
            id[i] = trod_load64(p);
        nbad += choose(r, &function[f], id, nslot[f]);
        id_of_slot[f] = id;
    }
    image->id_of_slot = id_of_slot;
    if (nbad)
        trod_profile_lose(r, s->at,
            "%" PRIu64 " slots of module %" PRIu32
            " are of paths that their functions do not have; they are skipped",
            nbad, s->head.module);
}

static void read_functions(
    struct reader *r, const struct section *s, struct image *image)
{
    struct trod_profile_function *function =
        trod_new(r->mem, struct trod_profile_function, image->nfunction);
    uint64_t *counter = trod_new(r->mem, uint64_t, image->nfunction);
    uint64_t *nslot = trod_new(r->mem, uint64_t, image->nfunction);
    bool *stops = trod_new(r->mem, bool, image->nfunction);
    const uint8_t *p = s->payload + MODULE_BYTES;

    for (uint32_t f = 0; f < image->nfunction; f++, p += FUNCTION_BYTES) {
        function[f] = (struct trod_profile_function){.name = trod_load64(p),
            .graph = trod_load64(p + 8),
            .cuts = trod_load64(p + 16),
            .npath = trod_load64(p + 24),
            .counted = trod_load32(p + 48)};
        counter[f] = trod_load64(p + 32);
        nslot[f] = trod_load64(p + 40);
        stops[f] = trod_load32(p + 52) == 1 && function[f].counted == TROD_COUNTED_ALL;
    }
    image->stops_of_function = stops;
    image->function = function;
    image->counter_of_function = counter;
    image->nslot_of_function = nslot;
    read_slots(r, s, image, function, nslot);
    if (image->ncounter || r->health.kind == TROD_FORMAT_LIVE) {
        check_counters(r, s, image, counter);
    } else {
        memset(counter, 0xff, image->nfunction * sizeof *counter);
        image->nhashed = 0;
    }
}

/* The fault of a module's slots, or NULL; *nslot: their number. */
static const char *slots_fault(
    const struct section *s, uint32_t nfunction, uint64_t *nslot)
{
    const uint8_t *p = s->payload + MODULE_BYTES;
    uint64_t room =
        (s->npayload - MODULE_BYTES - (size_t)nfunction * FUNCTION_BYTES) / 8;

    *nslot = 0;
    for (uint32_t f = 0; f < nfunction; f++, p += FUNCTION_BYTES) {
        uint64_t n = trod_load64(p + 40);
        uint32_t counted = trod_load32(p + 48);

        if (counted > TROD_COUNTED_EVENTS)
            return "has a function that counts in an unknown way; a later version of trod may support it";
        if (trod_format_counts_each(counted) && n)
            return "has slots for a function that has a counter for each path";
        if (n > room - *nslot)
            return "has more slots than fit";
        *nslot += n;
    }
    return NULL;
}

/* The fault of a module, or NULL. */
static const char *module_fault(
    struct reader *r, const struct section *s, const struct image *image, uint32_t mode)
{
    if (image->nfunction > (s->npayload - MODULE_BYTES) / FUNCTION_BYTES)
        return "has more functions than fit";
    if (r->nimage && s->head.module <= r->image[r->nimage - 1].number)
        return "has a number that is not above those before it";
    if (!trod_format_mode_word(mode) || image->flags & ~TROD_MODULE_BUNDLES)
        return "is of an unknown mode; a later version of trod may support it";
    if (r->builder.nmodule && r->builder.module[0].mode != mode)
        return "is of another mode than the first";
    return NULL;
}

void trod_profile_read_module(struct reader *r, const struct section *s)
{
    struct image image = {.number = s->head.module};
    struct trod_profile_module module = {0};
    const uint8_t *at, *end = s->payload + s->npayload;
    const char *path, *build_id, *fault = "is too short";
    uint64_t nslot = 0;

    if (s->npayload >= MODULE_BYTES) {
        image.ncounter = trod_load64(s->payload);
        image.nfunction = trod_load32(s->payload + 8);
        module.mode = trod_load32(s->payload + 12) & 0xffff;
        image.flags = trod_load32(s->payload + 12) >> 16;
        image.hashed = trod_load64(s->payload + 16);
        image.nhashed = trod_load64(s->payload + 24);
        fault = module_fault(r, s, &image, module.mode);
        fault = fault ? fault : slots_fault(s, image.nfunction, &nslot);
    }
    if (fault) {
        trod_profile_lose(
            r, s->at, "module %" PRIu32 " %s; it is skipped", image.number, fault);
        return;
    }
    at = s->payload + MODULE_BYTES + (size_t)image.nfunction * FUNCTION_BYTES +
         8 * (size_t)nslot;
    path = get_text(&at, end);
    build_id = path ? get_text(&at, end) : NULL;
    if (!path || !build_id) {
        trod_profile_lose(r, s->at,
            "module %" PRIu32 " has no path or no build id that ends", image.number);
        path = path ? path : "";
        build_id = "";
    }
    read_functions(r, s, &image);
    module.path = *path ? trod_copy(r->mem, path) : "?";
    module.build_id = read_build_id(r, s, build_id);
    module.nfunction = image.nfunction;
    module.function = image.function;
    image.module = trod_profile_add_module(&r->builder, &module);
    trod_push(r->mem, r->image, r->nimage, r->room_image, image);
}
