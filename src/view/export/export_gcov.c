#include "export/export.h"
#include "base/order.h"

/* The format of 'gcov --json-format' of gcc 12: format_version 1. */

static void json_functions(struct trod_json *json, const struct trod_export_file *file)
{
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < file->nfunction; i++) {
        const struct trod_export_function *f = &file->function[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "blocks", f->block.nall);
        trod_json_uint(json, "blocks_executed", f->block.nran);
        trod_json_text(json, "demangled_name", f->display_name);
        trod_json_uint(json, "end_column", 0);
        trod_json_uint(json, "end_line", f->last);
        trod_json_uint(json, "execution_count", f->entered);
        trod_json_text(json, "name", f->name);
        trod_json_uint(json, "start_column", 0);
        trod_json_uint(json, "start_line", f->first);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_branches(struct trod_json *json, const struct trod_export_file *file,
    uint32_t *at, uint32_t line)
{
    trod_json_open(json, "branches", '[');
    for (; *at < file->nbranch && file->branch[*at].line <= line; (*at)++) {
        const struct trod_export_branch *b = &file->branch[*at];

        for (uint32_t k = 0; k < b->nway && b->line == line; k++) {
            if (b->unknown[k])
                continue;
            trod_json_open(json, NULL, '{');
            trod_json_uint(json, "count", b->count[k]);
            trod_json_bool(json, "throw", false);
            trod_json_bool(json, "fallthrough", k == 0);
            trod_json_close(json, '}');
        }
    }
    trod_json_close(json, ']');
}

/* If several functions share a line, the one that begins last: nested functions are on lines of the outer ones. */
static const char **functions_of_rows(
    const struct trod_export_file *file, struct trod_arena *mem)
{
    const char **name = trod_new(mem, const char *, file->nrow);

    for (uint32_t f = 0; f < file->nfunction; f++) {
        const struct trod_export_function *function = &file->function[f];
        uint32_t low;

        if (!function->nrow)
            continue;
        low = TROD_LOWER_BOUND(
            mid, 0, file->nrow, file->row[mid].line < function->row[0].line);
        for (uint32_t i = 0; i < function->nrow && low < file->nrow; low++)
            if (file->row[low].line == function->row[i].line) {
                name[low] = function->name;
                i++;
            }
    }
    return name;
}

/* Did some outcome on the line not occur, even though the line ran? */
static bool has_unexecuted(
    const struct trod_export_file *file, const struct trod_flow_row *row, uint32_t at)
{
    if (!row->count)
        return true;
    for (; at < file->nbranch && file->branch[at].line <= row->line; at++)
        if (file->branch[at].line == row->line && !file->branch[at].reached)
            return true;
    return false;
}

static void json_lines(
    struct trod_json *json, const struct trod_export_file *file, struct trod_arena *mem)
{
    const char **name = functions_of_rows(file, mem);
    uint32_t at = 0;

    trod_json_open(json, "lines", '[');
    for (uint32_t i = 0; i < file->nrow; i++) {
        const struct trod_flow_row *row = &file->row[i];
        bool unexecuted = has_unexecuted(file, row, at);

        trod_json_open(json, NULL, '{');
        json_branches(json, file, &at, row->line);
        trod_json_uint(json, "count", row->count);
        trod_json_uint(json, "line_number", row->line);
        trod_json_bool(json, "unexecuted_block", unexecuted);
        if (name[i])
            trod_json_text(json, "function_name", name[i]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_remarks(struct trod_json *json, const struct trod_exported *in,
    const struct trod_export_cover *cover, struct trod_arena *mem)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, mem);

    trod_json_open(json, "trod", '{');
    trod_json_text(json, "version", in->version);
    trod_json_open(json, "remarks", '[');
    for (size_t i = 0; i < n; i++)
        trod_json_text(json, NULL, remark[i]);
    trod_json_close(json, ']');
    trod_json_uint(json, "without_lines", cover->nwithout);
    trod_json_uint(json, "unknown_lines", cover->nunknown);
    trod_json_close(json, '}');
}

bool trod_export_gcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_export_cover cover;
    struct trod_json json;

    if (!trod_export_cover(&cover, in, mem, err))
        return false;
    trod_json_init(&json, sink);
    trod_json_open(&json, NULL, '{');
    trod_json_text(&json, "format_version", "1");
    trod_json_text(&json, "gcc_version", "12.2.0");
    trod_json_text(&json, "current_working_directory",
        cover.nfile && cover.file[0].directory ? cover.file[0].directory : ".");
    trod_json_text(
        &json, "data_file", in->profile->nmodule ? in->profile->module[0].path : "");
    json_remarks(&json, in, &cover, mem);
    trod_json_open(&json, "files", '[');
    for (size_t i = 0; i < cover.nfile; i++) {
        trod_json_open(&json, NULL, '{');
        trod_json_text(&json, "file", cover.file[i].path);
        json_functions(&json, &cover.file[i]);
        json_lines(&json, &cover.file[i], mem);
        trod_json_close(&json, '}');
    }
    trod_json_close(&json, ']');
    trod_json_close(&json, '}');
    return true;
}
