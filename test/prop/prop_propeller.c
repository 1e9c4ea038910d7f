/* Clones and layouts for LLVM: clones obey LLVM's rules, as an independent implementation
 * checks; layouts contain what runs, and their fall-through counts equal those of a walk that
 * does not use chains.
 */
#include "kit/kit.h"
#include "prop/scratch.h"

#include <stdio.h>
#include <string.h>

#include "export/propeller.h"

enum fault {
    NONE,
    NODE_GONE,     /* the last node of the layout */
    NODES_SWAPPED, /* the last two */
    CLONE_TWICE,   /* the first clone again */
    CLONE_OFF      /* the first clone ends with a block that does not follow */
};

enum { MOST_BLOCKS = 12, MOST_PATHS = 24, MOST_CLONES = 8, MOST_NODES = 200 };

/* A function, what leads where in it, and what is made of it. */
struct drawn {
    struct trod_export_block block[MOST_BLOCKS];
    bool fixed[MOST_BLOCKS];
    struct trod_propeller_path path[MOST_PATHS];
    uint32_t row[MOST_PATHS][MOST_BLOCKS];
    struct trod_propeller_function function;
    struct trod_propeller_clone clone[MOST_CLONES + 2];
    uint32_t nclone;
    struct trod_propeller_layout layout;
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* Paths go to higher blocks, and back at their end. */
static void draw_path(struct drawn *d, uint32_t i, struct kit_prop *p)
{
    uint32_t n = 0, at = (uint32_t)kit_draw(p, d->function.nblock);

    at = kit_draw(p, 2) ? at : 0;
    for (;;) {
        d->row[i][n++] = at;
        if (at + 1 >= d->function.nblock ||
            (d->block[at].flags & TROD_BLOCK_INDIRECT) || !kit_draw(p, 8))
            break;
        at +=
            1 + (uint32_t)kit_draw(p,
                    d->function.nblock - at - 1 < 3 ? d->function.nblock - at - 1 : 3);
    }
    d->path[i] = (struct trod_propeller_path){.count = 1 + kit_draw(p, 1000),
        .nblock = n,
        .block = d->row[i],
        .to = kit_draw(p, 2) ? (uint32_t)kit_draw(p, at + 1) : TROD_NONE};
    d->function.weight += d->path[i].count * n;
}

static void draw_function(struct drawn *d, struct kit_prop *p)
{
    memset(d, 0, sizeof *d);
    d->function.nblock = 1 + (uint32_t)kit_draw(p, MOST_BLOCKS);
    d->function.npath = 1 + (uint32_t)kit_draw(p, MOST_PATHS);
    d->function.block = d->block;
    d->function.path = d->path;
    d->function.fixed = d->fixed;
    d->fixed[0] = true;
    for (uint32_t b = 0; b < d->function.nblock; b++) {
        d->block[b] = (struct trod_export_block){.id = b,
            .nbyte = 1 + kit_draw(p, 30),
            .flags = kit_draw(p, 12) == 11 ? TROD_BLOCK_INDIRECT : 0};
        d->fixed[b] |= kit_draw(p, 12) == 11;
    }
    for (uint32_t i = 0; i < d->function.npath; i++)
        draw_path(d, i, p);
}

/* --- LLVM's pass, by its description ----------------------------------------------------------- */

/* goes[v][b]: where node v goes where the block it is a copy of went to b; -1: it does not. */
struct flow_graph {
    int goes[MOST_NODES][MOST_BLOCKS];
    uint32_t block[MOST_NODES], copy[MOST_NODES];
    uint32_t nnode;
};

static void start_graph(struct flow_graph *g, const struct drawn *d)
{
    memset(g->goes, -1, sizeof g->goes);
    g->nnode = d->function.nblock;
    for (uint32_t b = 0; b < g->nnode; b++) {
        g->block[b] = b;
        g->copy[b] = 0;
    }
    for (size_t i = 0; i < d->function.npath; i++) {
        const struct trod_propeller_path *path = &d->path[i];

        for (uint32_t k = 1; k < path->nblock; k++)
            g->goes[path->block[k - 1]][path->block[k]] = (int)path->block[k];
        if (path->to != TROD_NONE)
            g->goes[path->block[path->nblock - 1]][path->to] = (int)path->to;
    }
}

/* False: LLVM would warn. */
static bool apply(struct flow_graph *g, const struct drawn *d,
    const struct trod_propeller_clone *clone, uint32_t *ncopy)
{
    uint32_t before = clone->block[0];

    for (uint32_t i = 0; i < clone->nblock; i++) {
        uint32_t b = clone->block[i];

        if (i && g->goes[clone->block[i - 1]][b] != (int)b)
            return false; /* not a successor, or no more */
        if (i + 1 < clone->nblock && (d->block[b].flags & TROD_BLOCK_INDIRECT))
            return false;
        if (i && (b == d->function.entry || d->fixed[b]))
            return false;
        for (uint32_t k = 1; k < i; k++)
            if (clone->block[k] == b)
                return false;
    }
    for (uint32_t i = 1; i < clone->nblock; i++) {
        uint32_t b = clone->block[i], v = g->nnode++;

        memcpy(g->goes[v], g->goes[b], sizeof g->goes[v]);
        g->block[v] = b;
        g->copy[v] = ++ncopy[b];
        g->goes[before][b] = (int)v;
        before = v;
    }
    return true;
}

/* --- what is made ---------------------------------------------------------------------------------- */

static void plant(struct drawn *d, enum fault fault, struct trod_arena *mem)
{
    struct trod_propeller_node *node =
        trod_new(mem, struct trod_propeller_node, d->layout.nnode);
    size_t n = d->layout.nnode;

    memcpy(node, d->layout.node, n * sizeof *node);
    d->layout.node = node;
    if (fault == NODE_GONE && n)
        d->layout.nnode--;
    if (fault == NODES_SWAPPED && n > 1) {
        struct trod_propeller_node last = node[n - 1];

        node[n - 1] = node[n - 2];
        node[n - 2] = last;
    }
    if (fault == CLONE_TWICE && d->nclone)
        d->clone[d->nclone++] = d->clone[0];
    if (fault == CLONE_OFF && d->nclone)
        d->clone[0].block[d->clone[0].nblock - 1] = d->function.entry;
}

static bool choose(struct drawn *d, struct trod_propeller_choice *choice,
    enum fault fault, struct kit_prop *p, struct sample *s)
{
    struct trod_propeller_layout plain;
    uint64_t nbyte = 0;

    draw_function(d, p);
    *choice = (struct trod_propeller_choice){.most = (uint32_t)kit_draw(p, MOST_CLONES),
        .worth = 1 + kit_draw(p, 20),
        .most_byte = kit_draw(p, 200)};
    trod_propeller_layout(&plain, &d->function, NULL, 0, &s->mem);
    d->nclone =
        trod_propeller_choose(d->clone, &d->layout, &d->function, choice, &s->mem);
    for (uint32_t i = 0; i < d->nclone; i++)
        for (uint32_t k = 1; k < d->clone[i].nblock; k++)
            nbyte += d->block[d->clone[i].block[k]].nbyte;
    if (d->nclone > choice->most || nbyte > choice->most_byte ||
        plain.jumps - d->layout.jumps < d->nclone * choice->worth ||
        plain.falls + plain.jumps != d->layout.falls + d->layout.jumps) {
        kit_note(p, "clones cost too much, or are worth too little");
        return false;
    }
    plant(d, fault, &s->mem);
    return true;
}

static bool build_graph(struct flow_graph *g, const struct drawn *d, struct kit_prop *p)
{
    uint32_t ncopy[MOST_BLOCKS] = {0};

    start_graph(g, d);
    for (uint32_t i = 0; i < d->nclone; i++)
        if (!apply(g, d, &d->clone[i], ncopy)) {
            kit_note(p, "LLVM would not take clone %u", i);
            return false;
        }
    return true;
}

static bool clones_are_taken(struct kit_prop *p, void *ctx)
{
    struct trod_propeller_choice choice;
    struct flow_graph g;
    struct drawn d;
    struct sample s;

    begin(&s);
    return end(&s, choose(&d, &choice, fault_in(ctx), p, &s) && build_graph(&g, &d, p));
}

/* Which place of the layout a node has; -1: none. */
static int place_of(const struct drawn *d, const struct flow_graph *g, uint32_t v)
{
    int found = -1;

    for (size_t i = 0; i < d->layout.nnode; i++)
        if (d->layout.node[i].block == g->block[v] &&
            d->layout.node[i].copy == g->copy[v])
            found = found == -1 ? (int)i : -2;
    return found;
}

/* Print what was drawn and made, to find the fault. */
static void note_drawn(
    struct kit_prop *p, const struct drawn *d, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    for (size_t i = 0; i < d->function.npath; i++) {
        for (uint32_t k = 0; k < d->path[i].nblock; k++)
            trod_put(&text.sink, "%u ", d->path[i].block[k]);
        trod_put(
            &text.sink, "to %d x%u\n", (int)d->path[i].to, (unsigned)d->path[i].count);
    }
    for (uint32_t i = 0; i < d->nclone; i++) {
        trod_put(&text.sink, "p");
        for (uint32_t k = 0; k < d->clone[i].nblock; k++)
            trod_put(&text.sink, " %u", d->clone[i].block[k]);
        trod_put(&text.sink, "\n");
    }
    trod_put(&text.sink, "c");
    for (size_t i = 0; i < d->layout.nnode; i++)
        trod_put(&text.sink, " %u.%u", d->layout.node[i].block, d->layout.node[i].copy);
    kit_note(p, "%s\nfalls %u jumps %u", text.text, (unsigned)d->layout.falls,
        (unsigned)d->layout.jumps);
}

static bool layouts_are_right(struct kit_prop *p, void *ctx)
{
    struct trod_propeller_choice choice;
    uint64_t falls = 0, jumps = 0;
    struct flow_graph g;
    struct drawn d;
    struct sample s;
    bool holds;

    begin(&s);
    if (!choose(&d, &choice, fault_in(ctx), p, &s) || !build_graph(&g, &d, p))
        return end(&s, false);
    holds = d.layout.nnode && d.layout.node[0].block == d.function.entry &&
            !d.layout.node[0].copy;
    for (size_t i = 0; i < d.function.npath; i++) {
        const struct trod_propeller_path *path = &d.path[i];
        int v = (int)path->block[0];

        for (uint32_t k = 1; k <= path->nblock; k++) {
            uint32_t next = k < path->nblock ? path->block[k] : path->to;
            int from = place_of(&d, &g, (uint32_t)v), to;

            holds = holds && from >= 0;
            if (next == TROD_NONE)
                break;
            v = g.goes[v][next];
            to = place_of(&d, &g, (uint32_t)v);
            holds = holds &&
                    (to >= 0 || k == path->nblock); /* it may have gone no further */
            *(to == from + 1 ? &falls : &jumps) += path->count;
        }
    }
    holds = holds && falls == d.layout.falls && jumps == d.layout.jumps;
    if (!holds)
        note_drawn(p, &d, &s.mem);
    return end(&s, holds);
}

/* --- the tests ---------------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"clones are such as LLVM takes", clones_are_taken, {CLONE_TWICE, CLONE_OFF}},
    {"layouts have what runs, and fall through as they say", layouts_are_right,
        {NODE_GONE, NODES_SWAPPED}},
};

int main(void)
{
    return kit_run_tested(
        "propeller", properties, sizeof properties / sizeof *properties);
}
