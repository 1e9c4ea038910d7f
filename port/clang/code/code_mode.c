#include "clang/code/dependence.h"
#include "meaning/meaning.h"

/* trod-clang code: meanings and dependences of the functions of one unit. */

/* The hash of a function that clang keeps in its profiles; 0: clang does not count it. */
static uint64_t shape_of(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
        b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
            i = LLVMGetNextInstruction(i))
            if (trod_meaning_calls(i, "llvm.instrprof.increment"))
                return LLVMConstIntGetZExtValue(LLVMGetOperand(i, 1));
    return 0;
}

static void put_function(struct trod_sink *out, struct trod_code_places *places,
    LLVMValueRef function, struct trod_arena *mem)
{
    uint32_t line, file = trod_code_function_place(&line, places, function);
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_meaning meaning;

    trod_put(out, "function ");
    trod_put_name(out, trod_code_name(function));
    trod_put(out, " ");
    trod_put_name(out, places->files.name[file]);
    trod_meaning_open(&meaning, function, mem);
    trod_put(out, " %u meaning %016llx shape %016llx%s\n", line,
        (unsigned long long)trod_meaning_of_function(&meaning),
        (unsigned long long)shape_of(function),
        LLVMGetLinkage(function) == LLVMInternalLinkage ? " static" : "");
    trod_arena_rewind(mem, mark);
}

static void put_code(struct trod_sink *out, LLVMModuleRef module,
    struct trod_code_places *places, struct trod_arena *mem)
{
    trod_put(out, "code ");
    trod_put_name(out, places->files.name[0]);
    trod_put(out, "\n");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
            put_function(out, places, f, mem);
}

bool trod_clang_code(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    struct trod_code_places places;
    bool good = trod_code_compile(&module, context, unit, unit->depends, mem, err);

    if (good) {
        trod_code_places_init(&places, unit, mem);
        put_code(out, module, &places, mem);
        if (unit->depends)
            trod_code_depends_print(out, module, &places, mem);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return good;
}

bool trod_clang_depends(struct trod_sink *out, const struct trod_clang_unit *unit,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_clang_unit all = *unit;

    all.depends = true;
    return trod_clang_code(out, &all, mem, err);
}
