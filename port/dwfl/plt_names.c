#include "dwfl/dwfl_port.h"
#include "base/bytes.h"

#include <elf.h>
#include <gelf.h>
#include <string.h>

/* A PLT stub loads an address from a slot and jumps there. The relocation of the slot names the
 * function. The section gives the position and size of stubs, and their code the slot.
 */

enum { STUB = 16 };

struct slots {
    struct slot {
        uint64_t address;
        const char *name;
    } *slot;
    size_t count, room;
    struct trod_arena *mem;
};

static void add_relocations(struct slots *s, Elf *elf, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, NULL), *symbols;
    GElf_Shdr head, table;
    Elf_Scn *named;

    if (!gelf_getshdr(section, &head) || !data || !head.sh_entsize)
        return;
    named = elf_getscn(elf, head.sh_link);
    if (!named || !gelf_getshdr(named, &table) ||
        (table.sh_type != SHT_DYNSYM && table.sh_type != SHT_SYMTAB) ||
        !(symbols = elf_getdata(named, NULL)))
        return;
    for (int i = 0; i < (int)(head.sh_size / head.sh_entsize); i++) {
        GElf_Rela rela;
        GElf_Sym symbol;
        const char *name;

        if (!gelf_getrela(data, i, &rela) || !GELF_R_SYM(rela.r_info) ||
            !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &symbol) ||
            !(name = elf_strptr(elf, table.sh_link, symbol.st_name)) || !*name)
            continue;
        trod_push(
            s->mem, s->slot, s->count, s->room, (struct slot){rela.r_offset, name});
    }
}

static const char *name_of_slot(const struct slots *s, uint64_t address)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->slot[i].address == address)
            return s->slot[i].name;
    return NULL;
}

/* jmp *displacement(%rip) */
static uint64_t x86_slot(const unsigned char *code, uint64_t address)
{
    for (unsigned i = 0; i + 6 <= STUB; i++)
        if (code[i] == 0xff && code[i + 1] == 0x25)
            return address + i + 6 +
                   (uint64_t)(int64_t)(int32_t)trod_load32(code + i + 2);
    return 0;
}

/* adrp x16, page; ldr x17, [x16, offset] */
static uint64_t aarch64_slot(const unsigned char *code, uint64_t address)
{
    for (unsigned i = 0; i + 8 <= STUB; i += 4) {
        uint32_t page = trod_load32(code + i), load = trod_load32(code + i + 4);

        if ((page & 0x9f00001f) == 0x90000010 && (load & 0xffc003ff) == 0xf9400211) {
            uint64_t high = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);

            high = (uint64_t)((int64_t)(high << 43) >> 43) << 12;
            return ((address + i) & ~UINT64_C(4095)) + high +
                   (load >> 10 & 0xfff) * UINT64_C(8);
        }
    }
    return 0;
}

/* auipc t3, high; ld t3, low(t3) */
static uint64_t riscv_slot(const unsigned char *code, uint64_t address)
{
    uint32_t high = trod_load32(code), load = trod_load32(code + 4);

    if ((high & 0xfff) != 0xe17 || (load & 0xfffff) != 0xe3e03)
        return 0;
    return address + (uint64_t)(int64_t)(int32_t)(high & 0xfffff000) +
           (uint64_t)(int64_t)((int32_t)load >> 20);
}

static uint64_t slot_of(unsigned machine, const unsigned char *code, uint64_t address)
{
    switch (machine) {
    case EM_X86_64:
        return x86_slot(code, address);
    case EM_AARCH64:
        return aarch64_slot(code, address);
    case EM_RISCV:
        return riscv_slot(code, address);
    default:
        return 0;
    }
}

struct found {
    struct trod_dwfl_stub *stub;
    size_t count, room;
};

static void add_stubs(struct found *f, const struct slots *slots, unsigned machine,
    Elf_Scn *section, const GElf_Shdr *head, bool is_lazy)
{
    Elf_Data *data = elf_getdata(section, NULL);
    /* The entry size is 16, although some linkers write 8 or 0. */
    size_t step = head->sh_entsize == 8 ? 8 : STUB;

    for (size_t at = 0; data && data->d_buf && at + step <= data->d_size; at += step) {
        unsigned char code[STUB] = {0};
        char *name;
        const char *of;

        memcpy(code, (const char *)data->d_buf + at, step);
        of = name_of_slot(slots, slot_of(machine, code, head->sh_addr + at));
        if (!of && at == 0 && is_lazy)
            of = "resolve"; /* the entry that all stubs use on their first call */
        if (!of)
            continue;
        name = trod_format(slots->mem, "%s@plt", of);
        trod_push(slots->mem, f->stub, f->count, f->room,
            (struct trod_dwfl_stub){head->sh_addr + at, step, name});
    }
}

void trod_dwfl_stubs(
    struct trod_dwfl_stub **out, size_t *count, void *handle, struct trod_arena *mem)
{
    Elf *elf = handle;
    struct slots slots = {.mem = mem};
    struct found found = {0};
    Elf_Scn *section = NULL;
    GElf_Ehdr file;
    GElf_Shdr head;
    size_t names;

    *out = NULL;
    *count = 0;
    if (!gelf_getehdr(elf, &file) || elf_getshdrstrndx(elf, &names) != 0)
        return;
    while ((section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &head) && head.sh_type == SHT_RELA)
            add_relocations(&slots, elf, section);
    while ((section = elf_nextscn(elf, section))) {
        const char *name =
            gelf_getshdr(section, &head) ? elf_strptr(elf, names, head.sh_name) : NULL;

        if (name && strncmp(name, ".plt", 4) == 0 && head.sh_type == SHT_PROGBITS)
            add_stubs(&found, &slots, file.e_machine, section, &head,
                strcmp(name, ".plt") == 0);
    }
    *out = found.stub;
    *count = found.count;
}
