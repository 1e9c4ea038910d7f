#include "explore/hardware.h"

#include <math.h>
#include <string.h>

/* --- parameters and measures ----------------------------------------------------------------------- */

/* The words are in the order of the enums that they name. */
static const char *const control_words[] = {"ballarus", "wpp", "exact", NULL};
static const char *const extend_words[] = {"nothing", "loops", "calls", NULL};
static const char *const back_words[] = {"taken", "all", NULL};
static const char *const index_words[] = {
    "xor", "xor_last", "xor_fold", "address", "multiply", "skew", NULL};
static const char *const policy_words[] = {"lfu", "lru", "inherit", "admit", NULL};
static const char *const ties_words[] = {"oldest", "first", "newest", "random", NULL};
static const char *const idle_words[] = {"skip", "add", NULL};
static const char *const predictor_words[] = {
    "combined", "two_level", "hybrid", "perfect", NULL};
static const char *const service_words[] = {"serial", "pipelined", NULL};
static const char *const slot_words[] = {"start", "end", NULL};
static const char *const profile_words[] = {"methods", "calls", "streams", NULL};
static const char *const period_words[] = {"fixed", "prime", "jitter", NULL};

static const struct trod_explore_knob knobs[] = {
    {"control", control_words, 0, 0, false, "ballarus",
        "which branches begin and end "
        "paths"},
    {"split", NULL, 0, 1024, false, "32", "most outcomes of a path; 0: any number"},
    {"stack", NULL, 0, 1 << 20, false, "32",
        "entries of the path stack; 0: any number"},
    {"counter", NULL, 1, 64, false, "8", "bits of the counter of a path's events"},
    {"extend", extend_words, 0, 0, false, "nothing", "what paths extend across"},
    {"extended", NULL, 1, 255, false, "1",
        "how many loops or calls paths extend "
        "across"},
    {"back", back_words, 0, 0, false, "taken", "which backward branches end paths"},
    {"entries", NULL, 1, 1 << 24, true, "512", "of the hot path table"},
    {"ways", NULL, 1, 1 << 16, true, "4", "of the hot path table"},
    {"index", index_words, 0, 0, false, "xor", "how a set of the table is chosen"},
    {"policy", policy_words, 0, 0, false, "lfu", "which entry is replaced"},
    {"ties", ties_words, 0, 0, false, "oldest", "which of equal entries is replaced"},
    {"bits", NULL, 1, 64, false, "32", "of a count in the table"},
    {"door", NULL, 0, 1 << 24, true, "0",
        "bits of the filter before the table; 0: "
        "none"},
    {"idle", idle_words, 0, 0, false, "skip",
        "whether paths without events are "
        "counted"},
    {"window", NULL, 1000, UINT64_C(1) << 50, false, "100000000",
        "instructions of a window"},
    {"l2.size", NULL, 1 << 10, 1 << 30, true, "512k", "bytes of the second cache"},
    {"l2.ways", NULL, 1, 64, true, "4", "of the second cache"},
    {"predictor", predictor_words, 0, 0, false, "combined", "of branches"},
    {"queue", NULL, 1, 1 << 16, false, "4", "branches that can wait for the profiler"},
    {"service", service_words, 0, 0, false, "serial",
        "branches one after the other, or one per cycle"},
    {"slot", slot_words, 0, 0, false, "start",
        "when an entry of the queue becomes "
        "free"},
    {"profile", profile_words, 0, 0, false, "calls", "what is sampled"},
    {"rate", NULL, 2, 1 << 30, false, "1000", "one in this many events is sampled"},
    {"burst", NULL, 1, 1 << 30, false, "1", "events per burst"},
    {"period", period_words, 0, 0, false, "fixed", "how bursts are spaced"},
    {0},
};

static const struct metric {
    const char *name;
    struct hardware_measure is;
} metric_of[] = {
    {"frequency", {HARDWARE_PATHS, TROD_METRIC_FREQUENCY, false, HARDWARE_OVERLAP}},
    {"instructions",
        {HARDWARE_PATHS, TROD_METRIC_INSTRUCTIONS, false, HARDWARE_OVERLAP}},
    {"misses", {HARDWARE_PATHS, TROD_METRIC_MISSES, false, HARDWARE_OVERLAP}},
    {"mispredictions",
        {HARDWARE_PATHS, TROD_METRIC_MISPREDICTIONS, false, HARDWARE_OVERLAP}},
    {"power", {HARDWARE_PATHS, TROD_METRIC_POWER, false, HARDWARE_OVERLAP}},
    {"dynamic.frequency",
        {HARDWARE_PATHS, TROD_METRIC_FREQUENCY, true, HARDWARE_OVERLAP}},
    {"dynamic.instructions",
        {HARDWARE_PATHS, TROD_METRIC_INSTRUCTIONS, true, HARDWARE_OVERLAP}},
    {"dynamic.misses", {HARDWARE_PATHS, TROD_METRIC_MISSES, true, HARDWARE_OVERLAP}},
    {"dynamic.mispredictions",
        {HARDWARE_PATHS, TROD_METRIC_MISPREDICTIONS, true, HARDWARE_OVERLAP}},
    {"dynamic.power", {HARDWARE_PATHS, TROD_METRIC_POWER, true, HARDWARE_OVERLAP}},
    {"ideal.frequency", {HARDWARE_PATHS, TROD_METRIC_FREQUENCY, false, HARDWARE_IDEAL}},
    {"ideal.instructions",
        {HARDWARE_PATHS, TROD_METRIC_INSTRUCTIONS, false, HARDWARE_IDEAL}},
    {"ideal.misses", {HARDWARE_PATHS, TROD_METRIC_MISSES, false, HARDWARE_IDEAL}},
    {"ideal.mispredictions",
        {HARDWARE_PATHS, TROD_METRIC_MISPREDICTIONS, false, HARDWARE_IDEAL}},
    {"ideal.power", {HARDWARE_PATHS, TROD_METRIC_POWER, false, HARDWARE_IDEAL}},
    {"paths", {HARDWARE_PATHS, TROD_METRIC_FREQUENCY, false, HARDWARE_DISTINCT}},
    {"overhead", {HARDWARE_CLOCKS, 0, false, HARDWARE_OVERLAP}},
    {"accuracy", {HARDWARE_BURSTS, HARDWARE_ACCURACY, false, HARDWARE_OVERLAP}},
    {"hps", {HARDWARE_BURSTS, HARDWARE_HPS, false, HARDWARE_OVERLAP}},
    {"dise", {HARDWARE_BURSTS, HARDWARE_DISE, false, HARDWARE_OVERLAP}},
    {"dise.basic", {HARDWARE_BURSTS, HARDWARE_DISE_BASIC, false, HARDWARE_OVERLAP}},
    {"dise.checks", {HARDWARE_BURSTS, HARDWARE_DISE_CHECKS, false, HARDWARE_OVERLAP}},
};

static const struct trod_explore_metric metrics[] = {
    {"frequency", "overlap of the table with all paths, by how often they ran"},
    {"instructions", "the same by instructions"},
    {"misses", "the same by misses of the second cache"},
    {"mispredictions", "the same by branches that were mispredicted"},
    {"power", "the same by the power of caches"},
    {"dynamic.frequency", "the mean overlap of windows, each by itself"},
    {"dynamic.instructions", "likewise"},
    {"dynamic.misses", "likewise"},
    {"dynamic.mispredictions", "likewise"},
    {"dynamic.power", "likewise"},
    {"ideal.frequency", "share of the hottest paths, as many as the table has entries"},
    {"ideal.instructions", "likewise"},
    {"ideal.misses", "likewise"},
    {"ideal.mispredictions", "likewise"},
    {"ideal.power", "likewise"},
    {"paths", "number of different paths that ran"},
    {"overhead", "cycles that commits wait for the profiler, % of cycles without it"},
    {"accuracy", "overlap of the sample with the complete profile, top 90%"},
    {"hps", "cycles of sampling with conditional control, %"},
    {"dise", "the same without, %"},
    {"dise.basic", "of these, at calls and branches that control bursts"},
    {"dise.checks", "of these, elsewhere, to find that no burst is active"},
    {0},
};

/* needs:  a known name, which trod_explore_fits checks */
static const struct hardware_measure *measure_named(const char *name)
{
    size_t i = 0;

    while (strcmp(metric_of[i].name, name) != 0) {
        i++;
        assert(i < sizeof metric_of / sizeof *metric_of);
    }
    return &metric_of[i].is;
}

/* --- the settings of a design -------------------------------------------------------------------------- */

struct reader {
    const struct trod_explore_model *model;
    const struct trod_study *study;
    const struct trod_designs *designs;
    uint32_t design;
};

static uint64_t get(const struct reader *r, const char *knob)
{
    return trod_explore_number(r->model, r->study, r->designs, r->design, knob);
}

static bool is_said(const struct reader *r, const char *knob)
{
    return trod_study_find(r->study, knob) != UINT32_MAX;
}

static void read_control(struct trod_control *out, const struct reader *r)
{
    static const char *const named[] = {"ballarus", "wpp", "exact"};

    *out = *trod_control_named(named[get(r, "control")]);
    if (is_said(r, "split"))
        out->split = (uint32_t)get(r, "split");
    if (is_said(r, "stack"))
        out->stack = (uint32_t)get(r, "stack");
    if (is_said(r, "counter"))
        out->counter = (uint8_t)get(r, "counter");
    out->extend = (uint8_t)get(r, "extend");
    out->most_extended = out->extend ? (uint32_t)get(r, "extended") : 0;
    out->open[TROD_OPEN_BACK] = (uint8_t)get(r, "back");
}

static void read_machine(struct trod_timing_machine *out, const struct reader *r)
{
    static const char *const of[] = {"table5.3", "low", "high", "perfect"};
    struct trod_timing_machine other;
    bool known = trod_timing_machine_named(out, "table5.3") &&
                 trod_timing_machine_named(&other, of[get(r, "predictor")]);

    assert(known);
    (void)known;
    out->prediction = other.prediction;
    out->l2.size = get(r, "l2.size");
    out->l2.ways = (uint32_t)get(r, "l2.ways");
}

static bool read_design(struct hardware_design *out, const struct reader *r,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_err why;

    memset(out, 0, sizeof *out);
    read_control(&out->control, r);
    read_machine(&out->machine, r);
    out->predictor = get(r, "predictor");
    if (!trod_hot_design_parse(&out->table, "512x4,lfu,xor", mem, err))
        return false;
    out->table.name = NULL;
    out->table.entries = (uint32_t)get(r, "entries");
    out->table.ways = (uint32_t)get(r, "ways");
    out->table.index = (uint8_t)get(r, "index");
    out->table.replace = (uint8_t)get(r, "policy");
    out->table.ties = (uint8_t)get(r, "ties");
    out->table.bits = (uint8_t)get(r, "bits");
    out->table.door = (uint32_t)get(r, "door");
    out->idle = get(r, "idle");
    out->window = get(r, "window");
    out->queue = (uint32_t)get(r, "queue");
    out->pipelined = get(r, "service");
    out->freed_at_end = get(r, "slot");
    out->notes = TROD_EDIT_METHODS + (uint32_t)get(r, "profile");
    out->rate = get(r, "rate");
    out->burst = get(r, "burst");
    out->period = (int)get(r, "period");
    if (!trod_control_check(&out->control, &why) ||
        !trod_hot_design_check(&out->table, &why) ||
        !trod_timing_machine_check(&out->machine, &why))
        return trod_fail(err, TROD_E_INPUT, "design %u of study '%s' is impossible: %s",
            r->design, r->study->name, why.text);
    return true;
}

bool trod_hardware_same_control(
    const struct trod_control *a, const struct trod_control *b)
{
    return memcmp(a->op, b->op, sizeof a->op) == 0 &&
           memcmp(a->open, b->open, sizeof a->open) == 0 && a->extend == b->extend &&
           a->metric == b->metric && a->counter == b->counter &&
           a->most_extended == b->most_extended && a->split == b->split &&
           a->stack == b->stack;
}

bool trod_hardware_same_table(
    const struct trod_hot_design *a, const struct trod_hot_design *b)
{
    return a->entries == b->entries && a->ways == b->ways && a->index == b->index &&
           a->replace == b->replace && a->ties == b->ties && a->bits == b->bits &&
           a->shift == b->shift && a->door == b->door && a->seed == b->seed;
}

/* --- a trial -------------------------------------------------------------------------------------------- */

struct trial {
    struct trod_branch_sink sink;
    const struct trod_study *study;
    uint32_t ndesign;
    struct hardware_paths *paths;
    struct hardware_clocks *clocks;
    struct hardware_bursts *bursts;
    uint32_t *place; /* [design * nmeasure + measure]: number in its part */
};

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trial *t = (struct trial *)to;

    if (t->paths)
        trod_hardware_paths_run(t->paths, run);
    if (t->clocks)
        trod_hardware_clocks_run(t->clocks, run);
    if (t->bursts)
        trod_hardware_bursts_run(t->bursts, run);
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trial *t = (struct trial *)to;

    if (t->paths)
        trod_hardware_paths_end(t->paths, thread);
    if (t->bursts)
        trod_hardware_bursts_end(t->bursts, thread);
}

static bool add_design(struct trial *t, const struct hardware_design *design,
    uint32_t number, struct trod_err *err)
{
    struct trod_err why;

    for (uint32_t m = 0; m < t->study->nmeasure; m++) {
        const struct hardware_measure *measure = measure_named(t->study->measure[m]);
        uint32_t *place = &t->place[number * t->study->nmeasure + m];

        switch (measure->part) {
        case HARDWARE_PATHS:
            *place = trod_hardware_paths_add(t->paths, design, measure);
            break;
        case HARDWARE_CLOCKS:
            *place = trod_hardware_clocks_add(t->clocks, design);
            break;
        case HARDWARE_BURSTS:
            if (!trod_hardware_bursts_add(place, t->bursts, design, &why))
                return trod_fail(err, TROD_E_INPUT,
                    "design %u of study '%s' is impossible: %s", number, t->study->name,
                    why.text);
            break;
        }
    }
    return true;
}

static bool read_values(double *value, struct trod_explore_trial *trial,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trial *t = trial->ctx;

    (void)mem;
    (void)err;
    for (uint32_t i = 0; i < t->ndesign * t->study->nmeasure; i++) {
        const struct hardware_measure *measure =
            measure_named(t->study->measure[i % t->study->nmeasure]);

        switch (measure->part) {
        case HARDWARE_PATHS:
            value[i] = trod_hardware_paths_result(t->paths, t->place[i], measure);
            break;
        case HARDWARE_CLOCKS:
            value[i] = trod_hardware_clocks_result(t->clocks, t->place[i]);
            break;
        case HARDWARE_BURSTS:
            value[i] =
                trod_hardware_bursts_result(t->bursts, t->place[i], measure->metric);
            break;
        }
    }
    return true;
}

static bool find_missing(struct trod_explore_lack *out, uint32_t measure,
    const struct trod_explore_trial *trial)
{
    const struct trial *t = trial->ctx;
    const struct hardware_measure *is = measure_named(t->study->measure[measure]);
    uint64_t kept, lost;

    if (is->part != HARDWARE_BURSTS || is->metric != HARDWARE_ACCURACY)
        return false;
    lost = trod_hardware_bursts_lost(t->bursts, &kept);
    if (!lost)
        return false;
    *out = (struct trod_explore_lack){
        .measure = measure, .what = "addresses", .count = kept + lost, .limit = kept};
    return true;
}

static uint64_t most_refs_of(const struct trod_explore_model *model)
{
    const struct trod_explore_hardware_options *options = model->ctx;

    return options && options->most_refs ? options->most_refs : TROD_EXPLORE_REFS;
}

static bool make(struct trod_explore_trial *out, const struct trod_explore_model *model,
    const struct trod_study *study, const struct trod_designs *designs,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trial *t = trod_new(mem, struct trial, 1);
    bool has[3] = {false};

    t->sink = (struct trod_branch_sink){.run = take_run, .end = take_end};
    t->study = study;
    t->ndesign = designs->ndesign;
    t->place = trod_new(mem, uint32_t, (size_t)designs->ndesign * study->nmeasure);
    for (uint32_t m = 0; m < study->nmeasure; m++)
        has[measure_named(study->measure[m])->part] = true;
    if (has[HARDWARE_PATHS])
        t->paths = trod_hardware_paths_build(mem);
    if (has[HARDWARE_CLOCKS])
        t->clocks = trod_hardware_clocks_build(mem);
    if (has[HARDWARE_BURSTS])
        t->bursts = trod_hardware_bursts_build(most_refs_of(model), mem);
    for (uint32_t d = 0; d < designs->ndesign; d++) {
        struct reader reading = {model, study, designs, d};
        struct hardware_design design;

        if (!read_design(&design, &reading, mem, err) ||
            !add_design(t, &design, d, err))
            return false;
    }
    *out = (struct trod_explore_trial){&t->sink, read_values, t, find_missing};
    return true;
}

const struct trod_explore_model trod_explore_hardware = {knobs, metrics, make, NULL};
