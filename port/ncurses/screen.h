/* screen: a terminal, as rows of text and keys that are pressed.
 *
 * One at a time. Between open and close nothing else may be printed.
 */
#ifndef TROD_SCREEN_H
#define TROD_SCREEN_H

#include "base/base.h"

enum { TROD_KEY_NONE = -1 };

enum trod_screen_key { /* others are the characters they are */
    TROD_KEY_RESIZED = 0x110000,
    TROD_KEY_UP,
    TROD_KEY_DOWN,
    TROD_KEY_LEFT,
    TROD_KEY_RIGHT,
    TROD_KEY_PAGE_UP,
    TROD_KEY_PAGE_DOWN,
    TROD_KEY_HOME,
    TROD_KEY_END,
    TROD_KEY_ENTER,
    TROD_KEY_ESCAPE,
    TROD_KEY_BACKSPACE
};

enum trod_screen_style { TROD_STYLE_PLAIN, TROD_STYLE_BOLD, TROD_STYLE_HEAD };

/* fails:  TROD_E_SYSTEM when there is no terminal that can be used */
bool trod_screen_open(struct trod_err *err) TROD_MUST_CHECK;
void trod_screen_close(void);

void trod_screen_size(int *nrow, int *ncolumn);

/* What is put is not seen before show. A row is cut at the edge; what would move the cursor is
 * shown as '?'.
 */
void trod_screen_clear(void);
void trod_screen_put(int row, enum trod_screen_style style, const char *text);
/* The cursor is behind the text of a row, or nowhere if that is below 0. */
void trod_screen_show(int cursor_row, int cursor_column);

/* The key that was pressed, or TROD_KEY_NONE after so many milliseconds. */
int trod_screen_key(int patience);

#endif
