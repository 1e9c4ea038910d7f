/* Decides which events are on. */
#include "burst_plan.h"

#include "control/idle.h"

#define NEVER (INT64_MAX / 2)
#define HELD (-NEVER)

enum {
    DELAY = 128,      /* limit of events between a tick and its burst: a power of two */
    SELDOM = 1024,    /* ticks after which there is a burst, whatever the budget */
    UNUSED_VISITS = 4 /* visits without a tick before the flag is considered unused */
};

/* --- words -------------------------------------------------------------------------------- */

/* Account for the events that passed at this word. Code that held the word in a register while a
 * signal handler came here may have overwritten it: then the number of events is unknown.
 */
static void settle(struct trod_burst_plan *p, unsigned word, int64_t came)
{
    int64_t passed = p->set[word] - p->skip[word] - came;
    uint32_t i;

    if (passed <= 0 || passed > p->set[word])
        return;
    p->npassed += (uint64_t)passed;
    p->set[word] -= passed;
    for (i = 0; i < p->ngroup; i++) {
        uint64_t *wait = p->group[i].wait + word;

        *wait -= *wait < (uint64_t)passed ? *wait : (uint64_t)passed;
    }
}

static void settle_all(struct trod_burst_plan *p, unsigned but)
{
    unsigned k;

    for (k = 0; k < p->words; k++)
        if (k != but)
            settle(p, k, 0);
}

static void set(struct trod_burst_plan *p, unsigned word)
{
    uint64_t least = p->look;
    uint32_t i;

    for (i = 0; i < p->ngroup; i++)
        if (p->group[i].wait[word] < least)
            least = p->group[i].wait[word];
    p->skip[word] = p->set[word] = (int64_t)least;
}

static void set_all(struct trod_burst_plan *p)
{
    unsigned k;

    for (k = 0; k < p->words; k++)
        set(p, k);
    p->held = false;
}

/* From now on every check calls the runtime. */
static void hold_all(struct trod_burst_plan *p)
{
    unsigned k;

    for (k = 0; k < p->words; k++)
        p->skip[k] = HELD;
    p->held = true;
}

/* --- groups ------------------------------------------------------------------------------- */

static uint32_t first_of(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

/* An event is on; begun: 1 if it is the first of a burst. Types that were sampled longer than the group count on. */
static void show(
    struct trod_burst_plan *p, const struct trod_burst_group *g, uint64_t begun)
{
    uint64_t left;

    for (left = g->types; left; left &= left - 1) {
        p->shared->type[first_of(left)].nburst += begun;
        p->shared->type[first_of(left)].nevent++;
    }
}

static void show_begun(struct trod_burst_plan *p, const struct trod_burst_group *g)
{
    uint64_t left;

    for (left = g->types; left; left &= left - 1)
        p->shared->type[first_of(left)].nburst++;
}

static void set_weight(
    struct trod_burst_plan *p, const struct trod_burst_group *g, uint64_t weight)
{
    uint64_t left;

    for (left = g->types; left; left &= left - 1)
        p->shared->type[first_of(left)].weight = weight;
}

/* The next event is the first of a burst. */
static void begin(struct trod_burst_plan *p, struct trod_burst_group *g)
{
    g->nburst++;
    g->rest = g->burst;
    if (g->more)
        set_weight(p, g, g->weight + (__trod_burst_random(p) < g->more));
}

/* Process an event of this word for this group. Returns whether it is on. */
static bool take(struct trod_burst_plan *p, struct trod_burst_group *g, unsigned word)
{
    if (!g->rest) {
        if (g->wait[word]) {
            g->wait[word]--;
            return false;
        }
        begin(p, g);
        g->wait[word] = __trod_burst_draw(p, g);
    }
    show(p, g, g->rest == g->burst);
    g->rest--;
    g->nevent++;
    return true;
}

/* --- trigger count -------------------------------------------------------------------------- */

/* Remaining events of all groups that are in a burst; only whether it is 0 matters. */
static uint64_t nrest(const struct trod_burst_plan *p)
{
    uint64_t rest = 0;
    uint32_t i;

    for (i = 0; i < p->ngroup; i++)
        rest |= p->group[i].rest;
    return rest;
}

static uint64_t on_count(
    struct trod_burst_plan *p, unsigned word, bool slow, bool timed)
{
    uint64_t mask = 0, rest;
    uint32_t i;

    if (p->held)
        p->skip[word] = HELD;
    else
        settle(p, word, !slow);
    if (timed && __trod_burst_is_due(p) && !nrest(p)) {
        if (!p->held)
            settle_all(p, word);
        __trod_burst_control(p);
        if (!p->held)
            set_all(p);
    }
    for (i = 0; i < p->ngroup; i++) {
        struct trod_burst_group *g = p->group + i;

        if (take(p, g, word))
            mask |= g->types;
    }
    rest = nrest(p);
    p->is_look = !mask && !slow && !p->held;
    p->nlook += p->is_look;
    if ((mask || p->tail) && p->clock)
        __trod_burst_time_plan(p, mask, !rest);
    if (rest || p->tail) {
        if (!p->held) {
            settle_all(p, word);
            hold_all(p);
        }
    } else if (p->held) {
        set_all(p);
    } else {
        set(p, word);
    }
    p->near = p->held;
    return mask;
}

/* The same, for a simple plan whose words are not held, and a visit that is not timed.
 *
 * cost:   50 instructions; 60 more where a burst begins
 */
static uint64_t on_simple(struct trod_burst_plan *p, unsigned word, bool slow)
{
    struct trod_burst_group *g = p->group;
    int64_t passed = p->set[word] - p->skip[word] - !slow;
    uint64_t wait = g->wait[word], mask = 0;

    if (passed > 0 && passed <= p->set[word]) {
        p->npassed += (uint64_t)passed;
        p->shared->npassed = p->npassed;
        wait -= wait < (uint64_t)passed ? wait : (uint64_t)passed;
    }
    p->is_look = wait && !slow;
    if (wait) {
        wait--;
        p->nlook += p->is_look;
        p->nunseen_looks += p->is_look;
    } else {
        g->nburst++;
        g->nevent++;
        show(p, g, 1);
        wait = __trod_burst_draw(p, g);
        mask = g->types;
        p->nquick--;
        p->nunseen_on++;
    }
    g->wait[word] = wait;
    p->skip[word] = p->set[word] = (int64_t)(wait < p->look ? wait : p->look);
    p->nunseen++;
    return mask;
}

/* --- trigger flag ---------------------------------------------------------------------------- */

/* Process a tick that this thread has not yet taken. */
static void take_tick(struct trod_burst_plan *p, uint32_t now)
{
    uint32_t weight = now - p->taken, i;

    p->seen = now;
    if (!__trod_burst_may(p) && weight < SELDOM)
        return;
    p->taken = now;
    p->due = true;
    p->delay = (uint32_t)(__trod_burst_random(p) & (DELAY - 1));
    for (i = 0; i < p->ngroup; i++)
        set_weight(p, p->group + i, p->account.share ? weight : 1);
}

static void begin_all(struct trod_burst_plan *p)
{
    uint32_t i;

    __trod_burst_time_passed(p);
    for (i = 0; i < p->ngroup; i++)
        begin(p, p->group + i);
    p->due = false;
}

static uint64_t take_all(struct trod_burst_plan *p)
{
    uint64_t mask = 0;
    uint32_t i;

    for (i = 0; i < p->ngroup; i++) {
        struct trod_burst_group *g = p->group + i;

        if (!g->rest)
            continue;
        show(p, g, g->rest == g->burst);
        g->rest--;
        g->nevent++;
        mask |= g->types;
    }
    return mask;
}

static bool is_over(const struct trod_burst_plan *p)
{
    return !p->due && !nrest(p);
}

/* All threads share the flag. A thread in a burst sets it again when another has cleared it. */
static void set_flag(struct trod_burst_plan *p, unsigned char to)
{
    if (__atomic_load_n(p->flag, __ATOMIC_RELAXED) != to)
        __atomic_store_n(p->flag, to, __ATOMIC_RELAXED);
}

static uint64_t on_flag(struct trod_burst_plan *p)
{
    uint32_t now = __atomic_load_n(p->ticks, __ATOMIC_RELAXED);
    uint64_t mask = TROD_BURST_WAIT;

    if (is_over(p) && now != p->seen) {
        p->nvain = 0;
        take_tick(p, now);
    }
    if (is_over(p)) {
        if (p->tail || now != p->taken || ++p->nvain >= UNUSED_VISITS)
            set_flag(p, 0);
        p->near = false;
        p->tail = 0;
        return 0;
    }
    if (p->due && !p->delay--)
        begin_all(p);
    if (!p->due)
        mask = take_all(p);
    p->tail = is_over(p); /* one more event, to time it */
    p->near = true;
    set_flag(p, 1);
    return mask;
}

/* --- both triggers ----------------------------------------------------------------------------- */

static uint64_t on_always(struct trod_burst_plan *p, unsigned word)
{
    uint32_t t;

    p->skip[word] = HELD;
    if (p->flag)
        set_flag(p, 1);
    for (t = 0; t < TROD_BURST_TYPES; t++)
        if (p->types >> t & 1)
            p->shared->type[t].nevent++;
    return p->types;
}

static int64_t idle(struct trod_burst_plan *p)
{
    uint64_t now = p->clock ? p->clock() : p->left;

    p->look = trod_idle_next(p->look, now - p->left);
    p->left = now;
    return (int64_t)p->look;
}

static uint64_t on_never(struct trod_burst_plan *p, unsigned word)
{
    p->skip[word] = p->poll && !p->flag ? idle(p) : NEVER;
    if (p->flag)
        set_flag(p, 0);
    return 0;
}

/* Reading the clock costs as much as all the rest. */
static bool is_timed(const struct trod_burst_plan *p)
{
    return p->clock &&
           (p->near || p->is_look || (p->nevent & p->every) == 0 || p->flag);
}

uint64_t __trod_burst_event(struct trod_burst_plan *p, unsigned word, bool slow)
{
    uint64_t mask;
    bool timed;

    if (word >= p->words)
        word = 0;
    p->shared->nevent = ++p->nevent;
    if (p->trigger == TROD_BURST_ALWAYS)
        return on_always(p, word);
    if (p->trigger == TROD_BURST_NEVER)
        return on_never(p, word);
    timed = is_timed(p);
    if (p->simple && !timed && !p->held && p->nquick)
        return on_simple(p, word, slow);
    if (timed)
        __trod_burst_time_begin(p);
    mask = p->trigger == TROD_BURST_FLAG ? on_flag(p) : on_count(p, word, slow, timed);
    p->shared->npassed = p->npassed;
    if (timed || (p->near && p->clock)) {
        __trod_burst_time_end(p, mask, timed);
    } else {
        p->nunseen++;
        p->nunseen_looks += p->is_look;
        p->nunseen_on += mask != 0;
    }
    return mask;
}

/* --- opening ------------------------------------------------------------------------------------- */

/* Types with the same rate and burst form one group. */
static void make_groups(struct trod_burst_plan *p, const struct trod_burst_options *o)
{
    uint32_t t, i;

    for (t = 0; t < TROD_BURST_TYPES; t++) {
        if (!(o->types >> t & 1))
            continue;
        for (i = 0; i < p->ngroup && (p->group[i].burst != o->burst[t] ||
                                         p->group[i].asked != o->rate[t]);
            i++)
            ;
        p->ngroup += i == p->ngroup;
        p->group[i].types |= UINT64_C(1) << t;
        p->group[i].burst = o->burst[t];
        p->group[i].asked = o->rate[t];
    }
}

/* As if the thread had always been running. */
static void draw_first(struct trod_burst_plan *p, struct trod_burst_group *g)
{
    bool whole = p->period <= TROD_BURST_PRIME && p->words == 1;
    uint64_t at = __trod_burst_below(p, g->burst + g->sparsity);
    unsigned k;

    for (k = 0; k < p->words; k++)
        g->wait[k] = whole ? g->sparsity : __trod_burst_draw_rest(p, g);
    if (!whole && at < g->burst - 1) {
        begin(p, g);
        g->rest = at + 1;
        show_begun(p, g);
    }
}

void __trod_burst_set_words(struct trod_burst_plan *p)
{
    if (p->trigger == TROD_BURST_ALWAYS || p->trigger == TROD_BURST_FLAG || nrest(p))
        hold_all(p);
    else
        set_all(p);
}

static void open_groups(struct trod_burst_plan *p)
{
    bool counts = p->trigger == TROD_BURST_COUNT;
    uint32_t i;

    if (p->trigger == TROD_BURST_NEVER)
        p->ngroup = 0;
    for (i = 0; i < p->ngroup; i++) {
        __trod_burst_set_rate(p, p->group + i, counts ? p->group[i].asked : 1);
        if (counts)
            draw_first(p, p->group + i);
    }
    p->rate = p->group[0].rate;
    __trod_burst_set_words(p);
}

void __trod_burst_open(struct trod_burst_plan *p, const struct trod_burst_options *o,
    struct trod_format_burst *shared, int64_t *skip, uint64_t seed)
{
    p->skip = skip;
    p->shared = shared;
    p->random = seed;
    p->trigger = __trod_burst_options_trigger(o);
    p->types = o->types;
    p->words = o->words;
    p->account.share = o->budget;
    p->period =
        o->budget && o->period == TROD_BURST_PRIME ? TROD_BURST_JITTER : o->period;
    p->look = p->poll ? p->poll : NEVER;
    if (p->poll && p->trigger == TROD_BURST_NEVER)
        p->look = TROD_IDLE_FIRST;
    p->seen = p->taken = p->ticks ? __atomic_load_n(p->ticks, __ATOMIC_RELAXED) : 0;
    shared->types = p->types;
    shared->trigger = p->trigger;
    shared->period = p->period;
    shared->words = p->words;
    shared->hz = o->hz;
    shared->budget = o->budget;
    make_groups(p, o);
    p->simple =
        p->trigger == TROD_BURST_COUNT && p->ngroup == 1 && p->group[0].burst == 1;
    __trod_burst_time_open(p);
    open_groups(p);
    if (p->flag && p->trigger != TROD_BURST_FLAG)
        set_flag(p, p->trigger == TROD_BURST_ALWAYS);
}

/* The events of the previous thread are unknown: its words no longer exist. */
void __trod_burst_adopt(struct trod_burst_plan *p, int64_t *skip)
{
    uint32_t i;

    p->skip = skip;
    p->due = false;
    __trod_burst_time_adopt(p);
    for (i = 0; i < p->ngroup; i++) {
        p->group[i].rest = 0;
        if (p->trigger == TROD_BURST_COUNT)
            draw_first(p, p->group + i);
    }
    __trod_burst_set_words(p);
}
