#include "migrate/migrator.h"

#include <inttypes.h>
#include <string.h>

/* --- colours ---------------------------------------------------------------------------------------------- */

static const char *const colour_of_how[] = {
    [TROD_HOW_NONE] = "",
    [TROD_HOW_REUSED] = "\033[32m",
    [TROD_HOW_VALIDATED] = "\033[36m",
    [TROD_HOW_INFERRED] = "\033[33m",
    [TROD_HOW_PROFILED] = "\033[35m",
};

static enum trod_how how_of_fate(enum trod_fate fate)
{
    if (fate == TROD_UNIT_GRANTED)
        return TROD_HOW_VALIDATED;
    if (fate == TROD_UNIT_GONE)
        return TROD_HOW_NONE;
    return trod_fate_is_exempt(fate) ? TROD_HOW_REUSED : TROD_HOW_PROFILED;
}

/* A word in the colour of its provenance. */
static void put_in(struct trod_sink *sink, const struct trod_migrate_print_options *how,
    enum trod_how of, int width, const char *word)
{
    bool on = how->colour && *colour_of_how[of];

    trod_put(sink, "%s%-*s%s", on ? colour_of_how[of] : "", width, word,
        on ? "\033[0m" : "");
}

/* --- a plan ------------------------------------------------------------------------------------------------- */

struct totals {
    uint64_t nfunction, nagain, nloop_of_fate[TROD_UNIT_FATES],
        nof_fate[TROD_UNIT_FATES];
    uint64_t nskipped, nrun;
};

static void add_up(struct totals *t, const struct trod_migrate_plan *plan)
{
    *t = (struct totals){.nfunction = plan->nfunction, .nagain = plan->again.nentry};
    for (uint32_t i = 0; i < plan->nfunction; i++)
        t->nof_fate[plan->function[i].fate]++;
    for (uint32_t i = 0; i < plan->nloop; i++)
        t->nloop_of_fate[plan->loop[i].fate]++;
    for (uint32_t i = 0; i < plan->ninput; i++) {
        t->nskipped += plan->input[i].state == TROD_INPUT_SKIPPED;
        t->nrun += plan->input[i].state == TROD_INPUT_RUN;
    }
}

static void print_fates(struct trod_sink *sink, const struct trod_migrate_plan *plan,
    const struct totals *t, const struct trod_migrate_print_options *how)
{
    for (int i = 0; i < TROD_UNIT_FATES; i++) {
        if (!t->nof_fate[i])
            continue;
        trod_put(sink, "  ");
        put_in(sink, how, how_of_fate((enum trod_fate)i), 11,
            trod_fate_name((enum trod_fate)i));
        trod_put(sink, "%6" PRIu64, t->nof_fate[i]);
        if (plan->nloop)
            trod_put(sink, " %6" PRIu64, t->nloop_of_fate[i]);
        trod_put(sink, "  %s\n", trod_fate_about((enum trod_fate)i));
    }
}

static const char *shown(const struct trod_plan_function *f)
{
    return f->new_name ? f->new_name : f->name;
}

static void print_function(struct trod_sink *sink, const struct trod_plan_function *f,
    const struct trod_migrate_print_options *how)
{
    trod_put(sink, "  ");
    put_in(sink, how, how_of_fate(f->fate), 11, trod_fate_name(f->fate));
    trod_put(sink, "%s  %s", shown(f), f->new_name ? f->new_file : f->file);
    if (f->name && f->new_name && strcmp(f->name, f->new_name) != 0)
        trod_put(sink, "  (was %s)", f->name);
    if (f->why)
        trod_put(sink, ": %s", f->why);
    trod_put(sink, "\n");
}

static void print_functions(struct trod_sink *sink,
    const struct trod_migrate_plan *plan, const struct trod_migrate_print_options *how)
{
    size_t most = how->most ? how->most : TROD_REPORT_MOST, n = 0, left = 0;

    for (uint32_t i = 0; i < plan->nfunction; i++) {
        const struct trod_plan_function *f = &plan->function[i];

        if (f->fate == TROD_UNIT_UNAFFECTED || f->fate == TROD_UNIT_SAME)
            continue;
        if (n == most) {
            left++;
            continue;
        }
        if (!n++)
            trod_put(sink, "functions that are not simply reused:\n");
        print_function(sink, f, how);
    }
    if (left)
        trod_put(
            sink, "  and %zu more; --most=N prints more, PLAN/plan has all\n", left);
}

static void print_inputs(struct trod_sink *sink, const struct trod_migrate_plan *plan)
{
    trod_put(sink, "inputs:\n");
    for (uint32_t i = 0; i < plan->ninput; i++) {
        const struct trod_plan_input *input = &plan->input[i];

        trod_put(sink, "  %-8s %s", trod_input_state_name(input->state), input->name);
        if (input->why)
            trod_put(sink, ": it ran %s", input->why);
        trod_put(sink, "\n");
    }
}

static void print_entries(struct trod_sink *sink, const struct trod_migration *m)
{
    uint64_t n = 0, nexempt = 0;

    for (int i = 0; i < TROD_UNIT_FATES; i++) {
        n += m->nentry_of_fate[i];
        if (i != TROD_UNIT_GONE && trod_fate_is_exempt((enum trod_fate)i))
            nexempt += m->nentry_of_fate[i];
    }
    trod_put(sink, "%" PRIu64 " of %" PRIu64 " old entries are reused (%.1f %%)\n",
        nexempt, n, n ? 100.0 * (double)nexempt / (double)n : 0);
}

void trod_migrate_report(struct trod_sink *sink, const struct trod_migration *m,
    const struct trod_migrate_plan *plan, const struct trod_migrate_print_options *how)
{
    struct totals t;

    add_up(&t, plan);
    trod_put(sink, "# %s, by method %s: %s -> %s\n", plan->type, plan->method,
        plan->old ? plan->old : "?", plan->later ? plan->later : "?");
    trod_put(sink, "%" PRIu64 " functions, %" PRIu64 " to be profiled again\n",
        t.nfunction, t.nagain);
    print_fates(sink, plan, &t, how);
    print_entries(sink, m);
    if (plan->nagreed || plan->ndisagreed)
        trod_put(sink,
            "check run: %" PRIu64 " as before, %" PRIu64
            " different that should not be\n",
            plan->nagreed, plan->ndisagreed);
    print_functions(sink, plan, how);
    print_inputs(sink, plan);
    for (uint32_t i = 0; i < plan->nnote; i++)
        trod_put(sink, "# %s\n", plan->note[i]);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void json_functions(struct trod_json *json, const struct trod_migrate_plan *plan)
{
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < plan->nfunction; i++) {
        const struct trod_plan_function *f = &plan->function[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "fate", trod_fate_name(f->fate));
        if (f->name)
            trod_json_text(json, "old", f->name);
        if (f->name && f->file)
            trod_json_text(json, "old_file", f->file);
        if (f->new_name)
            trod_json_text(json, "new", f->new_name);
        if (f->new_name && f->new_file)
            trod_json_text(json, "new_file", f->new_file);
        if (f->why)
            trod_json_text(json, "why", f->why);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_migrate_json(struct trod_json *json, const struct trod_migration *m,
    const struct trod_migrate_plan *plan)
{
    trod_json_text(json, "type", plan->type);
    trod_json_text(json, "method", plan->method);
    trod_json_uint(json, "level", plan->level);
    trod_json_uint(json, "again", plan->again.nentry);
    trod_json_uint(json, "agreed", plan->nagreed);
    trod_json_uint(json, "disagreed", plan->ndisagreed);
    trod_json_open(json, "entries", '{');
    for (int i = 0; i < TROD_UNIT_FATES; i++)
        trod_json_uint(json, trod_fate_name((enum trod_fate)i), m->nentry_of_fate[i]);
    trod_json_close(json, '}');
    trod_json_open(json, "inputs", '[');
    for (uint32_t i = 0; i < plan->ninput; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", plan->input[i].name);
        trod_json_text(json, "state", trod_input_state_name(plan->input[i].state));
        if (plan->input[i].why)
            trod_json_text(json, "why", plan->input[i].why);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    json_functions(json, plan);
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < plan->nnote; i++)
        trod_json_text(json, NULL, plan->note[i]);
    trod_json_close(json, ']');
}

/* --- one function ------------------------------------------------------------------------------------------------- */

static void explain_unit(struct trod_sink *sink, const struct trod_migrate_unit *u,
    const struct trod_migrate_print_options *how)
{
    trod_put(sink, "  ");
    put_in(sink, how, how_of_fate(u->fate), 11, trod_fate_name(u->fate));
    if (u->part != TROD_NONE)
        trod_put(sink, "loop %" PRIu32, u->part);
    if (u->part != TROD_NONE && u->line)
        trod_put(sink, " in line %" PRIu32, u->line);
    if (u->part != TROD_NONE && u->new_part != TROD_NONE)
        trod_put(sink, ", now loop %" PRIu32, u->new_part);
    trod_put(sink, "%s%s", u->part != TROD_NONE ? ": " : "",
        u->why ? u->why : trod_fate_about(u->fate));
    if (u->checked)
        trod_put(sink,
            u->agrees ? "; the same in the check run" : "; different in the check run");
    trod_put(sink, "\n");
}

static void put_entry(struct trod_sink *sink, const struct trod_entry *e,
    const struct trod_migrate_print_options *how)
{
    trod_put(sink, "  ");
    put_in(sink, how, e->how, 10, trod_how_name(e->how));
    trod_put(sink, "%12" PRIu64, e->count);
    if (e->part != TROD_NONE)
        trod_put(sink, "  part %" PRIu32, e->part);
    if (e->other)
        trod_put(sink, "  -> %s", e->other);
    if (e->id)
        trod_put(sink, "  id %" PRIu64, e->id);
    if (e->line)
        trod_put(sink, "  line %" PRIu32, e->line);
    if (e->has_was && e->was != e->count)
        trod_put(sink, "  was %" PRIu64, e->was);
    if (e->trust < 1)
        trod_put(sink, "  trust %.2f", e->trust);
    trod_put(sink, "\n");
}

static void explain_input(struct trod_sink *sink, const struct trod_joined *j,
    const struct trod_migrate_input *input,
    const struct trod_migrate_print_options *how)
{
    size_t first, n = trod_entries_of(&first, &input->old, j->name, j->file), k;

    if (n)
        trod_put(sink, "  %s: %zu old entries\n", input->name, n);
    if (!j->in_new)
        return;
    k = trod_entries_of(&first, &input->planned, j->new_name, j->new_file);
    for (size_t i = first; i < first + k; i++)
        put_entry(sink, &input->planned.entry[i], how);
}

bool trod_migrate_explain(struct trod_sink *sink, const struct trod_migration *m,
    const char *function, const struct trod_migrate_print_options *how)
{
    bool any = false;

    for (uint32_t i = 0; i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];

        if (strcmp(j->name, function) != 0 &&
            !(j->in_new && strcmp(j->new_name, function) == 0))
            continue;
        any = true;
        trod_put(sink, "%s  %s\n", j->name, j->file ? j->file : "?");
        if (j->in_old && j->in_new && strcmp(j->name, j->new_name) != 0)
            trod_put(sink, "  is %s now\n", j->new_name);
        for (uint32_t k = m->first_unit[i]; k < m->first_unit[i + 1]; k++)
            explain_unit(sink, &m->unit[k], how);
        trod_put(sink, trod_has(m->again, i) ? "  must be profiled again\n"
                                             : "  need not be profiled again\n");
        for (uint32_t k = 0; k < m->ninput; k++)
            explain_input(sink, j, &m->input[k], how);
    }
    return any;
}

/* --- the result of a merge ---------------------------------------------------------------------------------------- */

void trod_merged_report(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const struct trod_migrate_print_options *how)
{
    trod_put(sink, "%s: %" PRIu32 " entries\n", input, merged->entries.nentry);
    for (int i = TROD_HOW_REUSED; i <= TROD_HOW_PROFILED; i++) {
        if (!merged->nentry_of_how[i])
            continue;
        trod_put(sink, "  ");
        put_in(sink, how, (enum trod_how)i, 10, trod_how_name((enum trod_how)i));
        trod_put(sink, "%8" PRIu64 "  counts %" PRIu64 "\n", merged->nentry_of_how[i],
            merged->count_of_how[i]);
    }
    if (merged->nscaled)
        trod_put(sink,
            "  # counts of %" PRIu32
            " %s were scaled, because functions that were profiled "
            "call %s more or less often than before\n",
            merged->nscaled, merged->nscaled == 1 ? "function" : "functions",
            merged->nscaled == 1 ? "it" : "them");
    for (uint32_t i = 0; i < merged->nnote; i++)
        trod_put(sink, "  # %s\n", merged->note[i]);
}

bool trod_merged_explain(struct trod_sink *sink, const char *input,
    const struct trod_merged *merged, const char *function,
    const struct trod_migrate_print_options *how)
{
    bool any = false;

    for (uint32_t i = 0; i < merged->entries.nentry; i++) {
        const struct trod_entry *e = &merged->entries.entry[i];

        if (strcmp(e->function, function) != 0)
            continue;
        if (!any)
            trod_put(sink, "%s: %s  %s\n", input, e->function, e->file ? e->file : "?");
        any = true;
        put_entry(sink, e, how);
    }
    return any;
}

void trod_merged_json(
    struct trod_json *json, const char *input, const struct trod_merged *merged)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "input", input);
    trod_json_uint(json, "entries", merged->entries.nentry);
    for (int i = TROD_HOW_REUSED; i <= TROD_HOW_PROFILED; i++) {
        trod_json_open(json, trod_how_name((enum trod_how)i), '{');
        trod_json_uint(json, "entries", merged->nentry_of_how[i]);
        trod_json_uint(json, "counts", merged->count_of_how[i]);
        trod_json_close(json, '}');
    }
    trod_json_uint(json, "scaled_functions", merged->nscaled);
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < merged->nnote; i++)
        trod_json_text(json, NULL, merged->note[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
