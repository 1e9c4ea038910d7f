#include "inline_twice.h"

int other(int n, Counter &c)
{
    c.add(classify(n + 1));
    c.add(once(n));
    return c.total();
}
