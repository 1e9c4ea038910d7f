#include "clang/code/code.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

/* Relative to the root; absolute outside of it. */
static const char *shown(struct trod_code_places *places, const char *path)
{
    const char *inside = trod_clang_unit_file(places->unit, path, places->mem);

    return inside ? inside : path;
}

void trod_code_places_init(struct trod_code_places *out,
    const struct trod_clang_unit *unit, struct trod_arena *mem)
{
    *out = (struct trod_code_places){.unit = unit, .mem = mem};
    trod_code_numbers_init(&out->known, mem);
    trod_names_init(&out->files, mem);
    trod_names_add(&out->files, shown(out, unit->source));
}

static uint32_t file_number(struct trod_code_places *places, LLVMMetadataRef file)
{
    unsigned ndirectory = 0, nname = 0;
    const char *directory = LLVMDIFileGetDirectory(file, &ndirectory);
    const char *name = LLVMDIFileGetFilename(file, &nname);
    struct trod_string path;

    if (!name || !nname)
        return 0;
    trod_string_init(&path, places->mem);
    if (name[0] != '/' && directory && ndirectory)
        trod_put(&path.sink, "%.*s/", (int)ndirectory, directory);
    trod_put(&path.sink, "%.*s", (int)nname, name);
    return trod_names_add(&places->files, shown(places, path.text));
}

uint32_t trod_code_file_of(struct trod_code_places *places, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    uint64_t *number;
    bool is_new;

    if (!file)
        return 0;
    number = trod_code_numbers_add(&places->known, file, &is_new);
    if (is_new)
        *number = file_number(places, file);
    return (uint32_t)*number;
}

uint32_t trod_code_function_place(
    uint32_t *line, struct trod_code_places *places, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);

    *line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
    return trod_code_file_of(places, subprogram);
}

const char *trod_code_name(LLVMValueRef global)
{
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);

    return name[0] == '\1' ? name + 1 : name;
}
