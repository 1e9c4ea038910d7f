/* A list that is gone through again and again, and a table beside it: what 'trod sample data' shows.
 *
 *     trod cc --burst=types=streams -O2 -g example/list.c -o list
 *     TROD_OUT=list.trod ./list
 *     trod sample data list.trod
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value, rest[6];
};

static long table[64];

static struct node *make(long n)
{
    struct node *list = NULL;

    for (long i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);

        node->next = list;
        node->value = i;
        list = node;
        free(malloc(100)); /* something else in between */
    }
    return list;
}

__attribute__((noinline)) static long sum(const struct node *list)
{
    long s = 0;

    for (; list; list = list->next)
        s += list->value;
    return s;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1000000, s = 0;
    struct node *list = make(4);

    for (long i = 0; i < n; i++) {
        s += sum(list);
        table[i % 64] = s;
    }
    printf("%ld\n", s + table[7]);
    return 0;
}
