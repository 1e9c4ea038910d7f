#include "page/kinds.h"

#include <inttypes.h>

#define COLUMNS(of) ((uint32_t)(sizeof(of) / sizeof *(of)))

/* --- bursts ------------------------------------------------------------------------------------------- */

struct burst_table {
    const struct trod_bursts *burst;
    enum trod_bursts_kind kind;
    uint64_t total;
    bool exact;
    struct trod_page_rows rows;
};

static const char *put_place(
    const char *file, uint32_t line, uint32_t column, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_put(&text.sink, "%s", file);
    if (line)
        trod_put(&text.sink, ":%" PRIu32, line);
    if (line && column)
        trod_put(&text.sink, ":%" PRIu32, column);
    return text.text;
}

/* A histogram of trip counts by powers of two, as printed by 'trod sample loops'. */
static const char *put_trips(
    const struct trod_bursts_loop *loop, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        uint64_t from = UINT64_C(1) << i;

        if (!loop->ntrip[i])
            continue;
        trod_put(&text.sink, "%s%" PRIu64, text.length ? " " : "", from);
        if (i + 1 == TROD_BURST_TRIPS_MOST)
            trod_put(&text.sink, "-");
        else if (i)
            trod_put(&text.sink, "-%" PRIu64, from + (from - 1));
        trod_put(&text.sink, ":%" PRIu64, loop->ntrip[i]);
    }
    return text.text;
}

/* The count, its share of the total, and its error if it is an estimate. */
static void add_count(struct burst_table *b, uint64_t count)
{
    trod_page_rows_count(&b->rows, count);
    trod_page_rows_real(&b->rows, b->total ? (double)count / (double)b->total : 0);
    trod_page_rows_real(&b->rows,
        b->exact ? 0
                 : trod_bursts_error(b->burst, trod_bursts_kind_type(b->kind), count));
}

static void add_method(struct burst_table *b, const struct trod_bursts_member *m)
{
    trod_page_rows_function(&b->rows, m->function, m->file);
    trod_page_rows_text(&b->rows, m->file);
    add_count(b, m->count);
    trod_page_rows_count(&b->rows, m->method->nentry);
    trod_page_rows_count(&b->rows, m->method->nagain);
}

static void add_call(struct burst_table *b, const struct trod_bursts_member *m)
{
    const struct trod_bursts_call *call = m->call;

    trod_page_rows_function(&b->rows, m->function, m->file);
    trod_page_rows_text(
        &b->rows, put_place(m->file, call->line, call->column, b->rows.mem));
    trod_page_rows_function(&b->rows, call->callee, NULL);
    trod_page_rows_text(&b->rows, call->indirect ? "through a pointer" : "");
    add_count(b, m->count);
}

static void add_loop(struct burst_table *b, const struct trod_bursts_member *m)
{
    const struct trod_bursts_loop *loop = m->loop;

    trod_page_rows_function(&b->rows, m->function, m->file);
    trod_page_rows_real(&b->rows, loop->loop);
    trod_page_rows_text(&b->rows, put_place(m->file, loop->line, 0, b->rows.mem));
    add_count(b, m->count);
    trod_page_rows_count(&b->rows, loop->nenter);
    trod_page_rows_real(&b->rows, loop->nenter ? trod_bursts_mean(loop) : -1);
    trod_page_rows_text(&b->rows, put_trips(loop, b->rows.mem));
}

static const struct trod_page_column method_columns[] = {
    {"function", TROD_PAGE_FUNCTION}, {"file", TROD_PAGE_TEXT},
    {"events", TROD_PAGE_COUNT}, {"share", TROD_PAGE_SHARE}, {"error", TROD_PAGE_SHARE},
    {"entered", TROD_PAGE_COUNT}, {"again", TROD_PAGE_COUNT}};
static const struct trod_page_column call_columns[] = {{"caller", TROD_PAGE_FUNCTION},
    {"place", TROD_PAGE_TEXT}, {"callee", TROD_PAGE_FUNCTION}, {"how", TROD_PAGE_TEXT},
    {"count", TROD_PAGE_COUNT}, {"share", TROD_PAGE_SHARE}, {"error", TROD_PAGE_SHARE}};
static const struct trod_page_column loop_columns[] = {{"function", TROD_PAGE_FUNCTION},
    {"loop", TROD_PAGE_REAL}, {"place", TROD_PAGE_TEXT},
    {"iterations", TROD_PAGE_COUNT}, {"share", TROD_PAGE_SHARE},
    {"error", TROD_PAGE_SHARE}, {"entered", TROD_PAGE_COUNT}, {"mean", TROD_PAGE_REAL},
    {"trips", TROD_PAGE_TEXT}};

static const struct {
    const char *word, *title;
    const struct trod_page_column *column;
    uint32_t ncolumn;
    void (*add)(struct burst_table *b, const struct trod_bursts_member *m);
} of_kind[] = {
    [TROD_BURST_OF_METHODS] = {"methods",
        "Functions, by how often they were entered and their loops iterated.",
        method_columns, COLUMNS(method_columns), add_method},
    [TROD_BURST_OF_CALLS] = {"calls", "Who called whom, from where, and how often.",
        call_columns, COLUMNS(call_columns), add_call},
    [TROD_BURST_OF_LOOPS] = {"trips",
        "Loops, by their iterations. Trips are executions of the loop, by their "
        "number of iterations.",
        loop_columns, COLUMNS(loop_columns), add_loop},
};

void trod_page_table_bursts(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, size_t most, struct trod_arena *mem)
{
    struct burst_table b = {
        .burst = burst, .kind = kind, .exact = trod_bursts_is_exact(burst)};
    struct trod_bursts_member *member;
    size_t n = trod_bursts_members(&member, burst, kind, mem);

    assert(kind != TROD_BURST_OF_PAIRS);
    *out = (struct trod_page_table){.word = of_kind[kind].word,
        .title = of_kind[kind].title,
        .estimates = !b.exact,
        .mentions = true};
    for (size_t i = 0; i < n; i++)
        b.total = trod_sat_add(b.total, member[i].count);
    trod_page_rows_init(&b.rows, names, of_kind[kind].ncolumn, most, mem);
    for (size_t i = 0; i < n; i++) {
        trod_page_rows_begin(&b.rows);
        of_kind[kind].add(&b, &member[i]);
    }
    trod_page_rows_finish(out, &b.rows, of_kind[kind].column);
}

/* --- streams ------------------------------------------------------------------------------------------ */

enum { MOST_DATA = 12 }; /* most words of a stream to print */

static const struct trod_page_column stream_columns[] = {
    {"function", TROD_PAGE_FUNCTION}, {"heat", TROD_PAGE_COUNT},
    {"share", TROD_PAGE_SHARE}, {"length", TROD_PAGE_COUNT}, {"times", TROD_PAGE_COUNT},
    {"seen", TROD_PAGE_COUNT}, {"data", TROD_PAGE_TEXT}};

/* Where the stream's first reference was first observed. */
static const struct trod_stream_spot *spot_of(
    const struct trod_streams *streams, const struct trod_stream *s)
{
    uint32_t code = s->code ? s->code[0] : streams->datum[s->datum[0]].code;

    return code == UINT32_MAX ? NULL : &streams->names->code[code].spot;
}

static const char *put_data(const struct trod_streams *streams,
    const struct trod_stream *s, struct trod_arena *mem)
{
    struct trod_string text;
    uint32_t n = 0, each;

    trod_string_init(&text, mem);
    for (uint32_t i = 0; i < s->length; i += each, n++) {
        trod_put(&text.sink, "%s", n ? ", " : "");
        if (n == MOST_DATA) {
            trod_put(&text.sink, "... %" PRIu32 " more", s->length - i);
            break;
        }
        for (each = 1; i + each < s->length && s->datum[i + each] == s->datum[i];)
            each++;
        if (each > 1)
            trod_put(&text.sink, "%" PRIu32 "x ", each);
        trod_stream_put_datum(&text.sink, streams, s->datum[i]);
    }
    return text.text;
}

static void add_stream(struct trod_page_rows *rows, const struct trod_streams *streams,
    const struct trod_stream *s)
{
    const struct trod_stream_spot *spot = spot_of(streams, s);

    trod_page_rows_begin(rows);
    trod_page_rows_function(rows, spot ? spot->function : "", spot ? spot->file : NULL);
    trod_page_rows_count(rows, s->heat);
    trod_page_rows_real(
        rows, streams->total ? (double)s->heat / (double)streams->total : 0);
    trod_page_rows_count(rows, s->length);
    trod_page_rows_count(rows, s->times);
    trod_page_rows_count(rows, s->nseen);
    trod_page_rows_text(rows, put_data(streams, s, rows->mem));
}

void trod_page_table_streams(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_streams *streams,
    size_t most, struct trod_arena *mem)
{
    struct trod_page_rows rows;

    *out = (struct trod_page_table){.word = "streams",
        .title =
            "Data that was loaded and stored over and over in the same order. Heat is "
            "length times occurrences, in references; shares are of all references.",
        .estimates = streams->total != streams->nref,
        .mentions = true};
    trod_page_rows_init(&rows, names, COLUMNS(stream_columns), most, mem);
    for (size_t i = 0; i < streams->nstream; i++)
        add_stream(&rows, streams, &streams->stream[i]);
    trod_page_rows_finish(out, &rows, stream_columns);
    out->nleft += (uint32_t)(streams->nfound - streams->nstream);
}

/* --- coverage ----------------------------------------------------------------------------------------- */

static const struct trod_page_column function_columns[] = {
    {"function", TROD_PAGE_FUNCTION}, {"file", TROD_PAGE_TEXT},
    {"paths", TROD_PAGE_SHARE}, {"ran", TROD_PAGE_COUNT}, {"possible", TROD_PAGE_COUNT},
    {"edges", TROD_PAGE_SHARE}, {"blocks", TROD_PAGE_SHARE}};
static const struct trod_page_column file_columns[] = {{"file", TROD_PAGE_TEXT},
    {"functions ran", TROD_PAGE_COUNT}, {"functions", TROD_PAGE_COUNT},
    {"paths", TROD_PAGE_SHARE}, {"ran", TROD_PAGE_COUNT}, {"possible", TROD_PAGE_COUNT},
    {"edges", TROD_PAGE_SHARE}, {"blocks", TROD_PAGE_SHARE}};

static void add_cover(struct trod_page_rows *rows, const struct trod_cover *cover,
    const struct trod_cover_row *row)
{
    const struct trod_covered *c = &row->covered;
    bool known = row->nunknown < row->functions.all;

    trod_page_rows_begin(rows);
    if (cover->group == TROD_COVER_FUNCTION)
        trod_page_rows_function(rows, row->function, row->file);
    trod_page_rows_text(rows, row->file);
    if (cover->group == TROD_COVER_FILE) {
        trod_page_rows_count(rows, row->functions.ran);
        trod_page_rows_count(rows, row->functions.all);
    }
    trod_page_rows_real(rows, trod_part_share(c->path));
    trod_page_rows_count(rows, c->path.ran);
    trod_page_rows_count(rows, c->path.all);
    trod_page_rows_real(rows, known ? trod_part_share(c->edge) : -1);
    trod_page_rows_real(rows, known ? trod_part_share(c->block) : -1);
}

void trod_page_table_cover(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_cover *cover, size_t most,
    struct trod_arena *mem)
{
    bool files = cover->group == TROD_COVER_FILE;
    struct trod_page_rows rows;

    *out = (struct trod_page_table){.word = files ? "files" : "coverage",
        .title = files ? "How much of each file ran: paths, edges and blocks."
                       : "How much of each function ran: paths, edges and blocks."};
    trod_page_rows_init(&rows, names,
        files ? COLUMNS(file_columns) : COLUMNS(function_columns), most, mem);
    for (size_t i = 0; i < cover->nlisted; i++)
        add_cover(&rows, cover, &cover->row[i]);
    trod_page_rows_finish(out, &rows, files ? file_columns : function_columns);
    out->nleft += (uint32_t)(cover->nrow - cover->nlisted);
}

/* --- unfinished calls ----------------------------------------------------------------------------------- */

static const struct trod_page_column left_columns[] = {{"function", TROD_PAGE_FUNCTION},
    {"unfinished", TROD_PAGE_COUNT}, {"begun", TROD_PAGE_COUNT},
    {"finished", TROD_PAGE_COUNT}};

void trod_page_table_left(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem)
{
    struct trod_abandoned *left;
    size_t n = trod_report_abandoned(&left, profile, names->map, mem);
    struct trod_page_rows rows;

    *out = (struct trod_page_table){.word = "unfinished calls",
        .title =
            "Calls that did not return: longjmp, an exception or exit ended them, or the "
            "program was killed. Their last paths have no count.",
        .mentions = true};
    trod_page_rows_init(&rows, names, COLUMNS(left_columns), most, mem);
    for (size_t i = 0; i < n; i++) {
        trod_page_rows_begin(&rows);
        trod_page_rows_function(&rows, left[i].entry->name, left[i].entry->file);
        trod_page_rows_count(
            &rows, left[i].begun > left[i].ended ? left[i].begun - left[i].ended : 0);
        trod_page_rows_count(&rows, left[i].begun);
        trod_page_rows_count(&rows, left[i].ended);
    }
    trod_page_rows_finish(out, &rows, left_columns);
}
