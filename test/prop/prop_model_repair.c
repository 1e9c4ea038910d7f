/* Stacks of a path profiler that are repaired after longjmp() and signals: what they report can be walked in the
 * program, and no instruction is lost.
 */
#include "detected_paths.h"

enum fault {
    NONE,
    FLIPPED,  /* an outcome is the other */
    LOST,     /* a run is lost */
    NO_REPAIR /* dead entries stay */
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
    enum fault fault = fault_in(ctx);
    bool stacks = kit_draw(p, 2), jumps = kit_draw(p, 2);
    struct kit_walk_options options = {.nrun = 20 + (uint32_t)kit_draw(p, 300),
        .stacks = stacks,
        .longjmp = jumps,
        .signals = kit_draw(p, 2),
        .whole = true};
    struct trod_control c = *trod_control_named("exact");
    uint64_t ninsn = 0, seen = 0;
    struct spoilt_run spoilt;
    struct paths *got;
    struct happened *h;
    struct sample s;
    bool ok = true;

    begin(&s);
    got = trod_new(&s.mem, struct paths, 1);
    c.open[TROD_OPEN_UNFINISHED] = TROD_UNFINISHED_REPORTED;
    if (kit_draw(p, 4) == 3)
        c.open[TROD_OPEN_REPAIR] = TROD_REPAIR_PURGE;
    if (fault == NO_REPAIR)
        c.open[TROD_OPEN_REPAIR] = TROD_REPAIR_NONE;
    h = walk(p, &options, &s.mem);
    if (h->count == RUNS)
        return end(&s, true);
    spoilt = (struct spoilt_run){
        .at = kit_draw(p, 30), .flipped = fault == FLIPPED, .lost = fault == LOST};
    ok = detect(got, h, &c, &spoilt, &s);
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
    ok = ok && detect(got, h, &c, &spoilt, &s);
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

int main(void)
{
    static const struct kit_tested tested[] = {
        {"what a repaired stack yields can be walked, and no instruction is lost",
            repairs_hold, {NO_REPAIR, FLIPPED, LOST}},
    };

    return kit_run_tested("model_repair", tested, sizeof tested / sizeof *tested);
}
