#include "impact/depend_builder.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_NODES = 1u << 31 };

/* --- one unit ------------------------------------------------------------------------------------- */

/* The first_* members are the sizes of the builder's arrays when the unit began: entries from there on still have the
 * unit's own numbers.
 */
struct parser {
    struct trod_depends_builder *b;
    struct trod_text *text;
    struct trod_err *err;
    const char *unit; /* its file */
    uint32_t first_node, first_global, first_enter, first_leave, first_call,
        first_taken;
    uint64_t first_edge, first_points, first_row;

    struct trod_keys
        numbers; /* from the unit's node numbers, + 1, to nodes of the builder */

    const char **file; /* by the unit's file number; NULL: undefined */
    uint32_t nfile;
    uint32_t *hidden; /* static functions */
    uint32_t nhidden, room_hidden;
};

static void begin_unit(struct parser *p, const char *unit)
{
    struct trod_depends_builder *b = p->b;

    p->first_node = b->nnode;
    p->first_global = b->nglobal;
    p->first_enter = b->nenter;
    p->first_leave = b->nleave;
    p->first_call = b->ncall;
    p->first_taken = b->ntaken;
    p->first_edge = b->nedge;
    p->first_points = b->npoints;
    p->first_row = b->nrow;
    p->numbers = (struct trod_keys){0};
    p->file = NULL;
    p->nfile = p->nhidden = 0;
    p->unit = unit;
}

/* --- numbers of the unit ---------------------------------------------------------------------------- */

static bool add_node(
    struct parser *p, uint32_t number, const struct trod_depend_node *node, bool memory)
{
    struct trod_depends_builder *b = p->b;
    uint64_t *index;
    bool is_new;

    index = trod_keys_add(&p->numbers, (uint64_t)number + 1, &is_new, b->mem);
    if (!is_new)
        return trod_text_fail(p->text, p->err,
            "node %" PRIu32 " occurs twice; give one of them another number", number);
    if (b->nnode >= MOST_NODES)
        return trod_fail(
            p->err, TROD_E_LIMIT, "more than 2^31 nodes; read fewer units");
    *index = b->nnode;
    trod_reserve(b->mem, b->node, b->nnode, b->room_node);
    if (TROD_WORDS(b->nnode + 1) > b->room_memory) {
        uint32_t room = b->room_memory ? 2 * b->room_memory : 16;

        b->memory =
            trod_arena_grow(b->mem, b->memory, b->room_memory, room, sizeof *b->memory);
        b->room_memory = room;
    }
    if (memory)
        trod_add(b->memory, b->nnode);
    b->node[b->nnode++] = *node;
    return true;
}

static bool resolve(struct parser *p, uint32_t *node)
{
    const uint64_t *found = trod_keys_find(&p->numbers, (uint64_t)*node + 1);

    if (!found)
        return trod_text_fail(p->text, p->err,
            "no node of the unit that ends here is number %" PRIu32
            "; add a line 'node' or 'memory' for it",
            *node);
    *node = (uint32_t)*found;
    return true;
}

static bool resolve_memory(struct parser *p, uint32_t *node)
{
    uint32_t number = *node;

    return resolve(p, node) && (trod_has(p->b->memory, *node) ||
                                   trod_text_fail(p->text, p->err,
                                       "node %" PRIu32 " must be memory here", number));
}

/* --- words and numbers --------------------------------------------------------------------------------- */

/* Units have millions of numbers: parse them in place, without a copy in the arena. */
static bool take_number(struct parser *p, uint32_t *out, const char *what)
{
    struct trod_text *text = p->text;
    const char *at = text->at;
    uint64_t value = 0;

    while (at < text->end && (*at == ' ' || *at == '\t'))
        at++;
    if (at == text->end || *at < '0' || *at > '9')
        return trod_text_fail(text, p->err, "expected %s, a whole number", what);
    for (; at < text->end && *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (uint64_t)(*at - '0');
        if (value >= UINT32_MAX)
            return trod_text_fail(text, p->err, "%s is below 4294967295", what);
    }
    if (at < text->end && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n' &&
        *at != '#' && *at != ';' && *at != '-')
        return trod_text_fail(text, p->err, "expected %s, a whole number", what);
    text->at = at;
    *out = (uint32_t)value;
    return true;
}

static bool is_number_next(const struct trod_text *text)
{
    const char *at = text->at;

    while (at < text->end && (*at == ' ' || *at == '\t'))
        at++;
    return at < text->end && *at >= '0' && *at <= '9';
}

static bool next(struct parser *p, struct trod_token *token)
{
    return trod_text_next(token, p->text, p->b->mem, p->err);
}

static bool take_end(struct parser *p)
{
    return trod_text_take_end("that", p->text, p->b->mem, p->err);
}

/* A name, interned. */
static bool take_word(struct parser *p, const char **out, const char *what)
{
    struct trod_mark mark = trod_arena_mark(p->b->mem);
    uint32_t n;

    if (!trod_text_take_name(out, what, p->text, p->b->mem, p->err))
        return false;
    n = trod_names_find(&p->b->word, *out);
    if (n != UINT32_MAX)
        trod_arena_rewind(p->b->mem, mark);
    else
        n = trod_names_add(&p->b->word, *out);
    *out = p->b->word.name[n];
    return true;
}

/* The number of the function whose name is the three strings concatenated. */
static uint32_t number_with(
    struct parser *p, const char *before, const char *mark, const char *name)
{
    struct trod_mark start = trod_arena_mark(p->b->mem);
    char *text;
    uint32_t n;

    text = trod_format(p->b->mem, "%s%s%s", before, mark, name);
    n = trod_names_find(&p->b->function, text);
    if (n == UINT32_MAX)
        return trod_names_add(&p->b->function, text);
    trod_arena_rewind(p->b->mem, start);
    return n;
}

static bool take_function(struct parser *p, uint32_t *out)
{
    const char *name;

    if (!take_word(p, &name, "the name of a function"))
        return false;
    *out = trod_names_add(&p->b->function, name);
    return true;
}

static bool take_type(struct parser *p, uint32_t *out)
{
    const char *name;

    if (!take_word(p, &name, "a type of functions"))
        return false;
    *out = number_with(p, "", "*", name);
    return true;
}

/* The function that contains a node; `-` or "" for none. */
static bool take_place(struct parser *p, const char **out)
{
    struct trod_text *text = p->text;

    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t'))
        text->at++;
    *out = NULL;
    if (text->at < text->end && *text->at == '-')
        text->at++;
    else if (text->end - text->at >= 2 && text->at[0] == '"' && text->at[1] == '"')
        text->at += 2;
    else
        return take_word(p, out, "the name of a function, or '-'");
    return true;
}

static bool take_row(struct parser *p, struct trod_depend_row *row)
{
    struct trod_depends_builder *b = p->b;

    row->first = b->nrow;
    row->count = 0;
    for (; is_number_next(p->text); row->count++) {
        trod_reserve(b->mem, b->row, b->nrow, b->room_row);
        if (!take_number(p, &b->row[b->nrow++], "a node"))
            return false;
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------------------ */

static bool parse_file(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    uint32_t number;
    const char *name;

    if (!take_number(p, &number, "the number of a file"))
        return false;
    if (number != p->nfile + 1)
        return trod_text_fail(p->text, p->err,
            "file %" PRIu32 " comes next, not %" PRIu32, p->nfile + 1, number);
    if (!take_word(p, &name, "the name of a file") || !take_end(p))
        return false;
    p->file = trod_arena_grow(b->mem, p->file, p->nfile, p->nfile + 1, sizeof *p->file);
    number = trod_names_add(&b->file, name); /* may move b->file.name */
    p->file[p->nfile++] = b->file.name[number];
    return true;
}

static bool parse_node(struct parser *p)
{
    struct trod_depend_node node = {0};
    uint32_t number, file;

    if (!take_number(p, &number, "the number of a node") ||
        !take_place(p, &node.function) ||
        !take_number(p, &file, "the number of a file") ||
        !take_number(p, &node.line, "a line") || !take_end(p))
        return false;
    if (file > p->nfile)
        return trod_text_fail(p->text, p->err,
            "there is no file %" PRIu32 " above; add a line 'file' for it", file);
    node.file = file ? p->file[file - 1] : NULL;
    return add_node(p, number, &node, false);
}

static bool parse_memory(struct parser *p)
{
    static const struct trod_depend_node memory;
    uint32_t number;

    return take_number(p, &number, "the number of a class") && take_end(p) &&
           add_node(p, number, &memory, true);
}

static bool parse_edges(struct parser *p, uint32_t from)
{
    struct trod_depends_builder *b = p->b;
    struct trod_token dash, arrow;

    if (!next(p, &dash) || !next(p, &arrow))
        return false;
    if (dash.kind != TROD_T_MARK || dash.mark != '-' || arrow.kind != TROD_T_MARK ||
        arrow.mark != '>')
        return trod_text_fail(p->text, p->err, "expected '->' after the node");
    while (is_number_next(p->text)) {
        trod_reserve(b->mem, b->edge, b->nedge, b->room_edge);
        b->edge[b->nedge].from = from;
        if (!take_number(p, &b->edge[b->nedge++].to, "a node"))
            return false;
    }
    return take_end(p);
}

static bool parse_global(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_global global = {0};
    struct trod_token token;

    if (!take_number(p, &global.node, "the number of a class") ||
        !take_word(p, &global.name, "the name of a global") ||
        !trod_text_peek(&token, p->text, b->mem, p->err) ||
        (!trod_token_is_over(&token) &&
            !take_word(p, &global.file, "the file of a static global")) ||
        !take_end(p))
        return false;
    trod_push(b->mem, b->global, b->nglobal, b->room_global, global);
    return true;
}

static bool parse_enters(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_row row = {0};

    if (!take_function(p, &row.function) || !take_row(p, &row) || !take_end(p))
        return false;
    if (!row.count)
        return trod_text_fail(p->text, p->err,
            "the node that begins the function is missing; it follows those of its parameters");
    trod_push(b->mem, b->enter, b->nenter, b->room_enter, row);
    return true;
}

static bool parse_leaves(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_row row = {0};

    if (!take_function(p, &row.function) || !take_row(p, &row) || !take_end(p))
        return false;
    trod_push(b->mem, b->leave, b->nleave, b->room_leave, row);
    return true;
}

/* `; NODE`, or the end of the line. */
static bool take_result(struct parser *p, uint32_t *out)
{
    struct trod_token token;

    if (!next(p, &token))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (token.kind != TROD_T_MARK || token.mark != ';')
        return trod_text_fail(
            p->text, p->err, "expected nodes, then ';' and that of the result");
    return (!is_number_next(p->text) ||
               take_number(p, out, "the node of the result")) &&
           take_end(p);
}

static bool parse_call(struct parser *p, bool by_type)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_call call = {.result = TROD_NO_CONSTRUCT};

    if (!take_number(p, &call.node, "the node that calls") ||
        !(by_type ? take_type : take_function)(p, &call.row.function) ||
        !take_row(p, &call.row) || !take_result(p, &call.result))
        return false;
    trod_push(b->mem, b->call, b->ncall, b->room_call, call);
    return true;
}

/* The token before was `may`. */
static bool parse_may_call(struct parser *p)
{
    struct trod_token dash, call;

    if (!next(p, &dash) || !next(p, &call))
        return false;
    if (dash.kind != TROD_T_MARK || dash.mark != '-' ||
        !trod_token_is_word(&call, "call"))
        return trod_text_fail(p->text, p->err, "expected 'may-call'");
    return parse_call(p, true);
}

static bool parse_static(struct parser *p)
{
    uint32_t function;

    if (!take_function(p, &function) || !take_end(p))
        return false;
    trod_push(p->b->mem, p->hidden, p->nhidden, p->room_hidden, function);
    return true;
}

static bool parse_taken(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_taken taken;

    if (!take_function(p, &taken.function) || !take_type(p, &taken.type) ||
        !take_end(p))
        return false;
    trod_push(b->mem, b->taken, b->ntaken, b->room_taken, taken);
    return true;
}

static bool parse_points(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    struct trod_depend_pair pair;

    if (!take_number(p, &pair.from, "what points") ||
        !take_number(p, &pair.to, "the class it points into") || !take_end(p))
        return false;
    trod_push(b->mem, b->points, b->npoints, b->room_points, pair);
    return true;
}

/* --- the end of a unit --------------------------------------------------------------------------------------- */

/* Prefix the names of static functions with the unit, so that they are unique among all units. */
static void hide(struct parser *p)
{
    struct trod_depends_builder *b = p->b;
    uint32_t count = b->function.count;
    uint32_t *number = trod_new(b->mem, uint32_t, (size_t)count + 1);

    for (uint32_t i = 0; i < count; i++)
        number[i] = i;
    for (uint32_t i = 0; i < p->nhidden; i++)
        number[p->hidden[i]] =
            number_with(p, p->unit, ":", b->function.name[p->hidden[i]]);
    for (uint32_t i = p->first_enter; i < b->nenter; i++)
        b->enter[i].function = number[b->enter[i].function];
    for (uint32_t i = p->first_leave; i < b->nleave; i++)
        b->leave[i].function = number[b->leave[i].function];
    for (uint32_t i = p->first_call; i < b->ncall; i++)
        b->call[i].row.function = number[b->call[i].row.function];
    for (uint32_t i = p->first_taken; i < b->ntaken; i++)
        b->taken[i].function = number[b->taken[i].function];
}

static bool resolve_nodes(struct parser *p)
{
    struct trod_depends_builder *b = p->b;

    for (uint64_t i = p->first_edge; i < b->nedge; i++)
        if (!resolve(p, &b->edge[i].from) || !resolve(p, &b->edge[i].to))
            return false;
    for (uint64_t i = p->first_points; i < b->npoints; i++)
        if (!resolve(p, &b->points[i].from) || !resolve_memory(p, &b->points[i].to))
            return false;
    for (uint32_t i = p->first_global; i < b->nglobal; i++)
        if (!resolve_memory(p, &b->global[i].node))
            return false;
    for (uint64_t i = p->first_row; i < b->nrow; i++)
        if (!resolve(p, &b->row[i]))
            return false;
    for (uint32_t i = p->first_call; i < b->ncall; i++)
        if (!resolve(p, &b->call[i].node) ||
            (b->call[i].result != TROD_NO_CONSTRUCT && !resolve(p, &b->call[i].result)))
            return false;
    return true;
}

static bool end_unit(struct parser *p)
{
    if (p->nhidden)
        hide(p);
    return resolve_nodes(p);
}

/* --- the whole text --------------------------------------------------------------------------------------------- */

static bool parse_unit_head(struct parser *p)
{
    const char *unit;

    if (!end_unit(p) || !take_word(p, &unit, "the name of a unit") || !take_end(p))
        return false;
    begin_unit(p, unit);
    return true;
}

/* `depends NAME`, which also begins a unit. */
static bool parse_head(struct parser *p)
{
    const char *name;

    if (!end_unit(p) || !take_word(p, &name, "the name of the version") || !take_end(p))
        return false;
    p->b->name = p->b->name ? p->b->name : name;
    begin_unit(p, "");
    return true;
}

static bool parse_line(struct parser *p, const struct trod_token *head)
{
    if (trod_token_is_word(head, "node"))
        return parse_node(p);
    if (trod_token_is_word(head, "memory"))
        return parse_memory(p);
    if (trod_token_is_word(head, "calls"))
        return parse_call(p, false);
    if (trod_token_is_word(head, "may"))
        return parse_may_call(p);
    if (trod_token_is_word(head, "enters"))
        return parse_enters(p);
    if (trod_token_is_word(head, "leaves"))
        return parse_leaves(p);
    if (trod_token_is_word(head, "points"))
        return parse_points(p);
    if (trod_token_is_word(head, "global"))
        return parse_global(p);
    if (trod_token_is_word(head, "static"))
        return parse_static(p);
    if (trod_token_is_word(head, "taken"))
        return parse_taken(p);
    if (trod_token_is_word(head, "file"))
        return parse_file(p);
    if (trod_token_is_word(head, "unit"))
        return parse_unit_head(p);
    if (trod_token_is_word(head, "depends"))
        return parse_head(p);
    return trod_text_fail(p->text, p->err,
        "expected unit, file, node, memory, NUMBER ->, global, points, static, enters, "
        "leaves, calls, may-call or taken");
}

/* Skip the section of another reader, up to the next `depends`. */
static void pass_over(struct trod_text *text)
{
    static const char head[] = "depends ";

    while (text->at < text->end) {
        const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at));

        if ((size_t)(text->end - text->at) >= sizeof head - 1 &&
            memcmp(text->at, head, sizeof head - 1) == 0)
            return;
        text->breaks += end != NULL;
        text->at = end ? end + 1 : text->end;
    }
}

/* Parse one line. Clears *more at the end of the text. */
static bool parse_any(struct parser *p, bool *more)
{
    struct trod_text *text = p->text;
    struct trod_token head;
    uint32_t from;

    if (is_number_next(text)) {
        /* No token of this line was read, so the line breaks before it are not counted yet. */
        text->line += text->breaks;
        text->breaks = 0;
        return take_number(p, &from, "a node") && parse_edges(p, from);
    }
    if (!next(p, &head))
        return false;
    *more = head.kind != TROD_T_END;
    if (trod_token_is_over(&head))
        return true;
    if (!trod_token_is_word(&head, "code"))
        return parse_line(p, &head);
    pass_over(text);
    return true;
}

bool trod_depends_add(
    struct trod_depends_builder *builder, struct trod_text *text, struct trod_err *err)
{
    struct parser p = {.b = builder, .text = text, .err = err};
    struct trod_token head;
    bool more = true;

    if (!next(&p, &head))
        return false;
    if (trod_token_is_word(&head, "code")) {
        pass_over(text);
        if (!next(&p, &head))
            return false;
    }
    if (!trod_token_is_word(&head, "depends"))
        return trod_text_fail(text, err, "not dependences: expected 'depends NAME'");
    begin_unit(&p, "");
    if (!parse_head(&p))
        return false;
    while (more)
        if (!parse_any(&p, &more))
            return false;
    return end_unit(&p);
}

/* --- printing -------------------------------------------------------------------------------------------------- */

static uint32_t number_of_file(const struct trod_depends *of, const char *file)
{
    for (uint32_t i = 0; i < of->nfile; i++)
        if (of->file[i] == file)
            return i + 1;
    return 0;
}

static void print_nodes(struct trod_sink *sink, const struct trod_depends *of)
{
    const char *file = NULL;
    uint32_t number = 0;

    for (uint32_t i = 0; i < of->nnode; i++) {
        const struct trod_depend_node *node = &of->node[i];

        if (!node->function && !node->file) {
            trod_put(sink, "memory %" PRIu32 "\n", i);
            continue;
        }
        if (node->file != file) {
            file = node->file;
            number = number_of_file(of, file);
        }
        trod_put(sink, "node %" PRIu32 " ", i);
        if (node->function)
            trod_put_name(sink, node->function);
        else
            trod_put(sink, "-");
        trod_put(sink, " %" PRIu32 " %" PRIu32 "\n", number, node->line);
    }
}

static void print_edges(struct trod_sink *sink, const struct trod_depends *of)
{
    for (uint32_t i = 0; i < of->nnode; i++) {
        if (of->first_out[i] == of->first_out[i + 1])
            continue;
        trod_put(sink, "%" PRIu32 " ->", i);
        for (uint64_t e = of->first_out[i]; e < of->first_out[i + 1]; e++)
            trod_put(sink, " %" PRIu32, of->to[e]);
        trod_put(sink, "\n");
    }
}

void trod_depends_print(struct trod_sink *sink, const struct trod_depends *of)
{
    trod_put(sink, "depends ");
    trod_put_name(sink, of->name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < of->nfile; i++) {
        trod_put(sink, "file %" PRIu32 " ", i + 1);
        trod_put_name(sink, of->file[i]);
        trod_put(sink, "\n");
    }
    print_nodes(sink, of);
    for (uint32_t i = 0; i < of->nglobal; i++) {
        trod_put(sink, "global %" PRIu32 " ", of->global[i].node);
        trod_put_name(sink, of->global[i].name);
        if (of->global[i].file) {
            trod_put(sink, " ");
            trod_put_name(sink, of->global[i].file);
        }
        trod_put(sink, "\n");
    }
    print_edges(sink, of);
}
