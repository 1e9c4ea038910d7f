#include <math.h>
#include <stdlib.h>

#include "page/page.h"
#include "base/order.h"

static bool wrong(struct trod_err *err, const char *what, uint64_t number)
{
    return trod_fail(
        err, TROD_E_INTERNAL, "page: %s (%llu)", what, (unsigned long long)number);
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool check_layout(
    const struct trod_page_function *f, uint32_t number, struct trod_err *err)
{
    const struct trod_graph *g = f->flow->entry->numbering.dag->graph;
    const struct trod_page_layout *layout = f->layout;

    if (!layout)
        return true;
    if (!(layout->width > 0) || !(layout->height > 0))
        return wrong(err, "a layout has no size", number);
    for (trod_node v = 0; v < g->nnode; v++)
        if (!isfinite(layout->box_of_node[v].x) || !isfinite(layout->box_of_node[v].y))
            return wrong(err, "a block is nowhere in its layout", number);
    for (trod_edge e = 0; e < g->nedge; e++)
        if (!layout->curve_of_edge[e])
            return wrong(err, "an edge has no curve in its layout", number);
    return true;
}

static bool check_function(
    const struct trod_page *page, uint32_t number, struct trod_err *err)
{
    const struct trod_page_function *f = &page->function[number];
    const struct trod_map_entry *entry = f->flow->entry;

    if (!entry || entry < page->map->entry ||
        entry >= page->map->entry + page->map->nentry || !entry->numbering.dag)
        return wrong(err, "a function is none of the map", number);
    if (page->function_of_entry[entry - page->map->entry] != number)
        return wrong(err, "a function has another number", number);
    if (entry->numbering.dag->graph->entry != 0)
        return wrong(err, "the entry of a function is not its block 0", number);
    if (f->file >= page->nfile)
        return wrong(err, "a function is of a file that is not there", number);
    for (uint32_t i = 0; i < entry->nframe; i++)
        if (f->file_of_frame[i] >= page->nfile)
            return wrong(err, "a frame is of a file that is not there", number);
    for (uint32_t i = 0; i < entry->nincluded; i++)
        if (f->file_of_included[i] >= page->nfile)
            return wrong(err, "text is of a file that is not there", number);
    for (uint32_t i = 0; i < f->nelsewhere; i++)
        if (f->elsewhere[i].file >= page->nfile)
            return wrong(err, "a decision is of a file that is not there", number);
    return check_layout(f, number, err);
}

/* --- outcomes: walk a path using only the page's own data --------------------------------------------------------- */

struct walk {
    const struct trod_graph *graph;
    const struct trod_dag *dag; /* which edges are cut */
    const char *at;
    trod_node node;
    trod_node *block; /* [room] blocks visited */
    uint32_t nblock, room;
    bool ok;
};

static uint32_t decide(struct walk *w)
{
    char c = *w->at;
    char *end;
    unsigned long number;

    if (c >= '0' && c <= '9')
        return (uint32_t)(*w->at++ - '0');
    if (c >= 'a' && c <= 'z')
        return (uint32_t)(*w->at++ - 'a') + 10;
    w->ok = c == '(';
    if (!w->ok)
        return 0;
    number = strtoul(w->at + 1, &end, 10);
    w->ok = *end == ')';
    w->at = end + (*end == ')');
    return (uint32_t)number;
}

static bool is_cut(const struct walk *w, trod_edge e)
{
    trod_edge own = w->dag->dag_of_edge[e];

    return own != TROD_NONE && w->dag->kind_of_edge[own] == TROD_DAG_END;
}

/* Walk one path. w->node becomes the block that its last edge leads to. */
static void walk_path(struct walk *w)
{
    const struct trod_graph *g = w->graph;

    w->nblock = 0;
    while (w->ok) {
        uint32_t nway = g->first_out[w->node + 1] - g->first_out[w->node], way = 0;
        trod_edge e;

        w->ok = w->nblock < w->room;
        if (w->ok)
            w->block[w->nblock++] = w->node;
        if (!nway || !w->ok)
            return;
        if (nway > 1)
            way = decide(w);
        w->ok = w->ok && way < nway;
        if (!w->ok)
            return;
        e = g->first_out[w->node] + way;
        w->node = g->dst_of_edge[e];
        if (is_cut(w, e))
            return;
    }
}

/* Are the visited blocks those of the path id? */
static bool is_walked(const struct walk *w, const struct trod_page *page,
    const struct trod_map_entry *entry, trod_path id)
{
    trod_edge *step = page->map->step;
    uint32_t n = trod_number_decode(step, &entry->numbering, id);

    if (n - 1 != w->nblock)
        return false;
    for (uint32_t i = 0; i < w->nblock; i++)
        if (w->dag->shape.dst_of_edge[step[i]] != w->block[i])
            return false;
    return true;
}

/* The next path of a chain follows a bar, optionally with its start. */
static void go_on(struct walk *w)
{
    char *end;
    unsigned long start;

    w->ok = *w->at == '|';
    if (!w->ok)
        return;
    w->at++;
    start = strtoul(w->at, &end, 10);
    if (end > w->at && *end == ':') {
        w->node = (trod_node)start;
        w->at = end + 1;
        w->ok = start < w->graph->nnode;
    }
}

static bool check_way(const struct trod_page *page, const struct trod_map_entry *entry,
    trod_path id, struct trod_arena *mem)
{
    const struct trod_dag *dag = entry->numbering.dag;
    struct walk w = {.graph = dag->graph, .dag = dag, .room = dag->nreach, .ok = true};
    int64_t start = trod_page_start(page->map, entry, id);
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);
    struct trod_string way;

    trod_string_init(&way, mem);
    trod_page_put_way(&way.sink, page->map, entry, id);
    w.block = trod_new(mem, trod_node, w.room);
    w.at = way.text;
    w.node = start < 0 ? 0 : (trod_node)start;
    for (unsigned i = 0; i < n && w.ok; i++) {
        if (i)
            go_on(&w);
        walk_path(&w);
        w.ok = w.ok && is_walked(&w, page, entry, path[i]);
    }
    return n && w.ok && !*w.at;
}

/* --- paths -------------------------------------------------------------------------------------------------------- */

static bool check_path(const struct trod_page *page, size_t i, struct trod_arena *mem,
    struct trod_err *err)
{
    const struct trod_page_path *p = &page->path[i];
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok;

    if (p->function >= page->nfunction)
        return wrong(err, "a path is of a function that is not there", i);
    if (p->id >= page->function[p->function].flow->entry->chain.nchain)
        return wrong(err, "a path is none of its function", i);
    if (i && page->path[i - 1].count < p->count)
        return wrong(err, "paths are not in their order", i);
    if (!p->count != ((p->flags & (TROD_PAGE_NEVER | TROD_PAGE_GONE)) != 0))
        return wrong(err, "a path that did not run has none of the marks for it", i);
    if (page->confidence && p->confidence >= page->nconfidence)
        return wrong(err, "a path has a confidence that is not there", i);
    for (uint32_t k = 0; k < p->ntest && k < TROD_PAGE_TESTS; k++)
        if (p->test[k] >= page->ntest)
            return wrong(err, "a path is of a test that is not there", i);
    ok = check_way(page, page->function[p->function].flow->entry, p->id, mem);
    trod_arena_rewind(mem, mark);
    return ok || wrong(err, "a path goes another way than its id says", i);
}

TROD_ORDER(by_path, struct trod_page_path, TROD_UP(function), TROD_UP(id))

static bool check_once(
    const struct trod_page *page, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_page_path *path = trod_new(mem, struct trod_page_path, page->npath);

    for (size_t i = 0; i < page->npath; i++)
        path[i] = page->path[i];
    trod_sort(path, page->npath, by_path);
    for (size_t i = 1; i < page->npath; i++)
        if (by_path(&path[i - 1], &path[i]) == 0)
            return wrong(err, "a path is there twice", path[i].id);
    return true;
}

/* The listed paths may be truncated, so their sums are at most the counts of functions. */
static bool check_sums(
    const struct trod_page *page, struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *count = trod_new(mem, uint64_t, page->nfunction), total = 0;

    for (size_t i = 0; i < page->npath; i++) {
        uint64_t *own = &count[page->path[i].function];

        *own = trod_sat_add(*own, page->path[i].count);
        total = trod_sat_add(total, page->path[i].count);
    }
    for (uint32_t i = 0; i < page->nfunction; i++)
        if (count[i] > page->function[i].count)
            return wrong(err, "paths ran more often than their function", i);
    return total <= page->total || wrong(err, "more ran than all that did", total);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static bool check_file(
    const struct trod_page *page, uint32_t number, struct trod_err *err)
{
    const struct trod_page_file *file = &page->file[number];

    for (uint32_t i = 0; i < file->nrow; i++)
        if (!file->row[i].line || (i && file->row[i - 1].line >= file->row[i].line))
            return wrong(err, "lines of a file are not in their order", number);
    return true;
}

bool trod_page_check(
    const struct trod_page *page, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = true;

    for (uint32_t i = 0; ok && i < page->nfile; i++)
        ok = check_file(page, i, err);
    for (uint32_t i = 0; ok && i < page->nfunction; i++)
        ok = check_function(page, i, err);
    for (size_t i = 0; ok && i < page->npath; i++)
        ok = check_path(page, i, mem, err);
    ok = ok && check_once(page, mem, err) && check_sums(page, mem, err) &&
         trod_page_kinds_check(page, err);
    trod_arena_rewind(mem, mark);
    return ok;
}
