#include "export/export.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* LLVM's sample profiles: for each function, the counts of its lines, relative to the line of its name. The count of a
 * line is that of its hottest block, as with sampling profilers. Blocks in a frame of a supergraph count for the
 * frame's function.
 */

/* The block counts of each entry, including its frames in supergraphs. */
struct runs {
    const struct trod_exported *in;
    uint64_t **of_entry; /* [map->nentry][nnode]; NULL: it did not run */
    struct trod_arena *mem;
};

/* LLVM stores line offsets in 16 bits. */
enum { MOST_OFFSET = 0xffff };

struct spot {
    uint32_t offset;
    const char *callee; /* NULL: the line itself */
    uint64_t count;
};

struct spots {
    struct spot *spot;
    size_t count, room;
};

/* --- blocks ---------------------------------------------------------------------------------- */

/* Blanks and colons delimit names in this format. */
static bool is_word(const char *name)
{
    return trod_export_llvm_has(name) && !strpbrk(name, " :");
}

static uint32_t nnode_of(const struct trod_map_entry *entry)
{
    return entry->numbering.dag->graph->nnode;
}

static void add_run(struct runs *runs, uint32_t entry, trod_node v, uint64_t count)
{
    if (!runs->of_entry[entry])
        runs->of_entry[entry] =
            trod_new(runs->mem, uint64_t, nnode_of(&runs->in->map->entry[entry]));
    runs->of_entry[entry][v] = trod_sat_add(runs->of_entry[entry][v], count);
}

static void add_flow(struct runs *runs, uint32_t number)
{
    const struct trod_flow *flow = &runs->in->flows->of_entry[number];
    const struct trod_map_entry *entry = flow->entry;

    if (!entry || !flow->count_of_node)
        return;
    for (trod_node v = 0; v < nnode_of(entry); v++) {
        const struct trod_map_frame *frame =
            entry->nframe ? &entry->frame[trod_map_frame_of(entry, v)] : NULL;

        if (flow->count_of_node[v])
            add_run(runs, frame ? frame->of_entry : number,
                frame ? v - frame->first : v, flow->count_of_node[v]);
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Code inlined into machine code may have lines before the function or too far after it. */
static bool place(uint32_t *out, const struct trod_map_entry *entry, uint32_t line)
{
    *out = line - entry->declared;
    return line >= entry->declared && *out <= MOST_OFFSET;
}

static void add_spot(struct spots *spots, struct spot spot, struct trod_arena *mem)
{
    trod_push(mem, spots->spot, spots->count, spots->room, spot);
}

/* The map limits the lines of a block, but the lines of calls are always available. */
static void add_callees(struct spots *out, const struct trod_map_entry *entry,
    trod_node v, uint64_t count, struct trod_arena *mem)
{
    for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++) {
        uint32_t offset;

        if (!entry->callee[i] || !is_word(entry->callee[i]) ||
            !entry->line_of_callee[i] ||
            !place(&offset, entry, entry->line_of_callee[i]))
            continue;
        add_spot(out, (struct spot){offset, NULL, count}, mem);
        add_spot(out, (struct spot){offset, entry->callee[i], count}, mem);
    }
}

static void add_block(struct spots *out, const struct trod_map_entry *entry,
    trod_node v, uint64_t count, struct trod_arena *mem)
{
    for (uint32_t i = entry->first_line[v]; i < entry->first_line[v + 1]; i++) {
        uint32_t offset;

        if (entry->line[i] && place(&offset, entry, entry->line[i]))
            add_spot(out, (struct spot){offset, NULL, count}, mem);
    }
    if (count && entry->line_of_callee)
        add_callees(out, entry, v, count, mem);
}

static int by_place(const void *x, const void *y)
{
    const struct spot *a = x, *b = y;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (!a->callee || !b->callee)
        return (a->callee != NULL) - (b->callee != NULL);
    return strcmp(a->callee, b->callee);
}

/* Of a line, take the hottest block; of calls from it, the sum. */
static void join_spots(struct spots *spots)
{
    size_t n = 0;

    trod_sort(spots->spot, spots->count, by_place);
    for (size_t i = 0; i < spots->count; i++) {
        struct spot *last = n ? &spots->spot[n - 1] : NULL, *own = &spots->spot[i];

        if (!last || by_place(last, own) != 0)
            spots->spot[n++] = *own;
        else if (own->callee)
            last->count = trod_sat_add(last->count, own->count);
        else if (own->count > last->count)
            last->count = own->count;
    }
    spots->count = n;
}

/* --- functions -------------------------------------------------------------------------------- */

static void put_spots(struct trod_sink *sink, const struct trod_map_entry *entry,
    const struct spots *spots, uint64_t entered)
{
    uint64_t total = 0;

    for (size_t i = 0; i < spots->count; i++)
        if (!spots->spot[i].callee)
            total = trod_sat_add(total, spots->spot[i].count);
    trod_put(sink, "%s:%" PRIu64 ":%" PRIu64, entry->name, total, entered);
    for (size_t i = 0; i < spots->count; i++) {
        const struct spot *s = &spots->spot[i];

        if (s->callee)
            trod_put(sink, " %s:%" PRIu64, s->callee, s->count);
        else
            trod_put(sink, "\n %" PRIu32 ": %" PRIu64, s->offset, s->count);
    }
    trod_put(sink, "\n");
}

static void put_function(struct trod_sink *sink, const struct trod_map_entry *entry,
    const uint64_t *count, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct spots spots = {0};

    for (trod_node v = 0; v < nnode_of(entry); v++)
        add_block(&spots, entry, v, count[v], mem);
    join_spots(&spots);
    put_spots(sink, entry, &spots, count[0]);
    trod_arena_rewind(mem, mark);
}

static bool has_place(const struct trod_map_entry *entry)
{
    return entry->declared && entry->first_line && !entry->nframe &&
           is_word(entry->name);
}

static bool check(const struct trod_exported *in, struct trod_err *err)
{
    for (uint32_t i = 0; i < in->map->nentry; i++)
        if (has_place(&in->map->entry[i]))
            return true;
    return trod_fail(err, TROD_E_MISMATCH,
        "no map has lines of functions; build with -g, and name the program with --binary");
}

bool trod_export_sample(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct runs runs = {.in = in, .mem = mem};

    if (!check(in, err))
        return false;
    runs.of_entry = trod_new(mem, uint64_t *, in->map->nentry);
    for (uint32_t i = 0; i < in->map->nentry; i++)
        add_flow(&runs, i);
    for (uint32_t i = 0; i < in->map->nentry; i++) {
        const struct trod_map_entry *entry = &in->map->entry[i];

        if (runs.of_entry[i] && has_place(entry) && trod_export_wants(in, entry))
            put_function(sink, entry, runs.of_entry[i], mem);
    }
    return true;
}
