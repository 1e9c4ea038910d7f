#include "stream/stream.h"

bool trod_stream_find_code(struct trod_stream_code *out, uint32_t site, void *ctx)
{
    const struct trod_stream_maps *maps = ctx;
    const struct trod_profile_function *function;
    const struct trod_map_entry *entry;
    const struct trod_map_ref *ref;
    const char *name;
    uint32_t f;
    uint64_t id;

    if (!trod_profile_find_site(&f, &id, maps->image, site) ||
        trod_event_kind(id) != TROD_EVENT_REF)
        return false;
    function = &maps->image->function[f];
    entry = trod_map_find_events(maps->map, function);
    name = entry ? entry->name : trod_map_name(maps->map, function->name);
    if (name)
        out->spot.function = name;
    out->spot.column = trod_event_a(id);
    if (!entry || trod_event_a(id) >= entry->events.nref)
        return false;
    ref = &entry->events.ref[trod_event_a(id)];
    out->access = ref->access == TROD_MAP_LOAD    ? TROD_STREAM_LOAD
                  : ref->access == TROD_MAP_STORE ? TROD_STREAM_STORE
                                                  : TROD_STREAM_BOTH;
    out->nbyte = ref->nbyte;
    if (entry->file)
        out->spot.file = entry->file;
    if (ref->line) {
        out->spot.line = ref->line;
        out->spot.column = ref->column;
    }
    return true;
}

size_t trod_stream_tidy_symbols(struct trod_stream_symbol *symbol, size_t count)
{
    uint64_t end = 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        if (!symbol[i].size || (n && symbol[i].at < end))
            continue;
        end = trod_sat_add(symbol[i].at, symbol[i].size);
        symbol[n++] = symbol[i];
    }
    return n;
}
