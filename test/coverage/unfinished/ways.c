/* main and its callees do not return: after loops, decisions and switches. */
#include <stdlib.h>
#include <string.h>

#include "quit.h"

static inline void inlined(int n, const char *how)
{
    if (n > 1)
        note("inlined, more");
    else
        note("inlined");
    quit(how);
    note("behind inlined");
}

static int deeper(int n, const char *how)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        if (i % 2)
            sum += i;
        else
            note("even");
    }
    if (n > 0) {
        sum += deeper(n - 1, how);
        note("came back");
        return sum;
    }
    if (sum > 100)
        note("much");
    else
        inlined(n, how);
    note("behind it");
    return sum;
}

static int once(int argc, char **argv)
{
    switch (argc) {
    case 1:
        note("one");
        break;
    case 2:
    case 3:
        note("some");
        break;
    default:
        note("many");
    }
    if (argc > 2 && strcmp(argv[2], "once") == 0) {
        quit(argv[1]);
        note("behind once");
    }
    return argc > 3 ? deeper(argc, argv[1]) : 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "-";
    int n = 0;

    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == 'x')
            n++;
        else if (argv[i][0] == 'y')
            note("y");
    }
    if (n == 2)
        note("two");
    else
        note("not two");
    if (argc > 2 && strcmp(argv[2], "loop") == 0) {
        while (n < 5) {
            n++;
            if (n == 3)
                quit(how);
            else
                note("round");
        }
    }
    n += once(argc, argv);
    if (n)
        quit(how);
    else
        note("nothing");
    while (n < 3)
        n++;
    quit(how);
    note("the end");
    return 0;
}
