#include "llvm/port.h"
#include "trod/rt.h"

#include <inttypes.h>
#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <string.h>

/* The data of an instrumented function: its counters, the ids of its slots, its record. */
struct data_maker {
    struct trod_arena *mem;
    const struct trod_body *body;
    LLVMModuleRef module;
    LLVMTypeRef i64;
    const struct trod_ending *ending; /* NULL: each path has the counter of its id */
    const uint64_t *event; /* ids of slots that count events; NULL: slots count paths */
    uint64_t
        identity; /* hash of what is emitted; distinguishes differing copies of the function */
    LLVMValueRef table, ids;
};

static LLVMValueRef number(const struct data_maker *m, int64_t value)
{
    return LLVMConstInt(m->i64, (uint64_t)value, true);
}

bool trod_llvm_is_shared(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);

    return LLVMGetComdat(function) && linkage != LLVMInternalLinkage &&
           linkage != LLVMPrivateLinkage;
}

/* A shared (comdat) function may be inlined into units whose own copy the linker drops, and that code refers to the
 * table, too. So the table has a name by which all units find the kept one, and table and record have a group of
 * their own. Differing copies have different names.
 */
static void share_global(const struct data_maker *m, LLVMValueRef global,
    const char *prefix, const struct trod_rt_function *record)
{
    char name[80];

    snprintf(name, sizeof name, "__trod_%016" PRIx64 "_%016" PRIx64 "_%" PRIx64,
        record->name, m->identity, record->npath);
    LLVMSetComdat(global, LLVMGetOrInsertComdat(m->module, name));
    snprintf(name, sizeof name, "%s%016" PRIx64 "_%016" PRIx64 "_%" PRIx64, prefix,
        record->name, m->identity, record->npath);
    LLVMSetValueName2(global, name, strlen(name));
    LLVMSetLinkage(global, LLVMLinkOnceODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
}

static LLVMValueRef add_global(const struct data_maker *m, LLVMTypeRef type,
    const char *prefix, const struct trod_rt_function *record)
{
    LLVMComdatRef comdat = LLVMGetComdat(m->body->function);
    char name[256];
    LLVMValueRef global;

    snprintf(name, sizeof name, "%s%.200s", prefix, m->body->name);
    global = LLVMAddGlobal(m->module, type, name);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 8);
    if (trod_llvm_is_shared(m->body->function))
        share_global(m, global, prefix, record);
    else if (comdat)
        LLVMSetComdat(global, comdat);
    return global;
}

static void add_table(struct data_maker *m, const struct trod_rt_function *record)
{
    uint64_t nslot = trod_format_counts_each((enum trod_format_counted)record->counted)
                         ? record->npath
                         : record->nslot;
    LLVMTypeRef type = LLVMArrayType2(m->i64, nslot + 1 + m->body->stops);

    m->table = add_global(m, type, "__trod_cnt_", record);
    trod_bridge_set_bss_section(m->table, "__trod_cnt");
}

static LLVMTypeRef word32(const struct data_maker *m)
{
    return LLVMInt32TypeInContext(LLVMGetModuleContext(m->module));
}

static void set_ids(struct data_maker *m, const struct trod_rt_function *record,
    LLVMTypeRef type, LLVMValueRef *value, uint64_t count)
{
    m->ids = add_global(m, LLVMArrayType2(type, count), "__trod_ids_", record);
    LLVMSetInitializer(m->ids, LLVMConstArray2(type, value, count));
    LLVMSetGlobalConstant(m->ids, true);
}

/* The ids of slots, for lookups and for the record; for TROD_END_BITS, a bit for each path, for lookups only. */
static void add_ids(struct data_maker *m, const struct trod_rt_function *record)
{
    const struct trod_ending *ending = m->ending;
    bool bits = ending && ending->kind == TROD_END_BITS;
    bool wide = !bits && record->npath >= UINT32_MAX;
    LLVMTypeRef type = wide ? m->i64 : word32(m);
    uint64_t count = bits ? 2 * TROD_WORDS(ending->npath) : ending ? ending->nslot : 0;
    LLVMValueRef *value;

    if (!bits && !(ending && ending->id_of_slot))
        return;
    value = trod_new(m->mem, LLVMValueRef, count);
    for (uint64_t i = 0; i < count; i++)
        value[i] = LLVMConstInt(type,
            bits ? ending->interest[i / 2] >> (i % 2 * 32) & UINT32_MAX
                 : ending->id_of_slot[i],
            false);
    set_ids(m, record, type, value, count);
}

static void add_event_ids(struct data_maker *m, const struct trod_rt_function *record)
{
    LLVMValueRef *value = trod_new(m->mem, LLVMValueRef, record->nslot);

    for (uint32_t i = 0; i < record->nslot; i++)
        value[i] = LLVMConstInt(m->i64, m->event[i], false);
    set_ids(m, record, m->i64, value, record->nslot);
}

/* A distance, not an address: it needs no relocation at load time, so the page stays clean. */
static LLVMValueRef distance(const struct data_maker *m, LLVMTypeRef type,
    LLVMValueRef record, unsigned field, LLVMValueRef global)
{
    LLVMValueRef index[2] = {
        LLVMConstInt(word32(m), 0, 0), LLVMConstInt(word32(m), field, 0)};

    if (!global)
        return number(m, 0);
    return LLVMConstSub(LLVMConstPtrToInt(global, m->i64),
        LLVMConstPtrToInt(LLVMConstInBoundsGEP2(type, record, index, 2), m->i64));
}

static void add_record(struct data_maker *m, const struct trod_rt_function *record)
{
    enum { NFIELD = 8 };
    LLVMTypeRef field[NFIELD] = {
        m->i64, m->i64, m->i64, m->i64, m->i64, m->i64, word32(m), word32(m)};
    LLVMTypeRef type =
        LLVMStructTypeInContext(LLVMGetModuleContext(m->module), field, NFIELD, false);
    LLVMValueRef global = add_global(m, type, "__trod_fn_", record);
    LLVMValueRef value[NFIELD];

    LLVMSetSection(global, "__trod_fn");
    value[0] = number(m, (int64_t)record->name);
    value[1] = number(m, (int64_t)record->graph);
    value[2] = number(m, (int64_t)record->cuts);
    value[3] = number(m, (int64_t)record->npath);
    value[4] = distance(m, type, global, 4, m->table);
    value[5] = distance(m, type, global, 5, record->nslot ? m->ids : NULL);
    value[6] = LLVMConstInt(word32(m), record->nslot, false);
    value[7] = LLVMConstInt(
        word32(m), record->counted | (m->body->stops ? TROD_RT_STOPS : 0), false);
    LLVMSetInitializer(global, LLVMConstStructInContext(LLVMGetModuleContext(m->module),
                                   value, NFIELD, false));
    LLVMSetGlobalConstant(global, true);
    /* A shared record is in one group with its table, which stays as long as code refers to it. */
    if (trod_llvm_is_shared(m->body->function))
        trod_bridge_keep(global);
    else
        trod_bridge_retain(global);
}

static uint64_t identity_of(const struct trod_body *body,
    const struct trod_rt_function *record, const struct trod_ending *ending)
{
    uint64_t hash = trod_mix(record->graph, record->cuts);

    if (body->chain)
        hash = trod_mix(hash, body->chain->iterations << 1 | body->noted);
    if (!ending || ending->kind == TROD_END_ALL)
        return hash;
    hash = trod_mix(hash, (uint64_t)ending->kind << 8 | ending->want);
    for (uint64_t i = 0; ending->id_of_slot && i < ending->nslot; i++)
        hash = trod_mix(hash, ending->id_of_slot[i]);
    for (uint64_t i = 0; ending->interest && i < TROD_WORDS(ending->npath); i++)
        hash = trod_mix(hash, ending->interest[i]);
    return trod_mix(hash, ending->hash.multiplier);
}

static void fill_record(struct trod_rt_function *record, const struct trod_body *body,
    const struct trod_ending *ending)
{
    record->counted = body->noted ? TROD_COUNTED_RESIDUAL : TROD_COUNTED_ALL;
    record->nslot = 0;
    if (!ending || ending->kind == TROD_END_ALL)
        return;
    record->counted = ending->direct ? TROD_COUNTED_REST : (uint32_t)ending->want;
    if (trod_wants_counts(ending->want))
        record->nslot = (uint32_t)ending->nslot;
}

_Static_assert((int)TROD_WANT_CHOSEN == (int)TROD_COUNTED_CHOSEN &&
                   (int)TROD_WANT_RESIDUAL == (int)TROD_COUNTED_RESIDUAL &&
                   (int)TROD_WANT_UNTESTED == (int)TROD_COUNTED_UNTESTED,
    "what is wanted is what is counted");

void trod_llvm_add_data(struct trod_llvm_data *out, const struct trod_body *body,
    const struct trod_ending *ending, struct trod_rt_function *record,
    struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    struct data_maker m = {.mem = mem,
        .body = body,
        .module = module,
        .i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module)),
        .ending = ending,
        .identity = identity_of(body, record, ending)};

    fill_record(record, body, ending);
    add_table(&m, record);
    add_ids(&m, record);
    add_record(&m, record);
    *out = (struct trod_llvm_data){m.table, m.ids};
}

void trod_llvm_add_events(struct trod_llvm_data *out, const struct trod_body *body,
    const uint64_t *id, uint32_t nslot, const struct trod_rt_function *record,
    struct trod_arena *mem)
{
    LLVMModuleRef module = LLVMGetGlobalParent(body->function);
    struct trod_rt_function own = {.name = record->name,
        .graph = record->graph,
        .cuts = record->cuts ^ TROD_EVENTS_CUTS,
        .npath = TROD_EVENTS_NPATH,
        .nslot = nslot,
        .counted = TROD_COUNTED_EVENTS};
    struct data_maker m = {.mem = mem,
        .body = body,
        .module = module,
        .i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module)),
        .event = id,
        .identity = trod_mix(own.graph, own.cuts)};

    for (uint32_t i = 0; i < nslot; i++)
        m.identity = trod_mix(m.identity, id[i]);
    add_table(&m, &own);
    add_event_ids(&m, &own);
    add_record(&m, &own);
    *out = (struct trod_llvm_data){m.table, m.ids};
}
