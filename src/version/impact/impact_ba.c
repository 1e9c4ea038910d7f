#include "impact/impact_analysis.h"
#include "base/order.h"

#include <string.h>

/* Bohner and Arnold, as ProfMig reads them: all functions that may be invoked after a changed one. These are
 *   - its callees, direct or indirect;
 *   - functions that its callers call after it returned, functions called after those callers returned, and so on up to
 *     main;
 *   - the callees of all of these.
 * Source order determines what follows a call within a function: everything after it, everything in the outermost loop
 * around it, and the whole function if it has a goto. A use of a function's name counts as a call, since its address
 * may be called.
 */

enum { NONE = TROD_NO_CONSTRUCT };

/* One version. The uses that are calls, indexed by caller and by callee. */
struct version {
    const struct trod_constructs *of;
    const uint32_t *function_of;
    const struct trod_construct_use **call;
    uint32_t ncall;
    uint32_t *
        first_of_function; /* [nconstruct + 1] first call in a function; its calls are contiguous */
    uint32_t *last_of_function;
    uint32_t *first_to; /* [nconstruct + 1] first caller of a function in `caller` */
    uint32_t *caller;   /* calls, sorted by callee */
    uint64_t *has_goto; /* set of functions */
    uint32_t *
        first_visited; /* [nconstruct] of functions that were returned to: the first call that was visited after that */
    uint8_t *
        nvisit; /* [ncall] of the first call of a statement: number of returns that were processed, up to 2 */

    uint64_t *after; /* set of functions: changed, or invoked after a changed one */
    uint64_t *
        returned; /* set of functions: changed, or may be active when a changed one returns */
    uint32_t *origin; /* [nconstruct] the changed function */
    uint32_t *from; /* [nconstruct] of functions in `after`: the predecessor, or NONE */
    uint32_t *order; /* functions in `after`, in the order in which they were found */
    uint32_t norder, ndone;
    uint32_t *up; /* functions in `returned`, in that order */
    uint32_t nup, nup_done;
};

/* --- calls of a version ----------------------------------------------------------------------------------- */

static bool is_call(const struct version *v, const struct trod_construct_use *use)
{
    return v->function_of[use->from] != NONE &&
           v->of->construct[use->to].level == TROD_LEVEL_FUNCTION;
}

static void index_callers(struct version *v)
{
    for (uint32_t i = 0; i < v->ncall; i++)
        v->first_to[v->call[i]->to + 1]++;
    for (uint32_t c = 0; c < v->of->nconstruct; c++)
        v->first_to[c + 1] += v->first_to[c];
    for (uint32_t i = v->ncall; i-- > 0;)
        v->caller[--v->first_to[v->call[i]->to + 1]] = i;
    /* The start of c is now at c + 1: shift down. */
    memmove(v->first_to, v->first_to + 1, v->of->nconstruct * sizeof *v->first_to);
    v->first_to[v->of->nconstruct] = v->ncall;
}

static void index_calls(struct version *v)
{
    for (uint32_t i = 0; i < v->of->nuse; i++)
        if (is_call(v, &v->of->use[i]))
            v->call[v->ncall++] = &v->of->use[i];
    for (uint32_t i = 0; i < v->ncall; i++) {
        uint32_t function = v->function_of[v->call[i]->from];

        if (v->first_of_function[function] == NONE)
            v->first_of_function[function] = i;
        v->last_of_function[function] = i + 1;
    }
    index_callers(v);
}

static void find_gotos(struct version *v)
{
    for (uint32_t c = 0; c < v->of->nconstruct; c++) {
        const struct trod_construct *construct = &v->of->construct[c];

        if (v->function_of[c] != NONE && v->function_of[c] != c &&
            strstr(v->of->kinds.name[construct->kind], "goto"))
            trod_add(v->has_goto, v->function_of[c]);
    }
}

static uint32_t *take_none(uint32_t count, struct trod_arena *mem)
{
    uint32_t *out = trod_new(mem, uint32_t, (size_t)count + 1);

    for (uint32_t i = 0; i <= count; i++)
        out[i] = NONE;
    return out;
}

static void open_version(struct version *v, const struct trod_constructs *of,
    const uint32_t *function_of, struct trod_arena *mem)
{
    uint32_t n = of->nconstruct;

    *v = (struct version){.of = of, .function_of = function_of};
    v->call = trod_new(mem, const struct trod_construct_use *, (size_t)of->nuse + 1);
    v->first_of_function = take_none(n, mem);
    v->last_of_function = take_none(n, mem);
    v->first_to = trod_new(mem, uint32_t, (size_t)n + 2);
    v->caller = trod_new(mem, uint32_t, (size_t)of->nuse + 1);
    v->has_goto = trod_new(mem, uint64_t, TROD_WORDS(n) + 1);
    v->first_visited = take_none(n, mem);
    v->nvisit = trod_new(mem, uint8_t, (size_t)of->nuse + 1);
    v->after = trod_new(mem, uint64_t, TROD_WORDS(n) + 1);
    v->returned = trod_new(mem, uint64_t, TROD_WORDS(n) + 1);
    v->origin = take_none(n, mem);
    v->from = take_none(n, mem);
    v->order = trod_new(mem, uint32_t, (size_t)n + 1);
    v->up = trod_new(mem, uint32_t, (size_t)n + 1);
    index_calls(v);
    find_gotos(v);
}

/* --- order of calls ------------------------------------------------------------------------------------------ */

static void add_after(
    struct version *v, uint32_t function, uint32_t origin, uint32_t from)
{
    if (trod_has(v->after, function))
        return;
    trod_add(v->after, function);
    v->origin[function] = origin;
    v->from[function] = from;
    v->order[v->norder++] = function;
}

static void add_returned(struct version *v, uint32_t function, uint32_t origin)
{
    if (trod_has(v->returned, function))
        return;
    trod_add(v->returned, function);
    /* A function that already follows another change keeps that one as its reason. */
    if (v->origin[function] == NONE)
        v->origin[function] = origin;
    v->up[v->nup++] = function;
}

/* The outermost loop around a construct within its function, or NONE. */
static uint32_t loop_around(const struct version *v, uint32_t c)
{
    uint32_t found = NONE;

    for (; v->of->construct[c].level != TROD_LEVEL_FUNCTION;
        c = v->of->construct[c].parent)
        if (v->of->construct[c].level == TROD_LEVEL_LOOP)
            found = c;
    return found;
}

/* Add the callees of all calls of a function from `first` on that were not visited before. */
static void look_from(
    struct version *v, uint32_t function, uint32_t first, uint32_t origin)
{
    uint32_t end = v->first_visited[function] == NONE ? v->last_of_function[function]
                                                      : v->first_visited[function];

    for (uint32_t i = first; i < end; i++)
        add_after(v, v->call[i]->to, origin, origin);
    if (first < end)
        v->first_visited[function] = first;
}

/* Other calls of the same statement: their order is unknown. Two visits that skip different calls see all of them. */
static void visit_same_statement(struct version *v, uint32_t call, uint32_t origin)
{
    uint32_t site = v->call[call]->from, first = call;

    while (first > 0 && v->call[first - 1]->from == site)
        first--;
    if (v->nvisit[first] == 2)
        return;
    v->nvisit[first]++;
    for (uint32_t i = first; i < v->ncall && v->call[i]->from == site; i++)
        if (i != call)
            add_after(v, v->call[i]->to, origin, origin);
}

static uint32_t first_call_of(const struct version *v, uint32_t function, uint32_t from)
{
    uint32_t low = TROD_LOWER_BOUND(middle, v->first_of_function[function],
        v->last_of_function[function], v->call[middle]->from < from);

    return low;
}

/* Control returns from a call: add everything that may be called next. */
static void visit_return(struct version *v, uint32_t call, uint32_t origin)
{
    uint32_t site = v->call[call]->from, function = v->function_of[site];
    uint32_t loop = loop_around(v, site);

    add_returned(v, function, origin);
    if (trod_has(v->has_goto, function)) {
        look_from(v, function, v->first_of_function[function], origin);
        return;
    }
    if (loop != NONE) {
        look_from(v, function, first_call_of(v, function, loop), origin);
        return;
    }
    look_from(v, function, first_call_of(v, function, site + 1), origin);
    visit_same_statement(v, call, origin);
}

static void close_version(struct version *v)
{
    while (v->nup_done < v->nup) {
        uint32_t function = v->up[v->nup_done++];

        for (uint32_t i = v->first_to[function]; i < v->first_to[function + 1]; i++)
            visit_return(v, v->caller[i], v->origin[function]);
    }
    while (v->ndone < v->norder) {
        uint32_t function = v->order[v->ndone++];

        if (v->first_of_function[function] == NONE)
            continue;
        for (uint32_t i = v->first_of_function[function];
            i < v->last_of_function[function]; i++)
            add_after(v, v->call[i]->to, v->origin[function], function);
    }
}

static void start_at(struct version *v, uint32_t function)
{
    add_after(v, function, function, NONE);
    add_returned(v, function, function);
}

/* --- both versions --------------------------------------------------------------------------------------------- */

/* If main changed, every function comes after it. */
static bool is_main(const struct trod_constructs *of, uint32_t function)
{
    return of->construct[function].name &&
           strcmp(of->construct[function].name, "main") == 0;
}

static void start_all(struct version *v, const uint32_t *other, const uint64_t *same)
{
    uint32_t main_function = NONE;

    for (uint32_t c = 0; c < v->of->nconstruct; c++) {
        if (v->of->construct[c].level != TROD_LEVEL_FUNCTION ||
            (other[c] != NONE && trod_has(same, c)))
            continue;
        start_at(v, c);
        if (is_main(v->of, c))
            main_function = c;
    }
    for (uint32_t c = 0; main_function != NONE && c < v->of->nconstruct; c++)
        if (v->of->construct[c].level == TROD_LEVEL_FUNCTION)
            add_after(v, c, main_function, main_function);
    close_version(v);
}

static void mark_old(struct trod_impact_analysis *a, const struct version *v)
{
    for (uint32_t i = 0; i < v->norder; i++) {
        uint32_t function = v->order[i], from = v->from[function];

        if (from == NONE)
            trod_impact_mark_changed(a, function);
        else
            trod_impact_mark_function(a, function, a->out->change_of_old[from], from);
    }
}

/* Mark old functions that come after a change in the new version only. The reason skips functions that only the new
 * version has.
 */
static void mark_new(struct trod_impact_analysis *a, const struct version *v)
{
    uint32_t *near = take_none(v->of->nconstruct, a->mem);

    for (uint32_t i = 0; i < v->norder; i++) {
        uint32_t function = v->order[i], from = v->from[function];
        uint32_t old = a->changes->old_of_new[function];
        uint32_t through = from == NONE ? NONE : near[from];

        near[function] = old == NONE ? through : old;
        if (old == NONE)
            continue;
        trod_impact_mark_function(
            a, old, through == NONE ? NONE : a->out->change_of_old[through], through);
    }
}

bool trod_impact_find_ba(struct trod_impact *out, const struct trod_impact_input *input,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_changes *changes = input->changes;
    struct version old, new;
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, changes, mem);
    open_version(&old, changes->old, a.function_of_old, mem);
    start_all(&old, changes->new_of_old, changes->same_of_old);
    mark_old(&a, &old);
    open_version(&new, changes->later, a.function_of_new, mem);
    start_all(&new, changes->old_of_new, changes->same_of_new);
    mark_new(&a, &new);
    trod_impact_mark_outside(&a);
    trod_impact_finish(&a, false);
    return true;
}
