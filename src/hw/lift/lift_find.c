#include "lift/lifter.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool trod_lift_symbol_at(
    struct trod_lift_symbol *out, const struct trod_lifter *l, uint64_t place)
{
    const struct trod_image *image;

    if (place == TROD_NOWHERE || !l->files->symbol)
        return false;
    image = &l->unit[trod_place_unit(place)].image;
    if (!image->path)
        return false;
    return l->files->symbol(l->files->ctx, out, image, trod_place_offset(place));
}

bool trod_lift_is_entry(const struct trod_lifter *l, uint64_t place)
{
    struct trod_lift_symbol symbol;

    if (trod_place_table_find(&l->is_entry, place) != UINT32_MAX)
        return true;
    return trod_lift_symbol_at(&symbol, l, place) && !symbol.part &&
           symbol.start == trod_place_offset(place);
}

static void add_entry(struct trod_lifter *l, uint64_t place)
{
    bool is_new;

    if (place == TROD_NOWHERE)
        return;
    trod_place_table_add(&l->is_entry, place, 0, &is_new);
    if (!is_new)
        return;
    trod_push(l->mem, l->entry, l->nentry, l->room_entry, place);
}

TROD_ORDER(compare_places, uint64_t, trod_compare(*a, *b))

/* The last entry at or before a place in the same unit; the place itself if there is none. */
static uint64_t entry_before(const struct trod_lifter *l, uint64_t place)
{
    size_t low = TROD_LOWER_BOUND(middle, 0, l->nentry, l->entry[middle] <= place);

    if (!low || trod_place_unit(l->entry[low - 1]) != trod_place_unit(place))
        return place;
    return l->entry[low - 1];
}

/* --- the owner of a path --------------------------------------------------------------------------- */

/* The entry of the function that contains start according to the symbols, or the function that the
 * emulator named if both are in the same symbol. They differ where a tail call entered a function
 * before any call did. TROD_NOWHERE without a symbol.
 */
static uint64_t symbol_owner(
    const struct trod_lifter *l, uint64_t function, uint64_t start)
{
    struct trod_lift_symbol symbol;
    uint64_t base = start - trod_place_offset(start);

    if (!trod_lift_symbol_at(&symbol, l, start) || symbol.part)
        return TROD_NOWHERE;
    if (function >= base + symbol.start && function < base + symbol.end)
        return function;
    return base + symbol.start;
}

/* Without symbols, a start in another file belongs to another function. That function begins at
 * start, unless start is the head of a loop. */
static uint64_t owner_of(
    const struct trod_lifter *l, uint64_t function, uint64_t start, bool sorted)
{
    uint64_t owner;

    if (start == function || start == TROD_NOWHERE)
        return start;
    if (trod_place_table_find(&l->is_entry, start) != UINT32_MAX)
        return start;
    owner = symbol_owner(l, function, start);
    if (owner != TROD_NOWHERE)
        return owner;
    if (function != TROD_NOWHERE && trod_place_unit(function) == trod_place_unit(start))
        return function;
    if (trod_place_table_find(&l->back, start) == UINT32_MAX)
        return start;
    return sorted ? entry_before(l, start) : TROD_NOWHERE;
}

/* Direct calls reveal entries; backward branches reveal loop heads. */
static void note_codes(struct trod_lifter *l)
{
    for (size_t i = 0; i < l->ncode; i++) {
        const struct trod_code *code = &l->code[i];

        if (code->kind == TROD_BRANCH_CALL)
            add_entry(l, code->target);
        else if ((code->kind == TROD_BRANCH_IF || code->kind == TROD_BRANCH_JUMP) &&
                 trod_branch_is_backward(code))
            trod_place_table_add(&l->back, code->target, 0, NULL);
    }
}

/* Add the functions that emulators named for the paths, then those that paths continued to. */
static void note_paths(struct trod_lifter *l)
{
    for (uint32_t s = 0; s < l->nseen; s++)
        for (uint64_t i = 0; i < l->seen[s]->npath; i++)
            add_entry(
                l, trod_lift_place(&l->process[s], l->seen[s]->path[i].path.function));
    for (uint32_t s = 0; s < l->nseen; s++)
        for (uint64_t i = 0; i < l->seen[s]->npath; i++) {
            const struct trod_descriptor *path = &l->seen[s]->path[i].path;

            add_entry(l, owner_of(l, trod_lift_place(&l->process[s], path->function),
                             trod_lift_place(&l->process[s], path->start), false));
        }
}

TROD_ORDER(by_owner, struct trod_owned, TROD_UP(owner), TROD_UP(start), TROD_UP(path))

void trod_lift_find(struct trod_owned **owned, size_t *nowned, struct trod_lifter *l)
{
    size_t n = 0;

    note_codes(l);
    note_paths(l);
    trod_sort(l->entry, l->nentry, compare_places);
    for (uint32_t s = 0; s < l->nseen; s++)
        n += l->seen[s]->npath;
    *owned = trod_new(l->mem, struct trod_owned, n);
    n = 0;
    for (uint32_t s = 0; s < l->nseen; s++)
        for (uint64_t i = 0; i < l->seen[s]->npath; i++) {
            const struct trod_seen_path *path = &l->seen[s]->path[i];
            uint64_t start = trod_lift_place(&l->process[s], path->path.start);
            uint64_t function = trod_lift_place(&l->process[s], path->path.function);

            (*owned)[n++] =
                (struct trod_owned){.owner = owner_of(l, function, start, true),
                    .start = start,
                    .path = path,
                    .counted = s < l->ncounted};
        }
    trod_sort(*owned, n, by_owner);
    *nowned = n;
}

/* --- functions ----------------------------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

/* FNV-1a, as in other profiles. The file is hashed in front of the name of a local function. */
static uint64_t hash_name(const char *unit, const char *name, bool local)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    if (local)
        hash = hash_text(hash_text(hash, unit), ":");
    return hash_text(hash, name);
}

/* The address by which a function without a symbol, and its nodes, are named. */
static uint64_t shown_address(const struct trod_lifter *l, uint64_t place)
{
    const struct trod_image *image = &l->unit[trod_place_unit(place)].image;
    uint64_t offset = trod_place_offset(place);

    return l->files->address && image->path
               ? l->files->address(l->files->ctx, image, offset)
               : offset;
}

static void name_function(struct trod_lift_function *f, struct trod_lifter *l)
{
    const struct trod_lift_unit *unit = &l->unit[f->unit];
    uint64_t offset = trod_place_offset(f->entry);
    struct trod_lift_symbol symbol;
    struct trod_string name;
    bool known = trod_lift_symbol_at(&symbol, l, f->entry);

    trod_string_init(&name, l->mem);
    if (known)
        trod_put(&name.sink, "%s", symbol.name);
    else
        trod_put(&name.sink, "%s", unit->name);
    if (!known || symbol.start != offset)
        trod_put(&name.sink, "+0x%" PRIx64,
            known ? offset - symbol.start : shown_address(l, f->entry));
    f->name = name.text;
    f->name_hash = hash_name(unit->name, f->name, known && symbol.local);
}

bool trod_lift_function(struct trod_lift_function **out, struct trod_lifter *l,
    uint64_t entry, const uint64_t *start, size_t nstart, struct trod_err *err)
{
    uint32_t number = trod_place_table_find(&l->function_at, entry);

    if (number != UINT32_MAX) {
        *out = l->out->function[number];
        return true;
    }
    trod_place_table_add(&l->function_at, entry, l->out->nfunction, NULL);
    trod_reserve(l->mem, l->out->function, l->out->nfunction, l->room_function);
    *out = trod_new(l->mem, struct trod_lift_function, 1);
    l->out->function[l->out->nfunction++] = *out;
    (*out)->entry = entry;
    (*out)->unit = trod_place_unit(entry);
    name_function(*out, l);
    return trod_lift_graph(*out, start, nstart, l, err);
}
