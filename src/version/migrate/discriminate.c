#include "migrate/migrator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- affected units ---------------------------------------------------------------------------------------- */

static uint32_t above(
    const struct trod_constructs *of, uint32_t construct, uint32_t level)
{
    while (of->construct[construct].level < level &&
           of->construct[construct].parent != TROD_NO_CONSTRUCT)
        construct = of->construct[construct].parent;
    return construct;
}

/* The innermost construct of at least a level that contains a line of the function. */
uint32_t trod_migrate_at_line(
    const struct trod_constructs *of, uint32_t function, uint32_t line, uint32_t level)
{
    uint32_t best = function;

    for (uint32_t i = function + 1; line && i < of->construct[function].next; i++) {
        const struct trod_construct *c = &of->construct[i];

        if (c->level >= level && c->file == of->construct[function].file &&
            c->line <= line && line <= c->last)
            best = i;
    }
    return best;
}

bool trod_migrate_is_affected(struct migrator *d, uint32_t construct)
{
    const struct trod_constructs *old = d->m->changes->old;
    uint32_t top = above(old, construct, d->m->level);

    if (!d->affected)
        d->affected = trod_new(d->mem, uint8_t, old->nconstruct);
    if (!d->affected[top]) {
        d->affected[top] = 1;
        for (uint32_t i = top; i < old->construct[top].next; i++)
            if (trod_has(d->m->impact->affected_of_old, i))
                d->affected[top] = 2;
    }
    return d->affected[top] == 2;
}

/* Compare the map entries, if the construct is unknown. */
static bool differs(const struct trod_joined *j, const char **why)
{
    if (!j->old || !j->later) {
        *why = "its construct is unknown, and it is in the map of one version at most";
        return true;
    }
    if (j->old->meaning && j->later->meaning) {
        *why = "its meaning differs";
        return j->old->meaning != j->later->meaning;
    }
    if (j->match && j->old->hash_of_node && j->later->hash_of_node) {
        *why = "its blocks differ";
        return !j->match->same;
    }
    *why = "only its graph is known: build with this version of trod";
    return true;
}

/* Replace the line breaks of a message. */
static void join_lines(char *text)
{
    char *to = text;

    for (const char *from = text; *from; from++) {
        if (*from != '\n') {
            *to++ = *from;
            continue;
        }
        while (from[1] == ' ' || from[1] == '\n')
            from++;
        if (from[1]) {
            if (to > text && to[-1] != ',')
                *to++ = ',';
            *to++ = ' ';
        }
    }
    *to = '\0';
}

static const char *reason(struct migrator *d, uint32_t construct)
{
    struct trod_string text;

    if (d->m->impact->change_of_old[construct] != TROD_NO_CONSTRUCT) {
        trod_string_init(&text, d->mem);
        trod_impact_explain(&text.sink, d->m->impact, d->m->changes, construct);
        join_lines(text.text);
        return text.text;
    }
    return "it changed, or what it depends on did";
}

static bool is_flagged(struct migrator *d, const struct trod_joined *j, uint32_t line,
    bool is_loop, const char **why)
{
    const struct trod_migration *m = d->m;
    uint32_t c = j->construct;

    *why = NULL;
    if (m->method == TROD_IMPACT_BLIND)
        return false;
    if (m->method == TROD_IMPACT_NONE) {
        *why = "everything is profiled again";
        return true;
    }
    if (!m->impact || c == TROD_NO_CONSTRUCT) {
        if (differs(j, why))
            return true;
        *why = NULL;
        return false;
    }
    if (is_loop)
        c = trod_migrate_at_line(m->changes->old, c, line, TROD_LEVEL_LOOP);
    if (!trod_migrate_is_affected(d, c))
        return false;
    *why = reason(d, c);
    return true;
}

/* --- one unit ----------------------------------------------------------------------------------------------------- */

static bool has_same_blocks(const struct trod_joined *j, uint32_t part)
{
    if (!j->match)
        return false;
    return j->match->same || (part != TROD_NONE && trod_has(j->match->same_loop, part));
}

static bool is_mapped(const struct trod_migration *m, const struct trod_joined *j,
    const struct trod_migrate_unit *u)
{
    if (u->part != TROD_NONE)
        return u->new_part != TROD_NONE;
    if (!trod_carry_has_parts(m->type.name) || j->match)
        return true;
    return (!j->old && !j->later) || (j->old && j->later && !j->many &&
                                         j->old->graph_hash == j->later->graph_hash &&
                                         j->old->cuts_hash == j->later->cuts_hash);
}

static void decide_unit(struct migrator *d, struct trod_migrate_unit *u)
{
    const struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[u->joined];

    if (!j->in_old || !j->in_new) {
        u->fate = j->in_old ? TROD_UNIT_GONE : TROD_UNIT_NEW;
    } else if (is_flagged(d, j, u->line, u->part != TROD_NONE, &u->why)) {
        u->fate = TROD_UNIT_AFFECTED;
        if (m->method == TROD_IMPACT_OWN && !j->many && has_same_blocks(j, u->part))
            u->fate = TROD_UNIT_SAME;
    } else if (!is_mapped(m, j, u)) {
        u->fate = TROD_UNIT_UNMAPPED;
        u->why = j->many ? "several functions of this name and file have other graphs"
                         : "its counterpart in the new function is unknown";
    }
}

static void add_unit(struct migrator *d, uint32_t joined, uint32_t part, uint32_t line)
{
    struct trod_migration *m = d->m;
    struct trod_migrate_unit *u;

    trod_reserve(d->mem, m->unit, m->nunit, d->room_unit);
    u = &m->unit[m->nunit++];
    *u = (struct trod_migrate_unit){
        .joined = joined, .part = part, .new_part = TROD_NONE, .line = line};
    if (part != TROD_NONE && m->join.joined[joined].in_new)
        u->new_part = trod_carry_loop(&m->join.joined[joined], part);
    decide_unit(d, u);
}

/* One unit for each loop where levels allow it, otherwise one for the function. */
static void add_units(struct migrator *d, uint32_t joined)
{
    const struct trod_joined *j = &d->m->join.joined[joined];
    struct trod_order order;
    struct trod_loops loops;

    if (d->m->level > TROD_LEVEL_LOOP || strcmp(d->m->type.name, "loops") != 0 ||
        !j->old) {
        add_unit(d, joined, TROD_NONE, 0);
        return;
    }
    trod_graph_order(&order, j->old->numbering.dag->graph, d->mem);
    trod_graph_loops(&loops, j->old->numbering.dag->graph, &order, d->mem);
    for (uint32_t i = 0; i < loops.nloop; i++)
        add_unit(d, joined, i, trod_flow_line(j->old, loops.header_of_loop[i]));
}

/* --- functions to profile again ----------------------------------------------------------------------------------- */

static uint32_t count_loops(const struct trod_map_entry *entry, struct trod_arena *mem)
{
    const struct trod_graph *graph = entry->numbering.dag->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    struct trod_loops loops;

    trod_graph_order(&order, graph, mem);
    trod_graph_loops(&loops, graph, &order, mem);
    trod_arena_rewind(mem, mark);
    return loops.nloop;
}

/* Does the new version have a loop without an old counterpart? Then the function must be profiled. */
static bool has_new_loop(
    const struct trod_migration *m, uint32_t joined, uint32_t nloop)
{
    uint32_t first = m->first_unit[joined], end = m->first_unit[joined + 1], n = 0;

    for (uint32_t i = first; i < end; i++)
        n += m->unit[i].part != TROD_NONE && m->unit[i].new_part != TROD_NONE;
    return nloop > n && !(first < end && m->unit[first].part == TROD_NONE);
}

static bool must_profile(struct migrator *d, uint32_t joined)
{
    const struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[joined];
    bool loops = strcmp(m->type.name, "loops") == 0, again = false;
    uint32_t nloop = loops && j->later ? count_loops(j->later, d->mem) : 0;

    for (uint32_t k = m->first_unit[joined]; k < m->first_unit[joined + 1]; k++)
        again |= !trod_fate_is_exempt(m->unit[k].fate);
    /* A function without loops has no entries. */
    if (loops && j->later)
        again = nloop && (again || (m->method != TROD_IMPACT_BLIND && j->in_old &&
                                       has_new_loop(m, joined, nloop)));
    return again && j->in_new && (j->later || !m->new_map);
}

/* Did the function change, whether or not it has entries? New code may be called from it. */
static bool has_changed(struct migrator *d, uint32_t joined)
{
    const struct trod_migration *m = d->m;
    const struct trod_joined *j = &m->join.joined[joined];
    uint32_t first = m->first_unit[joined], end = m->first_unit[joined + 1];
    const char *why;

    if (!j->in_old || !j->in_new)
        return j->in_old; /* deleted, perhaps replaced by a new function */
    if (first < end && m->unit[first].part == TROD_NONE)
        return !trod_fate_is_exempt(m->unit[first].fate);
    return is_flagged(d, j, 0, false, &why) &&
           !(m->method == TROD_IMPACT_OWN && has_same_blocks(j, TROD_NONE));
}

static void choose_functions(struct migrator *d)
{
    struct trod_migration *m = d->m;

    m->again = trod_new(d->mem, uint64_t, TROD_WORDS(m->join.njoined));
    d->changed = trod_new(d->mem, uint64_t, TROD_WORDS(m->join.njoined));
    for (uint32_t i = 0; i < m->join.njoined; i++) {
        if (must_profile(d, i)) {
            trod_add(m->again, i);
            d->news |= !m->join.joined[i].in_old;
        }
        if (has_changed(d, i))
            trod_add(d->changed, i);
    }
}

/* --- lookup ----------------------------------------------------------------------------------------------- */

const struct trod_migrate_unit *trod_migrate_unit_of(
    const struct trod_migration *m, uint32_t joined, uint32_t part)
{
    uint32_t first = m->first_unit[joined], n = m->first_unit[joined + 1] - first;

    if (n && m->unit[first].part == TROD_NONE)
        return &m->unit[first];
    return part < n ? &m->unit[first + part] : NULL;
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

static bool check_inputs(const struct trod_migration *m, struct trod_err *err)
{
    if (!m->ninput)
        return trod_fail(err, TROD_E_INPUT,
            "there is no old profile to migrate; name one for each input");
    for (uint32_t i = 0; i < m->ninput; i++) {
        if (!trod_entries_sum(&m->input[i].old))
            return trod_fail(err, TROD_E_INPUT,
                "the old profile of input '%s' has only counts of 0, so there is nothing to migrate; was the "
                "program run, and could it write?",
                m->input[i].name);
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(m->input[i].name, m->input[k].name) == 0)
                return trod_fail(err, TROD_E_INPUT,
                    "two profiles are of input '%s'; give them different names, as "
                    "NAME=FILE",
                    m->input[i].name);
    }
    return true;
}

/* Replace file names of other profilers by those of the map. */
static void adopt_entries(struct trod_migration *m)
{
    for (uint32_t i = 0; i < m->ninput; i++) {
        struct trod_entries *old = &m->input[i].old, *check = m->input[i].check;

        for (uint32_t k = 0; !m->input[i].flows && k < old->nentry; k++) {
            uint32_t j =
                trod_join_find(&m->join, old->entry[k].function, old->entry[k].file);

            if (j != TROD_NONE)
                old->entry[k].file = m->join.joined[j].file;
        }
        for (uint32_t k = 0; check && !m->input[i].check_flows && k < check->nentry;
            k++) {
            uint32_t j = trod_join_find_new(
                &m->join, check->entry[k].function, check->entry[k].file);

            if (j != TROD_NONE)
                check->entry[k].file = m->join.joined[j].new_file;
        }
        trod_entries_order(old);
        if (check)
            trod_entries_order(check);
    }
}

static bool find_level(struct trod_migration *m, struct trod_err *err)
{
    uint32_t level = TROD_LEVEL_STATEMENT;

    if (m->impact)
        level = m->impact->level;
    else if (m->method == TROD_IMPACT_OWN)
        level = TROD_LEVEL_LOOP;
    else if (m->method != TROD_IMPACT_NONE && m->method != TROD_IMPACT_BLIND)
        return trod_fail(err, TROD_E_INPUT,
            "this method needs the constructs of both versions, and there are none; name "
            "versions whose sources can be read, or use --method=own");
    m->level = level > m->type.level ? level : m->type.level;
    return true;
}

bool trod_migrate_decide(
    struct trod_migration *m, struct trod_arena *mem, struct trod_err *err)
{
    struct migrator d = {.m = m, .mem = mem};
    uint32_t *first;

    if (!check_inputs(m, err) || !find_level(m, err))
        return false;
    trod_join_build(&m->join, m->old_map, m->new_map, m->changes, mem);
    adopt_entries(m);
    first = trod_new(mem, uint32_t, (size_t)m->join.njoined + 1);
    m->first_unit = first;
    for (uint32_t i = 0; i < m->join.njoined; i++) {
        first[i] = m->nunit;
        add_units(&d, i);
    }
    first[m->join.njoined] = m->nunit;
    if (m->method == TROD_IMPACT_OWN)
        trod_migrate_check_units(&d);
    choose_functions(&d);
    for (uint32_t i = 0; i < m->ninput; i++)
        trod_migrate_plan_input(&d, &m->input[i]);
    return true;
}
