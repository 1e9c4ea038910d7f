/* Call sequences of random programs in two versions: old spans and what was recorded selectively, put together, are what a
 * full recording of the new version is; what cannot be decided is said, and recorded again, until all is. Text forms are
 * parsed back.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "sequence/sequence.h"

enum fault {
    NONE,
    ARGUMENTS, /* others are taken for the same */
    BLIND,     /* a function that changed is taken for exempt */
    FORGOTTEN, /* one of the functions that are recorded is not */
    UNFORESEEN /* what was forecast is not recorded */
};

enum { MOST = 6, WAYS = 2, CALLS = 3, MOST_STEPS = 4000 };

/* What a function does depends on its argument. Functions call those after them; the one after all is the library's. */
struct program {
    uint32_t n;
    struct body {
        uint32_t ncall;
        struct {
            uint32_t callee, argument, times;
        } call[CALLS];
    } body[MOST][WAYS];
};

static void draw_body(struct kit_prop *p, struct body *out, uint32_t f, uint32_t n)
{
    out->ncall = (uint32_t)kit_draw(p, CALLS + 1);
    for (uint32_t i = 0; i < out->ncall; i++) {
        out->call[i].callee = f + 1 + (uint32_t)kit_draw(p, n - f);
        out->call[i].argument = (uint32_t)kit_draw(p, WAYS);
        out->call[i].times = 1 + (uint32_t)kit_draw(p, 2);
    }
}

static void draw_function(struct kit_prop *p, struct program *program, uint32_t f)
{
    for (uint32_t way = 0; way < WAYS; way++)
        draw_body(p, &program->body[f][way], f, program->n);
}

/* --- running --------------------------------------------------------------------------------------------- */

struct interpreter {
    const struct program *program;
    const bool *recorded; /* NULL: all */
    const bool *affected;
    struct trod_call_sequence_recorder recorder;
    struct trod_names name;
    uint32_t nopen, nstep;
    struct trod_string
        arguments[MOST]; /* of exempt functions that affected ones call, in order */
    bool seen[MOST][WAYS];
};

static const char *const names[] = {"main", "a", "b", "c", "d", "e", "lib"};

static const char *callee_of(uint32_t function, uint64_t id, void *ctx)
{
    const struct interpreter *r = ctx;

    (void)function;
    return id == 0 ? NULL : id == r->program->n + 1 ? "lib" : names[id - 1];
}

static void step(
    struct interpreter *r, enum trod_step_kind kind, uint32_t function, uint64_t id)
{
    struct trod_step one = {.kind = kind, .function = function, .id = id};

    r->nstep++;
    trod_call_sequence_take(&one, &r->recorder);
}

static bool is_recorded(const struct interpreter *r, uint32_t f)
{
    return f < r->program->n && (!r->recorded || r->recorded[f]);
}

static void run(struct interpreter *r, uint32_t f, uint32_t argument, bool called);

static void call(struct interpreter *r, uint32_t f, uint32_t callee, uint32_t argument)
{
    bool by_recorded = is_recorded(r, f);

    if (r->nstep > MOST_STEPS)
        return;
    if (by_recorded)
        step(r, TROD_STEP_SUBPATH, f, callee + 1);
    if (callee < r->program->n) {
        if (r->affected && r->affected[f] && !r->affected[callee])
            trod_put(&r->arguments[callee].sink, "%" PRIu32, argument);
        run(r, callee, argument, by_recorded);
    }
    if (by_recorded && !is_recorded(r, callee)) {
        step(r, TROD_STEP_CALL, 0, 0);
        step(r, TROD_STEP_RETURN, 0, 0);
    }
}

static void run(struct interpreter *r, uint32_t f, uint32_t argument, bool called)
{
    const struct body *body = &r->program->body[f][argument];
    bool interrupts = !called && r->nopen, recorded = is_recorded(r, f);

    r->seen[f][argument] = true;
    if (recorded) {
        step(r, interrupts ? TROD_STEP_INTERRUPT : TROD_STEP_CALL, 0, 0);
        r->nopen++;
    }
    for (uint32_t i = 0; i < body->ncall; i++)
        for (uint32_t k = 0; k < body->call[i].times; k++)
            call(r, f, body->call[i].callee, body->call[i].argument);
    if (recorded) {
        step(r, TROD_STEP_SUBPATH, f, 0);
        step(r, interrupts ? TROD_STEP_RESUME : TROD_STEP_RETURN, 0, 0);
        r->nopen--;
    }
}

static void record(struct interpreter *r, struct trod_call_sequence *out,
    const struct program *program, const bool *recorded, const bool *affected,
    struct trod_arena *mem)
{
    *r = (struct interpreter){
        .program = program, .recorded = recorded, .affected = affected};
    trod_names_init(&r->name, mem);
    for (uint32_t f = 0; f < program->n; f++) {
        trod_names_add(&r->name, names[f]);
        trod_string_init(&r->arguments[f], mem);
    }
    trod_call_sequence_recorder_init(
        &r->recorder, &r->name, recorded != NULL, callee_of, r, mem);
    run(r, 0, 0, true);
    trod_call_sequence_end(&r->recorder, 0);
    trod_call_sequence_build(out, &r->recorder, "x");
}

/* --- comparing --------------------------------------------------------------------------------------------- */

static bool put_call(const char *function, uint32_t depth, void *ctx)
{
    struct trod_string *to = ctx;

    trod_put(&to->sink, " %s.%" PRIu32, function, depth);
    return true;
}

static const char *expand(
    const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_call_sequence_each(sequence, 0, put_call, &text, mem);
    return text.text;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

static void note_program(struct kit_prop *p, const char *word, const struct program *of)
{
    for (uint32_t f = 0; f < of->n; f++)
        for (uint32_t way = 0; way < WAYS; way++)
            for (uint32_t i = 0; i < of->body[f][way].ncall; i++)
                kit_note(p, "%s: %s(%" PRIu32 ") calls %s(%" PRIu32 ") x%" PRIu32, word,
                    names[f], way,
                    of->body[f][way].call[i].callee == of->n
                        ? "lib"
                        : names[of->body[f][way].call[i].callee],
                    of->body[f][way].call[i].argument, of->body[f][way].call[i].times);
}

static const char *text_of(
    const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_call_sequence_print(&text.sink, sequence);
    return text.text;
}

static bool comes_back(
    struct kit_prop *p, struct sample *s, const struct trod_call_sequence *sequence)
{
    const char *text = text_of(sequence, &s->mem);
    struct trod_call_sequence back;
    struct trod_text cursor;

    if (!trod_call_sequence_check(sequence, &s->mem, &s->err))
        return wrong(p, s->err.text);
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_call_sequence_parse(&back, &cursor, &s->mem, &s->err))
        return wrong(p, s->err.text);
    return strcmp(text, text_of(&back, &s->mem)) == 0 || wrong(p, text);
}

/* --- the property -------------------------------------------------------------------------------------------- */

struct facts {
    uint32_t n;
    const bool *affected;
    bool shifty[MOST];
};

static uint32_t number_of(const char *name)
{
    uint32_t f = 0;

    while (strcmp(names[f], name) != 0)
        f++;
    return f;
}

static enum trod_call_sequence_what what(const char *name, void *ctx)
{
    const struct facts *k = ctx;
    uint32_t f = number_of(name);

    return f >= k->n        ? TROD_CALLEE_FOREIGN
           : k->affected[f] ? TROD_CALLEE_AFFECTED
           : k->shifty[f]   ? TROD_CALLEE_SHIFTY
                            : TROD_CALLEE_EXEMPT;
}

/* What a function is given that it was never given may do anything: an analysis must find it. */
static void add_new_arguments(
    bool *affected, const struct interpreter *old, const struct interpreter *new)
{
    for (uint32_t f = 0; f < new->program->n; f++)
        for (uint32_t way = 0; way < WAYS; way++)
            if (new->seen[f][way] && !old->seen[f][way])
                affected[f] = true;
}

/* One iteration: true if all is decided. */
static bool merge(struct trod_call_sequence_merged *out, struct sample *s,
    const struct program *old, const struct program *new, bool *affected,
    enum fault fault)
{
    struct facts knowing = {.n = old->n, .affected = affected};
    struct trod_call_sequence before, some;
    struct interpreter was, is;
    bool recorded[MOST];

    memcpy(recorded, affected, sizeof recorded);
    for (uint32_t f = 0; fault == FORGOTTEN && f < old->n; f++)
        if (recorded[f]) {
            recorded[f] = false;
            break;
        }
    record(&was, &before, old, NULL, affected, &s->mem);
    record(&is, &some, new, recorded, affected, &s->mem);
    for (uint32_t f = 0; f < old->n; f++)
        knowing.shifty[f] = fault != ARGUMENTS &&
                            strcmp(was.arguments[f].text, is.arguments[f].text) != 0;
    trod_call_sequence_merge(out, &before, &some, what, &knowing, &s->mem);
    for (uint32_t i = 0; i < out->nundecided; i++)
        affected[number_of(out->undecided[i].function)] = true;
    return !out->nundecided;
}

/* Add what is forecast. */
static void look_ahead(struct sample *s, const struct program *new,
    const struct trod_call_sequence *before, bool *affected)
{
    struct facts knowing = {.n = new->n, .affected = affected};
    struct trod_names called;
    const char **name;
    uint32_t n;

    trod_names_init(&called, &s->mem);
    for (uint32_t f = 0; f < new->n; f++)
        for (uint32_t way = 0; affected[f] && way < WAYS; way++)
            for (uint32_t i = 0; i < new->body[f][way].ncall; i++)
                if (new->body[f][way].call[i].callee < new->n)
                    trod_names_add(&called, names[new->body[f][way].call[i].callee]);
    n = trod_call_sequence_forecast(&name, before, &called, what, &knowing, &s->mem);
    for (uint32_t i = 0; i < n; i++)
        affected[number_of(name[i])] = true;
}

static bool depends_on_place(const struct trod_call_sequence_merged *merged)
{
    for (uint32_t i = 0; i < merged->nundecided; i++)
        if (merged->undecided[i].why == TROD_WHY_NUMBER ||
            merged->undecided[i].why == TROD_WHY_SEVERAL)
            return true;
    return false;
}

/* Where what is forecast is recorded, no place matters. */
static bool forecast_is_enough(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const enum fault *)ctx : NONE;
    struct sample s;
    struct program old, new;
    struct trod_call_sequence before, full;
    struct trod_call_sequence_merged merged;
    struct interpreter was, is;
    bool affected[MOST] = {0};

    begin(&s);
    old.n = 1 + (uint32_t)kit_draw(p, MOST);
    for (uint32_t f = 0; f < old.n; f++)
        draw_function(p, &old, f);
    new = old;
    for (uint32_t f = 0; f < old.n; f++)
        if (kit_draw(p, 3) == 1) {
            draw_function(p, &new, f);
            affected[f] = true;
        }
    record(&was, &before, &old, NULL, NULL, &s.mem);
    record(&is, &full, &new, NULL, NULL, &s.mem);
    if (was.nstep > MOST_STEPS || is.nstep > MOST_STEPS)
        return end(&s, true);
    add_new_arguments(affected, &was, &is);
    if (fault != UNFORESEEN)
        look_ahead(&s, &new, &before, affected);
    note_program(p, "old", &old);
    note_program(p, "new", &new);
    (void)!merge(&merged, &s, &old, &new, affected, NONE);
    return end(&s, !depends_on_place(&merged));
}

static bool merged_is_full(struct kit_prop *p, void *ctx)
{
    enum fault fault = ctx ? *(const enum fault *)ctx : NONE;
    struct sample s;
    struct program old, new;
    struct trod_call_sequence before, full;
    struct trod_call_sequence_merged merged;
    struct interpreter was, is;
    bool affected[MOST] = {0}, decided = false;

    begin(&s);
    old.n = 1 + (uint32_t)kit_draw(p, MOST);
    for (uint32_t f = 0; f < old.n; f++)
        draw_function(p, &old, f);
    new = old;
    for (uint32_t f = 0; f < old.n; f++)
        if (kit_draw(p, 3) == 1) {
            draw_function(p, &new, f);
            affected[f] = fault != BLIND;
        }
    record(&was, &before, &old, NULL, NULL, &s.mem);
    record(&is, &full, &new, NULL, NULL, &s.mem);
    if (was.nstep > MOST_STEPS || is.nstep > MOST_STEPS)
        return end(&s, true);
    if (fault != BLIND)
        add_new_arguments(affected, &was, &is);
    note_program(p, "old", &old);
    note_program(p, "new", &new);
    for (uint32_t pass = 0; !decided && pass <= old.n; pass++)
        decided = merge(&merged, &s, &old, &new, affected, fault);
    if (!decided)
        return end(&s, wrong(p, "it is never decided"));
    kit_note(p, "full:  %s", expand(&full, &s.mem));
    kit_note(p, "merged:%s", expand(&merged.sequence, &s.mem));
    if (!comes_back(p, &s, &before) || !comes_back(p, &s, &merged.sequence))
        return end(&s, false);
    return end(
        &s, strcmp(expand(&full, &s.mem), expand(&merged.sequence, &s.mem)) == 0);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"old spans and new ones are a full recording", merged_is_full,
            {ARGUMENTS, BLIND, FORGOTTEN}},
        {"what is forecast is enough", forecast_is_enough, {UNFORESEEN}},
    };

    return kit_run_tested("spans", tested, sizeof tested / sizeof *tested);
}
