#include "llvm/across/across.h"

/* A copy of a function that serves several frames calls __trod_relay at each site where one of their plans has
 * operations. The operations of each frame are data.
 */

static LLVMValueRef word(const struct trod_emitter *m, uint64_t value)
{
    return LLVMConstInt(m->i64, value, false);
}

static LLVMTypeRef word32(const struct trod_emitter *m)
{
    return LLVMInt32TypeInContext(LLVMGetModuleContext(m->module));
}

static LLVMValueRef add_constant(
    const struct trod_emitter *m, LLVMValueRef value, const char *name)
{
    LLVMValueRef global = LLVMAddGlobal(m->module, LLVMTypeOf(value), name);

    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    return global;
}

/* --- operations as data -------------------------------------------------------------------- */

/* Subtracts the smallest sum, where the smallest sum has slot 0. */
static uint64_t less_min(const struct trod_emitter *m, int64_t sum)
{
    return (uint64_t)sum - (m->ending ? (uint64_t)m->ending->min : 0);
}

static struct trod_rt_op count_of(
    const struct trod_emitter *m, const struct trod_op *op)
{
    if (op->kind == TROD_OP_COUNT)
        return (struct trod_rt_op){TROD_RT_COUNT, less_min(m, op->value)};
    return (struct trod_rt_op){TROD_RT_COUNT_AT,
        m->ending ? trod_ending_look(m->ending, op->value).slot : (uint64_t)op->value};
}

/* False: the operation has no effect. */
static bool translate(
    struct trod_rt_op *out, const struct trod_emitter *m, const struct trod_op *op)
{
    uint64_t value = (uint64_t)op->value;
    bool known = op->kind == TROD_OP_COUNT_AT;

    if (op->kind == TROD_OP_SET || op->kind == TROD_OP_ADD) {
        *out = (struct trod_rt_op){
            op->kind == TROD_OP_SET ? TROD_RT_SET : TROD_RT_ADD, value};
        return true;
    }
    if (op->kind != TROD_OP_COUNT && !known)
        return false;
    switch (op->action) {
    case TROD_ACTION_COUNT:
        *out = count_of(m, op);
        return true;
    case TROD_ACTION_ASK:
        *out = (struct trod_rt_op){TROD_RT_LOOK, less_min(m, op->value)};
        return true;
    case TROD_ACTION_STRAY:
        *out = (struct trod_rt_op){TROD_RT_LOOK_ASTRAY, less_min(m, op->value)};
        return true;
    case TROD_ACTION_REPORT:
        *out = (struct trod_rt_op){known ? TROD_RT_REPORT_AT : TROD_RT_REPORT, value};
        return true;
    case TROD_ACTION_PASS:
        break;
    }
    return false;
}

/* --- a context ----------------------------------------------------------------------------- */

static LLVMValueRef struct_of(
    const struct trod_emitter *m, LLVMValueRef *field, unsigned count)
{
    return LLVMConstStructInContext(
        LLVMGetModuleContext(m->module), field, count, false);
}

static LLVMValueRef look_of(const struct trod_emitter *m, enum trod_ending_kind what)
{
    struct trod_rt_look look = {0};
    LLVMValueRef field[4];

    if (m->ending && what != TROD_END_ALL)
        look = trod_emit_look(m->ending, what);
    field[0] = word(m, look.how);
    field[1] = word(m, look.nslot);
    field[2] = word(m, look.number);
    field[3] = word(m, look.mask);
    return struct_of(m, field, 4);
}

struct op_list {
    const struct trod_emitter *m;
    LLVMValueRef *op;
    uint32_t n;
};

static void list_op(struct op_list *l, struct trod_rt_op op)
{
    LLVMValueRef pair[2] = {word(l->m, op.action), word(l->m, op.value)};

    l->op[l->n++] = struct_of(l->m, pair, 2);
}

static void list_site(struct op_list *l, uint32_t site)
{
    const struct trod_plan *plan = l->m->plan;
    struct trod_rt_op made;

    if (site == TROD_NONE)
        return;
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        if (translate(&made, l->m, &plan->op[i]))
            list_op(l, made);
    if (site < plan->numbering->dag->graph->nedge && trod_has(l->m->pauses, site))
        list_op(l, (struct trod_rt_op){TROD_RT_PAUSE, 0});
}

/* Lists the operations of all sites, and the index of each site's first operation. */
static void add_ops(LLVMValueRef *first_op, LLVMValueRef *ops,
    const struct trod_emitter *m, struct trod_version *shared)
{
    uint32_t nsite = shared->body.graph.nedge + shared->body.graph.nnode + 1;
    LLVMValueRef *first = trod_new(m->mem, LLVMValueRef, nsite + 1);
    struct op_list l = {.m = m,
        .op = trod_new(
            m->mem, LLVMValueRef, m->plan->first_op[m->plan->nsite] + nsite + 1)};

    for (uint32_t s = 0; s <= nsite; s++) {
        uint32_t before = l.n;

        first[s] = LLVMConstInt(word32(m), l.n, false);
        list_site(&l, s < nsite ? m->site_of[s] : TROD_NONE);
        if (l.n > before)
            trod_add(shared->relays, s);
    }
    if (!l.n)
        list_op(&l,
            (struct trod_rt_op){
                0}); /* the array needs an element: its type is taken from the first */
    *first_op =
        add_constant(m, LLVMConstArray2(word32(m), first, nsite + 1), "__trod_first");
    *ops =
        add_constant(m, LLVMConstArray2(LLVMTypeOf(l.op[0]), l.op, l.n), "__trod_ops");
}

static LLVMValueRef context_of(
    const struct trod_emitter *m, struct trod_version *shared)
{
    LLVMTypeRef pointer = trod_llvm_pointer(LLVMGetModuleContext(m->module));
    const struct trod_ending *ending = m->ending;
    LLVMValueRef field[8];

    field[0] = m->data.table;
    field[1] = m->data.ids ? m->data.ids : LLVMConstNull(pointer);
    field[2] = look_of(m, ending ? ending->kind : TROD_END_ALL);
    field[3] = look_of(m, ending && ending->strays ? TROD_END_STRAY : TROD_END_ALL);
    field[4] = word(m, ending ? trod_emit_path_mask(ending) : UINT64_MAX);
    field[5] = word(m, ending && ending->direct);
    add_ops(&field[6], &field[7], m, shared);
    return add_constant(m, struct_of(m, field, 8), "__trod_context");
}

void trod_across_add_contexts(const struct trod_versions *v,
    struct trod_across_part *part, struct trod_arena *mem)
{
    LLVMModuleRef module = v->u->module;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct trod_emitter m = {.mem = mem,
        .module = module,
        .i64 = LLVMInt64TypeInContext(context),
        .plan = &part->plan,
        .ending = part->plan.ending,
        .data = part->data,
        .pauses = part->pauses};

    part->context_of_frame = trod_new(mem, LLVMValueRef, part->tree.nframe);
    for (uint32_t f = 1; f < part->tree.nframe; f++) {
        if (!part->version_of_frame[f]->shared)
            continue;
        m.site_of = part->site_of_frame[f];
        part->context_of_frame[f] = context_of(&m, part->version_of_frame[f]);
    }
}

LLVMValueRef trod_across_declare_relay(LLVMModuleRef module)
{
    static const char name[] = "__trod_relay";
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef pointer = trod_llvm_pointer(context);
    LLVMTypeRef parameter[4] = {
        pointer, pointer, pointer, LLVMInt64TypeInContext(context)};
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

    if (function)
        return function;
    function = LLVMAddFunction(module, name,
        LLVMFunctionType(LLVMVoidTypeInContext(context), parameter, 4, false));
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, nounwind, 0));
    return function;
}
