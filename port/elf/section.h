/* section: sections of ELF files, through libelf; and files that have no more than a map. */
#ifndef TROD_SECTION_H
#define TROD_SECTION_H

#include "base/base.h"

/* --- section.c: reading ----------------------------------------------------------------- */

/* Copy a section's bytes, expanded if it is compressed (zlib, zstd); *out is NULL and *length 0
 * where the file has none of that name.
 *
 * fails:  TROD_E_SYSTEM when the file cannot be read, TROD_E_INPUT when it is no ELF file or
 *         the section is damaged, TROD_E_LIMIT when it would expand beyond 2^30 bytes
 */
bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The build id of a file in hexadecimal, "" if it has none.
 *
 * fails:  as above
 */
bool trod_elf_build_id(char **out, const char *file, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- symbol.c: what is where -------------------------------------------------------------- */

enum trod_elf_symbols {
    TROD_ELF_FUNCTIONS,
    TROD_ELF_OBJECTS,
    TROD_ELF_LOCALS /* of threads; offsets are from the thread pointer, modulo 2^64 */
};

struct trod_elf_symbol {
    uint64_t offset; /* in the image: its address less that of the lowest part */
    uint64_t nbyte;
    const char *name; /* linkage name */
    bool local;
};

/* The functions or the data of a file, by offset; those of a stripped one as far as others link to
 * them. Of a library, nobody knows where its locals are: there are none.
 *
 * fails:  as above
 */
bool trod_elf_symbols(struct trod_elf_symbol **out, size_t *count, const char *file,
    enum trod_elf_symbols which, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The one that an offset is in, or NULL; of several the first. */
const struct trod_elf_symbol *trod_elf_find(
    const struct trod_elf_symbol *symbol, size_t count, uint64_t offset);

/* --- machine.c: what a program is for ---------------------------------------------------- */

/* The machine of a file by its first bytes, as emulators call it: "x86_64", "aarch64", "riscv64"; "?" if it is
 * another's; NULL if it is no ELF file.
 */
const char *trod_elf_machine(const char *head, size_t length);

/* --- map_file.c: writing ---------------------------------------------------------------- */

/* An ELF file of two sections, .note.gnu.build-id as in the program and .trod.map,
 * compressed: whatever reads a program's map reads this.
 *
 * fails:  as zstd does
 */
bool trod_elf_map_write(struct trod_sink *sink, const char *map, size_t length,
    const char *note, size_t nnote, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
