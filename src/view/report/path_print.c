#include "report/report.h"

#include <stdio.h>
#include <string.h>

/* A path on several lines: its start, one line per decision, its end.
 *
 *                 loop iteration, line 76
 *             76  r->at < r->end        yes
 *             79  c == '"'              no    -> next iteration, line 76
 */

enum { FIRST_SHOWN = 8, LAST_SHOWN = 3, LEAST_CONDITION = 12 };

struct line {
    uint32_t number;     /* of the source; 0: none */
    const char *text;    /* a condition, or other text */
    const char *outcome; /* NULL: not a decision */
    const char **way;    /* the outcomes, if there are several */
    uint32_t nway, wayroom;
    const char *remark; /* after the outcome; NULL: none */
    bool marked;
    bool shown;
    uint32_t above; /* a remark on so many lines above, which repeat; 0: none */
};

struct printer {
    struct trod_sink *sink;
    const struct trod_map *map;
    const struct trod_map_entry *entry;
    const struct trod_path_look *look;
    struct trod_arena *mem;
    struct line *line;
    uint32_t nline, ndecision, room;
    uint32_t last_line; /* of the blocks so far; 0: unknown */
    bool cut;
    bool last_short; /* the last outcome is "no": pad, so that ends are aligned */
};

static struct line *add(struct printer *p, uint32_t number, const char *text)
{
    struct line *line;

    trod_reserve(p->mem, p->line, p->nline, p->room);
    line = &p->line[p->nline++];
    *line = (struct line){.number = number, .text = text};
    return line;
}

/* --- text -------------------------------------------------------------------------------------- */

static const char *words(struct printer *p, const char *before, const char *name,
    const char *behind, uint32_t line)
{
    struct trod_string out;

    trod_string_init(&out, p->mem);
    trod_put(&out.sink, "%s", before);
    if (name)
        trod_put_display_name(&out.sink, name);
    trod_put(&out.sink, "%s", behind);
    if (line)
        trod_put(&out.sink, ", line %u", line);
    return out.text;
}

static const char *place_words(
    struct printer *p, const char *before, struct trod_map_place place)
{
    struct trod_string out;

    trod_string_init(&out, p->mem);
    trod_put(&out.sink, "%s", before);
    if (place.line) {
        trod_put(&out.sink, ", line ");
        trod_map_put_place(&out.sink, place);
    }
    return out.text;
}

static const char *callee_of(const struct trod_call *call)
{
    return call->callee ? call->callee : "*";
}

static void add_start(struct printer *p, trod_edge e)
{
    const struct trod_map_entry *entry = p->entry;
    trod_node v = entry->numbering.dag->shape.dst_of_edge[e];
    const struct trod_call *call = trod_calls_find(&entry->calls, v, false);
    uint32_t frame = entry->nframe ? trod_map_frame_of(entry, v) : 0;

    if (frame)
        add(p, 0, words(p, "in ", entry->frame[frame].function, ":", 0));
    switch (trod_path_start(entry, e)) {
    case TROD_AT_ENTRY:
        break;
    case TROD_AT_CALL:
        add(p, 0,
            words(p, "after ", callee_of(call), " returns",
                trod_path_first_line(entry, v)));
        break;
    case TROD_AT_LOOP:
        add(p, 0, place_words(p, "loop iteration", trod_path_loop_place(entry, v)));
        break;
    default:
        p->cut = true;
        add(p, 0,
            words(
                p, "continues after a cut", NULL, "", trod_path_first_line(entry, v)));
        break;
    }
}

static const char *leave_words(
    struct printer *p, enum trod_path_place place, uint32_t line)
{
    static const char *const words[] = {
        [TROD_AT_RETURN] = "returns",
        [TROD_AT_THROW] = "throws",
        [TROD_AT_UNWIND] = "unwinds",
        [TROD_AT_STOP] = "does not return",
    };
    struct trod_string out;

    trod_string_init(&out, p->mem);
    trod_put(&out.sink, "-> %s", words[place]);
    if (line)
        trod_put(&out.sink, " %u", line);
    return out.text;
}

static const char *end_words(struct printer *p, trod_edge e)
{
    struct trod_path_outcome end = trod_path_outcome_of(p->map, p->entry, e);
    const struct trod_map_entry *entry = end.entry;

    switch (end.place) {
    case TROD_AT_CALL:
        return words(p, "-> calls ", callee_of(end.call), "",
            end.call->last ? trod_path_last_line(entry, end.call->node)
                           : trod_path_first_line(entry, end.call->node));
    case TROD_AT_LOOP:
        return place_words(
            p, "-> next iteration", trod_path_loop_place(entry, end.node));
    case TROD_AT_CUT:
        p->cut = true;
        return words(p, "-> cut", NULL, "", trod_path_first_line(entry, end.node));
    default:
        return leave_words(p, end.place, trod_path_last_line(entry, end.node));
    }
}

/* A transition between frames: a followed call, or the return from it. */
static void add_frame(struct printer *p, trod_edge origin)
{
    const struct trod_map_entry *entry = p->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t from, to;

    if (!entry->nframe || origin == TROD_NONE)
        return;
    from = trod_map_frame_of(entry, g->src_of_edge[origin]);
    to = trod_map_frame_of(entry, g->dst_of_edge[origin]);
    if (from != to)
        add(p, 0,
            words(p, entry->frame[to].parent == from ? "calls " : "back in ",
                entry->frame[to].function, ":", 0));
}

/* The line an edge leads to, if it identifies the edge among its siblings; otherwise 0. These are lines of the function
 * itself, so they do not apply to branches of inlined code.
 */
static uint32_t target_line(const struct trod_map_entry *entry, trod_edge origin)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    trod_node v = g->src_of_edge[origin];
    uint32_t line = trod_path_first_line(entry, g->dst_of_edge[origin]);

    if (trod_map_decision_function(entry, v))
        return 0;
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        if (e != origin && trod_path_first_line(entry, g->dst_of_edge[e]) == line)
            return 0;
    return line;
}

/* yes, no or a label; if unknown, the line the edge leads to, or the index of the successor. */
static const char *outcome_of(struct printer *p, trod_edge origin)
{
    const struct trod_graph *g = p->entry->numbering.dag->graph;
    trod_node v = g->src_of_edge[origin];
    uint32_t way = origin - g->first_out[v];
    const struct trod_map_decision *d = trod_map_decision_of(p->entry, v);
    uint32_t line = target_line(p->entry, origin);
    struct trod_string out;

    if (d && strcmp(d->way[way], "T") == 0)
        return "yes";
    if (d && strcmp(d->way[way], "F") == 0)
        return "no";
    trod_string_init(&out, p->mem);
    if (d)
        trod_put_shown(&out.sink, d->way[way]);
    else if (line)
        trod_put(&out.sink, "to line %u", line);
    else
        trod_put(
            &out.sink, "way %u of %u", way + 1, g->first_out[v + 1] - g->first_out[v]);
    return out.text;
}

static bool is_marked(const struct printer *p, trod_edge e)
{
    for (uint32_t i = 0; i < p->look->nmarked; i++)
        if (p->look->marked[i] == e)
            return true;
    return false;
}

/* All conditions of a macro are at its place: list their outcomes on one line. */
static bool join_last(struct printer *p, const struct line *made)
{
    struct line *last = p->nline ? &p->line[p->nline - 1] : NULL;

    if (!last || !last->outcome || last->number != made->number ||
        strcmp(last->text, made->text) != 0 || !last->remark != !made->remark ||
        last->marked != made->marked)
        return false;
    if (!last->nway) {
        trod_reserve(p->mem, last->way, last->nway, last->wayroom);
        last->way[last->nway++] = last->outcome;
    }
    trod_reserve(p->mem, last->way, last->nway, last->wayroom);
    last->way[last->nway++] = made->outcome;
    return true;
}

const char *trod_branch_name(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    if (g->first_out[v + 1] - g->first_out[v] > 2)
        return "(computed goto)";
    return trod_map_decision_place(entry, v).file ? "(a condition in another file)"
                                                  : "(the compiler's branch)";
}

/* A branch without a line is named with the last known line before it. */
static void put_branch_name(
    struct trod_sink *sink, const struct printer *p, trod_node v)
{
    const char *name = trod_branch_name(p->entry, v);

    if (p->last_line && !trod_map_decision_place(p->entry, v).line)
        trod_put(
            sink, "%.*s after line %u)", (int)strlen(name) - 1, name, p->last_line);
    else
        trod_put(sink, "%s", name);
}

/* Where the code is from: "(in scan, text.h)". */
static const char *whose_words(
    struct printer *p, const char *function, const char *file)
{
    struct trod_string out;

    trod_string_init(&out, p->mem);
    trod_put(&out.sink, "(");
    if (function) {
        trod_put(&out.sink, "in ");
        trod_put_display_name(&out.sink, function);
    }
    if (file)
        trod_put(&out.sink, "%s%s", function ? ", " : "", trod_map_base_name(file));
    trod_put(&out.sink, ")");
    return out.text;
}

static void add_decision(struct printer *p, trod_edge e)
{
    trod_edge origin = p->entry->numbering.dag->origin_of_edge[e];
    trod_node v = p->entry->numbering.dag->graph->src_of_edge[origin];
    const char *inlined = trod_map_decision_function(p->entry, v);
    struct trod_map_place place = trod_map_decision_place(p->entry, v);
    struct line made = {.number = place.line,
        .outcome = outcome_of(p, origin),
        .marked = is_marked(p, e)};
    struct trod_string text;

    if (!p->look->style->whole && !made.marked &&
        trod_path_is_plain_return(p->entry, e))
        return;
    trod_string_init(&text, p->mem);
    if (!trod_condition_put(&text.sink, p->map, p->entry, v, p->look->text))
        put_branch_name(&text.sink, p, v);
    made.text = text.text;
    if (inlined || place.file)
        made.remark = whose_words(p, inlined, place.file);
    if (join_last(p, &made))
        return;
    *add(p, 0, "") = made;
    p->ndecision++;
}

/* --- what repeats ------------------------------------------------------------------------------ */

/* "no, no, no, yes" is "no x3, yes". */
static void join_outcomes(const struct printer *p, struct line *line)
{
    struct trod_string out;

    trod_string_init(&out, p->mem);
    if (p->look->style->whole) {
        for (uint32_t i = 0; i < line->nway; i++)
            trod_put(&out.sink, "%s%s", i ? ", " : "", line->way[i]);
    } else {
        trod_fold_put(&out.sink, line->way, line->nway, ", ");
    }
    line->outcome = out.text;
}

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same_line(const void *ctx, uint32_t a, uint32_t b)
{
    const struct printer *p = ctx;
    const struct line *x = &p->line[a], *y = &p->line[b];

    return x->number == y->number && x->marked == y->marked &&
           is_same_text(x->text, y->text) && is_same_text(x->outcome, y->outcome) &&
           is_same_text(x->remark, y->remark);
}

/* Lines with the same condition were joined, so a single line does not repeat. */
static void fold_lines(struct printer *p)
{
    const struct trod_fold_items items = {is_same_line, NULL, p};
    struct line *line = trod_new(p->mem, struct line, 2 * (size_t)p->nline + 1);
    struct trod_string above;
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->nline; i++)
        if (p->line[i].nway)
            join_outcomes(p, &p->line[i]);
    if (p->look->style->whole)
        return;
    p->ndecision = 0;
    for (uint32_t at = 0; at < p->nline;) {
        struct trod_fold fold = trod_fold_at(&items, at, p->nline, TROD_FOLD_PERIOD);

        for (uint32_t i = 0; i < fold.period; i++) {
            p->ndecision += p->line[at + i].outcome != NULL;
            line[n++] = p->line[at + i];
        }
        if (fold.times > 1) {
            trod_string_init(&above, p->mem);
            trod_fold_put_above(&above.sink, fold, "line");
            line[n++] = (struct line){.text = above.text, .above = fold.period};
        }
        at += fold.period * fold.times;
    }
    p->line = line;
    p->nline = p->room = n;
}

/* --- lines ------------------------------------------------------------------------------------- */

static bool is_among_shown(
    const struct printer *p, const struct line *line, uint32_t number)
{
    return !line->outcome || line->marked || p->look->style->whole ||
           p->ndecision <= FIRST_SHOWN + LAST_SHOWN + 1 || number < FIRST_SHOWN ||
           number + LAST_SHOWN >= p->ndecision;
}

/* Of lines that repeat, all are shown, or none. */
static void choose_shown(struct printer *p)
{
    uint32_t number = 0;

    for (uint32_t i = 0; i < p->nline; i++) {
        struct line *line = &p->line[i];
        bool any = false;

        for (uint32_t k = 1; k <= line->above; k++)
            any |= line[-(ptrdiff_t)k].outcome && line[-(ptrdiff_t)k].shown;
        for (uint32_t k = 1; k <= line->above && any; k++)
            line[-(ptrdiff_t)k].shown = true;
        line->shown =
            line->above ? any : is_among_shown(p, line, line->outcome ? number++ : 0);
    }
}

/* Columns needed after the outcome, for the mark and the remark. */
static size_t behind_outcome(const struct printer *p, const struct line *line)
{
    size_t n = line->marked && p->look->mark ? 2 + strlen(p->look->mark) : 0;

    if (line->remark)
        n += 2 + trod_letters(line->remark);
    /* Short outcomes are padded. */
    return n && trod_letters(line->outcome) < 3 ? n + 1 : n;
}

/* The width of the conditions' column, so that outcomes are aligned. */
static size_t condition_width(const struct printer *p)
{
    size_t room = SIZE_MAX, widest = 0;
    unsigned width = p->look->style->width;

    if (width)
        room = width > p->look->indent + 2 + 14 + LEAST_CONDITION
                   ? width - p->look->indent - 2 - 14
                   : LEAST_CONDITION;
    for (uint32_t i = 0; i < p->nline; i++) {
        size_t letters = trod_letters(p->line[i].text);

        if (p->line[i].outcome && p->line[i].shown && letters > widest)
            widest = letters < room ? letters : room;
    }
    return widest;
}

static enum trod_colour colour_of(const struct line *line)
{
    if (line->marked)
        return TROD_COLOUR_MARK;
    return strncmp(line->outcome, "no", 2) == 0 ? TROD_COLOUR_NO : TROD_COLOUR_YES;
}

static void put_number(const struct printer *p, uint32_t number)
{
    char text[16] = "";

    if (number)
        snprintf(text, sizeof text, "%u", number);
    trod_put_coloured(
        p->sink, p->look->style, TROD_COLOUR_LINE, (int)p->look->indent, text);
    trod_put(p->sink, "  ");
}

/* Returns the column after the last character. */
static size_t put_decision(
    const struct printer *p, const struct line *line, size_t width)
{
    const struct trod_style *style = p->look->style;
    size_t most = width, at = p->look->indent + 2, n = trod_letters(line->outcome);
    size_t rest = 2 + n + behind_outcome(p, line);

    if (style->width && at + width + rest > style->width)
        most = style->width > at + rest + LEAST_CONDITION ? style->width - at - rest
                                                          : LEAST_CONDITION;
    put_number(p, line->number);
    trod_put_coloured(p->sink, style, TROD_COLOUR_NONE, -(int)most,
        trod_clip(line->text, most, p->mem));
    trod_put(p->sink, "  ");
    trod_put_coloured(p->sink, style, colour_of(line), 0, line->outcome);
    at += most + 2 + n;
    if (n < 3 && ((line->marked && p->look->mark) || line->remark)) {
        trod_put(p->sink, "%*s", (int)(3 - n), "");
        at += 3 - n;
    }
    if (line->marked && p->look->mark) {
        trod_put(p->sink, "  ");
        trod_put_coloured(p->sink, style, TROD_COLOUR_MARK, 0, p->look->mark);
        at += 2 + strlen(p->look->mark);
    }
    if (line->remark) {
        trod_put(p->sink, "  %s", line->remark);
        at += 2 + trod_letters(line->remark);
    }
    return at;
}

static void put_folded(const struct printer *p, uint32_t n)
{
    if (n)
        trod_put(p->sink, "%*s  ... %u more decisions; -v shows all\n",
            (int)p->look->indent, "", n);
}

/* The end follows the last decision on its line if there is room. */
static void put_end(const struct printer *p, const char *end, size_t column)
{
    size_t gap = p->last_short ? 3 : 2;
    bool fits = !p->look->style->width ||
                column + gap + trod_letters(end) <= p->look->style->width;

    if (column && fits)
        trod_put(p->sink, "%*s%s\n", (int)gap, "", end);
    else
        trod_put(
            p->sink, "%s%*s  %s\n", column ? "\n" : "", (int)p->look->indent, "", end);
}

static void put_lines(struct printer *p, const char *end)
{
    size_t width, column = 0;
    uint32_t nfolded = 0;

    fold_lines(p);
    choose_shown(p);
    width = condition_width(p);

    for (uint32_t i = 0; i < p->nline; i++) {
        const struct line *line = &p->line[i];

        if (!line->shown) {
            nfolded += line->outcome != NULL;
            continue;
        }
        if (column)
            trod_put(p->sink, "\n");
        put_folded(p, nfolded);
        nfolded = 0;
        p->last_short = line->outcome && strcmp(line->outcome, "no") == 0 &&
                        !line->remark && !(line->marked && p->look->mark);
        if (line->outcome)
            column = put_decision(p, line, width);
        else
            trod_put(p->sink, "%*s  %s\n", (int)p->look->indent, "", line->text);
        column = line->outcome ? column : 0;
    }
    if (end)
        put_end(p, end, column);
    else if (column)
        trod_put(p->sink, "\n");
}

/* --- paths --------------------------------------------------------------------------------------- */

/* `next`: the start of the next path of the chain, or TROD_NONE */
static void put_one(struct printer *p, trod_path id, trod_edge next)
{
    const struct trod_dag *dag = p->entry->numbering.dag;
    trod_edge *step = p->map->step;
    uint32_t n = trod_number_decode(step, &p->entry->numbering, id);
    bool on = next != TROD_NONE && trod_path_goes_on(dag, step[n - 1], next);

    p->nline = p->ndecision = 0;
    p->last_line = 0;
    add_start(p, step[0]);
    for (uint32_t i = 1; i < n; i++) {
        uint32_t line =
            trod_path_last_line(p->entry, dag->shape.dst_of_edge[step[i - 1]]);

        p->last_line = line ? line : p->last_line;
        if (trod_path_decides(p->entry, step[i]))
            add_decision(p, step[i]);
        if (dag->kind_of_edge[step[i]] == TROD_DAG_REAL)
            add_frame(p, dag->origin_of_edge[step[i]]);
    }
    put_lines(p, on || p->look->open ? NULL : end_words(p, step[n - 1]));
}

static bool is_same_path(const void *ctx, uint32_t a, uint32_t b)
{
    const trod_path *path = ctx;

    return path[a] == path[b];
}

/* The paths of a chain. Those that repeat at once are printed once. */
static void put_chain(struct printer *p, const trod_path *path, uint32_t n)
{
    const struct trod_fold_items items = {is_same_path, NULL, path};
    unsigned indent = p->look->indent;

    for (uint32_t at = 0; at < n;) {
        struct trod_fold fold =
            trod_fold_at(&items, at, n, p->look->style->whole ? 0 : TROD_FOLD_PERIOD);
        uint32_t after = at + fold.period * fold.times;

        for (uint32_t i = 0; i < fold.period; i++) {
            uint32_t end = i + 1 < fold.period ? at + i + 1 : after;
            trod_edge next = TROD_NONE;

            if (end < n) {
                trod_number_decode(p->map->step, &p->entry->numbering, path[end]);
                next = p->map->step[0];
            }
            if (at + i)
                trod_put(p->sink, "%*s  then\n", (int)indent, "");
            put_one(p, path[at + i], next);
        }
        if (fold.times > 1) {
            trod_put(p->sink, "%*s  ", (int)indent, "");
            trod_fold_put_above(p->sink, fold, "path");
            trod_put(p->sink, "\n");
        }
        at = after;
    }
}

/* If lines or the source are missing, print the path as wrapped text. */
static void put_words(struct printer *p, trod_path id, bool blocks)
{
    struct trod_map_entry plain = *p->entry;
    struct trod_string text;

    if (blocks)
        plain.first_line = NULL;
    trod_string_init(&text, p->mem);
    if (p->look->style->whole)
        trod_path_print(&text.sink, p->map, &plain, id, NULL);
    else
        trod_path_print_folded(&text.sink, p->map, &plain, id, NULL, p->mem);
    trod_put_wrapped(p->sink, p->look->style, p->look->indent + 2, text.text);
}

bool trod_path_is_readable(
    const struct trod_map_entry *entry, const struct trod_path_look *look)
{
    return entry->first_line && !look->blocks && look->text &&
           look->text->source(entry, NULL, look->text->ctx);
}

bool trod_path_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id, const struct trod_path_look *look,
    struct trod_arena *mem)
{
    struct printer p = {
        .sink = sink, .map = map, .entry = entry, .look = look, .mem = mem};
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);

    if (!n || !trod_path_is_readable(entry, look)) {
        put_words(&p, id, look->blocks);
        return false;
    }
    put_chain(&p, path, n);
    return p.cut;
}
