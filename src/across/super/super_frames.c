#include "super/super.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

static const char NOT_HERE[] = "it is not in this unit";
static const char NO_SUBPATH[] = "the function has no such subpath";
static const char NO_CALL[] = "the subpath ends at no call";
static const char ANOTHER[] = "the call is of another function";
static const char NO_RETURN[] = "the call never returns";
static const char INDIRECT[] = "an indirect call; only whole program paths say of what";
static const char TOO_DEEP[] = "it is deeper than the limit on frames";
static const char TOO_MANY[] = "there are as many frames as there may be";
static const char TOO_LARGE[] = "the limit on growth is reached";

/* A tree of frames while it grows. Frame 0, the root, always exists. */
struct tree {
    struct trod_super_frame *frame;
    struct kin {
        uint32_t first, last; /* first and last child, or 0 */
        uint32_t next;        /* next sibling, or 0 */
    } *kin;                   /* by frame */
    uint32_t count, room, room_kin;
    uint64_t size; /* of all frames */
};

struct planner {
    const struct trod_super_unit *unit;
    const struct trod_super_options *options;
    struct trod_arena *mem;
    uint32_t depth, most_frames;
    bool deepens;       /* follow calls in frames as their functions do */
    struct tree **seed; /* by function: the tree of its followed calls, or NULL */
    struct trod_super_left *left;
    uint32_t nleft, room_left;
    struct trod_super_tree *tree;
    uint32_t ntree, room_tree;
    trod_edge *edge_of_step; /* room for the longest path */
};

static void leave_out(struct planner *p, uint32_t function, trod_node node,
    const char *callee, const char *why, uint64_t count)
{
    trod_push(p->mem, p->left, p->nleft, p->room_left,
        (struct trod_super_left){.function = function,
            .node = node,
            .callee = callee,
            .why = why,
            .count = count});
}

/* --- trees --------------------------------------------------------------------------------- */

static uint32_t add_frame(
    struct tree *t, struct trod_super_frame frame, struct trod_arena *mem)
{
    uint32_t i = t->count++, parent = frame.parent;

    trod_reserve(mem, t->frame, i, t->room);
    trod_reserve(mem, t->kin, i, t->room_kin);
    t->frame[i] = frame;
    t->kin[i] = (struct kin){0};
    if (parent == TROD_NONE)
        return i;
    if (t->kin[parent].last)
        t->kin[t->kin[parent].last].next = i;
    else
        t->kin[parent].first = i;
    t->kin[parent].last = i;
    return i;
}

static struct tree *new_tree(struct planner *p, uint32_t function)
{
    struct tree *t = trod_new(p->mem, struct tree, 1);

    t->size = trod_super_size(p->unit, function);
    add_frame(t,
        (struct trod_super_frame){
            .parent = TROD_NONE, .node = TROD_NONE, .function = function},
        p->mem);
    return t;
}

/* 0: no such child. */
static uint32_t find_child(
    const struct tree *t, uint32_t parent, trod_node node, uint32_t function)
{
    uint32_t i = t->kin[parent].first;

    while (i && (t->frame[i].node != node || t->frame[i].function != function))
        i = t->kin[i].next;
    return i;
}

/* The frame for a call, created if it is new; 0 if the limit is reached. */
static uint32_t enter(struct planner *p, struct tree *t, uint32_t parent,
    const struct trod_super_frame *like, uint64_t count)
{
    const struct trod_super_frame *from = &t->frame[parent];
    uint32_t i = find_child(t, parent, like->node, like->function);
    uint64_t size;

    if (i)
        return i;
    size = t->size + trod_super_size(p->unit, like->function);
    if (from->depth == p->depth || t->count == p->most_frames ||
        size > TROD_SUPER_MOST) {
        leave_out(p, from->function, like->node, p->unit->names.name[like->function],
            from->depth == p->depth ? TOO_DEEP : TOO_MANY, count);
        return 0;
    }
    t->size = size;
    return add_frame(t,
        (struct trod_super_frame){.parent = parent,
            .node = like->node,
            .function = like->function,
            .depth = from->depth + 1,
            .guarded = like->guarded},
        p->mem);
}

/* --- sites of segments ------------------------------------------------------------------------ */

/* The call at which a subpath ends, or NULL and the reason. */
static const struct trod_call *call_behind(
    const char **why, struct planner *p, uint32_t function, uint64_t id)
{
    const struct trod_super_function *f = &p->unit->function[function];
    const struct trod_dag *dag = f->ballarus->dag;
    trod_edge last;

    *why = NO_SUBPATH;
    if (id >= f->ballarus->npath)
        return NULL;
    *why = NO_CALL;
    last = p->edge_of_step[trod_number_decode(p->edge_of_step, f->ballarus, id) - 1];
    if (dag->kind_of_edge[last] == TROD_DAG_LEAVE)
        return trod_calls_find(&f->calls, dag->shape.src_of_edge[last], true);
    return trod_calls_find(
        &f->calls, dag->graph->dst_of_edge[dag->origin_of_edge[last]], false);
}

/* The reason why a call of a given callee (NULL: unknown) is not followed; or NULL. */
static const char *why_not(
    const struct trod_super_unit *unit, const struct trod_call *call, const char *name)
{
    uint32_t callee = name ? trod_names_find(&unit->names, name) : UINT32_MAX;

    if (call->last)
        return NO_RETURN;
    if (!name)
        return INDIRECT;
    if (call->callee && strcmp(name, call->callee) != 0)
        return ANOTHER;
    if (callee == UINT32_MAX)
        return NOT_HERE;
    return unit->why_not[callee];
}

/* The frame entered after a subpath of a frame, for a given callee or, without one,
 * for the direct callee; 0, and recorded as not followed, if there is none.
 */
static uint32_t enter_behind(struct planner *p, struct tree *t, uint32_t parent,
    uint64_t id, const char *name, uint64_t count)
{
    uint32_t function = t->frame[parent].function;
    const char *why;
    const struct trod_call *call = call_behind(&why, p, function, id);

    if (call && !name)
        name = call->callee;
    if (call)
        why = why_not(p->unit, call, name);
    if (why) {
        leave_out(p, function, call ? call->node : TROD_NONE, name, why, count);
        return 0;
    }
    return enter(p, t, parent,
        &(struct trod_super_frame){.node = call->node,
            .function = trod_names_find(&p->unit->names, name),
            .guarded = !call->callee},
        count);
}

static struct tree *seed_of(struct planner *p, uint32_t function)
{
    if (!p->seed[function])
        p->seed[function] = new_tree(p, function);
    return p->seed[function];
}

static void add_count(struct tree *t, uint32_t frame, uint64_t count)
{
    t->frame[frame].count = trod_sat_add(t->frame[frame].count, count);
}

/* A call that is not followed is skipped, with everything inside it. */
static void add_segment(struct planner *p, const struct trod_segments *segments,
    const struct trod_segment *s)
{
    const char *const *name = segments->function.name;
    uint32_t root = trod_names_find(&p->unit->names, name[s->step[0].function]);
    uint32_t at = 0;
    uint64_t nover = 0; /* skipped calls that are still open */
    struct tree *t;

    if (root == UINT32_MAX)
        return;
    t = seed_of(p, root);
    add_count(t, 0, s->count);
    for (size_t i = 1; i < s->nstep; i++) {
        const struct trod_step *step = &s->step[i];
        uint32_t into = 0;

        if (step->kind == TROD_STEP_SUBPATH)
            continue;
        if (step->kind != TROD_STEP_CALL) {
            if (nover)
                nover--;
            else
                at = t->frame[at].parent;
            continue;
        }
        if (!nover && i + 1 < s->nstep && step[1].kind == TROD_STEP_SUBPATH)
            into =
                enter_behind(p, t, at, step[-1].id, name[step[1].function], s->count);
        nover += !into;
        if (into) {
            at = into;
            add_count(t, at, s->count);
        }
    }
}

/* --- sites of subpaths that ran ---------------------------------------------------------------- */

static void add_ran(
    struct planner *p, uint32_t function, const struct trod_super_ran *ran)
{
    for (size_t i = 0; i < ran->paths.count; i++) {
        uint64_t id = ran->paths.id[i], count = ran->count ? ran->count[i] : 1;
        const char *why;
        uint32_t into;

        if (!call_behind(&why, p, function, id) && why == NO_CALL)
            continue;
        into = enter_behind(p, seed_of(p, function), 0, id, NULL, count);
        if (into) {
            add_count(p->seed[function], 0, count);
            add_count(p->seed[function], into, count);
        }
    }
}

/* --- trees of roots ----------------------------------------------------------------------- */

static uint64_t at_most(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A frame of a seed, and the frame it becomes in the tree it is inserted into. */
struct pair {
    uint32_t seed, frame;
};

/* Insert the followed calls of a frame's function below the frame, as deep as allowed. Their counts
 * in this context are unknown; the frame's count is an upper bound.
 */
static void graft(struct planner *p, struct tree *t, uint32_t frame)
{
    const struct tree *seed = p->seed[t->frame[frame].function];
    struct pair *open = NULL;
    uint32_t nopen = 0, room = 0;

    if (!seed)
        return;
    trod_push(p->mem, open, nopen, room, (struct pair){0, frame});
    while (nopen) {
        struct pair at = open[--nopen];

        if (t->frame[at.frame].depth == p->depth)
            continue;
        for (uint32_t c = seed->kin[at.seed].first; c; c = seed->kin[c].next) {
            const struct trod_super_frame *from = &seed->frame[c];
            uint64_t count = at_most(from->count, t->frame[at.frame].count);
            uint32_t into = enter(p, t, at.frame, from, count);

            if (!into)
                continue;
            if (t->frame[into].count < count)
                t->frame[into].count = count;
            trod_push(p->mem, open, nopen, room, (struct pair){c, into});
        }
    }
}

static int by_count(const void *a, const void *b)
{
    const struct trod_super_frame *x = *(const struct trod_super_frame *const *)a;
    const struct trod_super_frame *y = *(const struct trod_super_frame *const *)b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Sort frames by count. A child is at most as frequent as its parent and deeper, so it comes after it. */
static void sort_frames(
    struct trod_super_tree *out, const struct tree *t, struct trod_arena *mem)
{
    struct trod_super_frame *frame = trod_new(mem, struct trod_super_frame, t->count);
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_super_frame **sorted =
        trod_new(mem, const struct trod_super_frame *, t->count);
    uint32_t *place = trod_new(mem, uint32_t, t->count);

    for (uint32_t i = 0; i < t->count; i++)
        sorted[i] = &t->frame[i];
    trod_sort(sorted + 1, t->count - 1, by_count);
    for (uint32_t i = 0; i < t->count; i++)
        place[sorted[i] - t->frame] = i;
    for (uint32_t i = 0; i < t->count; i++) {
        frame[i] = *sorted[i];
        if (i)
            frame[i].parent = place[frame[i].parent];
    }
    trod_arena_rewind(mem, mark);
    *out = (struct trod_super_tree){.nframe = t->count, .frame = frame};
}

/* A segment that begins in a frame below the root is covered by the tree of that frame's function.
 * So with segments, a tree needs only the calls of segments that begin in its root. Without
 * segments it is unknown how paths continue, and the calls of all frames are followed.
 */
static void grow_tree(struct planner *p, uint32_t function)
{
    struct tree *t = new_tree(p, function);

    t->frame[0].count = p->seed[function]->frame[0].count;
    for (uint32_t i = 0; i < (p->deepens ? t->count : 1); i++)
        graft(p, t, i);
    if (t->count == 1)
        return;
    trod_reserve(p->mem, p->tree, p->ntree, p->room_tree);
    sort_frames(&p->tree[p->ntree++], t, p->mem);
}

/* --- the limit on growth -------------------------------------------------------------------------- */

struct wanted {
    uint64_t count;
    uint32_t tree, frame;
};

static int by_want(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->frame != y->frame) /* parents come before their children */
        return x->frame < y->frame ? -1 : 1;
    return x->tree < y->tree ? -1 : x->tree > y->tree;
}

static void keep_frames(
    struct planner *p, struct trod_super_tree *tree, const bool *kept)
{
    struct trod_super_frame *frame =
        trod_new(p->mem, struct trod_super_frame, tree->nframe);
    uint32_t *place = trod_new(p->mem, uint32_t, tree->nframe);
    uint32_t n = 0;

    for (uint32_t i = 0; i < tree->nframe; i++) {
        const struct trod_super_frame *from = &tree->frame[i];

        if (!kept[i]) {
            leave_out(p, tree->frame[from->parent].function, from->node,
                p->unit->names.name[from->function], TOO_LARGE, from->count);
            continue;
        }
        frame[n] = *from;
        if (i)
            frame[n].parent = place[from->parent];
        place[i] = n++;
    }
    *tree = (struct trod_super_tree){.nframe = n, .frame = frame};
}

/* Grant frames in the order of their counts. A frame that does not fit is skipped, with its subtree. */
static void limit_growth(struct planner *p)
{
    const uint64_t *size_of = p->options->size_of_function;
    bool **kept = trod_new(p->mem, bool *, p->ntree);
    struct wanted *wanted = NULL;
    size_t n = 0, room = 0;
    uint64_t size = 0;
    uint32_t ntree = 0;

    for (uint32_t t = 0; t < p->ntree; t++) {
        kept[t] = trod_new(p->mem, bool, p->tree[t].nframe);
        kept[t][0] = true;
        for (uint32_t i = 1; i < p->tree[t].nframe; i++) {
            trod_push(p->mem, wanted, n, room,
                (struct wanted){p->tree[t].frame[i].count, t, i});
        }
    }
    trod_sort(wanted, n, by_want);
    for (size_t i = 0; i < n; i++) {
        const struct trod_super_tree *tree = &p->tree[wanted[i].tree];
        const struct trod_super_frame *frame = &tree->frame[wanted[i].frame];
        uint64_t with = trod_sat_add(size, size_of[frame->function]);

        if (with > p->options->most_size || !kept[wanted[i].tree][frame->parent])
            continue;
        kept[wanted[i].tree][wanted[i].frame] = true;
        size = with;
    }
    for (uint32_t t = 0; t < p->ntree; t++) {
        keep_frames(p, &p->tree[t], kept[t]);
        if (p->tree[t].nframe > 1)
            p->tree[ntree++] = p->tree[t];
    }
    p->ntree = ntree;
}

/* --- calls that are not followed ------------------------------------------------------------------------------- */

static int compare_left(
    const struct trod_super_left *x, const struct trod_super_left *y)
{
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (!x->callee != !y->callee)
        return x->callee ? 1 : -1;
    if (x->callee && strcmp(x->callee, y->callee) != 0)
        return strcmp(x->callee, y->callee);
    return strcmp(x->why, y->why);
}

static int by_site(const void *a, const void *b)
{
    return compare_left(a, b);
}

static void merge_left(struct planner *p)
{
    uint32_t n = 0;

    trod_sort(p->left, p->nleft, by_site);
    for (uint32_t i = 0; i < p->nleft; i++) {
        if (n && compare_left(&p->left[n - 1], &p->left[i]) == 0)
            p->left[n - 1].count = trod_sat_add(p->left[n - 1].count, p->left[i].count);
        else
            p->left[n++] = p->left[i];
    }
    p->nleft = n;
}

/* --- interface ---------------------------------------------------------------------------------------- */

static void start(struct planner *p, uint32_t depth)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < p->unit->nfunction; i++)
        if (p->unit->function[i].ballarus->dag->nreach > most)
            most = p->unit->function[i].ballarus->dag->nreach;
    p->edge_of_step = trod_new(p->mem, trod_edge, most);
    p->seed = trod_new(p->mem, struct tree *, p->unit->nfunction);
    p->depth = p->options->depth ? p->options->depth : depth;
    p->most_frames = p->options->most_frames ? p->options->most_frames : 65536;
}

static void finish(struct trod_super_plan *out, struct planner *p)
{
    for (uint32_t i = 0; i < p->unit->nfunction; i++)
        if (p->seed[i])
            grow_tree(p, i);
    if (p->options->most_size)
        limit_growth(p);
    merge_left(p);
    *out = (struct trod_super_plan){
        .ntree = p->ntree, .tree = p->tree, .nleft = p->nleft, .left = p->left};
}

void trod_super_plan_segments(struct trod_super_plan *out,
    const struct trod_super_unit *unit, const struct trod_segments *segments,
    const struct trod_super_options *options, struct trod_arena *mem)
{
    struct planner p = {.unit = unit, .options = options, .mem = mem};

    start(&p, (uint32_t)at_most(segments->depth, UINT32_MAX - 1));
    for (size_t i = 0; i < segments->nsegment; i++)
        add_segment(&p, segments, &segments->segment[i]);
    finish(out, &p);
}

void trod_super_plan_ran(struct trod_super_plan *out,
    const struct trod_super_unit *unit, const struct trod_super_ran *ran,
    const struct trod_super_options *options, struct trod_arena *mem)
{
    struct planner p = {.unit = unit, .options = options, .mem = mem, .deepens = true};

    assert(options->depth);
    start(&p, options->depth);
    for (uint32_t i = 0; i < unit->nfunction; i++)
        add_ran(&p, i, &ran[i]);
    finish(out, &p);
}
