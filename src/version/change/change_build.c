#include "change/change_matcher.h"

void trod_change_options_init(struct trod_change_options *out)
{
    *out = (struct trod_change_options){.least_alike = 0.4, .most_pairs = 4000000};
}

static uint32_t *no_constructs(uint32_t count, struct trod_arena *mem)
{
    uint32_t *none = trod_new(mem, uint32_t, count);

    for (uint32_t i = 0; i < count; i++)
        none[i] = TROD_NO_CONSTRUCT;
    return none;
}

static uint32_t *list_owners(const struct trod_constructs *of, struct trod_arena *mem)
{
    uint32_t *owner = trod_new(mem, uint32_t, of->nconstruct);

    for (uint32_t c = 1; c < of->nconstruct; c++) {
        const struct trod_construct *it = &of->construct[c];

        owner[c] =
            it->level >= TROD_LEVEL_FUNCTION || it->parent == 0 ? c : owner[it->parent];
    }
    return owner;
}

void trod_matcher_begin(struct matcher *m, struct trod_changes *out,
    const struct trod_constructs *old, const struct trod_constructs *new,
    struct trod_arena *mem)
{
    *out = (struct trod_changes){.old = old,
        .later = new,
        .new_of_old = no_constructs(old->nconstruct, mem),
        .old_of_new = no_constructs(new->nconstruct, mem),
        .same_of_old = trod_new(mem, uint64_t, TROD_WORDS(old->nconstruct)),
        .same_of_new = trod_new(mem, uint64_t, TROD_WORDS(new->nconstruct))};
    *m = (struct matcher){.out = out,
        .old = old,
        .later = new,
        .mem = mem,
        .owner_of_old = list_owners(old, mem),
        .owner_of_new = list_owners(new, mem)};
    trod_change_options_init(&m->options);
}

void trod_changes_build(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *new, const struct trod_change_options *options,
    struct trod_arena *mem)
{
    struct matcher m;

    trod_matcher_begin(&m, out, old, new, mem);
    if (options)
        m.options = *options;
    trod_match_owners(&m);
    for (uint32_t c = 1; c < old->nconstruct; c++) {
        struct trod_mark mark = trod_arena_mark(mem);
        uint32_t to = out->new_of_old[c];

        if (to != TROD_NO_CONSTRUCT && m.owner_of_old[c] == c &&
            !trod_has(out->same_of_old, c))
            trod_match_within(&m, c, to);
        trod_arena_rewind(mem, mark);
    }
    trod_changes_fill_same(&m);
    trod_changes_fill(&m);
}

bool trod_changes_has(const struct trod_changes *of, uint32_t old_function)
{
    return !trod_has(of->same_of_old, old_function);
}
