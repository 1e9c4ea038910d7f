#include "export/export.h"

#include <inttypes.h>

/* Tracefiles as in geninfo(1). Readers skip lines that are not records. */

/* Control characters, which would end the record or move the cursor, become '?'. */
static void put_plain(struct trod_sink *sink, const char *text)
{
    for (; *text; text++)
        trod_put(sink, "%c", (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
    trod_put(sink, "\n");
}

static void put_remarks(struct trod_sink *sink, const struct trod_exported *in,
    const struct trod_export_cover *cover, struct trod_arena *mem)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, mem);

    for (size_t i = 0; i < n; i++) {
        trod_put(sink, "# ");
        put_plain(sink, remark[i]);
    }
    if (cover->nwithout)
        trod_put(sink, "# %" PRIu64 " functions have no lines and are omitted\n",
            cover->nwithout);
    if (cover->nunknown)
        trod_put(sink,
            "# %" PRIu64
            " lines are omitted: unfinished paths may or may not have run them\n",
            cover->nunknown);
}

static void put_functions(struct trod_sink *sink, const struct trod_export_file *file)
{
    for (uint32_t i = 0; i < file->nfunction; i++) {
        trod_put(sink, "FN:%u,", file->function[i].first);
        put_plain(sink, file->function[i].name);
    }
    for (uint32_t i = 0; i < file->nfunction; i++) {
        trod_put(sink, "FNDA:%" PRIu64 ",", file->function[i].entered);
        put_plain(sink, file->function[i].name);
    }
    trod_put(sink, "FNF:%u\nFNH:%u\n", file->functions.nall, file->functions.nran);
}

/* Outcomes of a decision that was never reached have '-' instead of a count. */
static void put_branches(struct trod_sink *sink, const struct trod_export_file *file)
{
    for (uint32_t i = 0; i < file->nbranch; i++) {
        const struct trod_export_branch *b = &file->branch[i];

        for (uint32_t k = 0; k < b->nway; k++) {
            if (b->unknown[k])
                continue;
            trod_put(sink, "BRDA:%u,%u,%u,", b->line, b->number, k);
            if (b->reached)
                trod_put(sink, "%" PRIu64 "\n", b->count[k]);
            else
                trod_put(sink, "-\n");
        }
    }
    trod_put(sink, "BRF:%u\nBRH:%u\n", file->branches.nall, file->branches.nran);
}

static void put_file(struct trod_sink *sink, const struct trod_export_file *file)
{
    trod_put(sink, "SF:");
    put_plain(sink, file->path);
    put_functions(sink, file);
    put_branches(sink, file);
    for (uint32_t i = 0; i < file->nrow; i++)
        trod_put(sink, "DA:%u,%" PRIu64 "\n", file->row[i].line, file->row[i].count);
    trod_put(sink, "LF:%u\nLH:%u\nend_of_record\n", file->lines.nall, file->lines.nran);
}

bool trod_export_lcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_export_cover cover;

    if (!trod_export_cover(&cover, in, mem, err))
        return false;
    put_remarks(sink, in, &cover, mem);
    trod_put(sink, "TN:\n");
    for (size_t i = 0; i < cover.nfile; i++)
        put_file(sink, &cover.file[i]);
    return true;
}
