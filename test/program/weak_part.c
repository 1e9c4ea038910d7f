int choose(int x);
int from_part(int x);

int choose(int x)
{
    switch (x) {
    case 1:
        return 10;
    case 2:
        return 20;
    }
    return 30;
}

int from_part(int x)
{
    int n = 0;

    while (choose(x++) != 30)
        n++;
    return n;
}
