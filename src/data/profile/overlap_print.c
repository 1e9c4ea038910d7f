#include "profile/overlap.h"

#include <stdio.h>

static size_t nlisted_of(
    const struct trod_overlap *overlap, const struct trod_overlap_format *format)
{
    size_t most = format->most ? format->most : TROD_OVERLAP_MOST;

    return overlap->napart < most ? overlap->napart : most;
}

/* Never rounded to 100% or 0%: these mean exactly that. */
static double percent(double share)
{
    if (share > 0.99995 && share < 1)
        return 99.99;
    return share > 0 && share < 0.00005 ? 0.01 : 100 * share;
}

static double top_of(const struct trod_overlap *overlap)
{
    return 100.0 * overlap->top_of / TROD_OVERLAP_WHOLE;
}

/* --- as text --------------------------------------------------------------------------------- */

static void put_part(
    struct trod_sink *sink, const char *name, const struct trod_overlap_part *part)
{
    trod_put(sink, "%-12s %6.2f%% %9zu %9zu %9zu\n", name, percent(part->overlap),
        part->na, part->nb, part->nboth);
}

static void put_apart(struct trod_sink *sink, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format)
{
    size_t n = nlisted_of(overlap, format);

    trod_put(sink, "# %zu of %zu %s with different shares%s\n", n, overlap->napart,
        format->word, n ? ", largest difference first" : "");
    if (n)
        trod_put(sink, "   apart   in A   in B  %s\n", format->head);
    for (size_t i = 0; i < n; i++) {
        size_t m = overlap->apart[i];
        double a = trod_overlap_share(overlap, m, false);
        double b = trod_overlap_share(overlap, m, true);

        trod_put(sink, "%7.2f%% %5.1f%% %5.1f%%  ", 100 * (a > b ? a - b : b - a),
            100 * a, 100 * b);
        format->put(sink, m, format->ctx);
        trod_put(sink, "\n");
    }
}

void trod_overlap_print(struct trod_sink *sink, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format)
{
    char top[32];

    snprintf(top, sizeof top, "top %g%%", top_of(overlap));
    trod_put(sink, "# %s in common\n", format->word);
    trod_put(sink, "of           overlap      in A      in B   in both\n");
    put_part(sink, "complete", &overlap->all);
    put_part(sink, top, &overlap->top);
    put_apart(sink, overlap, format);
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void json_part(struct trod_json *json, const struct trod_overlap_part *part)
{
    trod_json_real(json, "overlap", part->overlap);
    trod_json_uint(json, "in_a", part->na);
    trod_json_uint(json, "in_b", part->nb);
    trod_json_uint(json, "in_both", part->nboth);
    trod_json_close(json, '}');
}

void trod_overlap_json(struct trod_json *json, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format)
{
    size_t n = nlisted_of(overlap, format);

    trod_json_text(json, "members", format->word);
    trod_json_open(json, "complete", '{');
    json_part(json, &overlap->all);
    trod_json_open(json, "top", '{');
    trod_json_real(json, "percent", top_of(overlap));
    json_part(json, &overlap->top);
    trod_json_uint(json, "apart", overlap->napart);
    trod_json_open(json, format->word, '[');
    for (size_t i = 0; i < n; i++) {
        size_t m = overlap->apart[i];

        trod_json_open(json, NULL, '{');
        format->json(json, m, format->ctx);
        trod_json_uint(json, "a", overlap->member[m].a);
        trod_json_uint(json, "b", overlap->member[m].b);
        trod_json_real(json, "share_a", trod_overlap_share(overlap, m, false));
        trod_json_real(json, "share_b", trod_overlap_share(overlap, m, true));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
