/* section: sections of ELF files, through libelf; and writing of map files. */
#ifndef TROD_SECTION_H
#define TROD_SECTION_H

#include "base/base.h"

/* --- section.c: reading ----------------------------------------------------------------- */

/* Open a regular file for reading. Otherwise -1, with errno set. */
int trod_elf_open(const char *file);

/* Set how many bytes a section may expand to. The default is 64 MiB or 200 times the compressed
 * size, whichever is more. */
void trod_elf_allow(uint64_t nbyte);

/* Copy a section's bytes, expanded if it is compressed (zlib, zstd). If there is no section of that
 * name, *out is NULL and *length 0.
 *
 * fails:  TROD_E_SYSTEM if the file cannot be read, TROD_E_INPUT if it is not an ELF file or the
 *         section is damaged, TROD_E_LIMIT if it would expand beyond the limit
 */
bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The bytes of all sections of a type, concatenated.
 *
 * fails:  likewise
 */
bool trod_elf_typed(char **out, size_t *length, const char *file, uint32_t type,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The build id of a file in hexadecimal, "" if it has none.
 *
 * fails:  as above
 */
bool trod_elf_build_id(char **out, const char *file, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- map_read.c: the map of a binary ------------------------------------------------------ */

#define TROD_MAP_SUFFIX ".trodmap" /* suffix of files that `trod split` writes */

/* Append the text of a file's map, if the file has this build id; NULL: any.
 *
 * fails:  as above; TROD_E_MISMATCH if it is another build, TROD_E_INPUT if it has no map
 */
bool trod_elf_map(struct trod_string *text, const char *file, const char *build_id,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- symbol.c: symbols by address --------------------------------------------------------- */

enum trod_elf_symbols {
    TROD_ELF_FUNCTIONS,
    TROD_ELF_OBJECTS,
    TROD_ELF_LOCALS /* thread-local variables; offsets are relative to the thread pointer, modulo 2^64 */
};

struct trod_elf_symbol {
    uint64_t offset; /* in the image: its address minus that of the lowest segment */
    uint64_t nbyte;
    const char *name; /* linkage name */
    bool local;
};

/* The functions or the data of a file, by offset. A stripped file has only its dynamic symbols.
 * Thread-local variables of a library are omitted, because their offsets are unknown.
 *
 * fails:  as above
 */
bool trod_elf_symbols(struct trod_elf_symbol **out, size_t *count, const char *file,
    enum trod_elf_symbols which, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The first symbol that contains an offset; NULL: none. */
const struct trod_elf_symbol *trod_elf_find(
    const struct trod_elf_symbol *symbol, size_t count, uint64_t offset);

/* --- bb_map.c: basic blocks, with LLVM's numbers ------------------------------------------- */

/* Flags as in the section; others may be set, too. */
enum {
    TROD_ELF_RETURNS = 1,
    TROD_ELF_TAIL_CALLS = 2,
    TROD_ELF_LANDING_PAD = 4, /* target of exceptions */
    TROD_ELF_FALLS = 8,       /* falls through to the next block, or may */
    TROD_ELF_INDIRECT = 16    /* it ends with an indirect branch */
};

struct trod_elf_block {
    uint64_t address, nbyte; /* as in symbols; it may be empty */
    uint64_t function;       /* address of its function */
    uint32_t id; /* within the function; copies of a block have the same id */
    uint32_t flags;
};

/* The blocks of a file, by function and address. There are none unless it was compiled with
 * -fbasic-block-address-map.
 *
 * fails:  TROD_E_INPUT if the section is damaged or of a later version; otherwise as above
 */
bool trod_elf_bb_map(struct trod_elf_block **out, size_t *count, const char *file,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The same from the bytes of such a section. */
bool trod_elf_bb_map_parse(struct trod_elf_block **out, size_t *count, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- load.c: executable segments ---------------------------------------------------------- */

struct trod_elf_load {
    uint64_t address, nbyte, offset;
};

/* The executable segments of a file, as a loader maps them. None if it is not an ELF file. */
size_t trod_elf_loads(
    struct trod_elf_load **out, const char *file, struct trod_arena *mem);

/* --- map_file.c: writing ---------------------------------------------------------------- */

/* Write an ELF file with two sections: the program's .note.gnu.build-id, and .trod.map, compressed.
 * Everything that reads a program's map can read it.
 *
 * fails:  as zstd does
 */
bool trod_elf_map_write(struct trod_sink *sink, const char *map, size_t length,
    const char *note, size_t nnote, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- machine.c: the machine of a program ------------------------------------------- */

enum { TROD_ELF_HEAD = 64 };

/* The machine by QEMU's name: "x86_64", "aarch64", "riscv64". NULL: another one; *is_elf: whether
 * it is an ELF file at all.
 *
 * needs:  the first TROD_ELF_HEAD bytes of a file, or all of it
 */
const char *trod_elf_machine(const unsigned char *head, size_t length, bool *is_elf);

#endif
