#include "elf/section.h"

#include <string.h>

bool trod_elf_map(struct trod_string *text, const char *file, const char *build_id,
    struct trod_arena *mem, struct trod_err *err)
{
    char *bytes, *id;
    size_t length;

    if (!trod_elf_build_id(&id, file, mem, err))
        return false;
    if (build_id && strcmp(id, build_id) != 0)
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: this is not the build that ran; name that build with --binary, or its folder "
            "with --maps",
            file);
    if (!trod_elf_section(&bytes, &length, file, ".trod.map", mem, err))
        return false;
    if (!length)
        return trod_fail(err, TROD_E_INPUT,
            "%s: it has no map: it was not compiled by 'trod cc', or it was stripped; name the "
            "map that 'trod split' wrote with --binary, or its folder with --maps",
            file);
    text->sink.put(&text->sink, bytes, length);
    return true;
}
