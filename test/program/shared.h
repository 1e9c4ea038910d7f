#ifndef SHARED_H
#define SHARED_H

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN int same(int x);
int each(int n, int (*f)(int));

inline int half(int x)
{
    return x & 1 ? x / 2 + 100 : x / 2;
}

#endif
