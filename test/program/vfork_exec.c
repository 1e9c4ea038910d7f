// modes: O1 code
// abandons: main spawn
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* vfork and exec of the program itself; the first call of exec fails. */

static int triple(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += 3;
    return sum;
}

static int spawn(const char *program, char *number)
{
    char *args[] = {(char *)program, number, NULL};
    int status;
    pid_t pid = vfork();

    if (pid == 0) {
        execve(program, args, environ);
        _exit(77);
    }
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return triple(atoi(argv[1]));
    printf("%d\n", spawn("/proc/self/none", "1"));
    printf("%d\n", spawn("/proc/self/exe", "4"));
    printf("%d\n", spawn("/proc/self/exe", "0"));
    return 0;
}
