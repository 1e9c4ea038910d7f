#include "edit/edit.h"

enum { COUNTER = TROD_INSN_REGISTERS, SCRATCH = COUNTER - 1 }; /* unused by programs */

static void make_insn(struct trod_insn *out, enum trod_edit_class class, bool first)
{
    *out = (struct trod_insn){.insn_class = TROD_INSN_ALU,
        .source = {first ? COUNTER : SCRATCH},
        .target = {first ? COUNTER : SCRATCH}};
    if (class == TROD_EDIT_LOAD)
        out->nload = 1;
    else if (class == TROD_EDIT_STORE)
        out->nstore = 1;
    else if (class == TROD_EDIT_BRANCH)
        out->insn_class = TROD_INSN_BRANCH;
    else if (class == TROD_EDIT_NOTHING || class == TROD_EDIT_SYSTEM)
        out->insn_class =
            class == TROD_EDIT_NOTHING ? TROD_INSN_NOTHING : TROD_INSN_SYSTEM;
    else
        out->insn_class = (uint8_t)(TROD_INSN_ALU + (class - TROD_EDIT_ALU));
}

static void add_insn(
    struct trod_edit_injector *t, enum trod_edit_class class, bool first, bool second)
{
    struct trod_insn *insn;

    trod_reserve(t->mem, t->insn, t->ninsn, t->room_insn);
    insn = &t->insn[t->ninsn++];
    make_insn(insn, class, first);
    if (second)
        insn->source[0] = COUNTER;
}

static void take(struct trod_edit_inject *to, const struct trod_run *run, uint32_t insn,
    const uint8_t *class, uint32_t nop, uint32_t nbubble)
{
    struct trod_edit_injector *t = (struct trod_edit_injector *)to;
    struct trod_timing_injected *into;

    (void)run;
    if (!t->fresh)
        t->count = t->ninsn = 0;
    t->fresh = true;
    /* Operations without a bubble follow the instruction of the previous call. */
    if (nbubble) {
        trod_reserve(t->mem, t->injected, t->count, t->room);
        trod_reserve(t->mem, t->first_insn, t->count, t->room_first);
        t->first_insn[t->count] = t->ninsn;
        t->injected[t->count++] = (struct trod_timing_injected){.at = (uint16_t)insn};
    }
    into = &t->injected[t->count - 1];
    for (uint32_t i = 0; i < nop; i++, into->count++)
        add_insn(t, (enum trod_edit_class) class[i], !into->count, into->count == 1);
}

static size_t give(
    const struct trod_timing_injected **out, void *ctx, const struct trod_run *run)
{
    struct trod_edit_injector *t = ctx;

    if (!t->fresh || run->code->ninsn > UINT16_MAX)
        return 0;
    t->fresh = false;
    for (size_t i = 0; i < t->count; i++)
        if (!t->injected[i].count) {
            t->first_insn[i] = t->ninsn;
            t->injected[i].count = 1;
            add_insn(t, TROD_EDIT_NOTHING, false, false);
        }
    for (size_t i = 0; i < t->count; i++)
        t->injected[i].insn = t->insn + t->first_insn[i];
    *out = t->injected;
    return t->count;
}

void trod_edit_injector_init(struct trod_edit_injector *out, struct trod_arena *mem)
{
    *out = (struct trod_edit_injector){.inject = {take}, .mem = mem};
}

void trod_edit_timing_design(struct trod_timing_design *out,
    struct trod_edit_injector *timing, const char *name, uint32_t bubble)
{
    *out = (struct trod_timing_design){
        .name = name, .bubble = bubble ? bubble : 1, .inject = give, .ctx = timing};
}
