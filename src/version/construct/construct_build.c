#include "construct/construct_builder.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

TROD_ORDER(by_text, char *const, strcmp(*a, *b))

static void sort(
    void *items, size_t count, size_t size, int (*by)(const void *, const void *))
{
    if (count)
        qsort(items, count, size, by);
}

/* --- constructs that units parsed differently ------------------------------------------------------------- */

struct variant {
    struct trod_construct c;
    uint32_t top;
};

static int by_what(const struct trod_construct *x, const struct trod_construct *y)
{
    bool same_line = x->symbol != TROD_NO_CONSTRUCT && x->level == TROD_LEVEL_FUNCTION;
    int order = trod_compare(x->level, y->level);

    if (!order)
        order = trod_compare(x->file, y->file);
    if (!order)
        order = trod_compare(x->symbol, y->symbol);
    if (!order && !same_line)
        order = trod_compare(x->line, y->line);
    if (!order && x->symbol == TROD_NO_CONSTRUCT)
        order = trod_compare(x->kind, y->kind);
    return order;
}

TROD_ORDER(
    by_variant, struct variant, by_what(&a->c, &b->c), TROD_UP(c.tree), TROD_UP(top))

/* Of several variants, keep the one with the lowest hash, so that the order of units does not matter. Its hash combines
 * those of all.
 */
static void join_variants(struct trod_constructs_builder *b)
{
    struct trod_mark mark = trod_arena_mark(b->mem);
    struct variant *v = trod_new(b->mem, struct variant, b->ntop);

    for (uint32_t t = 0; t < b->ntop; t++)
        v[t] = (struct variant){.c = b->construct[b->top[t].first], .top = t};
    sort(v, b->ntop, sizeof *v, by_variant);
    for (uint32_t i = 0, n; i < b->ntop; i += n) {
        struct trod_construct *stays = &b->construct[b->top[v[i].top].first];
        uint64_t all = v[i].c.tree;

        for (n = 1; i + n < b->ntop && trod_construct_is_one(&v[i].c, &v[i + n].c);
            n++) {
            all = trod_mix(all, v[i + n].c.tree);
            b->top[v[i + n].top].is_dropped = true;
        }
        if (n > 1)
            stays->tree = stays->own = all;
    }
    trod_arena_rewind(b->mem, mark);
}

/* --- files --------------------------------------------------------------------------------------------------- */

/* Number files by name, so that the order of units does not matter. Files without constructs are omitted. */
static uint32_t *number_files(
    struct trod_constructs *out, const struct trod_constructs_builder *b)
{
    const char **used = trod_new(b->mem, const char *, b->files.count);
    uint32_t *file = trod_new(b->mem, uint32_t, b->files.count);
    bool *is_used = trod_new(b->mem, bool, b->files.count);
    uint32_t n = 0;

    for (uint32_t t = 0; t < b->ntop; t++)
        for (uint32_t c = b->top[t].first; !b->top[t].is_dropped && c < b->top[t].end;
            c++)
            is_used[b->construct[c].file] = true;
    for (uint32_t f = 0; f < b->files.count; f++)
        if (is_used[f])
            used[n++] = b->files.name[f];
    sort(used, n, sizeof *used, by_text);
    trod_names_init(&out->files, b->mem);
    trod_names_add(&out->files, "");
    for (uint32_t i = 0; i < n; i++)
        trod_names_add(&out->files, used[i]);
    for (uint32_t f = 0; f < b->files.count; f++)
        file[f] = trod_names_find(&out->files, b->files.name[f]);
    return file;
}

/* --- the tree ------------------------------------------------------------------------------------------------ */

struct place {
    uint32_t file, line, first;
};

TROD_ORDER(by_place, struct place, TROD_UP(file), TROD_UP(line), TROD_UP(first))

static uint32_t list_tops(struct place *out, const struct trod_constructs_builder *b,
    const uint32_t *file_of_file)
{
    uint32_t n = 0;

    for (uint32_t t = 0; t < b->ntop; t++) {
        const struct trod_construct *c = &b->construct[b->top[t].first];

        if (!b->top[t].is_dropped)
            out[n++] = (struct place){.file = file_of_file[c->file],
                .line = c->line,
                .first = b->top[t].first};
    }
    sort(out, n, sizeof *out, by_place);
    return n;
}

static void put_top(struct trod_constructs *out,
    const struct trod_constructs_builder *b, const uint32_t *file_of_file,
    uint32_t *number, uint32_t first)
{
    uint32_t end = b->construct[first].next, shift = out->nconstruct - first;

    for (uint32_t r = first; r < end; r++) {
        struct trod_construct *c = &out->construct[out->nconstruct];

        *c = b->construct[r];
        c->file = file_of_file[c->file];
        c->parent = r == first ? 0 : c->parent + shift;
        c->next += shift;
        number[r] = out->nconstruct++;
    }
}

/* The hash of a program does not depend on the order of its constructs. */
static void put_program(
    struct trod_constructs *out, const struct trod_constructs_builder *b)
{
    struct trod_construct *program = &out->construct[0];
    uint64_t sum = 0;

    for (uint32_t c = 1; c < out->nconstruct; c = out->construct[c].next)
        sum += trod_mix(out->construct[c].level, out->construct[c].tree);
    *program = (struct trod_construct){.level = TROD_LEVEL_PROGRAM,
        .kind = trod_names_add(&out->kinds, "program"),
        .parent = TROD_NO_CONSTRUCT,
        .next = out->nconstruct,
        .symbol = TROD_NO_CONSTRUCT,
        .name = b->name,
        .tree = sum};
}

struct location_key {
    uint32_t level, file, line, construct;
};

TROD_ORDER(by_beginning, struct location_key, TROD_UP(level), TROD_UP(file),
    TROD_UP(line), TROD_UP(construct))

static void count_ordinals(struct trod_constructs *out, struct trod_arena *mem)
{
    uint32_t *by_place = trod_new(mem, uint32_t, out->nconstruct);
    struct trod_mark mark = trod_arena_mark(mem);
    struct location_key *all = trod_new(mem, struct location_key, out->nconstruct);

    for (uint32_t i = 0; i < out->nconstruct; i++) {
        const struct trod_construct *c = &out->construct[i];

        all[i] = (struct location_key){c->level, c->file, c->line, i};
    }
    sort(all, out->nconstruct, sizeof *all, by_beginning);
    for (uint32_t i = 0; i < out->nconstruct; i++) {
        const struct location_key *x = &all[i ? i - 1 : 0], *y = &all[i];

        by_place[i] = y->construct;
        if (i && x->level == y->level && x->file == y->file && x->line == y->line)
            out->construct[y->construct].ordinal =
                out->construct[x->construct].ordinal + 1;
    }
    trod_arena_rewind(mem, mark);
    out->by_place = by_place;
}

static void index_names(struct trod_constructs *out, struct trod_arena *mem)
{
    uint32_t *first = trod_new(mem, uint32_t, (size_t)out->symbols.count + 2);
    uint32_t n = 0;

    for (uint32_t c = 0; c < out->nconstruct; c++)
        if (out->construct[c].symbol != TROD_NO_CONSTRUCT) {
            first[out->construct[c].symbol + 2]++;
            n++;
        }
    for (uint32_t s = 2; s < out->symbols.count + 2; s++)
        first[s] += first[s - 1];
    out->named = trod_new(mem, uint32_t, n);
    for (uint32_t c = 0; c < out->nconstruct; c++)
        if (out->construct[c].symbol != TROD_NO_CONSTRUCT)
            out->named[first[out->construct[c].symbol + 1]++] = c;
    out->first_of_symbol = first;
}

/* --- meanings ----------------------------------------------------------------------------------------------------- */

struct hashed {
    uint32_t construct;
    uint64_t hash;
};

TROD_ORDER(by_hashed, struct hashed, TROD_UP(construct), TROD_UP(hash))

/* Set the hash of a construct; if units disagree, combine the distinct hashes in sorted order. */
static void join_hashes(
    struct trod_constructs *out, struct hashed *all, uint32_t count, bool is_shape)
{
    sort(all, count, sizeof *all, by_hashed);
    for (uint32_t i = 0; i < count; i++) {
        struct trod_construct *c = &out->construct[all[i].construct];
        uint64_t *hash = is_shape ? &c->shape : &c->meaning;

        if (!all[i].hash || (i && by_hashed(&all[i - 1], &all[i]) == 0))
            continue;
        *hash = *hash ? trod_mix(*hash, all[i].hash) : all[i].hash;
    }
}

static void fill_hashes(struct trod_constructs *out,
    const struct trod_constructs_builder *b, struct trod_arena *mem)
{
    struct hashed *meaning = trod_new(mem, struct hashed, b->ncode);
    struct hashed *shape = trod_new(mem, struct hashed, b->ncode);
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->ncode; i++) {
        const struct construct_code *code = &b->code[i];
        uint32_t f = trod_constructs_function(
            out, b->symbols.name[code->symbol], b->files.name[code->file]);

        if (f == TROD_NO_CONSTRUCT)
            continue;
        meaning[n] = (struct hashed){.construct = f, .hash = code->meaning};
        shape[n++] = (struct hashed){.construct = f, .hash = code->shape};
    }
    join_hashes(out, meaning, n, false);
    join_hashes(out, shape, n, true);
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

static void list_words(
    struct trod_constructs *out, const struct trod_constructs_builder *b)
{
    out->unit = b->unit;
    out->ncall = b->nunit;
    out->note = b->notes.name;
    out->nnote = b->notes.count;
    sort(out->unit, out->ncall, sizeof *out->unit, by_text);
    sort(out->note, out->nnote, sizeof *out->note, by_text);
}

void trod_constructs_build(
    struct trod_constructs *out, struct trod_constructs_builder *builder)
{
    struct trod_constructs_builder *b = builder;
    struct trod_arena *mem = b->mem;
    uint32_t *file_of_file, *number, ntop;
    struct place *top;

    *out = (struct trod_constructs){
        .name = b->name, .levels = b->levels, .kinds = b->kinds, .symbols = b->symbols};
    list_words(out, b);
    join_variants(b);
    file_of_file = number_files(out, b);
    out->construct = trod_new(mem, struct trod_construct, (size_t)b->nconstruct + 1);
    out->nconstruct = 1;
    number = trod_new(mem, uint32_t, b->nconstruct);
    top = trod_new(mem, struct place, b->ntop);
    ntop = list_tops(top, b, file_of_file);
    for (uint32_t t = 0; t < ntop; t++)
        put_top(out, b, file_of_file, number, top[t].first);
    put_program(out, b);
    count_ordinals(out, mem);
    index_names(out, mem);
    trod_construct_resolve(out, b, file_of_file, number);
    fill_hashes(out, b, mem);
}
