#include "flow/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 8, ABOVE = 3, TAB = 8, LEAST_TEXT = 16, GAP = 12 };

struct printer {
    struct trod_sink *sink;
    const struct trod_annotated_file *file;
    const struct trod_flows *flows;
    const struct trod_annotate_options *options;
    struct trod_arena *mem;
};

/* --- colours ----------------------------------------------------------------------------------------------------- */

static void colour(const struct printer *p, const char *code)
{
    if (p->options->colour)
        trod_put(p->sink, "\033[%sm", code);
}

/* From hot to cold: each step is one eighth of the one before. */
static const char *heat_of(uint64_t count, uint64_t hottest)
{
    static const char *const code[] = {"31;1", "31", "33", "32", "36"};
    size_t i = 0;

    if (!count)
        return "2";
    for (uint64_t least = hottest / 8; i < 4 && count <= least; least /= 8)
        i++;
    return code[i];
}

/* --- the margin and the gutter ----------------------------------------------------------------------------------- */

/* A range of lines, and the functions `from` up to but excluding `to` that overlap on them. */
struct stretch {
    uint32_t from, to;
    uint32_t first, last;
};

/* Returns whether any path is on the line. *used: columns printed. */
static bool put_marks(
    const struct printer *p, const struct stretch *s, uint32_t line, size_t *used)
{
    bool any = false;

    *used = 0;

    for (uint32_t f = s->from; f < s->to; f++)
        for (size_t i = 0; i < p->file->function[f].npath; i++) {
            const struct trod_annotated_path *path = &p->file->function[f].path[i];
            bool on = trod_annotated_is_on(path, line);

            any |= on;
            *used += path->mark != 0;
            if (path->mark)
                trod_put(p->sink, "%c", !on ? ' ' : p->options->one ? '>' : path->mark);
        }
    return any;
}

static int count_width(const struct printer *p)
{
    return p->options->exact ? 11 : 7;
}

static void put_count(const struct printer *p, uint64_t count)
{
    char text[1 + TROD_COUNT_TEXT] = "~";

    trod_count_text(text + 1, count, p->options->exact);
    trod_put(p->sink, " %*s ", count_width(p), p->flows->exact ? text + 1 : text);
}

enum { TIME = 1 + 8 };

/* Columns of a time. */
static size_t time_width(const struct printer *p)
{
    return p->file->times ? TIME : 0;
}

static void put_time(const struct printer *p, double ticks)
{
    char text[1 + TROD_TIME_TEXT] = "~";

    trod_time_text(text + 1, p->file->times, ticks);
    trod_put(p->sink, "%*s ", TIME - 1, p->file->times->spread != 0 ? text : text + 1);
}

/* It is unknown whether the line ran. */
static void put_unknown(const struct printer *p)
{
    trod_put(
        p->sink, " %*s %*s%*s ", count_width(p), "?", (int)time_width(p), "", BAR, "");
}

/* Of a count, or of a time. */
static void put_bar(const struct printer *p, uint64_t count)
{
    uint64_t hottest = p->file->hottest ? p->file->hottest : 1;
    int n = (int)((double)count / (double)hottest * BAR + 0.5);

    n = n > BAR ? BAR : n;
    n = !n && count ? 1 : n;
    trod_put(p->sink, "%.*s%*s ", n, "########", BAR - n, "");
}

/* What heat and bars are of. */
static uint64_t weight_of(const struct printer *p, const struct trod_flow_row *row)
{
    return p->file->times ? p->file->own_of_row[row - p->file->source->row]
                          : row->count;
}

static const struct trod_flow_row *row_at(
    const struct trod_flow_source *s, uint32_t line)
{
    uint32_t low = 0, high = s->nrow;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (s->row[mid].line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low < s->nrow && s->row[low].line == line ? &s->row[low] : NULL;
}

/* The first decision on the line or on a later one. */
static uint32_t decision_at(const struct trod_flow_source *s, uint32_t line)
{
    uint32_t low = 0, high = s->ndecision;

    while (low < high) {
        uint32_t mid = low + (high - low) / 2;

        if (s->decision[mid].line < line)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The text, truncated to the columns that remain. */
static const char *cut(const struct printer *p, size_t used, const char *text)
{
    unsigned width = p->options->width;
    size_t room = width > used + LEAST_TEXT ? width - used : LEAST_TEXT;

    return width ? trod_clip(text, room, p->mem) : text;
}

/* Make text safe for a terminal: expand tabs, replace control characters. */
static const char *shown_text(const struct printer *p, const char *text)
{
    struct trod_string out;
    uint32_t column = 0;

    trod_string_init(&out, p->mem);
    while (*text) {
        size_t n = trod_utf8_length(text);
        unsigned char byte = (unsigned char)*text;
        uint32_t blanks = byte == '\t' ? TAB - column % TAB : 0;

        if (blanks)
            trod_put(&out.sink, "%*s", (int)blanks, "");
        else if (byte < 0x20 || byte == 0x7f || !n)
            trod_put(&out.sink, "?");
        else
            out.sink.put(&out.sink, text, n);
        column += blanks ? blanks : 1;
        text += n ? n : 1;
    }
    return out.text;
}

/* A branch of optimised code that did not run: an inlined copy, whose line has the counts of the others. */
static bool is_idle_copy(const struct trod_flow_decision *d)
{
    for (uint32_t k = 0; k < d->nway; k++)
        if (d->way[k].count || d->way[k].unknown || d->way[k].label)
            return false;
    return true;
}

/* The counts of the outcomes of all decisions on a line. */
static const char *ways_of(const struct printer *p, uint32_t line)
{
    const struct trod_flow_source *source = p->file->source;
    struct trod_string out;

    trod_string_init(&out, p->mem);
    for (uint32_t i = decision_at(source, line);
        i < source->ndecision && source->decision[i].line == line; i++) {
        if (is_idle_copy(&source->decision[i]))
            continue;
        trod_put(&out.sink, "  [");
        trod_flow_put_ways(&out.sink, &source->decision[i]);
        trod_put(&out.sink, "]");
    }
    return out.text;
}

/* --- lines ------------------------------------------------------------------------------------------------------- */

static void put_line(const struct printer *p, const struct stretch *s, uint32_t line)
{
    const struct trod_flow_row *row = row_at(p->file->source, line);
    const char *ways = row ? ways_of(p, line) : "", *text;
    size_t used, columns = (size_t)count_width(p) + 1 + time_width(p) + BAR + 1;
    bool on = put_marks(p, s, line, &used);
    bool dim = p->options->one && !on;

    colour(p, dim ? "2" : row ? heat_of(weight_of(p, row), p->file->hottest) : "0");
    if (row && row->unknown) {
        put_unknown(p);
    } else if (row) {
        put_count(p, row->count);
        if (p->file->times)
            put_time(p, (double)weight_of(p, row));
        put_bar(p, weight_of(p, row));
    } else {
        trod_put(p->sink, " %*s", (int)columns, "");
    }
    trod_put(p->sink, "%5u  ", line);
    if (!dim && row && row->count)
        colour(p, "0");
    used += 1 + columns + 7;
    ways = cut(p, used + LEAST_TEXT, ways);
    text = shown_text(p, p->file->text.line[line - 1]);
    trod_put(p->sink, "%s", cut(p, used + trod_letters(ways), text));
    colour(p, "0");
    if (*ways) {
        colour(p, "2");
        trod_put(p->sink, "%s", ways);
        colour(p, "0");
    }
    trod_put(p->sink, "\n");
}

static void put_unfinished(const struct printer *p, const struct trod_flow *flow)
{
    if (!flow->unfinished)
        return;
    trod_put(p->sink, "   ");
    trod_flow_put_unfinished(p->sink, flow);
    trod_put(p->sink, "\n");
}

/* Own time, of all executions and the mean. */
static void put_path_time(
    const struct printer *p, const struct trod_annotated_path *path)
{
    if (!p->file->times)
        return;
    if (!path->time) {
        trod_put(p->sink, "%*s %*s ", TIME - 1, "-", TIME + 5 - 1, "");
        return;
    }
    put_time(p, (double)path->time->own);
    trod_put(p->sink, "mean ");
    put_time(p, trod_time_mean(path->time));
}

static void put_function(
    const struct printer *p, const struct trod_annotated_function *f)
{
    const struct trod_map_entry *entry = f->flow->entry;
    char text[TROD_TIME_TEXT];
    size_t n = f->npath;

    trod_put(p->sink, "   ");
    trod_put_name(p->sink, entry->display_name);
    if (f->text)
        trod_put(p->sink, ", which includes this text");
    trod_put(p->sink, ": %zu of %zu paths that ran, %s%" PRIu64 " times%s", n,
        f->flow->npath, p->flows->exact ? "" : "~", f->count,
        f->flow->partial ? "; only some of its paths are counted" : "");
    if (p->file->times) {
        trod_put(p->sink, ", own time ");
        trod_put(p->sink, "%s%s", p->file->times->spread != 0 ? "~" : "",
            trod_time_text(text, p->file->times, (double)f->own));
    }
    trod_put(p->sink, "\n");
    put_unfinished(p, f->flow);
    for (size_t i = 0; i < n; i++) {
        const struct trod_annotated_path *path = &f->path[i];
        struct trod_string steps;
        int used;

        trod_string_init(&steps, p->mem);
        trod_path_print_folded(&steps.sink, p->flows->map, entry,
            trod_chain_add(&entry->chain, 0, path->id), NULL, p->mem);
        trod_put(p->sink, " %c %5.1f%%",
            path->mark ? (p->options->one ? '>' : path->mark) : ' ',
            p->file->total ? 100 * (double)trod_annotated_weight(p->file, path) /
                                 (double)p->file->total
                           : 0);
        put_count(p, path->count);
        put_path_time(p, path);
        trod_put(p->sink, " =%" PRIu64 "  ", path->id);
        used = 9 + count_width(p) + 2 + snprintf(NULL, 0, " =%" PRIu64 "  ", path->id) +
               (p->file->times ? 2 * TIME + 5 : 0);
        trod_put(p->sink, "%s", cut(p, (size_t)used, steps.text));
        trod_put(p->sink, "\n");
    }
}

/* --- without text: blocks ---------------------------------------------------------------------------------------- */

static void put_blocks(const struct printer *p, const struct trod_annotated_function *f)
{
    struct trod_map_entry entry = trod_annotated_entry(f);
    const struct trod_graph *g = entry.numbering.dag->graph;
    char name[16];

    for (trod_node v = 0; v < g->nnode; v++) {
        uint64_t count = f->flow->count_of_node ? f->flow->count_of_node[v] : 0;

        if (f->text && entry.first_line[v] == entry.first_line[v + 1])
            continue;
        colour(p, heat_of(count, p->file->hottest));
        if (trod_flow_node_unknown(f->flow, v)) {
            put_unknown(p);
        } else {
            put_count(p, count);
            if (!p->file->times)
                put_bar(p, count);
        }
        colour(p, "0");
        trod_put(p->sink, " block ");
        trod_put_name(p->sink, trod_graph_node_name(g, v, name));
        for (uint32_t i = entry.first_line ? entry.first_line[v] : 0;
            entry.first_line && i < entry.first_line[v + 1]; i++)
            trod_put(p->sink, "%s%u", i == entry.first_line[v] ? ": line " : " ",
                entry.line[i]);
        trod_put(p->sink, "\n");
    }
    put_function(p, f);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* The next group of overlapping functions, with a few lines above for the comment and the head of the first. */
static struct stretch next_stretch(
    const struct trod_annotated_file *file, uint32_t from, uint32_t behind)
{
    const struct trod_annotated_function *f = file->function;
    struct stretch s = {from, from + 1, f[from].first, f[from].last};

    while (s.to < file->nfunction && f[s.to].first <= s.last) {
        s.last = f[s.to].last > s.last ? f[s.to].last : s.last;
        s.to++;
    }
    s.first = s.first > ABOVE ? s.first - ABOVE : 1;
    if (s.first <= behind)
        s.first = behind + 1;
    /* Exclude lines with code of other functions. */
    for (uint32_t line = f[from].first - 1; line >= s.first; line--)
        if (row_at(file->source, line))
            s.first = line + 1;
    while (s.first < f[from].first && !file->text.line[s.first - 1][0])
        s.first++;
    return s;
}

/* Is code of the functions of a stretch on the line? */
static bool has_code(const struct printer *p, const struct stretch *s, uint32_t line)
{
    for (uint32_t i = s->from; i < s->to; i++)
        if (trod_annotated_has_code(&p->file->function[i], line))
            return true;
    return false;
}

/* The line with the name of a function whose first code is on `line`, or a line a little above. */
static uint32_t head_of(const struct printer *p, const struct stretch *s, uint32_t line)
{
    for (uint32_t i = s->from; i < s->to; i++) {
        uint32_t declared = p->file->function[i].flow->entry->declared;

        if (!p->file->function[i].text && declared <= line && line - declared < GAP)
            return declared;
    }
    return line - ABOVE;
}

/* What is between code of inlined functions and that of the function itself is left out. */
static void put_stretch(const struct printer *p, const struct stretch *s)
{
    uint32_t last = s->last < p->file->text.nline ? s->last : p->file->text.nline;
    uint32_t code = s->first, next;

    for (uint32_t line = s->first; line <= last; line++) {
        if (has_code(p, s, line))
            code = line;
        for (next = line; next < last && next - code <= GAP && !has_code(p, s, next);)
            next++;
        if (line == code + ABOVE && next - code > GAP) {
            while (next < last && !has_code(p, s, next))
                next++;
            line = head_of(p, s, next);
            trod_put(
                p->sink, "%*s\n", count_width(p) + BAR + 8 + (int)time_width(p), "...");
        }
        put_line(p, s, line);
    }
}

static void put_stretches(const struct printer *p)
{
    uint32_t behind = 0, i = 0;

    while (i < p->file->nfunction) {
        struct stretch s;

        /* If the file is shorter than the lines in the map, it is a different version: print blocks instead. */
        if (!p->file->function[i].first ||
            p->file->function[i].last > p->file->text.nline) {
            put_blocks(p, &p->file->function[i++]);
            continue;
        }
        s = next_stretch(p->file, i, behind);
        trod_put(p->sink, "\n");
        put_stretch(p, &s);
        for (; i < s.to; i++)
            put_function(p, &p->file->function[i]);
        behind = s.last;
    }
}

void trod_annotate_print(struct trod_sink *sink, const struct trod_annotated_file *file,
    const struct trod_flows *flows, const struct trod_annotate_options *options,
    struct trod_arena *mem)
{
    struct printer p = {sink, file, flows, options, mem};

    if (!file->nfunction)
        return;
    colour(&p, "1");
    trod_put(sink, "%s", file->heading);
    colour(&p, "0");
    trod_put(sink, "\n");
    if (file->text.line) {
        put_stretches(&p);
        return;
    }
    trod_put(sink, "# %s\n", file->text.why);
    for (uint32_t i = 0; i < file->nfunction; i++)
        put_blocks(&p, &file->function[i]);
}
