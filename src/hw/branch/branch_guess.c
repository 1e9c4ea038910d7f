#include "branch/guess.h"

#include <string.h>

void trod_guess_init(struct trod_guess *g, struct trod_arena *mem)
{
    *g = (struct trod_guess){.mem = mem, .nslot = 64};
    g->slot = trod_new(mem, uint32_t, g->nslot);
    g->at = trod_new(mem, struct trod_guess_at, g->nslot);
    g->way = trod_new(mem, uint32_t, TROD_GUESS_WAYS);
    g->place = trod_new(mem, uint64_t, TROD_GUESS_PLACES);
}

void trod_guess_begin(struct trod_guess *g)
{
    g->chunk++;
    memset(g->way, 0, TROD_GUESS_WAYS * sizeof *g->way);
    memset(g->place, 0, TROD_GUESS_PLACES * sizeof *g->place);
}

/* --- codes by address --------------------------------------------------------------------------------- */

static uint64_t hash(uint64_t value)
{
    value *= UINT64_C(0x9e3779b97f4a7c15);
    return value ^ value >> 32;
}

static uint32_t find(const struct trod_guess *g, uint64_t pc)
{
    uint32_t i = (uint32_t)hash(pc) & (g->nslot - 1);

    while (g->slot[i] && g->code[g->slot[i] - 1].code->pc != pc)
        i = (i + 1) & (g->nslot - 1);
    return i;
}

static void enlarge(struct trod_guess *g)
{
    uint32_t *slot = g->slot, nslot = g->nslot;
    struct trod_guess_at *at = g->at;

    g->nslot *= 4;
    g->slot = trod_new(g->mem, uint32_t, g->nslot);
    g->at = trod_new(g->mem, struct trod_guess_at, g->nslot);
    for (uint32_t i = 0; i < nslot; i++)
        if (slot[i]) {
            uint32_t to = find(g, g->code[slot[i] - 1].code->pc);

            g->slot[to] = slot[i];
            g->at[to] = at[i];
        }
}

void trod_guess_add(struct trod_guess *g, const struct trod_code *code)
{
    uint32_t i;

    assert(code->number == g->ncode);
    if (2 * g->nused >= g->nslot)
        enlarge(g);
    trod_reserve(g->mem, g->code, g->ncode, g->room);
    g->code[g->ncode].code = code;
    i = find(g, code->pc);
    if (!g->slot[i]) {
        g->slot[i] = code->number + 1;
        g->at[i].first = code->number;
        g->nused++;
    }
    g->ncode++;
}

uint32_t trod_guess_code(struct trod_guess *g, const struct trod_guess_thread *t)
{
    uint32_t i;

    if (!t->is_there)
        return UINT32_MAX;
    i = find(g, t->next);
    if (!g->slot[i])
        return UINT32_MAX;
    return g->at[i].chunk == g->chunk ? g->at[i].recent : g->at[i].first;
}

struct trod_guess_code *trod_guess_seen(struct trod_guess *g, uint32_t code)
{
    struct trod_guess_code *seen = &g->code[code];

    if (seen->chunk != g->chunk) {
        seen->chunk = g->chunk;
        seen->way = 1;
        seen->next = seen->slot = seen->distance = 0;
        seen->naccess = 0;
    }
    return seen;
}

/* --- threads ------------------------------------------------------------------------------------------- */

struct trod_guess_thread *trod_guess_thread(struct trod_guess *g, uint32_t thread)
{
    struct trod_guess_thread *t;

    if (thread >= g->nthread) {
        uint32_t n = g->nthread ? g->nthread : 4;

        while (n <= thread)
            n *= 2;
        g->thread =
            trod_arena_grow(g->mem, g->thread, g->nthread, n, sizeof *g->thread);
        g->nthread = n;
    }
    t = &g->thread[thread];
    if (t->chunk != g->chunk) {
        t->chunk = g->chunk;
        t->past = t->nopen = t->first = 0;
    }
    return t;
}

static struct trod_guess_call *open_call(const struct trod_guess_thread *t, uint32_t up)
{
    return &t->open[(t->first + t->nopen - 1 - up) % TROD_GUESS_OPEN];
}

static void push(
    struct trod_guess *g, struct trod_guess_thread *t, uint64_t back, uint64_t slot)
{
    if (!t->open)
        t->open = trod_new(g->mem, struct trod_guess_call, TROD_GUESS_OPEN);
    if (t->nopen == TROD_GUESS_OPEN)
        t->first = (t->first + 1) % TROD_GUESS_OPEN;
    else
        t->nopen++;
    *open_call(t, 0) = (struct trod_guess_call){back, slot};
}

/* Pop the call that a return goes back to, and all calls above it. */
static void pop(struct trod_guess_thread *t, uint64_t to)
{
    for (uint32_t up = 0; up < t->nopen && up < TROD_GUESS_BACK; up++)
        if (open_call(t, up)->back == to) {
            t->nopen -= up + 1;
            return;
        }
}

/* --- predicting successors ------------------------------------------------------------------------------- */

/* The two predictors: a tagged counter indexed by branch and history, and one indexed by the branch alone. */
static uint32_t *way_of(struct trod_guess *g, const struct trod_guess_thread *t,
    uint32_t code, uint32_t *tag)
{
    uint64_t h = hash((t->past & UINT64_C(0xffffff)) << 32 ^ code);

    *tag = (uint32_t)(h >> 34) << 2 | 4;
    return &g->way[h & (TROD_GUESS_WAYS - 1)];
}

static uint64_t *place_of(
    struct trod_guess *g, const struct trod_guess_thread *t, uint32_t code)
{
    return &g->place[hash((t->past & 0xffff) << 32 ^ code) & (TROD_GUESS_PLACES - 1)];
}

uint64_t trod_guess_next(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_code *code)
{
    const struct trod_guess_code *seen = trod_guess_seen(g, code->number);
    uint32_t tag, *way;
    uint64_t place;

    switch (code->kind) {
    case TROD_BRANCH_NONE:
        return code->after;
    case TROD_BRANCH_JUMP:
    case TROD_BRANCH_CALL:
        return code->target;
    case TROD_BRANCH_IF:
        way = way_of(g, t, code->number, &tag);
        return ((*way & ~UINT32_C(3)) == tag ? *way & 3 : seen->way) >= 2 ? code->target
                                                                          : code->after;
    case TROD_BRANCH_RETURN:
        return t->nopen ? open_call(t, 0)->back : seen->next;
    default:
        place = *place_of(g, t, code->number);
        return place ? place : seen->next;
    }
}

uint64_t trod_guess_slot(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_code *code)
{
    const struct trod_guess_code *seen = trod_guess_seen(g, code->number);

    if (code->kind == TROD_BRANCH_RETURN)
        return t->nopen ? open_call(t, 0)->slot : 0;
    if (!trod_branch_is_call(code->kind) || !seen->slot)
        return 0;
    return (t->nopen ? open_call(t, 0)->slot : 0) + seen->distance;
}

static uint32_t nudge(uint32_t counter, bool taken)
{
    if (taken)
        return counter < 3 ? counter + 1 : 3;
    return counter ? counter - 1 : 0;
}

static void learn_way(struct trod_guess *g, const struct trod_guess_thread *t,
    struct trod_guess_code *seen, bool taken)
{
    uint32_t tag, *way = way_of(g, t, seen->code->number, &tag);

    if ((*way & ~UINT32_C(3)) == tag)
        *way = tag | nudge(*way & 3, taken);
    else if ((seen->way >= 2) != taken)
        *way = tag | (taken ? 2 : 1);
    seen->way = (uint8_t)nudge(seen->way, taken);
}

void trod_guess_learn(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_run *run)
{
    const struct trod_code *code = run->code;
    struct trod_guess_code *seen = trod_guess_seen(g, code->number);
    struct trod_guess_at *at = &g->at[find(g, code->pc)];

    at->recent = code->number;
    at->chunk = g->chunk;
    switch (code->kind) {
    case TROD_BRANCH_IF:
        learn_way(g, t, seen, run->taken);
        t->past = t->past << 1 | run->taken;
        break;
    case TROD_BRANCH_INDIRECT:
    case TROD_BRANCH_CALL_INDIRECT:
        *place_of(g, t, code->number) = run->next;
        t->past = t->past << 3 ^ (run->next >> 2 & 63);
        break;
    default:
        break;
    }
    seen->next = run->next;
    if (trod_branch_is_call(code->kind)) {
        seen->slot = run->stack;
        seen->distance = run->stack - (t->nopen ? open_call(t, 0)->slot : 0);
        push(g, t, code->after, run->stack);
    } else if (code->kind == TROD_BRANCH_RETURN) {
        pop(t, run->next);
    }
    t->is_there = true;
    t->next = run->next;
}

void trod_guess_shape(struct trod_guess *g, struct trod_guess_code *seen,
    const struct trod_access *access, uint32_t naccess)
{
    if (naccess > TROD_GUESS_ACCESSES)
        naccess = TROD_GUESS_ACCESSES;
    if (naccess > seen->room) {
        seen->access = trod_new(g->mem, struct trod_guess_access, naccess);
        seen->room = naccess;
    }
    for (uint32_t i = 0; i < naccess; i++)
        seen->access[i] = (struct trod_guess_access){
            {0, access[i].insn, access[i].size, access[i].store}, 0};
    seen->naccess = naccess;
}
