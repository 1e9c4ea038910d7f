#include "model/model.h"

#include <string.h>

enum { FIRST_ROOM = 32 }; /* entries of a stack */

void trod_detector_init(
    struct trod_detector *d, const struct trod_control *control, struct trod_arena *mem)
{
    *d = (struct trod_detector){.control = *control, .mem = mem};
    d->most_count =
        control->counter == 64 ? UINT64_MAX : (UINT64_C(1) << control->counter) - 1;
    d->plain = control->extend == TROD_EXTEND_NOTHING &&
               control->op[TROD_TYPE_FORWARD] == TROD_DO_UPDATE &&
               control->op[TROD_TYPE_BACKWARD] ==
                   (TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH) &&
               control->open[TROD_OPEN_BACK] == TROD_BACK_TAKEN &&
               control->open[TROD_OPEN_FULL] == TROD_FULL_FULL &&
               control->open[TROD_OPEN_SPLIT] == TROD_SPLIT_ONCE;
}

/* --- stacks -------------------------------------------------------------------------------------- */

static struct trod_path_stack *find_stack(struct trod_detector *d, uint32_t thread)
{
    while (thread >= d->nthread) {
        uint32_t room = d->nthread ? 2 * d->nthread : 16;

        d->stack_of_thread = trod_arena_grow(
            d->mem, d->stack_of_thread, d->nthread, room, sizeof *d->stack_of_thread);
        d->nthread = room;
    }
    if (!d->stack_of_thread[thread]) {
        trod_push(d->mem, d->stack, d->nstack, d->room_stack,
            (struct trod_path_stack){.thread = thread,
                .room = FIRST_ROOM,
                .entry = trod_new(d->mem, struct trod_path_entry, FIRST_ROOM)});
        d->stack_of_thread[thread] = d->nstack;
    }
    d->now = d->stack_of_thread[thread] - 1;
    return &d->stack[d->now];
}

static inline struct trod_path_stack *stack_of(struct trod_detector *d, uint32_t thread)
{
    if (d->now < d->nstack && d->stack[d->now].thread == thread)
        return &d->stack[d->now];
    return find_stack(d, thread);
}

/* i counts from 0 at the bottom. */
static inline struct trod_path_entry *entry_at(
    const struct trod_path_stack *s, uint32_t i)
{
    return &s->entry[(s->base + i) & (s->room - 1)];
}

static inline struct trod_path_entry *top_of(const struct trod_path_stack *s)
{
    return entry_at(s, s->count - 1);
}

static void grow_stack(struct trod_detector *d, struct trod_path_stack *s)
{
    struct trod_path_entry *entry =
        trod_new(d->mem, struct trod_path_entry, 2 * (size_t)s->room);

    for (uint32_t i = 0; i < s->room; i++)
        entry[i] = *entry_at(s, i);
    s->entry = entry;
    s->base = 0;
    s->room *= 2;
}

/* --- paths that end ------------------------------------------------------------------------------- */

/* Outcomes of long paths must outlive their stack entry. Pointers to them are set once all are stored. */
static void keep_long(struct trod_detector *d, const struct trod_path_entry *e)
{
    size_t n = TROD_WORDS(e->length);

    while (d->nspare + n > d->room_spare) {
        size_t room = d->room_spare ? 2 * d->room_spare : 64;

        d->spare =
            trod_arena_grow(d->mem, d->spare, d->room_spare, room, sizeof *d->spare);
        d->room_spare = room;
    }
    memcpy(d->spare + d->nspare, e->outcome, n * sizeof *e->outcome);
    d->nspare += n;
}

static bool is_reported(const struct trod_control *c, enum trod_path_how how)
{
    if (how == TROD_HOW_POPPED || how == TROD_HOW_SPLIT)
        return true;
    if (how == TROD_HOW_FORGOTTEN)
        return c->open[TROD_OPEN_FORGOTTEN] == TROD_FORGOTTEN_REPORTED;
    return c->open[TROD_OPEN_UNFINISHED] == TROD_UNFINISHED_REPORTED;
}

static void end_path(struct trod_detector *d, const struct trod_path_stack *s,
    const struct trod_path_entry *e, enum trod_path_how how)
{
    struct trod_path_end *end;
    bool often = d->control.metric == TROD_METRIC_FREQUENCY;

    trod_reserve(d->mem, d->end, d->nend, d->room_end);
    end = &d->end[d->nend++];
    end->path.start = e->start;
    end->path.function = e->function;
    end->path.length = e->length;
    end->path.outcome = NULL;
    end->word = e->length ? e->outcome[0] : 0;
    end->weight = often ? 1 : e->events;
    end->count = often ? 1 : e->events;
    if (end->count > d->most_count)
        end->count = d->control.open[TROD_OPEN_COUNTER] == TROD_COUNTER_WRAP
                         ? end->count & d->most_count
                         : d->most_count;
    end->ninsn = e->ninsn;
    end->thread = s->thread;
    end->how = (uint8_t)how;
    end->reported = is_reported(&d->control, how);
    if (e->length > 64)
        keep_long(d, e);
    if (e->length > d->seen.longest)
        d->seen.longest = e->length;
    d->seen.nend[how]++;
}

/* Set the pointers only now: both arrays may have moved while they grew. */
static uint32_t give_ends(struct trod_detector *d)
{
    size_t at = 0;

    for (uint32_t i = 0; i < d->nend; i++) {
        struct trod_path_end *end = &d->end[i];

        end->path.outcome = end->path.length > 64 ? d->spare + at : &end->word;
        if (end->path.length > 64)
            at += TROD_WORDS(end->path.length);
    }
    return d->nend;
}

/* --- operations ------------------------------------------------------------------------------------ */

static inline void begin_path(struct trod_path_entry *e, uint64_t start)
{
    e->start = start;
    e->length = 0;
    e->events = 0;
    e->ninsn = 0;
}

static struct trod_path_entry *push(
    struct trod_detector *d, struct trod_path_stack *s, uint64_t start)
{
    struct trod_path_entry *e;

    if (d->control.stack && s->count >= d->control.stack) {
        d->seen.nfull++;
        if (d->control.open[TROD_OPEN_OVERFLOW] == TROD_OVERFLOW_FORGET) {
            end_path(d, s, entry_at(s, 0), TROD_HOW_FORGOTTEN);
            s->base = (s->base + 1) & (s->room - 1);
            s->count--;
        }
    }
    if (s->count == s->room)
        grow_stack(d, s);
    s->count++;
    if (s->count > d->seen.deepest)
        d->seen.deepest = s->count;
    d->seen.nop[3]++;
    e = top_of(s);
    begin_path(e, start);
    e->function = e->back = e->frame = 0;
    e->extended = 0;
    return e;
}

static inline void append(
    struct trod_detector *d, struct trod_path_entry *e, bool taken)
{
    uint32_t word = e->length / 64, bit = e->length % 64;

    if (!bit) {
        if (word >= e->room) {
            uint32_t room = e->room ? 2 * e->room : 1;

            e->outcome =
                trod_arena_grow(d->mem, e->outcome, e->room, room, sizeof *e->outcome);
            e->room = room;
        }
        e->outcome[word] = 0;
    }
    e->outcome[word] |= (uint64_t)taken << bit;
    e->length++;
}

/* The start address of a path that begins after a run. */
static inline uint64_t where(const struct trod_detector *d, const struct trod_run *run)
{
    if (!run->taken && run->code->kind == TROD_BRANCH_IF &&
        d->control.open[TROD_OPEN_BEGIN] == TROD_BEGIN_TARGET)
        return run->code->target;
    return run->next;
}

/* The path on top ended; another begins in the same activation. */
static void begin_again(
    struct trod_detector *d, struct trod_path_entry *e, uint64_t start)
{
    bool keeps = d->control.extend == TROD_EXTEND_CALLS &&
                 d->control.open[TROD_OPEN_INHERIT] == TROD_INHERIT_CALLS;

    begin_path(e, start);
    if (!keeps)
        e->extended = 0;
}

/* Record an outcome. Returns whether this split the path. */
static inline bool update(struct trod_detector *d, struct trod_path_stack *s,
    struct trod_path_entry *e, const struct trod_run *run)
{
    bool over = d->control.open[TROD_OPEN_FULL] == TROD_FULL_OVER;
    uint32_t split = d->control.split;

    d->seen.nop[0]++;
    if (!over || e->length != split || !split)
        append(d, e, run->taken);
    else
        goto full;
    if (over || e->length != split)
        return false;
full:
    end_path(d, s, e, TROD_HOW_SPLIT);
    d->seen.nop[2]++;
    d->seen.nop[3]++;
    begin_again(d, e, where(d, run));
    return true;
}

/* --- repairs ------------------------------------------------------------------------------------------ */

static void cut_all(
    struct trod_detector *d, struct trod_path_stack *s, enum trod_path_how how)
{
    while (s->count) {
        end_path(d, s, top_of(s), how);
        s->count--;
    }
}

/* The path on top belongs to an entry further down. The entries in between are dead, and the path
 * of that entry ends. */
static void move_path_down(
    struct trod_detector *d, struct trod_path_stack *s, uint32_t to)
{
    struct trod_path_entry *top = top_of(s), *e = entry_at(s, to);
    struct trod_path_entry path = *top;

    for (uint32_t i = s->count - 1; i-- > to;)
        end_path(d, s, entry_at(s, i), TROD_HOW_DROPPED);
    top->outcome = e->outcome;
    top->room = e->room;
    path.function = e->function;
    path.back = e->back;
    path.frame = e->frame;
    path.extended = e->extended;
    *e = path;
    s->count = to + 1;
}

/* The number of entries on top whose frames are below an address. Entries whose frame is unknown belong to what is
 * beneath them: they are as dead as that. */
static uint32_t count_dead(const struct trod_path_stack *s, uint64_t below)
{
    uint32_t dead = 0;

    for (uint32_t n = 0; n < s->count; n++) {
        uint64_t frame = entry_at(s, s->count - 1 - n)->frame;

        if (frame >= below)
            break;
        if (frame)
            dead = n + 1;
    }
    return dead;
}

/* A call stores its return address at or above that of an entry: the entry is dead. */
static void repair_call(
    struct trod_detector *d, struct trod_path_stack *s, uint64_t frame)
{
    uint32_t dead = count_dead(s, frame + 1);

    if (!dead)
        return;
    if (d->control.open[TROD_OPEN_REPAIR] == TROD_REPAIR_PURGE) {
        cut_all(d, s, TROD_HOW_DROPPED);
    } else if (dead < s->count) {
        move_path_down(d, s, s->count - 1 - dead);
    } else {
        move_path_down(d, s, 0);
        top_of(s)->function = top_of(s)->back = top_of(s)->frame = 0;
    }
}

enum matched {
    MATCHED,   /* the entry on top returns */
    UNMATCHED, /* it does not return: this is a jump */
    LANDED     /* handled completely */
};

/* Frames were dropped and the call did not return: a new path starts in the function now on top. */
static enum matched land(
    struct trod_detector *d, struct trod_path_stack *s, uint32_t dead, uint64_t next)
{
    for (; dead; dead--) {
        end_path(d, s, top_of(s), TROD_HOW_DROPPED);
        s->count--;
    }
    if (s->count) {
        end_path(d, s, top_of(s), TROD_HOW_DROPPED);
        begin_again(d, top_of(s), next);
    } else if (d->control.open[TROD_OPEN_EMPTY] == TROD_EMPTY_BEGIN) {
        push(d, s, next);
    }
    return LANDED;
}

static enum matched match_frames(
    struct trod_detector *d, struct trod_path_stack *s, const struct trod_run *run)
{
    uint32_t dead = count_dead(s, run->stack);
    const struct trod_path_entry *e =
        dead < s->count ? entry_at(s, s->count - 1 - dead) : NULL;

    /* An entry from before the trace began (no return address) may also be the one that returns. */
    if (e && (!e->back || (e->frame == run->stack && e->back == run->next))) {
        move_path_down(d, s, s->count - 1 - dead);
        return MATCHED;
    }
    if (e && e->frame == run->stack)
        return land(d, s, dead + 1, run->next);
    return dead ? land(d, s, dead, run->next) : UNMATCHED;
}

static enum matched match_backs(
    struct trod_detector *d, struct trod_path_stack *s, const struct trod_run *run)
{
    for (uint32_t i = s->count; i-- > 0;) {
        if (entry_at(s, i)->back != run->next)
            continue;
        move_path_down(d, s, i);
        return MATCHED;
    }
    return UNMATCHED;
}

static enum matched match_return(
    struct trod_detector *d, struct trod_path_stack *s, const struct trod_run *run)
{
    const struct trod_path_entry *e = top_of(s);
    bool framed = run->stack && e->frame;
    enum matched matched;

    if (!e->back || (e->back == run->next && (!framed || e->frame == run->stack)))
        return MATCHED;
    if (d->control.open[TROD_OPEN_REPAIR] == TROD_REPAIR_PURGE) {
        d->seen.nunmatched++;
        cut_all(d, s, TROD_HOW_DROPPED);
        return land(d, s, 0, run->next);
    }
    matched = framed ? match_frames(d, s, run) : match_backs(d, s, run);
    if (matched != MATCHED)
        d->seen.nunmatched++;
    return matched;
}

static void take_odd(
    struct trod_detector *d, struct trod_path_stack *s, const struct trod_run *run)
{
    if (d->control.open[TROD_OPEN_REPAIR] == TROD_REPAIR_PURGE) {
        cut_all(d, s, TROD_HOW_ODD);
        land(d, s, 0, run->next);
    } else if (s->count) {
        end_path(d, s, top_of(s), TROD_HOW_ODD);
        begin_again(d, top_of(s), run->next);
    }
}

/* --- a branch ------------------------------------------------------------------------------------------ */

/* The operations that the control register prescribes for a branch of this type. With an extension,
 * the path may continue through calls and returns, or through loops. */
static uint8_t ops_of(struct trod_detector *d, const struct trod_path_stack *s,
    enum trod_control_type type)
{
    const struct trod_control *c = &d->control;
    struct trod_path_entry *e = s->count ? top_of(s) : NULL;
    uint8_t op = c->op[type];
    uint8_t through = c->open[TROD_OPEN_CROSSING] == TROD_CROSSING_OUTCOME
                          ? TROD_DO_UPDATE
                          : op & (TROD_DO_UPDATE | TROD_DO_COUNT);
    bool ends = c->open[TROD_OPEN_DEEPEST] == TROD_DEEPEST_END;

    if (!c->extend || !e)
        return op;
    if (c->extend == TROD_EXTEND_LOOPS) {
        if (type != TROD_TYPE_BACKWARD || e->extended >= c->most_extended)
            return op;
        e->extended++;
        d->seen.nextended++;
        return op & (TROD_DO_UPDATE | TROD_DO_COUNT);
    }
    if (type == TROD_TYPE_CALL && e->extended < c->most_extended) {
        e->extended++;
        d->seen.nextended++;
        return through;
    }
    if (type == TROD_TYPE_RETURN && e->extended) {
        e->extended--;
        return through;
    }
    if (ends && (type == TROD_TYPE_CALL || type == TROD_TYPE_RETURN))
        return op | TROD_DO_POP | TROD_DO_PUSH;
    return op;
}

static void push_for(struct trod_detector *d, struct trod_path_stack *s,
    const struct trod_run *run, enum trod_control_type type,
    const struct trod_path_entry *from)
{
    struct trod_path_entry was = from ? *from : (struct trod_path_entry){0}, *e;

    e = push(d, s, where(d, run));
    if (type == TROD_TYPE_CALL) {
        e->function = run->next;
        e->back = run->code->after;
        e->frame = run->stack;
    } else if (type != TROD_TYPE_RETURN && from) {
        e->function = was.function;
        e->back = was.back;
        e->frame = was.frame;
        if (d->control.extend == TROD_EXTEND_CALLS &&
            d->control.open[TROD_OPEN_INHERIT] == TROD_INHERIT_CALLS)
            e->extended = was.extended;
    }
}

static void pop_push(struct trod_detector *d, struct trod_path_stack *s,
    const struct trod_run *run, enum trod_control_type type, uint8_t op, bool was_split)
{
    struct trod_path_entry *from = s->count ? top_of(s) : NULL;
    bool silent = was_split && d->control.open[TROD_OPEN_SPLIT] == TROD_SPLIT_ONCE;

    if (silent && (op & TROD_DO_POP) && (op & TROD_DO_PUSH) && type != TROD_TYPE_CALL &&
        type != TROD_TYPE_RETURN)
        return;
    if ((op & TROD_DO_POP) && (op & TROD_DO_PUSH) && from && type != TROD_TYPE_CALL &&
        type != TROD_TYPE_RETURN) {
        end_path(d, s, from, TROD_HOW_POPPED);
        d->seen.nop[2]++;
        d->seen.nop[3]++;
        begin_again(d, from, where(d, run));
        return;
    }
    if ((op & TROD_DO_POP) && from) {
        if (!silent)
            end_path(d, s, from, TROD_HOW_POPPED);
        d->seen.nop[2]++;
        s->count--;
    } else if (op & TROD_DO_POP) {
        d->seen.nempty++;
    }
    if (op & TROD_DO_PUSH)
        push_for(d, s, run, type, from);
    else if (!s->count && d->control.open[TROD_OPEN_EMPTY] == TROD_EMPTY_BEGIN)
        push(d, s, where(d, run));
}

static void take_branch(struct trod_detector *d, struct trod_path_stack *s,
    const struct trod_run *run, enum trod_control_type type)
{
    const uint8_t *op_of_type = d->control.op;
    enum matched matched = MATCHED;
    bool was_split = false;
    uint8_t op;

    if (d->control.open[TROD_OPEN_REPAIR] != TROD_REPAIR_NONE && s->count) {
        if (type == TROD_TYPE_CALL && run->stack)
            repair_call(d, s, run->stack);
        if (type == TROD_TYPE_RETURN && s->count && !top_of(s)->extended)
            matched = match_return(d, s, run);
        if (matched == LANDED)
            return;
    }
    op = ops_of(d, s, type);
    /* Treat it as an indirect branch, but record the outcome of a return. */
    if (matched == UNMATCHED) {
        type = TROD_TYPE_INDIRECT;
        op = (uint8_t)((op & (TROD_DO_UPDATE | TROD_DO_COUNT)) |
                       (op_of_type[type] & (TROD_DO_POP | TROD_DO_PUSH)));
    }
    if (run->code->kind == TROD_BRANCH_JUMP && (op & TROD_DO_UPDATE) &&
        d->control.open[TROD_OPEN_JUMPS] == TROD_JUMPS_FREE)
        op = (uint8_t)((op & ~TROD_DO_UPDATE) | TROD_DO_COUNT);
    if ((op & (TROD_DO_UPDATE | TROD_DO_COUNT)) && !s->count)
        d->seen.nempty++;
    else if (op & TROD_DO_UPDATE)
        was_split = update(d, s, top_of(s), run);
    else if (op & TROD_DO_COUNT)
        d->seen.nop[1]++;
    if (op & (TROD_DO_POP | TROD_DO_PUSH))
        pop_push(d, s, run, type, op, was_split);
}

static inline uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* Attribute events since the last branch to the path on top, if the register says so. */
static inline void count_block(struct trod_detector *d, struct trod_path_stack *s,
    const struct trod_run *run, uint64_t events, bool wanted)
{
    uint64_t ninsn = s->block_ninsn + run->code->ninsn;

    events = d->control.metric == TROD_METRIC_INSTRUCTIONS
                 ? ninsn
                 : add(s->block_events, events);
    if (wanted && s->count) {
        struct trod_path_entry *e = top_of(s);

        e->events = add(e->events, events);
        e->ninsn += ninsn;
    }
    s->block_events = s->block_ninsn = 0;
}

/* The most common case: a conditional branch that only records an outcome, or ends the path if taken backward.
 *
 * needs:  d->plain, a non-empty stack
 */
static inline uint32_t take_plain(struct trod_detector *d, struct trod_path_stack *s,
    const struct trod_run *run, uint64_t events)
{
    struct trod_path_entry *e = top_of(s);
    bool ends = run->taken && trod_branch_is_backward(run->code), full;

    count_block(d, s, run, events, true);
    d->seen.nop[0]++;
    append(d, e, run->taken);
    full = e->length == d->control.split;
    if (!ends && !full)
        return 0;
    end_path(d, s, e, full ? TROD_HOW_SPLIT : TROD_HOW_POPPED);
    d->seen.nop[2]++;
    d->seen.nop[3]++;
    begin_path(e, where(d, run));
    return give_ends(d);
}

static void begin_stack(
    struct trod_detector *d, struct trod_path_stack *s, const struct trod_run *run)
{
    s->begun = true;
    push(d, s, run->code->pc)->function = run->code->pc;
}

uint32_t trod_detector_run(
    struct trod_detector *d, const struct trod_run *run, uint64_t events)
{
    const struct trod_control *c = &d->control;
    const struct trod_code *code = run->code;
    struct trod_path_stack *s = stack_of(d, run->thread);
    enum trod_control_type type;

    d->nend = 0;
    d->nspare = 0;
    d->seen.nrun++;
    d->seen.ninsn += code->ninsn;
    if (!s->begun)
        begin_stack(d, s, run);
    if (code->kind == TROD_BRANCH_IF && d->plain && s->count && !run->odd) {
        d->seen.nbranch++;
        return take_plain(d, s, run, events);
    }
    if (run->odd) {
        d->seen.nodd++;
        if (c->open[TROD_OPEN_REPAIR] != TROD_REPAIR_NONE) {
            count_block(d, s, run, events, true);
            take_odd(d, s, run);
            return give_ends(d);
        }
    }
    if (code->kind == TROD_BRANCH_NONE) {
        s->block_events = add(s->block_events, events);
        s->block_ninsn += code->ninsn;
        return 0;
    }
    d->seen.nbranch++;
    type = trod_control_type_of(code);
    if (type == TROD_TYPE_BACKWARD && !run->taken &&
        c->open[TROD_OPEN_BACK] == TROD_BACK_TAKEN)
        type = TROD_TYPE_FORWARD;
    count_block(d, s, run, events, c->op[type] & (TROD_DO_UPDATE | TROD_DO_COUNT));
    take_branch(d, s, run, type);
    return give_ends(d);
}

uint32_t trod_detector_end(struct trod_detector *d, uint32_t thread)
{
    struct trod_path_stack *s = stack_of(d, thread);

    d->nend = 0;
    d->nspare = 0;
    if (s->count) {
        top_of(s)->ninsn += s->block_ninsn;
        top_of(s)->events = add(top_of(s)->events,
            d->control.metric == TROD_METRIC_INSTRUCTIONS ? s->block_ninsn
                                                          : s->block_events);
    }
    s->block_events = s->block_ninsn = 0;
    cut_all(d, s, TROD_HOW_ENDED);
    s->begun = false;
    return give_ends(d);
}

/* --- the validator ---------------------------------------------------------------------------------------- */

/* The frame of the nearest entry beneath one that has a known frame; all ones: none has. */
static uint64_t frame_beneath(const struct trod_path_stack *s, uint32_t i)
{
    while (i-- > 0)
        if (entry_at(s, i)->frame)
            return entry_at(s, i)->frame;
    return UINT64_MAX;
}

static bool check_entry(const struct trod_detector *d, const struct trod_path_stack *s,
    uint32_t i, struct trod_err *err)
{
    const struct trod_path_entry *e = entry_at(s, i);
    const char *what = NULL;

    if (d->control.split && e->length > d->control.split)
        what = "is longer than it may be";
    else if (e->extended > d->control.most_extended)
        what = "is extended more than it may be";
    else if (e->length > 64 * (uint64_t)e->room)
        what = "has no room for its outcomes";
    else if (e->length % 64 && e->outcome[e->length / 64] >> (e->length % 64))
        what = "has outcomes behind its end";
    else if (e->frame > frame_beneath(s, i))
        what = "has a frame above that of its caller";
    return !what || trod_fail(err, TROD_E_INTERNAL, "entry %u of thread %u %s",
                        (unsigned)i, (unsigned)s->thread, what);
}

bool trod_detector_check(const struct trod_detector *d, struct trod_err *err)
{
    for (uint32_t t = 0; t < d->nstack; t++) {
        const struct trod_path_stack *s = &d->stack[t];

        if (s->count > s->room ||
            (d->control.stack && s->count > d->control.stack &&
                d->control.open[TROD_OPEN_OVERFLOW] == TROD_OVERFLOW_FORGET))
            return trod_fail(err, TROD_E_INTERNAL, "the stack of thread %u is too deep",
                (unsigned)s->thread);
        for (uint32_t i = 0; i < s->count; i++)
            if (!check_entry(d, s, i, err))
                return false;
    }
    return true;
}
