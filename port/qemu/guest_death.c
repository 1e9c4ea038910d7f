#include "qemu/qemu.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A signal that kills the guest also ends the emulator. QEMU 7 does not notify plugins of this, but
 * sends itself the signal with kill(), so that call is intercepted here.
 *
 * QEMU 10 notifies plugins of signals that dump core. It leaves the others to the kernel: there, a
 * handler of ours asks for the death, which happens where the guest next begins a block. A signal
 * may arrive right before the guest waits in a system call, so it is repeated by a timer.
 */

volatile sig_atomic_t qemu_death_signal;

static void (*on_death)(void);

static int kill_seen(pid_t process, int number)
{
    struct sigaction action;

    if (process == getpid() && sigaction(number, NULL, &action) == 0 &&
        action.sa_handler == SIG_DFL)
        on_death();
    return kill(process, number);
}

struct tables {
    uint64_t base;
    const ElfW(Sym) * symbol;
    const char *name;
};

static void patch(uint64_t at)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    void *start = qemu_at(at & ~(page - 1));
    int (*new)(pid_t, int) = kill_seen;

    /* The loader made it read-only after relocation. It may stay writable. */
    if (mprotect(start, page, PROT_READ | PROT_WRITE) == 0)
        memcpy(qemu_at(at), &new, sizeof new);
}

static void patch_all(const struct tables *t, const ElfW(Rela) * rela, size_t size)
{
    for (size_t i = 0; rela && i < size / sizeof *rela; i++) {
        const ElfW(Sym) *symbol = &t->symbol[ELF64_R_SYM(rela[i].r_info)];

        if (ELF64_R_SYM(rela[i].r_info) &&
            strcmp(t->name + symbol->st_name, "kill") == 0)
            patch(t->base + rela[i].r_offset);
    }
}

/* The first module is the program itself. */
static int patch_program(struct dl_phdr_info *info, size_t size, void *ctx)
{
    struct tables t = {.base = info->dlpi_addr};
    const ElfW(Rela) *of_calls = NULL, *of_data = NULL;
    const ElfW(Dyn) *dynamic = NULL;
    size_t ncalls = 0, ndata = 0;

    (void)size;
    (void)ctx;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = qemu_at(t.base + info->dlpi_phdr[i].p_vaddr);
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        switch (dynamic->d_tag) {
        case DT_SYMTAB:
            t.symbol = qemu_at(dynamic->d_un.d_ptr);
            break;
        case DT_STRTAB:
            t.name = qemu_at(dynamic->d_un.d_ptr);
            break;
        case DT_JMPREL:
            of_calls = qemu_at(dynamic->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            ncalls = dynamic->d_un.d_val;
            break;
        case DT_RELA:
            of_data = qemu_at(dynamic->d_un.d_ptr);
            break;
        case DT_RELASZ:
            ndata = dynamic->d_un.d_val;
            break;
        default:
            break;
        }
    if (t.symbol && t.name) {
        patch_all(&t, of_calls, ncalls);
        patch_all(&t, of_data, ndata);
    }
    return 1;
}

static void repeat(int number)
{
    const long often = 10000000; /* ns */
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    struct itimerspec when = {{0, often}, {0, often}};
    int timer; /* of the kernel's: glibc's functions are not for handlers */

    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, 0, &when, NULL);
}

static void note_death(int number)
{
    int before = errno;

    if (!qemu_death_signal) {
        qemu_death_signal = number;
        repeat(number);
    }
    errno = before;
}

void qemu_death_catch(void)
{
    static const int fatal[] = {SIGHUP, SIGINT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1,
        SIGUSR2, SIGIO, SIGPROF, SIGVTALRM, SIGPWR, SIGSTKFLT};
    struct sigaction catch = {.sa_handler = note_death}, now;

    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(fatal[i], &catch, NULL);
}

void qemu_death_now(void)
{
    int number = qemu_death_signal;
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    on_death();
    signal(number, SIG_DFL);
    kill(getpid(), number);
    sigdelset(&all, number);
    for (;;)
        sigsuspend(&all);
}

void qemu_death_init(void (*callback)(void))
{
    on_death = callback;
    dl_iterate_phdr(patch_program, NULL);
    qemu_death_catch();
}
