#include "clang/clang_port.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Which options of a recorded command are passed to the compiler. Commands come from maps of
 * binaries, which are untrusted, and options can make clang load plugins, run programs and write
 * files. So only options that are known to be harmless are passed. A harmless option that is
 * missing here causes a note, and at worst a unit that cannot be read.
 */

static bool is_one_of(const char *arg, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(arg, *list) == 0)
            return true;
    return false;
}

static bool begins_with_one_of(const char *arg, const char *const *list)
{
    for (; *list; list++)
        if (strncmp(arg, *list, strlen(*list)) == 0)
            return true;
    return false;
}

/* A word as in names of machines, languages and levels: neither a path nor an option. */
static bool is_plain(const char *word)
{
    return *word && word[0] != '-' &&
           strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                        "+-_.,=") == strlen(word);
}

/* A name or a directory: any word that clang does not interpret as more options. clang passes
 * values on as separate words, and reads a word that begins with @ as a file of options.
 */
static bool is_word(const char *word)
{
    return *word && word[0] != '-' && word[0] != '@';
}

/* --- -f: switches, on or off ------------------------------------------------------------------------- */

static const char *const f_switch[] = {"PIC", "PIE", "access-control",
    "aligned-allocation", "aligned-new", "apple-kext", "asm", "asm-blocks",
    "associative-math", "assume-sane-operator-new", "asynchronous-unwind-tables",
    "blocks", "builtin", "c++-static-destructors", "cf-protection", "char8_t", "chkstk",
    "common", "complete-member-pointers", "concepts", "convergent-functions",
    "coroutines", "coroutines-ts", "cx-limited-range", "cxx-exceptions",
    "data-sections", "declspec", "delayed-template-parsing",
    "delete-null-pointer-checks", "digraphs", "direct-access-external-data",
    "dollars-in-identifiers", "elide-constructors", "elide-type",
    "eliminate-unused-debug-types", "exceptions", "fast-math", "finite-math-only",
    "finite-loops", "fixed-point", "for-scope", "force-emit-vtables",
    "force-enable-int128", "freestanding", "function-sections", "gcse",
    "gnu-inline-asm", "gnu-keywords", "gnu89-inline", "honor-infinities", "honor-nans",
    "hosted", "ident", "implicit-templates", "inline", "inline-functions",
    "inline-small-functions", "ivopts", "jump-tables", "keep-inline-functions",
    "keep-static-consts", "lax-vector-conversions", "math-errno", "merge-all-constants",
    "merge-constants", "ms-compatibility", "ms-extensions", "ms-hotpatch",
    "nonansi-builtins", "objc-arc", "objc-exceptions", "objc-weak",
    "omit-frame-pointer", "openmp", "openmp-simd", "optimize-sibling-calls",
    "operator-names", "pascal-strings", "permissive", "pic", "pie", "plt",
    "raw-string-literals", "reciprocal-math", "relaxed-template-template-args",
    "reorder-functions", "rounding-math", "rtti", "rtti-data", "schedule-insns",
    "schedule-insns2", "semantic-interposition", "short-enums", "short-wchar",
    "signed-bitfields", "signed-char", "signed-zeros", "sized-deallocation",
    "slp-vectorize", "split-stack", "stack-check", "stack-clash-protection",
    "stack-protector", "stack-protector-all", "stack-protector-strong",
    "strict-aliasing", "strict-enums", "strict-float-cast-overflow", "strict-overflow",
    "strict-return", "strict-vtable-pointers", "threadsafe-statics", "tls-model",
    "toplevel-reorder", "trapping-math", "tree-vectorize", "trigraphs", "unroll-loops",
    "unsafe-math-optimizations", "unsigned-bitfields", "unsigned-char", "unwind-tables",
    "use-cxa-atexit", "use-init-array", "vectorize", "visibility-inlines-hidden",
    "visibility-inlines-hidden-static-local-var", "wchar", "web", "wrapv",
    "wrapv-pointer", "zero-initialized-in-bss", "zero-call-used-regs",
    "var-tracking-assignments", "tree-loop-distribute-patterns", "tree-vrp", "tree-sra",
    "tree-fre", "tree-pre", "ipa-sra", "ipa-cp", "ipa-icf", "ipa-pure-const",
    "allow-store-data-races", "conserve-stack", "caller-saves", "crossjumping",
    "cse-follow-jumps", "gcse-after-reload", "rename-registers", "rerun-cse-after-loop",
    "stdarg-opt", "section-anchors", "reorder-blocks", "reorder-blocks-and-partition",
    "peel-loops", "unswitch-loops", "version-loops-for-strides", "prefetch-loop-arrays",
    "predictive-commoning", "modulo-sched", "early-inlining", "align-functions",
    "align-loops", "align-jumps", "align-labels", "emulated-tls", "debug-types-section",
    "dwarf2-cfi-asm", NULL};

/* With a word or a number as the value. */
static const char *const f_value[] = {"-faligned-new=", "-falign-functions=",
    "-falign-jumps=", "-falign-labels=", "-falign-loops=", "-fbracket-depth=",
    "-fcf-protection=", "-fclang-abi-compat=", "-fcomplex-arithmetic=",
    "-fconstexpr-depth=", "-fconstexpr-loop-limit=", "-fconstexpr-ops-limit=",
    "-fconstexpr-steps=", "-fexcess-precision=", "-fexec-charset=", "-ffp-contract=",
    "-ffp-eval-method=", "-ffp-exception-behavior=", "-ffp-model=",
    "-ffunction-alignment=", "-fgnuc-version=", "-finline-limit=", "-finput-charset=",
    "-flax-vector-conversions=", "-fmax-type-align=", "-fms-compatibility-version=",
    "-fmsc-version=", "-fopenmp-version=", "-fopenmp=", "-fpack-struct=",
    "-fpatchable-function-entry=", "-fsanitize=", "-fno-sanitize=",
    "-fstack-protector=", "-fstrict-flex-arrays=", "-ftemplate-depth=",
    "-ftemplate-depth-", "-ftls-model=", "-ftrivial-auto-var-init=", "-fvisibility=",
    "-fwide-exec-charset=", "-fzero-call-used-regs=", NULL};

static bool is_f(const char *arg)
{
    const char *name = arg + 2, *value = strchr(arg, '=');

    if (strncmp(arg, "-f", 2) != 0)
        return false;
    if (begins_with_one_of(arg, f_value))
        return !value || (is_plain(value + 1) && !strchr(value + 1, '='));
    if (strncmp(name, "no-", 3) == 0)
        name += 3;
    /* -fno-builtin-NAME and the like. */
    if (strncmp(name, "builtin-", 8) == 0)
        return is_plain(name);
    return is_one_of(name, f_switch);
}

/* --- -m: what the machine has ------------------------------------------------------------------------- */

static bool is_m(const char *arg)
{
    static const char *const value[] = {"-mabi=", "-march=", "-mbranch-protection=",
        "-mcmodel=", "-mcpu=", "-mfloat-abi=", "-mfpmath=", "-mfpu=", "-mregparm=",
        "-mfunction-return=", "-mharden-sls=", "-mindirect-branch=", "-mlong-double-",
        "-mpreferred-stack-boundary=", "-msign-return-address=", "-msse2avx",
        "-mstack-alignment=", "-mstack-protector-guard",
        "-mtls-dialect=", "-mtune=", "-mbranch-cost=", "-mprefer-vector-width=",
        "-mvscale-bits=", "-msve-vector-bits=", "-mfentry", "-mrecord-mcount",
        "-mnop-mcount", "-mretpoline", NULL};
    static const char *const exact[] = {"-m16", "-m32", "-m64", "-mx32", "-mbig-endian",
        "-mlittle-endian", "-mthumb", "-marm", "-mred-zone", "-mgeneral-regs-only",
        "-msoft-float", "-mhard-float", "-mstackrealign", "-mstrict-align",
        "-munaligned-access", "-mms-bitfields", "-mrelax", "-momit-leaf-frame-pointer",
        "-mimplicit-float", "-mrelax-all", "-maccumulate-outgoing-args", "-mpush-args",
        "-mieee-fp", "-mfancy-math-387", "-m80387", "-mglobal-merge",
        "-mfix-cortex-a53-835769", "-moutline-atomics", "-moutline", "-mskip-rax-setup",
        "-mcld", "-mrtd", "-malign-double", "-m128bit-long-double",
        "-m96bit-long-double", "-mvzeroupper", "-mrecip", "-mlvi-cfi",
        "-mlvi-hardening", "-mspeculative-load-hardening", "-mcx16", "-mmmx", "-m3dnow",
        "-m3dnowa", "-mfma", "-mfma4", "-mf16c", "-maes", "-mvaes", "-mpclmul",
        "-mvpclmulqdq", "-mbmi", "-mbmi2", "-mlzcnt", "-mabm", "-mpopcnt", "-mtbm",
        "-mlwp", "-mmovbe", "-mcrc32", "-mrdrnd", "-mrdseed", "-mrdpid", "-mrdpru",
        "-mfsgsbase", "-mfxsr", "-mxsave", "-mxsavec", "-mxsaveopt", "-mxsaves",
        "-mprfchw", "-madx", "-msha", "-msha512", "-mgfni", "-mclflushopt", "-mclwb",
        "-mclzero", "-mmwaitx", "-mshstk", "-mibt", "-mptwrite", "-mpku", "-mrtm",
        "-minvpcid", "-mwaitpkg", "-mwbnoinvd", "-mcldemote", "-mmovdiri",
        "-mmovdir64b", "-menqcmd", "-mserialize", "-muintr", "-msahf", "-mhreset",
        "-mkl", "-mwidekl", "-mtsxldtrk", "-mraoint", "-msm3", "-msm4", "-mcmpccxadd",
        NULL};
    static const char *const family[] = {"sse", "ssse3", "avx", "amx", NULL};
    const char *name = arg + 2;

    if (strncmp(arg, "-m", 2) != 0 || !is_plain(name))
        return false;
    if (begins_with_one_of(arg, value))
        return true;
    if (begins_with_one_of(name, family))
        return !strchr(name, '=');
    if (strncmp(name, "no-", 3) == 0) {
        for (const char *const *e = exact; *e; e++)
            if (strcmp(name + 3, *e + 2) == 0)
                return true;
        return begins_with_one_of(name + 3, family) && !strchr(name, '=');
    }
    return is_one_of(arg, exact);
}

/* --- files that are included -------------------------------------------------------------------------- */

/* A file of the program, or one that is searched for in its include directories. */
static bool may_include(const char *file, const struct trod_clang_unit *unit)
{
    char found[PATH_MAX];
    size_t length = strlen(unit->root);

    if (realpath(file, found))
        return strncmp(found, unit->root, length) == 0 &&
               (found[length] == '/' || unit->root[length - 1] == '/');
    return file[0] != '/' && !strstr(file, "..");
}

/* --- options with an argument ------------------------------------------------------------------------- */

static bool is_language(const char *word)
{
    static const char *const known[] = {"c", "c++", "c-header", "c++-header",
        "cpp-output", "c++-cpp-output", "objective-c", "objective-c++",
        "objective-c-cpp-output", "objective-c++-cpp-output", "none", NULL};

    return is_one_of(word, known);
}

/* The argument is the next word. */
static bool takes_allowed(
    const char *option, const char *word, const struct trod_clang_unit *unit)
{
    static const char *const named[] = {"-D", "-U", "-I", "-F", "-iquote", "-isystem",
        "-idirafter", "-cxx-isystem", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
        "-isysroot", "--sysroot", "-iframework", "-gcc-toolchain", NULL};
    static const char *const machine[] = {"-target", "-arch", NULL};
    static const char *const included[] = {"-include", "-imacros", NULL};

    if (is_one_of(option, named))
        return is_word(word);
    if (is_one_of(option, machine))
        return is_plain(word);
    if (is_one_of(option, included))
        return is_word(word) && may_include(word, unit);
    return strcmp(option, "-x") == 0 && is_language(word);
}

/* The argument is in the same word. */
static bool is_allowed(const char *arg, const struct trod_clang_unit *unit)
{
    static const char *const joined[] = {"-D", "-U", "-I", "-F", "-iquote", "-isystem",
        "-idirafter", "-cxx-isystem", "-isysroot", "--sysroot=", "-iwithprefix",
        "-iprefix",
        "--gcc-toolchain=", "--gcc-install-dir=", "-fmacro-prefix-map=", NULL};
    static const char *const exact[] = {"-ansi", "-pthread", "-pthreads", "-trigraphs",
        "-undef", "-nostdinc", "-nostdinc++", "-nobuiltininc", "-nostdlibinc",
        "-traditional", "-traditional-cpp", "-C", "-CC", "-P", "-ObjC", "-ObjC++",
        NULL};
    static const char *const plain[] = {
        "-std=", "--std=", "-stdlib=", "--target=", "-O", NULL};

    for (const char *const *start = joined; *start; start++)
        if (strncmp(arg, *start, strlen(*start)) == 0)
            return is_word(arg + strlen(*start));
    if (is_one_of(arg, exact) || strcmp(arg, "-O") == 0)
        return true;
    for (const char *const *start = plain; *start; start++)
        if (strncmp(arg, *start, strlen(*start)) == 0)
            return is_plain(arg + strlen(*start));
    if (strncmp(arg, "-x", 2) == 0)
        return is_language(arg + 2);
    if (strncmp(arg, "-include", 8) == 0 || strncmp(arg, "-imacros", 8) == 0)
        return is_word(arg + 8) && arg[8] != '-' && may_include(arg + 8, unit);
    return is_f(arg) || is_m(arg);
}

/* -Wp,-UNAME,-DNAME=VALUE: macros only. */
static bool is_macro_for_preprocessor(const char *arg)
{
    if (strncmp(arg, "-Wp", 3) != 0)
        return false;
    for (arg += 3; arg; arg = strchr(arg + 1, ','))
        if ((strncmp(arg, ",-D", 3) != 0 && strncmp(arg, ",-U", 3) != 0) ||
            !is_word(arg + 3) || arg[3] == ',')
            return false;
    return true;
}

uint32_t trod_clang_option_allowed(
    const char *const *arg, const struct trod_clang_unit *unit)
{
    if (arg[1] && takes_allowed(arg[0], arg[1], unit))
        return 2;
    /* How cmake includes precompiled headers. */
    if (strcmp(arg[0], "-Xclang") == 0 && arg[1] && strcmp(arg[1], "-include") == 0 &&
        arg[2] && strcmp(arg[2], "-Xclang") == 0 && arg[3] && is_word(arg[3]) &&
        may_include(arg[3], unit))
        return 4;
    if (is_macro_for_preprocessor(arg[0]))
        return 1;
    return is_allowed(arg[0], unit);
}
