#include "qemu/qemu.h"

#include <elf.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A signal that kills the guest also ends the emulator. QEMU 7 does not notify plugins of this, but
 * sends itself the signal with kill(), so that call is intercepted here.
 */

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

void qemu_death_init(void (*callback)(void))
{
    on_death = callback;
    dl_iterate_phdr(patch_program, NULL);
}
