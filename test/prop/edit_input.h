/* What properties of the editor share: random productions, both drawn and as text, and walks to run them on. */
#ifndef PROP_EDIT_INPUT_H
#define PROP_EDIT_INPUT_H

#include "scratch.h"

#include <inttypes.h>

#include "edit/edit.h"
#include "kit/machine_program.h"

enum {
    COUNTERS = 3,
    PRODUCTIONS = 5,
    REGISTERS = 3,
    CONTROLS = 3,
    REPLACEMENTS = 3,
    MICROS = 4,
    THREADS = 8
};

/* --- productions ------------------------------------------------------------------------------------ */

struct micro {
    int kind; /* 0 inc, 1 dec, 2 set */
    int counter, reg;
};

struct drawn {
    uint32_t bits;
    uint64_t n[REGISTERS];
    int holds[REGISTERS];
    uint32_t nmicro[CONTROLS]; /* the last is START */
    struct micro micro[CONTROLS][MICROS];
    uint32_t nbefore[REPLACEMENTS], nafter[REPLACEMENTS];
    uint32_t handler_nop;
    int handler[REPLACEMENTS]; /* 0: none; else from 1, what it notes */
    uint32_t nproduction;
    const char *pattern[PRODUCTIONS];
    int replacement[PRODUCTIONS]; /* -1: null */
    int control[PRODUCTIONS];     /* -1: null */
    const char *text;
};

static const char *const class_words[] = {"any", "proc_call", "branch", "cond_branch",
    "jump", "indirect", "return", "mem_op", "load", "store", "alu", "multiply",
    "divide", "float", "float_multiply", "float_divide", "nothing", "system"};
static const char *const relations[] = {"==", "!=", "<", "<=", ">", ">="};

static inline void draw_address(struct kit_prop *p, struct trod_sink *to)
{
    trod_put(to, "%s%" PRIu64, "", UINT64_C(0x400000) + kit_draw(p, 400));
}

static inline void draw_leaf(struct kit_prop *p, struct trod_sink *to)
{
    const char *side = kit_draw(p, 2) ? "T.Target" : "T.PC";
    uint64_t from;

    switch (kit_draw(p, 6)) {
    case 0:
        trod_put(to, "T.OPCLASS %s %s", kit_draw(p, 4) ? "==" : "!=",
            class_words[kit_draw(p, sizeof class_words / sizeof *class_words)]);
        break;
    case 1:
        trod_put(to, "T.Target %s T.PC", relations[kit_draw(p, 6)]);
        break;
    case 2:
        trod_put(to, "%s %s ", side, relations[kit_draw(p, 6)]);
        draw_address(p, to);
        break;
    case 3:
        from = UINT64_C(0x400000) + kit_draw(p, 300);
        trod_put(to, "%s in %" PRIu64 " .. %" PRIu64, side, from,
            from + 1 + kit_draw(p, 200));
        break;
    case 4:
        trod_put(to, "zero_%u", (unsigned)kit_draw(p, COUNTERS));
        break;
    default:
        trod_put(to, "%soverflow_%u", kit_draw(p, 2) ? "!" : "",
            (unsigned)kit_draw(p, COUNTERS));
        break;
    }
}

static inline void draw_expression(struct kit_prop *p, struct trod_sink *to, int depth)
{
    switch (depth ? kit_draw(p, 6) : 0) {
    case 1:
    case 2:
        draw_expression(p, to, depth - 1);
        trod_put(to, " && ");
        draw_expression(p, to, depth - 1);
        break;
    case 3:
        draw_expression(p, to, depth - 1);
        trod_put(to, " || ");
        draw_expression(p, to, depth - 1);
        break;
    case 4:
        trod_put(to, "(");
        draw_expression(p, to, depth - 1);
        trod_put(to, ")");
        break;
    case 5:
        trod_put(to, "!(");
        draw_expression(p, to, depth - 1);
        trod_put(to, ")");
        break;
    default:
        draw_leaf(p, to);
        break;
    }
}

static inline void draw_controls(
    struct drawn *d, struct kit_prop *p, struct trod_sink *to)
{
    for (int c = 0; c < CONTROLS; c++) {
        d->nmicro[c] = 1 + (uint32_t)kit_draw(p, MICROS);
        trod_put(to, c + 1 < CONTROLS ? "C%d:" : "START:", c);
        for (uint32_t i = 0; i < d->nmicro[c]; i++) {
            struct micro m = {(int)kit_draw(p, 3), (int)kit_draw(p, COUNTERS),
                (int)kit_draw(p, REGISTERS)};

            d->micro[c][i] = m;
            trod_put(to, "%s %s_%d", i ? ";" : "",
                m.kind == 2 ? "set"
                : m.kind    ? "dec"
                            : "inc",
                m.counter);
            if (m.kind == 2)
                trod_put(to, "(r%d)", m.reg);
        }
        trod_put(to, "\n");
    }
}

static inline void draw_registers(
    struct drawn *d, struct kit_prop *p, struct trod_sink *to)
{
    d->bits = 3 + (uint32_t)kit_draw(p, 3);
    trod_put(to, "bits %u\n", d->bits);
    for (int i = 0; i < REGISTERS; i++) {
        d->n[i] = 1 + kit_draw(p, 6);
        d->holds[i] = (int)kit_draw(p, 3);
        trod_put(to, "register r%d = %s%" PRIu64 "%s\n", i,
            d->holds[i] == 1 ? "max - " : "", d->n[i],
            d->holds[i] == 2 ? " to overflow" : "");
    }
}

static inline void draw_replacements(
    struct drawn *d, struct kit_prop *p, struct trod_sink *to)
{
    static const char *const notes[] = {"methods", "calls", "streams"};

    d->handler_nop = (uint32_t)kit_draw(p, 20);
    for (int i = 0; i < REPLACEMENTS; i++) {
        trod_put(to, "handler h%d = %s %u\n", i, notes[i], d->handler_nop);
        d->handler[i] = (int)kit_draw(p, 4) ? i + 1 : 0;
        d->nbefore[i] = (uint32_t)kit_draw(p, 3);
        d->nafter[i] = (uint32_t)kit_draw(p, 3);
        trod_put(to, "R%d:", i);
        for (uint32_t k = 0; k < d->nbefore[i]; k++)
            trod_put(to, " op(alu)");
        if (d->handler[i]) {
            trod_put(to, " call(h%d)", i);
            d->nbefore[i] += d->handler_nop;
        }
        trod_put(to, " T.INSN");
        for (uint32_t k = 0; k < d->nafter[i]; k++)
            trod_put(to, " op(load)");
        trod_put(to, "\n");
    }
}

static inline void draw_productions(
    struct drawn *d, struct kit_prop *p, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    *d = (struct drawn){0};
    draw_registers(d, p, &text.sink);
    draw_controls(d, p, &text.sink);
    draw_replacements(d, p, &text.sink);
    d->nproduction = 1 + (uint32_t)kit_draw(p, PRODUCTIONS);
    for (uint32_t i = 0; i < d->nproduction; i++) {
        struct trod_string pattern;

        trod_string_init(&pattern, mem);
        draw_expression(p, &pattern.sink, 3);
        d->pattern[i] = pattern.text;
        d->replacement[i] = (int)kit_draw(p, REPLACEMENTS + 1) - 1;
        d->control[i] = (int)kit_draw(p, CONTROLS) - 1;
        trod_put(&text.sink, "P%u: %s => ", i, pattern.text);
        trod_put(&text.sink, d->replacement[i] < 0 ? "null" : "R%d", d->replacement[i]);
        trod_put(&text.sink, d->control[i] < 0 ? ", null\n" : ", C%d\n", d->control[i]);
    }
    d->text = text.text;
}

/* --- walks ------------------------------------------------------------------------------------------ */

static inline void draw_walk(struct kit_walk_options *out, struct kit_prop *p)
{
    *out = (struct kit_walk_options){.nfunction = 3,
        .nblock = 5,
        .nthread = 1 + (uint32_t)kit_draw(p, 3),
        .nrun = 40,
        .no_insns = kit_draw(p, 5) == 4,
        .accesses = true,
        .gaps = kit_draw(p, 3) == 2,
        .tails = true};
}

#endif
