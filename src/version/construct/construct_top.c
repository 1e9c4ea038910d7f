#include "construct/construct_builder.h"

bool trod_construct_is_one(
    const struct trod_construct *a, const struct trod_construct *b)
{
    if (a->level != b->level || a->file != b->file || a->symbol != b->symbol)
        return false;
    if (a->symbol != TROD_NO_CONSTRUCT && a->level == TROD_LEVEL_FUNCTION)
        return true;
    return a->line == b->line && (a->symbol != TROD_NO_CONSTRUCT || a->kind == b->kind);
}

static bool is_one(const struct trod_constructs_builder *b, uint32_t top,
    const struct trod_construct *c)
{
    const struct trod_construct *other = &b->construct[b->top[top].first];

    return other->tree == c->tree && trod_construct_is_one(other, c);
}

/* Close the open construct. If it is a duplicate, from another unit, remove it. */
void trod_construct_close(struct trod_constructs_builder *b)
{
    struct construct_top *top;
    const struct trod_construct *c;
    uint64_t hash;
    uint32_t found;

    if (!b->nopen)
        return;
    for (uint32_t d = 0; d < b->nopen; d++)
        b->construct[b->open[d]].next = b->nconstruct;
    b->nopen = 0;
    top = &b->top[b->ntop];
    top->end = b->nconstruct;
    top->end_use = b->nuse;
    c = &b->construct[top->first];
    hash = trod_mix(trod_mix(c->tree, c->symbol), c->file);
    found = TROD_TABLE_FIND(&b->tops, hash, t, is_one(b, t, c));
    if (found != TROD_TABLE_NONE) {
        b->nconstruct = top->first;
        b->nuse = top->first_use;
    } else {
        trod_table_add(&b->tops, hash, b->mem);
        b->ntop++;
    }
}

void trod_construct_open(struct trod_constructs_builder *b, uint32_t depth)
{
    if (depth == 0) {
        trod_construct_close(b);
        trod_reserve(b->mem, b->top, b->ntop, b->room_top);
        b->top[b->ntop] =
            (struct construct_top){.first = b->nconstruct, .first_use = b->nuse};
    }
    for (; b->nopen > depth; b->nopen--)
        b->construct[b->open[b->nopen - 1]].next = b->nconstruct;
    trod_push(b->mem, b->open, b->nopen, b->room_open, b->nconstruct);
}
