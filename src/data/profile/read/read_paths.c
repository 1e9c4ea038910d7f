#include "profile/read/reader.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Module numbers ascend, even if some modules are lost. */
struct image *trod_profile_image_of(struct reader *r, uint32_t number)
{
    uint32_t from =
        TROD_LOWER_BOUND(middle, 0, r->nimage, r->image[middle].number < number);

    return from < r->nimage && r->image[from].number == number ? &r->image[from] : NULL;
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

TROD_ORDER(by_id, struct trod_profile_path, TROD_UP(id))

/* Duplicates are added up. */
static size_t sort_paths(struct trod_profile_path *path, size_t n)
{
    size_t kept = 0;

    trod_sort(path, n, by_id);
    for (size_t i = 0; i < n; i++) {
        if (kept && path[kept - 1].id == path[i].id)
            path[kept - 1].count = trod_sat_add(path[kept - 1].count, path[i].count);
        else
            path[kept++] = path[i];
    }
    return kept;
}

/* Where each thread was in the function when the process ended. */
static size_t read_stops(struct reader *r, const struct image *image, uint32_t f,
    struct trod_profile_path **path, size_t n, size_t room)
{
    uint64_t npath = image->function[f].npath;
    uint64_t at = image->counter_of_function[f] + npath + 1;
    size_t before = n;
    size_t i = TROD_LOWER_BOUND(
        middle, (size_t)0, image->nstop, image->stop[middle].counter < at);

    for (; i < image->nstop && image->stop[i].counter == at; i++)
        if (image->stop[i].cell <= UINT64_MAX - npath)
            trod_push(r->mem, *path, n, room,
                (struct trod_profile_path){
                    .id = npath + image->stop[i].cell, .count = 1});
    return before + (n > before ? sort_paths(*path + before, n - before) : 0);
}

/* The id that a counter of a function counts; UINT64_MAX: none. */
static uint64_t id_of_counter(const struct image *image, uint32_t f, uint64_t i)
{
    const struct trod_profile_function *function = &image->function[f];

    if (trod_format_counts_each(function->counted))
        return i;
    return i == image->nslot_of_function[f] ? function->npath : image->id_of_slot[f][i];
}

/* Append what bundles add to the counters of a function, from first to last. */
static size_t add_extra(struct reader *r, const struct image *image, uint32_t f,
    uint64_t first, uint64_t last, struct trod_profile_path **path, size_t n,
    size_t *room)
{
    size_t before = n;
    size_t i = TROD_LOWER_BOUND(
        middle, (size_t)0, image->nextra, image->extra[middle].counter < first);

    for (; i < image->nextra && image->extra[i].counter - first <= last; i++) {
        uint64_t id = id_of_counter(image, f, image->extra[i].counter - first);

        if (id != UINT64_MAX)
            trod_push(r->mem, *path, n, *room,
                (struct trod_profile_path){.id = id, .count = image->extra[i].count});
    }
    return n > before ? sort_paths(*path, n) : n;
}

static size_t count_sums(const struct image *image, uint64_t first, uint64_t last)
{
    struct sum_place place = trod_profile_find_sum(image, first);
    uint64_t counter, sum;
    size_t n = 0;

    while (trod_profile_next_sum(&counter, &sum, &place, image, last))
        n++;
    return n;
}

/* needs:  room for count_sums */
static size_t get_sums(struct trod_profile_path *path, const struct image *image,
    uint32_t f, uint64_t first, uint64_t last)
{
    struct sum_place place = trod_profile_find_sum(image, first);
    uint64_t counter, sum;
    size_t n = 0;

    while (trod_profile_next_sum(&counter, &sum, &place, image, last)) {
        uint64_t id = id_of_counter(image, f, counter - first);

        if (id != UINT64_MAX || counter == last)
            path[n++] = (struct trod_profile_path){.id = id, .count = sum};
    }
    return n;
}

/* Add the counts of a function's counters. */
static void tally_function(struct reader *r, const struct image *image, uint32_t f)
{
    const struct trod_profile_function *function = &image->function[f];
    bool slots = !trod_format_counts_each(function->counted);
    uint64_t last = slots ? image->nslot_of_function[f] : function->npath;
    uint64_t first = image->counter_of_function[f];
    struct trod_profile_tally tally = {.module = image->module, .function = f};
    struct trod_profile_path *path;
    size_t room;

    if (first == UINT64_MAX)
        return;
    room = count_sums(image, first, first + last);
    path = trod_new(r->mem, struct trod_profile_path, room);
    tally.npath = get_sums(path, image, f, first, first + last);
    if (slots)
        tally.npath = sort_paths(path, tally.npath);
    tally.npath = add_extra(r, image, f, first, last, &path, tally.npath, &room);
    if (image->stops_of_function[f])
        tally.npath = read_stops(r, image, f, &path, tally.npath, room);
    tally.path = path;
    trod_profile_add_tally(&r->builder, &tally);
}

/* --- hashed paths ------------------------------------------------------------------------------- */

enum { ENTRY_BYTES = 24 };

/* An entry of a hash table, or the position where the counters of a function begin. */
struct hashed {
    uint64_t counter;
    uint32_t function;
    struct trod_profile_path path;
};

TROD_ORDER(by_counter, struct hashed, TROD_UP(counter))

TROD_ORDER(by_path, struct hashed, TROD_UP(function), by_id(&a->path, &b->path))

/* Functions whose paths may be in the hash table, by their first counters. */
static size_t list_hashed_functions(struct hashed *out, const struct image *image)
{
    size_t n = 0;

    for (uint32_t f = 0; f < image->nfunction; f++)
        if ((image->function[f].counted == TROD_COUNTED_RESIDUAL ||
                image->function[f].counted == TROD_COUNTED_UNTESTED ||
                image->function[f].counted == TROD_COUNTED_EVENTS) &&
            image->counter_of_function[f] != UINT64_MAX)
            out[n++] = (struct hashed){
                .counter = image->counter_of_function[f], .function = f};
    trod_sort(out, n, by_counter);
    return n;
}

/* What is read of hash tables. */
struct table {
    const struct hashed *where; /* of functions */
    size_t nwhere;
    struct hashed *hashed;
    size_t nhashed, room, ndistinct; /* when duplicates were added up last */
    uint64_t nbad;                   /* damaged entries of a section */
};

static void read_entry(
    struct table *t, struct reader *r, const struct image *image, const uint8_t *p)
{
    uint64_t id = trod_load64(p + 8), count = trod_load64(p + 16);
    struct hashed key = {.counter = trod_load64(p) - 1};
    const struct trod_profile_function *function;
    const struct hashed *found;

    if (!trod_load64(p) || !id-- || !count)
        return;
    found = t->nwhere ? bsearch(&key, t->where, t->nwhere, sizeof *t->where, by_counter)
                      : NULL;
    if (!found || id >= image->function[found->function].npath) {
        t->nbad++;
        return;
    }
    trod_push(r->mem, t->hashed, t->nhashed, t->room,
        (struct hashed){
            .function = found->function, .path = {.id = id, .count = count}});
    function = &image->function[found->function];
    if (!trod_profile_is_events(function) && trod_profile_is_chosen(function, id))
        r->nweeded = trod_sat_add(r->nweeded, count);
}

/* Read the valid entries of one section, in any order; holes have none. */
static void read_hashed(
    struct table *t, struct reader *r, const struct image *image, struct counted *c)
{
    uint64_t have = c->section.npayload / 8, first = image->hashed;
    uint64_t room = have <= first ? 0 : (have - first) / 3;
    uint64_t end = first + 3 * (room < image->nhashed ? room : image->nhashed);
    uint64_t most = trod_profile_window(r) / ENTRY_BYTES;

    t->nbad = 0;
    c->data = (struct trod_extent){0};
    for (uint64_t at = first, n; at < end; at += 3 * n) {
        struct trod_extent data = trod_profile_find_counters(r, c, at, end);
        const uint8_t *p;

        if (data.from == UINT64_MAX)
            return;
        at = data.from - (data.from - first) % 3;
        n = (data.to - at + 2) / 3;
        n = n < most ? n : most;
        p = trod_profile_look_at_counters(r, &c->section, at, (size_t)(3 * n));
        for (uint64_t i = 0; i < n; i++, p += ENTRY_BYTES)
            read_entry(t, r, image, p);
    }
}

/* Add up duplicates, if there may be many: threads record the same paths. */
static void join_hashed(struct table *t)
{
    enum { FEW = 16 };
    size_t n = 0;

    if (t->nhashed < FEW || t->nhashed / 2 < t->ndistinct)
        return;
    trod_sort(t->hashed, t->nhashed, by_path);
    for (size_t i = 0; i < t->nhashed; i++) {
        struct hashed *last = n ? &t->hashed[n - 1] : NULL;

        if (last && by_path(last, &t->hashed[i]) == 0)
            last->path.count = trod_sat_add(last->path.count, t->hashed[i].path.count);
        else
            t->hashed[n++] = t->hashed[i];
    }
    t->nhashed = t->ndistinct = n;
}

static void tally_hashed(
    struct reader *r, const struct image *image, struct hashed *hashed, size_t nhashed)
{
    struct trod_profile_path *path =
        trod_new(r->mem, struct trod_profile_path, nhashed);

    trod_sort(hashed, nhashed, by_path);
    for (size_t i = 0; i < nhashed; i++)
        path[i] = hashed[i].path;
    for (size_t i = 0, j; i < nhashed; i = j) {
        struct trod_profile_tally tally = {
            .module = image->module, .function = hashed[i].function, .path = path + i};

        for (j = i; j < nhashed && hashed[j].function == hashed[i].function; j++)
            ;
        tally.npath = sort_paths(path + i, j - i);
        trod_profile_add_tally(&r->builder, &tally);
    }
}

static void read_all_hashed(struct reader *r, const struct image *image)
{
    struct table table = {0};
    struct hashed *where;

    if (!image->nhashed)
        return;
    where = trod_new(r->mem, struct hashed, image->nfunction);
    table.nwhere = list_hashed_functions(where, image);
    table.where = where;
    for (struct counted *c = image->counts; c; c = c->next) {
        read_hashed(&table, r, image, c);
        join_hashed(&table);
        if (table.nbad)
            trod_profile_lose(r, c->section.at,
                "%" PRIu64 " recorded paths of thread %" PRIu32 " in module %" PRIu32
                " are of no function or not among its paths; they are skipped",
                table.nbad, c->section.head.thread, image->number);
    }
    tally_hashed(r, image, table.hashed, table.nhashed);
}

static void tally_counts(struct reader *r, const struct image *image)
{
    for (uint32_t f = 0; f < image->nfunction; f++)
        tally_function(r, image, f);
    read_all_hashed(r, image);
}

/* --- PATHS -------------------------------------------------------------------------------------- */

/* The next number of an ascending, delta-coded sequence. */
static bool get_next(
    uint64_t *value, bool first, const uint8_t **at, const uint8_t *end)
{
    uint64_t distance;

    return trod_load_varint(&distance, at, end) &&
           (first ? (*value = distance, true)
                  : !__builtin_add_overflow(*value, distance, value) &&
                        !__builtin_add_overflow(*value, 1, value));
}

static bool get_paths(struct reader *r, struct trod_profile_tally *tally,
    const struct trod_profile_function *of, const uint8_t **at, const uint8_t *end)
{
    struct trod_profile_path *path;
    uint64_t n, id = 0;

    /* A path takes at least two bytes. */
    if (!trod_load_varint(&n, at, end) || n > (uint64_t)(end - *at) / 2)
        return false;
    path = trod_new(r->mem, struct trod_profile_path, n);
    for (uint64_t i = 0; i < n; i++) {
        if (!get_next(&id, i == 0, at, end) || id > trod_profile_last_id(of) ||
            !trod_load_varint(&path[i].count, at, end))
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
            !get_paths(r, &tally, &image->function[function], &at, end)) {
            trod_profile_lose(r, s->at,
                "the PATHS section of module %" PRIu32
                " is invalid at byte %zu of it; the rest is skipped",
                image->number, (size_t)(at - s->payload));
            return;
        }
        tally.function = (uint32_t)function;
        trod_profile_add_tally(&r->builder, &tally);
    }
}

/* --- all sections with counts ------------------------------------------------------------------- */

void trod_profile_defer(struct reader *r, const struct section *s)
{
    struct counted *counted = trod_new(r->mem, struct counted, 1);

    counted->section = *s;
    trod_push(r->mem, r->counted, r->ncounted, r->room_counted, counted);
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

/* A thread has one COUNTS section per module, and a group one PATHS section. A second one is a
 * copy: its paths would be counted twice.
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
        struct image *image = trod_profile_image_of(r, s->head.module);

        if (r->counted[i]->again) {
            trod_profile_lose(r, s->at,
                "a second %s section of module %" PRIu32 ", %s %" PRIu32 ", is skipped",
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
        trod_profile_sum_counters(r, &r->image[i]);
    trod_profile_read_bundles(r);
    for (uint32_t i = 0; i < r->nimage; i++)
        tally_counts(r, &r->image[i]);
}
