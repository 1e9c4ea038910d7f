#include "clang/code/code.h"

#include <string.h>

/* Assertions pass on the file, line and function they are in. A line above them, or another name of a type in the
 * function's head, changes all of these and nothing else.
 */

/* From this line on a constant that is the number of its own line is taken to be one, file or no file: smaller numbers
 * are sizes and lengths often enough.
 */
enum { TELLING_LINE = 1000 };

struct assertion {
    const char *name;
    unsigned file, line, function; /* arguments */
};

static const struct assertion assertions[] = {{"__assert_fail", 1, 2, 3},
    {"__assert_perror_fail", 1, 2, 3}, {"__assert_rtn", 1, 2, 0}, {"__assert", 1, 2, 2},
    {"__assert_func", 0, 1, 2}, {0}};

/* Bytes of a constant string, without the zero at its end; NULL: it is none. */
static const char *string_of(LLVMValueRef value, size_t *length)
{
    LLVMValueRef content;
    const char *bytes;

    if (LLVMGetValueKind(value) != LLVMGlobalVariableValueKind ||
        !LLVMIsGlobalConstant(value) || !(content = LLVMGetInitializer(value)) ||
        LLVMGetValueKind(content) != LLVMConstantDataArrayValueKind ||
        !LLVMIsConstantString(content))
        return NULL;
    bytes = LLVMGetAsString(content, length);
    *length -= *length && bytes[*length - 1] == '\0';
    return bytes;
}

/* Are these the same file: one is the other, or the end of it from a slash on? */
static bool is_same_file(const char *a, size_t na, const char *b, size_t nb)
{
    if (na > nb)
        return is_same_file(b, nb, a, na);
    return na && memcmp(a, b + nb - na, na) == 0 && (na == nb || b[nb - na - 1] == '/');
}

static bool is_line(LLVMValueRef value, unsigned line)
{
    return LLVMGetValueKind(value) == LLVMConstantIntValueKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) >= 16 &&
           LLVMConstIntGetZExtValue(value) == line;
}

static uint64_t of_assertion(LLVMValueRef callee)
{
    if (LLVMGetValueKind(callee) == LLVMFunctionValueKind)
        for (const struct assertion *a = assertions; a->name; a++)
            if (strcmp(trod_code_name(callee), a->name) == 0)
                return UINT64_C(1) << a->file | UINT64_C(1) << a->line |
                       UINT64_C(1) << a->function;
    return 0;
}

uint64_t trod_code_told_place(LLVMValueRef call)
{
    unsigned n = LLVMGetNumArgOperands(call), nfile = 0;
    unsigned line = LLVMGetDebugLocLine(call);
    const char *file = LLVMGetDebugLocFilename(call, &nfile);
    uint64_t told = of_assertion(LLVMGetCalledValue(call)), files = 0, lines = 0;

    if (told || !line || !file)
        return told;
    for (unsigned i = 0; i < n && i < 64; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        size_t length;
        const char *text;

        if (is_line(arg, line))
            lines |= UINT64_C(1) << i;
        else if ((text = string_of(arg, &length)) &&
                 is_same_file(text, length, file, nfile))
            files |= UINT64_C(1) << i;
    }
    return files && lines ? files | lines : line >= TELLING_LINE ? lines : 0;
}
