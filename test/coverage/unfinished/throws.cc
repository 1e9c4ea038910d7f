// Exceptions pass through functions that do not catch them.
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "quit.h"

struct holder {
    std::string text;
    explicit holder(const char *t) : text(t) {}
    ~holder() { note(text.c_str()); }
};

static void thrower(int n)
{
    if (n > 2)
        throw std::runtime_error("more");
    note("not thrown");
}

static int through(int n)
{
    holder kept("kept");
    int sum = 0;

    for (int i = 0; i < n; i++) {
        if (i == 3)
            thrower(i);
        else
            sum++;
    }
    note("through");
    return sum;
}

static int plain(int n)
{
    if (n > 3)
        note("large");
    else
        note("small");
    n += through(n);
    note("behind through");
    return n;
}

int main(int argc, char **argv)
{
    int n = 0;

    try {
        n = plain(argc);
        note("no exception");
    } catch (const std::exception &e) {
        note(e.what());
        if (argc > 5)
            quit(argv[1]);
    }
    n += plain(1);
    quit(argv[1]);
    return n == 17;
}
