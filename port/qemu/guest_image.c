#include "qemu/qemu.h"
#include "base/order.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The guest's memory is part of the emulator's, at an offset. So are its mappings. */

static struct qemu_image *images;
static uint32_t nimage, room;

/* --- a file ----------------------------------------------------------------------------------------- */

struct file {
    unsigned char *bytes;
    size_t size;
};

static bool open_file(struct file *out, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat stat;
    void *bytes;

    if (fd < 0)
        return false;
    if (fstat(fd, &stat) < 0 || !S_ISREG(stat.st_mode) || stat.st_size <= 0) {
        close(fd);
        return false;
    }
    bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return false;
    out->bytes = bytes;
    out->size = (size_t)stat.st_size;
    return true;
}

static void close_file(struct file *file)
{
    munmap(file->bytes, file->size);
}

/* A part of the file's bytes; NULL: beyond its end. */
static const void *part(const struct file *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->bytes + offset
                                                               : NULL;
}

static const Elf64_Ehdr *header_of(const struct file *file)
{
    const Elf64_Ehdr *header = part(file, 0, sizeof *header);

    return header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
                   header->e_ident[EI_CLASS] == ELFCLASS64 &&
                   header->e_ident[EI_DATA] == ELFDATA2LSB
               ? header
               : NULL;
}

static const Elf64_Phdr *segments_of(const struct file *file, const Elf64_Ehdr *header)
{
    return header->e_phentsize == sizeof(Elf64_Phdr)
               ? part(file, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr))
               : NULL;
}

/* --- build ids ------------------------------------------------------------------------------------- */

static const char *hexadecimal(
    const unsigned char *bytes, size_t size, struct trod_arena *mem)
{
    char *out = trod_new(mem, char, 2 * size + 1);

    for (size_t i = 0; i < size; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    return out;
}

static const char *find_build_id(
    const struct file *file, const Elf64_Phdr *segment, struct trod_arena *mem)
{
    uint64_t at = segment->p_offset, end = at + segment->p_filesz;
    const Elf64_Nhdr *note;

    while (at < end && (note = part(file, at, sizeof *note))) {
        uint64_t name = at + sizeof *note,
                 text = name + ((uint64_t)note->n_namesz + 3) / 4 * 4;

        at = text + ((uint64_t)note->n_descsz + 3) / 4 * 4;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz &&
            part(file, text, note->n_descsz) &&
            memcmp(file->bytes + name, "GNU", 4) == 0)
            return hexadecimal(file->bytes + text, note->n_descsz, mem);
    }
    return NULL;
}

/* --- symbols ------------------------------------------------------------------------------------------ */

/* Of functions at the same address, the longest comes first. */
TROD_ORDER(by_place, struct qemu_function, TROD_UP(start), TROD_DOWN(end))

static void add_symbols(struct qemu_image *out, uint32_t *have, const struct file *file,
    const Elf64_Shdr *section, uint64_t bias, struct trod_arena *mem)
{
    uint64_t count = section->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbol = part(file, section->sh_offset, section->sh_size);

    for (uint64_t i = 0; symbol && i < count; i++) {
        unsigned type = ELF64_ST_TYPE(symbol[i].st_info);
        uint64_t pc = symbol[i].st_value + bias;

        if ((type != STT_FUNC && type != STT_GNU_IFUNC) ||
            symbol[i].st_shndx == SHN_UNDEF || pc < out->image.start ||
            pc >= out->image.end)
            continue;
        trod_push(mem, out->function, out->nfunction, *have,
            (struct qemu_function){
                pc, pc + (symbol[i].st_size ? symbol[i].st_size : 1)});
    }
}

static void read_symbols(struct qemu_image *out, const struct file *file,
    const Elf64_Ehdr *header, uint64_t bias, struct trod_arena *mem)
{
    const Elf64_Shdr *section =
        header->e_shentsize == sizeof *section
            ? part(file, header->e_shoff, header->e_shnum * sizeof *section)
            : NULL;
    uint32_t have = 0;

    for (unsigned i = 0; section && i < header->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB || section[i].sh_type == SHT_DYNSYM)
            add_symbols(out, &have, file, &section[i], bias, mem);
    trod_sort(out->function, out->nfunction, by_place);
}

/* Reads symbols and build id of a mapped file. */
static void read_file(struct qemu_image *out, struct trod_arena *mem)
{
    const Elf64_Ehdr *header;
    const Elf64_Phdr *segment;
    struct file file;

    if (!open_file(&file, out->image.path))
        return;
    header = header_of(&file);
    segment = header ? segments_of(&file, header) : NULL;
    for (unsigned i = 0; segment && i < header->e_phnum; i++) {
        const Elf64_Phdr *s = &segment[i];

        if (s->p_type == PT_NOTE && !out->image.build_id)
            out->image.build_id = find_build_id(&file, s, mem);
        if (s->p_type == PT_LOAD && (s->p_flags & PF_X) &&
            out->image.offset + (out->image.end - out->image.start) > s->p_offset &&
            out->image.offset < s->p_offset + s->p_filesz)
            read_symbols(out, &file, header,
                out->image.start - out->image.offset + s->p_offset - s->p_vaddr, mem);
    }
    close_file(&file);
}

/* --- mappings ------------------------------------------------------------------------------------------- */

static const struct qemu_image *find(uint64_t pc)
{
    for (uint32_t i = nimage; i-- > 0;)
        if (pc >= images[i].image.start && pc < images[i].image.end)
            return &images[i];
    return NULL;
}

static void add(const struct trod_image *image, struct trod_arena *mem)
{
    trod_reserve(mem, images, nimage, room);
    images[nimage].image = *image;
    if (image->path)
        read_file(&images[nimage], mem);
    nimage++;
}

/* Takes a line of /proc/self/maps, if it contains the address. */
static bool take_line(char *line, uint64_t pc, uint64_t base, struct trod_arena *mem)
{
    struct trod_image image = {0};
    uint64_t start, end, offset;
    char *at = line;

    /* 7f00-7f10 r-xp 00001000 08:01 4711   /some/file */
    line[strcspn(line, "\n")] = '\0';
    start = strtoull(at, &at, 16);
    end = *at ? strtoull(at + 1, &at, 16) : 0;
    if (pc + base < start || pc + base >= end)
        return false;
    at += strspn(at, " ");
    at += strcspn(at, " ");
    offset = strtoull(at, &at, 16);
    at = strchr(at, '/');
    image.start = start - base;
    image.end = end - base;
    image.offset = offset;
    if (at)
        image.path = trod_copy(mem, at);
    add(&image, mem);
    return true;
}

const struct qemu_image *qemu_image_at(
    uint64_t pc, uint64_t base, struct trod_arena *mem)
{
    const struct qemu_image *known = find(pc);
    char *line = NULL;
    size_t size = 0;
    FILE *maps;

    if (known)
        return known;
    maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return NULL;
    while (getline(&line, &size, maps) >= 0 && !take_line(line, pc, base, mem))
        ;
    free(line);
    fclose(maps);
    return find(pc);
}

const struct qemu_image *qemu_image_each(uint32_t i)
{
    return i < nimage ? &images[i] : NULL;
}

uint64_t qemu_image_function(const struct qemu_image *image, uint64_t pc)
{
    uint32_t low;
    uint64_t start;

    low = TROD_LOWER_BOUND(
        middle, 0, image->nfunction, image->function[middle].start <= pc);
    if (!low)
        return 0;
    start = image->function[low - 1].start;
    for (; low > 0 && image->function[low - 1].start == start; low--)
        if (pc < image->function[low - 1].end)
            return start;
    return 0;
}
