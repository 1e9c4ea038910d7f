/* Models of a path profiler: paths are those that are derived from the list of all branches, activation by
 * activation; what a repaired stack tells can be walked in the program; hot path tables hold what a simulation
 * without any cleverness holds; counts are the bounds they are said to be; texts come back.
 */
#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/machine_program.h"
#include "model/model.h"

enum { RUNS = 700, PATHS = 2000, LONGEST = 1000, ACTIVATIONS = 800 };

enum fault {
    NONE,
    FLIPPED,       /* an outcome is the other */
    LOST,          /* a run is lost */
    OTHER_BACK,    /* branches backward that are not taken are taken for the other */
    OTHER_SPLIT,   /* paths are split one later */
    OTHER_STACK,   /* the stack has one entry more */
    OTHER_EXTEND,  /* paths continue through one more */
    OTHER_COUNTER, /* the counter has a bit more */
    NO_REPAIR,     /* dead entries stay */
    OTHER_TIES,    /* ties go elsewhere */
    OTHER_INDEX,   /* another index */
    NO_EXTRA,      /* newcomers begin at their own count */
    UNSEEN,        /* a path is not counted */
    MISREAD        /* a line is lost */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- what happened --------------------------------------------------------------------------------- */

struct happened {
    struct trod_branch_sink sink;
    struct trod_arena *mem;
    struct {
        struct trod_run run; /* code is NULL: its thread ended */
    } at[RUNS];
    uint32_t count;
};

static void note_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct happened *h = (struct happened *)to;

    if (h->count < RUNS) {
        struct trod_code *code = trod_new(h->mem, struct trod_code, 1);

        *code = *run->code;
        h->at[h->count].run = *run;
        h->at[h->count].run.access = NULL;
        h->at[h->count++].run.code = code;
    }
}

static void note_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct happened *h = (struct happened *)to;

    if (h->count < RUNS)
        h->at[h->count++].run = (struct trod_run){.thread = thread};
}

static struct happened *walk(
    struct kit_prop *p, const struct kit_walk_options *options, struct trod_arena *mem)
{
    struct happened *h = trod_new(mem, struct happened, 1);

    h->sink = (struct trod_branch_sink){.run = note_run, .end = note_end};
    h->mem = mem;
    kit_walk(&h->sink, p, options, mem);
    return h;
}

/* --- paths -------------------------------------------------------------------------------------------- */

struct path {
    uint64_t start, function, ninsn, count;
    uint32_t length;
    uint64_t word[TROD_WORDS(LONGEST)];
};

struct paths {
    uint32_t count;
    struct path at[PATHS];
};

static int order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct path));
}

static void sort(struct paths *paths)
{
    qsort(paths->at, paths->count, sizeof *paths->at, order);
}

static void add_path(struct paths *out, const struct path *path)
{
    if (out->count < PATHS)
        out->at[out->count++] = *path;
}

static void note_path(struct kit_prop *p, const char *whose, const struct path *path)
{
    char outcome[80] = "";

    for (uint32_t i = 0; i < path->length && i < 70; i++)
        outcome[i] = trod_has(path->word, i) ? 'T' : 'N';
    kit_note(p,
        "%s: start %" PRIx64 " function %" PRIx64 " %s, %" PRIu64
        " instructions, count %" PRIu64,
        whose, path->start, path->function, outcome, path->ninsn, path->count);
}

static bool is_same(struct kit_prop *p, struct paths *got, struct paths *want)
{
    sort(got);
    sort(want);
    for (uint32_t i = 0; i < got->count && i < want->count; i++) {
        if (order(&got->at[i], &want->at[i]) == 0)
            continue;
        note_path(p, "got", &got->at[i]);
        note_path(p, "want", &want->at[i]);
        return false;
    }
    if (got->count != want->count)
        kit_note(p, "%u paths, not %u", (unsigned)got->count, (unsigned)want->count);
    return got->count == want->count;
}

/* --- paths, by brute force ------------------------------------------------------------------------------- */

/* What is done in one entry, in order: whose runs, and where it was forgotten. */
struct entry {
    uint64_t function, start;
    uint32_t parent, level, depth; /* level: followed calls */
    uint64_t forgotten;            /* before this run, from 1; 0: is not */
};

struct deriver {
    const struct happened *h;
    const struct trod_control *c;
    struct entry entry[ACTIVATIONS];
    uint32_t nentry;
    uint32_t entry_of_run[RUNS]; /* whose path it is on */
    bool calls_of_run[RUNS];     /* a call or return that the entry goes through */
    uint64_t forgets[RUNS];      /* entry + 1 that is forgotten by this call */
    struct paths *out;
};

/* Which entry each run is of: activations, but those followed are their caller's. */
static void find_entries(struct deriver *d, uint32_t thread)
{
    uint32_t now = UINT32_MAX, level = 0;
    bool goes_in = d->c->extend == TROD_EXTEND_CALLS;
    struct {
        uint32_t entry, level;
    } caller[ACTIVATIONS];
    uint32_t ncaller = 0;

    for (uint32_t i = 0; i < d->h->count; i++) {
        const struct trod_run *run = &d->h->at[i].run;

        if (run->thread != thread)
            continue;
        if (!run->code) {
            now = UINT32_MAX;
            continue;
        }
        if (now == UINT32_MAX) {
            now = d->nentry;
            level = ncaller = 0;
            d->entry[d->nentry++] = (struct entry){.function = run->code->pc,
                .start = run->code->pc,
                .parent = UINT32_MAX};
        }
        d->entry_of_run[i] = now;
        if (trod_branch_is_call(run->code->kind)) {
            caller[ncaller].entry = now;
            caller[ncaller++].level = level;
            if (goes_in && level < d->c->most_extended) {
                level++;
                d->calls_of_run[i] = true;
                continue;
            }
            d->entry[d->nentry] = (struct entry){.function = run->next,
                .start = run->next,
                .parent = now,
                .depth = d->entry[now].depth + 1};
            level = 0;
            now = d->nentry++;
            if (d->c->stack && d->entry[now].depth >= d->c->stack) {
                uint32_t oldest = now;

                for (uint32_t k = 0; k < d->c->stack; k++)
                    oldest = d->entry[oldest].parent;
                d->forgets[i] = oldest + 1;
            }
        } else if (run->code->kind == TROD_BRANCH_RETURN) {
            d->calls_of_run[i] = goes_in && level > 0;
            if (!ncaller) {
                /* Into what was entered before: there is none in whole walks. */
                now = UINT32_MAX;
                continue;
            }
            now = caller[--ncaller].entry;
            level = caller[ncaller].level;
        }
    }
}

struct deriving_one {
    struct deriver *d;
    struct path path;
    uint32_t loops;
};

static void tell(struct deriving_one *o)
{
    const struct trod_control *c = o->d->c;
    struct path path = o->path;
    uint64_t most = c->counter == 64 ? UINT64_MAX : (UINT64_C(1) << c->counter) - 1;

    path.count = c->metric == TROD_METRIC_FREQUENCY ? 1 : path.ninsn;
    if (path.count > most)
        path.count =
            c->open[TROD_OPEN_COUNTER] == TROD_COUNTER_WRAP ? path.count & most : most;
    add_path(o->d->out, &path);
}

static void begin_at(struct deriving_one *o, uint64_t start)
{
    uint64_t function = o->path.function;

    memset(&o->path, 0, sizeof o->path);
    o->path.start = start;
    o->path.function = function;
    o->loops = 0;
}

static uint64_t behind(const struct deriving_one *o, const struct trod_run *run)
{
    bool to_target = o->d->c->open[TROD_OPEN_BEGIN] == TROD_BEGIN_TARGET;

    return to_target && run->code->kind == TROD_BRANCH_IF && !run->taken
               ? run->code->target
               : run->next;
}

/* A branch with an outcome; gives whether the path was split. */
static bool record(struct deriving_one *o, const struct trod_run *run)
{
    const struct trod_control *c = o->d->c;
    bool over = c->open[TROD_OPEN_FULL] == TROD_FULL_OVER;

    if (!(over && c->split && o->path.length == c->split)) {
        if (run->taken)
            trod_add(o->path.word, o->path.length);
        o->path.length++;
        if (over || o->path.length != c->split)
            return false;
    }
    tell(o);
    begin_at(o, behind(o, run));
    return true;
}

static void take_jump(struct deriving_one *o, const struct trod_run *run)
{
    const struct trod_control *c = o->d->c;
    bool is_jump = run->code->kind == TROD_BRANCH_JUMP;
    bool indirect = run->code->kind == TROD_BRANCH_INDIRECT;
    bool backward = !indirect && run->code->target <= run->code->last &&
                    (run->taken || c->open[TROD_OPEN_BACK] == TROD_BACK_ALL);
    bool was_split = false;

    if (backward && c->extend == TROD_EXTEND_LOOPS && o->loops < c->most_extended) {
        o->loops++;
        backward = false;
    }
    if (!(is_jump && c->open[TROD_OPEN_JUMPS] == TROD_JUMPS_FREE) &&
        !(indirect && !(c->op[TROD_TYPE_INDIRECT] & TROD_DO_UPDATE)))
        was_split = record(o, run);
    if (!backward && !indirect)
        return;
    if (was_split && c->open[TROD_OPEN_SPLIT] == TROD_SPLIT_ONCE)
        return;
    tell(o);
    begin_at(o, behind(o, run));
}

/* All paths of one entry; of all entries, where calls and returns end paths (wpp). */
static void derive_entry(struct deriver *d, uint32_t thread, uint32_t entry, bool wpp)
{
    struct deriving_one o = {.d = d};
    bool begun = false, gone = false;

    for (uint32_t i = 0; i < d->h->count; i++) {
        const struct trod_run *run = &d->h->at[i].run;
        uint8_t kind;
        bool own;

        if (run->thread != thread)
            continue;
        if (!run->code) {
            begun = false;
            continue;
        }
        own = wpp || d->entry_of_run[i] == entry;
        if (own && !begun) {
            o.path.function = wpp ? run->code->pc : d->entry[entry].function;
            begin_at(&o, wpp ? run->code->pc : d->entry[entry].start);
            begun = true;
        }
        if (own && gone) {
            begin_at(&o, run->code->pc);
            gone = false;
        }
        if (d->forgets[i] == entry + 1 && !wpp) {
            /* By the call that pushed it out, which may be its own. */
            if (own)
                o.path.ninsn += run->code->ninsn;
            if (!gone && d->c->open[TROD_OPEN_FORGOTTEN] == TROD_FORGOTTEN_REPORTED)
                tell(&o);
            gone = true;
            o.path.function = 0;
            continue;
        }
        if (!own)
            continue;
        kind = run->code->kind;
        o.path.ninsn += run->code->ninsn;
        if (kind == TROD_BRANCH_NONE)
            continue;
        if (trod_branch_is_call(kind) || kind == TROD_BRANCH_RETURN) {
            if (d->calls_of_run[i] &&
                d->c->open[TROD_OPEN_CROSSING] == TROD_CROSSING_OUTCOME)
                record(&o, run);
            if (wpp || (kind == TROD_BRANCH_RETURN && !d->calls_of_run[i])) {
                tell(&o);
                o.path.function = trod_branch_is_call(kind) ? run->next : 0;
                begin_at(&o, run->next);
            }
            continue;
        }
        take_jump(&o, run);
    }
}

static void derive(struct paths *out, const struct happened *h,
    const struct trod_control *c, uint32_t nthread, struct trod_arena *mem)
{
    bool wpp = (c->op[TROD_TYPE_CALL] & TROD_DO_POP) != 0;
    struct deriver *d = trod_new(mem, struct deriver, 1);

    d->h = h;
    d->c = c;
    d->out = out;
    for (uint32_t t = 0; t < nthread; t++) {
        uint32_t from = d->nentry;

        find_entries(d, t);
        for (uint32_t e = from; e < (wpp ? from + 1 : d->nentry); e++)
            derive_entry(d, t, e, wpp);
    }
}

/* --- paths, by a detector ------------------------------------------------------------------------------------ */

static void take_ends(struct paths *out, const struct trod_detector *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct trod_path_end *e = &d->end[i];
        struct path path;

        if (!e->reported || e->path.length > LONGEST)
            continue;
        memset(&path, 0, sizeof path);
        path.start = e->path.start;
        path.function = e->path.function;
        path.ninsn = e->ninsn;
        path.count = e->count;
        path.length = e->path.length;
        memcpy(path.word, e->path.outcome, TROD_WORDS(path.length) * sizeof *path.word);
        add_path(out, &path);
    }
}

static bool detect(struct paths *out, const struct happened *h,
    const struct trod_control *c, enum fault fault, uint64_t at, struct sample *s,
    struct trod_detector *d)
{
    trod_detector_init(d, c, &s->mem);
    for (uint32_t i = 0; i < h->count; i++) {
        struct trod_run run = h->at[i].run;

        if (!run.code) {
            take_ends(out, d, trod_detector_end(d, run.thread));
            continue;
        }
        if (i == at && fault == LOST)
            continue;
        if (i == at && fault == FLIPPED)
            run.taken = !run.taken;
        take_ends(out, d, trod_detector_run(d, &run, 1));
        if (!trod_detector_check(d, &s->err))
            return false;
    }
    return true;
}

/* --- registers -------------------------------------------------------------------------------------------------- */

static void draw_control(struct trod_control *out, struct kit_prop *p)
{
    static const uint8_t drawn[] = {TROD_OPEN_BACK, TROD_OPEN_BEGIN, TROD_OPEN_FULL,
        TROD_OPEN_SPLIT, TROD_OPEN_JUMPS, TROD_OPEN_COUNTER, TROD_OPEN_FORGOTTEN};
    uint64_t extend = kit_draw(p, 4);

    *out = *trod_control_named(kit_draw(p, 4) == 3 ? "exact-wpp" : "exact");
    if (kit_draw(p, 2))
        out->op[TROD_TYPE_INDIRECT] = TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH;
    for (size_t i = 0; i < sizeof drawn; i++)
        out->open[drawn[i]] = (uint8_t)kit_draw(p, 2);
    if (kit_draw(p, 2))
        out->split = 1 + (uint32_t)kit_draw(p, 6);
    if (kit_draw(p, 2))
        out->metric = TROD_METRIC_INSTRUCTIONS;
    if (kit_draw(p, 2))
        out->counter = (uint8_t)(1 + kit_draw(p, 8));
    if (extend >= 2 && !(out->op[TROD_TYPE_CALL] & TROD_DO_POP)) {
        out->extend = extend == 2 ? TROD_EXTEND_LOOPS : TROD_EXTEND_CALLS;
        out->most_extended = 1 + (uint32_t)kit_draw(p, 3);
        out->open[TROD_OPEN_CROSSING] = (uint8_t)kit_draw(p, 2);
    } else if (kit_draw(p, 2)) {
        out->stack = 1 + (uint32_t)kit_draw(p, 3);
    }
}

static void note_control(
    struct kit_prop *p, const struct trod_control *c, struct sample *s)
{
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    trod_control_print(&text.sink, c);
    kit_note(p, "%s", text.text);
}

static void spoil_control(struct trod_control *c, enum fault fault)
{
    if (fault == OTHER_BACK)
        c->open[TROD_OPEN_BACK] ^= 1;
    if (fault == OTHER_SPLIT && c->split)
        c->split++;
    if (fault == OTHER_STACK && c->stack)
        c->stack++;
    if (fault == OTHER_EXTEND && c->extend)
        c->most_extended++;
    if (fault == OTHER_COUNTER && c->counter < 64)
        c->counter++;
}

/* --- properties of paths ----------------------------------------------------------------------------------------- */

static bool paths_are_derived(struct kit_prop *p, void *ctx)
{
    struct kit_walk_options options = {.nthread = 1 + (uint32_t)kit_draw(p, 2),
        .nrun = 20 + (uint32_t)kit_draw(p, 300),
        .tails = kit_draw(p, 2),
        .stacks = kit_draw(p, 2),
        .whole = true};
    struct trod_control c;
    struct trod_detector d;
    struct paths *got, *want;
    struct happened *h;
    struct sample s;
    uint64_t at;
    bool ok;

    begin(&s);
    got = trod_new(&s.mem, struct paths, 1);
    want = trod_new(&s.mem, struct paths, 1);
    draw_control(&c, p);
    note_control(p, &c, &s);
    at = kit_draw(p, 30);
    h = walk(p, &options, &s.mem);
    if (h->count == RUNS)
        return end(&s, true);
    derive(want, h, &c, options.nthread, &s.mem);
    spoil_control(&c, fault_in(ctx));
    ok = detect(got, h, &c, fault_in(ctx), at, &s, &d);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    return end(&s, ok && is_same(p, got, want));
}

/* Go along a path in the program: calls return after themselves. Gives instructions; 0: it cannot be gone. */
static uint64_t replay(const struct happened *h, const struct path *path, bool *repeats)
{
    uint64_t pc = path->start, ninsn = 0;
    uint32_t done = 0;

    for (uint32_t guard = 0; guard < 100000; guard++) {
        const struct trod_code *code = NULL;
        bool taken;

        for (uint32_t i = 0; i < h->count && !code; i++)
            if (h->at[i].run.code && h->at[i].run.code->pc == pc)
                code = h->at[i].run.code;
        if (!code)
            return 0;
        ninsn += code->ninsn;
        *repeats |= code->kind == TROD_BRANCH_NONE;
        if (code->kind == TROD_BRANCH_NONE || trod_branch_is_call(code->kind)) {
            pc = code->after;
            continue;
        }
        if (code->kind == TROD_BRANCH_RETURN)
            return done == path->length ? ninsn : 0;
        if (code->kind == TROD_BRANCH_INDIRECT)
            return done == path->length ? ninsn : 0;
        if (done == path->length)
            return 0;
        taken = trod_has(path->word, done++);
        if (code->kind == TROD_BRANCH_JUMP && !taken)
            return 0;
        if (taken && code->target <= code->last)
            return done == path->length ? ninsn : 0;
        pc = taken ? code->target : code->after;
    }
    return 0;
}

/* In every case, reported paths are complete paths of the program, and no instruction is lost. */
static bool repairs_hold(struct kit_prop *p, void *ctx)
{
    bool stacks = kit_draw(p, 2), jumps = kit_draw(p, 2);
    struct kit_walk_options options = {.nrun = 20 + (uint32_t)kit_draw(p, 300),
        .stacks = stacks,
        .longjmp = jumps,
        .signals = kit_draw(p, 2),
        .whole = true};
    struct trod_control c = *trod_control_named("exact");
    uint64_t ninsn = 0, seen = 0, at;
    struct trod_detector d;
    struct paths *got;
    struct happened *h;
    struct sample s;
    bool ok = true;

    begin(&s);
    got = trod_new(&s.mem, struct paths, 1);
    c.open[TROD_OPEN_UNFINISHED] = TROD_UNFINISHED_REPORTED;
    if (kit_draw(p, 4) == 3)
        c.open[TROD_OPEN_REPAIR] = TROD_REPAIR_PURGE;
    if (fault_in(ctx) == NO_REPAIR)
        c.open[TROD_OPEN_REPAIR] = TROD_REPAIR_NONE;
    h = walk(p, &options, &s.mem);
    if (h->count == RUNS)
        return end(&s, true);
    at = kit_draw(p, 30);
    ok = detect(got, h, &c, fault_in(ctx), at, &s, &d);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    for (uint32_t i = 0; i < h->count; i++)
        ninsn += h->at[i].run.code ? h->at[i].run.code->ninsn : 0;
    for (uint32_t i = 0; i < got->count; i++)
        seen += got->at[i].ninsn;
    if (ok && c.open[TROD_OPEN_REPAIR] == TROD_REPAIR_FRAMES && ninsn != seen)
        ok = wrong(p, "instructions were lost");
    c.open[TROD_OPEN_UNFINISHED] = TROD_UNFINISHED_LOST;
    got->count = 0;
    ok = ok && detect(got, h, &c, fault_in(ctx), at, &s, &d);
    for (uint32_t i = 0; ok && i < got->count; i++) {
        bool repeats =
            false; /* the repetitions of a code without a branch are unknown */
        uint64_t gone = replay(h, &got->at[i], &repeats);

        if (gone == got->at[i].ninsn || (repeats && gone && gone < got->at[i].ninsn))
            continue;
        note_path(p, "cannot be gone", &got->at[i]);
        ok = false;
    }
    return end(&s, ok);
}

/* --- hot path tables, simulated -------------------------------------------------------------------------------------- */

struct naive_entry {
    uint32_t path; /* + 1 */
    uint64_t count, used;
};

struct naive {
    struct trod_hot_design design;
    struct naive_entry entry[64];
    uint64_t clock;
};

static uint32_t naive_set(const struct naive *n, const struct trod_descriptor *d)
{
    uint32_t nset = n->design.entries / n->design.ways;
    uint64_t value = d->start >> n->design.shift;

    if (n->design.index != TROD_INDEX_ADDRESS)
        value ^= d->length;
    for (uint32_t i = 0; i < d->length; i++) {
        if (!trod_has(d->outcome, i))
            continue;
        if (n->design.index == TROD_INDEX_XOR && i < 64)
            value ^= UINT64_C(1) << i;
        if (n->design.index == TROD_INDEX_XOR_LAST && d->length - 1 - i < 64)
            value ^= UINT64_C(1) << (d->length - 1 - i);
        if (n->design.index == TROD_INDEX_XOR_FOLD && nset > 1)
            value ^= UINT64_C(1) << (i % 64 % (trod_bit_width(nset) - 1));
    }
    return (uint32_t)(value % nset);
}

static bool goes_first(const struct naive *n, uint32_t a, uint32_t b)
{
    const struct naive_entry *x = &n->entry[a], *y = &n->entry[b];

    if (n->design.replace == TROD_REPLACE_LRU)
        return x->used < y->used;
    if (x->count != y->count)
        return x->count < y->count;
    if (n->design.ties == TROD_TIES_OLDEST)
        return x->used < y->used;
    if (n->design.ties == TROD_TIES_NEWEST)
        return x->used > y->used;
    return a < b;
}

static void naive_add(struct naive *n, uint32_t path, const struct trod_descriptor *d,
    uint64_t count, enum fault fault)
{
    uint32_t from = naive_set(n, d) * n->design.ways, to = from + n->design.ways;
    uint64_t most =
        n->design.bits == 64 ? UINT64_MAX : (UINT64_C(1) << n->design.bits) - 1;
    uint32_t at = UINT32_MAX;

    n->clock++;
    for (uint32_t i = from; i < to; i++)
        if (n->entry[i].path == path + 1)
            at = i;
    for (uint32_t i = from; i < to && at == UINT32_MAX; i++)
        if (!n->entry[i].path)
            at = i;
    if (at == UINT32_MAX) {
        at = from;
        for (uint32_t i = from + 1; i < to; i++)
            if (goes_first(n, i, at))
                at = i;
        if (n->design.replace != TROD_REPLACE_INHERIT || fault == NO_EXTRA)
            n->entry[at].count = 0;
    }
    n->entry[at].path = path + 1;
    n->entry[at].used = n->clock;
    n->entry[at].count += count;
    if (n->entry[at].count > most)
        n->entry[at].count = most;
}

static void draw_design(struct trod_hot_design *out, struct kit_prop *p, bool all)
{
    uint32_t sets = 1U << kit_draw(p, 3);

    *out = (struct trod_hot_design){.ways = 1 + (uint32_t)kit_draw(p, 4),
        .index = (uint8_t)kit_draw(p, all ? TROD_INDEXES : TROD_INDEX_MULTIPLY),
        .replace = (uint8_t)kit_draw(p, all ? TROD_REPLACES : TROD_REPLACE_ADMIT),
        .ties = (uint8_t)kit_draw(p, all ? TROD_TIESES : TROD_TIES_RANDOM),
        .bits = kit_draw(p, 3) ? 64 : (uint8_t)(1 + kit_draw(p, 8)),
        .shift = (uint8_t)kit_draw(p, 3)};
    out->entries = sets * out->ways;
    if (all && kit_draw(p, 4) == 3)
        out->door = 64;
    if (all)
        out->seed = kit_draw(p, 3);
}

struct few {
    uint64_t outcome[12][2];
    struct trod_path_end end[12];
    uint32_t count;
};

static void draw_few(struct few *out, struct kit_prop *p)
{
    out->count = 1 + (uint32_t)kit_draw(p, 12);
    for (uint32_t i = 0; i < out->count; i++) {
        uint32_t length = (uint32_t)kit_draw(p, kit_draw(p, 8) ? 5 : 100);

        out->outcome[i][0] = out->outcome[i][1] = 0;
        for (uint32_t k = 0; k < length && k < 128; k++)
            if (kit_draw(p, 2))
                trod_add(out->outcome[i], k);
        out->end[i] = (struct trod_path_end){.path = {.start = 4 * kit_draw(p, 8),
                                                 .length = length,
                                                 .outcome = out->outcome[i]},
            .reported = true};
    }
}

static bool tables_are_simulated(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_hot_design design;
    struct trod_reference r;
    struct trod_hot_table t;
    struct naive n = {0};
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_design(&design, p, false);
    n.design = design;
    if (fault == OTHER_TIES)
        n.design.ties = (uint8_t)(design.ties == TROD_TIES_NEWEST ? TROD_TIES_OLDEST
                                                                  : TROD_TIES_NEWEST);
    if (fault == OTHER_INDEX)
        n.design.index = (uint8_t)((design.index + 1) % TROD_INDEX_MULTIPLY);
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    trod_hot_table_init(&t, &design, &s.mem);
    for (uint64_t i = kit_draw(p, 80); i > 0; i--) {
        struct trod_path_end *e = &few.end[kit_draw(p, few.count)];
        uint64_t count = 1 + kit_draw(p, 3);
        uint32_t number;

        e->weight = e->count = count;
        number = trod_reference_add(&r, e);
        trod_hot_table_add(&t, number, &r.path[number], count);
        naive_add(&n, number, &e->path, count, fault);
    }
    for (uint32_t i = 0; ok && i < design.entries; i++)
        ok = t.entry[i].path == n.entry[i].path && t.entry[i].count == n.entry[i].count;
    if (!ok)
        kit_note(p, "entries differ");
    if (ok &&
        (!trod_hot_table_check(&t, &r, &s.err) || !trod_reference_check(&r, &s.err)))
        ok = wrong(p, s.err.text);
    return end(&s, ok);
}

/* Of any design: it is sound, and its counts are what they are said to be. */
static bool counts_are_bounds(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_hot_score score;
    struct trod_hot_design design;
    struct trod_reference r;
    struct trod_hot_table t;
    uint64_t weight[12] = {0};
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_design(&design, p, true);
    design.bits = 64;
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    trod_hot_table_init(&t, &design, &s.mem);
    for (uint64_t i = kit_draw(p, 120); i > 0; i--) {
        struct trod_path_end *e = &few.end[kit_draw(p, few.count)];
        uint32_t number;

        e->weight = e->count = 1 + kit_draw(p, 3);
        number = trod_reference_add(&r, e);
        if (fault == UNSEEN && i == 5)
            continue;
        trod_hot_table_add(&t, number, &r.path[number], e->count);
    }
    if (!trod_hot_table_check(&t, &r, &s.err))
        ok = wrong(p, s.err.text);
    for (uint32_t i = 0; ok && i < design.entries; i++) {
        const struct trod_hot_entry *e = &t.entry[i];
        enum trod_hot_bound bound = trod_hot_design_bound(&design);
        uint64_t truth = e->path ? r.path[e->path - 1].weight : 0;

        if (fault == NO_EXTRA && e->extra)
            continue;
        if ((bound == TROD_BOUND_LOWER && e->count > truth) ||
            (bound == TROD_BOUND_UPPER &&
                (e->count < truth || e->count - e->extra > truth)))
            ok = wrong(p, "a count is no bound");
    }
    for (uint32_t i = 0; i < r.npath; i++)
        weight[i] = r.path[i].weight;
    trod_hot_table_score(&score, &t, weight, r.npath, &s.mem);
    if (ok &&
        (score.overlap > score.coverage + 1e-9 || score.coverage > score.ideal + 1e-9))
        ok = wrong(p, "overlap is above coverage, or that above the ideal");
    return end(&s, ok);
}

/* --- the reference, and overlap ------------------------------------------------------------------------------------- */

static bool paths_are_counted(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    uint64_t count[12] = {0}, all = 0;
    struct trod_reference r;
    struct sample s;
    struct few few;
    bool ok = true;

    begin(&s);
    draw_few(&few, p);
    trod_reference_init(&r, &s.mem);
    for (uint64_t i = kit_draw(p, 60); i > 0; i--) {
        uint32_t which = (uint32_t)kit_draw(p, few.count);

        few.end[which].weight = few.end[which].ninsn = 1 + kit_draw(p, 5);
        if (!(fault == UNSEEN && i == 3))
            trod_reference_add(&r, &few.end[which]);
        all += few.end[which].weight;
        for (uint32_t k = 0; k < few.count; k++)
            if (few.end[k].path.start == few.end[which].path.start &&
                few.end[k].path.length == few.end[which].path.length &&
                memcmp(few.outcome[k], few.outcome[which], 16) == 0)
                count[k]++;
    }
    for (uint32_t k = 0; ok && k < few.count; k++) {
        uint32_t number = trod_reference_find(&r, &few.end[k].path);

        ok = number == UINT32_MAX ? !count[k] : r.path[number].count == count[k];
    }
    if (!ok || r.weight != all || r.ninsn != all)
        ok = wrong(p, "counts differ");
    if (ok && !trod_reference_check(&r, &s.err))
        ok = wrong(p, s.err.text);
    return end(&s, ok);
}

/* --- texts ----------------------------------------------------------------------------------------------------------- */

static void lose_line(char *text, uint64_t which)
{
    char *at = text;

    for (; which; which--)
        if (strchr(at, '\n') && strchr(at, '\n')[1])
            at = strchr(at, '\n') + 1;
    memmove(at, strchr(at, '\n') + 1, strlen(strchr(at, '\n') + 1) + 1);
}

static bool registers_come_back(struct kit_prop *p, void *ctx)
{
    struct trod_control c, back;
    struct trod_string text, again;
    struct sample s;
    bool ok = true;

    begin(&s);
    draw_control(&c, p);
    for (uint32_t i = 0; i < TROD_OPENS; i++)
        c.open[i] = (uint8_t)kit_draw(p, trod_control_value_word(i, 2) ? 3 : 2);
    c.metric = (uint8_t)kit_draw(p, TROD_METRICS);
    for (uint32_t i = 0; i < TROD_TYPES; i++)
        c.op[i] = (uint8_t)(kit_draw(p, 3) | kit_draw(p, 4) << 2);
    c.op[TROD_TYPE_RETURN] |= TROD_DO_POP;
    trod_string_init(&text, &s.mem);
    trod_control_print(&text.sink, &c);
    kit_note(p, "%s", text.text);
    if (fault_in(ctx) == MISREAD)
        lose_line(text.text, 1 + kit_draw(p, 20));
    if (!trod_control_parse(&back, "f", text.text, strlen(text.text), &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&again, &s.mem);
    trod_control_print(&again.sink, &back);
    trod_string_init(&text, &s.mem);
    trod_control_print(&text.sink, &c);
    if (strcmp(text.text, again.text) != 0)
        ok = wrong(p, again.text);
    return end(&s, ok);
}

static bool designs_come_back(struct kit_prop *p, void *ctx)
{
    struct trod_hot_design design, back;
    struct trod_string text, again;
    struct sample s;
    bool ok;

    begin(&s);
    draw_design(&design, p, true);
    trod_string_init(&text, &s.mem);
    trod_hot_design_print(&text.sink, &design);
    kit_note(p, "%s", text.text);
    if (fault_in(ctx) == MISREAD && strrchr(text.text, ','))
        *strrchr(text.text, ',') = '\0';
    if (!trod_hot_design_parse(&back, text.text, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&again, &s.mem);
    trod_hot_design_print(&again.sink, &back);
    back.name = NULL;
    trod_string_init(&text, &s.mem);
    trod_hot_design_print(&text.sink, &design);
    ok = strcmp(text.text, again.text) == 0 && back.entries == design.entries &&
         back.ways == design.ways && back.index == design.index &&
         back.replace == design.replace && back.ties == design.ties &&
         back.bits == design.bits && back.shift == design.shift &&
         back.door == design.door && back.seed == design.seed;
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"paths are those derived from all branches, activation by activation",
            paths_are_derived,
            {FLIPPED, LOST, OTHER_BACK, OTHER_SPLIT, OTHER_STACK, OTHER_EXTEND,
                OTHER_COUNTER}},
        {"what a repaired stack tells can be walked, and no instruction is lost",
            repairs_hold, {NO_REPAIR, FLIPPED, LOST}},
        {"hot path tables hold what a simulation holds", tables_are_simulated,
            {OTHER_TIES, OTHER_INDEX, NO_EXTRA}},
        {"counts are the bounds they are said to be", counts_are_bounds, {UNSEEN}},
        {"the reference counts every path", paths_are_counted, {UNSEEN}},
        {"registers come back from their text", registers_come_back, {MISREAD}},
        {"designs come back from their text", designs_come_back, {MISREAD}},
    };

    return kit_run_tested("model", tested, sizeof tested / sizeof *tested);
}
