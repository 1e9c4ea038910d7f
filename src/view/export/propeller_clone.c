#include "export/propeller.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 64 }; /* most edges to try per function */

/* An edge that is a jump in the current layout. */
struct jump {
    uint32_t from, to;
    uint64_t count;
};

/* An occurrence of the current clone on a path. */
struct pass {
    const struct trod_propeller_path *path;
    uint32_t at; /* index in the path of the clone's last block */
};

struct chooser {
    const struct trod_propeller_function *function;
    const struct trod_propeller_choice *choice;
    struct trod_propeller_clone *clone;
    uint32_t nclone;
    uint64_t nbyte;   /* size of all copies */
    uint32_t *behind; /* the block after each one in the current layout, or TROD_NONE */
    struct trod_arena *mem;
};

/* --- candidate edges -------------------------------------------------------------------------- */

TROD_ORDER(by_edge, struct jump, TROD_UP(from), TROD_UP(to))

TROD_ORDER(by_count, struct jump, TROD_DOWN(count), by_edge(a, b))

/* The edges on paths without duplicates, hottest first. */
static struct jump *list_edges(
    size_t *count, const struct trod_propeller_function *f, struct trod_arena *mem)
{
    struct jump *edge;
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < f->npath; i++)
        n += f->path[i].nblock - 1;
    edge = trod_new(mem, struct jump, n);
    n = 0;
    for (size_t i = 0; i < f->npath; i++)
        for (uint32_t k = 1; k < f->path[i].nblock; k++)
            edge[n++] = (struct jump){
                f->path[i].block[k - 1], f->path[i].block[k], f->path[i].count};
    trod_sort(edge, n, by_edge);
    for (size_t i = 0; i < n; i++) {
        if (kept && by_edge(&edge[kept - 1], &edge[i]) == 0)
            edge[kept - 1].count = trod_sat_add(edge[kept - 1].count, edge[i].count);
        else
            edge[kept++] = edge[i];
    }
    trod_sort(edge, kept, by_count);
    *count = kept;
    return edge;
}

/* --- length of a clone -------------------------------------------------------------------------- */

static uint32_t next_of(const struct pass *pass)
{
    return pass->at + 1 < pass->path->nblock ? pass->path->block[pass->at + 1]
                                             : pass->path->to;
}

static uint64_t count_to(const struct pass *pass, size_t n, uint32_t block)
{
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (block != TROD_NONE && next_of(&pass[i]) == block)
            count = trod_sat_add(count, pass[i].path->count);
    return count;
}

static bool has_block(const struct trod_propeller_clone *clone, uint32_t block)
{
    for (uint32_t i = 0; i < clone->nblock; i++)
        if (clone->block[i] == block)
            return true;
    return false;
}

/* The most frequent successor on the paths; TROD_NONE if the clone must end here. */
static uint32_t best_next(const struct chooser *c,
    const struct trod_propeller_clone *clone, const struct pass *pass, size_t n)
{
    uint32_t best = TROD_NONE;
    uint64_t most = 0;

    if (clone->nblock == TROD_PROPELLER_LONGEST ||
        (c->function->block[clone->block[clone->nblock - 1]].flags &
            TROD_BLOCK_INDIRECT))
        return TROD_NONE;
    for (size_t i = 0; i < n; i++) {
        uint32_t next = next_of(&pass[i]);
        uint64_t count;

        if (pass[i].at + 1 == pass[i].path->nblock || next == best ||
            has_block(clone, next) || c->function->fixed[next])
            continue;
        count = count_to(pass, n, next);
        if (count > most) {
            best = next;
            most = count;
        }
    }
    return best;
}

static size_t keep_passes(struct pass *pass, size_t n, uint32_t next)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (pass[i].at + 1 < pass[i].path->nblock && next_of(&pass[i]) == next) {
            pass[kept] = pass[i];
            pass[kept++].at++;
        }
    return kept;
}

static size_t list_passes(
    struct pass **out, const struct chooser *c, const struct jump *edge)
{
    size_t n = 0, room = 0;

    *out = NULL;
    for (size_t i = 0; i < c->function->npath; i++)
        for (uint32_t k = 1; k < c->function->path[i].nblock; k++)
            if (c->function->path[i].block[k - 1] == edge->from &&
                c->function->path[i].block[k] == edge->to) {
                trod_reserve(c->mem, *out, n, room);
                (*out)[n++] = (struct pass){&c->function->path[i], k};
            }
    return n;
}

/* Saturate, so that sums of a dozen counts do not overflow. */
static int64_t bounded(uint64_t count)
{
    return count < INT64_MAX / 64 ? (int64_t)count : INT64_MAX / 64;
}

/* Extend the clone along the most frequent successor, and cut it where it saves the most jumps. Each edge of the clone
 * saves its count if it is a jump now; other edges that fall through now and would become jumps are subtracted, as is
 * the fall-through at the clone's end.
 */
static void grow(
    struct trod_propeller_clone *out, const struct chooser *c, const struct jump *edge)
{
    struct trod_propeller_clone clone = {2, {edge->from, edge->to}};
    struct pass *pass;
    size_t n = list_passes(&pass, c, edge);
    int64_t saved = 0, best = INT64_MIN;

    for (;;) {
        uint32_t last = clone.block[clone.nblock - 1], next;
        int64_t falls = bounded(count_to(pass, n, c->behind[last]));

        if (saved - falls > best) {
            best = saved - falls;
            *out = clone;
        }
        next = best_next(c, &clone, pass, n);
        if (next == TROD_NONE)
            return;
        saved += next == c->behind[last] ? 0 : bounded(count_to(pass, n, next)) - falls;
        clone.block[clone.nblock++] = next;
        n = keep_passes(pass, n, next);
    }
}

/* --- validity and benefit ------------------------------------------------------------------------- */

static bool has_edge(
    const struct trod_propeller_clone *clone, uint32_t from, uint32_t to)
{
    for (uint32_t i = 1; i < clone->nblock; i++)
        if (clone->block[i - 1] == from && clone->block[i] == to)
            return true;
    return false;
}

static bool fits(const struct chooser *c, const struct trod_propeller_clone *clone)
{
    for (uint32_t i = 0; i < c->nclone; i++)
        if (has_edge(&c->clone[i], clone->block[0], clone->block[1]) ||
            has_edge(clone, c->clone[i].block[0], c->clone[i].block[1]))
            return false;
    return true;
}

static uint64_t bytes_of(
    const struct trod_propeller_function *f, const struct trod_propeller_clone *clone)
{
    uint64_t n = 0;

    for (uint32_t i = 1; i < clone->nblock; i++)
        n = trod_sat_add(n, f->block[clone->block[i]].nbyte);
    return n;
}

static void find_behind(struct chooser *c, const struct trod_propeller_layout *layout)
{
    c->behind = trod_new(c->mem, uint32_t, c->function->nblock);
    for (uint32_t b = 0; b < c->function->nblock; b++)
        c->behind[b] = TROD_NONE;
    for (size_t i = 1; i < layout->nnode; i++)
        c->behind[layout->node[i - 1].block] = layout->node[i].block;
}

/* Block counts. A block with a single predecessor need not be copied. */
static uint64_t *count_blocks(
    const struct trod_propeller_function *f, struct trod_arena *mem)
{
    uint64_t *count = trod_new(mem, uint64_t, f->nblock);

    for (size_t i = 0; i < f->npath; i++)
        for (uint32_t k = 0; k < f->path[i].nblock; k++)
            count[f->path[i].block[k]] =
                trod_sat_add(count[f->path[i].block[k]], f->path[i].count);
    return count;
}

/* Keep the clone if it improves the layout. */
static bool try_clone(struct chooser *c, const struct trod_propeller_clone *clone,
    struct trod_propeller_layout *layout)
{
    struct trod_propeller_layout with;
    uint64_t nbyte = bytes_of(c->function, clone);

    if (!fits(c, clone) || nbyte > c->choice->most_byte - c->nbyte)
        return false;
    c->clone[c->nclone] = *clone;
    trod_propeller_layout(&with, c->function, c->clone, c->nclone + 1, c->mem);
    if (with.jumps >= layout->jumps || layout->jumps - with.jumps < c->choice->worth)
        return false;
    c->nclone++;
    c->nbyte += nbyte;
    *layout = with;
    return true;
}

uint32_t trod_propeller_choose(struct trod_propeller_clone *out,
    struct trod_propeller_layout *layout,
    const struct trod_propeller_function *function,
    const struct trod_propeller_choice *choice, struct trod_arena *mem)
{
    struct chooser c = {
        .function = function, .choice = choice, .clone = out, .mem = mem};
    uint64_t *count_of_block = count_blocks(function, mem);
    struct jump *edge;
    size_t nedge, tried = 0;

    trod_propeller_layout(layout, function, NULL, 0, mem);
    find_behind(&c, layout);
    edge = list_edges(&nedge, function, mem);
    for (size_t i = 0; i < nedge && tried < MOST_EDGES && c.nclone < choice->most &&
                       edge[i].count >= choice->worth;
        i++) {
        struct trod_propeller_clone clone;

        if (c.behind[edge[i].from] == edge[i].to || edge[i].from == edge[i].to ||
            edge[i].count == count_of_block[edge[i].to] || function->fixed[edge[i].to])
            continue;
        tried++;
        grow(&clone, &c, &edge[i]);
        try_clone(&c, &clone, layout);
    }
    return c.nclone;
}
