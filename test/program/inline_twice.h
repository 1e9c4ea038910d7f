// Inline functions: every unit has a copy, and the linker keeps one.
#ifndef INLINE_TWICE_H
#define INLINE_TWICE_H

inline int classify(int n)
{
    static int calls;

    if (++calls % 5 == 0)
        return calls;
    return n < 3 ? 0 : n % 2 ? 1 : 2;
}

template <class T> T once(T n)
{
    T sum = 0;

    while (n > 0)
        sum += n--;
    return sum;
}

class Counter
{
    int n = 0;

  public:
    void add(int by)
    {
        if (by > 2)
            n += by;
        else
            n++;
    }
    int total() const
    {
        return n > 10 ? n : -n;
    }
};

int other(int n, Counter &c);

#endif
