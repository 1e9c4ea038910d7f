#include "runtime.h"

/* Sequitur, as in the library's grammar stage and with the same grammars, but in fixed memory, and
 * such that the file is valid at every moment. Nodes are in the file, with a copy in memory for
 * reading; everything else is in memory.
 *
 * Each change to what the nodes produce is a single store (publish): a node is created unlinked,
 * and then linked. The only exception is inline_rule.
 *
 * Without room for a work list or for a rule, the grammar is larger than necessary, but produces
 * the same sequence.
 */

enum { START = 0, NONE = 0, SLACK = 64, NEEDED = 8 };

/* A killed process has made all stores before the point where it died, in program order. */
/* NOLINTNEXTLINE(readability-non-const-parameter) */
static inline void publish(uint32_t *at, uint32_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
    atomic_signal_fence(memory_order_seq_cst);
}

/* A node that is not linked yet. */
static inline void set_next(struct trod_recorder *r, uint32_t n, uint32_t value)
{
    r->link[n].next = value;
    r->node[n].next = value;
}

static inline void set_symbol(struct trod_recorder *r, uint32_t n, uint32_t value)
{
    r->link[n].symbol = value;
    r->node[n].symbol = value;
}

static inline void publish_next(struct trod_recorder *r, uint32_t n, uint32_t value)
{
    r->link[n].next = value;
    publish(&r->node[n].next, value);
}

/* --- nodes ---------------------------------------------------------------------------- */

static inline uint32_t next(const struct trod_recorder *r, uint32_t n)
{
    return r->link[n].next;
}

static inline uint32_t prev(const struct trod_recorder *r, uint32_t n)
{
    return r->link[n].prev;
}

static inline uint32_t symbol(const struct trod_recorder *r, uint32_t n)
{
    return r->link[n].symbol;
}

static inline bool has_digram(const struct trod_recorder *r, uint32_t n)
{
    return symbol(r, n) < TROD_STEPS_GUARD && symbol(r, next(r, n)) < TROD_STEPS_GUARD;
}

static inline bool is_same_digram(const struct trod_recorder *r, uint32_t m, uint32_t n)
{
    return has_digram(r, m) && symbol(r, m) == symbol(r, n) &&
           symbol(r, next(r, m)) == symbol(r, next(r, n));
}

static inline void note(struct trod_recorder *r, uint32_t n)
{
    if (r->nchanged < TROD_RECORD_CHANGED)
        r->changed[r->nchanged++] = n;
}

/* --- the table of digrams ------------------------------------------------------------ */

static inline uint32_t hash_of(uint32_t one, uint32_t two)
{
    uint64_t x = ((uint64_t)one << 32 | two) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)((x ^ x >> 32) * UINT64_C(0xd1342543de82ef95) >> 32);
}

/* The slot of the digram at a node, or the empty slot where it would go. */
static inline uint32_t find(const struct trod_recorder *r, uint32_t n, uint32_t *hash)
{
    uint32_t one = symbol(r, n), two = symbol(r, next(r, n));
    uint32_t h = hash_of(one, two), i = h >> r->shift;

    for (; r->slot[i].node; i = (i + 1) & r->mask) {
        uint32_t m = r->slot[i].node;

        if (r->slot[i].hash == h && symbol(r, m) == one && symbol(r, next(r, m)) == two)
            break;
    }
    *hash = h;
    return i;
}

static uint32_t free_slot(const struct trod_recorder *r, uint32_t hash)
{
    uint32_t i = hash >> r->shift;

    while (r->slot[i].node)
        i = (i + 1) & r->mask;
    return i;
}

static __attribute__((noinline)) void grow_table(struct trod_recorder *r)
{
    struct trod_digram *old = r->slot;
    uint32_t nold = r->mask + 1, i;

    __trod_record_table(r, nold * 2);
    for (i = 0; i < nold; i++) {
        if (old[i].node)
            r->slot[free_slot(r, old[i].hash)] = old[i];
    }
    __trod_record_drop_table(old, nold);
}

static inline void put_in(
    struct trod_recorder *r, uint32_t n, uint32_t i, uint32_t hash)
{
    if (2 * r->ndigram > r->mask && r->mask + 1 < r->most_slots) {
        grow_table(r);
        i = free_slot(r, hash);
    }
    r->slot[i].hash = hash;
    r->slot[i].node = n;
    r->ndigram++;
}

/* Backward-shift deletion: later entries move up, so that no search stops before them. */
static inline void take_out(struct trod_recorder *r, uint32_t i)
{
    uint32_t mask = r->mask, k;

    for (k = (i + 1) & mask; r->slot[k].node; k = (k + 1) & mask) {
        uint32_t home = r->slot[k].hash >> r->shift;

        if (((k - home) & mask) >= ((k - i) & mask)) {
            r->slot[i] = r->slot[k];
            i = k;
        }
    }
    r->slot[i].node = NONE;
    r->ndigram--;
}

static void forget(struct trod_recorder *r, uint32_t n)
{
    uint32_t i, hash;

    if (!has_digram(r, n))
        return;
    i = find(r, n, &hash);
    if (r->slot[i].node != n)
        return;
    take_out(r, i);
    if (is_same_digram(r, prev(r, n), n))
        note(r, prev(r, n));
    if (is_same_digram(r, next(r, n), n))
        note(r, next(r, n));
}

/* --- nodes and rules: a rule is its guard ---------------------------------------------- */

static void add_use(struct trod_recorder *r, uint32_t n)
{
    struct trod_link *rule = r->link + (symbol(r, n) & ~TROD_STEPS_RULE);

    r->link[n].prev_use = NONE;
    r->link[n].next_use = rule->next_use;
    if (rule->next_use)
        r->link[rule->next_use].prev_use = n;
    rule->next_use = n;
    rule->prev_use++;
}

static void drop_use(struct trod_recorder *r, uint32_t n)
{
    uint32_t guard = symbol(r, n) & ~TROD_STEPS_RULE;
    uint32_t before = r->link[n].prev_use, after = r->link[n].next_use;

    if (before)
        r->link[before].next_use = after;
    else
        r->link[guard].next_use = after;
    if (after)
        r->link[after].prev_use = before;
    if (--r->link[guard].prev_use == 1 && r->nlonely < TROD_RECORD_LONELY)
        r->lonely[r->nlonely++] = guard;
}

static inline uint32_t new_node(struct trod_recorder *r, uint32_t value)
{
    uint32_t n = r->free_node;

    if (n)
        r->free_node = prev(r, n);
    else
        n = r->nnode++;
    set_symbol(r, n, value);
    if (value & TROD_STEPS_RULE && value < TROD_STEPS_GUARD)
        add_use(r, n);
    return n;
}

static inline void free_node(struct trod_recorder *r, uint32_t n)
{
    uint32_t value = symbol(r, n);

    if (value & TROD_STEPS_RULE && value < TROD_STEPS_GUARD)
        drop_use(r, n);
    set_symbol(r, n, TROD_STEPS_NONE);
    r->link[n].prev = r->free_node;
    r->free_node = n;
}

/* A rule of two symbols, without uses yet. */
static uint32_t new_rule(struct trod_recorder *r, uint32_t one, uint32_t two)
{
    uint32_t guard = new_node(r, TROD_STEPS_GUARD), a, b;

    r->link[guard].prev_use = 0;
    r->link[guard].next_use = NONE;
    a = new_node(r, one);
    b = new_node(r, two);
    set_next(r, guard, a);
    set_next(r, a, b);
    set_next(r, b, guard);
    r->link[a].prev = guard;
    r->link[b].prev = a;
    r->link[guard].prev = b;
    r->nsymbol += 2;
    return guard;
}

/* --- the two operations on rules --------------------------------------------------------- */

/* Replace a digram by the rule that expands to it. */
static void replace(struct trod_recorder *r, uint32_t n, uint32_t rule)
{
    uint32_t before = prev(r, n), two = next(r, n), after = next(r, two), use;

    forget(r, before);
    forget(r, n);
    forget(r, two);
    use = new_node(r, TROD_STEPS_RULE | rule);
    set_next(r, use, after);
    r->link[use].prev = before;
    publish_next(r, before, use);
    r->link[after].prev = use;
    free_node(r, n);
    free_node(r, two);
    r->nsymbol--;
    note(r, use);
    note(r, before);
}

/* Inline a rule at its only use. This changes two words. */
static void inline_rule(struct trod_recorder *r, uint32_t guard)
{
    struct trod_format_steps *live = r->live;
    uint32_t use = r->link[guard].next_use;
    uint32_t before = prev(r, use), after = next(r, use);
    uint32_t first = next(r, guard), last = prev(r, guard);

    forget(r, before);
    forget(r, use);
    live->undo[0].node = before;
    live->undo[0].next = use;
    live->undo[1].node = last;
    live->undo[1].next = guard;
    publish(&live->nundo, 2);
    publish_next(r, before, first);
    publish_next(r, last, after);
    publish(&live->nundo, 0);
    r->link[first].prev = before;
    r->link[after].prev = last;
    free_node(r, use);
    free_node(r, guard);
    r->nsymbol--;
    note(r, last);
    note(r, before);
}

/* The rule that consists of exactly this digram; 0 if there is none. */
static inline uint32_t rule_of(const struct trod_recorder *r, uint32_t n)
{
    uint32_t before = prev(r, n);

    return symbol(r, before) == TROD_STEPS_GUARD && before == next(r, next(r, n))
               ? before
               : START;
}

/* Two rules are the same digram: replace one by the other at all of its uses. */
static void unite(struct trod_recorder *r, uint32_t keep, uint32_t guard)
{
    uint32_t one = next(r, guard), two = prev(r, guard);

    while (r->link[guard].next_use) {
        uint32_t use = r->link[guard].next_use;

        forget(r, prev(r, use));
        forget(r, use);
        drop_use(r, use);
        r->link[use].symbol = TROD_STEPS_RULE | keep;
        publish(&r->node[use].symbol, TROD_STEPS_RULE | keep);
        add_use(r, use);
        note(r, use);
        note(r, prev(r, use));
    }
    forget(r, one);
    free_node(r, one);
    free_node(r, two);
    free_node(r, guard);
    r->nsymbol -= 2;
    note(r, next(r, keep));
}

/* The digrams at two nodes are the same and do not overlap. */
static void match(struct trod_recorder *r, uint32_t n, uint32_t there)
{
    uint32_t here = rule_of(r, n), rule = rule_of(r, there);

    if (here && rule) {
        unite(r, rule, here);
    } else if (r->nready - r->nnode < NEEDED) {
        return;
    } else if (rule) {
        replace(r, n, rule);
    } else if (here) {
        replace(r, there, here);
    } else {
        rule = new_rule(r, symbol(r, n), symbol(r, next(r, n)));
        replace(r, there, rule);
        replace(r, n, rule);
        note(r, next(r, rule));
    }
}

/* --- adding ----------------------------------------------------------------------------- */

/* If the digram in the table overlaps ours, another one may not. */
static inline void check_digram(struct trod_recorder *r, uint32_t n)
{
    uint32_t i, there, hash;

    if (!has_digram(r, n))
        return;
    i = find(r, n, &hash);
    there = r->slot[i].node;
    if (!there)
        put_in(r, n, i, hash);
    else if (next(r, there) == n && is_same_digram(r, prev(r, there), n))
        match(r, n, prev(r, there));
    else if (next(r, n) == there && is_same_digram(r, next(r, there), n))
        match(r, n, next(r, there));
    else if (there != n && next(r, there) != n && next(r, n) != there)
        match(r, n, there);
}

static inline void settle(struct trod_recorder *r)
{
    for (;;) {
        if (r->nchanged) {
            check_digram(r, r->changed[--r->nchanged]);
        } else if (r->nlonely) {
            uint32_t guard = r->lonely[--r->nlonely];

            if (symbol(r, guard) == TROD_STEPS_GUARD && r->link[guard].prev_use == 1)
                inline_rule(r, guard);
        } else {
            return;
        }
    }
}

/* Make a node of a terminal, to be linked after the last. */
static inline uint32_t make_last(struct trod_recorder *r, uint32_t terminal)
{
    uint32_t n = new_node(r, terminal);

    set_next(r, n, START);
    return n;
}

static inline void link_last(struct trod_recorder *r, uint32_t n)
{
    uint32_t last = prev(r, START);

    r->link[n].prev = last;
    r->link[START].prev = n;
    publish_next(r, last, n);
    r->nsymbol++;
    r->nchanged = 0;
    if (last)
        note(r, last);
}

/* Room for one more node, if necessary in a new part. */
static inline bool make_room(struct trod_recorder *r)
{
    return (r->nsymbol < r->most || r->left || __trod_record_close(r)) &&
           (r->nready - r->nnode >= SLACK || __trod_record_room(r));
}

/* cost: O(1) expected, amortized over all symbols */
static inline bool add(struct trod_recorder *r, uint32_t terminal)
{
    if (!make_room(r))
        return false;
    link_last(r, make_last(r, terminal));
    settle(r);
    return true;
}

/* --- steps of signal handlers ------------------------------------------------------------- */

static void set_taken(struct trod_recorder *r, uint32_t taken, uint32_t linking)
{
    trod_record_set_both(&r->live->taken, taken, linking);
}

bool __trod_record_drain(struct trod_recorder *r)
{
    struct trod_format_steps *live = r->live;

    uint32_t queued;

    while (live->taken != (queued = __atomic_load_n(&live->queued, __ATOMIC_ACQUIRE))) {
        uint32_t taken = live->taken, n;
        uint32_t *entry = live->queue + taken % TROD_STEPS_QUEUE;
        uint32_t value = __atomic_load_n(entry, __ATOMIC_ACQUIRE);

        /* Another thread writes to the file. */
        if (queued - taken > TROD_STEPS_QUEUE) {
            set_taken(r, queued, NONE);
            continue;
        }
        if (!value || value - 1 >= trod_payload() / sizeof(uint64_t)) {
            set_taken(r, taken + 1, NONE);
            continue;
        }
        if (!make_room(r))
            return false;
        n = make_last(r, value - 1);
        set_taken(r, taken, n);
        link_last(r, n);
        publish(entry, 0);
        set_taken(r, taken + 1, NONE);
        settle(r);
    }
    return true;
}

static inline bool drain(struct trod_recorder *r)
{
    return r->live->taken == r->live->queued || __trod_record_drain(r);
}

/* False if it is full. Atomic, because a thread created by clone may share its creator's recorder. */
static bool enqueue(struct trod_recorder *r, uint32_t terminal)
{
    struct trod_format_steps *live = r->live;
    uint32_t at = __atomic_load_n(&live->queued, __ATOMIC_RELAXED);

    do {
        if (at - __atomic_load_n(&live->taken, __ATOMIC_ACQUIRE) >= TROD_STEPS_QUEUE)
            return false;
    } while (!__atomic_compare_exchange_n(
        &live->queued, &at, at + 1, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    publish(live->queue + at % TROD_STEPS_QUEUE, terminal + 1);
    return true;
}

/* A step is already being added: by this thread, before a signal handler interrupted it. Or the
 * handler has abandoned that call by longjmp; then the stack is shorter now.
 */
static __attribute__((noinline)) void interrupted(
    struct trod_own *own, struct trod_recorder *r, uint32_t terminal, uintptr_t frame)
{
    struct trod_recorder *other;

    if (r != own->recorder) { /* in a child of fork: no longer ours */
        __trod_step(__start___trod_cnt + terminal);
        return;
    }
    if (r->stopped || __trod_record_is_foreign(r)) {
        __trod_record_give_up(r);
        return;
    }
    if ((!r->frame || frame < r->frame || __trod_os_on_signal_stack()) &&
        enqueue(r, terminal))
        return;
    other = __trod_record_go_on(r);
    if (other != r && !other->stopped)
        __trod_step(__start___trod_cnt + terminal);
    else
        __trod_record_give_up(other);
}

static inline void step(struct trod_own *own, uint32_t terminal, uintptr_t frame)
{
    struct trod_recorder *r = own->recorder;

    if (!r)
        r = __trod_record_enter();
    if (!__atomic_exchange_n(r->idle, 0, __ATOMIC_ACQUIRE)) {
        interrupted(own, r, terminal, frame);
        return;
    }
    r->frame = frame;
    atomic_signal_fence(memory_order_seq_cst);
    if (!drain(r) || !add(r, terminal)) {
        __trod_record_stop(r);
        __trod_record_give_up(r);
        return;
    }
    if (!drain(r)) {
        __trod_record_stop(r);
        return;
    }
    atomic_signal_fence(memory_order_seq_cst);
    r->frame = 0;
    __atomic_store_n(r->idle, 1, __ATOMIC_RELEASE);
}

/* cost: 580 to 680 instructions on average, one of them atomic; doc/production/runtime.md has times */
void __trod_step(const uint64_t *at)
{
    struct trod_own *own = trod_own();
    bool was = own->stepping;

    own->stepping = true;
    atomic_signal_fence(memory_order_seq_cst);
    step(own, (uint32_t)(at - __start___trod_cnt),
        (uintptr_t)__builtin_frame_address(0));
    atomic_signal_fence(memory_order_seq_cst);
    own->stepping = was;
}

#ifdef __x86_64__
/* Like __trod_untested_most. */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_step_most\n\t"
        ".hidden __trod_step_most\n\t"
        ".type __trod_step_most, @function\n"
        "__trod_step_most:\n\t"
        ".cfi_startproc\n\t"
        "push %rax\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rcx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdx\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rsi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %rdi\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r8\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r9\n\t.cfi_adjust_cfa_offset 8\n\t"
        "push %r10\n\t.cfi_adjust_cfa_offset 8\n\t"
        "sub $8, %rsp\n\t.cfi_adjust_cfa_offset 8\n\t"
        "call __trod_step\n\t"
        "add $8, %rsp\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r10\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r9\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %r8\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rsi\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rdx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rcx\n\t.cfi_adjust_cfa_offset -8\n\t"
        "pop %rax\n\t.cfi_adjust_cfa_offset -8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_step_most, . - __trod_step_most\n\t"
        ".popsection");
#endif
