#include "profile/overlap.h"
#include "report/report.h"

#include <inttypes.h>

/* Lists all paths, also those with equal counts, so that a group covers all of its paths. */
static void list_rows(struct trod_rows *out, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    trod_rows_init(out, map, options, mem);
    out->keep_same = true;
    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        for (size_t k = 0; k < f->npath; k++)
            trod_rows_add(out, &f->function, f->path[k].id, f->path[k].a, f->path[k].b);
    }
    trod_rows_finish(out);
}

bool trod_report_overlap_build(struct trod_report_overlap *out,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    const struct trod_report_options *options, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_overlap_member *member;

    if (!trod_overlap_check(diff, err))
        return false;
    *out = (struct trod_report_overlap){
        .nunknown = diff->nunknown, .nchanged = diff->npath_of_kind[TROD_DIFF_CHANGED]};
    list_rows(&out->rows, diff, map, options, mem);
    out->row = trod_new(mem, const struct trod_row *, out->rows.count);
    member = trod_new(mem, struct trod_overlap_member, out->rows.count);
    for (size_t i = 0; i < out->rows.count; i++) {
        const struct trod_row *row = &out->rows.row[i];

        out->row[row->order] = row;
        member[row->order] = (struct trod_overlap_member){row->count[0], row->count[1]};
    }
    trod_overlap_build(&out->overlap, member, out->rows.count, top_of, mem);
    return true;
}

/* --- text ------------------------------------------------------------------------------------- */

static void put_member(struct trod_sink *sink, size_t member, const void *ctx)
{
    const struct trod_report_overlap *o = ctx;

    trod_row_put(sink, &o->rows, o->row[member]);
}

static void json_member(struct trod_json *json, size_t member, const void *ctx)
{
    const struct trod_report_overlap *o = ctx;

    trod_row_json(json, &o->rows, o->row[member]);
}

static struct trod_overlap_format format_of(const struct trod_report_overlap *overlap)
{
    static const char *const head[] = {
        [TROD_GROUP_NONE] = "function and path",
        [TROD_GROUP_FUNCTION] = "function and file",
        [TROD_GROUP_FILE] = "file",
    };

    return (struct trod_overlap_format){.word = trod_rows_word(&overlap->rows),
        .head = head[overlap->rows.options->group],
        .most = overlap->rows.options->most,
        .put = put_member,
        .json = json_member,
        .ctx = overlap};
}

void trod_report_overlap_print(
    struct trod_sink *sink, const struct trod_report_overlap *overlap)
{
    struct trod_overlap_format format = format_of(overlap);

    trod_overlap_print(sink, &overlap->overlap, &format);
    if (overlap->nchanged)
        trod_put(sink,
            "# %" PRIu64
            " paths belong to functions that changed: none of these is in both\n",
            overlap->nchanged);
    if (overlap->nunknown)
        trod_put(sink,
            "# %" PRIu64
            " paths are omitted: they ran in one profile and are not counted in the other\n",
            overlap->nunknown);
}

void trod_report_overlap_json(
    struct trod_json *json, const char *key, const struct trod_report_overlap *overlap)
{
    struct trod_overlap_format format = format_of(overlap);

    trod_json_open(json, key, '{');
    trod_overlap_json(json, &overlap->overlap, &format);
    if (overlap->nchanged)
        trod_json_uint(json, "changed", overlap->nchanged);
    if (overlap->nunknown)
        trod_json_uint(json, "not_counted", overlap->nunknown);
    trod_json_close(json, '}');
}
