#include "llvm/twin/twin_burst.h"

#include <inttypes.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

struct finder {
    struct trod_burst_events *out;
    const struct trod_body *body;
    struct trod_arena *mem;
    unsigned types;
    uint64_t *id;
    size_t room, room_call, room_ref;
};

static bool has(const struct finder *f, enum trod_burst_type type)
{
    return f->types >> type & 1;
}

static uint32_t add_slot(
    struct finder *f, enum trod_event_kind kind, uint32_t a, uint32_t b)
{
    size_t n = f->out->nslot;

    trod_reserve(f->mem, f->id, n, f->room);
    f->id[n] = trod_event_id(kind, a, b);
    return f->out->nslot++;
}

/* --- loops ---------------------------------------------------------------------------------- */

static void add_loops(struct finder *f, const struct trod_loops *loops)
{
    f->out->iteration_of_loop = trod_new(f->mem, uint32_t, loops->nloop);
    for (uint32_t l = 0; l < loops->nloop; l++) {
        f->out->iteration_of_loop[l] = add_slot(f, TROD_EVENT_ITERATION, l, 0);
        add_slot(f, TROD_EVENT_ENTER, l, 0);
        for (uint32_t b = 0; b < TROD_BURST_BINS; b++)
            add_slot(f, TROD_EVENT_TRIPS, l, b);
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

static bool is_call(LLVMValueRef i)
{
    return (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) && !LLVMIsAIntrinsicInst(i) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

static void add_call(struct finder *f, trod_node v, LLVMValueRef i)
{
    size_t n = f->out->ncall;

    trod_reserve(f->mem, f->out->call, n, f->room_call);
    f->out->call[n] = (struct trod_burst_call){.call = i,
        .node = v,
        .indirect = !LLVMIsAFunction(LLVMGetCalledValue(i)),
        .slot = add_slot(f, TROD_EVENT_CALL, (uint32_t)n, 0)};
    f->out->ncall++;
}

/* --- loads and stores --------------------------------------------------------------------------- */

static uint64_t size_of(const struct finder *f, LLVMTypeRef type)
{
    LLVMModuleRef module = LLVMGetGlobalParent(f->body->function);

    return LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), type);
}

static void add_ref(struct finder *f, LLVMValueRef address, struct trod_burst_ref of)
{
    size_t n = f->out->nref;

    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) != 0)
        return;
    trod_reserve(f->mem, f->out->ref, n, f->room_ref);
    of.address = address;
    of.slot = add_slot(f, TROD_EVENT_REF, (uint32_t)n, 0);
    f->out->ref[n] = of;
    f->out->nref++;
}

static void add_block_copy(struct finder *f, trod_node v, LLVMValueRef i)
{
    LLVMValueRef length = LLVMGetOperand(i, 2);
    struct trod_burst_ref of = {.access = i,
        .node = v,
        .bytes = LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0};

    if ((LLVMIsAMemCpyInst(i) || LLVMIsAMemMoveInst(i))) {
        of.loads = true;
        add_ref(f, LLVMGetOperand(i, 1), of);
    }
    of.loads = false;
    of.stores = true;
    add_ref(f, LLVMGetOperand(i, 0), of);
}

static void add_refs_of(struct finder *f, trod_node v, LLVMValueRef i)
{
    struct trod_burst_ref of = {.access = i, .node = v};

    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        of.loads = true;
        of.bytes = size_of(f, LLVMTypeOf(i));
        add_ref(f, LLVMGetOperand(i, 0), of);
        break;
    case LLVMStore:
        of.stores = true;
        of.bytes = size_of(f, LLVMTypeOf(LLVMGetOperand(i, 0)));
        add_ref(f, LLVMGetOperand(i, 1), of);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        of.loads = of.stores = true;
        of.bytes = size_of(f, LLVMTypeOf(LLVMGetOperand(i, 1)));
        add_ref(f, LLVMGetOperand(i, 0), of);
        break;
    case LLVMCall:
        if (LLVMIsAMemIntrinsic(i))
            add_block_copy(f, v, i);
        break;
    default:
        break;
    }
}

/* --- all events -------------------------------------------------------------------------------- */

static void add_block(struct finder *f, trod_node v)
{
    bool calls = has(f, TROD_BURST_CALLS) || has(f, TROD_BURST_HANDLER);
    bool refs = has(f, TROD_BURST_STREAMS) || has(f, TROD_BURST_HANDLER);

    for (LLVMValueRef i = LLVMGetFirstInstruction(f->body->block[v]); i;
        i = LLVMGetNextInstruction(i)) {
        if (calls && is_call(i))
            add_call(f, v, i);
        if (refs)
            add_refs_of(f, v, i);
    }
}

void trod_burst_events(struct trod_burst_events *out, const struct trod_body *body,
    const struct trod_loops *loops, unsigned types, struct trod_arena *mem)
{
    struct finder f = {.out = out, .body = body, .mem = mem, .types = types};

    *out = (struct trod_burst_events){0};
    out->entry = add_slot(&f, TROD_EVENT_ENTRY, 0, 0);
    out->back = add_slot(&f, TROD_EVENT_BACK, 0, 0);
    if (has(&f, TROD_BURST_TRIPS))
        add_loops(&f, loops);
    for (trod_node v = 0; v < body->graph.nnode; v++)
        add_block(&f, v);
    out->id = f.id;
}

/* --- the map ------------------------------------------------------------------------------------ */

/* Line and column in the function itself; for inlined code, those of the call. */
static void put_place(struct trod_sink *sink, LLVMValueRef i)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), outer;

    while (at && (outer = LLVMDILocationGetInlinedAt(at)))
        at = outer;
    trod_put(sink, " %u %u", at ? LLVMDILocationGetLine(at) : 0,
        at ? LLVMDILocationGetColumn(at) : 0);
}

/* The first known line of a block. */
static unsigned line_of(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
        i = LLVMGetNextInstruction(i)) {
        LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), outer;

        while (at && (outer = LLVMDILocationGetInlinedAt(at)))
            at = outer;
        if (at && LLVMDILocationGetLine(at))
            return LLVMDILocationGetLine(at);
    }
    return 0;
}

void trod_burst_map(struct trod_sink *sink, const struct trod_body *body,
    const struct trod_loops *loops, const struct trod_burst_events *events)
{
    trod_put(sink, "events ");
    trod_put_name(sink, body->name);
    trod_put(sink, "\n");
    for (uint32_t l = 0; events->iteration_of_loop && l < loops->nloop; l++)
        trod_put(sink, "loop %u %u %u\n", l, loops->header_of_loop[l],
            line_of(body->block[loops->header_of_loop[l]]));
    for (size_t i = 0; i < events->ncall; i++) {
        const struct trod_burst_call *call = &events->call[i];
        size_t length;

        trod_put(sink, "call %zu %u", i, call->node);
        put_place(sink, call->call);
        trod_put(sink, " ");
        if (call->indirect)
            trod_put(sink, "*");
        else
            trod_put_name(
                sink, LLVMGetValueName2(LLVMGetCalledValue(call->call), &length));
        trod_put(sink, "\n");
    }
    for (size_t i = 0; i < events->nref; i++) {
        const struct trod_burst_ref *ref = &events->ref[i];

        trod_put(sink, "ref %zu %u %s %" PRIu64, i, ref->node,
            ref->loads && ref->stores ? "both"
            : ref->loads              ? "load"
                                      : "store",
            ref->bytes);
        put_place(sink, ref->access);
        trod_put(sink, "\n");
    }
}
