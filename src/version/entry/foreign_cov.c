#include "entry/foreign.h"

#include <string.h>

enum { REGION_CODE = 0 }; /* the kind, last number of a region */

struct reader {
    struct trod_json_doc doc;
    struct trod_entries *out;
    const char *file;
    enum { OF_BLOCKS, OF_EDGES, OF_CALLS } of;
    const char *function, *source; /* whose regions are read */
    struct trod_arena *mem;
    struct trod_err *err;
};

static bool fail(const struct reader *r, uint32_t value, const char *what)
{
    return trod_fail(r->err, TROD_E_INPUT,
        "%s:%u: %s; is this what 'llvm-cov export' prints?", r->file,
        value == TROD_JSON_NONE ? 1 : (unsigned)r->doc.value[value].line, what);
}

static bool is_array(const struct reader *r, uint32_t value)
{
    return value != TROD_JSON_NONE && r->doc.value[value].kind == TROD_JSON_ARRAY;
}

static void put(struct reader *r, uint32_t part, uint64_t line, uint64_t count)
{
    trod_push(r->mem, r->out->entry, r->out->nentry, r->out->room,
        (struct trod_entry){.function = r->function,
            .file = r->source,
            .part = part,
            .line = line > UINT32_MAX ? 0 : (uint32_t)line,
            .count = count});
}

/* The first n numbers of an array; further ones are ignored. */
static bool take_numbers(struct reader *r, uint32_t array, uint64_t *out, uint32_t n)
{
    uint64_t number;
    uint32_t i = 0;

    if (!is_array(r, array))
        return fail(r, array, "expected an array of numbers");
    for (uint32_t v = trod_json_first(&r->doc, array); v != TROD_JSON_NONE;
        v = trod_json_next(&r->doc, array, v), i++) {
        if (!trod_json_uint_of(&number, &r->doc, v))
            return fail(r, v, "expected a whole number");
        if (i < n)
            out[i] = number;
    }
    return i >= n || fail(r, array, "expected more numbers");
}

/* line, column, line, column, count, file, expanded file, kind */
static bool take_regions(struct reader *r, uint32_t regions)
{
    uint32_t part = 0;

    if (!is_array(r, regions))
        return fail(r, regions, "a function has no regions");
    for (uint32_t v = trod_json_first(&r->doc, regions); v != TROD_JSON_NONE;
        v = trod_json_next(&r->doc, regions, v), part++) {
        uint64_t region[8];

        if (!take_numbers(r, v, region, 8))
            return false;
        if (region[7] == REGION_CODE)
            put(r, part, region[0], region[4]);
    }
    return true;
}

/* line, column, line, column, true, false, ... Older versions of llvm-cov omit branches. */
static bool take_branches(struct reader *r, uint32_t branches)
{
    uint32_t part = 0;

    if (branches == TROD_JSON_NONE)
        return true;
    if (!is_array(r, branches))
        return fail(r, branches, "expected an array of branches");
    for (uint32_t v = trod_json_first(&r->doc, branches); v != TROD_JSON_NONE;
        v = trod_json_next(&r->doc, branches, v), part += 2) {
        uint64_t branch[6];

        if (!take_numbers(r, v, branch, 6))
            return false;
        put(r, part, branch[0], branch[4]);
        put(r, part + 1, branch[0], branch[5]);
    }
    return true;
}

/* llvm-cov prefixes the name of a static function with its file. */
static const char *plain_name(const char *name, const char *source)
{
    const char *slash = strrchr(source, '/'), *mark = strrchr(name, ':');
    const char *base = slash ? slash + 1 : source;
    size_t n = strlen(base);

    if (!mark)
        mark = strrchr(name, ';');
    if (!mark || (size_t)(mark - name) < n)
        return name;
    return memcmp(mark - n, base, n) == 0 ? mark + 1 : name;
}

static bool take_function(struct reader *r, uint32_t function)
{
    const struct trod_json_doc *doc = &r->doc;
    uint32_t files = trod_json_member(doc, function, "filenames");
    uint32_t counted = trod_json_member(doc, function, "count");
    const char *name = trod_json_text_of(doc, trod_json_member(doc, function, "name"));
    uint64_t count;

    r->source =
        is_array(r, files) ? trod_json_text_of(doc, trod_json_first(doc, files)) : NULL;
    if (!name || !r->source)
        return fail(r, function, "a function has no name, or no file");
    r->function = plain_name(name, r->source);
    if (!trod_json_uint_of(&count, doc, counted))
        return fail(r, function, "a function has no count");
    if (r->of == OF_BLOCKS)
        return take_regions(r, trod_json_member(doc, function, "regions"));
    if (r->of == OF_EDGES)
        return take_branches(r, trod_json_member(doc, function, "branches"));
    put(r, TROD_NONE, 0, count);
    return true;
}

static bool take_export(struct reader *r, uint32_t export)
{
    const struct trod_json_doc *doc = &r->doc;
    uint32_t functions = trod_json_member(doc, export, "functions");

    if (!is_array(r, functions))
        return fail(r, export,
            "there are no functions in it: it was exported with -summary-only, or "
            "-skip-functions");
    for (uint32_t v = trod_json_first(doc, functions); v != TROD_JSON_NONE;
        v = trod_json_next(doc, functions, v))
        if (!take_function(r, v))
            return false;
    return true;
}

static bool take_all(struct reader *r)
{
    const struct trod_json_doc *doc = &r->doc;
    const char *type = trod_json_text_of(doc, trod_json_member(doc, 0, "type"));
    uint32_t data = trod_json_member(doc, 0, "data");

    if (!type || strcmp(type, "llvm.coverage.json.export") != 0)
        return fail(r, 0, "its type is not llvm.coverage.json.export");
    if (!is_array(r, data))
        return fail(r, data, "it has no data");
    for (uint32_t v = trod_json_first(doc, data); v != TROD_JSON_NONE;
        v = trod_json_next(doc, data, v))
        if (!take_export(r, v))
            return false;
    return true;
}

bool trod_foreign_cov(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.out = out, .file = file, .mem = mem, .err = err};

    if (strcmp(type, "blocks") == 0)
        r.of = OF_BLOCKS;
    else if (strcmp(type, "edges") == 0)
        r.of = OF_EDGES;
    else if (strcmp(type, "calls") == 0)
        r.of = OF_CALLS;
    else
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: llvm-cov has no entries of type '%s': it has blocks, edges and calls",
            file, type);
    return trod_json_read(&r.doc, file, bytes, length, mem, err) && take_all(&r);
}
