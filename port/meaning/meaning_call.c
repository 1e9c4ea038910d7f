#include "meaning/meaning.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

bool trod_meaning_calls(LLVMValueRef value, const char *prefix)
{
    LLVMValueRef callee = LLVMIsACallInst(value) ? LLVMGetCalledValue(value) : NULL;
    size_t length;

    return callee && LLVMIsAFunction(callee) &&
           strncmp(LLVMGetValueName2(callee, &length), prefix, strlen(prefix)) == 0;
}

bool trod_meaning_is_noise(LLVMValueRef instruction)
{
    static const char *const noise[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.assume",
        "llvm.expect", "llvm.experimental.noalias.scope.decl", "llvm.donothing",
        "llvm.var.annotation", "llvm.pseudoprobe", "llvm.invariant.", "llvm.instrprof.",
        "__trod_"};

    for (size_t k = 0; k < sizeof noise / sizeof *noise; k++)
        if (trod_meaning_calls(instruction, noise[k]))
            return true;
    return false;
}

static const char *name_of(LLVMValueRef called)
{
    size_t length;

    return LLVMIsAFunction(called) || LLVMIsAGlobalAlias(called) ||
                   LLVMIsAGlobalIFunc(called)
               ? LLVMGetValueName2(called, &length)
               : NULL;
}

bool trod_meaning_is_call(const char **name, LLVMValueRef instruction)
{
    LLVMValueRef called;

    if ((!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction)) ||
        LLVMIsAIntrinsicInst(instruction) || trod_meaning_is_noise(instruction))
        return false;
    called = LLVMGetCalledValue(instruction);
    *name = name_of(called);
    return !LLVMIsAInlineAsm(called);
}

/* --- arguments with the source location of a call ------------------------------------------------ */

/* Their arguments are only printed before the program ends; the asserted condition is tested before
 * the call. */
static const char *const asserts[] = {"__assert_fail", "__assert_perror_fail",
    "__assert", "__assert_rtn", "__assert_func"};

static bool is_assert(LLVMValueRef call)
{
    const char *name = name_of(LLVMGetCalledValue(call));

    for (size_t k = 0; name && k < sizeof asserts / sizeof *asserts; k++)
        if (strcmp(name, asserts[k]) == 0)
            return true;
    return false;
}

static const char *last_part(const char *path, size_t *length)
{
    const char *slash = memrchr(path, '/', *length);

    if (!slash)
        return path;
    *length -= (size_t)(slash + 1 - path);
    return slash + 1;
}

/* Is it a string that names the file of the call? */
static bool names_file(LLVMValueRef call, LLVMValueRef argument)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call), file;
    size_t length, own;
    const char *text = trod_meaning_text(argument, &length), *name;
    unsigned n;

    if (!text || !length)
        return false;
    file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
    if (file) {
        name = LLVMDIFileGetFilename(file, &n);
        own = n;
    } else {
        name = LLVMGetSourceFileName(LLVMGetGlobalParent(LLVMGetBasicBlockParent(
                                         LLVMGetInstructionParent(call))),
            &own);
    }
    length--; /* the NUL at its end */
    text = last_part(text, &length);
    name = last_part(name, &own);
    return own && own == length && memcmp(text, name, own) == 0;
}

static bool has_file(LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (names_file(call, LLVMGetOperand(call, k)))
            return true;
    return false;
}

/* Smaller numbers may equal the line by chance. They count as the line only next to a file name. */
enum { LEAST_LINE = 100 };

static bool is_line(LLVMValueRef call, LLVMValueRef argument)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    uint64_t line = at ? LLVMDILocationGetLine(at) : 0;

    return line && LLVMIsAConstantInt(argument) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(argument)) <= 64 &&
           LLVMConstIntGetZExtValue(argument) == line &&
           (line >= LEAST_LINE || has_file(call));
}

bool trod_meaning_is_neutral(LLVMValueRef call, unsigned k)
{
    LLVMValueRef argument = LLVMGetOperand(call, k);

    return is_assert(call) || is_line(call, argument) || names_file(call, argument);
}

/* --- how arguments are passed -------------------------------------------------------------------- */

uint64_t trod_meaning_passing(LLVMValueRef of, unsigned nparam)
{
    static const char *const ways[] = {
        "byval", "sret", "inalloca", "zeroext", "signext", "inreg", "nest"};
    bool is_function = LLVMIsAFunction(of);
    uint64_t hash = 0;

    for (unsigned i = 0; i <= nparam; i++) {
        unsigned n = is_function ? LLVMGetAttributeCountAtIndex(of, i)
                                 : LLVMGetCallSiteAttributeCount(of, i);

        for (size_t k = 0; n && k < sizeof ways / sizeof *ways; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(ways[k], strlen(ways[k]));
            LLVMAttributeRef a = is_function
                                     ? LLVMGetEnumAttributeAtIndex(of, i, kind)
                                     : LLVMGetCallSiteEnumAttribute(of, i, kind);

            if (!a)
                continue;
            hash = trod_mix(trod_mix(hash, i), k);
            if (LLVMIsTypeAttribute(a))
                hash = trod_mix(hash, trod_meaning_type(LLVMGetTypeAttributeValue(a)));
        }
    }
    return hash;
}
