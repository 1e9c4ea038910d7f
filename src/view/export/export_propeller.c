#include "export/propeller.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's profile for basic-block sections, version 1. Each function has lines with its clones and with its blocks in
 * order. Blocks that did not run are not listed, and LLVM moves them to a cold section.
 */

enum {
    RATIO =
        1000, /* functions that make up the coldest 1/RATIO of the weight are not changed */
    WORTH = 2000,    /* a clone must save 1 jump per this many blocks executed */
    MOST_CLONES = 64 /* per function */
};

struct writer {
    struct trod_sink *sink;
    const struct trod_exported *in;
    struct trod_propeller_function *function;
    size_t nfunction, room;
    uint64_t weight;                    /* of all */
    size_t nwithout, nnameless, ntwice; /* functions that are omitted */
    uint64_t nclone;
    struct trod_arena *mem;
};

/* --- choice of functions ------------------------------------------------------------------------------ */

static const struct trod_export_blocks *blocks_of(
    const struct trod_exported *in, const char *unit)
{
    for (size_t i = 0; i < in->nblocks; i++)
        if (strcmp(in->blocks[i].file, unit) == 0)
            return &in->blocks[i];
    return NULL;
}

/* Lifting appends an address to ambiguous names, which the compiler does not know. */
static bool has_name(const struct trod_map_entry *entry)
{
    return !strstr(entry->name, "+0x") && !strpbrk(entry->name, " \n");
}

static void add_function(struct writer *w, const struct trod_flow *flow)
{
    const struct trod_export_blocks *blocks = blocks_of(w->in, flow->entry->unit);
    struct trod_propeller_function one;

    if (!blocks)
        return;
    if (!has_name(flow->entry)) {
        w->nnameless++;
    } else if (!trod_propeller_function(&one, flow, blocks, w->in->map->step, w->mem)) {
        w->nwithout++;
    } else if (one.npath) {
        trod_push(w->mem, w->function, w->nfunction, w->room, one);
        w->weight = trod_sat_add(w->weight, one.weight);
    }
}

TROD_ORDER(
    by_weight, struct trod_propeller_function, TROD_DOWN(weight), TROD_ALPHABETIC(name))

static int by_name(const void *x, const void *y)
{
    const char *const *a = x, *const *b = y;

    return strcmp(*a, *b);
}

/* LLVM rejects duplicate names and cannot distinguish their files. */
static void drop_twins(struct writer *w)
{
    const char **name = trod_new(w->mem, const char *, w->nfunction);
    size_t kept = 0;

    for (size_t i = 0; i < w->nfunction; i++)
        name[i] = w->function[i].name;
    trod_sort(name, w->nfunction, by_name);
    for (size_t i = 0; i < w->nfunction; i++) {
        const char **at =
            bsearch(&w->function[i].name, name, w->nfunction, sizeof *name, by_name);
        bool twin = (at > name && strcmp(at[-1], *at) == 0) ||
                    (at + 1 < name + w->nfunction && strcmp(at[1], *at) == 0);

        w->ntwice += twin;
        if (!twin)
            w->function[kept++] = w->function[i];
    }
    w->nfunction = kept;
}

/* --- one function ----------------------------------------------------------------------------------------- */

static void put_clones(const struct writer *w, const struct trod_propeller_function *f,
    const struct trod_propeller_clone *clone, uint32_t nclone)
{
    for (uint32_t i = 0; i < nclone; i++) {
        trod_put(w->sink, "p");
        for (uint32_t k = 0; k < clone[i].nblock; k++)
            trod_put(w->sink, " %" PRIu32, f->block[clone[i].block[k]].id);
        trod_put(w->sink, "\n");
    }
}

static double percent(uint64_t part, uint64_t rest)
{
    double all = (double)part + (double)rest;

    return all > 0 ? 100 * (double)part / all : 0;
}

static void put_function(struct writer *w, const struct trod_propeller_function *f)
{
    struct trod_mark mark = trod_arena_mark(w->mem);
    uint64_t left = w->in->most ? w->in->most - w->nclone : MOST_CLONES;
    struct trod_propeller_choice choice = {
        .most = left < MOST_CLONES ? (uint32_t)left : MOST_CLONES,
        .worth = w->weight / WORTH + 1};
    struct trod_propeller_clone clone[MOST_CLONES + 1];
    struct trod_propeller_layout plain, layout;
    uint32_t nclone;

    trod_propeller_layout(&plain, f, NULL, 0, w->mem);
    for (size_t i = 0; i < plain.nnode; i++)
        choice.most_byte += f->block[plain.node[i].block].nbyte;
    nclone = trod_propeller_choose(clone, &layout, f, &choice, w->mem);
    trod_put(w->sink,
        "# %.2f%% of what ran; of steps from block to block %.1f%% fall through, without "
        "clones %.1f%%\nf %s\n",
        percent(f->weight, w->weight - f->weight), percent(layout.falls, layout.jumps),
        percent(plain.falls, plain.jumps), f->name);
    put_clones(w, f, clone, nclone);
    trod_put(w->sink, "c");
    for (size_t i = 0; i < layout.nnode; i++) {
        trod_put(w->sink, " %" PRIu32, f->block[layout.node[i].block].id);
        if (layout.node[i].copy)
            trod_put(w->sink, ".%" PRIu32, layout.node[i].copy);
    }
    trod_put(w->sink, "\n");
    w->nclone += nclone;
    trod_arena_rewind(w->mem, mark);
}

/* --- all functions ----------------------------------------------------------------------------------------- */

static bool check(const struct trod_exported *in, struct trod_err *err)
{
    if (in->profile->nmodule && in->profile->module[0].mode != TROD_MODE_MACHINE)
        return trod_fail(err, TROD_E_MISMATCH,
            "the paths of this profile are those of %s, and LLVM's basic-block sections need "
            "those of machine code; compile with 'clang -fbasic-block-address-map', without "
            "trod, and profile with 'trod emulate -- PROGRAM'",
            trod_profile_mode_name(in->profile->module[0].mode));
    return in->nblocks ||
           trod_fail(err, TROD_E_MISMATCH,
               "no executed module has a map of its basic blocks; compile it with 'clang "
               "-fbasic-block-address-map', and profile that with 'trod emulate'");
}

static void put_head(const struct writer *w)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, w->in, w->mem);

    trod_put(w->sink, "v1\n# trod %s: for 'clang -fbasic-block-sections=list=FILE'\n",
        w->in->version);
    for (size_t i = 0; i < n; i++)
        trod_put(w->sink, "# %s\n", remark[i]);
    if (w->nwithout)
        trod_put(w->sink, "# %zu functions that ran have no blocks in the map\n",
            w->nwithout);
    if (w->nnameless + w->ntwice)
        trod_put(w->sink,
            "# %zu functions that ran are omitted: others have the same name\n",
            w->nnameless + w->ntwice);
}

bool trod_export_propeller(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct writer w = {.sink = sink, .in = in, .mem = mem};
    uint64_t sum = 0;

    if (!check(in, err))
        return false;
    for (uint32_t i = 0; i < in->map->nentry; i++) {
        const struct trod_flow *flow = &in->flows->of_entry[i];

        if (flow->entry && flow->entry->machine && flow->npath &&
            trod_export_wants(in, flow->entry))
            add_function(&w, flow);
    }
    drop_twins(&w);
    trod_sort(w.function, w.nfunction, by_weight);
    put_head(&w);
    for (size_t i = 0; i < w.nfunction && sum <= w.weight - w.weight / RATIO; i++) {
        put_function(&w, &w.function[i]);
        sum = trod_sat_add(sum, w.function[i].weight);
    }
    return true;
}
