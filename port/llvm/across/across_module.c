#include "llvm/across/across.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order of passes: build all functions of a module unchanged; choose the calls to follow; copy the callees while
 * they are uninstrumented; instrument one root after another.
 */

/* Limit of path ids of supergraphs. It does not depend on which paths are counted, so that supergraphs are always cut
 * in the same places.
 */
#define MOST_PATHS (UINT64_C(1) << 31)

/* Limit of the counters of a unit if segments are given: 32 MB of address space. */
#define MOST_COUNTERS (UINT64_C(1) << 22)

struct across {
    struct trod_unit *u;
    struct trod_arena mem;
    const struct trod_across_wanted *wanted;
    struct trod_across_part **part;
    uint32_t npart, room;
    struct trod_super_unit unit;
    struct trod_versions versions;
    uint64_t ncounter; /* of functions that count all paths */
};

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while following calls\n");
    exit(TROD_E_SYSTEM);
}

/* --- parts ------------------------------------------------------------------------------- */

static void fill_ways(struct trod_across_part *part, struct trod_arena *mem)
{
    const struct trod_graph *graph = &part->body.graph;

    part->returns = trod_new(mem, bool, graph->nnode);
    part->unwinds = trod_new(mem, uint64_t, TROD_WORDS(graph->nedge));
    for (trod_node v = 0; v < graph->nnode; v++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(part->body.block[v]);

        part->returns[v] = LLVMGetInstructionOpcode(last) == LLVMRet &&
                           !trod_bridge_last_call(part->body.block[v]);
        if (LLVMGetInstructionOpcode(last) == LLVMInvoke)
            for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
                if (part->body.successor_of_edge[e] == 1)
                    trod_add(part->unwinds, e);
    }
}

static void add_part(struct across *a, LLVMValueRef function)
{
    struct trod_across_part *part = trod_new(&a->mem, struct trod_across_part, 1);
    struct trod_err err;
    const char *why;

    trod_llvm_graph(&part->body, function, true, TROD_LAST_RETURNS, &a->mem);
    why = part->body.why_not;
    if (!why && !trod_unit_number(&part->steps, a->u, &part->body, &a->mem, &err))
        why = err.text;
    if (why) {
        trod_unit_skip(a->u, part->body.name, why);
        return;
    }
    part->name = part->body.name;
    fill_ways(part, &a->mem);
    trod_push(&a->mem, a->part, a->npart, a->room, part);
}

/* --- names of functions in segments ------------------------------------------------------------ */

static bool is_same(
    const struct trod_rt_function *record, const struct trod_identity *identity)
{
    return record->graph == identity->graph && record->cuts == identity->cuts &&
           record->npath == identity->npath;
}

static struct trod_across_part *part_by_hash(const struct across *a, uint64_t name)
{
    for (uint32_t i = 0; i < a->npart; i++)
        if (a->part[i]->steps.record.name == name)
            return a->part[i];
    return NULL;
}

/* Other units may have a function of this name, and the linker decides which one is kept. */
static bool may_be_another(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);

    return trod_llvm_is_shared(function) || linkage == LLVMWeakAnyLinkage ||
           linkage == LLVMWeakODRLinkage || linkage == LLVMLinkOnceAnyLinkage ||
           linkage == LLVMLinkOnceODRLinkage;
}

static void say_stale(struct across *a, const struct trod_across_part *part)
{
    size_t length;

    if (may_be_another(part->body.function))
        return;
    if (!a->u->settings.partial)
        a->u->nstale++;
    fprintf(stderr,
        "trod: %s: '%s' differs from the function of the given segments in its graph or "
        "cuts%s\n",
        LLVMGetSourceFileName(a->u->module, &length), part->body.name,
        a->u->settings.partial ? "; no call in it or of it is followed" : "");
}

/* Static functions of several files may have the same name. Segments distinguish them by hashes, and have
 * separate names for them; a function with only the same name gets an unused one.
 */
static void name_parts(struct across *a)
{
    const struct trod_segments *segments = &a->wanted->segments;
    char *other;

    for (uint32_t i = 0; i < a->npart; i++) {
        other = trod_format(&a->mem, "%s@%016" PRIx64, a->part[i]->body.name,
            a->part[i]->steps.record.name);
        if (trod_names_find(&segments->function, a->part[i]->body.name) != UINT32_MAX)
            a->part[i]->name = other;
    }
    for (uint32_t i = 0; i < segments->function.count; i++) {
        const struct trod_identity *identity = &segments->identity[i];
        struct trod_across_part *part = part_by_hash(a, identity->name);

        if (!part)
            continue;
        if (is_same(&part->steps.record, identity))
            part->name = segments->function.name[i];
        else
            say_stale(a, part);
    }
}

static const char *name_of_callee(const struct across *a, const char *callee)
{
    for (uint32_t i = 0; callee && i < a->npart; i++)
        if (strcmp(a->part[i]->body.name, callee) == 0)
            return a->part[i]->name;
    return callee;
}

/* --- followed calls ---------------------------------------------------------------------------- */

static struct trod_calls calls_of(struct across *a, struct trod_across_part *part)
{
    struct trod_calls out = {.ncall = part->body.calls.ncall};
    struct trod_call *call = trod_new(&a->mem, struct trod_call, out.ncall);

    for (uint32_t i = 0; i < out.ncall; i++) {
        call[i] = part->body.calls.call[i];
        call[i].callee = name_of_callee(a, call[i].callee);
    }
    out.call = call;
    return out;
}

static void build_unit(struct across *a)
{
    struct trod_super_function *function =
        trod_new(&a->mem, struct trod_super_function, a->npart);
    struct trod_err err;

    for (uint32_t i = 0; i < a->npart; i++)
        function[i] = (struct trod_super_function){.name = a->part[i]->name,
            .ballarus = &a->part[i]->steps.numbering,
            .calls = calls_of(a, a->part[i]),
            .returns = a->part[i]->returns,
            .unwinds = a->part[i]->unwinds,
            .why_not = trod_bridge_why_not_inside(a->part[i]->body.function)};
    if (!trod_super_unit_build(&a->unit, function, a->npart, &a->mem, &err)) {
        fprintf(stderr, "trod: %s\n", err.text);
        exit((int)err.code);
    }
}

static void plan_calls(struct across *a, struct trod_super_plan *out)
{
    struct trod_super_options options = {.depth = a->wanted->depth};
    struct trod_super_ran *ran;

    if (a->wanted->by_segments) {
        trod_super_plan_segments(
            out, &a->unit, &a->wanted->segments, &options, &a->mem);
        return;
    }
    ran = trod_new(&a->mem, struct trod_super_ran, a->npart);
    for (uint32_t i = 0; i < a->npart; i++)
        if (!trod_across_ran(&ran[i], a->wanted, &a->part[i]->steps.record, &a->mem))
            say_stale(a, a->part[i]);
    trod_super_plan_ran(out, &a->unit, ran, &options, &a->mem);
}

static void fill_trees(struct across *a)
{
    struct trod_super_plan plan;

    a->versions = (struct trod_versions){
        .u = a->u, .mem = &a->mem, .part = a->part, .npart = a->npart};
    plan_calls(a, &plan);
    for (uint32_t i = 0; i < plan.nleft; i++)
        trod_versions_left(&a->versions, a->part[plan.left[i].function],
            plan.left[i].node, plan.left[i].callee, plan.left[i].why);
    for (uint32_t i = 0; i < a->npart; i++) {
        struct trod_super_frame *own = trod_new(&a->mem, struct trod_super_frame, 1);

        *own = (struct trod_super_frame){
            .parent = TROD_NONE, .node = TROD_NONE, .function = i};
        a->part[i]->tree = (struct trod_super_tree){1, own};
    }
    for (uint32_t i = 0; i < plan.ntree; i++)
        a->part[plan.tree[i].frame[0].function]->tree = plan.tree[i];
    trod_versions_make(&a->versions, a->u->settings.code);
}

/* --- roots ------------------------------------------------------------------------------------- */

/* Limit of the chosen paths of a supergraph, each of which has a slot. */
enum { MOST_CHOSEN = 1 << 15 };

/* Chooses the paths whose segments are all given. Other paths are counted, too, if the user asks for it or if too
 * many are given. If every path is given there are no others, and a residual plan would treat the function as tested
 * and count nothing.
 */
static enum trod_want choose_listed(
    struct trod_pathset *out, struct across *a, const struct trod_across_part *part)
{
    struct trod_super_listed listed;
    bool others;

    trod_super_listed(&listed, &part->numbered->super, &part->numbered->ballarus,
        &a->wanted->segments, NULL, MOST_CHOSEN, &a->u->mem);
    *out = listed.paths;
    others = (a->u->settings.others || !listed.all) &&
             listed.paths.count < part->numbered->ballarus.npath;
    return others ? TROD_WANT_RESIDUAL : TROD_WANT_CHOSEN;
}

/* A counter for each path is the fastest plan, but most would never be used where few of many paths are chosen. Small
 * functions get it in any case. If other paths count, too, the alternative is a hash table of all that run, which is
 * several times slower.
 */
enum { FEW_COUNTERS = 256, COUNTERS_PER_CHOSEN = 8 };

static bool fits(struct across *a, const struct trod_across_part *part,
    enum trod_want want, uint64_t nchosen)
{
    uint64_t npath = part->numbered->ballarus.npath;

    if (a->u->settings.plan || npath > MOST_COUNTERS - a->ncounter ||
        (want == TROD_WANT_CHOSEN &&
            npath > FEW_COUNTERS + COUNTERS_PER_CHOSEN * nchosen))
        return false;
    a->ncounter += npath;
    return true;
}

/* Removes the plan with a counter for each path: there would be too many counters. */
static unsigned without_all(unsigned plans)
{
    unsigned all = 1u << TROD_END_ALL, others = (1u << TROD_NENDING) - 1 - all;

    return plans & others ? plans & others : others;
}

/* Chooses what is counted: paths of a list, paths made of the segments, or all paths. */
static bool choose(
    struct across *a, struct trod_across_part *part, struct trod_choice *choice)
{
    struct trod_unit *u = a->u;
    struct trod_probe_options all = {.no_begin = true, .no_trips = true};
    struct trod_choose_options options = {
        .want = u->settings.want, .only = u->settings.plan, .no_trips = true};
    const struct trod_numbering *ballarus = &part->numbered->ballarus;
    const struct trod_loops *loops = &part->numbered->view.loops;
    struct trod_set set = {.state = TROD_SET_FOUND};
    bool every = u->settings.plan == 1u << TROD_END_ALL || !a->wanted->by_segments;

    if (options.want != TROD_WANT_ALL) {
        trod_unit_set(&set, u, &part->body, &part->record);
    } else if (!every) {
        options.want = choose_listed(&set.paths, a, part);
        every = (set.paths.count || options.want != TROD_WANT_CHOSEN) &&
                fits(a, part, options.want, set.paths.count);
    } else {
        every = ballarus->npath <= u->settings.limit;
        options.want = TROD_WANT_RESIDUAL;
    }
    if (every && u->settings.want == TROD_WANT_ALL) {
        trod_probe_plan(&part->plan, ballarus, loops, &all, &u->mem);
        return true;
    }
    if (ballarus->npath > u->settings.limit)
        options.only = without_all(options.only);
    options.count_of_path = set.count;
    if (!trod_unit_choose(
            choice, u, &part->body, ballarus, loops, &options, &set.paths))
        return false;
    part->plan = choice->plan;
    if (choice->needless && options.want == TROD_WANT_CHOSEN)
        trod_unit_skip(u, part->body.name, choice->why);
    return !choice->needless || options.want != TROD_WANT_CHOSEN;
}

static const char *name_of_function(const void *ctx, uint32_t function)
{
    const struct across *a = ctx;

    return a->part[function]->body.name;
}

static bool number(struct across *a, struct trod_across_part *part)
{
    struct trod_arena *mem = &a->u->mem;
    struct trod_super_numbered *out = trod_new(mem, struct trod_super_numbered, 1);
    struct trod_err err;

    if (!trod_super_number(out, &a->unit, &part->tree,
            a->wanted->by_segments ? &a->wanted->segments : NULL, MOST_PATHS, false,
            mem, &err)) {
        trod_unit_skip(a->u, part->body.name, err.text);
        return false;
    }
    for (uint32_t f = out->tree.nframe; f < part->tree.nframe; f++)
        trod_versions_left(&a->versions,
            a->part[part->tree.frame[part->tree.frame[f].parent].function],
            part->tree.frame[f].node, a->part[part->tree.frame[f].function]->body.name,
            "there would be too many paths");
    part->tree = out->tree;
    part->numbered = out;
    part->record = trod_unit_record(a->u, &part->body, &out->ballarus, mem);
    return true;
}

static void plan_part(struct across *a, struct trod_across_part *part)
{
    struct trod_unit *u = a->u;
    struct trod_choice *choice = trod_new(&u->mem, struct trod_choice, 1);
    struct trod_map_super map = {.body = &part->body,
        .record = &part->record,
        .name_of_function = name_of_function,
        .ctx = a};

    if (!number(a, part) || !choose(a, part, choice))
        return;
    map.super = &part->numbered->super;
    map.ballarus = &part->numbered->ballarus;
    map.report = &part->numbered->report;
    map.choice = choice->why ? choice : NULL;
    if (part->tree.nframe > 1)
        trod_llvm_map_super(&u->map.sink, &map, &u->mem);
    u->changed = true;
    if (choice->needless)
        return;
    part->counts = true;
    u->reports |= choice->why && trod_unit_reports(choice);
    trod_llvm_add_data(
        &part->data, &part->body, part->plan.ending, &part->record, &u->mem);
    trod_across_fill_sites(part, &u->mem);
    trod_across_drop_false_ends(part, &u->mem);
    trod_across_add_contexts(&a->versions, part, &u->mem);
}

static void emit(struct across *a)
{
    struct trod_versions *v = &a->versions;

    for (uint32_t i = 0; i < a->npart; i++)
        if (!a->part[i]->counts)
            a->part[i]->tree.nframe = 1; /* so that no version passes on its sum */
    for (uint32_t i = 0; i < v->nversion; i++)
        trod_across_emit(v, v->version[i], &a->u->mem);
    for (uint32_t i = 0; i < v->nversion; i++)
        if (v->version[i]->depth || v->version[i]->shared)
            trod_bridge_drop_unused(v->version[i]->body.function);
}

void trod_across_module(struct trod_unit *u)
{
    struct across a = {
        .u = u, .wanted = trod_across_load(u->settings.segments, u->settings.depth)};

    trod_arena_init(&a.mem, out_of_memory, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module); f;
        f = LLVMGetNextFunction(f))
        if (trod_unit_takes(u, f))
            add_part(&a, f);
    if (a.wanted->by_segments)
        name_parts(&a);
    if (u->nstale)
        return;
    build_unit(&a);
    for (uint32_t i = 0; i < a.npart; i++)
        trod_llvm_map_body(&u->map.sink,
            &(struct trod_map_body){.body = &a.part[i]->body,
                .record = &a.part[i]->steps.record,
                .ballarus = &a.part[i]->steps.numbering,
                .report = &a.part[i]->steps.report},
            &a.mem);
    fill_trees(&a);
    if (u->nstale)
        return; /* refuse() ends the compiler */
    trod_unit_begin(u);
    for (uint32_t i = 0; i < a.npart; i++)
        plan_part(&a, a.part[i]);
    emit(&a);
    trod_arena_free(&u->mem);
    trod_arena_free(&a.mem);
}
