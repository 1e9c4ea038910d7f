#include "edit/edit.h"

#include <string.h>

static bool wrong(struct trod_err *err, const char *what, const char *name)
{
    return trod_fail(err, TROD_E_INTERNAL, "productions: %s: '%s'", what, name);
}

static bool check_leaf(const struct trod_edit_term *t)
{
    switch (t->kind) {
    case TROD_EDIT_IS:
        return t->number < TROD_EDIT_CLASSES;
    case TROD_EDIT_COMPARE:
        return t->left <= TROD_EDIT_TARGET && t->right <= TROD_EDIT_NUMBER &&
               t->relation <= TROD_EDIT_GE;
    case TROD_EDIT_IN:
        return t->left <= TROD_EDIT_TARGET && t->low < t->high;
    case TROD_EDIT_OVERFLOW:
    case TROD_EDIT_ZERO:
        return t->number < TROD_EDIT_COUNTERS;
    default:
        return false;
    }
}

static bool check_pattern(const struct trod_edit *edit,
    const struct trod_edit_production *p, struct trod_err *err)
{
    uint32_t depth = 0, nleaf = 0;

    if (p->first_term > edit->nterm || p->nterm > edit->nterm - p->first_term)
        return wrong(err, "terms are not there", p->name);
    for (uint32_t i = 0; i < p->nterm; i++) {
        const struct trod_edit_term *t = &edit->term[p->first_term + i];
        uint32_t needs = t->kind == TROD_EDIT_NOT                              ? 1
                         : t->kind == TROD_EDIT_AND || t->kind == TROD_EDIT_OR ? 2
                                                                               : 0;

        if (depth < needs || (!needs && !check_leaf(t)))
            return wrong(err, "a term is not well-formed", p->name);
        depth = depth - needs + 1;
        nleaf += !needs;
        if (depth > TROD_EDIT_DEPTH + 1)
            return wrong(err, "the pattern nests too deep", p->name);
    }
    if (depth != 1 || nleaf > TROD_EDIT_TERMS)
        return wrong(err, "the pattern is not well-formed", p->name);
    return true;
}

static bool check_items(const struct trod_edit *edit, uint32_t first, uint32_t count,
    bool control, bool names, const char *name, struct trod_err *err)
{
    uint32_t ninsn = 0;

    if (first > edit->nitem || count > edit->nitem - first)
        return wrong(err, "items are not there", name);
    for (uint32_t i = first; i < first + count; i++) {
        const struct trod_edit_item *item = &edit->item[i];
        bool sound =
            item->kind <= TROD_EDIT_OP && (item->kind <= TROD_EDIT_CONTROL) == control;

        if (item->kind <= TROD_EDIT_SET)
            sound = sound && item->number < TROD_EDIT_COUNTERS;
        if (item->kind == TROD_EDIT_SET)
            sound = sound && item->name < edit->nregister;
        else if (item->kind == TROD_EDIT_CONTROL)
            sound = sound && names && item->name < edit->nsequence &&
                    edit->sequence[item->name].is_control;
        else if (item->kind == TROD_EDIT_CALL)
            sound = sound && item->name < edit->nhandler;
        else if (item->kind == TROD_EDIT_OP)
            sound = sound && item->number < TROD_EDIT_CLASSES;
        if (!sound)
            return wrong(err, "an item is not well-formed", name);
        ninsn += item->kind == TROD_EDIT_INSN;
    }
    if (!control && ninsn != 1)
        return wrong(err, "the instruction is not there once", name);
    return true;
}

static bool check_register(
    const struct trod_edit *edit, uint32_t i, struct trod_err *err)
{
    const struct trod_edit_register *reg = &edit->reg[i];
    uint64_t max = (UINT64_C(1) << edit->bits) - 1;

    if (reg->holds > TROD_EDIT_TO_OVERFLOW || reg->period > TROD_EDIT_JITTER ||
        (reg->with != TROD_EDIT_NONE && reg->with >= edit->nregister))
        return wrong(err, "the register is not well-formed", reg->name);
    if (reg->raised < reg->n || reg->raised > max ||
        (reg->period != TROD_EDIT_PRIME && reg->raised != reg->n) ||
        (reg->period == TROD_EDIT_JITTER && reg->n + reg->n / 2 > max) ||
        (reg->holds == TROD_EDIT_TO_OVERFLOW && !reg->n))
        return wrong(err, "the register does not fit counters", reg->name);
    return true;
}

static bool check_names(
    const struct trod_edit *edit, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_names here, regs, handlers;

    trod_names_init(&here, mem);
    trod_names_init(&regs, mem);
    trod_names_init(&handlers, mem);
    for (uint32_t i = 0; i < edit->nproduction; i++)
        if (trod_names_add(&here, edit->production[i].name) != i)
            return wrong(err, "a name is there twice", edit->production[i].name);
    for (uint32_t i = 0; i < edit->nsequence; i++)
        if (trod_names_add(&here, edit->sequence[i].name) != edit->nproduction + i)
            return wrong(err, "a name is there twice", edit->sequence[i].name);
    for (uint32_t i = 0; i < edit->nregister; i++)
        if (trod_names_add(&regs, edit->reg[i].name) != i)
            return wrong(err, "a register is there twice", edit->reg[i].name);
    for (uint32_t i = 0; i < edit->nhandler; i++)
        if (trod_names_add(&handlers, edit->handler[i].name) != i)
            return wrong(err, "a handler is there twice", edit->handler[i].name);
    return true;
}

static bool check_start(const struct trod_edit *edit, struct trod_err *err)
{
    for (uint32_t i = 0; i < edit->nsequence; i++) {
        bool named = strcmp(edit->sequence[i].name, "START") == 0;

        if (named != (edit->start == i) || (named && !edit->sequence[i].is_control))
            return wrong(err, "it is not what START is", edit->sequence[i].name);
    }
    if (edit->start != TROD_EDIT_NONE && edit->start >= edit->nsequence)
        return wrong(err, "it is not there", "START");
    return true;
}

bool trod_edit_check(
    const struct trod_edit *edit, struct trod_arena *mem, struct trod_err *err)
{
    if (edit->bits < 1 || edit->bits > TROD_EDIT_BITS_MOST ||
        edit->nproduction > TROD_EDIT_PRODUCTIONS ||
        edit->nsequence > TROD_EDIT_PRODUCTIONS ||
        edit->nhandler > TROD_EDIT_PRODUCTIONS ||
        edit->nregister > TROD_EDIT_PRODUCTIONS)
        return wrong(err, "there are more than may be", "bits");
    for (uint32_t i = 0; i < edit->nregister; i++)
        if (!check_register(edit, i, err))
            return false;
    for (uint32_t i = 0; i < edit->nhandler; i++)
        if (edit->handler[i].notes > TROD_EDIT_STREAMS ||
            edit->handler[i].nop > UINT16_MAX)
            return wrong(err, "the handler is not well-formed", edit->handler[i].name);
    for (uint32_t i = 0; i < edit->nsequence; i++) {
        const struct trod_edit_sequence *s = &edit->sequence[i];

        if (!s->count ||
            !check_items(edit, s->first, s->count, s->is_control, false, s->name, err))
            return s->count ? false : wrong(err, "the sequence is empty", s->name);
    }
    for (uint32_t i = 0; i < edit->nproduction; i++) {
        const struct trod_edit_production *p = &edit->production[i];

        if (p->replacement != TROD_EDIT_NONE &&
            (p->replacement >= edit->nsequence ||
                edit->sequence[p->replacement].is_control))
            return wrong(err, "the replacement is none", p->name);
        if (!check_pattern(edit, p, err) ||
            !check_items(edit, p->first, p->count, true, true, p->name, err))
            return false;
    }
    return check_start(edit, err) && check_names(edit, mem, err);
}
