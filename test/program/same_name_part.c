int other(int x);

static int helper(int x)
{
    int n = 0;

    for (int i = 0; i < x; i++)
        if (i % 3)
            n += i;
    return n;
}

int other(int x)
{
    return helper(x) + helper(x - 1);
}
