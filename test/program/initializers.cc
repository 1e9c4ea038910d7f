// modes: O1 code
#include <cstdio>

// Objects with static lifetime: constructed before main or on first use, destroyed after main.

struct Thing {
    const char *name;
    int n;
    Thing(const char *name, int n) : name(name), n(0)
    {
        for (int i = 0; i < n; i++)
            this->n += i & 1 ? i : 1;
        std::printf("%s %d\n", name, this->n);
    }
    ~Thing()
    {
        if (n > 3)
            std::printf("large %s gone\n", name);
        else
            std::printf("%s gone\n", name);
    }
};

static Thing first("first", 3);
Thing second("second", first.n + 4);
static int computed = [] {
    int n = 0;
    while (n * n < 50)
        n++;
    return n;
}();

template <int N> struct Table {
    int at[N];
    Table()
    {
        for (int i = 0; i < N; i++)
            at[i] = i * i;
    }
};
static Table<5> table;

Thing &lazy(int n)
{
    static Thing thing("lazy", n);
    return thing;
}

int main()
{
    static thread_local Thing mine("mine", 1);
    for (int i = 1; i < 4; i++)
        std::printf("%d %d %d\n", lazy(i * 2).n, table.at[i], computed + mine.n);
    return 0;
}
