/* The runtime of oracle builds (port/llvm/emit/oracle.c). It writes each event to a log at once, so
 * that none is lost if the process is killed, and in one write, so that events of threads and
 * processes that share the log never mix. It is slow on purpose.
 *
 * All processes of a run append to the one file that TROD_ORACLE_LOG names.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))

uint64_t __trod_oracle_enter(uint64_t name) HIDDEN;
void __trod_oracle_block(uint64_t activation, uint32_t block) HIDDEN;
void __trod_oracle_back(uint64_t activation, uint32_t block) HIDDEN;
void __trod_oracle_returned(uint64_t activation, uint32_t block) HIDDEN;
void __trod_oracle_leave(uint64_t activation, uint32_t how) HIDDEN;

/* test/program/Log.pm has the same numbers. */
enum kind {
    START,   /* an image was loaded: earlier activations of it are gone */
    ENTER,   /* value: hash of the function's name */
    BLOCK,   /* value: number of the block */
    LEAVE,   /* value: 0 return, 1 unwinding, 2 a call that does not return */
    FORKING, /* value: number of the fork in this thread */
    FORKED,  /* value: the same, in the child; activation: parent's process */
    BACK,    /* a call that may return again has returned; value: number of its block */
    RETURNED /* the call that a block begins with has returned; value: number of the block */
};

struct event {
    uint32_t kind, pid;
    uint64_t thread, image, activation, value;
};

static int log_file = -1;
static uint32_t owner; /* a child of vfork shares its parent's */
static uint64_t nactivation, nfork, nthread;

/* Not the system's number, which is reused for other threads, and which differs in a child of vfork. */
static _Thread_local uint64_t thread __attribute__((tls_model("initial-exec")));
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number_of_thread(void)
{
    if (!thread)
        thread = __atomic_add_fetch(&nthread, 1, __ATOMIC_RELAXED);
    return thread;
}

static void put(enum kind kind, uint64_t activation, uint64_t value)
{
    int saved = errno;
    struct event event = {.kind = kind,
        .pid = owner,
        .thread = number_of_thread(),
        .image = (uintptr_t)&nactivation,
        .activation = activation,
        .value = value};

    /* By number: programs may define write. */
    if (syscall(SYS_write, log_file, &event, sizeof event) != sizeof event)
        abort();
    errno = saved;
}

static void before_fork(void)
{
    put(FORKING, 0, ++nfork);
}

static void in_child(void)
{
    uint32_t parent = owner;

    owner = (uint32_t)getpid();
    put(FORKED, parent, nfork);
}

static void start(void)
{
    const char *name = getenv("TROD_ORACLE_LOG");
    int file = open(name ? name : "/dev/null", O_WRONLY | O_APPEND | O_CLOEXEC);

    /* A high descriptor, which does not shift those of the program. */
    log_file = fcntl(file, F_DUPFD_CLOEXEC, 200);
    close(file);
    owner = (uint32_t)getpid();
    put(START, 0, 0);
    pthread_atfork(before_fork, NULL, in_child);
}

uint64_t __trod_oracle_enter(uint64_t name)
{
    uint64_t activation;

    pthread_once(&once, start);
    activation = __atomic_add_fetch(&nactivation, 1, __ATOMIC_RELAXED);
    put(ENTER, activation, name);
    return activation;
}

void __trod_oracle_block(uint64_t activation, uint32_t block)
{
    put(BLOCK, activation, block);
}

void __trod_oracle_back(uint64_t activation, uint32_t block)
{
    put(BACK, activation, block);
}

void __trod_oracle_returned(uint64_t activation, uint32_t block)
{
    put(RETURNED, activation, block);
}

void __trod_oracle_leave(uint64_t activation, uint32_t how)
{
    put(LEAVE, activation, how);
}
