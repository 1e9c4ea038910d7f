#include "elf/section.h"
#include "base/order.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lowest address of the image: offsets are addresses minus this. */
static uint64_t base_of(Elf *elf)
{
    uint64_t base = UINT64_MAX;
    size_t n;

    if (elf_getphdrnum(elf, &n) != 0)
        return 0;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;

        if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_LOAD &&
            head.p_vaddr < base)
            base = head.p_vaddr;
    }
    return base == UINT64_MAX ? 0 : base;
}

static uint64_t round_up(uint64_t size, uint64_t align)
{
    return align > 1 ? (size + align - 1) / align * align : size;
}

/* Where a program's thread-local variables begin, relative to the thread pointer: below it on
 * x86-64, two words above it on AArch64. False: unknown.
 */
static bool find_locals(uint64_t *out, Elf *elf)
{
    bool program = false, found = false;
    GElf_Ehdr ehdr;
    size_t n;

    if (!gelf_getehdr(elf, &ehdr) || elf_getphdrnum(elf, &n) != 0)
        return false;
    program = ehdr.e_type == ET_EXEC;
    for (size_t i = 0; i < n; i++) {
        GElf_Phdr head;

        if (!gelf_getphdr(elf, (int)i, &head))
            return false;
        program = program || head.p_type == PT_INTERP;
        if (head.p_type != PT_TLS)
            continue;
        found = true;
        *out = ehdr.e_machine == EM_X86_64 ? 0 - round_up(head.p_memsz, head.p_align)
                                           : round_up(16, head.p_align);
    }
    return found && program &&
           (ehdr.e_machine == EM_X86_64 || ehdr.e_machine == EM_AARCH64);
}

/* A stripped file has only the dynamic symbol table. */
static Elf_Scn *find_table(Elf *elf, GElf_Shdr *head)
{
    static const GElf_Word type[] = {SHT_SYMTAB, SHT_DYNSYM};

    for (int i = 0; i < 2; i++)
        for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
            if (gelf_getshdr(scn, head) && head->sh_type == type[i] && head->sh_entsize)
                return scn;
    return NULL;
}

static bool is_wanted(const GElf_Sym *symbol, enum trod_elf_symbols which)
{
    int type = GELF_ST_TYPE(symbol->st_info);

    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS)
        return false;
    if (which == TROD_ELF_OBJECTS)
        return type == STT_OBJECT;
    if (which == TROD_ELF_LOCALS)
        return type == STT_TLS;
    return type == STT_FUNC || type == STT_GNU_IFUNC;
}

/* Of several names at one address, those visible to other files come first. */
static int by_offset(const void *x, const void *y)
{
    const struct trod_elf_symbol *a = x, *b = y;

    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    if (a->local != b->local)
        return a->local ? 1 : -1;
    return strcmp(a->name, b->name);
}

static size_t list(struct trod_elf_symbol **out, Elf *elf, enum trod_elf_symbols which,
    struct trod_arena *mem)
{
    uint64_t base = base_of(elf), locals = 0;
    size_t n = 0, room = 0;
    Elf_Data *data;
    Elf_Scn *scn;
    GElf_Shdr head;

    *out = NULL;
    if (which == TROD_ELF_LOCALS) {
        if (!find_locals(&locals, elf))
            return 0;
        base = 0;
    }
    scn = find_table(elf, &head);
    data = scn ? elf_getdata(scn, NULL) : NULL;
    for (size_t i = 0; data && i < head.sh_size / head.sh_entsize; i++) {
        GElf_Sym symbol;
        const char *name;

        if (!gelf_getsym(data, (int)i, &symbol) || !is_wanted(&symbol, which) ||
            symbol.st_value < base)
            continue;
        name = elf_strptr(elf, head.sh_link, symbol.st_name);
        if (!name || !*name)
            continue;
        trod_reserve(mem, *out, n, room);
        (*out)[n++] =
            (struct trod_elf_symbol){.offset = locals + symbol.st_value - base,
                .nbyte = symbol.st_size,
                .name = trod_copy(mem, name),
                .local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL};
    }
    trod_sort(*out, n, by_offset);
    return n;
}

bool trod_elf_symbols(struct trod_elf_symbol **out, size_t *count, const char *file,
    enum trod_elf_symbols which, struct trod_arena *mem, struct trod_err *err)
{
    Elf *elf;
    int fd;

    *out = NULL;
    *count = 0;
    elf_version(EV_CURRENT);
    fd = trod_elf_open(file);
    if (fd < 0)
        return trod_fail(err, TROD_E_SYSTEM, "%s: %s", file, strerror(errno));
    elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (!elf || elf_kind(elf) != ELF_K_ELF) {
        elf_end(elf);
        close(fd);
        return trod_fail(
            err, TROD_E_INPUT, "%s: not a program or library; name a binary", file);
    }
    *count = list(out, elf, which, mem);
    elf_end(elf);
    close(fd);
    return true;
}

const struct trod_elf_symbol *trod_elf_find(
    const struct trod_elf_symbol *symbol, size_t count, uint64_t offset)
{
    size_t from = TROD_LOWER_BOUND(middle, 0, count, symbol[middle].offset <= offset);

    if (!from)
        return NULL;
    for (from--; from && symbol[from - 1].offset == symbol[from].offset;)
        from--;
    return offset == symbol[from].offset ||
                   offset - symbol[from].offset < symbol[from].nbyte
               ? &symbol[from]
               : NULL;
}
