// modes: O1 code
// abandons: main grow
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Children of children, forked inside a loop that all of them continue. */

static int leaf(int depth)
{
    return depth == 0;
}

static int grow(int depth)
{
    int leaves = leaf(depth);

    for (int i = 0; i < depth; i++) {
        int status;
        pid_t pid = fork();

        if (pid == 0)
            exit(grow(depth - 1));
        waitpid(pid, &status, 0);
        leaves += WEXITSTATUS(status);
    }
    return leaves;
}

int main(void)
{
    printf("%d\n", grow(3));
    return 0;
}
