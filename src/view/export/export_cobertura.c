#include "export/export.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cobertura's XML, version 04 of its DTD. A file is a class, a folder a package, a function a method. */

/* --- text -------------------------------------------------------------------------------------------------------- */

/* Characters that XML cannot represent become '?'. */
static void put_text(struct trod_sink *sink, const char *text)
{
    while (*text) {
        size_t length = trod_utf8_length(text);
        unsigned char byte = (unsigned char)*text;

        if (byte == '&' || byte == '<' || byte == '>' || byte == '"')
            trod_put(sink, "&#%u;", byte);
        else if (byte < 0x20 || byte == 0x7f || length == 0)
            trod_put(sink, "?");
        else
            sink->put(sink, text, length);
        text += length ? length : 1;
    }
}

static void put_attribute(struct trod_sink *sink, const char *name, const char *value)
{
    trod_put(sink, " %s=\"", name);
    put_text(sink, value);
    trod_put(sink, "\"");
}

static void put_rates(struct trod_sink *sink, struct trod_export_covered line,
    struct trod_export_covered branch)
{
    trod_put(sink, " line-rate=\"%.4f\" branch-rate=\"%.4f\" complexity=\"0\"",
        trod_export_rate(line), trod_export_rate(branch));
}

/* XML comments must not contain "--". */
static void put_comment(struct trod_sink *sink, const char *text)
{
    trod_put(sink, "<!-- ");
    for (const char *c = text; *c; c++)
        trod_put(sink, "%s", c[0] == '-' && c[1] == '-' ? "- " : (char[]){*c, 0});
    trod_put(sink, " -->\n");
}

/* --- file names -------------------------------------------------------------------------------------------------- */

/* The common parent directory of all compilation directories. */
static const char *find_root(const struct trod_map *map, struct trod_arena *mem)
{
    const char *root = NULL;
    size_t n = 0;

    for (uint32_t i = 0; i < map->nunit; i++) {
        const char *directory = map->unit[i].directory;
        size_t same = 0, whole = 0;

        if (!directory)
            continue;
        if (!root) {
            root = directory;
            n = strlen(directory);
            continue;
        }
        for (; same < n && directory[same] == root[same]; same++)
            if (root[same] == '/')
                whole = same;
        if (same < n || (directory[same] && directory[same] != '/'))
            n = same == n || (root[same] == '/' && !directory[same]) ? same : whole;
    }
    return root ? trod_copy_text(mem, root, n ? n : 1) : "/";
}

static const char *below(const char *root, const char *path)
{
    size_t n = strlen(root);

    while (n && root[n - 1] == '/')
        n--;
    return strncmp(path, root, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* The file's folder, as a package name. */
static const char *package_of(const char *name, struct trod_arena *mem)
{
    const char *slash = strrchr(name, '/');
    char *package;

    if (!slash || slash == name)
        return ".";
    package = trod_copy_text(mem, name, (size_t)(slash - name));
    for (char *c = package; *c; c++)
        if (*c == '/' && c > package)
            *c = '.';
    return package;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

/* The lines to print, of a file or of one function. */
struct lines {
    const struct trod_export_file *file;
    const struct trod_flow_row *row;
    uint32_t nrow;
    uint32_t function; /* TROD_NONE: any */
    const char *indent;
};

static bool has_branch(const struct lines *l, const struct trod_export_branch *b)
{
    return l->function == TROD_NONE || b->function == l->function;
}

static struct trod_export_covered covered_of(const struct trod_export_branch *b)
{
    struct trod_export_covered out = {0};

    for (uint32_t k = 0; k < b->nway; k++) {
        out.nall += !b->unknown[k];
        out.nran += b->count[k] > 0;
    }
    return out;
}

static void put_conditions(
    struct trod_sink *sink, const struct lines *l, uint32_t from, uint32_t to)
{
    uint32_t number = 0;

    trod_put(sink, ">\n%s  <conditions>\n", l->indent);
    for (uint32_t i = from; i < to; i++) {
        const struct trod_export_branch *b = &l->file->branch[i];

        if (has_branch(l, b))
            trod_put(sink,
                "%s    <condition number=\"%u\" type=\"%s\" coverage=\"%.0f%%\"/>\n",
                l->indent, number++, b->nway == 2 ? "jump" : "switch",
                100 * trod_export_rate(covered_of(b)));
    }
    trod_put(sink, "%s  </conditions>\n%s</line>\n", l->indent, l->indent);
}

static void put_line(struct trod_sink *sink, const struct lines *l,
    const struct trod_flow_row *row, uint32_t from, uint32_t to)
{
    struct trod_export_covered all = {0};

    for (uint32_t i = from; i < to; i++) {
        struct trod_export_covered one = covered_of(&l->file->branch[i]);

        if (has_branch(l, &l->file->branch[i])) {
            all.nall += one.nall;
            all.nran += one.nran;
        }
    }
    trod_put(sink, "%s<line number=\"%u\" hits=\"%" PRIu64 "\" branch=\"%s\"",
        l->indent, row->line, row->count, all.nall ? "true" : "false");
    if (!all.nall) {
        trod_put(sink, "/>\n");
        return;
    }
    trod_put(sink, " condition-coverage=\"%.0f%% (%u/%u)\"",
        100 * trod_export_rate(all), all.nran, all.nall);
    put_conditions(sink, l, from, to);
}

/* The first branch on the line or on a later one. */
static uint32_t branch_at(const struct trod_export_file *file, uint32_t line)
{
    uint32_t low =
        TROD_LOWER_BOUND(mid, 0, file->nbranch, file->branch[mid].line < line);

    return low;
}

static void put_lines(struct trod_sink *sink, const struct lines *l)
{
    for (uint32_t i = 0; i < l->nrow; i++)
        put_line(sink, l, &l->row[i], branch_at(l->file, l->row[i].line),
            branch_at(l->file, l->row[i].line + 1));
}

/* --- files ------------------------------------------------------------------------------------------------------- */

static void put_method(
    struct trod_sink *sink, const struct trod_export_file *file, uint32_t i)
{
    const struct trod_export_function *f = &file->function[i];
    struct lines l = {file, f->row, f->nrow, i, "              "};

    trod_put(sink, "          <method");
    put_attribute(sink, "name", f->display_name);
    trod_put(sink, " signature=\"\"");
    put_rates(sink, f->line, f->branch);
    trod_put(sink, ">\n            <lines>\n");
    put_lines(sink, &l);
    trod_put(sink, "            </lines>\n          </method>\n");
}

static void put_class(
    struct trod_sink *sink, const struct trod_export_file *file, const char *name)
{
    const char *slash = strrchr(name, '/');
    struct lines l = {file, file->row, file->nrow, TROD_NONE, "          "};

    trod_put(sink, "      <class");
    put_attribute(sink, "name", slash ? slash + 1 : name);
    put_attribute(sink, "filename", name);
    put_rates(sink, file->lines, file->branches);
    trod_put(sink, ">\n        <methods>\n");
    for (uint32_t i = 0; i < file->nfunction; i++)
        put_method(sink, file, i);
    trod_put(sink, "        </methods>\n        <lines>\n");
    put_lines(sink, &l);
    trod_put(sink, "        </lines>\n      </class>\n");
}

/* Files are sorted by path, so those of a folder are adjacent, except for its subfolders. */
static void put_package(struct trod_sink *sink, const struct trod_export_cover *cover,
    size_t first, const char *const *package, const char *root)
{
    struct trod_export_covered line = {0}, branch = {0};

    for (size_t i = first; i < cover->nfile; i++)
        if (strcmp(package[i], package[first]) == 0) {
            line.nall += cover->file[i].lines.nall;
            line.nran += cover->file[i].lines.nran;
            branch.nall += cover->file[i].branches.nall;
            branch.nran += cover->file[i].branches.nran;
        }
    trod_put(sink, "    <package");
    put_attribute(sink, "name", package[first]);
    put_rates(sink, line, branch);
    trod_put(sink, ">\n     <classes>\n");
    for (size_t i = first; i < cover->nfile; i++)
        if (strcmp(package[i], package[first]) == 0)
            put_class(sink, &cover->file[i], below(root, cover->file[i].path));
    trod_put(sink, "     </classes>\n    </package>\n");
}

static void put_packages(struct trod_sink *sink, const struct trod_export_cover *cover,
    const char *root, struct trod_arena *mem)
{
    const char **package = trod_new(mem, const char *, cover->nfile);
    struct trod_names known;

    trod_names_init(&known, mem);
    for (size_t i = 0; i < cover->nfile; i++)
        package[i] = package_of(below(root, cover->file[i].path), mem);
    trod_put(sink, "  <packages>\n");
    for (size_t i = 0; i < cover->nfile; i++) {
        if (trod_names_find(&known, package[i]) != TROD_NONE)
            continue;
        trod_names_add(&known, package[i]);
        put_package(sink, cover, i, package, root);
    }
    trod_put(sink, "  </packages>\n");
}

/* --- the whole report --------------------------------------------------------------------------------------------- */

/* The start of the last run, in milliseconds; 0: unknown. */
static uint64_t time_of(const struct trod_profile *profile)
{
    double last = 0;

    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++) {
            const struct trod_profile_field *field = &profile->run[i].field[k];
            double start =
                strcmp(field->key, "start") == 0 ? strtod(field->value, NULL) : 0;

            last = start > last ? start : last;
        }
    return last < 1e15 ? (uint64_t)(1000 * last) : 0;
}

static void put_head(struct trod_sink *sink, const struct trod_exported *in,
    const struct trod_export_cover *cover, struct trod_arena *mem)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, mem);

    trod_put(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                   "<!DOCTYPE coverage SYSTEM "
                   "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    for (size_t i = 0; i < n; i++)
        put_comment(sink, remark[i]);
    if (cover->nwithout)
        trod_put(sink, "<!-- %" PRIu64 " functions have no lines and are omitted -->\n",
            cover->nwithout);
    trod_put(sink, "<coverage");
    put_rates(sink, cover->lines, cover->branches);
    trod_put(sink,
        " lines-covered=\"%u\" lines-valid=\"%u\" branches-covered=\"%u\" "
        "branches-valid=\"%u\" timestamp=\"%" PRIu64 "\"",
        cover->lines.nran, cover->lines.nall, cover->branches.nran,
        cover->branches.nall, time_of(in->profile));
    trod_put(sink, " version=\"trod ");
    put_text(sink, in->version);
    trod_put(sink, "\">\n");
}

bool trod_export_cobertura(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_export_cover cover;
    const char *root;

    if (!trod_export_cover(&cover, in, mem, err))
        return false;
    root = find_root(in->map, mem);
    put_head(sink, in, &cover, mem);
    trod_put(sink, "  <sources>\n    <source>");
    put_text(sink, root);
    trod_put(sink, "</source>\n  </sources>\n");
    put_packages(sink, &cover, root, mem);
    trod_put(sink, "</coverage>\n");
    return true;
}
