int here(int n);
int other(int n);

static int step(int n)
{
    return n & 1 ? n - 1 : n / 2;
}

static int walk(int n)
{
    int sum = 0;

    while (n > 2) {
        sum += n;
        n = step(n);
    }
    return sum;
}

int other(int n)
{
    if (n & 1)
        return walk(n);
    return walk(n) + here(step(n));
}
