#include "look/look.h"
#include "output/output.h"

#include <stdio.h>
#include <string.h>

#include "ncurses/screen.h"

enum { TYPED = 200, ABOVE = 3, BELOW = 1, SIDE = 8 };

/* State of the screen. */
struct view {
    struct cli_top *top;
    struct trod_arena mem; /* of the current picture */
    struct cli_top_rows rows;
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

static const char *text_of(struct view *v, size_t i)
{
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    cli_top_kind(v->top)->put(&text.sink, &v->rows, v->rows.at[i]);
    return text.text;
}

static void filter_rows(struct view *v)
{
    size_t n = 0;

    for (size_t i = 0; *v->filter && i < v->rows.n; i++)
        if (strstr(text_of(v, i), v->filter))
            v->rows.at[n++] = v->rows.at[i];
    if (*v->filter)
        v->rows.n = n;
}

static void arrange(struct view *v)
{
    struct cli_top *top = v->top;

    trod_arena_free(&v->mem);
    trod_arena_init(&v->mem, top->cli->mem.exhausted, top->cli->mem.ctx);
    if (!cli_top_rows(&v->rows, top, &v->mem))
        snprintf(v->message, sizeof v->message, "%s", top->cli->err.text);
    filter_rows(v);
    if (v->first >= v->rows.n)
        v->first = v->rows.n ? v->rows.n - 1 : 0;
}

/* --- the screen ------------------------------------------------------------------------------------------ */

static void put_title(struct view *v)
{
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    trod_put(&text.sink, "trod top: %s, %s%s; ", cli_top_name(v->top), v->state,
        v->frozen ? ", frozen" : "");
    cli_top_kind(v->top)->put_title(&text.sink, &v->rows);
    trod_screen_put(0, TROD_STYLE_BOLD, text.text);
}

static void put_state(struct view *v)
{
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    cli_top_kind(v->top)->put_order(&text.sink, v->top);
    if (*v->filter)
        trod_put(
            &text.sink, ", with '%s': %zu of %zu", v->filter, v->rows.n, v->rows.nall);
    else
        trod_put(
            &text.sink, ", %zu %s", v->rows.n, cli_top_kind(v->top)->rows_word(v->top));
    if (v->rows.nvague)
        trod_put(&text.sink, ", %zu uncertain", v->rows.nvague);
    if (*v->message)
        trod_put(&text.sink, "; %s", v->message);
    trod_screen_put(1, TROD_STYLE_PLAIN, text.text);
}

/* Columns of numbers stay in place; the rest scrolls. */
static void put_row(struct view *v, int line, size_t i)
{
    const char *text = text_of(v, i), *words = strrchr(v->rows.head, ' ');
    struct trod_string out;
    size_t length = strlen(text), head;

    /* The last column begins after two blanks. */
    while (words > v->rows.head && (words[-1] != ' ' || words[0] != ' '))
        words--;
    head = (size_t)(words + 1 - v->rows.head);
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
    trod_screen_put(2, TROD_STYLE_HEAD, v->rows.head ? v->rows.head : "");
    for (int i = ABOVE; i < nline - BELOW; i++) {
        size_t row = v->first + (size_t)(i - ABOVE);

        if (row < v->rows.n)
            put_row(v, i, row);
    }
    trod_string_init(&text, &v->mem);
    if (v->typing) {
        trod_put(&text.sink, "%s%s", prompt, v->typed);
        cursor = (int)text.length;
    } else {
        trod_put(
            &text.sink, cli_top_kind(v->top)->keys, v->frozen ? "go on" : "freeze");
    }
    trod_screen_put(
        nline - 1, v->typing ? TROD_STYLE_BOLD : TROD_STYLE_HEAD, text.text);
    trod_screen_show(
        cursor < 0 ? -1 : nline - 1, cursor < ncolumn ? cursor : ncolumn - 1);
    trod_arena_rewind(&v->mem, mark);
}

/* --- keys -------------------------------------------------------------------------------------------------- */

/* Writes the selected rows in the current order. */
static void write_out(struct view *v)
{
    struct cli_top *top = v->top;
    struct trod_string text;

    trod_string_init(&text, &v->mem);
    cli_top_kind(top)->put_all(&text.sink, &v->rows);
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
    size_t page, last = v->rows.n ? v->rows.n - 1 : 0;

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
    struct trod_string name;

    if (v->typing) {
        type(v, key);
        return true;
    }
    switch (key) {
    case 'q':
        return false;
    case 'f':
        v->frozen = !v->frozen;
        break;
    case '/':
        begin_typing(v, FILTER, v->filter);
        break;
    case 'w':
        trod_string_init(&name, &v->mem);
        trod_put(&name.sink, "%s.%s", cli_top_name(v->top), cli_top_kind(v->top)->word);
        begin_typing(v, FILE_NAME, name.text);
        break;
    case 'o':
    case '+':
    case '-':
    case 'r':
        cli_top_control(v->top, key, v->message, sizeof v->message);
        return true;
    default:
        if (cli_top_kind(v->top)->turn(v->top, key))
            arrange(v);
        else
            move(v, key);
    }
    if (key != TROD_KEY_RESIZED)
        v->message[0] = '\0';
    return true;
}

/* --- time -------------------------------------------------------------------------------------------------- */

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
    v->ended = v->top->ended = !open;
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
        double left = next - cli_top_now();

        if (left <= 0) {
            look(&v);
            next = cli_top_now() + interval;
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
