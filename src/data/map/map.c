#include "map/map.h"
#include "base/parse.h"

#include <stddef.h>
#include <string.h>

struct reader {
    struct trod_map *map;
    struct trod_parse in;
    const char *unit;
    bool machine;        /* the unit's mode */
    unsigned iterations; /* of the last entry, until its numbering is read */
};

static bool read_name(struct reader *r, const char **out, const char *what)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME ||
           trod_parse_fail(&r->in, "the map is damaged: %s is missing", what);
}

static bool read_line_end(struct reader *r)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    return token.kind == TROD_T_LINE || token.kind == TROD_T_END ||
           trod_parse_fail(&r->in, "the map is damaged: a line is too long");
}

static bool read_hash(struct reader *r, uint64_t *out)
{
    const char *digits;

    if (!read_name(r, &digits, "a hash"))
        return false;
    *out = 0;
    for (const char *p = digits; *p; p++) {
        bool decimal = *p >= '0' && *p <= '9', letter = *p >= 'a' && *p <= 'f';

        if ((!decimal && !letter) || p - digits >= 16)
            return trod_parse_fail(
                &r->in, "the map is damaged: '%s' is not a hash", digits);
        *out = *out << 4 | (uint64_t)(decimal ? *p - '0' : *p - 'a' + 10);
    }
    return true;
}

static bool read_number(struct reader *r, uint32_t *out, uint64_t most)
{
    const char *digits;
    uint64_t value;

    if (!read_name(r, &digits, "a number"))
        return false;
    if (!trod_text_uint(&value, digits) || value > most)
        return trod_parse_fail(
            &r->in, "the map is damaged: '%s' is not a number", digits);
    *out = (uint32_t)value;
    return true;
}

static bool read_unit(struct reader *r)
{
    const char *mode;

    if (!read_name(r, &r->unit, "the name of a unit") ||
        !read_name(r, &mode, "the mode of a unit"))
        return false;
    r->machine = strcmp(mode, trod_profile_mode_name(TROD_MODE_MACHINE)) == 0;
    trod_push(r->in.mem, r->map->unit, r->map->nunit, r->map->room_unit,
        (struct trod_map_unit){.file = r->unit});
    return read_line_end(r);
}

static bool read_skipped(struct reader *r)
{
    struct trod_map_skipped s = {.unit = r->unit};

    if (!read_name(r, &s.name, "the name of a function") ||
        !read_name(r, &s.why, "a reason") || !read_line_end(r))
        return false;
    trod_push(r->in.mem, r->map->skipped, r->map->nskipped, r->map->room_skipped, s);
    return true;
}

/* A field of the last unit, which must not be set yet. */
static bool read_of_unit(struct reader *r, size_t field, const char *what)
{
    const char *value, **to;

    if (!read_name(r, &value, what) || !read_line_end(r))
        return false;
    if (!r->map->nunit)
        return trod_parse_fail(&r->in, "the map is damaged: %s without a unit", what);
    to = (const char **)((char *)&r->map->unit[r->map->nunit - 1] + field);
    if (*to)
        return trod_parse_fail(&r->in, "the map is damaged: a unit has %s twice", what);
    *to = value;
    return true;
}

static bool read_directory(struct reader *r)
{
    return read_of_unit(r, offsetof(struct trod_map_unit, directory), "a directory");
}

static bool read_command(struct reader *r)
{
    return read_of_unit(r, offsetof(struct trod_map_unit, command), "a command");
}

static bool read_function(struct reader *r)
{
    struct trod_map_entry entry = {.unit = r->unit, .machine = r->machine};

    if (!read_name(r, &entry.name, "the name of a function") ||
        !read_hash(r, &entry.name_hash) || !read_hash(r, &entry.graph_hash) ||
        !read_hash(r, &entry.cuts_hash) || !read_line_end(r))
        return false;
    entry.display_name = entry.name;
    trod_push(r->in.mem, r->map->entry, r->map->nentry, r->map->room_entry, entry);
    r->iterations = 1;
    return true;
}

/* The entry that `file`, `numbering` and `lines` belong to: the last one. */
static bool last_entry(struct reader *r, struct trod_map_entry **out)
{
    if (!r->map->nentry)
        return trod_parse_fail(
            &r->in, "the map is damaged: no function comes before this");
    *out = &r->map->entry[r->map->nentry - 1];
    return true;
}

/* The same for a section that begins with a name. */
static bool read_head(struct reader *r, struct trod_map_entry **out)
{
    const char *name;

    return last_entry(r, out) && read_name(r, &name, "a name");
}

/* The same for a section that must follow the function's numbering. */
static bool read_numbered(struct reader *r, struct trod_map_entry **out)
{
    return read_head(r, out) &&
           ((*out)->numbering.dag ||
               trod_parse_fail(&r->in,
                   "the map is damaged: a section of blocks without a numbering"));
}

static bool read_file(struct reader *r)
{
    struct trod_map_entry *entry;

    return last_entry(r, &entry) && read_name(r, &entry->file, "the name of a file") &&
           read_line_end(r);
}

static bool read_declared(struct reader *r)
{
    struct trod_map_entry *entry;

    return last_entry(r, &entry) && read_number(r, &entry->declared, UINT32_MAX) &&
           read_line_end(r);
}

static bool read_begun(struct reader *r)
{
    struct trod_map_entry *entry;
    const char *name;

    if (!last_entry(r, &entry) || !read_name(r, &name, "the name of a function"))
        return false;
    entry->begun = true;
    return read_line_end(r);
}

static bool read_alias(struct reader *r)
{
    struct trod_map_entry *entry;
    const char *name;

    if (!last_entry(r, &entry) || !read_name(r, &name, "the name of an alias"))
        return false;
    trod_push(r->in.mem, entry->alias, entry->nalias, entry->room_alias, name);
    return read_line_end(r);
}

static bool read_iterations(struct reader *r)
{
    struct trod_map_entry *entry;
    const char *digits;
    uint64_t iterations;

    if (!last_entry(r, &entry) || !read_name(r, &digits, "a chain length"))
        return false;
    if (!trod_text_uint(&iterations, digits) || iterations < 2 ||
        iterations > TROD_ITERATIONS_MAX || entry->numbering.dag)
        return trod_parse_fail(
            &r->in, "the map is damaged: '%s' is not a valid chain length", digits);
    r->iterations = (unsigned)iterations;
    return read_line_end(r);
}

static bool read_limited(struct reader *r)
{
    struct trod_map_entry *entry;

    return last_entry(r, &entry) && read_number(r, &entry->nlimited, UINT32_MAX) &&
           read_line_end(r);
}

/* `N: PARENT NODE FUNCTION`, followed by `*` if guarded; after the number. */
static bool read_frame(struct reader *r, struct trod_map_entry *entry)
{
    struct trod_map_frame frame = {0};
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_MARK || token.mark != ':')
        return trod_parse_fail(&r->in, "the map is damaged: a frame without a colon");
    if (!read_number(r, &frame.parent, entry->nframe - 1) ||
        !read_number(r, &frame.node, UINT32_MAX - 1) ||
        !read_name(r, &frame.function, "the function of a frame") ||
        !trod_parse_next(&token, &r->in))
        return false;
    frame.guarded = trod_token_is_mark(&token, '*');
    trod_push(r->in.mem, entry->frame, entry->nframe, entry->room_frame, frame);
    if (frame.guarded)
        return read_line_end(r);
    return token.kind == TROD_T_LINE || token.kind == TROD_T_END ||
           trod_parse_fail(&r->in, "the map is damaged: a line is too long");
}

static bool read_frames(struct reader *r)
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry) || !read_line_end(r))
        return false;
    if (entry->nframe || entry->numbering.dag)
        return trod_parse_fail(&r->in, "the map is damaged: frames out of place");
    trod_push(r->in.mem, entry->frame, entry->nframe, entry->room_frame,
        (struct trod_map_frame){
            .parent = TROD_NONE, .node = TROD_NONE, .function = entry->name});
    for (;;) {
        struct trod_text at = *r->in.text;
        struct trod_token token;
        uint64_t number;

        if (!trod_parse_next(&token, &r->in))
            return false;
        if (token.kind == TROD_T_LINE)
            continue;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&number, token.name)) {
            *r->in.text = at;
            return true;
        }
        if (number != entry->nframe)
            return trod_parse_fail(&r->in, "the map is damaged: frames out of order");
        if (!read_frame(r, entry))
            return false;
    }
}

static bool read_numbering(struct reader *r)
{
    struct trod_map_entry *entry;
    const char *name;

    if (!last_entry(r, &entry) || !read_name(r, &name, "the name of a numbering"))
        return false;
    if (entry->numbering.dag)
        return trod_parse_fail(
            &r->in, "the map is damaged: a function is numbered twice");
    if (!trod_number_parse(&entry->numbering, name, r->in.text, r->in.mem, r->in.err))
        return false;
    if (entry->numbering.kind != TROD_BALLARUS)
        return trod_parse_fail(
            &r->in, "the map is damaged: a numbering of all paths is wanted");
    trod_chain_init(&entry->chain, &entry->numbering, r->iterations);
    return entry->chain.iterations == r->iterations ||
           trod_parse_fail(&r->in,
               "the map is damaged: chains of %u paths of '%s' do not fit",
               r->iterations, name);
}

/* Of blocks only: whatever numbering the paths have, nobody refers to it. */
static bool read_graph(struct reader *r)
{
    struct trod_view *view = trod_new(r->in.mem, struct trod_view, 1);
    struct trod_graph_body *body = trod_new(r->in.mem, struct trod_graph_body, 1);
    struct trod_body_reader plain = {0};
    struct trod_limit limit = {0};
    struct trod_limit_report report;
    struct trod_map_entry *entry;
    const char *name;

    if (!last_entry(r, &entry) || !read_name(r, &name, "the name of a graph") ||
        !read_line_end(r))
        return false;
    if (entry->numbering.dag)
        return trod_parse_fail(&r->in, "the map is damaged: a function has two graphs");
    if (!trod_graph_parse_body(body, name, r->in.text, &plain, r->in.mem, r->in.err) ||
        !trod_number_limit(view, &report, &body->graph, &limit, r->in.mem, r->in.err) ||
        !trod_number_ballarus(&entry->numbering, &view->dag, r->in.mem, r->in.err))
        return false;
    trod_chain_init(&entry->chain, &entry->numbering, 1);
    return true;
}

static bool read_calls(struct reader *r)
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry))
        return false;
    if (!entry->numbering.dag)
        return trod_parse_fail(&r->in, "the map is damaged: calls without a numbering");
    if (entry->calls.ncall)
        return trod_parse_fail(
            &r->in, "the map is damaged: a function has its calls twice");
    return trod_calls_parse(
        &entry->calls, entry->numbering.dag->graph, r->in.text, r->in.mem, r->in.err);
}

/* A section with a line for each block. */
static bool read_blocks(
    struct reader *r, bool (*parse)(struct trod_map_entry *out, struct trod_text *text,
                          struct trod_arena *mem, struct trod_err *err))
{
    struct trod_map_entry *entry;

    return read_numbered(r, &entry) && read_line_end(r) &&
           parse(entry, r->in.text, r->in.mem, r->in.err);
}

static bool read_lines(struct reader *r)
{
    return read_blocks(r, trod_map_lines_parse);
}

static bool read_included(struct reader *r)
{
    struct trod_map_entry *entry;
    const char *file;

    return read_numbered(r, &entry) && read_name(r, &file, "a file") &&
           read_line_end(r) &&
           trod_map_included_parse(entry, file, r->in.text, r->in.mem, r->in.err);
}

static bool read_sites(struct reader *r)
{
    return read_blocks(r, trod_map_sites_parse);
}

static bool read_nodes(struct reader *r)
{
    return read_blocks(r, trod_map_nodes_parse);
}

static bool read_counters(struct reader *r)
{
    struct trod_map_entry *entry;
    struct trod_map_counters *c;

    if (!read_head(r, &entry))
        return false;
    c = &entry->counters;
    if (!entry->numbering.dag || c->name)
        return trod_parse_fail(&r->in, "the map is damaged: counters out of place");
    return read_name(r, &c->name, "a name in profiles of clang") &&
           read_hash(r, &c->hash) && read_number(r, &c->count, UINT32_MAX) &&
           read_line_end(r) &&
           trod_map_counters_parse(entry, r->in.text, r->in.mem, r->in.err);
}

static bool read_inlined(struct reader *r)
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry) || !read_line_end(r))
        return false;
    if (!entry->first_line || entry->ninlined)
        return trod_parse_fail(&r->in, "the map is damaged: inlined code out of place");
    return trod_map_inlined_parse(entry, r->in.text, r->in.mem, r->in.err);
}

static bool read_branches(struct reader *r)
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry) || !read_line_end(r))
        return false;
    if (!entry->first_line || entry->nbranch)
        return trod_parse_fail(&r->in, "the map is damaged: branches out of place");
    return trod_map_branches_parse(entry, r->in.text, r->in.mem, r->in.err);
}

static bool read_set(struct reader *r, enum trod_map_set set)
{
    struct trod_map_entry *entry;

    return read_numbered(r, &entry) &&
           trod_map_set_parse(entry, set, r->in.text, r->in.mem, r->in.err);
}

static bool read_merged(struct reader *r)
{
    struct trod_map_entry *entry;

    return read_numbered(r, &entry) &&
           trod_map_merged_parse(entry, r->in.text, r->in.mem, r->in.err);
}

/* A section that a function has at most once, after its graph. */
static bool read_once(struct reader *r, bool (*has)(const struct trod_map_entry *),
    bool (*parse)(struct trod_map_entry *out, struct trod_text *text,
        struct trod_arena *mem, struct trod_err *err))
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry))
        return false;
    if (!entry->numbering.dag || has(entry))
        return trod_parse_fail(
            &r->in, "the map is damaged: loops or decisions out of place");
    return parse(entry, r->in.text, r->in.mem, r->in.err);
}

static bool has_loops(const struct trod_map_entry *entry)
{
    return entry->line_of_loop;
}

static bool has_decisions(const struct trod_map_entry *entry)
{
    return entry->ndecision;
}

static bool read_loops(struct reader *r)
{
    return read_once(r, has_loops, trod_map_loops_parse);
}

static bool read_decisions(struct reader *r)
{
    return read_once(r, has_decisions, trod_map_decisions_parse);
}

static bool read_meaning(struct reader *r)
{
    struct trod_map_entry *entry;

    return read_head(r, &entry) && read_hash(r, &entry->meaning) && read_line_end(r);
}

static bool read_events(struct reader *r)
{
    struct trod_map_entry *entry;

    if (!read_head(r, &entry) || !read_line_end(r))
        return false;
    if (!entry->numbering.dag || entry->events.nloop || entry->events.ncall ||
        entry->events.nref)
        return trod_parse_fail(&r->in, "the map is damaged: events out of place");
    return trod_map_events_parse(
        &entry->events, entry->numbering.dag->graph, r->in.text, r->in.mem, r->in.err);
}

static const struct section {
    const char *word;
    bool (*read)(struct reader *r);
} sections[] = {
    {"unit", read_unit},
    {"directory", read_directory},
    {"command", read_command},
    {"skipped", read_skipped},
    {"function", read_function},
    {"file", read_file},
    {"declared", read_declared},
    {"begun", read_begun},
    {"alias", read_alias},
    {"iterations", read_iterations},
    {"limited", read_limited},
    {"frames", read_frames},
    {"numbering", read_numbering},
    {"graph", read_graph},
    {"calls", read_calls},
    {"meaning", read_meaning},
    {"nodes", read_nodes},
    {"counters", read_counters},
    {"lines", read_lines},
    {"included", read_included},
    {"inlined", read_inlined},
    {"branches", read_branches},
    {"merged", read_merged},
    {"loops", read_loops},
    {"decisions", read_decisions},
    {"sites", read_sites},
    {"events", read_events},
};

static bool read_section(struct reader *r, const struct trod_token *word)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (word->kind == TROD_T_NAME && strcmp(word->name, sections[i].word) == 0)
            return sections[i].read(r);
    for (int i = 0; i < TROD_MAP_NSET; i++)
        if (word->kind == TROD_T_NAME &&
            strcmp(word->name, trod_map_set_name((enum trod_map_set)i)) == 0)
            return read_set(r, (enum trod_map_set)i);
    return trod_parse_fail(&r->in,
        "the map is damaged or from a later version: '%s' is unknown",
        word->kind == TROD_T_NAME ? word->name : (char[2]){word->mark});
}

/* Set these pointers last: entries move while others are added. */
static void settle_chains(struct trod_map *map)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        map->entry[i].chain.ballarus = &map->entry[i].numbering;
}

static void index_entries(struct trod_map *map, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        trod_table_add(&map->entries, map->entry[i].name_hash, mem);
}

static void make_room(struct trod_map *map, struct trod_arena *mem)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_dag *dag = map->entry[i].numbering.dag;

        if (dag && dag->nreach > most)
            most = dag->nreach;
    }
    map->step = trod_new(mem, trod_edge, most);
}

bool trod_map_parse(struct trod_map *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}, .map = out, .unit = "-"};
    struct trod_token token;

    *out = (struct trod_map){0};
    for (;;) {
        if (!trod_parse_next(&token, &r.in))
            return false;
        if (token.kind == TROD_T_END)
            break;
        if (token.kind != TROD_T_LINE && !read_section(&r, &token))
            return false;
    }
    settle_chains(out);
    index_entries(out, mem);
    make_room(out, mem);
    return trod_map_join_frames(out, mem, err);
}

/* `blocks`: ids are those of blocks instead of paths. */
static bool has_ids(const struct trod_map_entry *entry, uint64_t n, bool blocks)
{
    if (!blocks)
        return entry->chain.nchain == n;
    return entry->numbering.dag && entry->numbering.dag->graph->nnode == n;
}

static const struct trod_map_entry *entry_at(const struct trod_map *map, uint32_t i)
{
    return i == TROD_TABLE_NONE ? NULL : &map->entry[i];
}

static bool is_of(const struct trod_map_entry *e,
    const struct trod_profile_function *function, uint64_t cuts)
{
    return e->name_hash == function->name && e->graph_hash == function->graph &&
           e->cuts_hash == cuts;
}

static const struct trod_map_entry *find(const struct trod_map *map,
    const struct trod_profile_function *function, bool blocks)
{
    return entry_at(map, TROD_TABLE_FIND(&map->entries, function->name, i,
                             is_of(&map->entry[i], function, function->cuts) &&
                                 has_ids(&map->entry[i], function->npath, blocks)));
}

const struct trod_map_entry *trod_map_find(
    const struct trod_map *map, const struct trod_profile_function *function)
{
    return find(map, function, false);
}

const struct trod_map_entry *trod_map_find_blocks(
    const struct trod_map *map, const struct trod_profile_function *function)
{
    return find(map, function, true);
}

const struct trod_map_entry *trod_map_find_events(
    const struct trod_map *map, const struct trod_profile_function *function)
{
    if (!trod_profile_is_events(function))
        return trod_map_find(map, function);
    return entry_at(
        map, TROD_TABLE_FIND(&map->entries, function->name, i,
                 is_of(&map->entry[i], function, function->cuts ^ TROD_EVENTS_CUTS) &&
                     map->entry[i].numbering.dag));
}

const char *trod_map_name(const struct trod_map *map, uint64_t name_hash)
{
    uint32_t found = TROD_TABLE_FIND(
        &map->entries, name_hash, i, map->entry[i].name_hash == name_hash);

    return found == TROD_TABLE_NONE ? NULL : map->entry[found].name;
}
