/* section: the bytes of a named section of an ELF file, through libelf. */
#ifndef TROD_SECTION_H
#define TROD_SECTION_H

#include "base/base.h"

/* Copy a section's bytes; *out is NULL and *length 0 where the file has none of that name.
 *
 * fails:  TROD_E_SYSTEM when the file cannot be read, TROD_E_INPUT when it is no ELF file
 */
bool trod_elf_section(char **out, size_t *length, const char *file, const char *section,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The build id of a file in hexadecimal, "" if it has none.
 *
 * fails:  as above
 */
bool trod_elf_build_id(char **out, const char *file, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
