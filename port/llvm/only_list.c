#include "llvm/unit.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list of functions to count, read once for all modules of a process. */

static struct trod_arena arena; /* lives as long as the process */
static struct trod_only list;
static const char *list_file;

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while reading functions to count\n");
    exit(TROD_E_SYSTEM);
}

const struct trod_only *trod_llvm_only_load(const char *file)
{
    struct trod_text text;
    struct trod_err err;
    char *bytes;
    size_t length;

    if (list_file && strcmp(list_file, file) == 0)
        return &list;
    trod_arena_init(&arena, out_of_memory, NULL);
    if (!trod_llvm_read_bytes(&bytes, &length, file, &arena, &err))
        trod_llvm_fail(&err);
    list_file = trod_copy(&arena, file);
    trod_text_init(&text, list_file, bytes, length);
    if (!trod_only_parse(&list, &text, &arena, &err))
        trod_llvm_fail(&err);
    return &list;
}

bool trod_llvm_only_has(
    const struct trod_only *only, LLVMValueRef function, struct trod_arena *mem)
{
    LLVMMetadataRef at = LLVMGetSubprogram(function), file;
    const char *path[2], *name;
    char folder[4096];
    const char *directory = getcwd(folder, sizeof folder);
    unsigned length = 0;
    uint32_t n = 0;
    size_t size;

    name = LLVMGetSourceFileName(LLVMGetGlobalParent(function), &size);
    path[n++] = trod_only_path(directory, name, mem);
    file = at ? LLVMDIScopeGetFile(at) : NULL;
    name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (length)
        path[n++] = trod_only_path(directory, trod_copy_text(mem, name, length), mem);
    return trod_only_has(only, LLVMGetValueName2(function, &size), path, n);
}
