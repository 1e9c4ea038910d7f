/* Models of a path profiler: paths are those that are derived from the list of all branches, activation by
 * activation; registers come back from their text. Repaired stacks are in prop_model_repair.c, hot path tables in
 * prop_model_hot.c.
 */
#include "detected_paths.h"

enum { ACTIVATIONS = 800 };

enum fault {
    NONE,
    FLIPPED,       /* an outcome is the other */
    LOST,          /* a run is lost */
    OTHER_BACK,    /* branches backward that are not taken are taken for the other */
    OTHER_SPLIT,   /* paths are split one later */
    OTHER_STACK,   /* the stack has one entry more */
    OTHER_EXTEND,  /* paths continue through one more */
    OTHER_COUNTER, /* the counter has a bit more */
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

/* --- comparison ------------------------------------------------------------------------------------------ */

static int order(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct path));
}

static void sort(struct paths *paths)
{
    qsort(paths->at, paths->count, sizeof *paths->at, order);
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

static void end_path(struct deriving_one *o)
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
    end_path(o);
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
    end_path(o);
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
                end_path(&o);
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
                end_path(&o);
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

/* --- properties ------------------------------------------------------------------------------------------- */

static bool paths_are_derived(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct kit_walk_options options = {.nthread = 1 + (uint32_t)kit_draw(p, 2),
        .nrun = 20 + (uint32_t)kit_draw(p, 300),
        .tails = kit_draw(p, 2),
        .stacks = kit_draw(p, 2),
        .whole = true};
    struct trod_control c;
    struct paths *got, *want;
    struct happened *h;
    struct spoilt_run spoilt;
    struct sample s;
    bool ok;

    begin(&s);
    got = trod_new(&s.mem, struct paths, 1);
    want = trod_new(&s.mem, struct paths, 1);
    draw_control(&c, p);
    note_control(p, &c, &s);
    spoilt = (struct spoilt_run){
        .at = kit_draw(p, 30), .flipped = fault == FLIPPED, .lost = fault == LOST};
    h = walk(p, &options, &s.mem);
    if (h->count == RUNS)
        return end(&s, true);
    derive(want, h, &c, options.nthread, &s.mem);
    spoil_control(&c, fault);
    ok = detect(got, h, &c, &spoilt, &s);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    return end(&s, ok && is_same(p, got, want));
}

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

int main(void)
{
    static const struct kit_tested tested[] = {
        {"paths are those derived from all branches, activation by activation",
            paths_are_derived,
            {FLIPPED, LOST, OTHER_BACK, OTHER_SPLIT, OTHER_STACK, OTHER_EXTEND,
                OTHER_COUNTER}},
        {"registers come back from their text", registers_come_back, {MISREAD}},
    };

    return kit_run_tested("model", tested, sizeof tested / sizeof *tested);
}
