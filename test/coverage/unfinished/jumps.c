/* Activations are abandoned by longjmp, and the function that setjmp returned to continues. */
#include <stdlib.h>
#include <string.h>

#include "quit.h"

static void below(int n, const char *how)
{
    if (n > 1) {
        note("below");
        below(n - 1, how);
        note("back from below");
        return;
    }
    switch (n) {
    case 1:
        quit(how);
        note("behind");
        break;
    default:
        note("other");
    }
    note("end of below");
}

static int attempt(int n, const char *how)
{
    if (setjmp(back)) {
        note("jumped");
        return 1;
    }
    for (int i = 0; i < n; i++)
        if (i == 2)
            below(i, how);
        else
            note("not yet");
    return 0;
}

int main(int argc, char **argv)
{
    int n = 0;

    for (int i = 1; i < argc; i++)
        n += attempt(argc, argv[1]);
    if (n > 1)
        note("several");
    return 0;
}
