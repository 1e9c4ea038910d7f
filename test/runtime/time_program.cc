// A program whose clock is its own: each path takes a known number of ticks, and nothing else takes any. With METER, the
// processor is made up as well (meter_fake.h): a tick executes three instructions.
//
//     program SCENARIO N
//
// time.t and meter.t know what each path takes.
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MORE
#define MORE 0 // a planted fault
#endif

#ifdef METER
extern "C" int trod_fake_descriptors, trod_fake_forks;
#define EXECUTE "\n\taddq %1, %%fs:trod_fake_events@tpoff+16" // TROD_METER_INSTRUCTIONS
#else
static int trod_fake_descriptors, trod_fake_forks;
#define EXECUTE ""
#endif
#define SPIN(n)                                                    \
    __asm__ volatile("addq %0, %%fs:trod_fake_clock@tpoff" EXECUTE \
        :                                                          \
        : "i"(n), "i"(3 * (n))                                     \
        : "memory", "cc")
#define FUNCTION extern "C" __attribute__((noinline)) int

FUNCTION leaf(int x)
{
    if (x & 1)
        SPIN(7);
    else
        SPIN(20 + MORE);
    return x;
}

FUNCTION caller(int x)
{
    SPIN(3);
    x = leaf(x);
    SPIN(5);
    return x;
}

FUNCTION recurse(int depth)
{
    int n = 0;

    SPIN(2);
    if (depth) {
        n += recurse(depth - 1);
        SPIN(1);
        n += recurse(depth - 1);
    }
    SPIN(1);
    return n + 1;
}

FUNCTION iterate(int n)
{
    int sum = 0;

    SPIN(30);
#pragma clang loop unroll(disable) vectorize(disable)
    for (int i = 0; i < n; i++) {
        SPIN(4);
        sum += leaf(i);
    }
    SPIN(10);
    return sum;
}

static jmp_buf back;

FUNCTION jumps(int x)
{
    SPIN(11);
    if (x)
        longjmp(back, 1);
    SPIN(2);
    return x;
}

// Abandoned where it calls.
FUNCTION between(int x)
{
    SPIN(1);
    x = jumps(x);
    SPIN(1);
    return x;
}

FUNCTION returns_again(int x)
{
    SPIN(1);
    if (setjmp(back)) {
        SPIN(9);
        return 1;
    }
    SPIN(6);
    between(x);
    SPIN(4);
    return 0;
}

FUNCTION throws(int x)
{
    SPIN(5);
    if (x)
        throw x;
    SPIN(2);
    return x;
}

FUNCTION catches(int x)
{
    try {
        SPIN(1);
        x = throws(x);
        SPIN(3);
    } catch (int) {
        SPIN(8);
    }
    return x;
}

extern "C" void handler(int)
{
    SPIN(13);
}

FUNCTION raises(int x)
{
    SPIN(2);
    raise(SIGUSR1);
    SPIN(4);
    return x;
}

FUNCTION traps(int x)
{
    SPIN(2);
    __asm__ volatile("int3");
    SPIN(4);
    return x;
}

static int count;

static void *thread(void *)
{
    for (int i = 0; i < count; i++)
        caller(i);
    return nullptr;
}

static void threads()
{
    pthread_t id[4];

    for (pthread_t &i : id)
        pthread_create(&i, nullptr, thread, nullptr);
    for (pthread_t i : id)
        pthread_join(i, nullptr);
}

static void forks()
{
    pid_t child;

    thread(nullptr);
    child = fork();
    thread(nullptr);
    if (child)
        waitpid(child, nullptr, 0);
}

// A signal handler forks while the runtime reads a counter.
static int interrupted()
{
    int status = 0, failed = 0;

    trod_fake_forks = 20;
    thread(nullptr);
    while (wait(&status) > 0)
        failed += status != 0;
    return failed;
}

int main(int, char **argument)
{
    const char *scenario = argument[1];
    int n = count = atoi(argument[2]);

    signal(SIGUSR1, handler);
    signal(SIGTRAP, handler);
    if (!strcmp(scenario, "threads"))
        threads();
    else if (!strcmp(scenario, "forks"))
        forks();
    else if (!strcmp(scenario, "interrupted"))
        return interrupted();
    else
        for (int i = 0; i < n; i++)
            !strcmp(scenario, "caller")    ? caller(i)
            : !strcmp(scenario, "recurse") ? recurse(6)
            : !strcmp(scenario, "iterate") ? iterate(5)
            : !strcmp(scenario, "longjmp") ? returns_again(i % 4 == 0)
            : !strcmp(scenario, "throw")   ? catches(i % 5 == 0)
            : !strcmp(scenario, "raise")   ? raises(i)
                                           : traps(i);
    return trod_fake_descriptors;
}
