// modes: O1 O3 code limit
#include <stdio.h>

/* A threaded interpreter: each indirect branch may go to every label. */

enum { PUSH, ADD, DUP, JNZ, DEC, PRINT, HALT };

static int run(const int *pc)
{
    static void *const go[] = {&&push, &&add, &&dup, &&jnz, &&dec, &&print, &&halt};
    int stack[16], *top = stack;

#define NEXT goto *go[*pc++]
    NEXT;
push:
    *top++ = *pc++;
    NEXT;
add:
    top--;
    top[-1] += top[0];
    NEXT;
dup:
    *top = top[-1];
    top++;
    NEXT;
jnz:
    if (top[-1])
        pc += *pc;
    else
        pc++;
    NEXT;
dec:
    top[-1]--;
    NEXT;
print:
    printf("%d\n", top[-1]);
    NEXT;
halt:
    return top[-1];
}

/* One indirect branch, with targets that have other predecessors. */
static int one(int which, int n)
{
    static void *const to[] = {&&first, &&second, &&third};

    if (n > 4)
        goto second;
    goto *to[which];
first:
    n += 5;
second:
    n *= 2;
    if (n < 20)
        goto first;
third:
    return n;
}

int main(void)
{
    static const int code[] = {
        PUSH, 5, PRINT, DEC, JNZ, -2, PUSH, 7, DUP, ADD, ADD, PRINT, HALT};
    int sum = run(code);

    for (int i = 0; i < 9; i++)
        sum += one(i % 3, i);
    printf("%d\n", sum);
    return 0;
}
