#include "timing/timing.h"

#include <string.h>

static unsigned log2_of(uint64_t power)
{
    return trod_bit_width(power) - 1;
}

void trod_timing_lines_init(struct trod_timing_lines *out,
    const struct trod_timing_cache *cache, struct trod_arena *mem)
{
    *out = (struct trod_timing_lines){.cache = *cache, .shift = log2_of(cache->line)};
    if (!cache->size)
        return;
    out->mask = cache->size / cache->line / cache->ways - 1;
    out->line = trod_new(mem, struct trod_timing_line, cache->size / cache->line);
}

/* Move a line to the front of its set (LRU order). */
static struct trod_timing_line *to_front(struct trod_timing_line *set, uint32_t way)
{
    struct trod_timing_line line = set[way];

    memmove(set + 1, set, way * sizeof *set);
    set[0] = line;
    return set;
}

static struct trod_timing_line *find(struct trod_timing_lines *lines, uint64_t number)
{
    struct trod_timing_line *set =
        lines->line + (number & lines->mask) * lines->cache.ways;

    if (set->tag == number + 1)
        return set;
    for (uint32_t way = 1; way < lines->cache.ways; way++)
        if (set[way].tag == number + 1)
            return to_front(set, way);
    return NULL;
}

bool trod_timing_lines_look(struct trod_timing_lines *lines, uint64_t address,
    bool store, uint64_t *gone, uint32_t *fill)
{
    uint64_t number = address >> lines->shift;
    struct trod_timing_line *line;

    *gone = 0;
    *fill = 0;
    lines->naccess++;
    if (!lines->line)
        return true;
    line = find(lines, number);
    if (line) {
        line->dirty |= store;
        *fill = line->fill;
        return true;
    }
    line = to_front(lines->line + (number & lines->mask) * lines->cache.ways,
        lines->cache.ways - 1);
    if (line->dirty) {
        *gone = line->tag;
        lines->nback++;
    }
    *fill = (uint32_t)++lines->nmiss;
    *line = (struct trod_timing_line){number + 1, *fill, store};
    return false;
}

bool trod_timing_lines_put_back(struct trod_timing_lines *lines, uint64_t address)
{
    struct trod_timing_line *line;

    if (!lines->line)
        return true;
    line = find(lines, address >> lines->shift);
    if (line)
        line->dirty = true;
    return line;
}
