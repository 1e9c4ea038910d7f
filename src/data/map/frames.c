#include "map/map.h"

#include <string.h>

/* Supergraphs in the map: the entries that their frames are copies of, their calls and lines. */

uint32_t trod_map_frame_of(const struct trod_map_entry *entry, trod_node node)
{
    uint32_t from = 0, to = entry->nframe;

    while (to - from > 1) {
        uint32_t mid = from + (to - from) / 2;

        if (entry->frame[mid].first <= node)
            from = mid;
        else
            to = mid;
    }
    return from;
}

/* Names of units are compared as pointers: a program and its library may both be linked as a whole, or have a file of
 * the same name.
 */
static bool find_entry(uint32_t *out, const struct trod_map *map,
    const struct trod_map_entry *from, const char *name)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        if (!map->entry[i].nframe && map->entry[i].numbering.dag &&
            map->entry[i].unit == from->unit && strcmp(map->entry[i].name, name) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static const struct trod_map_entry *entry_of(
    const struct trod_map *map, const struct trod_map_frame *frame)
{
    return &map->entry[frame->of_entry];
}

static uint32_t nnode_of(const struct trod_map_entry *entry)
{
    return entry->numbering.dag->graph->nnode;
}

/* Does each frame begin at a call of its parent? */
static const char *fault_of(const struct trod_map *map, struct trod_map_entry *entry)
{
    uint64_t nnode = 0;

    if (!entry->numbering.dag)
        return "have no numbering";
    for (uint32_t f = 0; f < entry->nframe; f++) {
        struct trod_map_frame *frame = &entry->frame[f];

        if (!find_entry(&frame->of_entry, map, entry, frame->function))
            return "are of functions it does not have";
        if (f && !trod_calls_find(&entry_of(map, &entry->frame[frame->parent])->calls,
                     frame->node, false))
            return "begin where nothing is called";
        frame->first = (trod_node)nnode;
        nnode += nnode_of(entry_of(map, frame));
        if (nnode > nnode_of(entry))
            break;
    }
    return nnode == nnode_of(entry) ? NULL : "do not make up its graph";
}

static void join_calls(
    const struct trod_map *map, struct trod_map_entry *entry, struct trod_arena *mem)
{
    struct trod_call *call;
    uint32_t n = 0;

    for (uint32_t f = 0; f < entry->nframe; f++)
        n += entry_of(map, &entry->frame[f])->calls.ncall;
    call = trod_new(mem, struct trod_call, n);
    n = 0;
    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_calls *calls = &entry_of(map, &entry->frame[f])->calls;

        for (uint32_t i = 0; i < calls->ncall; i++) {
            call[n] = calls->call[i];
            call[n++].node += entry->frame[f].first;
        }
    }
    entry->calls = (struct trod_calls){n, call};
}

static void join_lines(
    const struct trod_map *map, struct trod_map_entry *entry, struct trod_arena *mem)
{
    uint32_t nnode = nnode_of(entry), nline = 0, v = 0;
    uint32_t *first, *line;

    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_entry *of = entry_of(map, &entry->frame[f]);

        if (!of->first_line)
            return;
        nline += of->first_line[nnode_of(of)];
    }
    first = trod_new(mem, uint32_t, (size_t)nnode + 1);
    line = trod_new(mem, uint32_t, nline);
    nline = 0;
    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_entry *of = entry_of(map, &entry->frame[f]);
        uint32_t n = nnode_of(of);

        for (trod_node i = 0; i < n; i++)
            first[v++] = nline + of->first_line[i];
        for (uint32_t i = 0; i < of->first_line[n]; i++)
            line[nline++] = of->line[i];
    }
    first[v] = nline;
    entry->first_line = first;
    entry->line = line;
}

static void join_loops(
    const struct trod_map *map, struct trod_map_entry *entry, struct trod_arena *mem)
{
    uint32_t *line = trod_new(mem, uint32_t, nnode_of(entry)), v = 0;

    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_entry *of = entry_of(map, &entry->frame[f]);

        for (trod_node i = 0; i < nnode_of(of); i++)
            line[v++] = of->line_of_loop ? of->line_of_loop[i] : 0;
    }
    entry->line_of_loop = line;
}

/* Copy the decisions of blocks that have as many successors as in their own function. */
static void join_decisions(
    const struct trod_map *map, struct trod_map_entry *entry, struct trod_arena *mem)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    struct trod_map_decision *decision = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_entry *of = entry_of(map, &entry->frame[f]);
        const struct trod_graph *own = of->numbering.dag->graph;

        for (uint32_t i = 0; i < of->ndecision; i++) {
            trod_node v = of->decision[i].node, to = entry->frame[f].first + v;

            if (g->first_out[to + 1] - g->first_out[to] !=
                own->first_out[v + 1] - own->first_out[v])
                continue;
            trod_reserve(mem, decision, n, room);
            decision[n] = of->decision[i];
            decision[n++].node = to;
        }
    }
    entry->decision = decision;
    entry->ndecision = n;
}

bool trod_map_join_frames(
    struct trod_map *map, struct trod_arena *mem, struct trod_err *err)
{
    for (uint32_t i = 0; i < map->nentry; i++) {
        struct trod_map_entry *entry = &map->entry[i];
        const char *fault;

        if (!entry->nframe)
            continue;
        fault = fault_of(map, entry);
        if (fault)
            return trod_fail(err, TROD_E_INPUT,
                "the map is damaged: the frames of '%s' %s", entry->name, fault);
        join_calls(map, entry, mem);
        join_lines(map, entry, mem);
        join_loops(map, entry, mem);
        join_decisions(map, entry, mem);
    }
    return true;
}
