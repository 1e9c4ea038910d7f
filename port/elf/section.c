#include "elf/section.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool open_elf(Elf **out, int *fd, const char *file, struct trod_err *err)
{
    elf_version(EV_CURRENT);
    *fd = open(file, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return trod_fail(err, TROD_E_SYSTEM, "%s: %s", file, strerror(errno));
    *out = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
    if (*out && elf_kind(*out) == ELF_K_ELF)
        return true;
    elf_end(*out);
    close(*fd);
    return trod_fail(err, TROD_E_INPUT,
        "%s: not a program or library; name the binary that wrote the profile", file);
}

/* Some text of the file in the arena; freed by the caller's own hands is what libelf has. */
static Elf_Data *find_section(Elf *elf, const char *section)
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
            return elf_rawdata(scn, NULL);
    }
    return NULL;
}

bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err)
{
    Elf_Data *data;
    Elf *elf;
    int fd;

    *out = NULL;
    *length = 0;
    if (!open_elf(&elf, &fd, file, err))
        return false;
    data = find_section(elf, section);
    if (data && data->d_buf) {
        *out = trod_copy_text(mem, data->d_buf, data->d_size);
        *length = data->d_size;
    }
    elf_end(elf);
    close(fd);
    return true;
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
