/* section: sections of ELF files, through libelf; and files that have no more than a map. */
#ifndef TROD_SECTION_H
#define TROD_SECTION_H

#include "base/base.h"

/* --- section.c: reading ----------------------------------------------------------------- */

/* Open a file that must be a regular one, for reading; else -1 and errno. */
int trod_elf_open(const char *file);

/* How many bytes a section may expand to. Without, 64 MiB or 200 times what is compressed, whichever is more. */
void trod_elf_allow(uint64_t nbyte);

/* Copy a section's bytes, expanded if it is compressed (zlib, zstd); *out is NULL and *length 0
 * where the file has none of that name.
 *
 * fails:  TROD_E_SYSTEM when the file cannot be read, TROD_E_INPUT when it is not an ELF file or
 *         the section is damaged, TROD_E_LIMIT when it would expand beyond what is allowed
 */
bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The bytes of all sections of a type, one after another.
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

#define TROD_MAP_SUFFIX ".trodmap" /* of files that `trod split` writes */

/* Append the text of a file's map, if it is of this build; NULL: of any.
 *
 * fails:  as above; TROD_E_MISMATCH when it is another build, TROD_E_INPUT when it has no map
 */
bool trod_elf_map(struct trod_string *text, const char *file, const char *build_id,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

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
 * them. Where the locals of a library are is unknown: there are none.
 *
 * fails:  as above
 */
bool trod_elf_symbols(struct trod_elf_symbol **out, size_t *count, const char *file,
    enum trod_elf_symbols which, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The one that an offset is in, or NULL; of several the first. */
const struct trod_elf_symbol *trod_elf_find(
    const struct trod_elf_symbol *symbol, size_t count, uint64_t offset);

/* --- bb_map.c: basic blocks, as LLVM numbered them ----------------------------------------- */

/* As in the section; others may be there, too. */
enum {
    TROD_ELF_RETURNS = 1,
    TROD_ELF_TAIL_CALLS = 2,
    TROD_ELF_LANDING_PAD = 4, /* of exceptions */
    TROD_ELF_FALLS = 8,       /* on to the next, or may */
    TROD_ELF_INDIRECT = 16    /* it ends with an indirect branch */
};

struct trod_elf_block {
    uint64_t address, nbyte; /* as symbols have them; it may be empty */
    uint64_t function;       /* address of its function */
    uint32_t id;             /* in the function; copies of a block have the same */
    uint32_t flags;
};

/* The blocks of a file, by function and address; none where it was not compiled with -fbasic-block-address-map.
 *
 * fails:  TROD_E_INPUT when the map is damaged or of a later version; else as above
 */
bool trod_elf_bb_map(struct trod_elf_block **out, size_t *count, const char *file,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The same of the bytes of such a section. */
bool trod_elf_bb_map_parse(struct trod_elf_block **out, size_t *count, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- load.c: where code is ---------------------------------------------------------------- */

struct trod_elf_load {
    uint64_t address, nbyte, offset;
};

/* The executable parts of a file, as a loader maps them; none where it is not an ELF file. */
size_t trod_elf_loads(
    struct trod_elf_load **out, const char *file, struct trod_arena *mem);

/* --- map_file.c: writing ---------------------------------------------------------------- */

/* An ELF file of two sections, .note.gnu.build-id as in the program and .trod.map,
 * compressed: whatever reads a program's map reads this.
 *
 * fails:  as zstd does
 */
bool trod_elf_map_write(struct trod_sink *sink, const char *map, size_t length,
    const char *note, size_t nnote, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- machine.c: what a program is for ---------------------------------------------- */

enum { TROD_ELF_HEAD = 64 };

/* The machine by the name that emulators have for it: "x86_64", "aarch64", "riscv64". NULL: another; *is_elf says whether it
 * is a program at all.
 *
 * needs:  the first bytes of a file, TROD_ELF_HEAD or all of them
 */
const char *trod_elf_machine(const unsigned char *head, size_t length, bool *is_elf);

#endif
