#include "runtime.h"

#include <elf.h>

/* The ELF header of this image. The linker defines the symbol. */
extern const Elf64_Ehdr __ehdr_start TROD_RT_HIDDEN __attribute__((weak));

/* --- program headers -------------------------------------------------------------- */

/* The virtual address of the file's first byte, according to its tables. */
static uint64_t first_address(const Elf64_Ehdr *elf, const Elf64_Phdr *segment)
{
    unsigned i;

    for (i = 0; i < elf->e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0)
            return segment[i].p_vaddr;
    }
    return 0;
}

static bool says_executable(const Elf64_Dyn *dynamic, size_t count)
{
    for (; count-- && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_FLAGS_1)
            return dynamic->d_un.d_val & DF_1_PIE;
    }
    return false;
}

static void find_id(
    struct trod_image *out, const uint8_t *at, size_t size, size_t align)
{
    align = align == 8 ? 8 : 4;
    while (size >= sizeof(Elf64_Nhdr)) {
        const Elf64_Nhdr *note = (const void *)at;
        size_t name = (note->n_namesz + align - 1) / align * align;
        size_t id = (note->n_descsz + align - 1) / align * align;

        if (name > size || id > size || sizeof *note + name + id > size)
            return;
        at += sizeof *note;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && at[0] == 'G' &&
            at[1] == 'N' && at[2] == 'U') {
            out->id = at + name;
            out->nid = note->n_descsz;
            return;
        }
        at += name + id;
        size -= sizeof *note + name + id;
    }
}

/* It is an executable if it has a fixed address, names an interpreter (libraries could, but do
 * not), or is marked as one.
 */
void __trod_image_find(struct trod_image *out)
{
    const Elf64_Ehdr *elf = &__ehdr_start;
    const Elf64_Phdr *segment;
    uint64_t first;
    unsigned i;

    out->library = false;
    out->id = NULL;
    out->nid = 0;
    if (!elf)
        return;
    segment = (const void *)((const char *)elf + elf->e_phoff);
    first = first_address(elf, segment);
    out->library = elf->e_type != ET_EXEC;
    for (i = 0; i < elf->e_phnum; i++) {
        const void *at = (const char *)elf + (segment[i].p_vaddr - first);

        if (segment[i].p_type == PT_INTERP)
            out->library = false;
        if (segment[i].p_type == PT_DYNAMIC &&
            says_executable(at, segment[i].p_memsz / sizeof(Elf64_Dyn)))
            out->library = false;
        if (segment[i].p_type == PT_NOTE && !out->id)
            find_id(out, at, segment[i].p_memsz, segment[i].p_align);
    }
}

uintptr_t __trod_image_start(void)
{
    return (uintptr_t)&__ehdr_start;
}

uintptr_t __trod_image_end(void)
{
    const Elf64_Ehdr *elf = &__ehdr_start;
    const Elf64_Phdr *segment;
    uint64_t first, end = 0;
    unsigned i;

    if (!elf)
        return 0;
    segment = (const void *)((const char *)elf + elf->e_phoff);
    first = first_address(elf, segment);
    for (i = 0; i < elf->e_phnum; i++) {
        uint64_t to = segment[i].p_vaddr + segment[i].p_memsz - first;

        if (segment[i].p_type == PT_LOAD && to > end)
            end = to;
    }
    return (uintptr_t)elf + end;
}

/* --- paths ------------------------------------------------------------------------ */

/* A file read byte by byte. */
struct reader {
    int fd;
    size_t at, used;
    char bytes[512];
};

static int next(struct reader *reader)
{
    if (reader->at == reader->used) {
        int64_t got = __trod_os_read(reader->fd, reader->bytes, sizeof reader->bytes);

        reader->at = 0;
        reader->used = got > 0 ? (size_t)got : 0;
        if (!reader->used)
            return -1;
    }
    return (uint8_t)reader->bytes[reader->at++];
}

/* A hexadecimal number and the character after it. */
static uintptr_t next_number(struct reader *reader, int *behind)
{
    uintptr_t value = 0;

    for (;;) {
        int c = next(reader);

        if (c >= '0' && c <= '9')
            value = value << 4 | (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            value = value << 4 | (uintptr_t)(c - 'a' + 10);
        else {
            *behind = c;
            return value;
        }
    }
}

/* The rest of the line, from its first '/' on; false if it has none. */
static bool next_path(struct reader *reader, char *out, size_t room, int *behind)
{
    size_t length = 0;
    int c;

    while ((c = next(reader)) >= 0 && c != '\n') {
        if ((length || c == '/') && length + 1 < room)
            out[length++] = (char)c;
    }
    out[length] = 0;
    *behind = c;
    return length > 0;
}

/* The kernel appends this to the name of a file that was removed. */
static void drop_deleted(char *path)
{
    static const char mark[] = " (deleted)";
    size_t length = 0, i;

    while (path[length])
        length++;
    if (length < sizeof mark - 1)
        return;
    length -= sizeof mark - 1;
    for (i = 0; mark[i]; i++) {
        if (path[length + i] != mark[i])
            return;
    }
    path[length] = 0;
}

/* Lines are "from-to rights offset device inode path"; only the path contains a '/'. */
void __trod_image_path(char *out, size_t room)
{
    uintptr_t here = (uintptr_t)&__trod_image_path;
    struct reader reader;
    int behind = 0;

    out[0] = 0;
    reader.fd = __trod_os_open("/proc/self/maps", TROD_OS_READ);
    reader.at = reader.used = 0;
    if (reader.fd < 0)
        return;
    while (behind >= 0) {
        uintptr_t from = next_number(&reader, &behind);
        uintptr_t to = next_number(&reader, &behind);

        if (next_path(&reader, out, room, &behind) && from <= here && here < to) {
            drop_deleted(out);
            break;
        }
        out[0] = 0;
    }
    __trod_os_close(reader.fd);
}

bool __trod_image_around(uintptr_t *from, uintptr_t *to, uintptr_t address)
{
    struct reader reader;
    bool found = false;
    char path[1];
    int behind = 0;

    reader.fd = __trod_os_open("/proc/self/maps", TROD_OS_READ);
    reader.at = reader.used = 0;
    if (reader.fd < 0)
        return false;
    while (behind >= 0 && !found) {
        *from = next_number(&reader, &behind);
        *to = next_number(&reader, &behind);
        found = *from <= address && address < *to;
        next_path(&reader, path, sizeof path, &behind);
    }
    __trod_os_close(reader.fd);
    return found;
}

void __trod_program_path(char *out, size_t room)
{
    int64_t length = __trod_os_link("/proc/self/exe", out, room - 1);
    const char *name = __trod_os_started_as();

    if (length > 0) {
        out[length] = 0;
        drop_deleted(out);
        return;
    }
    for (length = 0; name[length] && (size_t)length + 1 < room; length++)
        ((volatile char *)out)[length] = name[length];
    out[length] = 0;
}

const char *__trod_base_name(const char *path)
{
    const char *base = path;

    for (; *path; path++) {
        if (*path == '/')
            base = path + 1;
    }
    return base;
}
