#include "branch/branch.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* The current path of a thread. */
struct trod_branch_straight {
    bool known; /* the start of the path is known */
    bool any;   /* it has branches already */
    uint64_t start;
    struct trod_branch_step *step;
    uint32_t nstep, room;
    uint32_t
        ntaken; /* since the thread began: the branches of a stack except its oldest */
    struct seen {
        uint32_t path, length;
    } *seen; /* paths that ended in this stack */
    uint32_t nseen, room_seen;
};

/* --- the table ---------------------------------------------------------------------------------------- */

static uint64_t hash_of(
    uint64_t start, const struct trod_branch_step *step, uint32_t length)
{
    uint64_t h = trod_mix(0, start);

    for (uint32_t i = 0; i < length; i++) {
        h = trod_mix(h, step[i].from);
        h = trod_mix(h, step[i].to);
    }
    return h;
}

static bool is_path(const struct trod_branch_path *path, uint64_t start,
    const struct trod_branch_step *step, uint32_t length)
{
    return path->start == start && path->length == length &&
           memcmp(path->step, step, length * sizeof *step) == 0;
}

static uint32_t find(const struct trod_branch_paths *p, uint64_t hash, uint64_t start,
    const struct trod_branch_step *step, uint32_t length)
{
    return TROD_TABLE_FIND(
        &p->paths, hash, i, is_path(&p->path[i], start, step, length));
}

static uint32_t number_of(struct trod_branch_paths *p, uint64_t start,
    const struct trod_branch_step *step, uint32_t length)
{
    uint64_t hash = hash_of(start, step, length);
    uint32_t found = find(p, hash, start, step, length);

    if (found == TROD_TABLE_NONE) {
        struct trod_branch_path *path;

        found = trod_table_add(&p->paths, hash, p->mem);
        trod_reserve(p->mem, p->path, p->npath, p->room);
        path = &p->path[p->npath++];
        *path = (struct trod_branch_path){.start = start, .length = length};
        path->step = trod_new(p->mem, struct trod_branch_step, length);
        memcpy(path->step, step, length * sizeof *step);
    }
    return found;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static struct trod_branch_straight *thread_of(
    struct trod_branch_paths *p, uint32_t thread)
{
    if (thread >= p->room_thread) {
        uint32_t room = p->room_thread ? p->room_thread : 16;

        while (room <= thread)
            room *= 2;
        p->thread =
            trod_arena_grow(p->mem, p->thread, p->room_thread, room, sizeof *p->thread);
        p->room_thread = room;
    }
    if (!p->thread[thread])
        p->thread[thread] = trod_new(p->mem, struct trod_branch_straight, 1);
    return p->thread[thread];
}

static bool ends_path(const struct trod_run *run)
{
    const struct trod_code *code = run->code;

    if (code->kind == TROD_BRANCH_IF || code->kind == TROD_BRANCH_JUMP)
        return run->odd || (run->taken && run->next <= code->last);
    return code->kind != TROD_BRANCH_NONE || run->odd;
}

static void count(struct trod_branch_paths *p, uint32_t path, double weight)
{
    p->path[path].nseen++;
    p->path[path].weight += weight;
    p->weight += weight;
}

static void end_path(struct trod_branch_paths *p, struct trod_branch_straight *t)
{
    uint32_t path;

    if (!t->known) {
        p->ncut++;
        return;
    }
    path = number_of(p, t->start, t->step, t->nstep);
    if (!p->sampled) {
        count(p, path, 1);
        return;
    }
    trod_push(p->mem, t->seen, t->nseen, t->room_seen, (struct seen){path, t->nstep});
}

static void paths_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_paths *p = (struct trod_branch_paths *)to;
    struct trod_branch_straight *t = thread_of(p, run->thread);

    /* The target of a stack's oldest branch is its start, whatever kind of branch that is. */
    t->any = true;
    if (!run->taken && !run->odd)
        return;
    trod_push(p->mem, t->step, t->nstep, t->room,
        (struct trod_branch_step){run->code->last, run->next});
    t->ntaken++;
    if (!ends_path(run))
        return;
    end_path(p, t);
    t->known = true;
    t->start = run->next;
    t->nstep = 0;
    t->any = false;
}

/* A stack ends. Only now is it known at how many positions in it each path would have been seen.
 * The branch before a path must be in the stack, too.
 */
static void paths_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_paths *p = (struct trod_branch_paths *)to;
    struct trod_branch_straight *t = thread_of(p, thread);

    for (uint32_t i = 0; i < t->nseen; i++)
        count(p, t->seen[i].path, 1.0 / (t->ntaken - t->seen[i].length));
    p->ncut += t->known && t->any;
    t->known = t->any = false;
    t->nseen = t->nstep = t->ntaken = 0;
}

void trod_branch_paths_init(
    struct trod_branch_paths *paths, bool sampled, struct trod_arena *mem)
{
    *paths = (struct trod_branch_paths){
        .sink = {NULL, NULL, paths_run, paths_end}, .mem = mem, .sampled = sampled};
}

/* --- results -------------------------------------------------------------------------------------------- */

static int by_weight(const void *one, const void *other)
{
    const struct trod_branch_path *a = *(const struct trod_branch_path *const *)one;
    const struct trod_branch_path *b = *(const struct trod_branch_path *const *)other;
    uint32_t n = a->length < b->length ? a->length : b->length;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    for (uint32_t i = 0; i < n; i++) {
        if (a->step[i].from != b->step[i].from)
            return a->step[i].from < b->step[i].from ? -1 : 1;
        if (a->step[i].to != b->step[i].to)
            return a->step[i].to < b->step[i].to ? -1 : 1;
    }
    return (a->length > b->length) - (a->length < b->length);
}

const struct trod_branch_path **trod_branch_paths_order(
    const struct trod_branch_paths *paths, struct trod_arena *mem)
{
    const struct trod_branch_path **order =
        trod_new(mem, const struct trod_branch_path *, (size_t)paths->npath + 1);

    for (uint32_t i = 0; i < paths->npath; i++)
        order[i] = &paths->path[i];
    trod_sort(order, paths->npath, by_weight);
    return order;
}

double trod_branch_paths_overlap(
    const struct trod_branch_paths *a, const struct trod_branch_paths *b)
{
    double sum = 0;

    for (uint32_t i = 0; i < a->npath; i++) {
        const struct trod_branch_path *path = &a->path[i];
        uint32_t other = find(b, hash_of(path->start, path->step, path->length),
            path->start, path->step, path->length);
        double mine = path->weight / a->weight;
        double theirs =
            other != TROD_TABLE_NONE ? b->path[other].weight / b->weight : 0;

        sum += mine < theirs ? mine : theirs;
    }
    return sum;
}
