#include "pathset/pathset.h"

#include <inttypes.h>

const char *trod_share_file(const char *prefix, uint32_t site, struct trod_arena *mem)
{
    return trod_format(mem, "%s.%" PRIu32 ".list", prefix, site + 1);
}

/* Share of the operations that a single build for all paths executes. */
static double part_of_all(
    const struct trod_share *share, const struct trod_price *price)
{
    return share->all.price.dynamic > 0 ? price->dynamic / share->all.price.dynamic : 0;
}

static void put_sum(struct trod_sink *sink, const struct trod_share *share,
    const struct trod_share_sum *sum)
{
    trod_put(sink,
        " %9" PRIu64 " %10" PRIu64 " %8" PRIu64 " %10" PRIu64 " %14.0f %6.2f%%",
        sum->nfunction, sum->npath, sum->price.nop, sum->price.bytes,
        sum->price.dynamic, 100 * part_of_all(share, &sum->price));
}

void trod_share_print(
    struct trod_sink *sink, const struct trod_share *share, const char *prefix)
{
    trod_put(sink,
        "# %" PRIu64 " paths of %" PRIu64 " functions for %" PRIu32
        " sites; functions that several sites have paths of: %zu\n",
        share->once.npath, share->once.nfunction, share->nsite, share->ncut);
    trod_put(sink,
        "# operations: of the probes, %s; last column: of those for all paths\n",
        share->measured ? "when all runs that ran in the profiles"
                        : "as estimated for a thousand calls of each function");
    trod_put(sink,
        " site functions      paths   probes      bytes     operations  of all\n");
    for (uint32_t i = 0; i < share->nsite; i++) {
        trod_put(sink, "%5" PRIu32, i + 1);
        put_sum(sink, share, &share->site[i].sum);
        if (prefix)
            trod_put(sink, "  %s.%" PRIu32 ".list", prefix, i + 1);
        trod_put(sink, "\n");
    }
    trod_put(sink, " once");
    put_sum(sink, share, &share->once);
    trod_put(sink, "  one build for all of these\n  all");
    put_sum(sink, share, &share->all);
    trod_put(sink, "  one build for all paths there are\n");
}

static void json_sum(struct trod_json *json, const struct trod_share *share,
    const struct trod_share_sum *sum)
{
    trod_json_uint(json, "functions", sum->nfunction);
    trod_json_uint(json, "paths", sum->npath);
    trod_json_uint(json, "probes", sum->price.nop);
    trod_json_uint(json, "bytes", sum->price.bytes);
    trod_json_real(json, "operations", sum->price.dynamic);
    trod_json_real(json, "of_all", part_of_all(share, &sum->price));
}

void trod_share_json(struct trod_json *json, const char *key,
    const struct trod_share *share, const char *prefix, struct trod_arena *mem)
{
    trod_json_open(json, key, '{');
    trod_json_bool(json, "measured", share->measured);
    trod_json_uint(json, "cut_functions", share->ncut);
    trod_json_open(json, "sites", '[');
    for (uint32_t i = 0; i < share->nsite; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "site", i + 1);
        if (prefix)
            trod_json_text(json, "file", trod_share_file(prefix, i, mem));
        json_sum(json, share, &share->site[i].sum);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "once", '{');
    json_sum(json, share, &share->once);
    trod_json_close(json, '}');
    trod_json_open(json, "all", '{');
    json_sum(json, share, &share->all);
    trod_json_close(json, '}');
    trod_json_close(json, '}');
}
