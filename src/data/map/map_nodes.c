#include "map/map.h"
#include "base/order.h"
#include "base/parse.h"

#include <string.h>

/* Sections of the map with one line per block, in order: `N: ...`. */

struct reader {
    struct trod_parse in;
    uint32_t nnode;
    uint32_t *first; /* [nnode + 1] */
    uint64_t next;   /* the lowest block number that may follow */
    bool over;       /* all blocks have been read */
};

static bool damaged(struct reader *r, const char *what)
{
    return trod_parse_fail(&r->in, "the map is damaged: %s", what);
}

static struct reader begin(const struct trod_map_entry *entry, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nnode = entry->numbering.dag->graph->nnode;

    return (struct reader){.in = {text, mem, err},
        .nnode = nnode,
        .first = trod_new(mem, uint32_t, (size_t)nnode + 1)};
}

static bool begin_block(struct reader *r, const char *missing)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in) ||
        !trod_parse_next(&token, &r->in)) /* the number and its colon */
        return false;
    return trod_token_is_mark(&token, ':') || damaged(r, missing);
}

/* Numbers of each block, at most `most`. */
static bool read_numbers(struct reader *r, uint32_t **out, uint64_t most,
    const char *missing, const char *bad)
{
    uint32_t n = 0, room = 0;

    *out = NULL;
    for (uint32_t v = 0; v < r->nnode; v++) {
        if (!begin_block(r, missing))
            return false;
        for (;;) {
            struct trod_token token;
            uint64_t value;

            if (!trod_parse_next(&token, &r->in))
                return false;
            if (trod_token_is_over(&token))
                break;
            if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
                value > most)
                return damaged(r, bad);
            trod_reserve(r->in.mem, *out, n, room);
            (*out)[n++] = (uint32_t)value;
        }
        r->first[v + 1] = n;
    }
    return true;
}

bool trod_map_lines_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = begin(out, text, mem, err);
    uint32_t *line;

    if (!read_numbers(&r, &line, UINT32_MAX, "lines of a block are missing",
            "a line is not a number"))
        return false;
    out->first_line = r.first;
    out->line = line;
    return true;
}

bool trod_map_included_parse(struct trod_map_entry *out, const char *file,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = begin(out, text, mem, err);
    uint32_t *line;

    if (!read_numbers(&r, &line, UINT32_MAX, "included lines of a block are missing",
            "an included line is not a number"))
        return false;
    trod_push(mem, out->included, out->nincluded, out->room_included,
        (struct trod_map_included){file, r.first, line});
    return true;
}

bool trod_map_sites_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = begin(out, text, mem, err);
    uint32_t *line;

    if (!read_numbers(&r, &line, UINT32_MAX, "calls of a block are missing",
            "the line of a call is not a number"))
        return false;
    for (uint32_t v = 0; v <= r.nnode; v++)
        if (!out->first_callee || out->first_callee[v] != r.first[v])
            return damaged(&r, "a block has a different number of calls");
    out->line_of_callee = line;
    return true;
}

bool trod_map_counters_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = begin(out, text, mem, err);
    uint32_t *index;

    if (!out->counters.count)
        return damaged(&r, "a function has no counters");
    if (!read_numbers(&r, &index, out->counters.count - 1,
            "counters of a block are missing", "there is no such counter"))
        return false;
    out->counters.first = r.first;
    out->counters.index = index;
    return true;
}

bool trod_map_nodes_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = begin(out, text, mem, err);
    uint64_t *hash = trod_new(mem, uint64_t, r.nnode);
    const char **callee = NULL;
    uint32_t ncallee = 0, room = 0;

    for (uint32_t v = 0; v < r.nnode; v++) {
        if (!begin_block(&r, "the hash of a block is missing") ||
            !trod_text_take_hash(&hash[v], "the hash of a block", text, mem, err))
            return false;
        for (;;) {
            struct trod_token token;
            bool any;

            if (!trod_parse_next(&token, &r.in))
                return false;
            if (trod_token_is_over(&token))
                break;
            any = trod_token_is_mark(&token, '*');
            if (!any && token.kind != TROD_T_NAME)
                return damaged(&r, "a callee has no name");
            trod_push(mem, callee, ncallee, room, any ? NULL : token.name);
        }
        r.first[v + 1] = ncallee;
    }
    out->hash_of_node = hash;
    out->first_callee = r.first;
    out->callee = callee;
    return true;
}

static bool read_line(struct reader *r, uint32_t *out)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
        value > UINT32_MAX)
        return damaged(r, "a line is not a number");
    *out = (uint32_t)value;
    return true;
}

/* Read the head `NODE:` of the next line; block numbers ascend. False on an error and also, with
 * r->over, at a line that begins with something else, which stays unread.
 */
static bool next_node(struct reader *r, trod_node *node, const char *what)
{
    struct trod_token token;
    struct trod_text at;
    uint64_t value;

    do {
        at = *r->in.text;
        if (!trod_parse_next(&token, &r->in))
            return false;
    } while (token.kind == TROD_T_LINE);
    r->over = token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name);
    if (r->over) {
        *r->in.text = at;
        return false;
    }
    if (value < r->next || value >= r->nnode)
        return trod_parse_fail(
            &r->in, "the map is damaged: %s are out of order, or of no block", what);
    *node = (trod_node)value;
    r->next = value + 1;
    if (!trod_parse_next(&token, &r->in))
        return false;
    return trod_token_is_mark(&token, ':') ||
           trod_parse_fail(&r->in, "the map is damaged: %s without a colon", what);
}

/* `NODE: FIRST LAST [FUNCTION]`, after the colon. */
static bool read_inlined(struct reader *r, struct trod_map_inlined *out)
{
    struct trod_token token;

    if (!read_line(r, &out->first) || !read_line(r, &out->last) ||
        !trod_parse_next(&token, &r->in))
        return false;
    if (token.kind == TROD_T_NAME) {
        out->function = out->display_name = token.name;
        if (!trod_parse_next(&token, &r->in))
            return false;
    }
    return trod_token_is_over(&token) || damaged(r, "a line is too long");
}

bool trod_map_inlined_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {
        .in = {text, mem, err}, .nnode = out->numbering.dag->graph->nnode};
    trod_node node;

    while (next_node(&r, &node, "blocks of inlined code")) {
        struct trod_map_inlined block = {.node = node};

        if (!read_inlined(&r, &block))
            return false;
        trod_push(mem, out->inlined, out->ninlined, out->room_inlined, block);
    }
    return r.over;
}

const struct trod_map_inlined *trod_map_inlined_at(
    const struct trod_map_entry *entry, trod_node node)
{
    uint32_t from =
        TROD_LOWER_BOUND(mid, 0, entry->ninlined, entry->inlined[mid].node < node);

    return from < entry->ninlined && entry->inlined[from].node == node
               ? &entry->inlined[from]
               : NULL;
}

/* `NODE: LINE [FUNCTION [FILE]]`, after the colon. */
static bool read_branch(struct reader *r, struct trod_map_branch *out)
{
    const char **name[] = {&out->function, &out->file};
    struct trod_token token;

    if (!read_line(r, &out->line) || !trod_parse_next(&token, &r->in))
        return false;
    for (int i = 0; i < 2 && token.kind == TROD_T_NAME; i++) {
        *name[i] = strcmp(token.name, "-") == 0 ? NULL : token.name;
        if (!trod_parse_next(&token, &r->in))
            return false;
    }
    return trod_token_is_over(&token) || damaged(r, "a line is too long");
}

bool trod_map_branches_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {
        .in = {text, mem, err}, .nnode = out->numbering.dag->graph->nnode};
    trod_node node;

    while (next_node(&r, &node, "branches")) {
        struct trod_map_branch branch = {.node = node};

        if (!read_branch(&r, &branch))
            return false;
        trod_push(mem, out->branch, out->nbranch, out->room_branch, branch);
    }
    return r.over;
}

static const struct trod_map_branch *branch_of(
    const struct trod_map_entry *entry, trod_node node)
{
    size_t at = TROD_LOWER_BOUND(i, 0, entry->nbranch, entry->branch[i].node < node);

    return at < entry->nbranch && entry->branch[at].node == node ? &entry->branch[at]
                                                                 : NULL;
}

const char *trod_map_decision_function(
    const struct trod_map_entry *entry, trod_node node)
{
    const struct trod_map_branch *branch = branch_of(entry, node);
    const struct trod_map_inlined *inlined = trod_map_inlined_at(entry, node);

    if (branch)
        return branch->function;
    return inlined ? inlined->function : NULL;
}

const char *trod_map_set_name(enum trod_map_set set)
{
    static const char *const name[TROD_MAP_NSET] = {
        [TROD_MAP_JUMPS] = "jumps",
        [TROD_MAP_TAILS] = "tails",
        [TROD_MAP_BORROWED] = "borrowed",
        [TROD_MAP_THROWS] = "throws",
        [TROD_MAP_UNWINDS] = "unwinds",
        [TROD_MAP_STOPS] = "stops",
    };

    return name[set];
}

bool trod_map_is_in_set(
    const struct trod_map_entry *entry, enum trod_map_set set, trod_node node)
{
    return entry->blocks[set] && trod_has(entry->blocks[set], node);
}

bool trod_map_set_parse(struct trod_map_entry *out, enum trod_map_set which,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nnode = out->numbering.dag->graph->nnode;
    struct reader r = {.in = {text, mem, err}, .nnode = nnode};
    uint64_t *set = trod_new(mem, uint64_t, TROD_WORDS(nnode)), value;
    struct trod_token token;

    for (;;) {
        if (!trod_parse_next(&token, &r.in))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
            value >= nnode)
            return damaged(&r, "a block of a set does not exist");
        trod_add(set, (uint32_t)value);
    }
    out->blocks[which] = set;
    return true;
}

/* A block and a line, unless the section's line ends here. */
static bool read_pair(struct reader *r, bool *over, trod_node *node, uint32_t *line)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_parse_next(&token, &r->in))
        return false;
    *over = trod_token_is_over(&token);
    if (*over)
        return true;
    if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
        value >= r->nnode)
        return damaged(r, "a loop or merged line is of no block");
    *node = (trod_node)value;
    return read_line(r, line);
}

bool trod_map_loops_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nnode = out->numbering.dag->graph->nnode;
    struct reader r = {.in = {text, mem, err}, .nnode = nnode};
    uint32_t *line = trod_new(mem, uint32_t, nnode), at;
    trod_node node;
    bool over;

    for (;;) {
        if (!read_pair(&r, &over, &node, &at))
            return false;
        if (over)
            break;
        line[node] = at;
    }
    out->line_of_loop = line;
    return true;
}

bool trod_map_merged_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nnode = out->numbering.dag->graph->nnode;
    struct reader r = {.in = {text, mem, err}, .nnode = nnode};
    struct trod_map_merged made;
    bool over;

    for (;;) {
        if (!read_pair(&r, &over, &made.node, &made.line))
            return false;
        if (over)
            return true;
        trod_push(mem, out->merged, out->nmerged, out->room_merged, made);
    }
}

/* --- decisions -------------------------------------------------------------------------------------------------- */

static bool read_number(struct reader *r, uint32_t *out, uint64_t most)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
        value > most)
        return damaged(r, "the position of a decision is not a number");
    *out = (uint32_t)value;
    return true;
}

static bool read_file(struct reader *r, const char **out)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &r->in))
        return false;
    *out = token.name;
    return token.kind == TROD_T_NAME ||
           damaged(r, "the file of a decision has no name");
}

/* After the block and its colon. */
static bool read_decision(
    struct reader *r, const struct trod_graph *g, struct trod_map_decision *out)
{
    uint32_t nway = g->first_out[out->node + 1] - g->first_out[out->node];
    const char **way = trod_new(r->in.mem, const char *, nway);
    struct trod_token token;

    if (!read_number(r, &out->line, UINT32_MAX) ||
        !read_number(r, &out->column, UINT32_MAX) ||
        !read_number(r, &out->ncondition, UINT32_MAX))
        return false;
    if (nway < 2)
        return damaged(r, "a decision of a block with one successor");
    for (uint32_t k = 0; k < nway; k++) {
        if (!trod_parse_next(&token, &r->in))
            return false;
        if (!k && token.kind == TROD_T_NAME && strcmp(token.name, "in") == 0) {
            if (!read_file(r, &out->file) || !trod_parse_next(&token, &r->in))
                return false;
        }
        if (!k && trod_token_is_mark(&token, '*')) {
            out->partly = true;
            if (!trod_parse_next(&token, &r->in))
                return false;
        }
        if (token.kind != TROD_T_NAME)
            return damaged(r, "an outcome of a decision has no name");
        way[k] = token.name;
    }
    out->way = way;
    if (!trod_parse_next(&token, &r->in))
        return false;
    return trod_token_is_over(&token) ||
           damaged(r, "a decision has more outcomes than its block has successors");
}

bool trod_map_decisions_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_graph *g = out->numbering.dag->graph;
    struct reader r = {.in = {text, mem, err}, .nnode = g->nnode};
    struct trod_map_decision *decision = NULL;
    uint32_t n = 0, room = 0;
    trod_node node;

    while (next_node(&r, &node, "decisions")) {
        struct trod_map_decision made = {.node = node};

        if (!read_decision(&r, g, &made))
            return false;
        trod_push(mem, decision, n, room, made);
    }
    out->decision = decision;
    out->ndecision = n;
    return r.over;
}

const struct trod_map_decision *trod_map_decision_of(
    const struct trod_map_entry *entry, trod_node node)
{
    uint32_t low =
        TROD_LOWER_BOUND(mid, 0, entry->ndecision, entry->decision[mid].node < node);

    return low < entry->ndecision && entry->decision[low].node == node
               ? &entry->decision[low]
               : NULL;
}

bool trod_map_is_own_decision(const struct trod_map_entry *entry, trod_node node)
{
    const struct trod_map_decision *d = trod_map_decision_of(entry, node);

    return d && strcmp(d->way[0], "-") == 0;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

/* The first or last line of a block in one file; 0: none. */
static uint32_t line_of(
    const uint32_t *first_line, const uint32_t *line, trod_node v, bool last)
{
    for (uint32_t i = first_line[v]; i < first_line[v + 1]; i++) {
        uint32_t at =
            last ? line[first_line[v + 1] - 1 - (i - first_line[v])] : line[i];

        if (at)
            return at;
    }
    return 0;
}

/* A place in the function's own file, otherwise in a file that it includes. */
static struct trod_map_place place_of(
    const struct trod_map_entry *entry, trod_node v, bool last)
{
    struct trod_map_place out = {0};

    if (entry->first_line)
        out.line = line_of(entry->first_line, entry->line, v, last);
    for (uint32_t i = 0; !out.line && i < entry->nincluded; i++) {
        const struct trod_map_included *in = &entry->included[i];

        out = (struct trod_map_place){
            in->file, line_of(in->first_line, in->line, v, last)};
    }
    if (!out.line)
        out.file = NULL;
    return out;
}

struct trod_map_place trod_map_decision_place(
    const struct trod_map_entry *entry, trod_node node)
{
    const struct trod_map_decision *d = trod_map_decision_of(entry, node);
    const struct trod_map_branch *branch = branch_of(entry, node);

    if (d && d->line)
        return (struct trod_map_place){d->file, d->line};
    if (branch) /* other code of the block is irrelevant */
        return (struct trod_map_place){
            branch->line ? branch->file : NULL, branch->line};
    return place_of(entry, node, true);
}

struct trod_map_place trod_map_loop_place(
    const struct trod_map_entry *entry, trod_node node)
{
    return entry->line_of_loop && entry->line_of_loop[node]
               ? (struct trod_map_place){NULL, entry->line_of_loop[node]}
               : place_of(entry, node, false);
}

struct trod_map_place trod_map_first_place(
    const struct trod_map_entry *entry, trod_node node)
{
    return place_of(entry, node, false);
}

const char *trod_map_base_name(const char *file)
{
    const char *slash = strrchr(file, '/');

    return slash ? slash + 1 : file;
}

void trod_map_put_place(struct trod_sink *sink, struct trod_map_place place)
{
    if (place.file) {
        trod_put_name(sink, trod_map_base_name(place.file));
        trod_put(sink, ":");
    }
    trod_put(sink, "%u", place.line);
}
