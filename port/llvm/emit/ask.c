#include "llvm/port.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Looks up a path. First emitted as a call of __trod_ask, like counting (count.c). After inlining, the call is
 * lowered to a test, which mostly needs no memory access, and a branch.
 *
 * HOW, NSLOT and NUMBER must stay constants. LLVM merges two calls at the ends of two branches into one, with a PHI
 * for each argument that differs, but not if their attributes differ. So an attribute repeats all three.
 */

enum { THREAD, TABLE, IDS, HOW, NSLOT, NUMBER, SUM, NARGUMENT };

/* --- emission -------------------------------------------------------------------------- */

static const char attribute[] = "trod-ask";

static void set_constants(LLVMValueRef call, const struct trod_llvm_ask *ask)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(ask->sum));
    char text[64];
    int n = snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %" PRIu64, ask->how,
        ask->nslot, ask->number);

    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(
            context, attribute, sizeof attribute - 1, text, (unsigned)n));
}

void trod_llvm_put_ask(
    LLVMBuilderRef builder, LLVMModuleRef module, const struct trod_llvm_ask *ask)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef parameter[NARGUMENT] = {i64, trod_llvm_pointer(context),
        trod_llvm_pointer(context), i64, i64, i64, i64};
    LLVMValueRef function =
                     trod_llvm_declare(module, "__trod_ask", parameter, NARGUMENT),
                 call;
    LLVMValueRef argument[NARGUMENT] = {
        [THREAD] = ask->thread ? ask->thread : LLVMConstInt(i64, 0, false),
        [TABLE] = ask->table,
        [IDS] = ask->ids ? ask->ids : LLVMConstNull(trod_llvm_pointer(context)),
        [HOW] = LLVMConstInt(i64, ask->how, false),
        [NSLOT] = LLVMConstInt(i64, ask->nslot, false),
        [NUMBER] = LLVMConstInt(i64, ask->number, false),
        [SUM] = ask->sum};

    call = LLVMBuildCall2(
        builder, LLVMGlobalGetValueType(function), function, argument, NARGUMENT, "");
    trod_bridge_set_inline_cost(call, 0);
    set_constants(call, ask);
}

void trod_llvm_put_report(
    LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef table, LLVMValueRef path)
{
    LLVMValueRef argument[2] = {table, path};

    trod_llvm_put_call(builder, module, "__trod_untested", argument, 2, true);
}

/* Out of line: the code has many untested paths, but they rarely run. */
static void put_direct(
    LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef table, LLVMValueRef path)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef counter = LLVMBuildGEP2(builder, i64, table, &path, 1, "");

    trod_llvm_put_call(builder, module,
        trod_llvm_is_library(module) ? "__trod_count_rare_shared" : "__trod_count_rare",
        &counter, 1, true);
}

/* --- lowering -------------------------------------------------------------------------- */

struct lowerer {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i64;
    LLVMValueRef call, sum;
    uint64_t how, nslot, number;
    LLVMBasicBlockRef hit, miss; /* either may be the block after the call */
    LLVMValueRef slot, path;
};

static LLVMValueRef constant(const struct lowerer *l, uint64_t value)
{
    return LLVMConstInt(l->i64, value, false);
}

static void get_constants(struct lowerer *l)
{
    unsigned length;
    const char *text = LLVMGetStringAttributeValue(
        LLVMGetCallSiteStringAttribute(
            l->call, LLVMAttributeFunctionIndex, attribute, sizeof attribute - 1),
        &length);
    char *next;

    /* Only set_constants writes this attribute, so it is well-formed. */
    l->how = strtoull(text, &next, 10);
    l->nslot = strtoull(next, &next, 10);
    l->number = strtoull(next, &next, 10);
}

static LLVMBasicBlockRef add_block(const struct lowerer *l, LLVMBasicBlockRef before)
{
    return LLVMInsertBasicBlockInContext(
        LLVMGetModuleContext(l->module), before, "trod.ask");
}

/* Paths that run are mostly found. */
static void branch(const struct lowerer *l, LLVMValueRef missed, LLVMBasicBlockRef hit)
{
    trod_bridge_mark_unlikely(LLVMBuildCondBr(l->builder, missed, l->miss, hit));
}

static LLVMValueRef element(
    const struct lowerer *l, LLVMTypeRef type, LLVMValueRef index)
{
    LLVMValueRef at =
        LLVMBuildGEP2(l->builder, type, LLVMGetOperand(l->call, IDS), &index, 1, "");

    return LLVMBuildLoad2(l->builder, type, at, "");
}

/* Does the slot hold the id of another path? */
static LLVMValueRef differs(const struct lowerer *l)
{
    LLVMTypeRef type = l->how & TROD_RT_WIDE
                           ? l->i64
                           : LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));

    return LLVMBuildICmp(l->builder, LLVMIntNE, element(l, type, l->slot),
        LLVMBuildTrunc(l->builder, l->path, type, ""), "");
}

static LLVMValueRef bit(const struct lowerer *l, LLVMTypeRef word, LLVMValueRef of)
{
    LLVMValueRef bits = LLVMConstInt(word, LLVMGetIntTypeWidth(word) - 1, false);
    LLVMValueRef at = LLVMBuildTrunc(l->builder, l->sum, word, "");
    LLVMValueRef set =
        LLVMBuildLShr(l->builder, of, LLVMBuildAnd(l->builder, at, bits, ""), "");

    return LLVMBuildICmp(l->builder, LLVMIntEQ,
        LLVMBuildAnd(l->builder, set, LLVMConstInt(word, 1, false), ""),
        LLVMConstNull(word), "");
}

static LLVMValueRef low_bits(const struct lowerer *l, unsigned low)
{
    return LLVMBuildAnd(
        l->builder, l->sum, constant(l, (UINT64_C(1) << low) - 1), "trod.path");
}

static void look_preferential(struct lowerer *l, unsigned low)
{
    LLVMBasicBlockRef inside = add_block(l, l->hit);

    l->slot = LLVMBuildLShr(l->builder, l->sum, constant(l, low), "trod.slot");
    l->path = low_bits(l, low);
    branch(l, LLVMBuildICmp(l->builder, LLVMIntUGE, l->slot, constant(l, l->nslot), ""),
        inside);
    LLVMPositionBuilderAtEnd(l->builder, inside);
    branch(l, differs(l), l->hit);
}

/* Terminates the block with a branch to hit or miss; fills slot and path. */
static void look(struct lowerer *l)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
    unsigned bits = TROD_RT_BITS_OF(l->how);
    LLVMValueRef missed = NULL;

    l->slot = l->path = l->sum;
    switch ((enum trod_rt_ending)(l->how & TROD_RT_KIND)) {
    case TROD_RT_SELECT:
        missed =
            LLVMBuildICmp(l->builder, LLVMIntUGE, l->sum, constant(l, l->nslot), "");
        break;
    case TROD_RT_PREFER:
        look_preferential(l, bits);
        return;
    case TROD_RT_HASH:
        l->slot =
            bits > 63
                ? constant(l, 0)
                : LLVMBuildLShr(l->builder,
                      LLVMBuildMul(l->builder, l->sum, constant(l, l->number), ""),
                      constant(l, bits), "trod.slot");
        missed = differs(l);
        break;
    case TROD_RT_STRAY:
        l->path = low_bits(l, bits);
        missed = LLVMBuildICmp(
            l->builder, LLVMIntUGE, l->sum, constant(l, UINT64_C(1) << bits), "");
        break;
    case TROD_RT_MASK:
        missed = bit(l, l->i64, constant(l, l->number));
        break;
    case TROD_RT_BITS:
        missed = bit(l, i32,
            element(l, i32, LLVMBuildLShr(l->builder, l->sum, constant(l, 5), "")));
        break;
    }
    branch(l, missed, l->hit);
}

static void lower(struct lowerer *l)
{
    LLVMBasicBlockRef head = LLVMGetInstructionParent(l->call);
    LLVMBasicBlockRef rest = trod_bridge_split_before(l->call);

    get_constants(l);
    l->sum = LLVMGetOperand(l->call, SUM);
    l->hit = l->how & TROD_RT_COUNTS ? add_block(l, rest) : rest;
    l->miss = l->how & TROD_RT_REPORTS ? add_block(l, rest) : rest;
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(l->builder, head);
    look(l);
    if (l->how & TROD_RT_COUNTS) {
        LLVMPositionBuilderAtEnd(l->builder, l->hit);
        trod_llvm_put_count(l->builder, l->module,
            (struct trod_llvm_count){.thread = LLVMGetOperand(l->call, THREAD),
                .table = LLVMGetOperand(l->call, TABLE),
                .index = l->slot,
                .by = constant(l, 1)});
        LLVMBuildBr(l->builder, rest);
    }
    if (l->how & TROD_RT_REPORTS) {
        LLVMPositionBuilderAtEnd(l->builder, l->miss);
        (l->how & TROD_RT_DIRECT ? put_direct : trod_llvm_put_report)(
            l->builder, l->module, LLVMGetOperand(l->call, TABLE), l->path);
        LLVMBuildBr(l->builder, rest);
    }
    LLVMInstructionEraseFromParent(l->call);
}

bool trod_llvm_lower_asks(LLVMModuleRef module)
{
    LLVMValueRef ask = LLVMGetNamedFunction(module, "__trod_ask");
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct lowerer l = {.module = module, .i64 = LLVMInt64TypeInContext(context)};
    LLVMUseRef use;

    if (!ask)
        return false;
    l.builder = LLVMCreateBuilderInContext(context);
    while ((use = LLVMGetFirstUse(ask))) {
        l.call = LLVMGetUser(use);
        lower(&l);
    }
    LLVMDisposeBuilder(l.builder);
    LLVMDeleteFunction(ask);
    return true;
}
