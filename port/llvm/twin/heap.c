#include "llvm/port.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* What is reported to the runtime about each call of an allocator. The calls themselves do not change. */
enum action {
    MADE,      /* after the call: its result, and the size */
    MADE_EACH, /* the same; the size is the product of two arguments */
    MADE_AT, /* after the call: what the first argument points to, if the result is 0 */
    MADE_TEXT, /* after the call: its result, a string up to its NUL */
    MOVED,     /* before and after the call: the first argument, and the result */
    MOVED_EACH,
    GONE /* before the call: the first argument */
};

struct allocator {
    const char *name;
    enum action action;
    unsigned size; /* index of the argument with the size in bytes */
    const char *
        parameter; /* required types of its parameters: p a pointer, n a 64-bit integer */
};

static const struct allocator allocators[] = {
    {"malloc", MADE, 0, "n"},
    {"calloc", MADE_EACH, 0, "nn"},
    {"realloc", MOVED, 1, "pn"},
    {"reallocarray", MOVED_EACH, 1, "pnn"},
    {"aligned_alloc", MADE, 1, "nn"},
    {"memalign", MADE, 1, "nn"},
    {"valloc", MADE, 0, "n"},
    {"posix_memalign", MADE_AT, 2, "pnn"},
    {"strdup", MADE_TEXT, 0, "p"},
    {"__strdup", MADE_TEXT, 0, "p"},
    {"strndup", MADE_TEXT, 0, "pn"},
    {"__strndup", MADE_TEXT, 0, "pn"},
    {"free", GONE, 0, "p"},
    {"cfree", GONE, 0, "p"},
    /* operator new and delete: plain, array, aligned, nothrow */
    {"_Znwm", MADE, 0, "n"},
    {"_Znam", MADE, 0, "n"},
    {"_ZnwmRKSt9nothrow_t", MADE, 0, "np"},
    {"_ZnamRKSt9nothrow_t", MADE, 0, "np"},
    {"_ZnwmSt11align_val_t", MADE, 0, "nn"},
    {"_ZnamSt11align_val_t", MADE, 0, "nn"},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t", MADE, 0, "nnp"},
    {"_ZnamSt11align_val_tRKSt9nothrow_t", MADE, 0, "nnp"},
    {"_ZdlPv", GONE, 0, "p"},
    {"_ZdaPv", GONE, 0, "p"},
    {"_ZdlPvm", GONE, 0, "pn"},
    {"_ZdaPvm", GONE, 0, "pn"},
    {"_ZdlPvRKSt9nothrow_t", GONE, 0, "pp"},
    {"_ZdaPvRKSt9nothrow_t", GONE, 0, "pp"},
    {"_ZdlPvSt11align_val_t", GONE, 0, "pn"},
    {"_ZdaPvSt11align_val_t", GONE, 0, "pn"},
    {"_ZdlPvmSt11align_val_t", GONE, 0, "pnn"},
    {"_ZdaPvmSt11align_val_t", GONE, 0, "pnn"},
};

/* An allocation site. Each source location has one record, however often it was inlined. */
struct site {
    struct site *next;
    const char *file;
    unsigned line, column;
    LLVMValueRef record;
};

struct heap {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef pointer, i64, i32, record;
    LLVMValueRef function;
    LLVMValueRef name;  /* of the function; NULL: not created yet */
    struct site *sites; /* of the function */
    unsigned nunknown;  /* calls in it without a known line */
    struct trod_arena mem;
};

/* --- calls of allocators ----------------------------------------------------------------------- */

static bool has_type(LLVMTypeRef type, char what)
{
    if (what == 'p')
        return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(type) == 64;
}

static bool has_parameters(LLVMTypeRef type, const struct allocator *a)
{
    LLVMTypeRef parameter[4];
    size_t count = strlen(a->parameter), i;

    if (LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(type) != count)
        return false;
    LLVMGetParamTypes(type, parameter);
    for (i = 0; i < count; i++) {
        if (!has_type(parameter[i], a->parameter[i]))
            return false;
    }
    type = LLVMGetReturnType(type);
    if (a->action == MADE_AT)
        return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(type) == 32;
    return a->action == GONE || has_type(type, 'p');
}

static const struct allocator *allocator_of(LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetCalledValue(call);
    const char *name;
    size_t i, length;

    if (!LLVMIsAFunction(function) ||
        LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
        return NULL;
    name = LLVMGetValueName2(function, &length);
    for (i = 0; i < sizeof allocators / sizeof *allocators; i++) {
        if (strcmp(allocators[i].name, name) == 0)
            return has_parameters(LLVMGetCalledFunctionType(call), &allocators[i])
                       ? &allocators[i]
                       : NULL;
    }
    return NULL;
}

static bool is_call(LLVMValueRef i)
{
    return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
}

/* --- allocation sites ---------------------------------------------------------------------------- */

static LLVMValueRef text_of(struct heap *h, const char *text, size_t length)
{
    LLVMValueRef value = LLVMConstStringInContext2(h->context, text, length, false);
    LLVMValueRef global = LLVMAddGlobal(h->module, LLVMTypeOf(value), "trod.heap.name");

    LLVMSetInitializer(global, value);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(global, true);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

static LLVMValueRef name_of_function(struct heap *h)
{
    size_t length;
    const char *name = LLVMGetValueName2(h->function, &length);

    if (!h->name)
        h->name = text_of(h, name, length);
    return h->name;
}

/* The layout is that of struct trod_rt_site. */
static LLVMValueRef add_record(struct heap *h, const struct site *site)
{
    LLVMValueRef none = LLVMConstNull(h->pointer);
    LLVMValueRef field[] = {LLVMConstInt(h->i64, 0, 0), LLVMConstInt(h->i32, 0, 0),
        LLVMConstInt(h->i32, 0, 0), LLVMConstInt(h->i32, site->line, 0),
        LLVMConstInt(h->i32, site->column, 0), none, name_of_function(h)};
    LLVMValueRef record = LLVMAddGlobal(h->module, h->record, "trod.heap.site");

    if (site->file)
        field[5] = text_of(h, site->file, strlen(site->file));
    LLVMSetInitializer(record, LLVMConstStructInContext(h->context, field, 7, false));
    LLVMSetLinkage(record, LLVMPrivateLinkage);
    LLVMSetAlignment(record, 8);
    return record;
}

/* The innermost location in the function's own file, if there is one: the call of an inlined
 * allocator says more than its header does.
 */
static LLVMMetadataRef place_of(struct heap *h, LLVMValueRef call)
{
    LLVMMetadataRef own = LLVMGetSubprogram(h->function), outer;
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);

    own = own ? LLVMDIScopeGetFile(own) : NULL;
    while (at && (outer = LLVMDILocationGetInlinedAt(at)) &&
           LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) != own)
        at = outer;
    return at;
}

/* Calls without a line are numbered; the number takes the place of the column. */
static void locate(struct site *out, struct heap *h, LLVMValueRef call)
{
    LLVMMetadataRef at = place_of(h, call), file;
    unsigned length = 0;
    const char *name;

    out->line = at ? LLVMDILocationGetLine(at) : 0;
    out->column = out->line ? LLVMDILocationGetColumn(at) : ++h->nunknown;
    out->file = NULL;
    if (out->line && (file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at)))) {
        name = LLVMDIFileGetFilename(file, &length);
        out->file = trod_copy_text(&h->mem, name, length);
    }
}

static bool is_same(const struct site *a, const struct site *b)
{
    return a->line == b->line && a->column == b->column &&
           strcmp(a->file ? a->file : "", b->file ? b->file : "") == 0;
}

static LLVMValueRef site_of(struct heap *h, LLVMValueRef call)
{
    struct site *here = trod_new(&h->mem, struct site, 1), *site;

    locate(here, h, call);
    for (site = h->sites; site; site = site->next) {
        if (is_same(site, here))
            return site->record;
    }
    here->record = add_record(h, here);
    here->next = h->sites;
    h->sites = here;
    return here->record;
}

/* --- reports to the runtime ----------------------------------------------------------------------- */

static LLVMValueRef emit_call(struct heap *h, const char *name, LLVMTypeRef result,
    LLVMTypeRef *parameter, LLVMValueRef *argument, unsigned count)
{
    LLVMTypeRef type = LLVMFunctionType(result, parameter, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(h->module, name);

    if (!function) {
        unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);

        function = LLVMAddFunction(h->module, name, type);
        LLVMSetVisibility(function, LLVMHiddenVisibility);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
            LLVMCreateEnumAttribute(h->context, nounwind, 0));
    }
    return LLVMBuildCall2(h->builder, type, function, argument, count, "");
}

static void emit_freed(struct heap *h, LLVMValueRef call)
{
    LLVMValueRef object = LLVMGetOperand(call, 0);

    emit_call(h, "__trod_heap_gone", LLVMVoidTypeInContext(h->context), &h->pointer,
        &object, 1);
}

/* The size in bytes: one argument, or the product of two. If the product overflows, the allocator fails. */
static LLVMValueRef size_of(
    struct heap *h, LLVMValueRef call, const struct allocator *a)
{
    LLVMValueRef size = LLVMGetOperand(call, a->size);

    if (a->action == MADE_EACH || a->action == MOVED_EACH)
        size = LLVMBuildMul(h->builder, size, LLVMGetOperand(call, a->size + 1), "");
    return size;
}

/* order: result of the report before the call; NULL: there was none */
static void emit_allocated(
    struct heap *h, LLVMValueRef call, const struct allocator *a, LLVMValueRef order)
{
    LLVMTypeRef none = LLVMVoidTypeInContext(h->context);
    LLVMValueRef site = site_of(h, call), first = LLVMGetOperand(call, 0);

    if (a->action == MADE_TEXT) {
        emit_call(h, "__trod_heap_made_text", none,
            (LLVMTypeRef[]){h->pointer, h->pointer}, (LLVMValueRef[]){call, site}, 2);
    } else if (a->action == MADE_AT) {
        emit_call(h, "__trod_heap_made_at", none,
            (LLVMTypeRef[]){h->pointer, h->i32, h->i64, h->pointer},
            (LLVMValueRef[]){first, call, size_of(h, call, a), site}, 4);
    } else if (order) {
        emit_call(h, "__trod_heap_moved", none,
            (LLVMTypeRef[]){h->i64, h->pointer, h->pointer, h->i64, h->pointer},
            (LLVMValueRef[]){order, first, call, size_of(h, call, a), site}, 5);
    } else {
        emit_call(h, "__trod_heap_made", none,
            (LLVMTypeRef[]){h->pointer, h->i64, h->pointer},
            (LLVMValueRef[]){call, size_of(h, call, a), site}, 3);
    }
}

/* Positions the builder where the call has returned. False: impossible. */
static bool go_behind(struct heap *h, LLVMValueRef call)
{
    LLVMBasicBlockRef block;
    bool at_end;

    if (LLVMIsACallInst(call)) {
        LLVMPositionBuilderBefore(h->builder, LLVMGetNextInstruction(call));
        return true;
    }
    block = trod_bridge_block_on_edge(call, 0, &at_end);
    if (block)
        LLVMPositionBuilderBefore(h->builder, trod_bridge_first_insertion(block));
    return block;
}

static void emit_heap_call(struct heap *h, LLVMValueRef call, const struct allocator *a)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(call);
    LLVMValueRef order = NULL;

    LLVMPositionBuilderBefore(h->builder, call);
    LLVMSetCurrentDebugLocation2(h->builder, at);
    if (a->action == GONE) {
        emit_freed(h, call);
        return;
    }
    if (a->action == MOVED || a->action == MOVED_EACH)
        order = emit_call(h, "__trod_heap_order", h->i64, NULL, NULL, 0);
    if (!go_behind(h, call))
        return;
    LLVMSetCurrentDebugLocation2(h->builder, at);
    emit_allocated(h, call, a, order);
}

/* `next` is found first: reports are inserted right after the call, and must not be visited. */
static void do_function(struct heap *h)
{
    const struct allocator *a;
    LLVMBasicBlockRef block;
    LLVMValueRef i, next;

    h->name = NULL;
    h->sites = NULL;
    h->nunknown = 0;
    for (block = LLVMGetFirstBasicBlock(h->function); block;
        block = LLVMGetNextBasicBlock(block)) {
        for (i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_call(i) && (a = allocator_of(i)))
                emit_heap_call(h, i, a);
        }
    }
}

static _Noreturn void out_of_memory(void *ctx)
{
    struct trod_err err;

    (void)ctx;
    trod_err_set(&err, TROD_E_SYSTEM, "out of memory");
    trod_llvm_fail(&err);
}

void trod_llvm_heap(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct heap h = {.module = module,
        .context = context,
        .builder = LLVMCreateBuilderInContext(context),
        .pointer = trod_llvm_pointer(context),
        .i64 = LLVMInt64TypeInContext(context),
        .i32 = LLVMInt32TypeInContext(context)};

    h.record = LLVMStructTypeInContext(context,
        (LLVMTypeRef[]){h.i64, h.i32, h.i32, h.i32, h.i32, h.pointer, h.pointer}, 7,
        false);
    trod_arena_init(&h.mem, out_of_memory, NULL);
    for (h.function = LLVMGetFirstFunction(module); h.function;
        h.function = LLVMGetNextFunction(h.function)) {
        if (!LLVMIsDeclaration(h.function) && !trod_bridge_leave_alone(h.function) &&
            !trod_bridge_is_resolver(h.function))
            do_function(&h);
    }
    trod_arena_free(&h.mem);
    LLVMDisposeBuilder(h.builder);
}
