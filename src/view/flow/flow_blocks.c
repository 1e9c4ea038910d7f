#include "flow/flow.h"

#include <stdlib.h>

static int by_line(const void *x, const void *y)
{
    const struct trod_flow_row *a = x, *b = y;

    return (a->line > b->line) - (a->line < b->line);
}

static uint32_t gather(
    struct trod_flow_row *out, const struct trod_flow *flow, uint32_t frame)
{
    const struct trod_map_entry *entry = flow->entry;
    uint32_t nnode = entry->numbering.dag->graph->nnode, n = 0;

    for (trod_node v = 0; v < nnode; v++) {
        if (frame != TROD_NONE && trod_map_frame_of(entry, v) != frame)
            continue;
        for (uint32_t i = entry->first_line[v]; i < entry->first_line[v + 1]; i++)
            if (entry->line[i])
                out[n++] = (struct trod_flow_row){.line = entry->line[i],
                    .count = flow->count_of_node ? flow->count_of_node[v] : 0};
    }
    return n;
}

uint32_t trod_flow_rows_by_block(struct trod_flow_row **out,
    const struct trod_flow *flow, uint32_t frame, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = flow->entry;
    struct trod_flow_row *row;
    uint32_t n, kept = 0;

    *out = NULL;
    if (!entry->first_line)
        return 0;
    row = trod_new(mem, struct trod_flow_row,
        entry->first_line[entry->numbering.dag->graph->nnode]);
    n = gather(row, flow, frame);
    if (n)
        qsort(row, n, sizeof *row, by_line);
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || row[kept - 1].line != row[i].line)
            row[kept++] = row[i];
        else if (row[kept - 1].count < row[i].count)
            row[kept - 1].count = row[i].count;
    }
    *out = row;
    return kept;
}
