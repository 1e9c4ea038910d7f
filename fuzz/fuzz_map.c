/* The map in a binary: what is accepted can be printed. */
#include "fuzz.h"

#include "report/report.h"

static void tell_some(const struct trod_map *map, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_map_entry *e = &map->entry[i];
        struct trod_profile_function f = {.name = e->name_hash,
            .graph = e->graph_hash,
            .cuts = e->cuts_hash,
            .npath = e->chain.nchain};
        struct trod_string text;

        FUZZ_MUST(trod_map_find(map, &f) != NULL);
        FUZZ_MUST(trod_map_name(map, f.name) != NULL);
        if (!e->numbering.dag)
            continue;
        trod_string_init(&text, mem);
        trod_path_print(&text.sink, map, e, 0, NULL);
        trod_path_print(&text.sink, map, e, e->chain.nchain / 2, NULL);
        trod_path_print(&text.sink, map, e, e->chain.nchain - 1, NULL);
        for (trod_edge edge = 0; edge < e->numbering.dag->shape.nedge; edge++)
            trod_edge_print(&text.sink, e, edge);
        FUZZ_MUST(text.length > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;
    struct trod_map map;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES) {
        if (trod_map_parse(&map, &text, &mem, &err))
            tell_some(&map, &mem);
        else
            fuzz_refused(&err);
    }
    trod_arena_free(&mem);
    return 0;
}
