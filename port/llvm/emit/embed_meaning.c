#include "meaning/meaning.h"
#include "llvm/port.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Meanings in the map. If paths are those of the source, the meaning of a function is that of its code after the
 * front end, so that it does not depend on the optimisation level; an attribute keeps it until the graph is built. If
 * paths are those of optimised code, it is the meaning of that code: inlined code is part of what the function does.
 * Meanings of blocks are always those of the graph in the map.
 */

static const char attribute[] = "trod-meaning";

enum { ATTRIBUTE_LENGTH = sizeof attribute - 1 };

static LLVMAttributeRef attribute_of(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(
        function, LLVMAttributeFunctionIndex, attribute, ATTRIBUTE_LENGTH);
}

static void keep(LLVMValueRef function, struct trod_arena *mem)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    struct trod_meaning meaning;
    struct trod_string text;

    trod_meaning_open(&meaning, function, mem);
    trod_string_init(&text, mem);
    trod_put(&text.sink, "%016" PRIx64, trod_meaning_of_function(&meaning));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(
            context, attribute, ATTRIBUTE_LENGTH, text.text, (unsigned)text.length));
}

void trod_llvm_keep_meanings(LLVMModuleRef module, void (*exhausted)(void *ctx))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        struct trod_arena mem;

        if (trod_bridge_leave_alone(f) || attribute_of(f))
            continue;
        trod_arena_init(&mem, exhausted, NULL);
        keep(f, &mem);
        trod_arena_free(&mem);
    }
}

void trod_llvm_drop_meanings(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (attribute_of(f))
            LLVMRemoveStringAttributeAtIndex(
                f, LLVMAttributeFunctionIndex, attribute, ATTRIBUTE_LENGTH);
}

static void put_callees(struct trod_sink *sink, LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        const char *name;

        if (!trod_meaning_is_call(&name, i))
            continue;
        trod_put(sink, " ");
        if (name)
            trod_put_name(sink, name);
        else
            trod_put(sink, "*");
    }
}

void trod_llvm_map_meaning(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem)
{
    LLVMAttributeRef kept = attribute_of(body->function);
    struct trod_meaning meaning;
    unsigned length;

    trod_meaning_open(&meaning, body->function, mem);
    trod_put(sink, "meaning ");
    trod_put_name(sink, body->name);
    if (kept)
        trod_put(sink, " %s\n", LLVMGetStringAttributeValue(kept, &length));
    else
        trod_put(sink, " %016" PRIx64 "\n", trod_meaning_of_function(&meaning));
    trod_put(sink, "nodes ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    for (trod_node v = 0; v < body->graph.nnode; v++) {
        trod_put(sink, "%u: %016" PRIx64, v,
            trod_meaning_of_block(&meaning, body->block[v]));
        put_callees(sink, body->block[v]);
        trod_put(sink, "\n");
    }
}
