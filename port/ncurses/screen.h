/* screen: a terminal as rows of text, and the keys pressed.
 *
 * There is only one. Between open and close nothing else may be printed.
 */
#ifndef TROD_SCREEN_H
#define TROD_SCREEN_H

#include "base/base.h"

enum { TROD_KEY_NONE = -1 };

enum trod_screen_key { /* other keys are their characters */
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

/* fails:  TROD_E_SYSTEM if there is no usable terminal */
bool trod_screen_open(struct trod_err *err) TROD_MUST_CHECK;
void trod_screen_close(void);

void trod_screen_size(int *nrow, int *ncolumn);

/* Text is invisible until trod_screen_show. Rows are truncated at the edge; control characters are
 * shown as '?'.
 */
void trod_screen_clear(void);
void trod_screen_put(int row, enum trod_screen_style style, const char *text);
/* Show what was put. The cursor is placed in a row, or hidden if the row is negative. */
void trod_screen_show(int cursor_row, int cursor_column);

/* Wait for a key, at most so many milliseconds; TROD_KEY_NONE: timeout. */
int trod_screen_key(int patience);

#endif
