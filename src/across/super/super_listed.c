#include "super/walk.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- the list, sorted -------------------------------------------------------------------------- */

/* A segment of the unit. Entries are sorted by their steps: those with a common prefix are
 * adjacent, and a prefix precedes its extensions.
 */
struct entry {
    const struct trod_step *step;
    size_t nstep;
};

static int compare_steps(const struct trod_step *a, const struct trod_step *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static int by_steps(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    size_t n = x->nstep < y->nstep ? x->nstep : y->nstep;

    for (size_t i = 0; i < n; i++) {
        int order = compare_steps(&x->step[i], &y->step[i]);

        if (order)
            return order;
    }
    return x->nstep < y->nstep ? -1 : x->nstep > y->nstep;
}

/* The steps of a segment up to a call of a function outside the unit. No path continues there, so
 * the steps before it stand for the segment.
 */
static struct entry translate(const struct trod_segment *segment,
    const uint32_t *function_of_name, struct trod_arena *mem)
{
    struct trod_step *step = trod_new(mem, struct trod_step, segment->nstep);
    size_t n = 0;

    for (; n < segment->nstep; n++) {
        step[n] = segment->step[n];
        if (step[n].kind != TROD_STEP_SUBPATH)
            continue;
        step[n].function = function_of_name[step[n].function];
        if (step[n].function == UINT32_MAX)
            break;
    }
    return (struct entry){step, n};
}

static struct entry *sort_list(size_t *count, const struct trod_segments *segments,
    const struct trod_super_unit *unit, struct trod_arena *mem)
{
    struct entry *entry = trod_new(mem, struct entry, segments->nsegment);
    uint32_t *function_of_name = trod_new(mem, uint32_t, segments->function.count);

    *count = 0;
    for (uint32_t i = 0; i < segments->function.count; i++)
        function_of_name[i] = trod_names_find(&unit->names, segments->function.name[i]);
    for (size_t i = 0; i < segments->nsegment; i++) {
        entry[*count] = translate(&segments->segment[i], function_of_name, mem);
        *count += entry[*count].nstep > 0;
    }
    trod_sort(entry, *count, by_steps);
    return entry;
}

/* --- segments that are open ---------------------------------------------------------------------- */

/* A segment that is open on the current path: the range of listed segments with the same prefix. */
struct window {
    size_t from, to; /* entries */
    size_t nstep;
    uint64_t ncall, nopen;
};

/* Lower bound of a step among the next steps of a window; with `behind`, the upper bound. */
static size_t first_from(const struct entry *entry, const struct window *w,
    const struct trod_step *step, bool behind)
{
    size_t low = w->from, high = w->to;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = entry[middle].nstep <= w->nstep
                        ? -1
                        : compare_steps(&entry[middle].step[w->nstep], step);

        if (order < 0 || (behind && !order))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Narrow a window to the segments that continue with this step. False: none does. */
static bool advance(
    struct window *w, const struct entry *entry, const struct trod_step *step)
{
    size_t from = first_from(entry, w, step, false);

    w->to = first_from(entry, w, step, true);
    w->from = from;
    w->nstep++;
    return w->from < w->to;
}

/* Does a listed segment end here? */
static bool is_complete(const struct window *w, const struct entry *entry)
{
    return w->from < w->to && entry[w->from].nstep == w->nstep;
}

/* May a listed segment continue with a subpath whose id is in a range? */
static bool may_go_on(const struct window *w, const struct entry *entry,
    uint32_t function, uint64_t low, uint64_t high)
{
    const struct trod_step step = {
        .kind = TROD_STEP_SUBPATH, .function = function, .id = low};
    size_t at = first_from(entry, w, &step, false);
    const struct trod_step *found;

    if (at == w->to)
        return false;
    found = &entry[at].step[w->nstep];
    return found->kind == TROD_STEP_SUBPATH && found->function == function &&
           found->id <= high;
}

/* --- the search ------------------------------------------------------------------------------------ */

/* A node of the current path. */
struct place {
    trod_node node; /* of the supergraph's DAG */
    trod_edge next; /* to be tried */
    struct trod_super_walk walk;
    uint64_t id;
    size_t first_window, nwindow;
    bool any; /* segment so far */
};

struct search {
    const struct trod_super *super;
    const struct trod_numbering *ballarus;
    const struct trod_super_ran *ran;
    uint64_t depth;
    const struct entry *entry;
    size_t nentry;
    struct trod_arena *mem;
    struct place *place;
    size_t nplace, room_place;
    struct window *window;
    size_t nwindow, room_window;
    trod_path *found;
    size_t nfound, room_found, most;
    uint64_t work;
};

static bool has_run(const struct search *s, const struct trod_step *step)
{
    const struct trod_pathset *paths;

    if (!s->ran || step->id == TROD_SUPER_PIECE)
        return true;
    paths = &s->ran[step->function].paths;
    return trod_is_among(paths->id, paths->count, step->id);
}

static void push_window(struct search *s, struct window window)
{
    trod_push(s->mem, s->window, s->nwindow, s->room_window, window);
}

/* Update the windows of a node when its subpath ends with a call or a return. Windows that stay
 * open are appended.
 */
static bool turn(struct search *s, const struct place *at,
    const struct trod_step *ended, enum trod_super_turn how)
{
    const struct trod_step step = {
        .kind = how == TROD_SUPER_CALLS ? TROD_STEP_CALL : TROD_STEP_RETURN};
    bool calls = how == TROD_SUPER_CALLS;

    for (size_t i = 0; i < at->nwindow + calls; i++) {
        struct window w = {.to = s->nentry};

        if (i < at->nwindow)
            w = s->window[at->first_window + i];
        if (!advance(&w, s->entry, ended))
            return false;
        if (calls ? w.ncall == s->depth : !w.nopen) {
            if (!is_complete(&w, s->entry))
                return false;
            continue;
        }
        if (!advance(&w, s->entry, &step))
            return false;
        w.ncall += calls;
        w.nopen += calls ? 1 : -(uint64_t)1;
        push_window(s, w);
    }
    return true;
}

static bool finish(struct search *s, const struct place *at,
    const struct trod_step *ended, enum trod_super_end end)
{
    for (size_t i = 0; i < at->nwindow; i++) {
        struct window w = s->window[at->first_window + i];

        if (end == TROD_SUPER_IN_PIECE)
            continue;
        if (!advance(&w, s->entry, ended))
            return false;
        if (!trod_super_ends_early(end, w.ncall, w.nopen, s->depth) &&
            !is_complete(&w, s->entry))
            return false;
    }
    return true;
}

/* Can the current subpath, up to this node of its function, still become a listed one? */
static bool is_hopeful(const struct search *s, const struct place *at)
{
    const struct trod_super_walk *w = &at->walk;
    uint32_t function = s->super->tree->frame[w->frame].function;
    const struct trod_numbering *bl = s->super->unit->function[function].ballarus;
    trod_node v = at->node - s->super->first_node_of_frame[w->frame];
    uint64_t low = w->id, high = low + bl->npath_of_node[v] - 1;

    if (w->piece)
        return true;
    for (size_t i = 0; i < at->nwindow; i++)
        if (!may_go_on(&s->window[at->first_window + i], s->entry, function, low, high))
            return false;
    if (s->ran) {
        const struct trod_pathset *paths = &s->ran[function].paths;
        size_t from =
            TROD_LOWER_BOUND(middle, 0, paths->count, paths->id[middle] < low);

        return from < paths->count && paths->id[from] <= high;
    }
    return true;
}

static void push(struct search *s, struct place place)
{
    trod_push(s->mem, s->place, s->nplace, s->room_place, place);
}

static void take(struct search *s, trod_path id)
{
    trod_push(s->mem, s->found, s->nfound, s->room_found, id);
}

/* Try one edge out of the last place. */
static void try_edge(struct search *s, trod_edge e)
{
    const struct trod_dag *dag = s->ballarus->dag;
    struct place at = s->place[s->nplace - 1];
    struct place to = at;
    struct trod_step ended;
    enum trod_super_turn how = TROD_SUPER_STAYS;

    to.node = dag->shape.dst_of_edge[e];
    to.id += (uint64_t)s->ballarus->val_of_edge[e];
    if (to.node == dag->exit) {
        enum trod_super_end end = trod_super_walk_end(&to.walk, &ended, e);

        if (at.any && has_run(s, &ended) && finish(s, &at, &ended, end))
            take(s, to.id);
        return;
    }
    if (at.node == dag->shape.entry)
        trod_super_walk_start(&to.walk, e);
    else
        how = trod_super_walk_cross(&to.walk, &ended, dag->origin_of_edge[e]);
    if (how != TROD_SUPER_STAYS) {
        to.first_window = s->nwindow;
        if (!has_run(s, &ended) || !turn(s, &at, &ended, how)) {
            s->nwindow = to.first_window;
            return;
        }
        to.nwindow = s->nwindow - to.first_window;
        to.any |= how == TROD_SUPER_CALLS;
    }
    to.next = dag->shape.first_out[to.node];
    if (!is_hopeful(s, &to)) {
        s->nwindow = at.first_window + at.nwindow;
        return;
    }
    push(s, to);
}

static bool search_all(struct search *s)
{
    const struct trod_dag *dag = s->ballarus->dag;

    push(s, (struct place){.node = dag->shape.entry,
                .next = dag->shape.first_out[dag->shape.entry],
                .walk = {.super = s->super, .dag = dag}});
    while (s->nplace) {
        struct place *at = &s->place[s->nplace - 1];

        s->nwindow = at->first_window + at->nwindow;
        if (at->next == dag->shape.first_out[at->node + 1]) {
            s->nplace--;
            continue;
        }
        if (s->nfound == s->most || !s->work--)
            return false;
        try_edge(s, at->next++);
    }
    return true;
}

void trod_super_listed(struct trod_super_listed *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, const struct trod_segments *segments,
    const struct trod_super_ran *ran, size_t most, struct trod_arena *mem)
{
    struct search s = {.super = super,
        .ballarus = ballarus,
        .ran = ran,
        .depth = segments->depth,
        .mem = mem,
        .most = most,
        .room_window = 16,
        .window = trod_new(mem, struct window, 16),
        .work = 1000 * ((uint64_t)most + 1000)};

    s.entry = sort_list(&s.nentry, segments, super->unit, mem);
    out->all = search_all(&s);
    out->paths = (struct trod_pathset){.id = s.found, .count = s.nfound};
}
