#include "elf/section.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zstd/zstd_port.h"

/* Some supported systems' headers lack these; the numbers are from the ELF specification. */
enum { COMPRESSED_ZLIB = 1, COMPRESSED_ZSTD = 2 };

/* Limits against decompression bombs: this many bytes, or this many times the compressed size,
 * whichever is more, unless a larger limit was set. */
enum { MOST_BYTES = 64 << 20, MOST_TIMES = 200 };

/* Set once, before any file is read; 0: not set. */
static uint64_t allowed;

void trod_elf_allow(uint64_t nbyte)
{
    allowed = nbyte;
}

static uint64_t most_of(uint64_t compressed)
{
    if (allowed)
        return allowed;
    return compressed > MOST_BYTES / MOST_TIMES ? compressed * MOST_TIMES : MOST_BYTES;
}

/* The path may come from a profile, so it is untrusted: only regular files are opened, because a
 * pipe would block and opening a device may have effects. */
int trod_elf_open(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) {
        close(fd);
        errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    return fd;
}

static bool open_elf(Elf **out, int *fd, const char *file, struct trod_err *err)
{
    elf_version(EV_CURRENT);
    *fd = trod_elf_open(file);
    if (*fd < 0)
        return trod_fail(err, TROD_E_SYSTEM, "%s: %s", file,
            errno == EINVAL ? "not a regular file" : strerror(errno));
    *out = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
    if (*out && elf_kind(*out) == ELF_K_ELF)
        return true;
    elf_end(*out);
    close(*fd);
    return trod_fail(err, TROD_E_INPUT,
        "%s: not a program or library; name the binary that wrote the profile", file);
}

static Elf_Scn *find_section(Elf *elf, const char *section)
{
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr head;
        const char *name;

        if (!gelf_getshdr(scn, &head) || head.sh_type == SHT_NOBITS)
            continue;
        name = elf_strptr(elf, names, head.sh_name);
        if (name && strcmp(name, section) == 0)
            return scn;
    }
    return NULL;
}

/* libelf before 0.189 supports only zlib, so zstd is expanded here. */
static bool expand(char **out, size_t *length, Elf *elf, Elf_Scn *scn,
    struct trod_arena *mem, struct trod_err *err)
{
    Elf_Data *data = elf_rawdata(scn, NULL);
    size_t skip =
        gelf_getclass(elf) == ELFCLASS64 ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
    GElf_Chdr head;

    if (!data || !data->d_buf || data->d_size < skip || !gelf_getchdr(scn, &head))
        return trod_fail(err, TROD_E_INPUT, "its header is damaged");
    if (head.ch_size > most_of(data->d_size))
        return trod_fail(err, TROD_E_LIMIT,
            "it expands to %llu bytes, more than the %llu allowed; --max-expand allows more",
            (unsigned long long)head.ch_size,
            (unsigned long long)most_of(data->d_size));
    if (head.ch_type == COMPRESSED_ZSTD) {
        *length = (size_t)head.ch_size;
        return trod_zstd_expand(out, *length, (const char *)data->d_buf + skip,
            data->d_size - skip, mem, err);
    }
    if (head.ch_type != COMPRESSED_ZLIB)
        return trod_fail(err, TROD_E_INPUT, "its compression method is not supported");
    if (elf_compress(scn, 0, 0) < 0 || !(data = elf_getdata(scn, NULL)))
        return trod_fail(err, TROD_E_INPUT, "%s", elf_errmsg(-1));
    *out = trod_copy_text(mem, data->d_buf, data->d_size);
    *length = data->d_size;
    return true;
}

static bool copy(char **out, size_t *length, Elf *elf, Elf_Scn *scn,
    struct trod_arena *mem, struct trod_err *err)
{
    GElf_Shdr head;
    Elf_Data *data;

    if (!gelf_getshdr(scn, &head))
        return true;
    if (head.sh_flags & SHF_COMPRESSED)
        return expand(out, length, elf, scn, mem, err);
    data = elf_rawdata(scn, NULL);
    if (data && data->d_buf) {
        *out = trod_copy_text(mem, data->d_buf, data->d_size);
        *length = data->d_size;
    }
    return true;
}

bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_err why = {0};
    bool ok = true;
    Elf_Scn *scn;
    Elf *elf;
    int fd;

    *out = NULL;
    *length = 0;
    if (!open_elf(&elf, &fd, file, err))
        return false;
    scn = find_section(elf, section);
    if (scn && !copy(out, length, elf, scn, mem, &why))
        ok = trod_fail(err, why.code, "%s: section %s cannot be read: %s; rebuild it",
            file, section, why.text);
    elf_end(elf);
    close(fd);
    return ok;
}

/* Appends to the bytes. */
static bool append(char **out, size_t *length, size_t *room, Elf *elf, Elf_Scn *scn,
    struct trod_arena *mem, struct trod_err *err)
{
    char *bytes = NULL;
    size_t n = 0;

    if (!copy(&bytes, &n, elf, scn, mem, err))
        return false;
    for (size_t i = 0; i < n; i++) {
        trod_reserve(mem, *out, *length, *room);
        (*out)[(*length)++] = bytes[i];
    }
    return true;
}

bool trod_elf_typed(char **out, size_t *length, const char *file, uint32_t type,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_err why = {0};
    size_t room = 0;
    bool ok = true;
    Elf *elf;
    int fd;

    *out = NULL;
    *length = 0;
    if (!open_elf(&elf, &fd, file, err))
        return false;
    for (Elf_Scn *scn = NULL; ok && (scn = elf_nextscn(elf, scn));) {
        GElf_Shdr head;

        if (gelf_getshdr(scn, &head) && head.sh_type == type)
            ok = append(out, length, &room, elf, scn, mem, &why);
    }
    elf_end(elf);
    close(fd);
    return ok || trod_fail(err, why.code,
                     "%s: a section cannot be read: %s; rebuild it", file, why.text);
}

bool trod_elf_build_id(
    char **out, const char *file, struct trod_arena *mem, struct trod_err *err)
{
    char *note;
    size_t length;
    GElf_Word size;

    if (!trod_elf_section(&note, &length, file, ".note.gnu.build-id", mem, err))
        return false;
    /* namesz, descsz, type, "GNU\0", then the id */
    *out = trod_copy_text(mem, "", 0);
    if (length < 16)
        return true;
    memcpy(&size, note + 4, sizeof size);
    if (size > length - 16)
        return true;
    *out = trod_arena_take(mem, 2 * (size_t)size + 1, 1);
    for (GElf_Word i = 0; i < size; i++)
        snprintf(*out + 2 * (size_t)i, 3, "%02x", (unsigned char)note[16 + i]);
    return true;
}
