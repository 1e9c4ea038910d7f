#include "profile/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    MODULE_BYTES = sizeof(struct trod_format_module),
    FUNCTION_BYTES = sizeof(struct trod_format_function),
};

/* --- MODULE ---------------------------------------------------------------------------------- */

/* Numbers ascend, whichever of them are lost. */
static struct image *image_of(struct reader *r, uint32_t number)
{
    uint32_t from = 0, to = r->nimage;

    while (from < to) {
        uint32_t middle = from + (to - from) / 2;

        if (r->image[middle].number < number)
            from = middle + 1;
        else
            to = middle;
    }
    return from < r->nimage && r->image[from].number == number ? &r->image[from] : NULL;
}

/* A text and its NUL, or NULL. */
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
    char *id = trod_copy_text(r->mem, text, strlen(text));

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

static int by_counter(const void *x, const void *y)
{
    const uint64_t *a = x, *b = y;

    return (a[0] > b[0]) - (a[0] < b[0]);
}

/* Counters of each function must be there, and its own: otherwise they are not read. */
static void check_counters(
    struct reader *r, const struct section *s, struct image *image, uint64_t *counter)
{
    struct trod_mark mark = trod_arena_mark(r->mem);
    uint64_t(*range)[3] = trod_arena_take(r->mem, image->nfunction, sizeof *range);
    uint64_t free_from = 0, nbad = 0;
    uint32_t n = 0;

    for (uint32_t f = 0; f < image->nfunction; f++) {
        uint64_t npath = image->function[f].npath;

        if (counter[f] >= image->ncounter || npath >= image->ncounter - counter[f]) {
            counter[f] = UINT64_MAX;
            nbad++;
        } else {
            range[n][0] = counter[f];
            range[n][1] = counter[f] + npath + 1;
            range[n++][2] = f;
        }
    }
    if (n)
        qsort(range, n, sizeof *range, by_counter);
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
            " have counters that are not in it or not their own; they are not read",
            nbad, s->head.module);
}

static void read_functions(
    struct reader *r, const struct section *s, struct image *image)
{
    struct trod_profile_function *function =
        trod_new(r->mem, struct trod_profile_function, image->nfunction);
    uint64_t *counter = trod_new(r->mem, uint64_t, image->nfunction);
    const uint8_t *p = s->payload + MODULE_BYTES;

    for (uint32_t f = 0; f < image->nfunction; f++, p += FUNCTION_BYTES) {
        function[f] = (struct trod_profile_function){.name = get64(p),
            .graph = get64(p + 8),
            .cuts = get64(p + 16),
            .npath = get64(p + 24)};
        counter[f] = get64(p + 32);
    }
    image->function = function;
    image->counter_of_function = counter;
    if (image->ncounter || r->health.kind == TROD_FORMAT_LIVE)
        check_counters(r, s, image, counter);
    else
        memset(counter, 0xff, image->nfunction * sizeof *counter);
}

/* What is wrong with a module, or NULL. */
static const char *module_fault(
    struct reader *r, const struct section *s, uint32_t nfunction, uint32_t mode)
{
    if (nfunction > (s->npayload - MODULE_BYTES) / FUNCTION_BYTES)
        return "has more functions than it has room for";
    if (r->nimage && s->head.module <= r->image[r->nimage - 1].number)
        return "has a number that is not above those before it";
    if (mode != TROD_MODE_SOURCE && mode != TROD_MODE_CODE)
        return "is of an unknown mode; a later trod may know it";
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

    if (s->npayload >= MODULE_BYTES) {
        image.ncounter = get64(s->payload);
        image.nfunction = get32(s->payload + 8);
        module.mode = get32(s->payload + 12);
        fault = module_fault(r, s, image.nfunction, module.mode);
    }
    if (fault) {
        trod_profile_lose(
            r, s->at, "module %" PRIu32 " %s; it is left out", image.number, fault);
        return;
    }
    at = s->payload + MODULE_BYTES + (size_t)image.nfunction * FUNCTION_BYTES;
    path = get_text(&at, end);
    build_id = path ? get_text(&at, end) : NULL;
    if (!path || !build_id) {
        trod_profile_lose(r, s->at,
            "module %" PRIu32 " has no path or no build id that ends", image.number);
        path = path ? path : "";
        build_id = "";
    }
    read_functions(r, s, &image);
    module.path = *path ? trod_copy_text(r->mem, path, strlen(path)) : "?";
    module.build_id = read_build_id(r, s, build_id);
    module.nfunction = image.nfunction;
    module.function = image.function;
    image.module = trod_profile_add_module(&r->builder, &module);
    trod_reserve(r->mem, r->image, r->nimage, r->room_image);
    r->image[r->nimage++] = image;
}

/* --- COUNTS ----------------------------------------------------------------------------------- */

static void check_counts(
    struct reader *r, const struct image *image, const struct section *s)
{
    uint64_t have = s->npayload / 8, want = image->ncounter;

    if (have < want)
        trod_profile_lose(r, s->at,
            "the COUNTS section of thread %" PRIu32 " in module %" PRIu32
            " %s: it has %" PRIu64 " of %" PRIu64 " counters",
            s->head.thread, image->number, s->cut ? "is cut off" : "is too short", have,
            want);
    else if (have > want || s->head.payload % 8)
        trod_profile_lose(r, s->at,
            "the COUNTS section of thread %" PRIu32 " in module %" PRIu32
            " has more than %" PRIu64 " counters; the rest belongs to no function",
            s->head.thread, image->number, want);
}

static uint64_t sum_threads(const struct image *image, uint64_t counter)
{
    uint64_t sum = 0;

    for (const struct counted *c = image->counts; c; c = c->next)
        if (counter < c->section.npayload / 8)
            sum = trod_sat_add(sum, get64(c->section.payload + 8 * counter));
    return sum;
}

/* No function has more counters to look at than the longest of its sections. */
static void tally_counts(struct reader *r, const struct image *image)
{
    uint64_t most = 0;

    for (const struct counted *c = image->counts; c; c = c->next)
        if (c->section.npayload / 8 > most)
            most = c->section.npayload / 8;
    for (uint32_t f = 0; f < image->nfunction; f++) {
        struct trod_profile_tally tally = {.module = image->module, .function = f};
        struct trod_profile_path *path = NULL;
        uint64_t first = image->counter_of_function[f];
        size_t room = 0;

        for (uint64_t id = 0;
            id <= image->function[f].npath && first < most && id < most - first; id++) {
            uint64_t count = sum_threads(image, first + id);

            if (!count)
                continue;
            trod_reserve(r->mem, path, tally.npath, room);
            path[tally.npath++] = (struct trod_profile_path){.id = id, .count = count};
        }
        tally.path = path;
        trod_profile_add_tally(&r->builder, &tally);
    }
}

/* --- PATHS -------------------------------------------------------------------------------------- */

/* False at the end, or when it does not fit. */
static bool get_varint(uint64_t *out, const uint8_t **at, const uint8_t *end)
{
    uint64_t value = 0;

    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;

        if (shift == 63 && byte > 1)
            return false;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* The next number of an ascending sequence, from its distance to the last one. */
static bool get_next(
    uint64_t *value, bool first, const uint8_t **at, const uint8_t *end)
{
    uint64_t distance;

    return get_varint(&distance, at, end) &&
           (first ? (*value = distance, true)
                  : !__builtin_add_overflow(*value, distance, value) &&
                        !__builtin_add_overflow(*value, 1, value));
}

static bool get_paths(struct reader *r, struct trod_profile_tally *tally,
    uint64_t npath_of_function, const uint8_t **at, const uint8_t *end)
{
    struct trod_profile_path *path;
    uint64_t n, id = 0;

    /* Two bytes are the least that a path takes. */
    if (!get_varint(&n, at, end) || n > (uint64_t)(end - *at) / 2)
        return false;
    path = trod_new(r->mem, struct trod_profile_path, n);
    for (uint64_t i = 0; i < n; i++) {
        if (!get_next(&id, i == 0, at, end) || id > npath_of_function ||
            !get_varint(&path[i].count, at, end))
            return false;
        path[i].id = id;
    }
    tally->path = path;
    tally->npath = n;
    return true;
}

static void read_paths(
    struct reader *r, const struct image *image, const struct section *s)
{
    const uint8_t *at = s->payload, *end = at + s->npayload;
    uint64_t function = 0;

    for (bool first = true; at < end; first = false) {
        struct trod_profile_tally tally = {
            .module = image->module, .group = s->head.thread};

        if (!get_next(&function, first, &at, end) || function >= image->nfunction ||
            !get_paths(r, &tally, image->function[function].npath, &at, end)) {
            trod_profile_lose(r, s->at,
                "the PATHS section of module %" PRIu32
                " makes no sense at byte %zu of it; the rest is left out",
                image->number, (size_t)(at - s->payload));
            return;
        }
        tally.function = (uint32_t)function;
        trod_profile_add_tally(&r->builder, &tally);
    }
}

/* --- all that counts ---------------------------------------------------------------------------- */

void trod_profile_defer(struct reader *r, const struct section *s)
{
    struct counted *counted = trod_new(r->mem, struct counted, 1);

    counted->section = *s;
    trod_reserve(r->mem, r->counted, r->ncounted, r->room_counted);
    r->counted[r->ncounted++] = counted;
}

static int by_owner(const void *x, const void *y)
{
    const struct section *a = &(*(struct counted *const *)x)->section;
    const struct section *b = &(*(struct counted *const *)y)->section;

    if (a->head.module != b->head.module)
        return a->head.module < b->head.module ? -1 : 1;
    if (a->head.thread != b->head.thread)
        return a->head.thread < b->head.thread ? -1 : 1;
    if (a->head.type != b->head.type)
        return a->head.type < b->head.type ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* A thread has one COUNTS in a module and a group one PATHS: what is there again is a copy,
 * and to count it would count its paths twice.
 */
static void find_copies(struct reader *r)
{
    struct counted **sorted = trod_new(r->mem, struct counted *, r->ncounted);

    if (!r->ncounted)
        return;
    memcpy(sorted, r->counted, r->ncounted * sizeof(struct counted *));
    qsort(sorted, r->ncounted, sizeof(struct counted *), by_owner);
    for (uint32_t i = 1; i < r->ncounted; i++) {
        const struct trod_format_head *a = &sorted[i - 1]->section.head;
        const struct trod_format_head *b = &sorted[i]->section.head;

        sorted[i]->again =
            a->module == b->module && a->thread == b->thread && a->type == b->type;
    }
}

void trod_profile_read_counted(struct reader *r)
{
    find_copies(r);
    for (uint32_t i = 0; i < r->ncounted; i++) {
        const struct section *s = &r->counted[i]->section;
        struct image *image = image_of(r, s->head.module);

        if (r->counted[i]->again) {
            trod_profile_lose(r, s->at,
                "a second %s section of module %" PRIu32 ", %s %" PRIu32
                ", is left out",
                trod_profile_section_name(s->head.type), s->head.module,
                s->head.type == TROD_SECTION_PATHS ? "group" : "thread",
                s->head.thread);
        } else if (!image) {
            trod_profile_lose(r, s->at,
                "the %s section is of module %" PRIu32
                ", which the file does not describe; its counts are lost",
                trod_profile_section_name(s->head.type), s->head.module);
        } else if (s->head.type == TROD_SECTION_PATHS) {
            read_paths(r, image, s);
        } else {
            r->ncounts++;
            check_counts(r, image, s);
            r->counted[i]->next = image->counts;
            image->counts = r->counted[i];
        }
    }
    for (uint32_t i = 0; i < r->nimage; i++)
        tally_counts(r, &r->image[i]);
}
