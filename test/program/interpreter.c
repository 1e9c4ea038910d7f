// modes: O1 O3 code limit lto
#include <stdio.h>

/* A big switch in a loop: a small stack machine. */

enum op {
    PUSH,
    LOAD,
    STORE,
    ADD,
    SUB,
    MUL,
    MOD,
    LESS,
    EQUAL,
    JUMP,
    IF_ZERO,
    PRINT,
    HALT,
    NOP
};

static int run(const int *code)
{
    int stack[32], memory[8] = {0}, top = 0, pc = 0, steps = 0;

    for (;;) {
        steps++;
        switch (code[pc++]) {
        case PUSH:
            stack[top++] = code[pc++];
            break;
        case LOAD:
            stack[top++] = memory[code[pc++]];
            break;
        case STORE:
            memory[code[pc++]] = stack[--top];
            break;
        case ADD:
            top--;
            stack[top - 1] += stack[top];
            break;
        case SUB:
            top--;
            stack[top - 1] -= stack[top];
            break;
        case MUL:
            top--;
            stack[top - 1] *= stack[top];
            break;
        case MOD:
            top--;
            if (!stack[top])
                return -1;
            stack[top - 1] %= stack[top];
            break;
        case LESS:
            top--;
            stack[top - 1] = stack[top - 1] < stack[top];
            break;
        case EQUAL:
            top--;
            stack[top - 1] = stack[top - 1] == stack[top];
            break;
        case JUMP:
            pc = code[pc];
            break;
        case IF_ZERO:
            if (stack[--top] == 0)
                pc = code[pc];
            else
                pc++;
            break;
        case PRINT:
            printf("%d\n", stack[--top]);
            break;
        case HALT:
            return steps;
        case NOP:
            continue;
        default:
            return -2;
        }
        if (top < 0 || top > 30)
            return -3;
    }
}

int main(void)
{
    static const int bad[] = {PUSH, 1, PUSH, 0, MOD};
    static const int loop[] = {PUSH, 5, STORE, 0, LOAD, 0, PRINT, LOAD, 0, PUSH, 1, SUB,
        STORE, 0, LOAD, 0, IF_ZERO, 20, JUMP, 4, NOP, HALT};
    static const int deep[] = {PUSH, 1, JUMP, 0};
    static const int odd[] = {99};

    printf("%d %d %d %d\n", run(bad), run(loop), run(deep), run(odd));
    return 0;
}
