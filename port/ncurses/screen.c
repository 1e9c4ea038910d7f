#include "ncurses/screen.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include <curses.h>

static SCREEN *screen;

bool trod_screen_open(struct trod_err *err)
{
    /* Only for characters: the format of numbers does not depend on the locale. */
    setlocale(LC_CTYPE, "");
    screen = newterm(NULL, stdout, stdin);
    if (!screen)
        return trod_fail(err, TROD_E_SYSTEM,
            "the terminal type is unknown; set TERM, or use --once");
    set_term(screen);
    set_escdelay(25);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    return true;
}

void trod_screen_close(void)
{
    endwin();
    delscreen(screen);
    screen = NULL;
}

void trod_screen_size(int *nrow, int *ncolumn)
{
    getmaxyx(stdscr, *nrow, *ncolumn);
}

void trod_screen_clear(void)
{
    erase();
}

void trod_screen_put(int row, enum trod_screen_style style, const char *text)
{
    attr_t attribute = style == TROD_STYLE_BOLD   ? A_BOLD
                       : style == TROD_STYLE_HEAD ? A_REVERSE
                                                  : A_NORMAL;
    int nrow, ncolumn, column = 0;

    getmaxyx(stdscr, nrow, ncolumn);
    if (row < 0 || row >= nrow)
        return;
    move(row, 0);
    attrset(attribute);
    for (size_t n; *text && column < ncolumn; text += n, column++) {
        n = trod_utf8_length(text);
        if (!n || trod_control_length(text)) {
            n += !n;
            addch('?');
        } else {
            addnstr(text, (int)n);
        }
    }
    for (; style == TROD_STYLE_HEAD && column < ncolumn; column++)
        addch(' ');
    attrset(A_NORMAL);
}

void trod_screen_show(int cursor_row, int cursor_column)
{
    curs_set(cursor_row >= 0);
    if (cursor_row >= 0)
        move(cursor_row, cursor_column);
    refresh();
}

int trod_screen_key(int patience)
{
    static const struct {
        int from, to;
    } key[] = {{ERR, TROD_KEY_NONE}, {KEY_RESIZE, TROD_KEY_RESIZED},
        {KEY_UP, TROD_KEY_UP}, {KEY_DOWN, TROD_KEY_DOWN}, {KEY_LEFT, TROD_KEY_LEFT},
        {KEY_RIGHT, TROD_KEY_RIGHT}, {KEY_PPAGE, TROD_KEY_PAGE_UP},
        {KEY_NPAGE, TROD_KEY_PAGE_DOWN}, {KEY_HOME, TROD_KEY_HOME},
        {KEY_END, TROD_KEY_END}, {KEY_ENTER, TROD_KEY_ENTER}, {'\n', TROD_KEY_ENTER},
        {'\r', TROD_KEY_ENTER}, {27, TROD_KEY_ESCAPE},
        {KEY_BACKSPACE, TROD_KEY_BACKSPACE}, {127, TROD_KEY_BACKSPACE},
        {8, TROD_KEY_BACKSPACE}};
    int pressed;

    timeout(patience);
    pressed = getch();
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        if (key[i].from == pressed)
            return key[i].to;
    return pressed < 256 ? pressed : TROD_KEY_NONE;
}
