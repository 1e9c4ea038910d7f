#include "migrate/callers.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- what an input executed --------------------------------------------------------------------------------------- */

static const struct trod_flow *flow_of(const struct trod_migration *m,
    const struct trod_migrate_input *input, const struct trod_joined *j)
{
    return input->flows && j->old ? &input->flows->of_entry[j->old - m->old_map->entry]
                                  : NULL;
}

static bool ran(const struct trod_migration *m, const struct trod_migrate_input *input,
    const struct trod_joined *j)
{
    const struct trod_flow *flow = flow_of(m, input, j);
    size_t first, n;

    if (!j->in_old)
        return false;
    if (flow)
        return trod_flow_ran(flow);
    n = trod_entries_of(&first, &input->old, j->name, j->file);
    for (size_t i = first; i < first + n; i++)
        if (input->old.entry[i].count)
            return true;
    return false;
}

/* Did the input execute only unchanged blocks, along edges that still exist? */
static bool is_clean(const struct trod_migration *m,
    const struct trod_migrate_input *input, uint32_t joined)
{
    const struct trod_joined *j = &m->join.joined[joined];
    const struct trod_flow *flow = flow_of(m, input, j);
    const struct trod_graph *graph;

    if (m->method != TROD_IMPACT_OWN || !flow || !j->match || j->many ||
        !j->old->hash_of_node || !j->later->hash_of_node)
        return false;
    for (uint32_t k = m->first_unit[joined]; k < m->first_unit[joined + 1]; k++)
        if (m->unit[k].fate == TROD_UNIT_WITHDRAWN)
            return false;
    graph = j->old->numbering.dag->graph;
    /* The paths of abandoned activations are unknown. */
    if (!flow->count_of_node || flow->begun > flow->ended)
        return !trod_flow_ran(flow);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (flow->count_of_node[v] && !trod_has(j->match->same_of_old, v))
            return false;
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (flow->count_of_edge[e] && trod_match_edge(j->match, e) == TROD_NONE)
            return false;
    return true;
}

static double trust_of(
    const struct trod_migration *m, const struct trod_migrate_unit *u)
{
    if (u->trust > 0)
        return u->trust;
    if (u->checked && u->agrees)
        return 0.99;
    if (!m->nagreed && !m->ndisagreed)
        return 0.9;
    return (double)(m->nagreed + 1) / (double)(m->nagreed + m->ndisagreed + 2);
}

/* Has a check run of the new version this very entry? */
static bool was_checked(const struct trod_migration *m, const struct trod_entry *new)
{
    for (uint32_t i = 0; i < m->ninput; i++) {
        const struct trod_entries *check = m->input[i].check;
        const struct trod_entry *found = check ? trod_entries_find(check, new) : NULL;

        if (found && found->count)
            return true;
    }
    return false;
}

/* For other types that are finer than functions, the line of an entry decides. */
static enum trod_fate fate_of_entry(
    struct migrator *d, const struct trod_migrate_unit *u, const struct trod_entry *e)
{
    const struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[u->joined];

    if (u->fate != TROD_UNIT_AFFECTED || !m->impact || u->part != TROD_NONE ||
        m->level >= TROD_LEVEL_FUNCTION || !e->line ||
        j->construct == TROD_NO_CONSTRUCT || trod_carry_has_parts(m->type.name))
        return u->fate;
    return trod_migrate_is_affected(d,
               trod_migrate_at_line(m->changes->old, j->construct, e->line, m->level))
               ? TROD_UNIT_AFFECTED
               : TROD_UNIT_UNAFFECTED;
}

static void plan_function(struct migrator *d, struct trod_migrate_input *input,
    uint32_t joined, struct trod_entries *carried)
{
    struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[joined];
    size_t first, n = trod_entries_of(&first, &input->old, j->name, j->file);
    bool clean = trod_has(m->again, joined) && is_clean(m, input, joined);
    bool infer = false;

    for (size_t i = first; i < first + n; i++) {
        const struct trod_entry *e = &input->old.entry[i];
        const struct trod_migrate_unit *u = trod_migrate_unit_of(m, joined, e->part);
        enum trod_fate fate = u ? fate_of_entry(d, u, e) : TROD_UNIT_UNMAPPED;
        struct trod_entry to;

        m->nentry_of_fate[fate]++;
        if (fate == TROD_UNIT_GONE)
            continue;
        if (trod_carry_entry(&to, m, j, e, d->mem)) {
            trod_entries_add(carried, &to, d->mem);
            if (trod_fate_is_exempt(fate) || clean) {
                bool valid = u && u->checked && u->agrees && was_checked(m, &to);

                to.how = valid ? TROD_HOW_VALIDATED : TROD_HOW_REUSED;
                to.trust = u ? trust_of(m, u) : 0.5;
                trod_entries_add(&input->planned, &to, d->mem);
                continue;
            }
        }
        infer = true;
    }
    if (infer || (trod_has(m->again, joined) && !clean && ran(m, input, j)))
        trod_carry_infer(&input->planned, m, j, input, d->mem);
}

/* Loops may have both reused and inferred entries: the reused one is more certain. */
static void drop_inferred(struct trod_entries *of)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < of->nentry; i++) {
        struct trod_entry *last = n ? &of->entry[n - 1] : NULL;

        if (last && trod_entries_compare(last, &of->entry[i]) == 0) {
            if (last->how == TROD_HOW_INFERRED)
                *last = of->entry[i];
        } else {
            of->entry[n++] = of->entry[i];
        }
    }
    of->nentry = n;
}

static int by_identity(const void *x, const void *y)
{
    return trod_entries_compare(x, y);
}

static void settle(struct trod_entries *planned, const struct trod_entries *carried)
{
    trod_sort(planned->entry, planned->nentry, by_identity);
    drop_inferred(planned);
    for (uint32_t i = 0; i < planned->nentry; i++) {
        struct trod_entry *e = &planned->entry[i];
        const struct trod_entry *was = trod_entries_find(carried, e);

        e->has_was = was;
        e->was = was ? was->was : 0;
    }
}

static void plan_check(struct trod_migrate_input *input, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < input->check->nentry; i++) {
        struct trod_entry e = input->check->entry[i];

        e.how = TROD_HOW_PROFILED;
        e.trust = 1;
        trod_entries_add(&input->planned, &e, mem);
    }
}

/* `begun` counts go with paths: from the check run if there is one, otherwise from the old profile. */
static void plan_begun(struct migrator *d, struct trod_migrate_input *input)
{
    const struct trod_migration *m = d->m;

    input->begun = (struct trod_entries){.type = "begun", .input = input->name};
    for (uint32_t i = 0; i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];
        const struct trod_flow *flow = flow_of(m, input, j);
        struct trod_entry e = {.function = j->new_name,
            .file = j->new_file,
            .part = TROD_NONE,
            .how = TROD_HOW_REUSED,
            .trust = 1};

        if (input->check_flows && j->later)
            flow = &input->check_flows->of_entry[j->later - m->new_map->entry];
        if (!j->in_new || !j->later || !j->later->begun || !flow || !flow->begun)
            continue;
        e.count = flow->begun;
        trod_entries_add(&input->begun, &e, d->mem);
    }
    trod_entries_order(&input->begun);
}

void trod_migrate_plan_input(struct migrator *d, struct trod_migrate_input *input)
{
    struct trod_migration *m = d->m;
    struct trod_entries carried = {.type = m->type.name};

    input->planned = (struct trod_entries){.type = m->type.name, .input = input->name};
    for (uint32_t i = 0; i < m->join.njoined; i++)
        if (m->join.joined[i].in_old)
            plan_function(d, input, i, &carried);
    trod_entries_order(&carried);
    if (input->check) {
        input->planned.nentry = 0;
        plan_check(input, d->mem);
    }
    settle(&input->planned, &carried);
    if (strcmp(m->type.name, "paths") == 0)
        plan_begun(d, input);
    trod_callers_plan(&input->callers, m, input, d->mem);
    input->state = input->check ? TROD_INPUT_CHECK : TROD_INPUT_SKIPPED;
    for (uint32_t i = 0; !input->check && i < m->join.njoined; i++) {
        const struct trod_joined *j = &m->join.joined[i];

        /* New code can be reached from functions that changed or were replaced. */
        if ((trod_has(m->again, i) || (d->news && trod_has(d->changed, i))) &&
            ran(m, input, j) && !is_clean(m, input, i)) {
            input->state = TROD_INPUT_RUN;
            if (!input->why)
                input->why = j->in_new ? j->new_name : j->name;
        }
    }
}
