#include "model/model.h"

#include <inttypes.h>

enum { ADDRESS = 47, SHOWN = 64 }; /* bits of an address; outcomes printed per path */

static const char *const how_words[TROD_HOWS] = {
    "popped", "split", "forgotten", "dropped", "odd", "ended"};

static double percent(double share)
{
    return 100 * share;
}

static void put_outcomes(
    struct trod_sink *sink, const struct trod_descriptor *path, uint32_t most)
{
    uint32_t n = path->length < most ? path->length : most;

    for (uint32_t i = 0; i < n; i++)
        trod_put(sink, "%c", trod_has(path->outcome, i) ? 'T' : 'N');
    if (!n)
        trod_put(sink, "-");
    if (n < path->length)
        trod_put(sink, "...%" PRIu32, path->length);
}

void trod_descriptor_print(struct trod_sink *sink, const struct trod_descriptor *path)
{
    trod_put(sink, "0x%" PRIx64 " ", path->start);
    put_outcomes(sink, path, UINT32_MAX);
}

static uint32_t split_of(const struct trod_profiler *m)
{
    return m->detector.control.split ? m->detector.control.split : 32;
}

static double windows_of(
    const struct trod_profiler *m, const struct trod_profiler_table *t)
{
    return m->nwindow ? t->overlap / (double)m->nwindow : 0;
}

/* --- text ------------------------------------------------------------------------------------------- */

static void print_seen(struct trod_sink *sink, const struct trod_profiler *m)
{
    const struct trod_detected *seen = &m->detector.seen;
    const char *before = "";

    trod_put(sink,
        "# %s: %" PRIu64 " runs, %" PRIu64 " branches, %" PRIu64
        " instructions of %" PRIu32 " thread%s",
        m->detector.control.name, seen->nrun, seen->nbranch, seen->ninsn,
        m->detector.nstack, m->detector.nstack == 1 ? "" : "s");
    if (seen->nodd)
        trod_put(sink, "; %" PRIu64 " odd", seen->nodd);
    trod_put(sink, "\n# %" PRIu32 " paths ran %" PRIu64 " times; ", m->reference.npath,
        m->reference.count);
    for (uint32_t how = 0; how < TROD_HOWS; how++) {
        if (!seen->nend[how])
            continue;
        trod_put(sink, "%s%" PRIu64 " %s", before, seen->nend[how], how_words[how]);
        before = ", ";
    }
    trod_put(sink, "%sstack %" PRIu32 ", length %" PRIu32 " at most\n", before,
        seen->deepest, seen->longest);
    if (seen->nunmatched || seen->nempty || seen->nfull)
        trod_put(sink,
            "# %" PRIu64 " returns of no entry, %" PRIu64
            " operations on an empty stack, %" PRIu64 " pushes onto a full one\n",
            seen->nunmatched, seen->nempty, seen->nfull);
}

static void print_tables(struct trod_sink *sink, const struct trod_profiler *m)
{
    if (!m->options.ndesign)
        return;
    trod_put(sink, "%8s %7s %8s %7s%s %-8s %11s %11s %11s %s\n", "bytes", "overlap",
        "coverage", "ideal", m->options.window ? " windows" : "", "counts", "hits",
        "misses", "replaced", "table");
    for (uint32_t i = 0; i < m->options.ndesign; i++) {
        const struct trod_profiler_table *t = &m->table[i];
        const struct trod_hot_design *design = &t->whole.design;

        trod_put(sink, "%8" PRIu64 " %6.2f%% %7.2f%% %6.2f%%",
            (trod_hot_design_bits(design, split_of(m), ADDRESS) + 7) / 8,
            percent(t->score.overlap), percent(t->score.coverage),
            percent(t->score.ideal));
        if (m->options.window)
            trod_put(sink, " %6.2f%%", percent(windows_of(m, t)));
        trod_put(sink, " %-8s %11" PRIu64 " %11" PRIu64 " %11" PRIu64 " ",
            trod_hot_bound_word(trod_hot_design_bound(design)), t->whole.nhit,
            t->whole.nmiss, t->whole.nreplaced);
        trod_hot_design_print(sink, design);
        trod_put(sink, "\n");
    }
}

static void print_paths(struct trod_sink *sink, const struct trod_profiler *m,
    uint64_t most, struct trod_arena *mem)
{
    const struct trod_reference *r = &m->reference;
    uint32_t *order = trod_reference_order(r, mem);

    trod_put(sink, "%11s %7s %14s %6s %s\n", "count", "share",
        trod_control_metric_word(m->detector.control.metric), "length", "path");
    for (uint32_t i = 0; i < r->npath && i < most; i++) {
        const struct trod_reference_path *p = &r->path[order[i]];

        trod_put(sink,
            "%11" PRIu64 " %6.2f%% %14" PRIu64 " %6" PRIu32 " 0x%" PRIx64 " ", p->count,
            r->weight ? percent((double)p->weight / (double)r->weight) : 0.0, p->weight,
            p->path.length, p->path.start);
        put_outcomes(sink, &p->path, SHOWN);
        trod_branch_put_place(sink, m->options.places, p->path.start);
        trod_put(sink, "\n");
    }
}

static void print_spread(
    struct trod_sink *sink, const struct trod_profiler *m, struct trod_arena *mem)
{
    struct trod_spread s;

    trod_model_spread(&s, &m->reference, mem);
    trod_put(sink, "%9s %9s %12s %s\n", "heaviest", "frequency", "instructions",
        trod_control_metric_word(m->detector.control.metric));
    for (uint32_t i = 0; i < s.ntop; i++)
        trod_put(sink, "%9" PRIu32 " %8.2f%% %11.2f%% %.2f%%\n", s.top[i],
            percent(s.frequency[i]), percent(s.ninsn[i]), percent(s.weight[i]));
    trod_put(sink, "%9s %12s\n", "branches", "instructions");
    for (uint32_t i = 0; i < TROD_SPREAD_LENGTHS; i++) {
        if (s.length[i] == UINT32_MAX)
            trod_put(sink, "%9s", "any");
        else
            trod_put(sink, "%9" PRIu32, s.length[i]);
        trod_put(sink, " %11.2f%%\n", percent(s.by_length[i]));
    }
}

static void print_phases(struct trod_sink *sink, const struct trod_profiler *m)
{
    const struct trod_phases *p = &m->phases;

    if (!m->options.interval)
        return;
    trod_put(sink, "# %" PRIu64 " intervals, %" PRIu32 " phases of %" PRIu32 " kinds\n",
        p->ninterval, p->nphase, p->nkind);
    trod_put(sink, "%8s %9s %5s %7s %7s\n", "interval", "intervals", "kind", "paths",
        "blocks");
    for (uint32_t i = 0; i < p->nphase; i++)
        trod_put(sink, "%8" PRIu64 " %9" PRIu64 " %5" PRIu32 " %6.2f%% %6.2f%%%s\n",
            p->phase[i].from, p->phase[i].count, p->phase[i].kind,
            percent(p->phase[i].paths), percent(p->phase[i].blocks),
            p->phase[i].same_blocks ? " same blocks" : "");
}

static void print_grammars(
    struct trod_sink *sink, const struct trod_profiler *m, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < m->nthread; i++) {
        const struct trod_profiler_thread *t = &m->thread[i];
        struct trod_grammar_sizes sizes;

        trod_grammar_sizes(&sizes, &t->grammar, mem);
        trod_put(sink,
            "# thread %" PRIu32 ": %" PRIu64 " paths in a row, as a grammar of %" PRIu64
            " symbols and %" PRIu64 " rules\n",
            t->thread, t->npath, sizes.nsymbol, sizes.nrule);
        trod_grammar_print(sink, &t->grammar);
    }
}

void trod_profiler_print(struct trod_sink *sink, const struct trod_profiler *m,
    uint64_t most, bool spread, struct trod_arena *mem)
{
    assert(m->done);
    print_seen(sink, m);
    print_tables(sink, m);
    if (most)
        print_paths(sink, m, most, mem);
    if (spread)
        print_spread(sink, m, mem);
    print_phases(sink, m);
    print_grammars(sink, m, mem);
}

/* --- JSON --------------------------------------------------------------------------------------------- */

static void json_seen(struct trod_json *json, const struct trod_profiler *m)
{
    const struct trod_detected *seen = &m->detector.seen;

    trod_json_text(json, "control", m->detector.control.name);
    trod_json_text(
        json, "metric", trod_control_metric_word(m->detector.control.metric));
    trod_json_uint(json, "runs", seen->nrun);
    trod_json_uint(json, "branches", seen->nbranch);
    trod_json_uint(json, "instructions", seen->ninsn);
    trod_json_uint(json, "threads", m->detector.nstack);
    trod_json_uint(json, "odd", seen->nodd);
    trod_json_uint(json, "paths", m->reference.npath);
    trod_json_uint(json, "times", m->reference.count);
    trod_json_open(json, "ended", '{');
    for (uint32_t how = 0; how < TROD_HOWS; how++)
        trod_json_uint(json, how_words[how], seen->nend[how]);
    trod_json_close(json, '}');
    trod_json_uint(json, "deepest", seen->deepest);
    trod_json_uint(json, "longest", seen->longest);
    trod_json_uint(json, "unmatched", seen->nunmatched);
    trod_json_uint(json, "empty", seen->nempty);
    trod_json_uint(json, "full", seen->nfull);
}

static void json_tables(
    struct trod_json *json, const struct trod_profiler *m, struct trod_arena *mem)
{
    trod_json_open(json, "tables", '[');
    for (uint32_t i = 0; i < m->options.ndesign; i++) {
        const struct trod_profiler_table *t = &m->table[i];
        const struct trod_hot_design *design = &t->whole.design;
        struct trod_string name;

        trod_string_init(&name, mem);
        trod_hot_design_print(&name.sink, design);
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "table", name.text);
        trod_json_uint(
            json, "bits", trod_hot_design_bits(design, split_of(m), ADDRESS));
        trod_json_text(
            json, "counts", trod_hot_bound_word(trod_hot_design_bound(design)));
        trod_json_real(json, "overlap", t->score.overlap);
        trod_json_real(json, "coverage", t->score.coverage);
        trod_json_real(json, "ideal", t->score.ideal);
        if (m->options.window)
            trod_json_real(json, "windows", windows_of(m, t));
        trod_json_uint(json, "hits", t->whole.nhit);
        trod_json_uint(json, "misses", t->whole.nmiss);
        trod_json_uint(json, "replaced", t->whole.nreplaced);
        trod_json_uint(json, "refused", t->whole.nrefused);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    if (m->options.window)
        trod_json_uint(json, "nwindow", m->nwindow);
}

static void json_paths(struct trod_json *json, const struct trod_profiler *m,
    uint64_t most, struct trod_arena *mem)
{
    const struct trod_reference *r = &m->reference;
    uint32_t *order = trod_reference_order(r, mem);

    trod_json_open(json, "hottest", '[');
    for (uint32_t i = 0; i < r->npath && i < most; i++) {
        const struct trod_reference_path *p = &r->path[order[i]];
        struct trod_string text;

        trod_string_init(&text, mem);
        put_outcomes(&text.sink, &p->path, UINT32_MAX);
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "start", p->path.start);
        trod_branch_json_place(json, "place", m->options.places, p->path.start);
        trod_json_uint(json, "length", p->path.length);
        trod_json_text(json, "outcomes", text.text);
        trod_json_uint(json, "count", p->count);
        trod_json_uint(json, "weight", p->weight);
        trod_json_uint(json, "instructions", p->ninsn);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_spread(
    struct trod_json *json, const struct trod_profiler *m, struct trod_arena *mem)
{
    struct trod_spread s;

    trod_model_spread(&s, &m->reference, mem);
    trod_json_open(json, "heaviest", '[');
    for (uint32_t i = 0; i < s.ntop; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "paths", s.top[i]);
        trod_json_real(json, "frequency", s.frequency[i]);
        trod_json_real(json, "instructions", s.ninsn[i]);
        trod_json_real(json, "weight", s.weight[i]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "lengths", '[');
    for (uint32_t i = 0; i < TROD_SPREAD_LENGTHS; i++) {
        trod_json_open(json, NULL, '{');
        if (s.length[i] != UINT32_MAX)
            trod_json_uint(json, "branches", s.length[i]);
        trod_json_real(json, "instructions", s.by_length[i]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_phases(struct trod_json *json, const struct trod_profiler *m)
{
    trod_json_open(json, "phases", '[');
    for (uint32_t i = 0; i < m->phases.nphase; i++) {
        const struct trod_phase *p = &m->phases.phase[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "from", p->from);
        trod_json_uint(json, "intervals", p->count);
        trod_json_uint(json, "kind", p->kind);
        trod_json_real(json, "paths", p->paths);
        trod_json_real(json, "blocks", p->blocks);
        trod_json_bool(json, "same_blocks", p->same_blocks);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_grammars(struct trod_json *json, const struct trod_profiler *m)
{
    trod_json_open(json, "grammars", '[');
    for (uint32_t i = 0; i < m->nthread; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "thread", m->thread[i].thread);
        trod_json_uint(json, "paths", m->thread[i].npath);
        trod_grammar_json(json, "parts", &m->thread[i].grammar);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_profiler_json(struct trod_json *json, const struct trod_profiler *m,
    uint64_t most, bool spread, struct trod_arena *mem)
{
    assert(m->done);
    json_seen(json, m);
    json_tables(json, m, mem);
    if (most)
        json_paths(json, m, most, mem);
    if (spread)
        json_spread(json, m, mem);
    if (m->options.interval)
        json_phases(json, m);
    if (m->options.grammar)
        json_grammars(json, m);
}
