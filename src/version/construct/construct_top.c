#include "construct/building.h"

bool trod_construct_is_one(
    const struct trod_construct *a, const struct trod_construct *b)
{
    if (a->level != b->level || a->file != b->file || a->symbol != b->symbol)
        return false;
    if (a->symbol != TROD_NO_CONSTRUCT && a->level == TROD_LEVEL_FUNCTION)
        return true;
    return a->line == b->line && (a->symbol != TROD_NO_CONSTRUCT || a->kind == b->kind);
}

/* The line is no part of it: that of a function does not matter. */
static uint32_t slot_of(
    const struct trod_constructs_builder *b, const struct trod_construct *c)
{
    uint64_t hash = trod_mix(trod_mix(c->tree, c->symbol), c->file);
    uint32_t i = (uint32_t)(hash & (b->nslot - 1));

    while (b->slot[i]) {
        const struct trod_construct *other =
            &b->construct[b->top[b->slot[i] - 1].first];

        if (other->tree == c->tree && trod_construct_is_one(other, c))
            break;
        i = (i + 1) & (b->nslot - 1);
    }
    return i;
}

static void enlarge(struct trod_constructs_builder *b)
{
    b->nslot = b->nslot ? 2 * b->nslot : 256;
    b->slot = trod_new(b->mem, uint32_t, b->nslot);
    for (uint32_t t = 0; t < b->ntop; t++)
        b->slot[slot_of(b, &b->construct[b->top[t].first])] = t + 1;
}

/* What is open gets an end; a top that is there already, from another unit, is taken back. */
void trod_construct_close(struct trod_constructs_builder *b)
{
    struct construct_top *top;
    uint32_t slot;

    if (!b->nopen)
        return;
    for (uint32_t d = 0; d < b->nopen; d++)
        b->construct[b->open[d]].next = b->nconstruct;
    b->nopen = 0;
    top = &b->top[b->ntop];
    top->end = b->nconstruct;
    top->end_use = b->nuse;
    if (2 * (b->ntop + 1) > b->nslot)
        enlarge(b);
    slot = slot_of(b, &b->construct[top->first]);
    if (b->slot[slot]) {
        b->nconstruct = top->first;
        b->nuse = top->first_use;
    } else {
        b->slot[slot] = ++b->ntop;
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
    trod_reserve(b->mem, b->open, b->nopen, b->room_open);
    b->open[b->nopen++] = b->nconstruct;
}
