#include "look/look.h"
#include "output/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ncurses/screen.h"

enum { TYPED = 200, ABOVE = 3, BELOW = 1, SIDE = 8 };

/* State of the screen. */
struct view {
    struct cli_top *top;
    struct trod_arena mem; /* of the current picture */
    struct trod_online_names names;
    struct trod_online_row *row;
    size_t nrow, nall;
    size_t first; /* first row shown */
    size_t shift; /* columns by which subpaths are scrolled */
    bool frozen, ended, help;
    const char *state;
    char message[1024];
    char filter[TYPED];
    enum { NOTHING, FILTER, FILE_NAME } typing;
    char typed[TYPED];
};

/* --- contents ---------------------------------------------------------------------------------------- */

static const char *text_of(struct view *v, const struct trod_online_row *row)
{
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    trod_online_row(&text.sink, &v->names, row, &v->top->options);
    return text.text;
}

static void filter_rows(struct view *v)
{
    size_t n = 0;

    for (size_t i = 0; *v->filter && i < v->nrow; i++)
        if (strstr(text_of(v, &v->row[i]), v->filter))
            v->row[n++] = v->row[i];
    if (*v->filter)
        v->nrow = n;
}

static void arrange(struct view *v)
{
    struct cli_top *top = v->top;
    struct trod_subpaths_options options = top->options;

    trod_arena_free(&v->mem);
    trod_arena_init(&v->mem, top->cli->mem.exhausted, top->cli->mem.ctx);
    options.most = SIZE_MAX;
    trod_online_names(&v->names, &top->picture[top->now].subpaths, &top->map, &v->mem);
    v->nall = trod_online_rows(&v->row, &v->nrow, &v->names, &options, &v->mem);
    filter_rows(v);
    if (v->first >= v->nrow)
        v->first = v->nrow ? v->nrow - 1 : 0;
}

/* --- the screen ------------------------------------------------------------------------------------------ */

static const char *const sort_word[] = {
    [TROD_ONLINE_BY_COUNT] = "count",
    [TROD_ONLINE_BY_BLOCKS] = "blocks",
    [TROD_ONLINE_BY_LENGTH] = "length",
    [TROD_ONLINE_BY_FUNCTION] = "function",
};

static void put_title(struct view *v)
{
    const struct trod_subpaths *s = &v->top->picture[v->top->now].subpaths;
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    trod_put(&text.sink, "trod top: %s, %s%s; %.4g blocks, %" PRIu64 " samples",
        s->name, v->state, v->frozen ? ", frozen" : "", s->nblock, s->nsample);
    if (s->ndropped)
        trod_put(&text.sink, ", %" PRIu64 " dropped", s->ndropped);
    if (s->nrejected)
        trod_put(&text.sink, ", %" PRIu64 " rejected", s->nrejected);
    trod_put(&text.sink, ", %" PRIu64 " sampler%s, f %.6g", s->nsampler,
        s->nsampler == 1 ? "" : "s", s->least_frequency);
    if (s->least_frequency < s->most_frequency)
        trod_put(&text.sink, "-%.6g", s->most_frequency);
    trod_screen_put(0, TROD_STYLE_BOLD, text.text);
}

static void put_state(struct view *v)
{
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    trod_put(&text.sink, "by %s", sort_word[v->top->options.sort]);
    if (*v->filter)
        trod_put(&text.sink, ", with '%s': %zu of %zu", v->filter, v->nrow, v->nall);
    else
        trod_put(&text.sink, ", %zu subpaths", v->nrow);
    if (*v->message)
        trod_put(&text.sink, "; %s", v->message);
    trod_screen_put(1, TROD_STYLE_PLAIN, text.text);
}

/* Columns of numbers stay in place; subpaths scroll. */
static void put_row(struct view *v, int line, const struct trod_online_row *row)
{
    const char *text = text_of(v, row);
    struct trod_string out;
    size_t length = strlen(text),
           head = strlen("rank          count     +-  share  blocks  ");

    trod_string_init(&out, &v->mem);
    if (length <= head || !v->shift) {
        trod_screen_put(line, TROD_STYLE_PLAIN, text);
        return;
    }
    trod_put(&out.sink, "%.*s%s", (int)head, text,
        v->shift < length - head ? text + head + v->shift : "");
    trod_screen_put(line, TROD_STYLE_PLAIN, out.text);
}

static void draw(struct view *v)
{
    struct trod_mark mark = trod_arena_mark(&v->mem);
    int nline, ncolumn, cursor = -1;
    const char *prompt = v->typing == FILTER ? "show only: " : "write to: ";
    struct trod_string text;

    trod_screen_size(&nline, &ncolumn);
    trod_screen_clear();
    put_title(v);
    put_state(v);
    trod_screen_put(
        2, TROD_STYLE_HEAD, "rank          count     +-  share  blocks  subpath");
    for (int i = ABOVE; i < nline - BELOW; i++) {
        size_t row = v->first + (size_t)(i - ABOVE);

        if (row < v->nrow)
            put_row(v, i, &v->row[row]);
    }
    trod_string_init(&text, &v->mem);
    if (v->typing) {
        trod_put(&text.sink, "%s%s", prompt, v->typed);
        cursor = (int)text.length;
    } else {
        trod_put(&text.sink,
            "q quit  s sort  / filter  f %s  b blocks  w write  o on/off  - slower  + faster  "
            "r reset  arrows move",
            v->frozen ? "go on" : "freeze");
    }
    trod_screen_put(
        nline - 1, v->typing ? TROD_STYLE_BOLD : TROD_STYLE_HEAD, text.text);
    trod_screen_show(
        cursor < 0 ? -1 : nline - 1, cursor < ncolumn ? cursor : ncolumn - 1);
    trod_arena_rewind(&v->mem, mark);
}

/* --- keys -------------------------------------------------------------------------------------------------- */

/* Writes the selected subpaths in the current order, in the format of 'trod sample subpaths'. */
static void write_out(struct view *v)
{
    struct cli_top *top = v->top;
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    trod_online_head(&text.sink, v->names.subpaths, v->nrow, v->nall, &top->options);
    for (size_t i = 0; i < v->nrow; i++) {
        trod_online_row(&text.sink, &v->names, &v->row[i], &top->options);
        trod_put(&text.sink, "\n");
    }
    trod_online_foot(&text.sink, v->names.subpaths);
    if (cli_out_file(top->cli, v->typed, &text))
        snprintf(v->message, sizeof v->message, "written to %s", v->typed);
    else
        snprintf(v->message, sizeof v->message, "%s", top->cli->err.text);
}

static void begin_typing(struct view *v, int what, const char *text)
{
    v->typing = what;
    snprintf(v->typed, sizeof v->typed, "%s", text);
}

static void type(struct view *v, int key)
{
    size_t n = strlen(v->typed);

    if (key == TROD_KEY_ESCAPE) {
        v->typing = NOTHING;
    } else if (key == TROD_KEY_ENTER) {
        if (v->typing == FILTER)
            memcpy(v->filter, v->typed, sizeof v->filter);
        else if (n)
            write_out(v);
        v->typing = NOTHING;
        v->first = 0;
        arrange(v);
    } else if (key == TROD_KEY_BACKSPACE) {
        /* Remove a whole UTF-8 character: its first byte and its continuation bytes. */
        while (n > 0 && ((unsigned char)v->typed[n - 1] & 0xc0) == 0x80)
            n--;
        v->typed[n ? n - 1 : 0] = '\0';
    } else if (key >= ' ' && key < 256 && key != 127 && n + 1 < sizeof v->typed) {
        v->typed[n] = (char)key;
        v->typed[n + 1] = '\0';
    }
}

static void move(struct view *v, int key)
{
    int nline, ncolumn;
    size_t page, last = v->nrow ? v->nrow - 1 : 0;

    trod_screen_size(&nline, &ncolumn);
    page = nline > ABOVE + BELOW ? (size_t)(nline - ABOVE - BELOW) : 1;
    if (key == TROD_KEY_UP)
        v->first -= v->first > 0;
    else if (key == TROD_KEY_DOWN)
        v->first += v->first < last;
    else if (key == TROD_KEY_PAGE_UP)
        v->first -= v->first < page ? v->first : page;
    else if (key == TROD_KEY_PAGE_DOWN)
        v->first = v->first + page < last ? v->first + page : last;
    else if (key == TROD_KEY_HOME)
        v->first = v->shift = 0;
    else if (key == TROD_KEY_END)
        v->first = last;
    else if (key == TROD_KEY_LEFT)
        v->shift -= v->shift < SIDE ? v->shift : SIDE;
    else if (key == TROD_KEY_RIGHT)
        v->shift += SIDE;
}

/* Handle a key. False: quit. */
static bool obey(struct view *v, int key)
{
    struct trod_subpaths_options *o = &v->top->options;
    struct trod_string name;

    if (v->typing) {
        type(v, key);
        return true;
    }
    switch (key) {
    case 'q':
        return false;
    case 's':
        o->sort =
            (enum trod_online_sort)((o->sort + 1) % (TROD_ONLINE_BY_FUNCTION + 1));
        arrange(v);
        break;
    case 'b':
        o->blocks = !o->blocks;
        arrange(v);
        break;
    case 'f':
        v->frozen = !v->frozen;
        break;
    case '/':
        begin_typing(v, FILTER, v->filter);
        break;
    case 'w':
        trod_string_init(&name, &v->mem);
        trod_put(&name.sink, "%s.subpaths", v->names.subpaths->name);
        begin_typing(v, FILE_NAME, name.text);
        break;
    case 'o':
    case '+':
    case '-':
    case 'r':
        cli_top_control(v->top, key, v->message, sizeof v->message);
        return true;
    default:
        move(v, key);
    }
    if (key != TROD_KEY_RESIZED)
        v->message[0] = '\0';
    return true;
}

/* --- time -------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Keep the last picture if a new one cannot be read. */
static void look(struct view *v)
{
    bool open;

    if (v->frozen || v->ended)
        return;
    v->state = cli_top_state(v->top, &open);
    if (!cli_top_look(v->top))
        snprintf(v->message, sizeof v->message, "%s", v->top->cli->err.text);
    /* Read once more after the program has ended: this picture includes everything until then. */
    v->state = open ? cli_top_state(v->top, &open) : v->state;
    v->ended = !open;
    arrange(v);
}

bool cli_top_watch(struct cli_top *top, double interval)
{
    struct view v = {.top = top, .state = "?"};
    bool quiet = top->cli->options.quiet;
    double next = 0;

    trod_arena_init(&v.mem, top->cli->mem.exhausted, top->cli->mem.ctx);
    if (!trod_screen_open(&top->cli->err))
        return false;
    /* Notes would be printed over the screen. */
    top->cli->options.quiet = true;
    for (int key = TROD_KEY_NONE; key == TROD_KEY_NONE || obey(&v, key);) {
        double left = next - now();

        if (left <= 0) {
            look(&v);
            next = now() + interval;
            left = interval;
        }
        draw(&v);
        key = trod_screen_key((int)(left * 1000) + 1);
    }
    trod_screen_close();
    top->cli->options.quiet = quiet;
    trod_arena_free(&v.mem);
    return true;
}
