#include "construct/construct.h"

#include <inttypes.h>
#include <string.h>

/* Is one path a suffix of the other, at a folder boundary? */
static bool ends_alike(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    const char *longer = n > m ? a : b;
    size_t least = n > m ? m : n, most = n > m ? n : m;

    return least && memcmp(longer + most - least, n > m ? b : a, least) == 0 &&
           (least == most || longer[most - least - 1] == '/');
}

/* How well a path matches: 2 fully, 1 as a suffix, 0 not at all. */
static unsigned alike(
    const struct trod_constructs *of, const struct trod_construct *c, const char *file)
{
    const char *own = of->files.name[c->file];

    return !file || strcmp(own, file) == 0 ? 2 : ends_alike(own, file) ? 1 : 0;
}

uint32_t trod_constructs_function(
    const struct trod_constructs *of, const char *name, const char *file)
{
    uint32_t symbol = trod_names_find(&of->symbols, name);
    uint32_t best = TROD_NO_CONSTRUCT, last = TROD_NO_CONSTRUCT, n = 0;
    unsigned most = 0;

    if (symbol == UINT32_MAX)
        return TROD_NO_CONSTRUCT;
    for (uint32_t i = of->first_of_symbol[symbol]; i < of->first_of_symbol[symbol + 1];
        i++) {
        const struct trod_construct *c = &of->construct[of->named[i]];
        unsigned fits;

        if (c->level != TROD_LEVEL_FUNCTION)
            continue;
        n++;
        last = of->named[i];
        fits = alike(of, c, file);
        if (fits > most) {
            most = fits;
            best = last;
        }
    }
    return n == 1 ? last : best;
}

uint32_t trod_constructs_above(
    const struct trod_constructs *of, uint32_t construct, uint32_t level)
{
    while (construct && of->construct[construct].level != level)
        construct = of->construct[construct].parent;
    return construct;
}

uint32_t trod_constructs_at(const struct trod_constructs *of, uint32_t file,
    uint32_t line, uint32_t within, uint32_t level)
{
    uint32_t at = within == TROD_NO_CONSTRUCT ? 1 : within;
    uint32_t end =
        within == TROD_NO_CONSTRUCT ? of->nconstruct : of->construct[within].next;
    uint32_t found = TROD_NO_CONSTRUCT;

    while (at < end) {
        const struct trod_construct *c = &of->construct[at];
        bool has = c->file == file && c->line <= line && line <= c->last;

        if (has && c->level >= level)
            found = at;
        /* Descendants lie within the same lines, unless they are in another file. */
        at = has || c->file != file ? at + 1 : c->next;
    }
    return found;
}

uint64_t trod_construct_id(const struct trod_constructs *of, uint32_t construct)
{
    const struct trod_construct *c = &of->construct[construct];
    uint64_t id = trod_mix(0, c->level);

    for (const char *p = of->files.name[c->file]; *p; p++)
        id = trod_mix(id, (unsigned char)*p);
    return trod_mix(trod_mix(id, c->line), c->ordinal);
}

void trod_construct_describe(
    struct trod_sink *sink, const struct trod_constructs *of, uint32_t construct)
{
    const struct trod_construct *c = &of->construct[construct];

    if (construct == 0) {
        trod_put(sink, "%s", of->name);
        return;
    }
    trod_put(sink, "%s:%" PRIu32, of->files.name[c->file], c->line);
    if (c->ordinal)
        trod_put(sink, "#%" PRIu32, c->ordinal);
    if (c->name)
        trod_put(sink, " %s", c->shown ? c->shown : c->name);
}
