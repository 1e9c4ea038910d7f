#include "kit/kit.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Draws of one run.  A property that draws more does not end. */
enum { MAX_CHOICE = 1 << 20 };

struct kit_prop {
    struct kit_choices made;         /* by this run */
    const struct kit_choices *given; /* replayed first; NULL: draw from rng */
    struct trod_rng rng;
    char *note;
    size_t note_length, note_room;
};

/* --- what a property calls ------------------------------------------------------ */

uint64_t kit_draw(struct kit_prop *p, uint64_t bound)
{
    size_t i = p->made.count;
    uint64_t value = 0;

    if (bound == 0 || i >= MAX_CHOICE) {
        fprintf(stderr, "# kit: %s\n",
            bound ? "a property draws without end" : "a draw with bound 0");
        abort();
    }
    if (!p->given)
        value = trod_rng_below(&p->rng, bound);
    else if (i < p->given->count)
        value = p->given->at[i] < bound ? p->given->at[i] : bound - 1;
    kit_choices_add(&p->made, value);
    return value;
}

void kit_note(struct kit_prop *p, const char *fmt, ...)
{
    char line[4096];
    va_list args;
    size_t length;

    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    length = strlen(line);
    if (p->note_length + length + 2 > p->note_room) {
        size_t room = 2 * (p->note_length + length + 2);
        char *longer = realloc(p->note, room);

        if (!longer)
            return; /* a shorter report is still one */
        p->note = longer;
        p->note_room = room;
    }
    memcpy(p->note + p->note_length, line, length);
    p->note_length += length;
    p->note[p->note_length++] = '\n';
    p->note[p->note_length] = '\0';
}

/* --- one run ------------------------------------------------------------------- */

struct search {
    const char *name;
    kit_property fn;
    void *ctx;
    uint64_t seed, run;
    size_t nshrink;
    struct kit_choices best;
    struct kit_prop prop;
};

/* What a dying process was doing. */
static struct search *running;

static bool holds(struct search *s, const struct kit_choices *given)
{
    struct kit_prop *p = &s->prop;
    bool held;

    p->made.count = 0;
    p->given = given;
    p->note_length = 0;
    if (p->note)
        p->note[0] = '\0';
    running = s;
    held = s->fn(p, s->ctx);
    running = NULL;
    /* Trailing zeros say nothing: draws beyond the recorded ones give 0 anyway. */
    while (p->made.count && p->made.at[p->made.count - 1] == 0)
        p->made.count--;
    return held;
}

static bool fails(struct kit_choices *made, const struct kit_choices *given, void *ctx)
{
    struct search *s = ctx;
    bool failed = !holds(s, given);

    kit_choices_copy(made, &s->prop.made);
    return failed;
}

static void print_choices(FILE *to, const struct kit_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++)
        fprintf(to, "%s%" PRIu64, i ? "," : "", choices->at[i]);
}

static void print_repeat(FILE *to, const char *name, const struct kit_choices *choices)
{
    fprintf(to, "# repeat:  TROD_PROP_NAME='%s' TROD_PROP_REPLAY=", name);
    print_choices(to, choices);
    fprintf(to, "%s %s\n", choices->count ? "" : "0", program_invocation_name);
}

/* A property that crashes cannot be shrunk, but its choices must not be lost.  The
 * process is about to die, so stdio in a handler is worth the risk.
 */
static void report_death(void)
{
    struct search *s = running;

    if (!s)
        return;
    running = NULL;
    /* NOLINTNEXTLINE(bugprone-signal-handler,cert-msc54-cpp,cert-sig30-c) */
    fprintf(stderr, "# property %s died in run %" PRIu64 ", seed %" PRIu64 "\n",
        s->name, s->run, s->seed);
    print_repeat(stderr, s->name, &s->prop.made);
}

static void die_of_signal(int sig)
{
    report_death();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* Present only where a sanitizer is linked in. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

/* Takes over from cmocka, which would turn some of these signals into a failed test
 * that does not say how to repeat it.
 */
static void watch_for_death(void)
{
    static const int deadly[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};

    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        signal(deadly[i], die_of_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(report_death);
}

/* --- a search ------------------------------------------------------------------ */

static uint64_t from_environment(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    uint64_t value;

    if (!text || !*text)
        return otherwise;
    if (!trod_text_uint(&value, text)) {
        fprintf(stderr, "# kit: %s is not a number: %s\n", variable, text);
        abort();
    }
    return value;
}

static void search_init(struct search *s, const char *name, kit_property fn, void *ctx)
{
    memset(s, 0, sizeof *s);
    s->name = name;
    s->fn = fn;
    s->ctx = ctx;
    s->seed = from_environment("TROD_PROP_SEED", 20260);
    watch_for_death();
}

static void search_free(struct search *s)
{
    kit_choices_free(&s->best);
    kit_choices_free(&s->prop.made);
    free(s->prop.note);
}

/* Each run has a seed of its own: what it draws does not depend on how much the runs
 * before it drew.
 */
static bool search_runs(struct search *s, uint64_t nrun)
{
    for (s->run = 1; s->run <= nrun; s->run++) {
        trod_rng_init(&s->prop.rng, trod_mix(s->seed, s->run));
        if (holds(s, NULL))
            continue;
        kit_choices_copy(&s->best, &s->prop.made);
        s->nshrink = kit_shrink(&s->best, fails, s);
        /* Once more, so that the notes are those of the best. */
        holds(s, &s->best);
        return true;
    }
    return false;
}

static bool search_replay(struct search *s, const char *list)
{
    struct kit_choices given = {0};
    bool failed;

    while (*list) {
        char *end;

        kit_choices_add(&given, strtoull(list, &end, 10));
        if (end == list) {
            fprintf(stderr, "# kit: TROD_PROP_REPLAY: not a number: %s\n", list);
            abort();
        }
        list = end + strspn(end, ", ");
    }
    failed = fails(&s->best, &given, s);
    kit_choices_free(&given);
    return failed;
}

static uint64_t runs(void)
{
    return from_environment("TROD_PROP_RUNS", 10000);
}

static bool search(struct search *s, uint64_t nrun)
{
    const char *replay = getenv("TROD_PROP_REPLAY");

    return replay ? search_replay(s, replay) : search_runs(s, nrun);
}

static bool is_chosen(const char *name)
{
    const char *only = getenv("TROD_PROP_NAME");

    return !only || strcmp(only, name) == 0;
}

/* --- reports ------------------------------------------------------------------- */

static void report(FILE *to, const struct search *s)
{
    const char *line = s->prop.note;

    fprintf(to, "# choices: ");
    print_choices(to, &s->best);
    fputc('\n', to);
    while (line && *line) {
        size_t length = strcspn(line, "\n");

        fprintf(to, "#   %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void kit_check(const char *name, kit_property fn, void *ctx)
{
    struct search s;
    bool failed;

    if (!is_chosen(name))
        return;
    search_init(&s, name, fn, ctx);
    failed = search(&s, runs());
    if (failed) {
        fprintf(stderr,
            "# property %s fails in run %" PRIu64 ", seed %" PRIu64
            ", shrunk in %zu runs to %zu choices\n",
            name, s.run, s.seed, s.nshrink, s.best.count);
        report(stderr, &s);
        print_repeat(stderr, name, &s.best);
    } else {
        printf("# %s: seed %" PRIu64 ", %" PRIu64 " runs\n", name, s.seed,
            s.run ? s.run - 1 : 1);
    }
    search_free(&s);
    if (failed)
        fail_msg("property %s does not hold", name);
}

void kit_check_planted(const char *name, kit_property fn, void *ctx)
{
    struct search s;
    bool failed;

    if (!is_chosen(name))
        return;
    search_init(&s, name, fn, ctx);
    /* However few runs were asked for: the search ends when the fault is found. */
    failed = search(&s, runs() < 10000 ? 10000 : runs());
    if (failed) {
        printf("# planted fault %s found in run %" PRIu64
               ", shrunk in %zu runs to %zu choices\n",
            name, s.run, s.nshrink, s.best.count);
        report(stdout, &s);
    }
    search_free(&s);
    if (!failed)
        fail_msg("planted fault %s was not found", name);
}

void kit_search(struct kit_result *out, const char *name, kit_property fn, void *ctx)
{
    struct search s;
    size_t room = sizeof out->choice / sizeof out->choice[0];

    memset(out, 0, sizeof *out);
    search_init(&s, name, fn, ctx);
    out->failed = search_runs(&s, runs());
    out->run = s.run;
    out->nshrink = s.nshrink;
    out->nchoice = s.best.count;
    for (size_t i = 0; i < s.best.count && i < room; i++)
        out->choice[i] = s.best.at[i];
    if (out->failed && s.prop.note)
        snprintf(out->note, sizeof out->note, "%s", s.prop.note);
    search_free(&s);
}

/* --- properties with faults ----------------------------------------------------------- */

static void test_sound(void **state)
{
    const struct kit_tested *tested = *state;

    kit_check(tested->name, tested->property, NULL);
}

static void test_planted(void **state)
{
    const struct kit_tested *tested = *state;

    for (int k = 0; k < KIT_FAULTS; k++) {
        unsigned fault = tested->fault[k];

        if (fault)
            kit_check_planted(tested->name, tested->property, &fault);
    }
}

int kit_run_tested(const char *group, const struct kit_tested *tested, size_t count)
{
    enum { NAME = 160 };
    struct kit_tested *own = calloc(count, sizeof *own);
    struct CMUnitTest *tests = calloc(2 * count, sizeof *tests);
    char *name = calloc(2 * count, NAME);
    int failed = 1;

    if (own && tests && name) {
        memcpy(own, tested, count * sizeof *own);
        for (size_t i = 0; i < 2 * count; i++) {
            snprintf(name + i * NAME, NAME, "%s%s", own[i / 2].name,
                i % 2 ? ", and a planted fault is found" : "");
            tests[i] = (struct CMUnitTest){.name = name + i * NAME,
                .test_func = i % 2 ? test_planted : test_sound,
                .initial_state = &own[i / 2]};
        }
        failed = _cmocka_run_group_tests(group, tests, 2 * count, NULL, NULL);
    }
    free(own);
    free(tests);
    free(name);
    return failed;
}
