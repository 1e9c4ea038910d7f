#include "branch/branch.h"

#include <inttypes.h>

static bool find(struct trod_branch_place *out, const struct trod_branch_places *places,
    uint64_t address)
{
    *out = (struct trod_branch_place){0};
    return places && places->find(places->ctx, out, address);
}

void trod_branch_put_place(
    struct trod_sink *sink, const struct trod_branch_places *places, uint64_t address)
{
    struct trod_branch_place place;

    if (!find(&place, places, address))
        return;
    trod_put(sink, "  %s", place.function);
    if (place.source)
        trod_put(sink, "  %s:%" PRIu32, place.source, place.line);
    else if (place.offset)
        trod_put(sink, "+0x%" PRIx64, place.offset);
}

void trod_branch_json_place(struct trod_json *json, const char *key,
    const struct trod_branch_places *places, uint64_t address)
{
    struct trod_branch_place place;

    if (!find(&place, places, address))
        return;
    trod_json_open(json, key, '{');
    trod_json_text(json, "function", place.function);
    trod_json_uint(json, "offset", place.offset);
    if (place.source) {
        trod_json_text(json, "file", place.source);
        trod_json_uint(json, "line", place.line);
    }
    trod_json_close(json, '}');
}
