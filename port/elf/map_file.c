#include "elf/section.h"

#include <elf.h>
#include <string.h>

#include "zstd/zstd_port.h"

/* A map file is an ELF file with a build id, the map, and section names. It does not use libelf,
 * which can only write to files.
 */

enum { NOTHING, BUILD_ID, MAP, NAMES, NSECTION };

enum { COMPRESSED_ZSTD = 2 };

static const char names[] = "\0.note.gnu.build-id\0.trod.map\0.shstrtab";

static uint32_t name_at(const char *name)
{
    return (
        uint32_t)((const char *)memmem(names, sizeof names, name, strlen(name) + 1) -
                  names);
}

static void put(struct trod_sink *sink, const void *bytes, size_t length)
{
    sink->put(sink, bytes, length);
}

/* Places sections one after another, at multiples of 8. */
static size_t place(Elf64_Shdr *head, size_t at, size_t size)
{
    head->sh_offset = at;
    head->sh_size = size;
    return (at + size + 7) / 8 * 8;
}

static void put_padded(struct trod_sink *sink, const void *bytes, size_t length)
{
    put(sink, bytes, length);
    put(sink, "\0\0\0\0\0\0\0", (8 - length % 8) % 8);
}

bool trod_elf_map_write(struct trod_sink *sink, const char *map, size_t length,
    const char *note, size_t nnote, struct trod_arena *mem, struct trod_err *err)
{
    Elf64_Ehdr file = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                           ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_REL,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof file,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = NSECTION,
        .e_shstrndx = NAMES};
    Elf64_Shdr head[NSECTION] = {
        [BUILD_ID] = {.sh_name = name_at(".note.gnu.build-id"),
            .sh_type = SHT_NOTE,
            .sh_addralign = 4},
        [MAP] = {.sh_name = name_at(".trod.map"),
            .sh_type = SHT_PROGBITS,
            .sh_flags = SHF_COMPRESSED,
            .sh_addralign = 8},
        [NAMES] = {.sh_name = name_at(".shstrtab"),
            .sh_type = SHT_STRTAB,
            .sh_addralign = 1},
    };
    Elf64_Chdr packed = {
        .ch_type = COMPRESSED_ZSTD, .ch_size = length, .ch_addralign = 1};
    size_t nframe, at = sizeof file;
    uint8_t *frame, *section;

    if (!trod_zstd_codec.compress(
            &frame, &nframe, (const uint8_t *)map, length, mem, err))
        return false;
    section = trod_new(mem, uint8_t, sizeof packed + nframe);
    memcpy(section, &packed, sizeof packed);
    memcpy(section + sizeof packed, frame, nframe);
    at = place(&head[BUILD_ID], at, nnote);
    at = place(&head[MAP], at, sizeof packed + nframe);
    at = place(&head[NAMES], at, sizeof names);
    file.e_shoff = at;
    put(sink, &file, sizeof file);
    put_padded(sink, note, nnote);
    put_padded(sink, section, sizeof packed + nframe);
    put_padded(sink, names, sizeof names);
    put(sink, head, sizeof head);
    return true;
}
