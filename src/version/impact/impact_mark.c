#include "impact/impact_analysis.h"

enum { NONE = TROD_NO_CONSTRUCT };

uint32_t *trod_impact_functions(
    const struct trod_constructs *of, struct trod_arena *mem)
{
    uint32_t *function = trod_new(mem, uint32_t, (size_t)of->nconstruct + 1);

    for (uint32_t c = 0; c < of->nconstruct; c++) {
        uint32_t parent = of->construct[c].parent;

        function[c] = of->construct[c].level == TROD_LEVEL_FUNCTION ? c
                      : parent == NONE                              ? NONE
                                                                    : function[parent];
    }
    return function;
}

/* The old function that contains a change. For an added construct, the old counterpart of its function. */
static uint32_t function_of_change(
    const struct trod_impact_analysis *a, const struct trod_change *change)
{
    uint32_t function;

    if (change->old != NONE)
        return a->function_of_old[change->old];
    function = a->function_of_new[change->later];
    return function == NONE ? NONE : a->changes->old_of_new[function];
}

static void list_changes(struct trod_impact_analysis *a)
{
    const struct trod_changes *changes = a->changes;

    a->first_outside = NONE;
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        a->first_change[c] = NONE;
    for (uint32_t i = changes->nchange; i-- > 0;) {
        uint32_t function = function_of_change(a, &changes->change[i]);
        uint32_t *first =
            function == NONE ? &a->first_outside : &a->first_change[function];

        a->next_change[i] = *first;
        *first = i;
    }
}

void trod_impact_begin(struct trod_impact_analysis *out, struct trod_impact *impact,
    const struct trod_changes *changes, struct trod_arena *mem)
{
    uint32_t nold = changes->old->nconstruct, nnew = changes->later->nconstruct;

    impact->affected_of_old = trod_new(mem, uint64_t, TROD_WORDS(nold) + 1);
    impact->affected_of_new = trod_new(mem, uint64_t, TROD_WORDS(nnew) + 1);
    impact->change_of_old = trod_new(mem, uint32_t, (size_t)nold + 1);
    impact->from_of_old = trod_new(mem, uint32_t, (size_t)nold + 1);
    for (uint32_t c = 0; c < nold; c++)
        impact->change_of_old[c] = impact->from_of_old[c] = NONE;
    *out = (struct trod_impact_analysis){.out = impact,
        .changes = changes,
        .mem = mem,
        .function_of_old = trod_impact_functions(changes->old, mem),
        .function_of_new = trod_impact_functions(changes->later, mem),
        .first_change = trod_new(mem, uint32_t, (size_t)nold + 1),
        .next_change = trod_new(mem, uint32_t, (size_t)changes->nchange + 1)};
    list_changes(out);
}

bool trod_impact_mark(
    struct trod_impact_analysis *a, uint32_t old, uint32_t change, uint32_t from)
{
    if (trod_has(a->out->affected_of_old, old))
        return false;
    trod_add(a->out->affected_of_old, old);
    a->out->change_of_old[old] = change;
    a->out->from_of_old[old] = from;
    return true;
}

static void mark_below(
    struct trod_impact_analysis *a, uint32_t old, uint32_t change, uint32_t from)
{
    for (uint32_t c = old + 1; c < a->changes->old->construct[old].next; c++)
        trod_impact_mark(a, c, change, from);
}

/* An added construct has no old one to mark. A deletion also marks the constructs inside that did not move elsewhere.
 */
static void mark_change(struct trod_impact_analysis *a, uint32_t i)
{
    const struct trod_change *change = &a->changes->change[i];

    if (change->old == NONE || !trod_impact_mark(a, change->old, i, NONE))
        return;
    if (change->kind != TROD_CHANGE_DELETED)
        return;
    for (uint32_t c = change->old + 1; c < a->changes->old->construct[change->old].next;
        c++)
        if (a->changes->new_of_old[c] == NONE)
            trod_impact_mark(a, c, i, change->old);
}

void trod_impact_mark_changed(struct trod_impact_analysis *a, uint32_t function)
{
    uint32_t first = a->first_change[function], from = NONE;

    for (uint32_t i = first; i != NONE; i = a->next_change[i])
        mark_change(a, i);
    if (first != NONE && a->changes->change[first].old != function)
        from = a->changes->change[first].old;
    if (from != NONE && a->out->change_of_old[from] != first)
        from = NONE;
    trod_impact_mark(a, function, first, from);
    mark_below(a, function, a->out->change_of_old[function], function);
}

void trod_impact_mark_function(
    struct trod_impact_analysis *a, uint32_t function, uint32_t change, uint32_t from)
{
    trod_impact_mark(a, function, change, from);
    mark_below(a, function, a->out->change_of_old[function], function);
}

void trod_impact_mark_outside(struct trod_impact_analysis *a)
{
    for (uint32_t i = a->first_outside; i != NONE; i = a->next_change[i])
        mark_change(a, i);
}

bool trod_impact_is_changed(const struct trod_impact_analysis *a, uint32_t function)
{
    return a->changes->new_of_old[function] == NONE ||
           !trod_has(a->changes->same_of_old, function);
}

/* --- completion ------------------------------------------------------------------------------------------------- */

static void mark_gone(struct trod_impact_analysis *a)
{
    const struct trod_changes *changes = a->changes;

    for (uint32_t i = 0; i < changes->nchange; i++)
        if (changes->change[i].kind == TROD_CHANGE_DELETED)
            mark_change(a, i);
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        if (changes->new_of_old[c] == NONE)
            trod_impact_mark(a, c, NONE, NONE);
}

/* Children follow their parents, so one backward pass reaches the top. */
static void go_up_old(struct trod_impact_analysis *a)
{
    const struct trod_constructs *old = a->changes->old;

    for (uint32_t c = old->nconstruct; c-- > 1;)
        if (trod_has(a->out->affected_of_old, c) &&
            old->construct[c].level < TROD_LEVEL_FUNCTION &&
            a->function_of_old[c] != NONE)
            trod_impact_mark(a, old->construct[c].parent, a->out->change_of_old[c], c);
}

static void go_up_new(struct trod_impact_analysis *a)
{
    const struct trod_constructs *new = a->changes->later;

    for (uint32_t c = new->nconstruct; c-- > 1;)
        if (trod_has(a->out->affected_of_new, c) &&
            new->construct[c].level < TROD_LEVEL_FUNCTION &&
            a->function_of_new[c] != NONE)
            trod_add(a->out->affected_of_new, new->construct[c].parent);
}

/* The reason: what was added to the function. */
static uint32_t change_of_new_function(struct trod_impact_analysis *a, uint32_t old)
{
    uint32_t function = a->function_of_old[old];

    return function == NONE ? NONE : a->first_change[function];
}

/* Make both versions agree on what is affected. Returns whether anything was marked. */
static bool agree(struct trod_impact_analysis *a)
{
    const struct trod_changes *changes = a->changes;
    bool more = false;

    for (uint32_t c = 0; c < changes->later->nconstruct; c++) {
        uint32_t old = changes->old_of_new[c];

        if (old == NONE)
            continue;
        if (trod_has(a->out->affected_of_old, old))
            trod_add(a->out->affected_of_new, c);
        else if (trod_has(a->out->affected_of_new, c))
            more |= trod_impact_mark(a, old, change_of_new_function(a, old), NONE);
    }
    return more;
}

/* Constructs that exist in one version only are affected. Their function need not be: its meaning may be unchanged. */
void trod_impact_finish(struct trod_impact_analysis *a, bool up)
{
    const struct trod_changes *changes = a->changes;

    if (up)
        do {
            go_up_old(a);
            agree(a);
            go_up_new(a);
        } while (agree(a));
    mark_gone(a);
    agree(a);
    for (uint32_t c = 0; c < changes->later->nconstruct; c++)
        if (changes->old_of_new[c] == NONE)
            trod_add(a->out->affected_of_new, c);
}
