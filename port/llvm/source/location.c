#include "llvm/source/location.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

LLVMMetadataRef trod_location_own_file(LLVMValueRef function)
{
    LLVMMetadataRef at = LLVMGetSubprogram(function);

    return at ? LLVMDIScopeGetFile(at) : NULL;
}

LLVMMetadataRef trod_location_file(LLVMMetadataRef location)
{
    return LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
}

struct name {
    const char *file, *folder;
    unsigned nfile, nfolder;
};

static struct name name_of(LLVMMetadataRef file)
{
    struct name out = {0};

    out.file = LLVMDIFileGetFilename(file, &out.nfile);
    out.folder = LLVMDIFileGetDirectory(file, &out.nfolder);
    return out;
}

static bool is_same(const char *a, unsigned na, const char *b, unsigned nb)
{
    return na == nb && (!na || memcmp(a, b, na) == 0);
}

/* One that #line names has no checksum: the same file is there twice. */
bool trod_location_is_same_file(LLVMMetadataRef a, LLVMMetadataRef b)
{
    struct name x, y;

    if (a == b || !a || !b)
        return a == b;
    x = name_of(a);
    y = name_of(b);
    return is_same(x.file, x.nfile, y.file, y.nfile) &&
           is_same(x.folder, x.nfolder, y.folder, y.nfolder);
}

/* For files that are not below the folder it works in, clang has a folder of their own: what both have in common. The map has
 * one folder for the unit, and such names whole.
 */
const char *trod_location_file_name(LLVMMetadataRef file, struct trod_arena *mem)
{
    const char *unit = getenv("TROD_DIRECTORY");
    struct name name = file ? name_of(file) : (struct name){0};
    struct trod_string whole;

    if (!name.file || !name.nfile)
        return NULL;
    trod_string_init(&whole, mem);
    if (*name.file != '/' && name.nfolder && unit &&
        !is_same(unit, (unsigned)strlen(unit), name.folder, name.nfolder))
        trod_put(&whole.sink, "%.*s/", (int)name.nfolder, name.folder);
    trod_put(&whole.sink, "%.*s", (int)name.nfile, name.file);
    return trod_llvm_file(whole.text, mem);
}
