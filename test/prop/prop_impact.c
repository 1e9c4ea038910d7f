/* Impact: random programs of two versions, with random calls and dependences. A slice is what all ways through the
 * dependences reach, found by multiplying them out. What comes after a change is looked for by running programs, and by
 * asking for every pair of calls. Methods contain each other as they should, and every result is sound and comes back
 * from its text.
 */
#include "kit/kit.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "impact/impact.h"
#include "prop/scratch.h"

enum fault {
    FAULT_NONE,
    EDGE_FORGOTTEN,
    CHANGE_FORGOTTEN,
    CALL_FORGOTTEN,
    LOOP_FORGOTTEN,
    BIT_TURNED,
    REASON_TURNED,
    CHARACTER_GONE
};

enum {
    MOST_FUNCTIONS = 4,
    MOST_STATEMENTS = 5,
    MOST_CALLS = 2,
    MOST_NODES = 14,
    MOST_CONSTRUCTS = 1 + MOST_FUNCTIONS * (MOST_STATEMENTS + 3)
};

/* --- programs ---------------------------------------------------------------------------------------- */

struct statement {
    bool in_old, in_new, edited;
    uint32_t ncall;
    uint32_t callee[MOST_CALLS];
    uint32_t old, later; /* constructs, or none */
};

/* Statements from..to are in a loop, and some of these in another. */
struct function {
    uint32_t nstatement;
    struct statement statement[MOST_STATEMENTS];
    uint32_t from, to;
    uint32_t inner_from, inner_to;
    bool in_old, in_new;
    bool shapes_differ;
    uint32_t old, later, loop_old, loop_new, inner_old, inner_new;
};

struct program {
    struct function function[MOST_FUNCTIONS];
    uint32_t nfunction;
    struct trod_constructs old, later;
    struct trod_changes changes;
};

static void draw_statement(
    struct statement *s, const struct program *g, struct kit_prop *p)
{
    uint64_t what = kit_draw(p, 12);

    s->in_old = what != 11;
    s->in_new = what != 10;
    s->edited = what == 9;
    s->ncall = (uint32_t)kit_draw(p, MOST_CALLS + 1);
    for (uint32_t i = 0; i < s->ncall; i++)
        s->callee[i] = (uint32_t)kit_draw(p, g->nfunction);
}

static void draw_program(struct program *g, struct kit_prop *p)
{
    memset(g, 0, sizeof *g);
    g->nfunction = 1 + (uint32_t)kit_draw(p, MOST_FUNCTIONS);
    for (uint32_t i = 0; i < g->nfunction; i++) {
        struct function *f = &g->function[i];
        uint64_t what = kit_draw(p, 14);

        f->in_old = what != 13;
        f->in_new = what != 12;
        f->shapes_differ = kit_draw(p, 4) == 3;
        f->nstatement = 1 + (uint32_t)kit_draw(p, MOST_STATEMENTS);
        for (uint32_t k = 0; k < f->nstatement; k++) {
            draw_statement(&f->statement[k], g, p);
            f->statement[k].in_old &= f->in_old;
            f->statement[k].in_new &= f->in_new;
            f->statement[k].edited &= f->statement[k].in_old && f->statement[k].in_new;
        }
        f->from = (uint32_t)kit_draw(p, f->nstatement + 1);
        f->to = f->from + (uint32_t)kit_draw(p, f->nstatement + 1 - f->from);
        f->inner_from = f->from + (uint32_t)kit_draw(p, f->to - f->from + 1);
        f->inner_to = f->inner_from + (uint32_t)kit_draw(p, f->to - f->inner_from + 1);
    }
}

static bool has_loop(const struct function *f)
{
    return f->to > f->from;
}

static bool has_inner(const struct function *f)
{
    return f->inner_to > f->inner_from;
}

static bool is_in(const struct function *f, const struct statement *s, bool old)
{
    return old ? f->in_old && s->in_old : f->in_new && s->in_new;
}

/* Statement k stands in line 100 * function + 10 * k + 10 in both versions. */
static uint32_t line_of(uint32_t function, uint32_t k)
{
    return 100 * (function + 1) + 10 * k + 10;
}

static uint64_t hash_of_statement(
    uint32_t i, uint32_t k, const struct statement *s, bool old)
{
    return 1 + line_of(i, k) * 4 + (s->edited && !old);
}

static uint64_t hash_of_rows(
    const struct function *f, uint32_t i, uint32_t from, uint32_t to, bool old)
{
    uint64_t hash = from * 7 + to;

    for (uint32_t k = from; k < to; k++)
        if (is_in(f, &f->statement[k], old))
            hash = trod_mix(hash, hash_of_statement(i, k, &f->statement[k], old));
    return hash;
}

static void print_loop(struct trod_sink *sink, const struct function *f, uint32_t i,
    uint32_t from, uint32_t to, uint32_t depth, bool old, uint32_t own)
{
    trod_put(sink,
        "%" PRIu32 " loop for %" PRIu32 " %" PRIu32 " %016" PRIx64 " %016x\n", depth,
        line_of(i, from) - 5 - (depth == 1), line_of(i, to - 1) + 1,
        hash_of_rows(f, i, from, to, old), own);
}

static uint32_t print_function(
    struct trod_sink *sink, struct program *g, uint32_t i, bool old, uint32_t number)
{
    static const char *const name[] = {"main", "a", "b", "c"};
    struct function *f = &g->function[i];
    uint32_t depth = 1;

    *(old ? &f->old : &f->later) = number++;
    trod_put(sink, "0 function %u %u %016" PRIx64 " %016x %s shape %016x\n",
        100 * (i + 1), 100 * (i + 1) + 99, hash_of_rows(f, i, 0, f->nstatement, old),
        5 + i, name[i], 1 + (f->shapes_differ && !old));
    for (uint32_t k = 0; k < f->nstatement; k++) {
        struct statement *s = &f->statement[k];

        if (k == f->to)
            depth = 1;
        if (has_loop(f) && k == f->from) {
            *(old ? &f->loop_old : &f->loop_new) = number++;
            print_loop(sink, f, i, f->from, f->to, depth++, old, 0x100 + i);
        }
        if (has_inner(f) && k == f->inner_to && k < f->to)
            depth = 2;
        if (has_inner(f) && k == f->inner_from) {
            *(old ? &f->inner_old : &f->inner_new) = number++;
            print_loop(sink, f, i, f->inner_from, f->inner_to, depth++, old, 0x200 + i);
        }
        if (!is_in(f, s, old))
            continue;
        *(old ? &s->old : &s->later) = number++;
        trod_put(sink,
            "%" PRIu32 " statement call %" PRIu32 " %" PRIu32 " %016" PRIx64
            " %016" PRIx64 "\n",
            depth, line_of(i, k), line_of(i, k), hash_of_statement(i, k, s, old),
            hash_of_statement(i, k, s, old));
        assert(s->ncall <= MOST_CALLS);
        for (uint32_t c = 0; c < s->ncall; c++)
            trod_put(sink, "calls %s\n", name[s->callee[c]]);
    }
    return number;
}

static bool parse_version(
    struct trod_constructs *out, struct program *g, bool old, struct sample *s)
{
    struct trod_string string;
    struct trod_text text;
    uint32_t number = 1;

    trod_string_init(&string, &s->mem);
    trod_put(&string.sink, "constructs %s\nunit a.c\nin a.c\n", old ? "v1" : "v2");
    for (uint32_t i = 0; i < g->nfunction; i++)
        if (old ? g->function[i].in_old : g->function[i].in_new)
            number = print_function(&string.sink, g, i, old, number);
    trod_text_init(&text, old ? "old" : "new", string.text, string.length);
    return trod_constructs_parse(out, &text, &s->mem, &s->err) &&
           out->nconstruct == number && trod_constructs_check(out, &s->err);
}

static bool is_changed_range(const struct function *f, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++) {
        const struct statement *s = &f->statement[k];

        if (s->edited || s->in_old != s->in_new)
            return true;
    }
    return false;
}

static bool is_changed(const struct function *f)
{
    return f->in_old != f->in_new || is_changed_range(f, 0, f->nstatement);
}

static void map_pair(struct trod_changes *c, uint32_t old, uint32_t new, bool same)
{
    c->new_of_old[old] = new;
    c->old_of_new[new] = old;
    if (same) {
        trod_add(c->same_of_old, old);
        trod_add(c->same_of_new, new);
    }
}

static void add_change(
    struct trod_changes *c, enum trod_change_kind kind, uint32_t old, uint32_t new)
{
    c->change[c->nchange++] = (struct trod_change){kind, old, new};
}

static void map_function(struct trod_changes *c, const struct function *f)
{
    if (f->in_old && f->in_new) {
        map_pair(c, f->old, f->later, !is_changed(f));
        if (has_loop(f))
            map_pair(c, f->loop_old, f->loop_new, !is_changed_range(f, f->from, f->to));
        if (has_inner(f))
            map_pair(c, f->inner_old, f->inner_new,
                !is_changed_range(f, f->inner_from, f->inner_to));
    } else if (f->in_old) {
        add_change(c, TROD_CHANGE_DELETED, f->old, TROD_NO_CONSTRUCT);
    } else if (f->in_new) {
        add_change(c, TROD_CHANGE_ADDED, TROD_NO_CONSTRUCT, f->later);
    }
    for (uint32_t k = 0; k < f->nstatement && f->in_old && f->in_new; k++) {
        const struct statement *s = &f->statement[k];

        if (s->in_old && s->in_new)
            map_pair(c, s->old, s->later, !s->edited);
        if (s->edited)
            add_change(c, TROD_CHANGE_EDITED, s->old, s->later);
        else if (s->in_old && !s->in_new)
            add_change(c, TROD_CHANGE_DELETED, s->old, TROD_NO_CONSTRUCT);
        else if (s->in_new && !s->in_old)
            add_change(c, TROD_CHANGE_ADDED, TROD_NO_CONSTRUCT, s->later);
    }
}

static bool build_program(struct program *g, struct sample *s, struct kit_prop *p)
{
    struct trod_changes *c = &g->changes;

    draw_program(g, p);
    if (!parse_version(&g->old, g, true, s) || !parse_version(&g->later, g, false, s))
        return false;
    *c = (struct trod_changes){.old = &g->old, .later = &g->later};
    c->new_of_old = trod_new(&s->mem, uint32_t, MOST_CONSTRUCTS);
    c->old_of_new = trod_new(&s->mem, uint32_t, MOST_CONSTRUCTS);
    c->same_of_old = trod_new(&s->mem, uint64_t, TROD_WORDS(MOST_CONSTRUCTS));
    c->same_of_new = trod_new(&s->mem, uint64_t, TROD_WORDS(MOST_CONSTRUCTS));
    c->change = trod_new(&s->mem, struct trod_change, MOST_CONSTRUCTS);
    for (uint32_t i = 0; i < MOST_CONSTRUCTS; i++)
        c->new_of_old[i] = c->old_of_new[i] = TROD_NO_CONSTRUCT;
    map_pair(c, 0, 0, false);
    for (uint32_t i = 0; i < g->nfunction; i++)
        map_function(c, &g->function[i]);
    c->significance = (double)kit_draw(p, 3) / 10;
    return true;
}

static bool failed(struct sample *s, struct kit_prop *p)
{
    kit_note(p, "%s", s->err.text);
    return end(s, false);
}

/* --- slices ------------------------------------------------------------------------------------------------ */

/* A node is of a statement, or of memory if it is of none. */
struct web {
    uint32_t nnode;
    uint32_t function[MOST_NODES], statement[MOST_NODES];
    bool memory[MOST_NODES];
    bool edge[MOST_NODES][MOST_NODES];
    struct trod_depends depends;
};

static void draw_web(
    struct web *w, const struct program *g, bool old, struct kit_prop *p)
{
    uint32_t nedge;

    memset(w, 0, sizeof *w);
    w->nnode = (uint32_t)kit_draw(p, MOST_NODES + 1);
    for (uint32_t v = 0; v < w->nnode; v++) {
        const struct function *f;

        w->function[v] = (uint32_t)kit_draw(p, g->nfunction);
        f = &g->function[w->function[v]];
        w->statement[v] = (uint32_t)kit_draw(p, f->nstatement);
        w->memory[v] =
            kit_draw(p, 5) == 4 || !is_in(f, &f->statement[w->statement[v]], old);
    }
    nedge = w->nnode ? (uint32_t)kit_draw(p, 2 * (uint64_t)w->nnode) : 0;
    for (uint32_t e = 0; e < nedge; e++)
        w->edge[kit_draw(p, w->nnode)][kit_draw(p, w->nnode)] = true;
}

static bool build_web(struct web *w, struct sample *s)
{
    static const char *const name[] = {"main", "a", "b", "c"};
    struct trod_depends_builder *b = trod_depends_begin(&s->mem);
    struct trod_string string;
    struct trod_text text;

    trod_string_init(&string, &s->mem);
    trod_put(&string.sink, "depends v\nunit a.c\nfile 1 a.c\n");
    for (uint32_t v = 0; v < w->nnode; v++) {
        if (w->memory[v])
            trod_put(&string.sink, "memory %" PRIu32 "\n", v);
        else
            trod_put(&string.sink, "node %" PRIu32 " %s 1 %" PRIu32 "\n", v,
                name[w->function[v]], line_of(w->function[v], w->statement[v]));
        for (uint32_t u = 0; u < w->nnode; u++)
            if (w->edge[v][u])
                trod_put(&string.sink, "%" PRIu32 " -> %" PRIu32 "\n", v, u);
    }
    trod_text_init(&text, "depends", string.text, string.length);
    if (!trod_depends_add(b, &text, &s->err))
        return false;
    trod_depends_build(&w->depends, b);
    return trod_depends_check(&w->depends, &s->err);
}

/* All ways, by Warshall. */
static void multiply_out(bool way[MOST_NODES][MOST_NODES], const struct web *w)
{
    memcpy(way, w->edge, sizeof w->edge);
    for (uint32_t k = 0; k < w->nnode; k++)
        for (uint32_t i = 0; i < w->nnode; i++)
            for (uint32_t j = 0; j < w->nnode; j++)
                way[i][j] |= way[i][k] && way[k][j];
}

static bool is_start(const struct function *f, const struct statement *s, bool old)
{
    return s->edited || (f->in_old != f->in_new) || (old ? !s->in_new : !s->in_old);
}

/* Statements of either version: hit[function][statement]. */
static void hit_by_web(bool hit[MOST_FUNCTIONS][MOST_STATEMENTS],
    const struct program *g, const struct web *w, bool old, unsigned fault)
{
    bool way[MOST_NODES][MOST_NODES];

    multiply_out(way, w);
    for (uint32_t i = 0; i < g->nfunction; i++)
        for (uint32_t k = 0; k < g->function[i].nstatement; k++) {
            const struct statement *s = &g->function[i].statement[k];

            if (is_in(&g->function[i], s, old) && is_start(&g->function[i], s, old))
                hit[i][k] = fault != CHANGE_FORGOTTEN || !s->edited;
        }
    for (uint32_t v = 0; v < w->nnode; v++) {
        const struct function *f = &g->function[w->function[v]];

        if (w->memory[v] || !is_start(f, &f->statement[w->statement[v]], old))
            continue;
        for (uint32_t u = 0; u < w->nnode; u++)
            if (way[v][u] && !w->memory[u])
                hit[w->function[u]][w->statement[u]] = true;
    }
}

/* Loops and functions are hit if anything in them is, in either version. */
static bool is_hit_range(
    const struct function *f, const bool *hit, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        if (hit[k] && (f->statement[k].in_old || f->statement[k].in_new))
            return true;
    return false;
}

static bool expect(const struct trod_impact *impact, uint32_t construct, bool hit,
    const char *what, struct kit_prop *p)
{
    if (trod_has(impact->affected_of_old, construct) == hit)
        return true;
    kit_note(p, "%s, construct %" PRIu32 ", should be %d", what, construct, hit);
    return false;
}

static bool compare_function(const struct function *f, const bool *hit,
    const struct trod_impact *impact, struct kit_prop *p)
{
    bool gone = !f->in_new;

    for (uint32_t k = 0; k < f->nstatement; k++)
        if (f->statement[k].in_old &&
            !expect(impact, f->statement[k].old, gone || hit[k], "a statement", p))
            return false;
    return expect(impact, f->old, gone || is_hit_range(f, hit, 0, f->nstatement),
               "a function", p) &&
           (!has_loop(f) ||
               expect(impact, f->loop_old, gone || is_hit_range(f, hit, f->from, f->to),
                   "a loop", p)) &&
           (!has_inner(f) ||
               expect(impact, f->inner_old,
                   gone || is_hit_range(f, hit, f->inner_from, f->inner_to),
                   "an inner loop", p));
}

static bool slice_is_closure(struct kit_prop *p, void *ctx)
{
    unsigned fault = ctx ? *(const unsigned *)ctx : FAULT_NONE;
    bool hit[MOST_FUNCTIONS][MOST_STATEMENTS] = {{false}};
    struct trod_impact impact;
    struct web old, new;
    struct program g;
    struct sample s;

    begin(&s);
    if (!build_program(&g, &s, p))
        return failed(&s, p);
    draw_web(&old, &g, true, p);
    draw_web(&new, &g, false, p);
    if (!build_web(&old, &s) || !build_web(&new, &s))
        return failed(&s, p);
    if (fault == EDGE_FORGOTTEN)
        for (uint32_t v = 0; v < old.nnode; v++)
            old.edge[v][0] = false;
    hit_by_web(hit, &g, &old, true, fault);
    hit_by_web(hit, &g, &new, false, fault);
    if (!trod_impact_find(&impact, TROD_IMPACT_SL,
            &(struct trod_impact_input){
                .changes = &g.changes, .old = &old.depends, .later = &new.depends},
            &s.mem, &s.err) ||
        !trod_impact_check(&impact, &g.changes, &s.mem, &s.err))
        return failed(&s, p);
    for (uint32_t i = 0; i < g.nfunction; i++)
        if (g.function[i].in_old &&
            !compare_function(&g.function[i], hit[i], &impact, p))
            return end(&s, false);
    return end(&s, true);
}

/* --- what comes after ------------------------------------------------------------------------------------------ */

/* In one version: may[f] are functions that may be invoked after a changed one. */
struct after {
    const struct program *g;
    bool old;
    unsigned fault;
    bool calls[MOST_FUNCTIONS][MOST_FUNCTIONS];
    bool may[MOST_FUNCTIONS];
    bool back[MOST_FUNCTIONS]; /* may be running when a changed one returns */
};

static bool is_there(const struct after *a, uint32_t f)
{
    return a->old ? a->g->function[f].in_old : a->g->function[f].in_new;
}

static bool call_at(const struct after *a, uint32_t f, uint32_t k, uint32_t callee)
{
    const struct statement *s = &a->g->function[f].statement[k];

    if (!is_there(a, f) || !is_there(a, callee) ||
        !is_in(&a->g->function[f], s, a->old))
        return false;
    for (uint32_t c = 0; c < s->ncall; c++)
        if (s->callee[c] == callee)
            return true;
    return false;
}

/* May the call of y at statement n come after that of x at m, in one run of the function? */
static bool comes_after(
    const struct after *a, uint32_t f, uint32_t m, uint32_t x, uint32_t n, uint32_t y)
{
    const struct function *function = &a->g->function[f];

    if (a->fault != LOOP_FORGOTTEN && m >= function->from && m < function->to &&
        n >= function->from && n < function->to)
        return true;
    return n > m || (n == m && x != y);
}

static bool step_back(struct after *a, uint32_t f, uint32_t m, uint32_t x)
{
    bool more = !a->back[f];

    a->back[f] = true;
    for (uint32_t n = 0; n < a->g->function[f].nstatement; n++)
        for (uint32_t y = 0; y < a->g->nfunction; y++)
            if (call_at(a, f, n, y) && comes_after(a, f, m, x, n, y) && !a->may[y])
                a->may[y] = more = true;
    return more;
}

/* Until nothing more is found. */
static void look_after(struct after *a)
{
    bool more = true;

    for (uint32_t f = 0; f < a->g->nfunction; f++)
        if (is_there(a, f) && is_changed(&a->g->function[f]))
            a->may[f] = a->back[f] = true;
    while (more) {
        more = false;
        for (uint32_t f = 0; f < a->g->nfunction; f++)
            for (uint32_t m = 0; m < a->g->function[f].nstatement; m++)
                for (uint32_t x = 0; x < a->g->nfunction; x++) {
                    if (!call_at(a, f, m, x))
                        continue;
                    if (a->back[x])
                        more |= step_back(a, f, m, x);
                    if (a->may[f] && !a->may[x] && a->fault != CALL_FORGOTTEN)
                        a->may[x] = more = true;
                }
    }
    for (uint32_t f = 0; f < a->g->nfunction; f++)
        a->may[f] |= is_there(a, 0) && is_changed(&a->g->function[0]);
}

static bool ba_is_after(struct kit_prop *p, void *ctx)
{
    struct after old = {
        .old = true, .fault = ctx ? *(const unsigned *)ctx : FAULT_NONE};
    struct after new = {.fault = old.fault};
    struct trod_impact impact;
    struct program g;
    struct sample s;

    begin(&s);
    if (!build_program(&g, &s, p) ||
        !trod_impact_find(&impact, TROD_IMPACT_BA,
            &(struct trod_impact_input){.changes = &g.changes}, &s.mem, &s.err) ||
        !trod_impact_check(&impact, &g.changes, &s.mem, &s.err))
        return failed(&s, p);
    old.g = new.g = &g;
    look_after(&old);
    look_after(&new);
    for (uint32_t i = 0; i < g.nfunction; i++)
        if (g.function[i].in_old &&
            !expect(&impact, g.function[i].old,
                old.may[i] || (g.function[i].in_new && new.may[i]), "a function", p))
            return end(&s, false);
    return end(&s, true);
}

/* A run: statements in order, loops any number of times, calls or none. */
struct run {
    const struct program *g;
    const struct trod_impact *impact;
    struct kit_prop *p;
    uint32_t steps;
    bool reached; /* a changed function was invoked */
    unsigned fault;
};

static bool invoke(struct run *r, uint32_t f);

static bool run_range(struct run *r, uint32_t f, uint32_t from, uint32_t to)
{
    const struct function *function = &r->g->function[f];

    for (uint32_t k = from; k < to; k++) {
        const struct statement *s = &function->statement[k];

        /* Two calls of one function in a statement are one use. */
        for (uint32_t c = 0; s->in_old && c < s->ncall; c++)
            if (kit_draw(r->p, 2) && r->g->function[s->callee[c]].in_old &&
                (c == 0 || s->callee[c] != s->callee[0]) && !invoke(r, s->callee[c]))
                return false;
    }
    return true;
}

static bool invoke(struct run *r, uint32_t f)
{
    const struct function *function = &r->g->function[f];

    if (!r->steps)
        return true;
    r->steps--;
    r->reached |= is_changed(function);
    if (r->reached && (!trod_has(r->impact->affected_of_old, function->old) ||
                          (r->fault == CALL_FORGOTTEN && f == 1)))
        return false;
    if (!run_range(r, f, 0, function->from))
        return false;
    for (uint64_t n = kit_draw(r->p, 3); n > 0; n--)
        if (!run_range(r, f, function->from, function->to))
            return false;
    return run_range(r, f, function->to, function->nstatement);
}

static bool ba_covers_runs(struct kit_prop *p, void *ctx)
{
    struct trod_impact impact;
    struct program g;
    struct sample s;
    struct run r = {.g = &g,
        .impact = &impact,
        .p = p,
        .steps = 40,
        .fault = ctx ? *(const unsigned *)ctx : FAULT_NONE};

    begin(&s);
    if (!build_program(&g, &s, p) ||
        !trod_impact_find(&impact, TROD_IMPACT_BA,
            &(struct trod_impact_input){.changes = &g.changes}, &s.mem, &s.err))
        return failed(&s, p);
    return end(&s, !g.function[0].in_old || invoke(&r, 0));
}

/* --- all methods --------------------------------------------------------------------------------------------------- */

static bool is_within(const struct program *g, const struct trod_impact *small,
    const struct trod_impact *large, struct kit_prop *p)
{
    for (uint32_t c = 0; c < g->old.nconstruct; c++)
        if (g->old.construct[c].level == TROD_LEVEL_FUNCTION &&
            trod_has(small->affected_of_old, c) &&
            !trod_has(large->affected_of_old, c)) {
            kit_note(p, "%s has function %" PRIu32 ", %s has not",
                trod_impact_ways[small->method].name, c,
                trod_impact_ways[large->method].name);
            return false;
        }
    return true;
}

static bool are_as_defined(
    const struct program *g, const struct trod_impact *impact, struct kit_prop *p)
{
    for (uint32_t i = 0; i < g->nfunction; i++) {
        const struct function *f = &g->function[i];

        if (f->in_old &&
            (!expect(&impact[TROD_IMPACT_AG], f->old, is_changed(f), "ag", p) ||
                !expect(&impact[TROD_IMPACT_OWN], f->old, is_changed(f), "own", p) ||
                !expect(&impact[TROD_IMPACT_HASH], f->old,
                    !f->in_new || f->shapes_differ, "hash", p)))
            return false;
        if (f->in_old && f->in_new && has_loop(f) &&
            !expect(&impact[TROD_IMPACT_OWN], f->loop_old,
                is_changed_range(f, f->from, f->to), "own, a loop", p))
            return false;
        if (f->in_old && f->in_new && has_inner(f) &&
            !expect(&impact[TROD_IMPACT_OWN], f->inner_old,
                is_changed_range(f, f->inner_from, f->inner_to), "own, an inner loop",
                p))
            return false;
    }
    for (uint32_t c = 0; c < g->old.nconstruct; c++)
        if (!expect(&impact[TROD_IMPACT_NONE], c, true, "none", p) ||
            !expect(&impact[TROD_IMPACT_BLIND], c,
                g->changes.new_of_old[c] == TROD_NO_CONSTRUCT, "blind", p))
            return false;
    return is_within(g, &impact[TROD_IMPACT_AG], &impact[TROD_IMPACT_BA], p) &&
           is_within(g, &impact[TROD_IMPACT_OWN], &impact[TROD_IMPACT_AG], p) &&
           is_within(g, &impact[TROD_IMPACT_AG], &impact[TROD_IMPACT_SL], p) &&
           is_within(g, &impact[TROD_IMPACT_BA], &impact[TROD_IMPACT_NONE], p);
}

static bool find_all(struct trod_impact *out, struct program *g, struct web *old,
    struct web *new, struct sample *s, struct kit_prop *p)
{
    struct trod_impact_input input = {
        .changes = &g->changes, .old = &old->depends, .later = &new->depends};

    if (!build_program(g, s, p))
        return false;
    draw_web(old, g, true, p);
    draw_web(new, g, false, p);
    if (!build_web(old, s) || !build_web(new, s))
        return false;
    for (int m = 0; m < TROD_IMPACT_METHODS; m++)
        if (!trod_impact_find(
                &out[m], (enum trod_impact_method)m, &input, &s->mem, &s->err))
            return false;
    return true;
}

/* What is damaged is not what it is defined to be, or is not sound. */
static void damage(struct trod_impact *impact, const struct program *g, unsigned fault,
    struct kit_prop *p)
{
    uint32_t c = (uint32_t)kit_draw(p, g->old.nconstruct);

    if (fault == BIT_TURNED)
        impact->affected_of_old[0] ^= UINT64_C(1) << c;
    if (fault == REASON_TURNED)
        impact->from_of_old[c] = c;
}

static bool methods_are_as_defined(struct kit_prop *p, void *ctx)
{
    unsigned fault = ctx ? *(const unsigned *)ctx : FAULT_NONE;
    struct trod_impact impact[TROD_IMPACT_METHODS];
    struct program g;
    struct web old, new;
    struct sample s;

    begin(&s);
    if (!find_all(impact, &g, &old, &new, &s, p))
        return failed(&s, p);
    damage(&impact[kit_draw(p, TROD_IMPACT_METHODS)], &g, fault, p);
    for (int m = 0; m < TROD_IMPACT_METHODS; m++)
        if (!trod_impact_check(&impact[m], &g.changes, &s.mem, &s.err))
            return failed(&s, p);
    if ((impact[TROD_IMPACT_HYBRID].chosen == TROD_IMPACT_SL) !=
        (g.changes.significance > 0.1))
        return end(&s, false);
    return end(&s, are_as_defined(&g, impact, p));
}

static const char *print(const struct trod_impact *impact,
    const struct trod_changes *changes, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_impact_print(&text.sink, impact, changes);
    return text.text;
}

static bool text_comes_back(struct kit_prop *p, void *ctx)
{
    unsigned fault = ctx ? *(const unsigned *)ctx : FAULT_NONE;
    struct trod_impact impact[TROD_IMPACT_METHODS], back;
    struct trod_text text;
    struct program g;
    struct web old, new;
    struct sample s;
    const char *printed;
    size_t length;
    uint64_t m;

    begin(&s);
    m = kit_draw(p, TROD_IMPACT_METHODS);
    if (!find_all(impact, &g, &old, &new, &s, p))
        return failed(&s, p);
    printed = print(&impact[m], &g.changes, &s.mem);
    length = strlen(printed);
    if (fault == CHARACTER_GONE && length)
        length -= 1 + kit_draw(p, length);
    trod_text_init(&text, "printed", printed, length);
    if (!trod_impact_parse(&back, &g.changes, &text, &s.mem, &s.err) ||
        !trod_impact_check(&back, &g.changes, &s.mem, &s.err))
        return failed(&s, p);
    return end(&s, strcmp(printed, print(&back, &g.changes, &s.mem)) == 0);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"a slice is what all ways reach", slice_is_closure,
            {EDGE_FORGOTTEN, CHANGE_FORGOTTEN}},
        {"ba is what may be invoked after", ba_is_after,
            {CALL_FORGOTTEN, LOOP_FORGOTTEN}},
        {"ba has what runs invoke after", ba_covers_runs, {CALL_FORGOTTEN}},
        {"methods are as defined", methods_are_as_defined, {BIT_TURNED, REASON_TURNED}},
        {"text of impacts comes back", text_comes_back, {CHARACTER_GONE}},
    };

    return kit_run_tested("prop_impact", tested, sizeof tested / sizeof *tested);
}
