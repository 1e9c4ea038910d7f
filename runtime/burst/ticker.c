/* See ticker.h. Ticks come at random intervals, from a half to one and a half of the requested one:
 * work that a program does a thousand times a second is not always sampled at the same point.
 */
#include "ticker.h"

#include "os.h"

uint32_t __trod_burst_ticks;

enum {
    ROOM = 32768, /* bytes of its stack and of what the thread pointer points to */
    POINTED = 4096,
    SLOWER = 3, /* the interval doubles up to this many times while no tick is taken */
    ALONE = 256 /* unused ticks after which it checks whether other threads are left */
};

/* The process that has the ticker. */
static uint32_t owner;
static uint32_t tid;  /* cleared by the kernel when the thread has ended */
static uint32_t stop; /* a futex that the thread sleeps on */
static char *room;
static uint64_t nanoseconds;

/* --- the thread ------------------------------------------------------------------------------ */

/* Marsaglia's xorshift. */
static uint64_t next(uint64_t x)
{
    x ^= x << 13;
    x ^= x >> 7;
    return x ^ x << 17;
}

/* /proc/self/stat after the name: " S ppid ...". The 18th field is the number of threads. */
static bool is_last(const char *stat)
{
    int field = 0;

    if (stat[0] != ' ' || stat[1] != 'Z')
        return false;
    for (; *stat && field < 18; stat++)
        field += *stat == ' ';
    return *stat >= '0' && *stat <= '2' && stat[1] == ' ';
}

/* A main thread that has ended stays until all others have. If only two threads are left, the other
 * one is the ticker: it ends, so that the process can end.
 */
static bool is_alone(void)
{
    int fd = __trod_os_open("/proc/self/stat", TROD_OS_READ);
    char text[512];
    int64_t size, i, name = 0;

    if (fd < 0)
        return false;
    size = __trod_os_read(fd, text, sizeof text - 1);
    __trod_os_close(fd);
    if (size <= 0)
        return false;
    text[size] = 0;
    for (i = 0; i < size; i++)
        if (text[i] == ')')
            name = i + 1;
    return is_last(text + name);
}

static void run(void)
{
    uint64_t random = nanoseconds ^ (uintptr_t)room ^ UINT64_C(0x9e3779b97f4a7c15);
    unsigned vain = 0;

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        uint64_t between = __atomic_load_n(&nanoseconds, __ATOMIC_RELAXED);
        unsigned slower = vain < SLOWER ? vain : SLOWER;

        random = next(random);
        __trod_os_wait_for(&stop, 0, (between / 2 + random % between) << slower);
        if (__atomic_load_n(&__trod_burst_flag, __ATOMIC_RELAXED))
            vain++;
        else
            vain = 0;
        __atomic_store_n(&__trod_burst_ticks, __trod_burst_ticks + 1, __ATOMIC_RELAXED);
        __atomic_store_n(&__trod_burst_flag, 1, __ATOMIC_RELEASE);
        if (vain && vain % ALONE == 0 && is_alone())
            break;
    }
    __trod_os_leave_thread();
}

/* --- start and stop ---------------------------------------------------------------------------- */

void __trod_ticker_set(uint32_t hz)
{
    __atomic_store_n(&nanoseconds, UINT64_C(1000000000) / hz, __ATOMIC_RELAXED);
}

static int start(uint32_t hz)
{
    int error;

    if (!room)
        room = __trod_os_map(ROOM);
    if (!room)
        return TROD_OS_NO_MEMORY;
    __trod_ticker_set(hz);
    stop = 0;
    error = __trod_os_start_thread(
        run, room + ROOM - POINTED, room + ROOM - POINTED / 2, &tid);
    return error < 0 ? error : 0;
}

int __trod_ticker_start(uint32_t hz)
{
    uint32_t was = __atomic_load_n(&owner, __ATOMIC_ACQUIRE), me = __trod_os_pid();
    int error;

    if (was == me || !__atomic_compare_exchange_n(
                         &owner, &was, me, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return 0;
    error = start(hz);
    if (error)
        tid = 0;
    return error;
}

void __trod_ticker_stop(void)
{
    uint32_t was, times = 0;

    if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) != __trod_os_pid())
        return;
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    __trod_os_wake(&stop);
    while ((was = __atomic_load_n(&tid, __ATOMIC_ACQUIRE)) && times++ < 20000)
        __trod_os_wait_for(&tid, was, 50000); /* the kernel does not wake us */
    if (!was && room) {
        __trod_os_unmap(room, ROOM);
        room = NULL;
    }
}
