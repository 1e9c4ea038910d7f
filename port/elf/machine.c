#include "elf/section.h"

#include <elf.h>
#include <string.h>

const char *trod_elf_machine(const char *head, size_t length)
{
    Elf64_Ehdr elf;

    if (length < sizeof elf || memcmp(head, ELFMAG, SELFMAG) != 0)
        return NULL;
    memcpy(&elf, head, sizeof elf);
    if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB)
        return "?";
    switch (elf.e_machine) {
    case EM_X86_64:
        return "x86_64";
    case EM_AARCH64:
        return "aarch64";
    case EM_RISCV:
        return "riscv64";
    default:
        return "?";
    }
}
