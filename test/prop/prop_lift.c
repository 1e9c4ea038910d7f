/* Lifting: random machine code runs on a machine that logs every instruction, and on an
 * emulator that cuts code anywhere and identifies paths by outcomes. The lifted paths have the
 * same instructions and counts.
 */
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lift/lift.h"
#include "lift/lifter.h"
#include "prop/scratch.h"

enum {
    MOST_FUNCTIONS = 3,
    MOST_BLOCKS = 9,
    MOST_INSNS = 4,
    MOST_DEPTH = 6,
    MOST_STEPS = 120,
    MOST_INDIRECT = 3
};

enum fault { FAULT_NONE, FAULT_OUTCOME, FAULT_COUNT, FAULT_START, FAULT_TARGET };

/* --- programs ------------------------------------------------------------------------------------- */

struct block {
    uint64_t pc, last, after; /* offsets in the file */
    uint8_t kind;
    uint32_t to; /* block of the function; CALL, and JUMP if tail: function */
    bool tail;
    uint32_t ways[MOST_INDIRECT];
};

struct function {
    uint64_t entry, end;
    struct block block[MOST_BLOCKS];
    uint32_t nblock;
};

struct program {
    struct function function[MOST_FUNCTIONS];
    uint32_t nfunction;
    uint64_t insn[MOST_FUNCTIONS * MOST_BLOCKS * MOST_INSNS]; /* where each begins */
    uint32_t ninsn;
};

static uint8_t draw_kind(struct kit_prop *p, bool is_last)
{
    static const uint8_t inner[] = {TROD_BRANCH_NONE, TROD_BRANCH_IF, TROD_BRANCH_IF,
        TROD_BRANCH_IF, TROD_BRANCH_CALL, TROD_BRANCH_JUMP, TROD_BRANCH_INDIRECT,
        TROD_BRANCH_CALL_INDIRECT, TROD_BRANCH_RETURN};
    static const uint8_t end[] = {
        TROD_BRANCH_RETURN, TROD_BRANCH_JUMP, TROD_BRANCH_INDIRECT};

    return is_last ? end[kit_draw(p, sizeof end)] : inner[kit_draw(p, sizeof inner)];
}

static void draw_block(
    struct program *g, struct function *f, uint32_t b, uint64_t *at, struct kit_prop *p)
{
    struct block *block = &f->block[b];
    uint32_t n = 1 + (uint32_t)kit_draw(p, MOST_INSNS);

    block->pc = *at;
    for (uint32_t i = 0; i < n; i++) {
        g->insn[g->ninsn++] = block->last = *at;
        *at += 1 + kit_draw(p, 3);
    }
    block->after = *at;
    block->kind = draw_kind(p, b + 1 == f->nblock);
    block->tail = block->kind == TROD_BRANCH_JUMP && kit_draw(p, 4) == 3;
    block->to = (uint32_t)kit_draw(
        p, block->tail || trod_branch_is_call(block->kind) ? g->nfunction : f->nblock);
    for (uint32_t i = 0; i < MOST_INDIRECT; i++)
        block->ways[i] = (uint32_t)kit_draw(p, f->nblock);
}

static void draw_program(struct program *g, struct kit_prop *p)
{
    uint64_t at = 16;

    memset(g, 0, sizeof *g);
    g->nfunction = 1 + (uint32_t)kit_draw(p, MOST_FUNCTIONS);
    for (uint32_t i = 0; i < g->nfunction; i++) {
        struct function *f = &g->function[i];

        f->nblock = 1 + (uint32_t)kit_draw(p, MOST_BLOCKS);
        f->entry = at;
        for (uint32_t b = 0; b < f->nblock; b++)
            draw_block(g, f, b, &at, p);
        f->end = at;
        at += kit_draw(p, 2) * 5;
    }
}

/* --- what is true ----------------------------------------------------------------------------------- */

/* A path is a function and the instructions that ran of it, in order. */
struct truth {
    uint64_t function, insns;
    uint64_t count;
};

struct truths {
    struct truth *item;
    size_t count, room;
    struct trod_arena *mem;
};

static void add_truth(struct truths *t, uint64_t function, uint64_t insns, uint64_t n)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->item[i].function == function && t->item[i].insns == insns) {
            t->item[i].count += n;
            return;
        }
    trod_reserve(t->mem, t->item, t->count, t->room);
    t->item[t->count++] = (struct truth){function, insns, n};
}

static uint64_t mix_insns(
    uint64_t hash, const struct program *g, uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < g->ninsn; i++)
        if (g->insn[i] >= from && g->insn[i] < to)
            hash = trod_mix(hash, g->insn[i]);
    return hash;
}

/* --- a machine, and an emulator that looks at it ------------------------------------------------------- */

struct frame {
    uint32_t function, block; /* where it continues */
    uint64_t start, insns;
    uint64_t outcome;
    uint32_t length;
};

struct watched {
    const struct program *g;
    struct kit_prop *p;
    struct trod_arena *mem;
    uint64_t base; /* address of the file's first byte */
    struct truths truths;
    uint64_t nleft[MOST_FUNCTIONS];
    struct trod_seen seen;
    struct trod_image image;
    struct trod_code *code;
    uint32_t room_code;
    struct trod_seen_path *path;
    uint64_t room_path;
    struct frame frame[MOST_DEPTH];
    uint32_t depth;
};

/* What an emulator translates from an address on: up to the next branch, or less. */
static void see_code(struct watched *w, uint64_t pc, const struct block *block)
{
    struct trod_code code = {.pc = w->base + pc,
        .last = w->base + block->last,
        .after = w->base + block->after,
        .kind = block->kind,
        .ninsn = 1};

    for (uint32_t i = 0; i < w->seen.ncode; i++)
        if (w->code[i].pc == code.pc)
            return;
    if (block->kind == TROD_BRANCH_CALL || block->tail)
        code.target = w->base + w->g->function[block->to].entry;
    else if (trod_branch_is_direct(block->kind))
        code.target =
            w->base +
            w->g->function[w->frame[w->depth - 1].function].block[block->to].pc;
    code.number = w->seen.ncode;
    trod_reserve(w->mem, w->code, w->seen.ncode, w->room_code);
    w->code[w->seen.ncode++] = code;
}

/* All of a block, perhaps in two. */
static void see_block(struct watched *w, const struct block *block)
{
    uint64_t cut = 0;

    for (uint32_t i = 0; i < w->g->ninsn; i++)
        if (w->g->insn[i] > block->pc && w->g->insn[i] <= block->last &&
            kit_draw(w->p, 8) == 7)
            cut = w->g->insn[i];
    if (cut) {
        struct block head = *block;

        head.kind = TROD_BRANCH_NONE;
        head.tail = false;
        head.after = cut;
        for (uint32_t i = 0; i < w->g->ninsn; i++)
            if (w->g->insn[i] < cut)
                head.last = w->g->insn[i];
        see_code(w, block->pc, &head);
        see_code(w, cut, block);
    } else {
        see_code(w, block->pc, block);
    }
}

static void see_path(struct watched *w, const struct frame *f, bool cut)
{
    struct trod_seen_path one = {
        .path = {.start = w->base + f->start,
            .function = w->base + w->g->function[f->function].entry,
            .length = f->length},
        .count = 1,
        .ninsn = 1,
        .cut = cut};
    uint64_t *outcome = trod_new(w->mem, uint64_t, 1);

    *outcome = f->outcome;
    one.path.outcome = outcome;
    for (uint64_t i = 0; i < w->seen.npath; i++) {
        struct trod_seen_path *have = &w->path[i];

        if (have->path.start == one.path.start && have->cut == cut &&
            have->path.function == one.path.function &&
            have->path.length == one.path.length && *have->path.outcome == f->outcome) {
            have->count++;
            return;
        }
    }
    trod_reserve(w->mem, w->path, w->seen.npath, w->room_path);
    w->path[w->seen.npath++] = one;
}

static void end_path(struct watched *w, struct frame *f)
{
    see_path(w, f, false);
    add_truth(&w->truths, w->g->function[f->function].entry, f->insns, 1);
}

static void begin_path(struct watched *w, struct frame *f, uint32_t block)
{
    f->block = block;
    f->start = w->g->function[f->function].block[block].pc;
    f->insns = f->outcome = f->length = 0;
}

static void enter(struct watched *w, uint32_t function)
{
    struct frame *f = &w->frame[w->depth++];

    f->function = function;
    begin_path(w, f, 0);
}

static void branch(struct watched *w, struct frame *f, const struct block *block)
{
    bool taken = block->kind == TROD_BRANCH_JUMP || kit_draw(w->p, 2);
    bool back = w->g->function[f->function].block[block->to].pc <= block->last;

    f->outcome |= (uint64_t)taken << f->length++;
    if (block->tail) {
        end_path(w, f);
        f->function = block->to;
        begin_path(w, f, 0);
    } else if (taken && back) {
        end_path(w, f);
        begin_path(w, f, block->to);
    } else {
        f->block = taken ? block->to : f->block + 1;
    }
}

/* One block; false when there is nothing left to run. */
static bool run_block(struct watched *w)
{
    struct frame *f = &w->frame[w->depth - 1];
    const struct block *block = &w->g->function[f->function].block[f->block];

    see_block(w, block);
    f->insns = mix_insns(f->insns, w->g, block->pc, block->after);
    switch (block->kind) {
    case TROD_BRANCH_IF:
    case TROD_BRANCH_JUMP:
        branch(w, f, block);
        break;
    case TROD_BRANCH_INDIRECT:
        end_path(w, f);
        begin_path(w, f, block->ways[kit_draw(w->p, MOST_INDIRECT)]);
        break;
    case TROD_BRANCH_RETURN:
        end_path(w, f);
        w->depth--;
        break;
    default:
        f->block++;
        if (trod_branch_is_call(block->kind) && w->depth < MOST_DEPTH)
            enter(w, block->to);
        break;
    }
    return w->depth;
}

static void run(struct watched *w, const struct program *g, uint64_t base,
    struct kit_prop *p, struct trod_arena *mem)
{
    *w = (struct watched){.g = g, .p = p, .mem = mem, .base = base};
    w->truths.mem = mem;
    w->image = (struct trod_image){
        .path = "/bin/program", .start = base, .end = base + 4096, .offset = 0};
    w->seen.program = "/bin/program";
    w->seen.image = &w->image;
    w->seen.nimage = 1;
    w->seen.whole = true;
    enter(w, 0);
    for (uint32_t i = 0; i < MOST_STEPS && run_block(w); i++)
        ;
    for (; w->depth; w->depth--) {
        see_path(w, &w->frame[w->depth - 1], true);
        w->nleft[w->frame[w->depth - 1].function]++;
    }
    w->seen.code = w->code;
    w->seen.path = w->path;
}

/* --- files: symbols of all functions ------------------------------------------------------------------------ */

static bool get_symbol(void *ctx, struct trod_lift_symbol *out,
    const struct trod_image *image, uint64_t offset)
{
    const struct program *g = ctx;
    static const char *const name[] = {"f", "g", "h"};

    (void)image;
    for (uint32_t i = 0; i < g->nfunction; i++)
        if (offset >= g->function[i].entry && offset < g->function[i].end) {
            *out = (struct trod_lift_symbol){
                name[i], g->function[i].entry, g->function[i].end, false, false};
            return true;
        }
    return false;
}

/* All blocks, whether they ran or not. */
static bool get_code(
    void *ctx, struct trod_code *out, const struct trod_image *image, uint64_t offset)
{
    const struct program *g = ctx;

    (void)image;
    for (uint32_t i = 0; i < g->nfunction; i++)
        for (uint32_t b = 0; b < g->function[i].nblock; b++) {
            const struct block *block = &g->function[i].block[b];

            if (offset < block->pc || offset >= block->after)
                continue;
            *out = (struct trod_code){.pc = offset,
                .last = block->last,
                .after = block->after,
                .kind = block->kind,
                .ninsn = 1};
            if (block->kind == TROD_BRANCH_CALL || block->tail)
                out->target = g->function[block->to].entry;
            else if (trod_branch_is_direct(block->kind))
                out->target = g->function[i].block[block->to].pc;
            return true;
        }
    return false;
}

/* --- the same again from what was lifted ------------------------------------------------------------------------ */

static void list_lifted(
    struct truths *out, const struct trod_lifted *lifted, const struct program *g)
{
    for (uint32_t i = 0; i < lifted->nfunction; i++) {
        const struct trod_lift_function *f = lifted->function[i];
        trod_edge *step = trod_new(out->mem, trod_edge, f->view.dag.nreach);

        for (size_t k = 0; k < f->npath; k++) {
            uint32_t n = trod_number_decode(step, &f->numbering, f->path[k].id);
            uint64_t insns = 0;

            for (uint32_t s = 0; s + 1 < n; s++) {
                trod_node v = f->view.dag.shape.dst_of_edge[step[s]];

                if (v < f->ncode)
                    insns = mix_insns(insns, g, trod_place_offset(f->node[v].start),
                        trod_place_offset(f->node[v].after));
            }
            add_truth(out, trod_place_offset(f->entry), insns, f->path[k].count);
        }
    }
}

static bool are_equal(const struct truths *a, const struct truths *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        bool found = false;

        for (size_t k = 0; k < b->count; k++)
            found |= memcmp(&a->item[i], &b->item[k], sizeof *a->item) == 0;
        if (!found)
            return false;
    }
    return true;
}

static bool has_left(const struct watched *w, const struct trod_lifted *lifted)
{
    for (uint32_t i = 0; i < w->g->nfunction; i++) {
        uint64_t n = 0;

        for (uint32_t k = 0; k < lifted->nfunction; k++)
            if (trod_place_offset(lifted->function[k]->entry) ==
                w->g->function[i].entry)
                n += lifted->function[k]->nleft;
        if (n != w->nleft[i])
            return false;
    }
    return true;
}

/* Through the text form and back. */
static bool reread(struct trod_seen *out, const struct trod_seen *seen,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_string text, again;
    struct trod_text in;

    trod_string_init(&text, mem);
    trod_string_init(&again, mem);
    trod_seen_print(&text.sink, seen);
    trod_text_init(&in, "printed", text.text, text.length);
    if (!trod_seen_parse(out, &in, mem, err) || !trod_seen_check(out, err))
        return false;
    trod_seen_print(&again.sink, out);
    return strcmp(text.text, again.text) == 0;
}

static void plant(struct watched *w, unsigned fault)
{
    for (uint64_t i = 0; i < w->seen.npath; i++) {
        struct trod_seen_path *path = &w->path[i];
        uint64_t *outcome = trod_new(w->mem, uint64_t, 1);

        if (path->cut)
            continue;
        *outcome = *path->path.outcome;
        if (fault == FAULT_OUTCOME && path->path.length) {
            *outcome ^= 1;
            path->path.outcome = outcome;
        } else if (fault == FAULT_COUNT) {
            path->count++;
        } else if (fault == FAULT_START) {
            path->path.start = path->path.function;
        }
    }
    for (uint32_t i = 0; fault == FAULT_TARGET && i < w->seen.ncode; i++)
        if (w->code[i].kind == TROD_BRANCH_IF)
            w->code[i].target = w->code[i].after;
}

static void note_program(struct kit_prop *p, const struct watched *w)
{
    struct trod_string text;

    trod_string_init(&text, w->mem);
    trod_seen_print(&text.sink, &w->seen);
    for (uint32_t i = 0; i < w->g->nfunction; i++)
        kit_note(p, "function %#lx", (unsigned long)w->g->function[i].entry);
    kit_note(p, "%s", text.text);
}

static bool paths_are_those_that_ran(struct kit_prop *p, void *ctx)
{
    const unsigned *fault = ctx;
    struct trod_lift_files files = {.symbol = get_symbol};
    struct trod_lift_options options = {.files = &files};
    struct truths lifted_truths;
    struct trod_lifted lifted;
    struct trod_seen seen;
    const struct trod_seen *one = &seen;
    struct program g;
    struct watched w;
    struct sample s;
    bool ok;

    begin(&s);
    draw_program(&g, p);
    files.ctx = &g;
    files.decode = kit_draw(p, 2) ? get_code : NULL;
    run(&w, &g, 0x1000 + 0x1000 * kit_draw(p, 3), p, &s.mem);
    if (fault)
        plant(&w, *fault);
    lifted_truths = (struct truths){.mem = &s.mem};
    ok = reread(&seen, &w.seen, &s.mem, &s.err) &&
         trod_lift_build(&lifted, &one, 1, 1, &options, &s.mem, &s.err) &&
         trod_lift_check(&lifted, &s.mem, &s.err);
    if (ok) {
        list_lifted(&lifted_truths, &lifted, &g);
        ok = !lifted.total.nlost && are_equal(&w.truths, &lifted_truths) &&
             has_left(&w, &lifted);
        if (lifted.total.nlost)
            kit_note(p, "lost: %s", lifted.total.first_lost);
    }
    if (!ok) {
        kit_note(p, "%s", s.err.text);
        note_program(p, &w);
    }
    return end(&s, ok);
}

/* --- two processes ------------------------------------------------------------------------------------------ */

static const struct trod_lift_function *function_of(
    const struct trod_lifted *lifted, uint64_t name)
{
    for (uint32_t i = 0; i < lifted->nfunction; i++)
        if (lifted->function[i]->name_hash == name)
            return lifted->function[i];
    return NULL;
}

static bool is_same_function(
    const struct trod_lift_function *a, const struct trod_lift_function *b)
{
    return a->graph_hash == b->graph_hash && a->cuts_hash == b->cuts_hash &&
           a->numbering.npath == b->numbering.npath;
}

/* Are all functions of a those of b, and counts of a no more than those of b? */
static bool is_within(const struct trod_lifted *a, const struct trod_lifted *b)
{
    for (uint32_t i = 0; i < a->nfunction; i++) {
        const struct trod_lift_function *f = a->function[i],
                                        *g = function_of(b, f->name_hash);
        size_t k = 0;

        if (!g || !is_same_function(f, g))
            return false;
        for (size_t n = 0; n < f->npath; n++) {
            while (k < g->npath && g->path[k].id < f->path[n].id)
                k++;
            if (k == g->npath || g->path[k].id != f->path[n].id ||
                g->path[k].count < f->path[n].count)
                return false;
        }
    }
    return true;
}

static bool has_indirect(const struct program *g)
{
    for (uint32_t i = 0; i < g->nfunction; i++)
        for (uint32_t b = 0; b < g->function[i].nblock; b++)
            if (g->function[i].block[b].kind == TROD_BRANCH_INDIRECT)
                return true;
    return false;
}

/* Processes lifted with each other have the same graphs, and so have those lifted alone if all code can be
 * decoded and nothing jumps indirectly.
 */
static bool graphs_are_the_same(struct kit_prop *p, void *ctx)
{
    const unsigned *fault = ctx;
    struct trod_lift_files files = {.symbol = get_symbol};
    struct trod_lift_options options = {.files = &files};
    struct trod_lifted a, b, both, alone;
    const struct trod_seen *seen[2], *swapped[2];
    struct program g;
    struct watched w[2];
    struct sample s;
    bool ok;

    begin(&s);
    draw_program(&g, p);
    files.ctx = &g;
    files.decode = kit_draw(p, 2) ? get_code : NULL;
    run(&w[0], &g, 0x1000, p, &s.mem);
    run(&w[1], &g, 0x7000, p, &s.mem);
    seen[0] = swapped[1] = &w[0].seen;
    seen[1] = swapped[0] = &w[1].seen;
    ok = trod_lift_build(&both, seen, 2, 2, &options, &s.mem, &s.err) &&
         trod_lift_build(&a, seen, 2, 1, &options, &s.mem, &s.err) &&
         trod_lift_build(
             &b, swapped, fault && *fault ? 1 : 2, 1, &options, &s.mem, &s.err) &&
         trod_lift_build(&alone, seen, 1, 1, &options, &s.mem, &s.err);
    ok = ok && !both.total.nlost && is_within(&a, &both) && is_within(&b, &both) &&
         both.total.ncounted == a.total.ncounted + b.total.ncounted;
    if (ok && files.decode && !has_indirect(&g))
        ok = is_within(&alone, &both);
    if (!ok) {
        kit_note(p, "%s%s", s.err.text, both.total.first_lost);
        note_program(p, &w[0]);
        note_program(p, &w[1]);
    }
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"what is lifted ran as often", paths_are_those_that_ran,
            {FAULT_OUTCOME, FAULT_COUNT, FAULT_START, FAULT_TARGET}},
        {"processes that are lifted together have the same graphs", graphs_are_the_same,
            {FAULT_COUNT}},
    };

    return kit_run_tested("lift", tested, sizeof tested / sizeof *tested);
}
