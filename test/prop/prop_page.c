/* Pages: the data of random functions and their profiles. An independent reader reads the data
 * back and walks every path with only blocks, edges, start and decisions; numberings say where
 * it must go.
 */
#include "page/page.h"
#include "prop/sample.h"

static const struct sample_options small = {.max_node = 10};

enum { MOST_PATHS = 12, MOST_BLOCKS = 1000 };
enum fault { NONE, CUTS, STARTS, BARS, WAYS, COUNTS };

/* --- a page ------------------------------------------------------------------------------------------------------ */

struct made {
    struct sample s;
    struct trod_map map;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_page page;
    struct trod_json_doc doc;
};

static bool parse_map(struct made *m, unsigned iterations)
{
    struct trod_string text;
    struct trod_text cursor;
    struct trod_chain chain;

    trod_chain_init(&chain, &m->s.bl, iterations);
    trod_string_init(&text, &m->s.mem);
    trod_put(&text.sink, "unit a.c source\nfunction f 0000000000000001 "
                         "0000000000000002 0000000000000003\n");
    if (chain.iterations > 1)
        trod_put(&text.sink, "iterations %u\n", chain.iterations);
    trod_number_print(&text.sink, &m->s.bl);
    trod_text_init(&cursor, "map", text.text, text.length);
    return trod_map_parse(&m->map, &cursor, &m->s.mem, &m->s.err);
}

/* A row of paths as an activation may make them; where one ends, any may be next, for calls may come back. */
static trod_path draw_chain(const struct trod_chain *chain, struct kit_prop *p)
{
    uint64_t n = 1 + kit_draw(p, chain->iterations);
    trod_path id = 0;

    for (uint64_t i = 0; i < n; i++)
        id = trod_chain_add(chain, id, kit_draw(p, chain->ballarus->npath));
    return id;
}

static bool parse_profile(struct made *m, struct kit_prop *p)
{
    const struct trod_chain *chain = &m->map.entry[0].chain;
    uint64_t n = 1 + kit_draw(p, MOST_PATHS);
    trod_path *id = trod_new(&m->s.mem, trod_path, n);
    struct trod_pathset set;
    struct trod_string text;
    struct trod_text cursor;
    bool more;

    for (uint64_t i = 0; i < n; i++)
        id[i] = draw_chain(chain, p);
    trod_pathset_build(&set, id, n, &m->s.mem);
    trod_string_init(&text, &m->s.mem);
    trod_put(&text.sink,
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 "
        "0000000000000003 %" PRIu64 "\n",
        chain->nchain);
    for (size_t i = 0; i < set.count; i++)
        trod_put(
            &text.sink, "=%" PRIu64 " %" PRIu64 "\n", set.id[i], 1 + kit_draw(p, 1000));
    trod_text_init(&cursor, "profile", text.text, text.length);
    return trod_profile_parse(&m->profile, &more, &cursor, &m->s.mem, &m->s.err);
}

static bool make(struct made *m, struct kit_prop *p)
{
    struct trod_page_options options = {0};
    struct trod_string text;
    struct trod_json json;

    if (!sample_build(&m->s, &small, p) ||
        !parse_map(m, 1 + (unsigned)kit_draw(p, 3)) || !parse_profile(m, p))
        return false;
    trod_flows_build_any(&m->flows, &m->profile, &m->map, &m->s.mem);
    if (!trod_page_build(&m->page, &m->profile, &m->map, &m->flows, &options, &m->s.mem,
            &m->s.err) ||
        !trod_page_check(&m->page, &m->s.mem, &m->s.err))
        return false;
    trod_string_init(&text, &m->s.mem);
    trod_json_init(&json, &text.sink);
    json.compact = json.in_html = true;
    trod_page_json(&json, &m->page);
    return trod_json_read(
        &m->doc, "page", text.text, text.length, &m->s.mem, &m->s.err);
}

/* --- read as anybody would ------------------------------------------------------------------------------------------ */

/* Of an array, the value of some number. */
static uint32_t item(const struct trod_json_doc *doc, uint32_t of, uint64_t number)
{
    uint32_t at = trod_json_first(doc, of);

    while (number-- && at != TROD_JSON_NONE)
        at = trod_json_next(doc, of, at);
    return at;
}

static uint64_t count_of(const struct trod_json_doc *doc, uint32_t value)
{
    uint64_t out = UINT64_MAX;

    return trod_json_uint_of(&out, doc, value) ? out : UINT64_MAX;
}

static uint64_t length_of(const struct trod_json_doc *doc, uint32_t of)
{
    uint64_t n = 0;

    for (uint32_t at = trod_json_first(doc, of); at != TROD_JSON_NONE;
        at = trod_json_next(doc, of, at))
        n++;
    return n;
}

struct reader {
    const struct trod_json_doc *doc;
    uint32_t function, column; /* objects: the function, and the paths */
    enum fault fault;
    const char *way;
    uint64_t block; /* where it is */
    uint64_t nblock;
    uint32_t passed[MOST_BLOCKS];
};

static uint64_t column(const struct reader *r, const char *key, uint64_t i)
{
    return count_of(r->doc, item(r->doc, trod_json_member(r->doc, r->column, key), i));
}

/* The edges out of a block: how many, and the value of the first. */
static uint64_t edges_out(const struct reader *r, uint32_t *first)
{
    uint32_t all = trod_json_member(r->doc, r->function, "edges");
    uint64_t n = 0;

    for (uint32_t at = trod_json_first(r->doc, all); at != TROD_JSON_NONE;
        at = trod_json_next(r->doc, all, at))
        if (count_of(r->doc, item(r->doc, at, 0)) == r->block && !n++)
            *first = at;
    return n;
}

static uint64_t decide(struct reader *r)
{
    char c = *r->way;

    if (c == '(') {
        uint64_t way = strtoull(r->way + 1, NULL, 10);

        r->way = strchr(r->way, ')') + 1;
        return way;
    }
    if (!c || c == '|')
        return UINT64_MAX;
    r->way++;
    return (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* False: it is not a path. */
static bool walk(struct reader *r)
{
    for (r->nblock = 0; r->nblock < MOST_BLOCKS;) {
        uint32_t edge = TROD_JSON_NONE,
                 all = trod_json_member(r->doc, r->function, "edges");
        uint64_t n = edges_out(r, &edge), way = 0;

        r->passed[r->nblock++] = (uint32_t)r->block;
        if (!n)
            return true;
        if (n > 1)
            way = decide(r);
        if (r->fault == WAYS && n > 1 && way < n)
            way = n - 1 - way;
        if (way >= n)
            return false;
        while (way--)
            edge = trod_json_next(r->doc, all, edge);
        r->block = count_of(r->doc, item(r->doc, edge, 1));
        if (item(r->doc, edge, 3) != TROD_JSON_NONE && r->fault != CUTS)
            return true;
    }
    return false;
}

/* After a bar. */
static bool go_on(struct reader *r)
{
    char *end;
    uint64_t start;

    if (*r->way++ != '|')
        return false;
    start = strtoull(r->way, &end, 10);
    if (end == r->way || *end != ':')
        return true;
    r->way = end + 1;
    if (r->fault != BARS)
        r->block = start;
    return true;
}

static bool went(const struct reader *r, const struct made *m, trod_path id)
{
    const struct trod_dag *dag = m->map.entry[0].numbering.dag;
    uint32_t n = trod_number_decode(m->map.step, &m->map.entry[0].numbering, id);

    for (uint32_t i = 0; i + 1 < n && n - 1 == r->nblock; i++)
        if (dag->shape.dst_of_edge[m->map.step[i]] != r->passed[i])
            return false;
    return n - 1 == r->nblock;
}

/* Each path of a row where its id says; the last passes are what counts of blocks are of. */
static bool walk_row(struct reader *r, const struct made *m, uint64_t i)
{
    uint32_t start = item(r->doc, trod_json_member(r->doc, r->column, "start"), i);
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &m->map.entry[0].chain, column(r, "id", i));

    r->way = trod_json_text_of(
        r->doc, item(r->doc, trod_json_member(r->doc, r->column, "way"), i));
    r->block = strcmp(r->doc->value[start].text, "-1") == 0 || r->fault == STARTS
                   ? 0
                   : count_of(r->doc, start);
    for (unsigned k = 0; k < n; k++)
        if ((k && !go_on(r)) || !walk(r) || !went(r, m, path[k]))
            return false;
    return n && !*r->way;
}

static bool is_shown(struct made *m, struct reader *r)
{
    static const char *const keys[] = {
        "function", "id", "count", "weight", "start", "way"};
    uint32_t blocks = trod_json_member(r->doc, r->function, "blocks");
    uint64_t npath = length_of(r->doc, trod_json_member(r->doc, r->column, "id"));
    uint64_t *sum = trod_new(&m->s.mem, uint64_t, MOST_BLOCKS), total = 0;

    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (length_of(r->doc, trod_json_member(r->doc, r->column, keys[k])) != npath)
            return false;
    for (uint64_t i = 0; i < npath; i++) {
        if (!walk_row(r, m, i))
            return false;
        total += column(r, "count", i);
        for (uint64_t b = 0; b < r->nblock; b++)
            sum[r->passed[b]] += column(r, "count", i);
    }
    for (uint64_t b = 0; b < length_of(r->doc, blocks); b++)
        if (count_of(r->doc, item(r->doc, item(r->doc, blocks, b), 0)) !=
            sum[b] + (r->fault == COUNTS))
            return false;
    return total == count_of(r->doc, trod_json_member(r->doc, 0, "total"));
}

static bool pages_show(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct made m;
    struct reader r = {.doc = &m.doc, .fault = fault ? *fault : NONE};
    bool ok = make(&m, p);

    if (ok) {
        r.function = item(&m.doc, trod_json_member(&m.doc, 0, "functions"), 0);
        r.column = trod_json_member(&m.doc, 0, "paths");
        ok = is_shown(&m, &r);
    } else {
        kit_note(p, "%s", m.s.err.text);
    }
    if (!ok)
        sample_fail(p, &m.s, NULL);
    return sample_free(&m.s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"pages tell what ran", pages_show, {CUTS, STARTS, BARS, WAYS, COUNTS}},
    };

    return kit_run_tested("page", tested, sizeof tested / sizeof *tested);
}
