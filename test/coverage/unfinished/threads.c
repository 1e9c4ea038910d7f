/* Threads end by pthread_exit, and children of a fork by exit. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "quit.h"

static void inner(int n)
{
    if (n == 1)
        note("first");
    else
        note("second");
    quit("thread");
    note("behind quit");
}

static void *work(void *arg)
{
    int n = *(int *)arg;

    for (int i = 0; i < n; i++)
        note("round");
    inner(n);
    note("never");
    return NULL;
}

static void child(int n, const char *how)
{
    if (n > 2)
        note("large child");
    else
        note("small child");
    quit(how);
    note("behind child");
}

int main(int argc, char **argv)
{
    pthread_t id;
    int n = argc;

    if (argc > 2) {
        n = 1;
        pthread_create(&id, NULL, work, &n);
        pthread_join(id, NULL);
    } else {
        note("no threads");
    }
    if (argc > 3) {
        pid_t pid = fork();

        if (pid == 0) {
            note("child");
            child(argc, argv[1]);
            note("behind the child");
        }
        waitpid(pid, NULL, 0);
        note("parent");
    }
    quit(argv[1]);
    note("end");
    return 0;
}
