/* Page faults and context switches that are known: two threads, one after the other, and a child.
 *
 *     program N [filter]
 *
 * filter: from then on, the kernel kills whoever calls perf_event_open, in the second thread, too.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* A new page at each second call. */
__attribute__((noinline)) static int touch(volatile char *at, int i)
{
    if (i % 2)
        return 0;
    at[(size_t)i * PAGE] = 1;
    return 1;
}

/* A system call that is not a call. */
__attribute__((noinline)) static int nap(int i)
{
    struct timespec time = {0, 10000};
    long result = SYS_nanosleep;

    if (i % 100)
        return 0;
#ifdef __x86_64__
    __asm__ volatile("syscall"
        : "+a"(result)
        : "D"(&time), "S"(NULL)
        : "rcx", "r11", "memory");
#else
    result = syscall(SYS_nanosleep, &time, NULL);
#endif
    return (int)result + 1;
}

static int count;

static void *thread(void *unused)
{
    size_t size = (size_t)count * PAGE;
    volatile char *at =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = 0;

    madvise((void *)(size_t)at, size, MADV_NOHUGEPAGE);
    for (int i = 0; i < count; i++)
        sum += touch(at, i) + nap(i);
    return sum ? unused : NULL;
}

static void run(void)
{
    pthread_t id;

    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
}

static void forbid(void)
{
    struct sock_filter rule[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog filter = {sizeof rule / sizeof *rule, rule};

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

int main(int n, char **argument)
{
    pid_t child;

    count = n > 1 ? atoi(argument[1]) : 0;
    run();
    if (n > 2)
        forbid();
    run();
    child = n > 2 ? 0 : fork();
    if (child) {
        waitpid(child, NULL, 0);
        return 0;
    }
    if (n <= 2)
        run();
    return 0;
}
