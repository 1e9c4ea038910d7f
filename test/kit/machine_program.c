#include "kit/machine_program.h"

#include <string.h>

enum {
    BASE = 0x400000,
    NONE = UINT32_MAX,
    MOST_INSNS = 5,
    SIGNAL_FRAME = 512, /* bytes */
    DEEPEST = 400       /* calls; a deeper one returns at once */
};

static uint64_t draw_prop(void *ctx, uint64_t bound)
{
    return kit_draw(ctx, bound);
}

static uint64_t draw_rng(void *ctx, uint64_t bound)
{
    return trod_rng_below(ctx, bound);
}

struct kit_draws kit_draws_of_prop(struct kit_prop *p)
{
    return (struct kit_draws){draw_prop, p};
}

struct kit_draws kit_draws_of_rng(struct trod_rng *rng)
{
    return (struct kit_draws){draw_rng, rng};
}

static uint32_t draw(struct kit_draws draws, uint32_t bound)
{
    return (uint32_t)draws.draw(draws.ctx, bound);
}

/* --- programs ---------------------------------------------------------------------------------------- */

static void draw_insn(struct kit_program *p, struct kit_draws draws,
    struct trod_insn *out, uint64_t pc, bool last, uint8_t kind)
{
    /* Of x86-64: jcc, jmp and call with four bytes of distance; jmp and call *%rax; ret. */
    static const uint8_t size[TROD_BRANCH_KINDS] = {0, 6, 5, 2, 5, 2, 1};

    *out = (struct trod_insn){.pc = pc, .size = (uint8_t)(1 + draw(draws, 8))};
    if (p->options.x86 && last && size[kind])
        out->size = size[kind];
    if (last && kind != TROD_BRANCH_NONE) {
        out->insn_class = TROD_INSN_BRANCH;
        out->nstore = trod_branch_is_call(kind);
        out->nload = kind == TROD_BRANCH_RETURN;
    } else if (p->options.accesses) {
        out->nload = draw(draws, 3) == 1;
        out->nstore = draw(draws, 4) == 1;
    }
    if (p->options.no_insns)
        return;
    if (out->insn_class == TROD_INSN_ALU)
        out->insn_class = (uint8_t)draw(draws, TROD_INSN_BRANCH);
    for (uint32_t i = 0, n = draw(draws, 3); i < n; i++)
        out->source[i] = (uint8_t)(1 + draw(draws, 16));
    out->target[0] = (uint8_t)draw(draws, 17);
}

static uint8_t draw_kind(struct kit_draws draws, bool last)
{
    static const uint8_t kinds[] = {TROD_BRANCH_RETURN, TROD_BRANCH_NONE,
        TROD_BRANCH_NONE, TROD_BRANCH_NONE, TROD_BRANCH_IF, TROD_BRANCH_IF,
        TROD_BRANCH_IF, TROD_BRANCH_IF, TROD_BRANCH_IF, TROD_BRANCH_IF, TROD_BRANCH_IF,
        TROD_BRANCH_IF, TROD_BRANCH_CALL, TROD_BRANCH_CALL, TROD_BRANCH_CALL,
        TROD_BRANCH_CALL, TROD_BRANCH_JUMP, TROD_BRANCH_INDIRECT,
        TROD_BRANCH_CALL_INDIRECT};
    uint8_t kind = kinds[draw(draws, sizeof kinds)];

    return last ? TROD_BRANCH_RETURN : kind;
}

static void draw_block(
    struct kit_program *p, struct kit_draws draws, uint32_t b, uint64_t pc)
{
    struct kit_block *block = &p->block[b];

    block->ninsn = 1 + draw(draws, MOST_INSNS);
    block->insn = trod_new(p->mem, struct trod_insn, block->ninsn);
    block->pc = pc;
    for (uint32_t i = 0; i < block->ninsn; i++) {
        bool last = i == block->ninsn - 1;

        draw_insn(p, draws, &block->insn[i], pc, last, block->kind);
        block->last = pc;
        pc += block->insn[i].size;
    }
    block->after = pc;
    block->cut =
        block->kind == TROD_BRANCH_NONE && !p->options.no_cuts && draw(draws, 2) == 1;
}

/* The targets of branches: in the function, other functions, or both for tail calls. */
static void draw_targets(
    struct kit_program *p, struct kit_draws draws, uint32_t b, uint32_t ncalled)
{
    struct kit_block *block = &p->block[b];
    uint32_t first = p->entry[block->function], end = first;
    bool tail;

    while (end < p->nblock && p->block[end].function == block->function)
        end++;
    tail = p->options.tails && draw(draws, 4) == 1;
    block->target = first + draw(draws, end - first);
    if (block->kind == TROD_BRANCH_CALL || (block->kind == TROD_BRANCH_JUMP && tail))
        block->target = p->entry[draw(draws, ncalled)];
    for (int i = 0; i < 4; i++) {
        block->choice[i] = first + draw(draws, end - first);
        if (block->kind == TROD_BRANCH_CALL_INDIRECT ||
            (block->kind == TROD_BRANCH_INDIRECT && tail))
            block->choice[i] = p->entry[draw(draws, ncalled)];
    }
}

/* Functions that are called, and after them those of one block for signals and longjmp. */
static uint32_t layout_extra(struct kit_program *p, bool wanted, uint8_t kind)
{
    uint32_t f = p->nfunction;

    if (!wanted)
        return NONE;
    p->entry[f] = p->nblock;
    p->block[p->nblock++] = (struct kit_block){.function = f, .kind = kind};
    p->nfunction++;
    return f;
}

void kit_program_draw(struct kit_program *out, struct kit_draws draws,
    const struct kit_walk_options *options, struct trod_arena *mem)
{
    struct kit_program *p = out;
    uint32_t most_f, most_b, nordinary;
    uint64_t pc = BASE;

    *p = (struct kit_program){.options = *options, .mem = mem};
    most_f = options->nfunction ? options->nfunction : 6;
    most_b = options->nblock ? options->nblock : 8;
    nordinary = 1 + draw(draws, most_f);
    p->block = trod_new(mem, struct kit_block, (size_t)nordinary * most_b + 3);
    p->entry = trod_new(mem, uint32_t, nordinary + 3);
    p->frame = trod_new(mem, uint32_t, nordinary + 3);
    for (; p->nfunction < nordinary; p->nfunction++) {
        uint32_t n = 1 + draw(draws, most_b);

        p->entry[p->nfunction] = p->nblock;
        p->frame[p->nfunction] = 16 * draw(draws, 8);
        for (uint32_t i = 0; i < n; i++)
            p->block[p->nblock++] = (struct kit_block){
                .function = p->nfunction, .kind = draw_kind(draws, i == n - 1)};
    }
    p->jumper = layout_extra(p, options->longjmp, TROD_BRANCH_INDIRECT);
    p->restorer = layout_extra(p, options->signals, TROD_BRANCH_NONE);
    p->handler = options->signals ? draw(draws, nordinary) : NONE;
    for (uint32_t b = 0; b < p->nblock; b++) {
        if (b == p->entry[p->block[b].function])
            pc = (pc + 15) / 16 * 16;
        draw_block(p, draws, b, pc);
        pc = p->block[b].after;
    }
    if (options->signals)
        p->block[p->entry[p->restorer]].cut = true;
    for (uint32_t b = 0; b < p->nblock; b++)
        draw_targets(p, draws, b, nordinary + (options->longjmp && p->jumper != NONE));
    p->outside = (pc + 0xffff) / 0x10000 * 0x10000 + 0x1234;
    p->image = (struct trod_image){
        "/walked", "00c0ffee", BASE, (pc + 0xfff) / 0x1000 * 0x1000, 0};
}

/* --- bytes ------------------------------------------------------------------------------------------- */

static void put_distance(uint8_t *at, uint64_t from, uint64_t to)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)((to - from) >> 8 * i);
}

static void put_branch(uint8_t *at, const struct kit_block *block, uint64_t target)
{
    switch (block->kind) {
    case TROD_BRANCH_IF:
        memcpy(at, (const uint8_t[]){0x0f, 0x84}, 2);
        put_distance(at + 2, block->after, target);
        break;
    case TROD_BRANCH_JUMP:
    case TROD_BRANCH_CALL:
        *at = block->kind == TROD_BRANCH_CALL ? 0xe8 : 0xe9;
        put_distance(at + 1, block->after, target);
        break;
    case TROD_BRANCH_INDIRECT:
        memcpy(at, (const uint8_t[]){0xff, 0xe0}, 2);
        break;
    case TROD_BRANCH_CALL_INDIRECT:
        memcpy(at, (const uint8_t[]){0xff, 0xd0}, 2);
        break;
    default:
        *at = 0xc3;
    }
}

void kit_program_bytes(uint8_t *out, const struct kit_program *program)
{
    /* nops */
    static const uint8_t nothing[8][8] = {{0x90}, {0x66, 0x90}, {0x0f, 0x1f, 0x00},
        {0x0f, 0x1f, 0x40, 0x00}, {0x0f, 0x1f, 0x44, 0x00, 0x00},
        {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00}, {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
        {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}};

    memset(out, 0xcc, program->image.end - program->image.start);
    for (uint32_t b = 0; b < program->nblock; b++) {
        const struct kit_block *block = &program->block[b];

        for (uint32_t i = 0; i < block->ninsn; i++) {
            const struct trod_insn *insn = &block->insn[i];
            uint8_t *at = out + (insn->pc - program->image.start);

            if (insn->pc == block->last && block->kind != TROD_BRANCH_NONE)
                put_branch(at, block, program->block[block->target].pc);
            else
                memcpy(at, nothing[insn->size - 1], insn->size);
        }
    }
}

/* --- codes ------------------------------------------------------------------------------------------- */

/* Blocks from one on, as far as nothing branches. */
static uint32_t last_of(const struct kit_program *p, uint32_t b)
{
    while (p->block[b].kind == TROD_BRANCH_NONE && !p->block[b].cut)
        b++;
    return b;
}

static struct trod_code *code_of(
    struct kit_program *p, uint32_t b, struct trod_branch_sink *to)
{
    struct kit_block *from = &p->block[b];
    const struct kit_block *last = &p->block[last_of(p, b)];
    struct trod_code *code = from->code;
    struct trod_insn *insn;

    if (code)
        return code;
    code = from->code = trod_new(p->mem, struct trod_code, 1);
    *code = (struct trod_code){.pc = from->pc,
        .last = last->last,
        .after = last->after,
        .number = p->ncode++,
        .kind = last->kind};
    if (trod_branch_is_direct(code->kind))
        code->target = p->block[last->target].pc;
    for (const struct kit_block *at = from; at <= last; at++)
        code->ninsn += at->ninsn;
    insn = trod_new(p->mem, struct trod_insn, code->ninsn);
    for (const struct kit_block *at = from; at <= last; at++) {
        memcpy(insn, at->insn, at->ninsn * sizeof *insn);
        insn += at->ninsn;
    }
    code->insn = p->options.no_insns ? NULL : insn - code->ninsn;
    trod_branch_put_code(to, code);
    return code;
}

/* --- walks ------------------------------------------------------------------------------------------- */

struct frame {
    uint32_t back; /* a block; NONE: the thread's first, or the restorer's */
    uint64_t address;
    uint64_t slot;   /* where that lies */
    uint64_t below;  /* of the caller: what its frame begins below */
    uint32_t resume; /* of frames of handlers: what was interrupted; else NONE */
};

struct walker {
    bool is_there, ran;
    uint32_t at; /* block */
    uint64_t sp;
    struct frame *frame;
    uint32_t nframe, room;
    uint32_t nsignal; /* handlers that are in */
};

struct walk {
    struct kit_program *p;
    struct trod_branch_sink *to;
    struct kit_draws draws;
    struct walker *walker;
    uint32_t nwalker;
    uint32_t nstarted;
    struct trod_access *access;
    uint32_t room_access;
    struct kit_walked totals;
};

static void push(struct walk *w, struct walker *at, uint32_t back, uint64_t address,
    uint32_t callee, uint32_t resume)
{
    struct frame frame = {back, address, at->sp - 8, at->sp, resume};

    trod_reserve(w->p->mem, at->frame, at->nframe, at->room);
    at->frame[at->nframe++] = frame;
    at->sp = frame.slot - w->p->frame[callee];
}

static void start(struct walk *w, uint32_t thread)
{
    struct walker *at = &w->walker[thread];
    uint32_t f = thread ? draw(w->draws, w->p->nfunction - (w->p->jumper != NONE) -
                                             (w->p->restorer != NONE))
                        : 0;

    at->is_there = true;
    at->ran = false;
    at->nframe = at->nsignal = 0;
    at->sp = UINT64_C(0x7f0000000000) - (uint64_t)thread * 0x1000000;
    at->at = w->p->entry[f];
    push(w, at, NONE, w->p->outside, f, NONE);
    w->nstarted++;
}

static void end(struct walk *w, uint32_t thread)
{
    w->walker[thread].is_there = false;
    if (!w->walker[thread].ran)
        return; /* the stream does not record it */
    w->totals.nthread++;
    trod_branch_put_end(w->to, thread);
}

/* What its instructions load and store: the slot if they are of a call or return, and anything else. */
static uint32_t access(struct walk *w, const struct kit_block *from,
    const struct kit_block *last, uint64_t slot)
{
    uint32_t n = 0, i = 0;

    if (!w->p->options.accesses)
        return 0;
    for (const struct kit_block *b = from; b <= last; b++)
        for (uint32_t k = 0; k < b->ninsn; k++, i++) {
            const struct trod_insn *insn = &b->insn[k];

            for (int a = 0; a < insn->nload + insn->nstore; a++, n++) {
                trod_reserve(w->p->mem, w->access, n, w->room_access);
                w->access[n] = (struct trod_access){.insn = (uint16_t)i,
                    .size = (uint8_t)(1 << draw(w->draws, 4)),
                    .store = a >= insn->nload,
                    .address = 0x600000 + 8 * (uint64_t)draw(w->draws, 64)};
                if (insn->insn_class == TROD_INSN_BRANCH) {
                    w->access[n].address = slot;
                    w->access[n].size = 8;
                }
            }
        }
    return n;
}

static void put(struct walk *w, uint32_t thread, const struct trod_code *code,
    uint64_t next, uint64_t slot, uint32_t naccess)
{
    struct trod_run run = {.code = code,
        .next = next,
        .stack = w->p->options.stacks ? slot : 0,
        .thread = thread,
        .naccess = naccess,
        .access = naccess ? w->access : NULL};

    run.taken = trod_branch_is_taken(code, next);
    run.odd = !trod_branch_may_go(code, next);
    w->totals.nrun++;
    w->totals.ninsn += code->ninsn;
    w->totals.naccess += naccess;
    w->totals.nodd += run.odd;
    trod_branch_put_run(w->to, &run);
}

/* A block, by where it begins; of none it is the end of the thread. */
static uint64_t address_of(const struct walk *w, uint32_t b)
{
    return b == NONE ? w->p->outside : w->p->block[b].pc;
}

/* Back to some caller: what longjmp() does. */
static uint32_t jump_back(struct walk *w, struct walker *at)
{
    uint32_t down = 1 + draw(w->draws, at->nframe), to;

    /* Not out of the thread, nor out of a handler. */
    for (to = at->nframe; down && at->frame[to - 1].back != NONE; down--)
        to--;
    if (to == at->nframe)
        return NONE;
    w->totals.nlongjmp++;
    at->nframe = to;
    at->sp = at->frame[to].below;
    return at->frame[to].back;
}

/* Where a code goes, by its kind; slot: of calls and returns. */
static uint32_t go(
    struct walk *w, struct walker *at, uint32_t b, uint64_t *slot, bool *ends)
{
    struct kit_program *p = w->p;
    const struct kit_block *block = &p->block[b];
    bool tired = w->totals.nrun >= p->options.nrun;
    struct frame top;
    uint32_t to;

    switch (block->kind) {
    case TROD_BRANCH_IF:
        /* End a loop that has run long enough. */
        if (tired && block->target <= b)
            return b + 1;
        return draw(w->draws, 2) ? block->target : b + 1;
    case TROD_BRANCH_JUMP:
        return block->target;
    case TROD_BRANCH_INDIRECT:
        if (block->function == p->jumper) {
            to = jump_back(w, at);
            *ends = to == NONE;
            return to;
        }
        return block->choice[draw(w->draws, 4)];
    case TROD_BRANCH_CALL:
    case TROD_BRANCH_CALL_INDIRECT:
        to = block->kind == TROD_BRANCH_CALL ? block->target
                                             : block->choice[draw(w->draws, 4)];
        push(w, at, b + 1, block->after, p->block[to].function, NONE);
        *slot = at->frame[at->nframe - 1].slot;
        return to;
    case TROD_BRANCH_RETURN:
        top = at->frame[--at->nframe];
        *slot = top.slot;
        at->sp = top.below;
        if (top.resume != NONE) {
            at->frame[at->nframe++] = top; /* until the restorer is through */
            return p->entry[p->restorer];
        }
        *ends = top.back == NONE;
        return top.back;
    default:
        break;
    }
    if (block->function == p->restorer) {
        top = at->frame[--at->nframe];
        at->nsignal--;
        at->sp = top.below + SIGNAL_FRAME;
        return top.resume;
    }
    return b + 1;
}

/* A signal handler runs before the next block. */
static uint32_t interrupt(struct walk *w, struct walker *at, uint32_t next)
{
    uint32_t f = w->p->handler;

    at->nsignal++;
    w->totals.nsignal++;
    at->sp -= SIGNAL_FRAME;
    push(w, at, NONE, w->p->block[w->p->entry[w->p->restorer]].pc, f, next);
    return w->p->entry[f];
}

static void step(struct walk *w, uint32_t thread)
{
    struct walker *at = &w->walker[thread];
    uint32_t from = at->at, last = last_of(w->p, from), to;
    const struct trod_code *code = code_of(w->p, from, w->to);
    bool ends = false, deep = at->nframe > DEEPEST;
    uint64_t slot = 0;
    uint32_t naccess;

    to = go(w, at, last, &slot, &ends);
    naccess = access(w, &w->p->block[from], &w->p->block[last], slot);
    if (!ends && w->p->options.signals && at->nsignal < 2 &&
        w->p->block[last].function != w->p->restorer && draw(w->draws, 16) == 1)
        to = interrupt(w, at, to);
    put(w, thread, code, address_of(w, to), slot, naccess);
    at->at = to;
    at->ran = true;
    if (ends || deep)
        end(w, thread);
}

static uint32_t nalive(const struct walk *w)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->nwalker; i++)
        n += w->walker[i].is_there;
    return n;
}

void kit_program_walk(struct kit_program *program, struct trod_branch_sink *to,
    struct kit_draws draws, struct kit_walked *totals)
{
    const struct kit_walk_options *o = &program->options;
    uint32_t most = o->nrun ? o->nrun : 200, thread = 0;
    struct walk w = {.p = program, .to = to, .draws = draws};

    program->options.nrun = most;
    trod_branch_put_image(to, &program->image);
    w.nwalker = 1 + (o->nthread > 1 ? draw(draws, o->nthread) : 0);
    w.walker = trod_new(program->mem, struct walker, w.nwalker);
    for (uint32_t i = 0; i < w.nwalker; i++)
        start(&w, i);
    while (nalive(&w) && w.totals.nrun < (o->whole ? 20 * (uint64_t)most : most)) {
        if (w.nwalker > 1 && draw(draws, 8) == 1)
            thread = draw(draws, w.nwalker);
        while (!w.walker[thread].is_there)
            thread = (thread + 1) % w.nwalker;
        step(&w, thread);
        if (o->gaps && w.walker[thread].is_there && draw(draws, 64) == 1)
            end(&w, thread);
        if (!w.walker[thread].is_there && w.totals.nrun < most &&
            (o->again ||
                ((o->gaps || w.nstarted < 2 * w.nwalker) && draw(draws, 4) != 0)))
            start(&w, thread);
    }
    for (uint32_t i = 0; i < w.nwalker; i++)
        if (w.walker[i].is_there)
            end(&w, i);
    if (totals)
        *totals = w.totals;
}

void kit_walk(struct trod_branch_sink *to, struct kit_prop *p,
    const struct kit_walk_options *options, struct trod_arena *mem)
{
    struct kit_draws draws = kit_draws_of_prop(p);
    struct kit_program program;

    kit_program_draw(&program, draws, options, mem);
    kit_program_walk(&program, to, draws, NULL);
}
