#include "explore/explore.h"

#include <inttypes.h>

void trod_explore_put_missing(struct trod_sink *sink,
    const struct trod_explored *explored, const struct trod_explore_lack *missing)
{
    trod_put(sink,
        "%s: no %s in some designs: there were %" PRIu64 " %s, and at most %" PRIu64
        " are recorded; raise the limit with --%s, or explore fewer instructions with "
        "--from and --to",
        explored->stream[missing->stream], explored->study.measure[missing->measure],
        missing->count, missing->what, missing->limit, missing->what);
}

void trod_explore_print_missing(
    struct trod_sink *sink, const struct trod_explored *explored, uint32_t stream)
{
    for (uint32_t i = 0; i < explored->nmissing; i++) {
        const struct trod_explore_lack *m = &explored->missing[i];

        if (m->stream != stream)
            continue;
        trod_put(sink, "missing ");
        trod_put_name(sink, explored->study.measure[m->measure]);
        trod_put(sink, " ");
        trod_put_name(sink, m->what);
        trod_put(sink, " %" PRIu64 " %" PRIu64 "\n", m->count, m->limit);
    }
}

void trod_explore_json_missing(
    struct trod_json *json, const struct trod_explored *explored)
{
    trod_json_open(json, "missing", '[');
    for (uint32_t i = 0; i < explored->nmissing; i++) {
        const struct trod_explore_lack *m = &explored->missing[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "stream", explored->stream[m->stream]);
        trod_json_text(json, "measure", explored->study.measure[m->measure]);
        trod_json_text(json, "of", m->what);
        trod_json_uint(json, "count", m->count);
        trod_json_uint(json, "limit", m->limit);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

bool trod_explore_check_missing(
    const struct trod_explored *explored, struct trod_err *err)
{
    for (uint32_t i = 0; i < explored->nmissing; i++) {
        const struct trod_explore_lack *m = &explored->missing[i];

        if (m->stream >= explored->nstream || m->measure >= explored->study.nmeasure ||
            m->count <= m->limit)
            return trod_fail(err, TROD_E_INTERNAL,
                "what is missing (%u) is of no stream, or below its limit", i);
        if (i && (m->stream < m[-1].stream ||
                     (m->stream == m[-1].stream && m->measure <= m[-1].measure)))
            return trod_fail(
                err, TROD_E_INTERNAL, "what is missing (%u) is out of order", i);
    }
    return true;
}
