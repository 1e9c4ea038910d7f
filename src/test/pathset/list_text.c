#include "pathset/pathset.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- printing --------------------------------------------------------------------------------- */

/* A path can be printed if the map has the function's numbering. */
static const struct trod_map_entry *entry_of(
    const struct trod_map *map, const struct trod_list_function *f)
{
    const struct trod_map_entry *entry = map ? trod_map_find(map, &f->function) : NULL;

    return entry && entry->numbering.dag ? entry : NULL;
}

void trod_list_print(
    struct trod_sink *sink, const struct trod_list *list, const struct trod_map *map)
{
    trod_put(sink, "list %s\n", trod_profile_mode_name(list->mode));
    for (size_t i = 0; i < list->nfunction; i++) {
        const struct trod_list_function *f = &list->function[i];
        const struct trod_map_entry *entry = entry_of(map, f);

        trod_put(sink, "function ");
        trod_put_name(sink, f->name);
        trod_put(sink, " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu64 "\n",
            f->function.name, f->function.graph, f->function.cuts, f->function.npath);
        for (size_t k = 0; k < f->count; k++) {
            trod_put(sink, "=%" PRIu64, f->id[k]);
            if (entry) {
                trod_put(sink, "    # ");
                trod_path_print(sink, map, entry, f->id[k], NULL);
            }
            trod_put(sink, "\n");
        }
    }
}

static void json_hash(struct trod_json *json, const char *key, uint64_t hash)
{
    char text[17];

    for (int i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    text[16] = '\0';
    trod_json_text(json, key, text);
}

static void json_path(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id, struct trod_arena *mem)
{
    struct trod_string printed;

    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "id", id);
    if (entry) {
        trod_string_init(&printed, mem);
        trod_path_print(&printed.sink, map, entry, id, NULL);
        trod_json_text(json, "path", printed.text);
        trod_path_ends_json(json, map, entry, id);
    }
    trod_json_close(json, '}');
}

void trod_list_json(struct trod_json *json, const char *key,
    const struct trod_list *list, const struct trod_map *map, struct trod_arena *mem)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "mode", trod_profile_mode_name(list->mode));
    trod_json_open(json, "functions", '[');
    for (size_t i = 0; i < list->nfunction; i++) {
        const struct trod_list_function *f = &list->function[i];
        const struct trod_map_entry *entry = entry_of(map, f);

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "function", f->name);
        json_hash(json, "name", f->function.name);
        json_hash(json, "graph", f->function.graph);
        json_hash(json, "cuts", f->function.cuts);
        trod_json_uint(json, "npath", f->function.npath);
        trod_json_open(json, "paths", '[');
        for (size_t k = 0; k < f->count; k++)
            json_path(json, map, entry, f->id[k], mem);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ------------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    bool opened; /* a list has begun */
    enum trod_format_mode mode;
    struct trod_list_function *function;
    size_t nfunction, room_function;
    trod_path *id; /* of the current function */
    size_t nid, room_id;
};

static void close_function(struct parser *p)
{
    if (p->nfunction) {
        p->function[p->nfunction - 1].id = p->id;
        p->function[p->nfunction - 1].count = p->nid;
    }
    p->id = NULL;
    p->nid = p->room_id = 0;
}

static bool parse_head(struct parser *p)
{
    enum trod_format_mode mode = TROD_MODE_SOURCE;
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (token.kind != TROD_T_NAME || !trod_profile_mode_parse(&mode, token.name))
        return trod_parse_fail(&p->in,
            "expected the mode of the list: source, code, steps, segments or iterations2 to "
            "iterations8");
    if (p->opened && p->mode != mode) {
        trod_text_error(p->in.text, p->in.err,
            "a list of mode %s follows one of mode %s; give them separately",
            trod_profile_mode_name(mode), trod_profile_mode_name(p->mode));
        p->in.err->code = TROD_E_MISMATCH;
        return false;
    }
    p->opened = true;
    p->mode = mode;
    return trod_parse_end(&p->in, "the mode");
}

static bool parse_function(struct parser *p)
{
    struct trod_list_function *f;

    close_function(p);
    trod_reserve(p->in.mem, p->function, p->nfunction, p->room_function);
    f = &p->function[p->nfunction++];
    return trod_parse_name(&f->name, &p->in,
               "the name of a function; '\"?\"' if it is not known") &&
           trod_parse_hash(
               &f->function.name, &p->in, "the hash of the function's name") &&
           trod_parse_hash(&f->function.graph, &p->in, "the hash of its graph") &&
           trod_parse_hash(&f->function.cuts, &p->in, "the hash of its cuts") &&
           trod_parse_uint(&f->function.npath, &p->in, "its number of paths") &&
           trod_parse_end(&p->in, "the number of paths");
}

static bool parse_id(struct parser *p)
{
    const struct trod_list_function *f;
    uint64_t id;

    if (!p->nfunction)
        return trod_parse_fail(&p->in,
            "a path must belong to a function; add a line 'function NAME HASH HASH HASH NPATH' above it");
    f = &p->function[p->nfunction - 1];
    if (!trod_parse_uint(&id, &p->in, "the id of a path"))
        return false;
    if (id >= f->function.npath)
        return trod_parse_fail(&p->in,
            "'%s' has %" PRIu64 " paths, ids are below that; %" PRIu64 " is not",
            f->name, f->function.npath, id);
    trod_push(p->in.mem, p->id, p->nid, p->room_id, id);
    return trod_parse_end(&p->in, "the id");
}

static bool parse_line(struct parser *p, const struct trod_token *head)
{
    if (trod_token_is_word(head, "list"))
        return parse_head(p);
    if (!p->opened)
        return trod_parse_fail(
            &p->in, "not a path list; begin with 'list source' or 'list code'");
    if (trod_token_is_word(head, "function"))
        return parse_function(p);
    if (trod_token_is_mark(head, '='))
        return parse_id(p);
    return trod_parse_fail(&p->in,
        "expected a line of a list: 'list MODE', 'function NAME HASH HASH HASH NPATH' or "
        "'=ID'");
}

bool trod_list_begins(const struct trod_text *text, struct trod_arena *mem)
{
    struct trod_text ahead = *text;
    struct trod_token token;
    struct trod_err err;

    return trod_text_next(&token, &ahead, mem, &err) &&
           trod_token_is_word(&token, "list");
}

bool trod_list_parse(struct trod_list *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};

    for (;;) {
        struct trod_token head;

        if (!trod_parse_next(&head, &p.in))
            return false;
        if (head.kind == TROD_T_END)
            break;
        if (head.kind != TROD_T_LINE && !parse_line(&p, &head))
            return false;
    }
    if (!p.opened)
        return trod_text_fail(text, err,
            "not a path list: the file is empty; begin with 'list source' or 'list code'");
    close_function(&p);
    trod_list_build(out, p.mode, p.function, p.nfunction, mem);
    return true;
}
