#include "clang/code/dependence.h"

#include <stdlib.h>
#include <string.h>

/* What functions of the C and C++ libraries do to memory that a program can see. Writing to streams has no visible
 * effect: what was printed before does not change what is printed next. Sorted by name, for binary search.
 */
enum {
    COPIES = TROD_EFFECT_COPIES,
    PLACES = TROD_EFFECT_PLACES,
    DEEP = TROD_EFFECT_DEEP,
    INPUT = TROD_EFFECT_INPUT,
    THROWS = TROD_EFFECT_THROWS,
    LISTS = TROD_EFFECT_LISTS
};

static const struct trod_code_library functions[] = {{"_ZSt9terminatev", "", 'v', 0},
    {"_ZdaPv", ".", 'v', 0}, {"_ZdaPvm", "..", 'v', 0}, {"_ZdlPv", ".", 'v', 0},
    {"_ZdlPvm", "..", 'v', 0}, {"_Znam", ".", 'v', 0}, {"_Znwm", ".", 'v', 0},
    {"__assert_fail", "rr.r", 'v', 0}, {"__ctype_b_loc", "", 's', 0},
    {"__ctype_tolower_loc", "", 's', 0}, {"__ctype_toupper_loc", "", 's', 0},
    {"__cxa_allocate_exception", ".", 'v', 0}, {"__cxa_atexit", "c..", 'v', 0},
    {"__cxa_begin_catch", ".", '0', 0}, {"__cxa_end_catch", "", 'v', 0},
    {"__cxa_free_exception", ".", 'v', 0}, {"__cxa_guard_acquire", "b", 'v', 0},
    {"__cxa_guard_release", "w", 'v', 0}, {"__cxa_rethrow", "", 'v', THROWS},
    {"__cxa_throw", "b..", 'v', THROWS}, {"__errno_location", "", 's', 0},
    {"__isoc23_fscanf", "brw*", 'v', INPUT}, {"__isoc23_scanf", "rw*", 'v', INPUT},
    {"__isoc23_sscanf", "rrw*", 'v', 0}, {"__isoc23_strtol", "rw.", 'v', PLACES},
    {"__isoc23_strtoul", "rw.", 'v', PLACES}, {"__isoc99_fscanf", "brw*", 'v', INPUT},
    {"__isoc99_scanf", "rw*", 'v', INPUT}, {"__isoc99_sscanf", "rrw*", 'v', 0},
    {"__longjmp_chk", "w.", 'v', 0}, {"__sigsetjmp", "b.", 'v', 0},
    {"_exit", ".", 'v', 0}, {"_setjmp", "b", 'v', 0}, {"abort", "", 'v', 0},
    {"abs", ".", 'v', 0}, {"access", "r.", 'v', 0}, {"acos", ".", 'v', 0},
    {"aligned_alloc", "..", 'v', 0}, {"asin", ".", 'v', 0}, {"atan", ".", 'v', 0},
    {"atan2", "..", 'v', 0}, {"atexit", "c", 'v', 0}, {"atof", "r", 'v', 0},
    {"atoi", "r", 'v', 0}, {"atol", "r", 'v', 0}, {"atoll", "r", 'v', 0},
    {"bcmp", "rr.", 'v', 0}, {"bcopy", "rw.", 'v', COPIES},
    {"bsearch", "rr..c", '1', 0}, {"bzero", "w.", 'v', 0}, {"calloc", "..", 'v', 0},
    {"ceil", ".", 'v', 0}, {"chdir", "r", 'v', 0}, {"clearerr", "b", 'v', 0},
    {"clock", "", 'v', INPUT}, {"clock_gettime", ".w", 'v', INPUT},
    {"close", ".", 'v', 0}, {"cos", ".", 'v', 0}, {"cosh", ".", 'v', 0},
    {"difftime", "..", 'v', 0}, {"exit", ".", 'v', 0}, {"exp", ".", 'v', 0},
    {"fabs", ".", 'v', 0}, {"fclose", "b", 'v', 0}, {"fdopen", ".r", 'v', 0},
    {"feof", "r", 'v', 0}, {"ferror", "r", 'v', 0}, {"fflush", "r", 'v', 0},
    {"fgetc", "b", 'v', INPUT}, {"fgets", "w.b", '0', INPUT}, {"fileno", "r", 'v', 0},
    {"floor", ".", 'v', 0}, {"fmod", "..", 'v', 0}, {"fopen", "rr", 'v', 0},
    {"fopen64", "rr", 'v', 0}, {"fprintf", "rr*", 'v', 0}, {"fputc", ".r", 'v', 0},
    {"fputs", "rr", 'v', 0}, {"fread", "w..b", 'v', INPUT}, {"free", ".", 'v', 0},
    {"freopen", "rrb", '2', 0}, {"frexp", ".w", 'v', 0}, {"fscanf", "brw*", 'v', INPUT},
    {"fseek", "b..", 'v', 0}, {"fseeko", "b..", 'v', 0}, {"fstat", ".w", 'v', INPUT},
    {"ftell", "r", 'v', 0}, {"ftello", "r", 'v', 0}, {"fwrite", "r..r", 'v', 0},
    {"getc", "b", 'v', INPUT}, {"getchar", "", 'v', INPUT}, {"getcwd", "w.", '0', 0},
    {"getenv", "r", 's', 0}, {"getpid", "", 'v', 0}, {"gettimeofday", "ww", 'v', INPUT},
    {"gmtime", "r", 's', 0}, {"isalnum", ".", 'v', 0}, {"isalpha", ".", 'v', 0},
    {"isatty", ".", 'v', 0}, {"iscntrl", ".", 'v', 0}, {"isdigit", ".", 'v', 0},
    {"isgraph", ".", 'v', 0}, {"islower", ".", 'v', 0}, {"isprint", ".", 'v', 0},
    {"ispunct", ".", 'v', 0}, {"isspace", ".", 'v', 0}, {"isupper", ".", 'v', 0},
    {"isxdigit", ".", 'v', 0}, {"labs", ".", 'v', 0}, {"ldexp", "..", 'v', 0},
    {"localtime", "r", 's', 0}, {"log", ".", 'v', 0}, {"log10", ".", 'v', 0},
    {"log2", ".", 'v', 0}, {"longjmp", "w.", 'v', 0}, {"lseek", "...", 'v', INPUT},
    {"malloc", ".", 'v', 0}, {"memchr", "r..", '0', 0}, {"memcmp", "rr.", 'v', 0},
    {"memcpy", "wr.", '0', COPIES}, {"memmove", "wr.", '0', COPIES},
    {"mempcpy", "wr.", '0', COPIES}, {"memset", "w..", '0', 0}, {"mktime", "b", 'v', 0},
    {"open", "r..", 'v', INPUT}, {"perror", "r", 'v', 0}, {"pow", "..", 'v', 0},
    {"printf", "r*", 'v', 0}, {"putc", ".r", 'v', 0}, {"putchar", ".", 'v', 0},
    {"puts", "r", 'v', 0}, {"qsort", "b..c", 'v', 0}, {"rand", "", 'v', INPUT},
    {"random", "", 'v', INPUT}, {"read", ".w.", 'v', INPUT}, {"realloc", "b.", '0', 0},
    {"remove", "r", 'v', 0}, {"rename", "rr", 'v', 0}, {"rewind", "b", 'v', 0},
    {"round", ".", 'v', 0}, {"scanf", "rw*", 'v', INPUT}, {"setjmp", "b", 'v', 0},
    {"setlocale", ".r", 's', 0}, {"setvbuf", "bw..", 'v', 0},
    {"siglongjmp", "w.", 'v', 0}, {"signal", ".c", 'v', 0}, {"sin", ".", 'v', 0},
    {"sinh", ".", 'v', 0}, {"snprintf", "w.r*", 'v', 0}, {"sprintf", "wr*", 'v', 0},
    {"sqrt", ".", 'v', 0}, {"srand", ".", 'v', INPUT}, {"srandom", ".", 'v', INPUT},
    {"sscanf", "rrw*", 'v', 0}, {"stat", "rw", 'v', INPUT}, {"stpcpy", "wr", '0', 0},
    {"strcasecmp", "rr", 'v', 0}, {"strcat", "br", '0', 0}, {"strchr", "r.", '0', 0},
    {"strcmp", "rr", 'v', 0}, {"strcoll", "rr", 'v', 0}, {"strcpy", "wr", '0', 0},
    {"strcspn", "rr", 'v', 0}, {"strdup", "r", 'v', 0}, {"strerror", ".", 's', 0},
    {"strftime", "w.rr", 'v', 0}, {"strlen", "r", 'v', 0},
    {"strncasecmp", "rr.", 'v', 0}, {"strncat", "br.", '0', 0},
    {"strncmp", "rr.", 'v', 0}, {"strncpy", "wr.", '0', 0}, {"strndup", "r.", 'v', 0},
    {"strnlen", "r.", 'v', 0}, {"strpbrk", "rr", '0', 0}, {"strrchr", "r.", '0', 0},
    {"strspn", "rr", 'v', 0}, {"strstr", "rr", '0', 0}, {"strtod", "rw", 'v', PLACES},
    {"strtof", "rw", 'v', PLACES}, {"strtol", "rw.", 'v', PLACES},
    {"strtoll", "rw.", 'v', PLACES}, {"strtoul", "rw.", 'v', PLACES},
    {"strtoull", "rw.", 'v', PLACES}, {"system", "r", 'v', INPUT}, {"tan", ".", 'v', 0},
    {"tanh", ".", 'v', 0}, {"time", "w", 'v', INPUT}, {"tmpfile", "", 'v', 0},
    {"tolower", ".", 'v', 0}, {"toupper", ".", 'v', 0}, {"trunc", ".", 'v', 0},
    {"ungetc", ".b", 'v', INPUT}, {"unlink", "r", 'v', 0},
    {"vfprintf", "rrb", 'v', DEEP}, {"vprintf", "rb", 'v', DEEP},
    {"vsnprintf", "w.rb", 'v', DEEP}, {"vsprintf", "wrb", 'v', DEEP},
    {"write", ".r.", 'v', 0}};

/* Intrinsics with types in their names, by prefix. All others only compute. */
static const struct trod_code_library intrinsics[] = {
    {"llvm.memcpy.", "wr..", 'v', COPIES}, {"llvm.memmove.", "wr..", 'v', COPIES},
    {"llvm.memset.", "w...", 'v', 0}, {"llvm.va_start", "w", 'v', LISTS},
    {"llvm.va_copy", "wr", 'v', COPIES}, {"llvm.threadlocal.address", ".", '0', 0},
    {"llvm.launder.invariant", ".", '0', 0}, {"llvm.expect.", "..", '0', 0},
    {"llvm.ptr.annotation", ".*", '0', 0}, {"llvm.", ".*", 'v', 0}};

static const struct trod_code_library assembly = {"asm", "b*", 'v', COPIES};

static int compare(const void *name, const void *entry)
{
    return strcmp(name, ((const struct trod_code_library *)entry)->name);
}

const struct trod_code_library *trod_code_library_of(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name;

    if (LLVMGetValueKind(callee) == LLVMInlineAsmValueKind)
        return &assembly;
    if (LLVMGetValueKind(callee) != LLVMFunctionValueKind || !LLVMIsDeclaration(callee))
        return NULL;
    name = trod_code_name(callee);
    if (strncmp(name, "llvm.", 5) != 0)
        return bsearch(name, functions, sizeof functions / sizeof *functions,
            sizeof *functions, compare);
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (strncmp(name, intrinsics[i].name, strlen(intrinsics[i].name)) == 0)
            return &intrinsics[i];
    return NULL;
}

char trod_code_library_arg(const struct trod_code_library *of, unsigned arg)
{
    size_t n = strlen(of->args);

    if (n && of->args[n - 1] == '*')
        return of->args[arg < n - 1 ? arg : n - 2];
    return arg < n ? of->args[arg] : '.';
}
