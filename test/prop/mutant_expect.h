/* What must be read of a damaged profile: the counts of its whole sections, and the lines of its runs. Both come from brute
 * force, which the reader has no part in.
 */
#ifndef PROP_MUTANT_EXPECT_H
#define PROP_MUTANT_EXPECT_H

#include "mutant_walk.h"

#include <stddef.h>
#include <stdlib.h>

#include "zstd/zstd_port.h"

/* --- how often paths ran -------------------------------------------------------------------------- */

/* How often a path of a function ran, wherever it is. */
struct fact {
    uint64_t key[5]; /* name, graph, cuts, npath, id */
    uint64_t count;
};

struct facts {
    struct fact *fact;
    size_t count, room;
    bool weeded; /* some hashed path is among the chosen */
    struct trod_arena *mem;
};

static inline int by_key(const void *x, const void *y)
{
    const struct fact *a = x, *b = y;

    for (int i = 0; i < 5; i++)
        if (a->key[i] != b->key[i])
            return a->key[i] < b->key[i] ? -1 : 1;
    return 0;
}

static inline void add_fact(struct facts *f, const struct trod_profile_function *of,
    uint64_t id, uint64_t count)
{
    if (!count)
        return;
    trod_reserve(f->mem, f->fact, f->count, f->room);
    f->fact[f->count++] =
        (struct fact){{of->name, of->graph, of->cuts, of->npath, id}, count};
}

static inline void add_tally(struct facts *out, const struct trod_profile *profile,
    const struct trod_profile_tally *tally)
{
    for (size_t k = 0; k < tally->npath; k++)
        add_fact(out, &profile->module[tally->module].function[tally->function],
            tally->path[k].id, tally->path[k].count);
}

static inline void add_up(struct facts *f)
{
    size_t n = 0;

    if (f->count)
        qsort(f->fact, f->count, sizeof *f->fact, by_key);
    for (size_t i = 0; i < f->count; i++) {
        if (n && by_key(&f->fact[n - 1], &f->fact[i]) == 0)
            f->fact[n - 1].count = trod_sat_add(f->fact[n - 1].count, f->fact[i].count);
        else
            f->fact[n++] = f->fact[i];
    }
    f->count = n;
}

/* Of the hash table entries, those of one function. */
static inline void add_hashed(struct facts *out,
    const struct trod_profile_function *function, const uint8_t *counter, uint64_t have,
    const uint8_t *module, uint64_t first, const uint8_t *ids, uint64_t nslot)
{
    uint64_t hashed = get(module + HEAD + 16, 8), nhashed = get(module + HEAD + 24, 8);

    for (uint64_t i = hashed; nhashed-- > 0 && i + 3 <= have; i += 3) {
        uint64_t path = get(counter + 8 * i + 8, 8),
                 count = get(counter + 8 * i + 16, 8);

        if (get(counter + 8 * i, 8) != first + 1 || !path || path > function->npath)
            continue;
        add_fact(out, function, path - 1, count);
        for (uint64_t k = 0; k < nslot && count; k++)
            out->weeded |= get(ids + 8 * k, 8) == path - 1;
    }
}

/* Where the function was when the process ended, if it has a stop cell. */
static inline void add_stop(struct facts *out,
    const struct trod_profile_function *function, const uint8_t *row,
    const uint8_t *counters, uint64_t have)
{
    uint64_t first = get(row + 32, 8), at = first + function->npath + 1;
    uint64_t cell;

    if (get(row + 48, 4) != TROD_COUNTED_ALL || get(row + 52, 4) != 1 ||
        first == UINT64_MAX || at >= have)
        return;
    cell = get(counters + 8 * at, 8);
    if (cell && cell <= UINT64_MAX - function->npath)
        add_fact(out, function, function->npath + cell, 1);
}

/* What bundles add to a counter: the words of BUNDLES, or none. */
struct bundles {
    const uint8_t *word;
    uint64_t nword;
};

static inline uint64_t extra_of(
    const struct bundles *b, uint64_t counter, const uint8_t *counters, uint64_t have)
{
    uint64_t sum = 0;

    for (uint64_t i = 0, n; i + 1 < b->nword; i += 2 + n) {
        uint64_t from = get(b->word + 4 * i, 4);

        n = get(b->word + 4 * i + 4, 4);
        for (uint64_t k = 0; k < n && from < have; k++)
            if (get(b->word + 4 * (i + 2 + k), 4) == counter)
                sum = trod_sat_add(sum, get(counters + 8 * from, 8));
    }
    return sum;
}

/* Counters of a live file, as they are in the mutant. */
static inline void add_counts(struct facts *out, const struct file *f,
    const struct part *c, const uint8_t *module, const struct bundles *bundles)
{
    uint64_t ncounter = get(module + HEAD, 8);
    uint64_t have = c->there - HEAD < c->payload ? c->there - HEAD : c->payload;
    uint64_t nfunction = get(module + HEAD + 8, 4), nslot;
    const uint8_t *row = module + HEAD + MODULE, *ids = row + FUNCTION * nfunction;

    have = have / 8 < ncounter ? have / 8 : ncounter;
    for (; nfunction-- > 0; row += FUNCTION, ids += 8 * nslot) {
        struct trod_profile_function function = {.name = get(row, 8),
            .graph = get(row + 8, 8),
            .cuts = get(row + 16, 8),
            .npath = get(row + 24, 8)};
        bool all = trod_format_counts_each((uint32_t)get(row + 48, 4));
        uint64_t first = get(row + 32, 8), last;

        nslot = get(row + 40, 8);
        last = all ? function.npath : nslot;
        for (uint64_t i = 0; i <= last && first + i < ncounter; i++) {
            uint64_t id = all ? i : i == last ? function.npath : get(ids + 8 * i, 8);

            if (!all && i < last && id == UINT64_MAX)
                continue;
            if (first + i < have)
                add_fact(out, &function, id,
                    get(f->bytes + c->at + HEAD + 8 * (first + i), 8));
            add_fact(out, &function, id,
                extra_of(bundles, first + i, f->bytes + c->at + HEAD, have));
        }
        add_stop(out, &function, row, f->bytes + c->at + HEAD, have);
        if (!all && get(row + 48, 4) >= TROD_COUNTED_RESIDUAL)
            add_hashed(out, &function, f->bytes + c->at + HEAD, have, module, first,
                ids, nslot);
    }
}

/* --- of a mutant ---------------------------------------------------------------------------------- */

static inline const struct part *module_of(const struct mutant *m, uint32_t number)
{
    uint64_t next = 0; /* numbers ascend */

    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];

        if (c->lost || c->type != TROD_SECTION_MODULE || c->module < next)
            continue;
        if (c->module == number)
            return c;
        next = (uint64_t)c->module + 1;
    }
    return NULL;
}

/* The first section of a module's that is whole. */
static inline struct bundles bundles_of(const struct mutant *m, uint32_t module)
{
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];

        if (!c->lost && c->type == TROD_SECTION_BUNDLES && c->module == module)
            return (struct bundles){m->file.bytes + c->at + HEAD, c->payload / 4};
    }
    return (struct bundles){0};
}

static inline bool is_copy(const struct mutant *m, uint32_t i)
{
    const struct part *c = &m->walk.part[i];

    for (uint32_t k = 0; k < i; k++) {
        const struct part *b = &m->walk.part[k];

        if (!b->lost && b->type == c->type && b->module == c->module &&
            b->thread == c->thread)
            return true;
    }
    return false;
}

static inline void expect_counts(struct facts *out, const struct mutant *m)
{
    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i], *module;
        bool paths = c->type == TROD_SECTION_PATHS;

        if (c->lost || (!paths && c->type != TROD_SECTION_COUNTS) || is_copy(m, i))
            continue;
        module = module_of(m, c->module);
        if (!module)
            continue;
        if (!paths) {
            struct bundles bundles = bundles_of(m, c->module);

            add_counts(out, &m->file, c, m->file.bytes + module->at, &bundles);
        }
        for (size_t t = 0; paths && t < m->was.ntally; t++)
            if (m->was.tally[t].module == c->module &&
                m->was.tally[t].group == c->thread)
                add_tally(out, &m->was, &m->was.tally[t]);
    }
    add_up(out);
}

/* What SHARED says in place of END: the first one; NULL if there is none. */
static inline const uint8_t *shared_of(const struct mutant *m)
{
    for (uint32_t i = 0; m->walk.live && i < m->walk.count; i++)
        if (!m->walk.part[i].lost && m->walk.part[i].type == TROD_SECTION_SHARED)
            return m->file.bytes + m->walk.part[i].at + HEAD;
    return NULL;
}

/* Fields that SHARED gives a run: processes, private and lost always, one for whether they ended, others if they
 * are not 0.
 */
static inline uint64_t expect_shared(const uint8_t *shared)
{
#define WORD(field) get(shared + offsetof(struct trod_format_shared, field), 8)
    bool ended = WORD(nended) >= WORD(nstarted);
    uint64_t n = 4 + !ended + (WORD(nended) != 0) + (WORD(nunrecorded) != 0) +
                 (WORD(npart) != 0);

    for (size_t i = 0; i < TROD_SHARED_STOPS; i++)
        n += WORD(stop[i].place) && WORD(stop[i].times);
    return n;
#undef WORD
}

/* Lines of the runs, and of the end of a live one; the line of one that did not end. */
static inline uint64_t expect_fields(const struct mutant *m, struct trod_arena *mem)
{
    const uint8_t *shared = shared_of(m);
    uint64_t n = shared ? expect_shared(shared) : m->walk.live && !m->walk.ended;
    bool seen[TROD_SECTION_NOTE + 1] = {false};

    for (uint32_t i = 0; i < m->walk.count; i++) {
        const struct part *c = &m->walk.part[i];
        const uint8_t *p = m->file.bytes + c->at + HEAD;
        bool line = c->type == TROD_SECTION_RUN ||
                    (c->type == TROD_SECTION_END && m->walk.live && !shared);
        size_t length = (size_t)c->payload;
        struct trod_err err;
        uint8_t *plain;

        if (c->lost || !line || (m->walk.live && seen[c->type]))
            continue;
        seen[c->type] = true;
        if (c->flags == TROD_SECTION_ZSTD &&
            trod_zstd_codec.decompress(&plain, &length, p, length, 1 << 24, mem, &err))
            p = plain;
        for (size_t k = 0; k < length; k++)
            n += p[k] == '\n';
    }
    return n;
}

#endif
