/* Measures a command: user and system seconds, peak memory in KiB, elapsed seconds.
 *
 *     spend FILE COMMAND...
 *     spend --all=SECONDS FILE COMMAND...
 *
 * Appends a line to FILE; exits with the status of the command. The shell's `time` does not report memory and
 * includes the shell. Peak memory is that of the largest process.
 *
 * With --all, the measure includes all processes that the command left behind, such as servers that became daemons:
 * they become children of this process. SIGTERM, the death of the caller or the limit of SECONDS ends the command in
 * order; what still runs some seconds after the command has ended is killed. The status is 124 if the limit was
 * reached.
 */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    longest = 600, /* seconds of processor time without --all, then it is killed */
    patience =
        20, /* seconds that processes have to end when they are asked to, or when the command has ended */
};

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The parent of a process, or 0. Its name may contain anything. */
static pid_t parent_of(const char *process)
{
    char path[64], text[512];
    const char *end;
    pid_t parent = 0;
    size_t n;
    FILE *f;

    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    f = fopen(path, "r");
    if (!f)
        return 0;
    n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = '\0';
    end = strrchr(text, ')');
    if (end && strlen(end) > 4)
        parent = (pid_t)strtol(end + 4, NULL, 10);
    return parent;
}

/* Kill the children. Theirs become ours, so the caller repeats this until there are none. */
static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *each;

    if (!processes)
        return;
    while ((each = readdir(processes)))
        if (isdigit((unsigned char)each->d_name[0]) &&
            parent_of(each->d_name) == getpid())
            kill((pid_t)strtol(each->d_name, NULL, 10), SIGKILL);
    closedir(processes);
}

/* What wakes the wait below; blocked, so that none is missed. */
static void fill_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGHUP);
}

/* Wait for the command and for all that it leaves behind. */
static int wait_for_all(pid_t child, double limit, const sigset_t *set)
{
    const struct timespec second = {1, 0};
    int status = 0, one, ended = 0, at_limit = 0;
    double deadline = now() + limit;
    pid_t which;
    int what;

    for (;;) {
        which = waitpid(-1, &one, WNOHANG);
        if (which < 0)
            return at_limit ? 124 << 8 : status;
        if (which == child) {
            status = one;
            ended = 1;
            deadline = at_limit ? 0 : now() + patience;
        }
        if (which > 0)
            continue;
        if (now() >= deadline) {
            at_limit |= !ended;
            kill_children();
        }
        what = sigtimedwait(set, NULL, &second);
        if (what > 0 && what != SIGCHLD && !ended) {
            kill(child, SIGTERM);
            deadline = now() + patience;
        }
    }
}

int main(int argc, char **argv)
{
    struct rlimit limit = {longest, longest};
    struct rusage used;
    sigset_t set;
    unsigned all = 0;
    double start;
    pid_t child;
    FILE *f;
    int status;

    if (argc > 1 && strncmp(argv[1], "--all=", 6) == 0) {
        all = (unsigned)strtoul(argv[1] + 6, NULL, 10);
        argv++;
        argc--;
    }
    if (argc < 3) {
        fputs("usage: spend [--all=SECONDS] FILE COMMAND...\n", stderr);
        return 2;
    }
    if (all) {
        prctl(PR_SET_CHILD_SUBREAPER, 1);
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        fill_signals(&set);
        sigprocmask(SIG_BLOCK, &set, NULL);
    }
    start = now();
    child = fork();
    if (child == 0) {
        if (all)
            sigprocmask(SIG_UNBLOCK, &set, NULL);
        else
            setrlimit(RLIMIT_CPU, &limit);
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0) {
        perror("spend");
        return 5;
    }
    if (all) {
        status = wait_for_all(child, all, &set);
    } else if (waitpid(child, &status, 0) < 0) {
        perror("spend");
        return 5;
    }
    getrusage(RUSAGE_CHILDREN, &used);
    f = fopen(argv[1], "a");
    if (!f ||
        fprintf(f, "%.6f %.6f %ld %.6f\n", seconds(used.ru_utime),
            seconds(used.ru_stime), used.ru_maxrss, now() - start) < 0 ||
        fclose(f) != 0) {
        perror(argv[1]);
        return 5;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
