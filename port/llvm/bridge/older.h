/* older: what the C API of LLVM lacks before version 19. Sources do not include it: they are
 * written for version 19, and builds for an older version include it on the command line.
 * Differences in C++ are in bridge_version.hpp.
 */
#ifndef TROD_OLDER_H
#define TROD_OLDER_H

#include <llvm-c/Core.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/* --- from version 17 on --------------------------------------------------------------- */

#define LLVMArrayType2(type, count) LLVMArrayType((type), (unsigned)(count))
#define LLVMConstArray2(type, values, count) \
    LLVMConstArray((type), (values), (unsigned)(count))
#define LLVMGetArrayLength2(type) ((uint64_t)LLVMGetArrayLength(type))

/* --- from version 18 on, in bridge_older.cpp -------------------------------------------- */

typedef enum { LLVMTailCallKindMustTail = 2 } LLVMTailCallKind;
LLVMTailCallKind LLVMGetTailCallKind(LLVMValueRef call);

typedef unsigned LLVMFastMathFlags;
LLVMBool LLVMCanValueUseFastMathFlags(LLVMValueRef instruction);
LLVMFastMathFlags LLVMGetFastMathFlags(LLVMValueRef instruction);

LLVMBool LLVMGetNUW(LLVMValueRef instruction);
LLVMBool LLVMGetNSW(LLVMValueRef instruction);

LLVMBasicBlockRef LLVMGetBlockAddressBasicBlock(LLVMValueRef address);

/* --- from version 19 on ----------------------------------------------------------------- */

#define LLVMConstStringInContext2(context, text, length, bare) \
    LLVMConstStringInContext((context), (text), (unsigned)(length), (bare))

/* Its string parameters were not const. */
#define LLVMGetInlineAsm(type, text, length, constraints, size, ...) \
    LLVMGetInlineAsm((type), (char *)(uintptr_t)(text), (length),    \
        (char *)(uintptr_t)(constraints), (size), __VA_ARGS__)

/* --- calls to avoid --------------------------------------------------------------------- */

/* Version 16 frees names twice if discarding is enabled when some exist already. They are kept: the
 * generated code does not depend on them. */
#define LLVMContextSetDiscardValueNames(context, discard) ((void)(context))

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
