#include "elf/section.h"

#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

/* Executable segments only. */
static size_t list_loads(struct trod_elf_load **out, Elf *elf, struct trod_arena *mem)
{
    size_t count = 0, n = 0;

    if (elf_getphdrnum(elf, &count) != 0)
        return 0;
    *out = trod_new(mem, struct trod_elf_load, count + 1);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr head;

        if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_LOAD &&
            (head.p_flags & PF_X) && head.p_filesz)
            (*out)[n++] =
                (struct trod_elf_load){head.p_vaddr, head.p_filesz, head.p_offset};
    }
    return n;
}

size_t trod_elf_loads(
    struct trod_elf_load **out, const char *file, struct trod_arena *mem)
{
    int fd = trod_elf_open(file);
    size_t n = 0;
    Elf *elf;

    *out = NULL;
    if (fd < 0)
        return 0;
    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        n = list_loads(out, elf, mem);
    elf_end(elf);
    close(fd);
    return n;
}
