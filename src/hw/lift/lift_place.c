#include "lift/lifter.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- a table of places ------------------------------------------------------------------------- */

void trod_place_table_init(struct trod_place_table *table, struct trod_arena *mem)
{
    *table = (struct trod_place_table){.mem = mem, .nslot = 64, .age = 1};
    table->slot = trod_new(mem, struct trod_place_slot, table->nslot);
}

void trod_place_table_clear(struct trod_place_table *table)
{
    table->age++;
    table->count = 0;
}

static struct trod_place_slot *slot_of(
    const struct trod_place_table *table, uint64_t place)
{
    uint32_t at = (uint32_t)trod_mix(0, place) & (table->nslot - 1);

    while (table->slot[at].age == table->age && table->slot[at].place != place)
        at = (at + 1) & (table->nslot - 1);
    return &table->slot[at];
}

static void grow(struct trod_place_table *table)
{
    struct trod_place_slot *old = table->slot;
    uint32_t n = table->nslot;

    table->nslot *= 2;
    table->slot = trod_new(table->mem, struct trod_place_slot, table->nslot);
    for (uint32_t i = 0; i < n; i++)
        if (old[i].age == table->age)
            *slot_of(table, old[i].place) = old[i];
}

uint32_t trod_place_table_add(
    struct trod_place_table *table, uint64_t place, uint32_t number, bool *is_new)
{
    struct trod_place_slot *slot = slot_of(table, place);
    bool found = slot->age == table->age;

    if (is_new)
        *is_new = !found;
    if (found)
        return slot->number;
    if (2 * ++table->count > table->nslot) {
        grow(table);
        slot = slot_of(table, place);
    }
    *slot = (struct trod_place_slot){place, number, table->age};
    return number;
}

uint32_t trod_place_table_find(const struct trod_place_table *table, uint64_t place)
{
    const struct trod_place_slot *slot = slot_of(table, place);

    return slot->age == table->age ? slot->number : UINT32_MAX;
}

/* --- units --------------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A file is identified by build id and name, wherever it was mapped; memory without a file, by its
 * start address.
 */
static bool is_same_unit(const struct trod_image *a, const struct trod_image *b)
{
    if (!a->path || !b->path)
        return !a->path && !b->path && a->start == b->start;
    return strcmp(a->path, b->path) == 0 && is_same_text(a->build_id, b->build_id);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static uint32_t unit_of(struct trod_lifter *l, const struct trod_image *image)
{
    struct trod_lift_unit *unit;

    for (uint32_t i = l->nunit; i-- > 0;)
        if (is_same_unit(&l->unit[i].image, image))
            return i;
    trod_reserve(l->mem, l->unit, l->nunit, l->room_unit);
    unit = &l->unit[l->nunit];
    unit->image = *image;
    unit->image.offset = 0;
    if (image->path)
        unit->image.start = unit->image.end = 0;
    unit->name = image->path ? base_name(image->path) : "memory";
    return l->nunit++;
}

TROD_ORDER(by_start, struct trod_mapping, TROD_UP(start))

/* Where two mappings overlap, the memory belongs to the first. */
static uint32_t make_disjoint(struct trod_mapping *m, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct trod_mapping one = m[i];

        if (kept && one.start < m[kept - 1].end) {
            if (one.end <= m[kept - 1].end)
                continue;
            one.first += m[kept - 1].end - one.start;
            one.start = m[kept - 1].end;
        }
        m[kept++] = one;
    }
    return kept;
}

static bool place_images(struct trod_lifter *l, const struct trod_seen *seen,
    struct trod_process *out, struct trod_err *err)
{
    uint64_t most = UINT64_C(1) << TROD_PLACE_BITS;
    struct trod_mapping *m = trod_new(l->mem, struct trod_mapping, seen->nimage);
    uint32_t n = 0;

    for (uint32_t i = 0; i < seen->nimage; i++) {
        const struct trod_image *image = &seen->image[i];
        uint64_t offset = image->path ? image->offset : 0, unit = unit_of(l, image);

        if (unit >= UINT64_C(1) << (64 - TROD_PLACE_BITS) ||
            offset + (image->end - image->start) >= most)
            return trod_fail(err, TROD_E_LIMIT,
                "%s: image %" PRIu32
                " is beyond 2^48 bytes, or there are more than 65535 files; leave it out",
                image->path ? image->path : "memory", i);
        m[n++] = (struct trod_mapping){
            image->start, image->end, unit << TROD_PLACE_BITS | offset};
    }
    trod_sort(m, n, by_start);
    *out = (struct trod_process){m, make_disjoint(m, n)};
    return true;
}

/* The mapping of an address; NULL: none. */
static const struct trod_mapping *mapping_of(
    const struct trod_process *process, uint64_t address)
{
    uint32_t low = TROD_LOWER_BOUND(
        middle, 0, process->nmapping, process->mapping[middle].end <= address);

    return low == process->nmapping || address < process->mapping[low].start
               ? NULL
               : &process->mapping[low];
}

uint64_t trod_lift_place(const struct trod_process *process, uint64_t address)
{
    const struct trod_mapping *m = mapping_of(process, address);

    return m ? m->first + (address - m->start) : TROD_NOWHERE;
}

/* --- codes --------------------------------------------------------------------------------------- */

static int by_pc(const void *x, const void *y)
{
    const struct trod_code *a = x, *b = y;

    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    /* A code that ends with a branch is preferred to one that the emulator cut off. */
    if ((a->kind == TROD_BRANCH_NONE) != (b->kind == TROD_BRANCH_NONE))
        return a->kind == TROD_BRANCH_NONE ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool is_same_code(const struct trod_code *a, const struct trod_code *b)
{
    if (a->kind == TROD_BRANCH_NONE || b->kind == TROD_BRANCH_NONE)
        return true;
    return a->last == b->last && a->after == b->after && a->kind == b->kind &&
           a->target == b->target;
}

/* Codes outside of all images, or not within one, are omitted: places behind an image are those of another unit. */
static void add_codes(struct trod_lifter *l, const struct trod_seen *seen,
    const struct trod_process *process)
{
    for (uint32_t i = 0; i < seen->ncode; i++) {
        const struct trod_code *from = &seen->code[i];
        const struct trod_mapping *m = mapping_of(process, from->pc);
        struct trod_code code = *from;

        if (!m || from->after > m->end)
            continue;
        code.pc = m->first + (from->pc - m->start);
        code.last = code.pc + (from->last - from->pc);
        code.after = code.pc + (from->after - from->pc);
        if (trod_branch_is_direct(from->kind))
            code.target = trod_lift_place(process, from->target);
        code.insn = NULL;
        code.number = (uint32_t)l->ncode;
        l->code[l->ncode++] = code;
    }
}

bool trod_lift_place_all(struct trod_lifter *l, struct trod_err *err)
{
    size_t n = 0, kept = 0;

    l->process = trod_new(l->mem, struct trod_process, l->nseen);
    for (uint32_t i = 0; i < l->nseen; i++) {
        n += l->seen[i]->ncode;
        if (!place_images(l, l->seen[i], &l->process[i], err))
            return false;
    }
    if (n > UINT32_MAX)
        return trod_fail(err, TROD_E_LIMIT,
            "more than 2^32 codes were seen; lift fewer processes at a time");
    l->code = trod_new(l->mem, struct trod_code, n);
    for (uint32_t i = 0; i < l->nseen; i++)
        add_codes(l, l->seen[i], &l->process[i]);
    trod_sort(l->code, l->ncode, by_pc);
    for (size_t i = 0; i < l->ncode; i++) {
        if (kept && l->code[kept - 1].pc == l->code[i].pc) {
            l->out->total.nchanged += !is_same_code(&l->code[kept - 1], &l->code[i]);
            continue;
        }
        l->code[kept++] = l->code[i];
    }
    l->ncode = kept;
    return true;
}

static bool decode(struct trod_code *out, const struct trod_lifter *l, uint64_t place)
{
    const struct trod_image *image = &l->unit[trod_place_unit(place)].image;
    uint64_t base = place - trod_place_offset(place);

    if (!l->files->decode || !image->path ||
        !l->files->decode(l->files->ctx, out, image, trod_place_offset(place)))
        return false;
    out->pc += base;
    out->last += base;
    out->after += base;
    if (trod_branch_is_direct(out->kind))
        out->target += base;
    return true;
}

bool trod_lift_code_at(
    struct trod_code *out, bool *decoded, const struct trod_lifter *l, uint64_t place)
{
    size_t low;

    *decoded = false;
    low = TROD_LOWER_BOUND(middle, 0, l->ncode, l->code[middle].pc <= place);
    if (low && l->code[low - 1].last >= place) {
        *out = l->code[low - 1];
        out->pc = place;
        return true;
    }
    *decoded = true;
    return decode(out, l, place);
}
