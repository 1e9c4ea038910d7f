#include "clang/code/dependence.h"

/* Union-find over cells: joining two also joins what they point to. Pending work is on a list
 * instead of the stack, because chains of pointers may be as long as a program has variables.
 */

void trod_code_cells_init(struct trod_code_cells *out, struct trod_arena *mem)
{
    *out = (struct trod_code_cells){.mem = mem, .nwait = 1};
    trod_reserve(mem, out->wait, 0, out->room_wait);
    trod_code_cell_new(out);
}

uint32_t trod_code_cell_new(struct trod_code_cells *cells)
{
    uint32_t n = cells->ncell++;

    trod_reserve(cells->mem, cells->parent, n, cells->room);
    trod_reserve(cells->mem, cells->size, n, cells->room_size);
    trod_reserve(cells->mem, cells->points, n, cells->room_points);
    trod_reserve(cells->mem, cells->waiting, n, cells->room_waiting);
    cells->parent[n] = n;
    cells->size[n] = 1;
    cells->points[n] = cells->waiting[n] = 0;
    return n;
}

uint32_t trod_code_cell_find(struct trod_code_cells *cells, uint32_t cell)
{
    uint32_t *parent = cells->parent;

    while (parent[cell] != cell)
        cell = parent[cell] = parent[parent[cell]];
    return cell;
}

uint32_t trod_code_cell_points(struct trod_code_cells *cells, uint32_t cell)
{
    uint32_t to = cells->points[trod_code_cell_find(cells, cell)];

    return to ? trod_code_cell_find(cells, to) : 0;
}

/* --- pending joins and assignments of targets -------------------------------------------------------- */

enum { CELLS = 1u << 31 };

static void later(struct trod_code_cells *cells, bool give, uint32_t a, uint32_t b)
{
    trod_push(cells->mem, cells->work, cells->nwork, cells->room_work,
        (uint64_t)(a | (give ? CELLS : 0)) << 32 | b);
}

/* A cell has a target now, so all cells waiting for it get the same. */
static void notify_waiting(struct trod_code_cells *cells, uint32_t cell)
{
    for (uint32_t w = cells->waiting[cell]; w; w = cells->wait[w].next)
        later(cells, true, cells->wait[w].cell, cells->points[cell]);
    cells->waiting[cell] = 0;
}

static void give(struct trod_code_cells *cells, uint32_t cell, uint32_t target)
{
    cell = trod_code_cell_find(cells, cell);
    if (cells->points[cell]) {
        later(cells, false, cells->points[cell], target);
        return;
    }
    cells->points[cell] = target;
    notify_waiting(cells, cell);
}

static uint32_t chain(struct trod_code_cells *cells, uint32_t first, uint32_t second)
{
    uint32_t last = first;

    if (!first)
        return second;
    while (cells->wait[last].next)
        last = cells->wait[last].next;
    cells->wait[last].next = second;
    return first;
}

static void join(struct trod_code_cells *cells, uint32_t a, uint32_t b)
{
    a = trod_code_cell_find(cells, a);
    b = trod_code_cell_find(cells, b);
    if (a == b)
        return;
    if (cells->size[a] < cells->size[b]) {
        uint32_t swap = a;

        a = b;
        b = swap;
    }
    cells->parent[b] = a;
    cells->njoin++;
    cells->size[a] += cells->size[b];
    if (cells->points[a] && cells->points[b])
        later(cells, false, cells->points[a], cells->points[b]);
    else if (cells->points[b])
        cells->points[a] = cells->points[b];
    cells->waiting[a] = chain(cells, cells->waiting[b], cells->waiting[a]);
    if (cells->points[a])
        notify_waiting(cells, a);
}

static void work(struct trod_code_cells *cells)
{
    while (cells->nwork) {
        uint64_t item = cells->work[--cells->nwork];
        uint32_t a = (uint32_t)(item >> 32), b = (uint32_t)item;

        if (a & CELLS)
            give(cells, a & ~CELLS, b);
        else
            join(cells, a, b);
    }
}

/* --- interface --------------------------------------------------------------------------------------- */

uint32_t trod_code_cell_target(struct trod_code_cells *cells, uint32_t cell)
{
    uint32_t to = trod_code_cell_points(cells, cell);

    if (to || !cell)
        return to;
    to = trod_code_cell_new(cells);
    give(cells, cell, to);
    work(cells);
    return trod_code_cell_find(cells, to);
}

void trod_code_cell_join(struct trod_code_cells *cells, uint32_t a, uint32_t b)
{
    later(cells, false, a, b);
    work(cells);
}

void trod_code_cell_copy(struct trod_code_cells *cells, uint32_t to, uint32_t from,
    enum trod_code_carries carries)
{
    uint32_t cell;

    if (!to || !from || carries == TROD_CARRIES_NOT)
        return;
    if (carries == TROD_CARRIES_SURELY) {
        uint32_t target = trod_code_cell_target(cells, to);

        trod_code_cell_join(cells, target, trod_code_cell_target(cells, from));
        return;
    }
    cell = trod_code_cell_find(cells, from);
    if (cells->points[cell]) {
        give(cells, to, cells->points[cell]);
        work(cells);
        return;
    }
    trod_reserve(cells->mem, cells->wait, cells->nwait, cells->room_wait);
    cells->wait[cells->nwait] = (struct trod_code_wait){to, cells->waiting[cell]};
    cells->waiting[cell] = cells->nwait++;
}
