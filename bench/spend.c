/* Measures a command: user and system seconds, peak memory in KiB.
 *
 *     spend FILE COMMAND...
 *
 * Appends a line to FILE; exits with the status of the command. The shell's `time` does not report memory and
 * includes the shell.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { longest = 600 }; /* seconds of processor time, then it is killed */

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    struct rlimit limit = {longest, longest};
    struct rusage used;
    pid_t child;
    FILE *f;
    int status;

    if (argc < 3) {
        fputs("usage: spend FILE COMMAND...\n", stderr);
        return 2;
    }
    child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &limit);
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("spend");
        return 5;
    }
    getrusage(RUSAGE_CHILDREN, &used);
    f = fopen(argv[1], "a");
    if (!f ||
        fprintf(f, "%.6f %.6f %ld\n", seconds(used.ru_utime), seconds(used.ru_stime),
            used.ru_maxrss) < 0 ||
        fclose(f) != 0) {
        perror(argv[1]);
        return 5;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
