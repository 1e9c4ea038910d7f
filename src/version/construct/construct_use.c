#include "construct/construct_builder.h"
#include "base/order.h"

#include <stdlib.h>

static void sort(
    void *items, size_t count, size_t size, int (*by)(const void *, const void *))
{
    if (count)
        qsort(items, count, size, by);
}

struct resolver {
    struct trod_constructs *out;
    const struct trod_constructs_builder *b;
    const uint32_t *file_of_file;
    struct trod_arena *mem;
    uint32_t room;
};

static bool can_be_used(const struct trod_construct *c)
{
    return c->level >= TROD_LEVEL_FUNCTION || c->parent == 0;
}

/* A file that is named in a target but contains no construct gets a number of its own. */
static uint32_t file_of(const struct resolver *r, uint32_t file)
{
    return file == TROD_NO_CONSTRUCT             ? TROD_NO_CONSTRUCT
           : r->file_of_file[file] == UINT32_MAX ? UINT32_MAX - 1
                                                 : r->file_of_file[file];
}

static void add_use(
    struct resolver *r, uint32_t from, uint32_t to, enum trod_construct_use_kind kind)
{
    trod_push(r->mem, r->out->use, r->out->nuse, r->room,
        (struct trod_construct_use){.from = from, .to = to, .kind = kind});
}

/* Find all constructs that a target may denote. Static ones must be in the file that is named, or else in the file of
 * the user.
 */
static uint32_t resolve(struct resolver *r, uint32_t from,
    const struct construct_target *target, enum trod_construct_use_kind kind,
    bool is_own_file)
{
    const struct trod_constructs *of = r->out;
    uint32_t file = is_own_file ? of->construct[from].file : file_of(r, target->file);
    uint32_t n = 0;

    for (uint32_t i = of->first_of_symbol[target->symbol];
        i < of->first_of_symbol[target->symbol + 1]; i++) {
        const struct trod_construct *c = &of->construct[of->named[i]];

        if (!can_be_used(c) ||
            (kind != TROD_USE_NAMES && c->level != TROD_LEVEL_FUNCTION) ||
            (file == TROD_NO_CONSTRUCT ? c->is_static : c->file != file) ||
            (target->line != TROD_NO_CONSTRUCT && c->line != target->line) ||
            (target->level != TROD_NO_CONSTRUCT && c->level != target->level))
            continue;
        add_use(r, from, of->named[i], kind);
        n++;
    }
    return n;
}

static void resolve_target(struct resolver *r, uint32_t from,
    const struct construct_target *target, enum trod_construct_use_kind kind)
{
    if (!resolve(r, from, target, kind, false) && target->file == TROD_NO_CONSTRUCT)
        resolve(r, from, target, kind, true);
}

TROD_ORDER(by_taken, struct construct_taken, TROD_UP(type), TROD_UP(target.symbol),
    TROD_UP(target.file), TROD_UP(target.line), TROD_UP(target.level))

/* Each unit lists the addresses taken in its headers: remove duplicates. */
static uint32_t sort_taken(struct construct_taken *taken, uint32_t count)
{
    uint32_t n = 0;

    sort(taken, count, sizeof *taken, by_taken);
    for (uint32_t i = 0; i < count; i++)
        if (!n || by_taken(&taken[n - 1], &taken[i]) != 0)
            taken[n++] = taken[i];
    return n;
}

static void resolve_pointer(struct resolver *r, uint32_t from, uint64_t type)
{
    const struct construct_taken *taken = r->b->taken;
    uint32_t low = TROD_LOWER_BOUND(middle, 0, r->b->ntaken, taken[middle].type < type);

    for (; low < r->b->ntaken && taken[low].type == type; low++)
        resolve_target(r, from, &taken[low].target, TROD_USE_MAY_CALL);
}

TROD_ORDER(by_use, struct trod_construct_use, TROD_UP(from), TROD_UP(kind), TROD_UP(to))

static void sort_uses(struct trod_constructs *out)
{
    uint32_t n = 0;

    sort(out->use, out->nuse, sizeof *out->use, by_use);
    for (uint32_t i = 0; i < out->nuse; i++)
        if (!n || by_use(&out->use[n - 1], &out->use[i]) != 0)
            out->use[n++] = out->use[i];
    out->nuse = n;
}

static void resolve_all(struct resolver *r, const uint32_t *number)
{
    const struct trod_constructs_builder *b = r->b;

    for (uint32_t t = 0; t < b->ntop; t++) {
        if (b->top[t].is_dropped)
            continue;
        for (uint32_t u = b->top[t].first_use; u < b->top[t].end_use; u++) {
            const struct construct_named_use *use = &b->use[u];

            if (use->kind == TROD_USE_MAY_CALL)
                resolve_pointer(r, number[use->from], use->type);
            else
                resolve_target(r, number[use->from], &use->target, use->kind);
        }
    }
    sort_uses(r->out);
}

struct pointed {
    uint64_t set;
    uint32_t from;
};

TROD_ORDER(by_set, struct pointed, TROD_UP(set), TROD_UP(from))

TROD_ORDER(by_from, uint32_t, trod_compare(*a, *b))

/* Make one construct for each set of functions that may be called through a pointer. */
static void list_pointed(struct trod_constructs *out, struct trod_arena *mem)
{
    struct pointed *all = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t u = 0; u < out->nuse; u++) {
        const struct trod_construct_use *use = &out->use[u];

        if (use->kind != TROD_USE_MAY_CALL)
            continue;
        if (!n || all[n - 1].from != use->from)
            trod_push(mem, all, n, room, (struct pointed){.from = use->from});
        all[n - 1].set = trod_mix(all[n - 1].set, use->to);
    }
    sort(all, n, sizeof *all, by_set);
    out->pointed = trod_new(mem, uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        if (!i || all[i].set != all[i - 1].set)
            out->pointed[out->npointed++] = all[i].from;
    sort(out->pointed, out->npointed, sizeof *out->pointed, by_from);
}

void trod_construct_resolve(struct trod_constructs *out,
    struct trod_constructs_builder *b, const uint32_t *file_of_file,
    const uint32_t *number)
{
    struct resolver r = {
        .out = out, .b = b, .file_of_file = file_of_file, .mem = b->mem};

    b->ntaken = sort_taken(b->taken, b->ntaken);
    resolve_all(&r, number);
    list_pointed(out, b->mem);
}
