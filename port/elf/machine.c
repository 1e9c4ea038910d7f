#include "elf/section.h"

#include <elf.h>
#include <string.h>

const char *trod_elf_machine(const unsigned char *head, size_t length, bool *is_elf)
{
    Elf64_Ehdr elf;

    *is_elf = length >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0;
    if (!*is_elf || length < sizeof elf || head[EI_CLASS] != ELFCLASS64 ||
        head[EI_DATA] != ELFDATA2LSB)
        return NULL;
    memcpy(&elf, head, sizeof elf);
    switch (elf.e_machine) {
    case EM_X86_64:
        return "x86_64";
    case EM_AARCH64:
        return "aarch64";
    case EM_RISCV:
        return "riscv64";
    default:
        return NULL;
    }
}
