#include "llvm/source/location.h"
#include "meaning/meaning.h"

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

/* Pointers may differ for the same file: the one that #line names has no checksum. */
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

/* Makes the name absolute if the file's directory is not that of the unit. Clang uses the common
 * prefix as the directory of files outside of the working directory, but the map has one directory
 * for the whole unit.
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

/* --- code with the location of other code ------------------------------------------------------------ */

/* Non-PHI instructions searched for the call that begins a handler. Those before it receive the
 * exception. */
enum { NEAR_START = 8 };

/* Is a value used only to resume unwinding? Clang gives such code the location of an earlier call. */
static bool is_for_resume(LLVMValueRef i)
{
    LLVMUseRef use = LLVMGetFirstUse(i);
    LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;

    if (LLVMIsALoadInst(i) || LLVMIsAInsertValueInst(i))
        return user && (LLVMIsAResumeInst(user) ||
                           (LLVMIsAInsertValueInst(user) && is_for_resume(user)));
    return LLVMIsAResumeInst(i);
}

/* Is an instruction part of a landing pad? Clang gives such code the location of the end of the
 * function. */
static bool is_of_pad(LLVMValueRef i)
{
    LLVMValueRef before = LLVMIsABranchInst(i) && !LLVMIsConditional(i)
                              ? LLVMGetPreviousInstruction(i)
                              : NULL;

    if (before)
        return is_of_pad(before);
    if (LLVMIsAStoreInst(i) || LLVMIsAExtractValueInst(i))
        return is_of_pad(LLVMGetOperand(i, 0));
    return LLVMIsALandingPadInst(i);
}

/* Does an instruction begin a handler, or copy the exception there? Both have the location of
 * whatever clang emitted before. */
static bool is_of_handler(LLVMValueRef i)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
    LLVMValueRef call = LLVMGetFirstInstruction(LLVMGetInstructionParent(i));

    for (int n = 0; at && call && n < NEAR_START; call = LLVMGetNextInstruction(call))
        if (trod_meaning_calls(call, "__cxa_begin_catch"))
            return LLVMInstructionGetDebugLoc(call) == at;
        else
            n += !LLVMIsAPHINode(call);
    return false;
}

bool trod_llvm_is_no_code(LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length;

    return LLVMIsAPHINode(i) || is_for_resume(i) || is_of_pad(i) || is_of_handler(i) ||
           (callee && LLVMIsAFunction(callee) &&
               strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime.", 14) == 0);
}
