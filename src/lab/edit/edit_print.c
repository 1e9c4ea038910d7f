#include "edit/edit.h"

#include <inttypes.h>

static const char *const side_names[] = {
    [TROD_EDIT_PC] = "T.PC", [TROD_EDIT_TARGET] = "T.Target"};
static const char *const relation_names[] = {"==", "!=", "<", "<=", ">", ">="};

/* --- patterns --------------------------------------------------------------------------------------- */

static void put_leaf(struct trod_sink *sink, const struct trod_edit_term *t, bool not)
{
    switch (t->kind) {
    case TROD_EDIT_IS:
        trod_put(sink, "T.OPCLASS %s %s",
            not? "!=" : "==", trod_edit_class_name((enum trod_edit_class)t->number));
        break;
    case TROD_EDIT_COMPARE:
        trod_put(sink, "%s %s ", side_names[t->left], relation_names[t->relation]);
        if (t->right == TROD_EDIT_NUMBER)
            trod_put(sink, "0x%" PRIx64, t->low);
        else
            trod_put(sink, "%s", side_names[t->right]);
        break;
    case TROD_EDIT_IN:
        trod_put(sink, "%s in 0x%" PRIx64 " .. 0x%" PRIx64, side_names[t->left], t->low,
            t->high);
        break;
    default:
        trod_put(
            sink, "%s_%u", t->kind == TROD_EDIT_ZERO ? "zero" : "overflow", t->number);
        break;
    }
}

/* The index of the first term of the operand that ends at last. */
static uint32_t start_of(const struct trod_edit_term *term, uint32_t last)
{
    for (uint32_t wanted = 1;; last--) {
        if (term[last].kind == TROD_EDIT_AND || term[last].kind == TROD_EDIT_OR)
            wanted++;
        else if (term[last].kind != TROD_EDIT_NOT && !--wanted)
            return last;
    }
}

static void put_pattern(
    struct trod_sink *sink, const struct trod_edit_term *term, uint32_t last);

static void put_operand(struct trod_sink *sink, const struct trod_edit_term *term,
    uint32_t last, bool parenthesized)
{
    trod_put(sink, parenthesized ? "(" : "");
    put_pattern(sink, term, last);
    trod_put(sink, parenthesized ? ")" : "");
}

/* Recursive. The depth is bounded: the reader limits the nesting of patterns and the number of terms. */
static void put_pattern(
    struct trod_sink *sink, const struct trod_edit_term *term, uint32_t last)
{
    uint8_t kind = term[last].kind, left, right;
    uint32_t from;

    if (kind == TROD_EDIT_NOT) {
        right = term[last - 1].kind;
        if (right == TROD_EDIT_IS) {
            put_leaf(sink, &term[last - 1], true);
            return;
        }
        trod_put(sink, "!");
        put_operand(sink, term, last - 1,
            right != TROD_EDIT_OVERFLOW && right != TROD_EDIT_ZERO &&
                (right != TROD_EDIT_NOT || term[last - 2].kind == TROD_EDIT_IS));
        return;
    }
    if (kind != TROD_EDIT_AND && kind != TROD_EDIT_OR) {
        put_leaf(sink, &term[last], false);
        return;
    }
    from = start_of(term, last - 1);
    right = term[last - 1].kind;
    left = term[from - 1].kind;
    put_operand(sink, term, from - 1, kind == TROD_EDIT_AND && left == TROD_EDIT_OR);
    trod_put(sink, kind == TROD_EDIT_AND ? " && " : " || ");
    put_operand(sink, term, last - 1,
        right == TROD_EDIT_OR || (right == TROD_EDIT_AND && kind == TROD_EDIT_AND));
}

/* --- all ---------------------------------------------------------------------------------------------- */

static void put_item(struct trod_sink *sink, const struct trod_edit *edit,
    const struct trod_edit_item *item)
{
    switch (item->kind) {
    case TROD_EDIT_INC:
    case TROD_EDIT_DEC:
        trod_put(
            sink, "%s_%u", item->kind == TROD_EDIT_INC ? "inc" : "dec", item->number);
        break;
    case TROD_EDIT_SET:
        trod_put(sink, "set_%u(%s)", item->number, edit->reg[item->name].name);
        break;
    case TROD_EDIT_CONTROL:
        trod_put(sink, "%s", edit->sequence[item->name].name);
        break;
    case TROD_EDIT_CALL:
        trod_put(sink, "call(%s)", edit->handler[item->name].name);
        break;
    case TROD_EDIT_INSN:
        trod_put(sink, "T.INSN");
        break;
    default:
        trod_put(
            sink, "op(%s)", trod_edit_class_name((enum trod_edit_class)item->number));
        break;
    }
}

static void put_register(
    struct trod_sink *sink, const struct trod_edit *edit, uint32_t i)
{
    const struct trod_edit_register *reg = &edit->reg[i];

    trod_put(sink, "register %s = %s%" PRIu64 "%s", reg->name,
        reg->holds == TROD_EDIT_BELOW_MAX ? "max - " : "", reg->n,
        reg->holds == TROD_EDIT_TO_OVERFLOW ? " to overflow" : "");
    if (reg->period != TROD_EDIT_FIXED)
        trod_put(
            sink, " %s", trod_edit_period_name((enum trod_edit_period)reg->period));
    if (reg->with != TROD_EDIT_NONE)
        trod_put(sink, " with %s", edit->reg[reg->with].name);
    trod_put(sink, "\n");
}

static void put_production(
    struct trod_sink *sink, const struct trod_edit *edit, uint32_t i)
{
    const struct trod_edit_production *p = &edit->production[i];

    trod_put(sink, "%s: ", p->name);
    put_pattern(sink, edit->term + p->first_term, p->nterm - 1);
    trod_put(sink, " => %s",
        p->replacement == TROD_EDIT_NONE ? "null"
                                         : edit->sequence[p->replacement].name);
    for (uint32_t k = 0; k < p->count; k++) {
        trod_put(sink, ", ");
        put_item(sink, edit, &edit->item[p->first + k]);
    }
    trod_put(sink, p->count ? "\n" : ", null\n");
}

static void put_sequence(
    struct trod_sink *sink, const struct trod_edit *edit, uint32_t i)
{
    const struct trod_edit_sequence *s = &edit->sequence[i];

    trod_put(sink, "%s:", s->name);
    for (uint32_t k = 0; k < s->count; k++) {
        trod_put(sink, k && s->is_control ? "; " : " ");
        put_item(sink, edit, &edit->item[s->first + k]);
    }
    trod_put(sink, "\n");
}

void trod_edit_print(struct trod_sink *sink, const struct trod_edit *edit)
{
    if (edit->bits != TROD_EDIT_BITS)
        trod_put(sink, "bits %u\n", edit->bits);
    for (uint32_t i = 0; i < edit->nregister; i++)
        put_register(sink, edit, i);
    for (uint32_t i = 0; i < edit->nhandler; i++)
        trod_put(sink, "handler %s = %s %u\n", edit->handler[i].name,
            trod_edit_notes_name((enum trod_edit_notes)edit->handler[i].notes),
            edit->handler[i].nop);
    for (uint32_t i = 0; i < edit->nproduction; i++)
        put_production(sink, edit, i);
    for (uint32_t i = 0; i < edit->nsequence; i++)
        put_sequence(sink, edit, i);
}
